"""Build the live page: `python playground/build.py TARGET` writes a folder of static files (Node is needed).

The page runs the package itself: CPython and NumPy for WebAssembly come from npm (package.json, package-lock.json), and
this file packs them with the package into archives that the page loads.
"""

import argparse
import concurrent.futures.thread
import contextlib
import gzip
import hashlib
import importlib.metadata
import importlib.util
import inspect
import io
import json
import marshal
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from pathlib import Path

import numpy

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT), str(HERE)]

import licences  # noqa: E402

CACHE = ROOT / "build" / "playground"
KEPT = 4  # builds
NOT_TESTED = {
    "index.html": "This page runs Pyodide, with which NumPy was not tested: numbers may differ.",
    "zh.html": "本页使用 Pyodide，其中的 NumPy 未经测试，数值可能不同。",
}
RUNTIMES = {"cowasm": "python-wasm", "pyodide": "pyodide"}  # and their packages in npm
MODULES = HERE / "node_modules"
COWASM = MODULES / "python-wasm" / "dist"
KERNEL = MODULES / "@cowasm" / "kernel" / "dist" / "kernel" / "kernel.wasm"
LIBRARY = "usr/lib/python3.11"
PACKAGES = f"{LIBRARY}/site-packages"
OWN = "usr/lib/playground"  # playground/python
BYTE_CODE = (3, 11)  # the version of CoWasm's Python
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
PACKAGE_OF_NPM = re.compile(r"(?:.*/)?node_modules/((?:@[^/]+/)?[^/]+)/")
ENTRIES = ("page/page.js", "page/live.js", "exercises_session.js", "session.js")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("target", type=Path, help="the folder to write")
    parser.add_argument("--runtime", choices=RUNTIMES, default="cowasm", help="default: cowasm")
    parser.add_argument("--numpy", type=Path, metavar="WHEEL", help="NumPy for Pyodide, which npm does not have")
    options = parser.parse_args()
    if missing := what_is_missing():
        sys.exit(f"playground: {missing}")
    if options.runtime == "pyodide" and options.numpy is None:
        print("playground: without --numpy the page has a Python that cannot load the package", file=sys.stderr)
    if options.runtime == "cowasm" and sys.version_info[:2] != BYTE_CODE:
        print("playground: this Python is not 3.11, so the page gets sources without byte code, and starts later")
    build(options.target, options.runtime, options.numpy)


def what_is_missing():
    """Return a sentence on what is needed to build the live page and is not installed, or None."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            return f"the live page is built with Node.js, and there is no `{program}` here (https://nodejs.org)"
    if importlib.util.find_spec("sklearn") is None:
        return 'the live page has the digits of scikit-learn, which is not installed: pip install ".[play]"'
    return None


def build(target, runtime="cowasm", wheel=None, homes=()):
    """Build the live page into the folder `target`, which is made anew.

    homes: options of page/pages.py, for the page's links to a site around it.

    What was built from the same files is in build/playground, and is copied from there.
    """
    with one_at_a_time():
        built = CACHE / f"page-{digest(runtime, wheel, homes)}"
        if not built.exists():
            install()
            with tempfile.TemporaryDirectory(dir=CACHE) as folder:
                work = Path(folder, "play")
                work.mkdir()
                write(work, runtime, wheel, homes)
                for old in sorted(CACHE.glob("page-*"), key=lambda path: path.stat().st_mtime)[:-KEPT]:
                    shutil.rmtree(old)
                work.rename(built)
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(built, target)


def write(work, runtime, wheel, homes):
    """Write all files of the page into the folder `work`."""
    archives = write_archives(work, runtime)
    if runtime == "pyodide":
        copy_pyodide(work / "pyodide", wheel)
    workers, packages = bundle(work, ["worker.js"], *options_of_worker(runtime, wheel))
    files = {"runtime": runtime, "worker": workers["worker.js"], "archives": archives}
    names, more = bundle(work, ENTRIES, f"--define:BUILD={json.dumps(files)}")
    write_licences(work, packages | more | {RUNTIMES[runtime]})
    write_pages(work, names, homes)
    if runtime == "pyodide":
        for name, sentence in NOT_TESTED.items():
            page = (work / name).read_text(encoding="utf-8")
            (work / name).write_text(page.replace("</footer>", f"<p>{sentence}</p></footer>", 1), encoding="utf-8")
    write_offline(work)


def digest(*options):
    """Return a digest of all that the page is built from."""
    state = hashlib.sha256(repr((options, sys.version, importlib.metadata.version("graphviz"))).encode())
    for folder in (HERE, ROOT / "legacy_autograd"):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not {"node_modules", "__pycache__"}.intersection(path.parts):
                state.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return state.hexdigest()[:16]


@contextlib.contextmanager
def one_at_a_time():
    """Let one process build at a time: they share node_modules and build/playground."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / "lock", "w") as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def install():
    """Install the packages of package-lock.json into node_modules, unless that has been done."""
    lock = (HERE / "package-lock.json").read_bytes()
    stamp = MODULES / ".lock"
    if not stamp.exists() or stamp.read_bytes() != lock:
        subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=HERE, check=True)
        stamp.write_bytes(lock)


