"""Run a script in both packages, each in its own process, since the module `torch` and the era are process-wide.

`run_both` starts this file twice; the recorded runs are returned through a temporary folder.
"""

import builtins
import functools
import os
import pathlib
import pickle
import random as python_random
import subprocess
import sys
import tempfile
import types

import numpy

from .. import conventions
from ..compat import runner
from ..drawing.replaced import replaced
from .entropy import same_entropy
from .recording import collect

_SEED = 20160824  # for a script that sets none, so that both runs draw the same numbers


def run_both(path, arguments=(), era="0.1.12", most_backwards=3):
    """Run the script `path` in legacy_autograd and in modern torch; return both `Run`s.

    Values and gradients are recorded for the first `most_backwards` backwards (None: all); the script runs to its end.
    Its output is `Run.printed`. Raises FileNotFoundError if there is no script, ValueError for an unknown era, and
    RuntimeError with the script's error output if it fails.
    """
    if not os.path.isfile(path):
        raise FileNotFoundError(f"side_by_side: there is no script {os.fspath(path)}")
    conventions.column(era)
    with tempfile.TemporaryDirectory() as folder:
        job = {
            "path": os.path.abspath(path),
            "arguments": [str(argument) for argument in arguments],
            "era": era,
            "most_backwards": most_backwards,
        }
        here, made = _in_a_process("here", {**job, "made": ()}, folder)
        modern, _ = _in_a_process("modern", {**job, "made": made}, folder)
    return here, modern


def _in_a_process(world, job, folder):
    source, result = pathlib.Path(folder, f"{world}.job"), pathlib.Path(folder, f"{world}.run")
    source.write_bytes(pickle.dumps(job))
    environment = {**os.environ, conventions.ENVIRONMENT_VARIABLE: job["era"], "PYTHONPATH": _search_path()}
    environment.setdefault("PYTHONHASHSEED", "0")  # the order of a set of words is the same in both runs
    command = [sys.executable, "-c", f"from {__name__} import work; work({world!r}, {str(source)!r}, {str(result)!r})"]
    process = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8")
    if process.returncode != 0 or not result.exists():
        where = "in legacy_autograd" if world == "here" else "in modern torch"
        raise RuntimeError(
            f"the script {job['path']} fails {where} (exit code {process.returncode}):\n{process.stderr.rstrip()}"
        )
    run, made = pickle.loads(result.read_bytes())  # `work` has just written it
    run.printed = process.stdout
    return run, made


def _search_path():
    """Return PYTHONPATH with this package and the user's folders, without the runner's replacement for torch."""
    package = str(pathlib.Path(__file__).resolve().parents[2])
    rest = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return os.pathsep.join([package, *[entry for entry in rest if entry and entry != runner._SHIM]])


def work(world, source, result):
    """Run the job in the file `source` and write the recorded run to `result`; the main function of each process."""
    job = pickle.loads(pathlib.Path(source).read_bytes())
    from ..tensor import random

    random.manual_seed(_SEED)
    numpy.random.seed(_SEED)
    python_random.seed(_SEED)
    code, run, made = (_run_here if world == "here" else _run_modern)(job)
    if code == 0:
        pathlib.Path(result).write_bytes(pickle.dumps((run, made)))
    sys.stdout.flush()
    os._exit(code)  # the script's remaining threads and workers must not keep this process alive


def _run_here(job):
    from .initial_state import modules_noted
    from .legacy_recorder import Here

    recorder = Here(job["most_backwards"])
    with modules_noted() as made, recorder.recording(), same_entropy():
        code = _exit_code(lambda: runner.run_script(job["path"], job["arguments"], job["era"]))
    collect(recorder, _variables(vars(sys.modules["__main__"])), numbers=False)
    return code, recorder.run, made


def _run_modern(job):
    from .legacy_api import Face
    from .torch_recorder import Modern

    era = conventions.column(job["era"])
    recorder = Modern(era, job["made"], job["most_backwards"])
    main = types.ModuleType("__main__")
    main.__dict__.update(__file__=job["path"], __builtins__=builtins)
    text = pathlib.Path(job["path"]).read_bytes()
    sys.argv = [job["path"], *job["arguments"]]
    sys.path.insert(0, os.path.dirname(job["path"]))
    sys.modules["__main__"] = main
    code = compile(text, job["path"], "exec", dont_inherit=True)
    with _face_for_the_program(Face(era, note=recorder.note)), recorder.recording(), same_entropy():
        status = _exit_code(lambda: exec(code, main.__dict__))
    collect(recorder, _variables(vars(main)), numbers=False)
    return status, recorder.run, None


def _exit_code(run):
    try:
        return run() or 0
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)


def _variables(namespace):
    return {name: value for name, value in namespace.items() if not name.startswith("_")}


def _face_for_the_program(face):
    """Return a context in which `import torch` gives the program `face`, while torch's own files still get torch."""
    original = builtins.__import__

    def load(name, globals=None, locals=None, fromlist=(), level=0):
        module = original(name, globals, locals, fromlist, level)
        if level or name.partition(".")[0] != "torch" or not _is_of_program(globals or {}):
            return module
        return functools.reduce(getattr, name.split(".")[1:], face) if fromlist else face

    return replaced({(builtins, "__import__"): load})


def _is_of_program(globals):
    file = globals.get("__file__") or ""
    installed = (sys.prefix, sys.base_prefix, str(pathlib.Path(__file__).resolve().parents[1]))
    return not any(file.startswith(folder + os.sep) for folder in installed)
