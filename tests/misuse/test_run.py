"""Programs and options that `python -m legacy_autograd run` cannot carry out, or that do not expect to be run so."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

import legacy_autograd

ROOT = str(pathlib.Path(legacy_autograd.__file__).resolve().parents[1])
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="run_all.py forks")

CASES = {}  # {name: (program, options and arguments, input, exit code, facts of the output, facts of the errors)}


def case(name, program, *arguments, options=(), input="", code=0, output=(), errors=()):
    CASES[name] = (program, [*options], [*arguments], input, code, output, errors)


# --- no program

case("missing", None, code=2, errors=["cannot read the script", "missing.py", "No such file"])
case("a_folder", "FOLDER", code=2, errors=["cannot read the script", "a_folder.py", "Is a directory"])
case("null_bytes", "x = 1\0\n", code=1, errors=["null_bytes.py", "is not Python 3", "null bytes"])
case("latin_1", b"name = '\xe9'\n", code=1, errors=["latin_1.py", "is not Python 3", "utf-8"])
case("wrong_era", "", options=["--era", "0.3"], code=2, errors=["--era", "'0.3'", "0.1.1", "0.1.12"])
case("unknown_option", "", options=["--gpu"], code=2, errors=["--gpu"])

# --- not Python 3

case("syntax", "x = 1\ny = = 2\n", code=1, errors=["syntax.py, line 2", "is not Python 3", "`y = = 2`"])
case("print_2", "import torch\nprint 'loss', 1\n", code=1, errors=["print_2.py, line 2", "print(x)", "2to3"])
case("except_2", "try:\n    pass\nexcept ValueError, e:\n    pass\n", code=1, errors=["line 3", "except E as e"])
case("tabs_2", "if 1:\n        x = 1\n\tx = 2\n", code=1, errors=["tabs_2.py, line 3", "is not Python 3"])
case("imports_2", "import old_neighbour\n", code=1, errors=["old_neighbour.py, line 1", "print(x)"])

# --- how a program ends

case("exits_7", "import sys\nsys.exit(7)\n", code=7)
case("exits_with_words", "import sys\nsys.exit('no data')\n", code=1, errors=["no data\n"])
case("exits_at_once", "import os\nos._exit(5)\n", code=5)
case("interrupted", "raise KeyboardInterrupt\n", code=130, errors=["KeyboardInterrupt"])
case(
    "raises",
    "def inner():\n    return {}['weights']\n\ninner()\n",
    code=1,
    errors=['raises.py", line 4, in <module>', 'raises.py", line 2, in inner', "KeyError: 'weights'"],
)
case(
    "raises_beside",
    "import failing_neighbour\n",
    code=1,
    errors=['failing_neighbour.py", line 2', "ValueError: beside"],
)
case(
    "raises_in_a_thread",
    "import threading\nt = threading.Thread(target=lambda: 1 / 0)\nt.start()\nt.join()\nprint('on')\n",
    output=["on\n"],
    errors=["ZeroDivisionError"],
)
case(
    "own_excepthook",
    "import sys\nsys.excepthook = lambda kind, error, trace: print('caught', kind.__name__)\n1 / 0\n",
    code=1,
    output=["caught ZeroDivisionError\n"],
)

# --- what a program finds

case("arguments", "import sys\nprint(sys.argv[1:])\n", "--era", "0.1.1", "-h", output=["['--era', '0.1.1', '-h']\n"])
case("guard", "import __main__\nx = 3\nif __name__ == '__main__':\n    print(__main__.x)\n", output=["3\n"])
case("torch_beside", "import torch\nprint(torch.ones(2).sum())\n", output=["2.0\n"])
case("reads_input", "print(input() + '!')\n", input="hello\n", output=["hello!\n"])
case("relative_file", "open('data.txt')\n", code=1, errors=["FileNotFoundError", "'data.txt'"])
case("from_input", "/dev/stdin", input="import torch\nprint(torch.ones(3).sum())\n", output=["3.0\n"])
case(
    "needs_torchtext",
    "import torchtext\n",
    code=1,
    errors=["ModuleNotFoundError: torchtext is not part of", "torch.from_numpy", 'needs_torchtext.py", line 1'],
)
case("private_c", "import torch._C\n", code=1, errors=["ModuleNotFoundError", "_C"])

# --- what a program asks for

_CUDA = "import torch\nprint((torch.ones(2).cuda() * 3).sum())\n"
case("cuda", _CUDA, code=1, errors=["RuntimeError", "cuda", "torch.cuda.is_available()", "--ignore-cuda", "line 2"])
case("cuda_ignored", _CUDA, options=["--ignore-cuda"], output=["6.0\n"], errors=["no CUDA device"])
case(
    "leaf_without_gradient",
    "import torch\nfrom torch.autograd import Variable\n(Variable(torch.ones(1)) * 2).backward()\n",
    code=1,
    errors=["RuntimeError: backward", "does not require a gradient", "line 3"],
)
case(
    "processes",
    "import torch.multiprocessing as multiprocessing\n\n"
    "def work(queue):\n    import torch\n    queue.put(torch.ones(4).sum())\n\n"
    "if __name__ == '__main__':\n"
    "    queue = multiprocessing.Queue()\n"
    "    process = multiprocessing.Process(target=work, args=(queue,))\n"
    "    process.start()\n    print(queue.get())\n    process.join()\n",
    output=["4.0\n"],
)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """What became of each case: [exit code, output, errors]. All run in one process, in an empty folder."""
    folder = tmp_path_factory.mktemp("programs")
    (folder / "empty").mkdir()
    (folder / "old_neighbour.py").write_text("print 'old'\n")
    (folder / "failing_neighbour.py").write_text("\nraise ValueError('beside')\n")
    (folder / "torch.py").write_text("raise ImportError('the file beside the program')\n")
    (folder / "data.txt").write_text("beside the program, not where it is run\n")
    commands = {}
    for name, (program, options, arguments, input, *_) in CASES.items():
        path = folder / f"{name}.py"
        if program == "FOLDER":
            path.mkdir()
        elif program == "/dev/stdin":
            path = program
        elif program is not None:
            path.write_bytes(program if isinstance(program, bytes) else program.encode())
        commands[name] = [["run", *options, str(path), *arguments], input]
    (folder / "commands.json").write_text(json.dumps(commands))
    clean = {name: value for name, value in os.environ.items() if not name.startswith("LEGACY_AUTOGRAD_ERA")}
    subprocess.run(
        [sys.executable, pathlib.Path(__file__).with_name("run_all.py"), folder / "commands.json", folder / "results"],
        cwd=folder / "empty",
        env={**clean, "PYTHONPATH": ROOT},
        check=True,
        timeout=120,
    )
    return json.loads((folder / "results").read_text())


@pytest.mark.parametrize("name", CASES)
def test_run(results, name):
    *_, code, in_output, in_errors = CASES[name]
    found, output, errors = results[name]
    assert found == code, errors
    assert all(fact in output for fact in in_output) and bool(output) == bool(in_output), output
    assert all(fact in errors for fact in in_errors) and bool(errors) == bool(in_errors), errors
    assert "runner.py" not in errors and "import_aliases" not in errors, "frames of the package"