# --- archives


def write_archives(folder, runtime):
    """Write the archives, and return their file names by what they hold. Pyodide has its own Python and library."""
    package = dict(package_files())
    version = sys.version_info[:2] if runtime == "cowasm" else None
    contents = {
        "python": in_one_file("python", dict(python_files()), version) if runtime == "cowasm" else {},
        "package": in_one_file("package", package, version),
        "student": in_one_file("student", dict(students_files(package)), version),
        "sources": {
            path: content for path, content in package.items() if module_name(path) and not UNREAD.search(path)
        },
        "questions": {
            "usr/share/questions.json": questions(),
            "usr/share/withheld.json": json.dumps(withheld()).encode(),
        },
    }
    return {name: write_archive(folder, name, files) for name, files in contents.items()}


def write_archive(folder, name, contents):
    """Write a compressed tar file of {path: bytes}; its name has the digest of its contents."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path, content in contents.items():
            member = tarfile.TarInfo(path)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    packed = gzip.compress(file.getvalue(), 9, mtime=0)
    path = folder / f"{name}-{hashlib.sha256(packed).hexdigest()[:10]}.tar.gz"
    path.write_bytes(packed)
    return path.name


# Of Python's library: what needs a network, a terminal, a window, processes or threads, tools for developers, and
# what only these import.
UNNEEDED_LIBRARY = re.compile(
    r"(asyncio|curses|dbm|distutils|email|ensurepip|http|idlelib|lib2to3|msilib|multiprocessing|pydoc_data|sqlite3|test"
    r"|tkinter|turtledemo|unittest|venv|wsgiref|xml|xmlrpc|__phello__|\w+/tests?)/"
    r"|(antigravity|asynchat|asyncore|bdb|cProfile|cgi|cgitb|chunk|code|codeop|crypt|doctest|ftplib|getpass|imaplib|imghdr"
    r"|ipaddress|mailbox|mailcap|modulefinder|netrc|nntplib|optparse|pdb|pipes|poplib|profile|pstats|pty|pyclbr|pydoc"
    r"|sched|smtpd|smtplib|sndhdr|socketserver|ssl|sunau|tabnanny|telnetlib|this|trace|turtle|uu|webbrowser|xdrlib"
    r"|aifc|cmd|compileall|configparser|fileinput|mimetypes|plistlib|symtable|wave|zipapp|_osx_support|__hello__)\.pyc"
    r"|(importlib/_bootstrap(_external)?|logging/(handlers|config)|urllib/(request|error|robotparser|response))\.pyc"
    r"|_sysconfigdata|.*/__pycache__/"
    r"|encodings/(cp(?!437|1252)|mac_|iso8859_(?!1\.)|iso2022|big5|euc|gb|hz|johab|koi8|kz|ptcp|shift|tis|hp|palm|oem|mbcs)"
    r"|lib-dynload/(_ssl|_sqlite3|_codecs_|_curses|_ctypes|readline|_test|_xx|xx|pyexpat|_lzma|_bz2|unicodedata|termios)"
    r"|termcap"
)
UNNEEDED_NUMPY = re.compile(
    r"numpy/(distutils|f2py|array_api|doc|_pyinstaller|testing|random/lib|core/include|core/lib)/|/tests/"
    r"|__pycache__|numpy/(setup|conftest|dual)\.pyc|/setup\w*\.pyc|code_generators|numpy/ma/(bench|testutils|timer)"
    r"|core/_(operand_flag|rational|struct_ufunc|umath)_tests|\.(h|c|txt)$|doxyfile"
)
# Modules whose source no reader of a program looks for: the first visit loads the sources of the others.
UNREAD = re.compile(
    r"legacy_autograd/(exercises|commands|comparison|compat|distributed|demos|drawing|legacy|multiprocessing"
    r"|serialization)/"
)
DOCUMENTATION = ("numpy.core._add_newdocs", "numpy.core._add_newdocs_scalars")  # modules that only add texts


def python_files():
    """Yield CPython, its library and NumPy, without what no program in the page can use."""
    yield "usr/lib/kernel.wasm", KERNEL.read_bytes()
    yield "usr/lib/python.wasm", (COWASM / "python.wasm").read_bytes()
    yield "usr/lib/calls.wasm", assembled(HERE / "runtime" / "calls.wat")
    with zipfile.ZipFile(COWASM / "python-stdlib.zip") as library:
        for name in library.namelist():
            if not name.endswith("/") and not UNNEEDED_LIBRARY.match(name):
                yield f"{LIBRARY}/{name}", library.read(name)
    with tarfile.open(COWASM / "numpy.tar.xz") as archive:
        for member in archive.getmembers():
            name = member.name.removeprefix("./")
            if member.isfile() and not UNNEEDED_NUMPY.search(name):
                yield f"{LIBRARY}/{name}", archive.extractfile(member).read()
    if sys.version_info[:2] == BYTE_CODE:  # CoWasm left it out; a program may name it, and cannot start a thread
        yield f"{LIBRARY}/concurrent/futures/thread.py", Path(concurrent.futures.thread.__file__).read_bytes()


def assembled(source):
    """Return a module of WebAssembly from its text."""
    with tempfile.TemporaryDirectory() as folder:
        module = Path(folder, "module.wasm")
        subprocess.run([MODULES / ".bin" / "wat2wasm", source, "-o", module], check=True)
        return module.read_bytes()


def package_files():
    """Yield the package, graphviz (Python) and the page's own Python."""
    graphviz = Path(importlib.util.find_spec("graphviz").origin).parent
    for root, place in [
        (graphviz, f"{PACKAGES}/graphviz"), (ROOT / "legacy_autograd", f"{PACKAGES}/legacy_autograd"),
        (HERE / "python", OWN),
    ]:  # fmt: skip
        for path in sorted(root.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyi":
                yield f"{place}/{path.relative_to(root).as_posix()}", path.read_bytes()
    yield "usr/share/digits.npy", digits()


def students_files(files):
    """Yield the files for the worker that runs a student's code, without what any exercise asks for.

    The judge gives it what other exercises ask for (judge.py), when it knows the exercise.
    """
    from legacy_autograd.exercises.sandbox import package

    every = [entry for entries in withheld().values() for entry in entries]
    start = f"{PACKAGES}/legacy_autograd/"
    for path, content in files.items():
        own = path.removeprefix(start)
        if own == path:
            yield path, content
        elif (place := package.place_of(own)) is not None:
            names = package.removed(every, own)
            yield start + place, package.without(content, names) if names else content


def withheld():
    """Return {number of an exercise: what its student's package does not have}."""
    from legacy_autograd import exercises

    return {number: exercises.load(number).withheld for number in exercises.numbers()}


def questions():
    """Return the questions to a correct answer of each exercise, as JSON."""
    state = hashlib.sha256((HERE / "questions.py").read_bytes())
    for path in sorted((ROOT / "legacy_autograd").rglob("*.py")):
        state.update(path.read_bytes())
    known = CACHE / f"questions-{state.hexdigest()[:16]}.json"
    if not known.exists():
        command = [sys.executable, HERE / "questions.py"]
        found = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=ENVIRONMENT).stdout
        for old in CACHE.glob("questions-*"):
            old.unlink()
        known.write_bytes(found)
    return known.read_bytes()


