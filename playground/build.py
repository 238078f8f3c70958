"""Build the live page: `python playground/build.py TARGET` writes a folder of static files (Node is needed).

The page runs the package itself: CPython and NumPy for WebAssembly come from npm (package.json, package-lock.json), and
this file packs them with the package into archives that the page loads.
"""

import argparse
import gzip
import hashlib
import importlib.util
import io
import json
import multiprocessing
import py_compile
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

import numpy
import sklearn.datasets

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
MODULES = HERE / "node_modules"
COWASM = MODULES / "python-wasm" / "dist"
KERNEL = MODULES / "@cowasm" / "kernel" / "dist" / "kernel" / "kernel.wasm"
LIBRARY = "usr/lib/python3.11"
PACKAGES = f"{LIBRARY}/site-packages"
OWN = "usr/lib/playground"  # playground/python
BYTE_CODE = (3, 11)  # the version of CoWasm's Python
ENTRIES = ("page/page.js", "page/live.js", "exercises_session.js", "session.js")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("target", type=Path, help="the folder to write")
    parser.add_argument("--runtime", choices=["cowasm", "pyodide"], default="cowasm", help="default: cowasm")
    options = parser.parse_args()
    build(options.target, options.runtime)


def build(target, runtime="cowasm"):
    """Build the live page into the folder `target`, which is made anew."""
    install()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder, "play")
        work.mkdir()
        archives = write_archives(work)
        worker = bundle(work, ["worker.js"], *options_of_worker(runtime))["worker.js"]
        parts = {"main": ["python", "package"], "judge": ["python", "package"], "student": ["python", "package"]}
        files = {
            "worker": worker,
            "archives": {kind: [archives[name] for name in names] for kind, names in parts.items()},
        }
        entries = [entry for entry in ENTRIES if (HERE / entry).exists()]
        names = bundle(work, entries, f"--define:BUILD={json.dumps(files)}")
        write_pages(work, names)
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(work, target)


def install():
    """Install the packages of package-lock.json into node_modules, unless that has been done."""
    lock = (HERE / "package-lock.json").read_bytes()
    stamp = MODULES / ".lock"
    if not stamp.exists() or stamp.read_bytes() != lock:
        subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=HERE, check=True)
        stamp.write_bytes(lock)


# --- archives


def write_archives(folder):
    """Write the archives, and return their file names by what they hold."""
    return {
        name: write_archive(folder, name, dict(contents))
        for name, contents in {"python": python_files(), "package": package_files()}.items()
    }


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


UNNEEDED_LIBRARY = re.compile(
    r"(unittest/test|ctypes/test|idlelib|lib2to3|sqlite3|curses|xmlrpc|wsgiref|dbm|distutils|ensurepip|venv|tkinter)/"
    r"|lib-dynload/(_ssl|_sqlite3|_codecs_|_curses|readline|_test|_xx|xx|pyexpat|_lzma|_bz2)"
    r"|termcap"
)
UNNEEDED_NUMPY = re.compile(
    r"numpy/(distutils|f2py|array_api|doc|_pyinstaller|random/lib|core/include|core/lib)/|/tests/"
    r"|core/_(operand_flag|rational|struct_ufunc|umath)_tests|\.(h|c|txt)$|doxyfile"
)


def python_files():
    """Yield CPython, its library and NumPy, without what no program in the page can use."""
    yield "usr/lib/kernel.wasm", KERNEL.read_bytes()
    yield "usr/lib/python.wasm", (COWASM / "python.wasm").read_bytes()
    with zipfile.ZipFile(COWASM / "python-stdlib.zip") as library:
        for name in library.namelist():
            if not name.endswith("/") and not UNNEEDED_LIBRARY.match(name):
                yield f"{LIBRARY}/{name}", library.read(name)
    with tarfile.open(COWASM / "numpy.tar.xz") as archive:
        for member in archive.getmembers():
            name = member.name.removeprefix("./")
            if member.isfile() and not UNNEEDED_NUMPY.search(name):
                yield from module(f"{LIBRARY}/{name}", archive.extractfile(member).read(), keep_source=False)


def package_files():
    """Yield the package, graphviz (Python) and the page's own Python."""
    graphviz = Path(importlib.util.find_spec("graphviz").origin).parent
    for root, place, keep_source in [
        (graphviz, f"{PACKAGES}/graphviz", False),
        (ROOT / "legacy_autograd", f"{PACKAGES}/legacy_autograd", True),
        (HERE / "python", OWN, True),
    ]:
        for path in sorted(root.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield from module(f"{place}/{path.relative_to(root)}", path.read_bytes(), keep_source)
    for path in sorted(Path(multiprocessing.__file__).parent.glob("*.py")):  # CoWasm left it out; torch's names need it
        yield from module(f"{LIBRARY}/multiprocessing/{path.name}", path.read_bytes(), False)
    yield "usr/share/digits.npy", digits()


def digits():
    """Return scikit-learn's digits with their labels, as the bytes of a .npy file."""
    images, labels = sklearn.datasets.load_digits(return_X_y=True)
    file = io.BytesIO()
    numpy.save(file, numpy.column_stack([images, labels]).astype("uint8"))
    return file.getvalue()


def module(path, content, keep_source):
    """Yield a file; of a Python file its byte code, and its source if messages and pages show it."""
    if not path.endswith(".py"):
        yield path, content
        return
    if keep_source or sys.version_info[:2] != BYTE_CODE:
        yield path, content
    if sys.version_info[:2] == BYTE_CODE:
        folder, _, name = path.rpartition("/")
        yield f"{folder}/__pycache__/{name[:-3]}.cpython-311.pyc" if keep_source else f"{path}c", byte_code(path, content)


def byte_code(path, source):
    """Return the byte code of a source that nothing will change, so that Python need not compare it with the source."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "module.py")
        file.write_bytes(source)
        mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
        compiled = py_compile.compile(file, f"{file}c", dfile=f"/{path}", doraise=True, invalidation_mode=mode)
        return Path(compiled).read_bytes()


# --- scripts and pages


def options_of_worker(runtime):
    """Return the bundler's options for the worker: its runtime, and what CoWasm expects of Node.js."""
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
    """Bundle scripts and style sheets, and return the name of each in `folder`."""
    with tempfile.TemporaryDirectory() as work:
        meta = Path(work, "meta.json")
        subprocess.run(
            [
                MODULES / ".bin" / "esbuild", *entries, f"--outdir={folder}", f"--metafile={meta}", "--bundle",
                "--splitting", "--format=esm", "--minify", "--log-level=warning",
                "--entry-names=[name]-[hash]", "--chunk-names=[name]-[hash]", "--asset-names=[name]-[hash]", *options,
            ],
            cwd=HERE, check=True,
        )  # fmt: skip
        outputs = json.loads(meta.read_text(encoding="utf-8"))["outputs"]
    return {
        Path(output["entryPoint"]).name: Path(path).name for path, output in outputs.items() if "entryPoint" in output
    }


def write_pages(folder, names):
    """Write the HTML pages."""
    if (HERE / "page" / "pages.py").exists():
        subprocess.run([sys.executable, HERE / "page" / "pages.py", folder, json.dumps(names)], check=True)


if __name__ == "__main__":
    main()
