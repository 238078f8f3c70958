"""Finds modules in one file, which build.py writes, because a page opens hundreds of small files slowly.

/usr/lib/modules.index has the place of each module, and /usr/lib/modules holds their code. This file is read before
any other: it imports only what is built into Python.
"""

import marshal
import os
import sys
from _frozen_importlib_external import SourcelessFileLoader, spec_from_file_location

with open("/usr/lib/modules.index", "rb") as _file:
    _INDEX = marshal.load(_file)  # {name: (start, length, path of the source, whether it is a package)}
_MODULES = os.open("/usr/lib/modules", os.O_RDONLY)
# `import numpy` imports these, and few programs use them: each is executed when an attribute of it is asked for.
_LAZY = {"numpy.ctypeslib", "numpy.fft", "numpy.ma", "numpy.polynomial"}


class _Loader(SourcelessFileLoader):
    def get_code(self, fullname):
        start, length, path, _ = _INDEX[fullname]
        content = os.pread(_MODULES, length, start)
        if content.startswith(b"\0source\0"):  # the Python that built this has other byte code
            return compile(content[8:], path, "exec", dont_inherit=True)
        return marshal.loads(content)


class _Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name not in _INDEX:
            return None
        _, _, file, is_package = _INDEX[name]
        folder = [file.rpartition("/")[0]] if is_package else None
        loader = _Loader(name, file)
        if name in _LAZY:
            from importlib.util import LazyLoader

            loader = LazyLoader(loader)
        return spec_from_file_location(name, file, loader=loader, submodule_search_locations=folder)


sys.meta_path.insert(0, _Finder)