def digits():
    """Return scikit-learn's digits with their labels, as the bytes of a .npy file."""
    import sklearn.datasets

    images, labels = sklearn.datasets.load_digits(return_X_y=True)
    file = io.BytesIO()
    numpy.save(file, numpy.column_stack([images, labels]).astype("uint8"))
    return file.getvalue()


def module_name(path):
    """Return the name of the module that a file is, or None for a file that must stay one.

    Python itself starts with `encodings`, and with it finds `bundle`, which finds the others in one file.
    """
    match = re.fullmatch(rf"(?:{PACKAGES}|{LIBRARY}|{OWN})/((?:\w+/)*\w+)\.pyc?", path)
    if match is None or match[1].startswith("encodings/") or "/templates/" in path or match[1] == "bundle":
        return None
    return match[1].removesuffix("/__init__").replace("/", ".")


def in_one_file(name, files, version):
    """Return the files, with the code of all modules among them in one, as python/bundle.py reads it.

    They have byte code if `version`, that of this Python, is the page's.
    """
    others, index, codes, start = {}, {}, [], 0
    for path, content in files.items():
        module = module_name(path)
        if module is None:
            others[path] = content
            continue
        code = code_of(path, content, version) if path.endswith(".py") else stripped(content[16:], path, version)
        source = "/" + path.removesuffix("c")
        index[module] = (start, len(code), source, source.endswith("/__init__.py"))
        codes.append(code)
        start += len(code)
    return {
        **others,
        f"usr/lib/modules/{name}.index": marshal.dumps(index, 2),
        f"usr/lib/modules/{name}.code": b"".join(codes),
    }


def code_of(path, source, version):
    """Return a module's byte code, or where this Python has another byte code its source, which the page compiles."""
    if version != BYTE_CODE:
        return b"\0source\0" + source
    return marshal.dumps(compile(source, f"/{path}", "exec", dont_inherit=True))


