"""Finds modules in a few large files, which build.py writes, because a page opens hundreds of small files slowly.

Of each archive, /usr/lib/modules/NAME.index has the places of the modules, and NAME.code their code. This file is read
before any other: it imports only what is built into Python.
"""

import marshal
import os
import sys
from _frozen_importlib_external import SourcelessFileLoader, spec_from_file_location

_FOLDER = "/usr/lib/modules"
# `import numpy` imports these, and few programs use them: each is executed when an attribute of it is asked for.
_LAZY = {"numpy.ctypeslib", "numpy.fft", "numpy.ma", "numpy.polynomial"}
_index = {}  # {name: (file, start, length, path of the source, whether it is a package)}
_added = {}  # {name: source}; see `add`


class _Loader(SourcelessFileLoader):
    def get_code(self, fullname):
        file, start, length, path, _ = _index[fullname]
        if fullname in _added:
            return compile(_added[fullname], path, "exec", dont_inherit=True)
        opened = os.open(file, os.O_RDONLY)  # no file stays open, so that the worker can save the state of Python
        content = os.pread(opened, length, start)
        os.close(opened)
        if content.startswith(b"\0source\0"):  # the Python that built this has other byte code
            return compile(content[8:], path, "exec", dont_inherit=True)
        return marshal.loads(content)


class _Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name not in _index:
            return None
        *_, file, is_package = _index[name]
        folder = [file.rpartition("/")[0]] if is_package else None
        loader = _Loader(name, file)
        if name in _LAZY:
            from importlib.util import LazyLoader

            loader = LazyLoader(loader)
        return spec_from_file_location(name, file, loader=loader, submodule_search_locations=folder)


def _install():
    for name in os.listdir(_FOLDER):
        if name.endswith(".index"):
            file = f"{_FOLDER}/{name.removesuffix('.index')}.code"
            with open(f"{_FOLDER}/{name}", "rb") as index:
                _index.update((module, (file, *place)) for module, place in marshal.load(index).items())
    sys.meta_path.insert(0, _Finder)


def add(modules):
    """Add modules to packages, or replace them. `modules` has their sources by path: legacy_autograd/nn/loss.py."""
    for path, source in modules.items():
        name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        start, _, rest = path.partition("/")
        file = f"{_index[start][3].removesuffix('/__init__.py')}/{rest}"
        _index[name] = (None, 0, 0, file, path.endswith("/__init__.py"))
        _added[name] = source


def erase(start):
    """Erase the code of the modules whose names begin so and that are loaded: nothing can read it any more."""
    for name in [name for name in _index if name.startswith(start) and name in sys.modules]:
        file, place, length, *_ = _index.pop(name)
        if _added.pop(name, None) is not None:
            continue
        opened = os.open(file, os.O_RDWR)
        os.pwrite(opened, bytes(length), place)
        os.close(opened)


_install()