def stripped(code, path, version):
    """Return byte code of Python's library and NumPy without docstrings, and with the path that it has in the page."""
    if version != BYTE_CODE:
        return code
    if module_name(path) in DOCUMENTATION:
        return marshal.dumps(compile("", f"/{path}", "exec"))
    return marshal.dumps(without_docstrings(marshal.loads(code), "/" + path.removesuffix("c")))


def without_docstrings(code, path):
    constants = [without_docstrings(value, path) if hasattr(value, "co_code") else value for value in code.co_consts]
    is_function = code.co_flags & inspect.CO_NEWLOCALS
    if is_function and constants and isinstance(constants[0], str) and not code.co_name.startswith("<"):
        constants[0] = ""  # NumPy copies docstrings, and None is none
    return code.replace(co_filename=path, co_consts=tuple(constants))


# --- scripts and pages


def copy_pyodide(folder, wheel):
    """Copy Pyodide's files, and NumPy's wheel if there is one."""
    folder.mkdir()
    for name in ("pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip"):
        shutil.copy(MODULES / "pyodide" / name, folder)
    if wheel is not None:
        shutil.copy(wheel, folder)


def options_of_worker(runtime, wheel=None):
    """Return the bundler's options for the worker: its runtime, and what that expects of Node.js."""
    if runtime == "pyodide":
        given = json.dumps({"wheel": wheel and Path(wheel).name})
        return ["--alias:runtime=./runtime/pyodide.js", f"--define:PYODIDE={given}", "--external:node:*"]
    replaced = {
        "runtime": f"./runtime/{runtime}.js",
        "@wapython/unionfs": "./runtime/no_union.js",
        "stream": "readable-stream",
        "path": "path-browserify",
    }
    return [
        *[f"--alias:{name}={replacement}" for name, replacement in replaced.items()],
        "--inject:runtime/node_globals.js", "--define:global=globalThis", '--define:__dirname="/"',
    ]  # fmt: skip


def bundle(folder, entries, *options):
    """Bundle scripts. Return the name of each in `folder`, and the names of the packages of npm that are in them."""
    with tempfile.TemporaryDirectory() as work:
        meta = Path(work, "meta.json")
        subprocess.run(
            [
                MODULES / ".bin" / "esbuild", *entries, f"--outdir={folder}", f"--metafile={meta}", "--bundle",
                "--splitting", "--format=esm", "--minify", "--log-level=warning", "--legal-comments=none",
                "--entry-names=[name]-[hash]", "--chunk-names=[name]-[hash]", *options,
            ],
            cwd=HERE, check=True,
        )  # fmt: skip
        found = json.loads(meta.read_text(encoding="utf-8"))
    outputs = {path: output for path, output in found["outputs"].items() if "entryPoint" in output}
    names = {Path(output["entryPoint"]).name: Path(path).name for path, output in outputs.items()}
    return names, {match[1] for path in found["inputs"] if (match := PACKAGE_OF_NPM.match(path))}


def write_pages(folder, names, homes):
    """Write the HTML pages, which page/pages.py makes."""
    command = [sys.executable, HERE / "page" / "pages.py", folder, json.dumps(names), *homes]
    subprocess.run(command, check=True, env=ENVIRONMENT)


def write_licences(folder, packages):
    """Write licences.html. The texts of CPython and NumPy are those of this Python's own."""
    python = Path(sysconfig.get_path("stdlib"), "LICENSE.txt")
    texts = {"legacy_autograd": (ROOT / "LICENSE").read_text(encoding="utf-8")}
    if python.exists():
        texts["CPython"] = python.read_text(encoding="utf-8")
    for part, name in [("NumPy", "numpy"), ("graphviz (Python)", "graphviz")]:
        for file in importlib.metadata.files(name):
            if file.name == "LICENSE.txt":
                texts[part] = file.read_text(encoding="utf-8").partition("\n----\n")[0]
    licences.write(folder / "licences.html", packages, texts)


def write_offline(folder):
    """Write the service worker, which keeps all files of the folder."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    state = hashlib.sha256()
    for path in paths:
        state.update(path.name.encode() + path.read_bytes())
    names = ["./", *[path.relative_to(folder).as_posix() for path in paths]]
    subprocess.run(
        [
            MODULES / ".bin" / "esbuild", "offline.js", f"--outfile={folder / 'offline.js'}", "--minify",
            "--log-level=warning", f"--define:FILES={json.dumps(names)}",
            f"--define:VERSION={json.dumps(state.hexdigest()[:10])}", "--bundle",
        ],
        cwd=HERE, check=True,
    )  # fmt: skip


if __name__ == "__main__":
    main()
