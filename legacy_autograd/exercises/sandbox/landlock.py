"""Landlock: the Linux kernel itself keeps the files of this process, and of all that it starts, to a list.

Chosen before namespaces and seccomp: any process may use it, without a right or a helper program (bubblewrap), where a
system forbids user namespaces as well; it knows files, which seccomp does not; it holds for ctypes, for C extensions
and for programs that are started; it costs a millisecond. Linux has it since 5.13. A system may leave it out of the
list of its security modules; there, and on other systems, audit.py is what there is.

`python -m legacy_autograd exercises protection` says which of them this machine has.
"""

import contextlib
import os
import shutil
import site
import sys

try:
    import ctypes
except ImportError:  # a Python without C functions
    ctypes = None  # type: ignore[assignment]

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # system calls, of the same numbers on all processors that Python runs on
_NO_NEW_PRIVILEGES = 38  # of prctl
_READ_DIR = 1 << 3
_READ = 1 << 0 | 1 << 2 | _READ_DIR  # execute and read files, list folders
_OF_FILES = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14  # the rights that a file can have: execute, write, read, truncate
_ALL = {1: (1 << 13) - 1, 2: (1 << 14) - 1}  # of files, by version; from 3 on
_ALL_SINCE_3 = (1 << 15) - 1
_CONNECTIONS = 0b11  # TCP, since 4
_ABSTRACT_SOCKETS = 0b1  # since 6

# What Python, NumPy, matplotlib and Graphviz read.
_SYSTEM = (
    "/usr", "/lib", "/lib64", "/bin", "/sbin", "/etc", "/opt", "/nix/store", "/sys/devices/system/cpu",
    "/var/cache/fontconfig", "/proc/self", "~/.fonts", "~/.local/share/fonts", "~/.cache/fontconfig",
    "~/.cache/matplotlib", "~/.config/matplotlib",
)  # fmt: skip
_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random", "/dev/shm")  # to read and write


def version():
    """Return the version of Landlock on this machine, or 0 if it has none."""
    if sys.platform != "linux" or ctypes is None:
        return 0
    return max(0, _syscall(_CREATE, None, 0, 1))


def restrict(closed, package):
    """Keep this process and all that it starts to what programs need, and to its current folder. Return `version()`.

    Args:
        closed: Folders of which nothing can be read, whatever else is allowed, except what `opened` names in them.
        package: The folder of the package that this process has loaded.
    """
    found = version()
    if not found:
        return found
    rights = _ALL.get(found, _ALL_SINCE_3)
    words = [rights, *([_CONNECTIONS] if found > 3 else []), *([_ABSTRACT_SOCKETS] if found > 5 else [])]
    ruleset = _syscall(_CREATE, (ctypes.c_uint64 * len(words))(*words), 8 * len(words), 0)
    folders = {os.path.realpath(folder) for folder in closed}
    for path in [*_SYSTEM, *opened(package), *_search_path(folders, package)]:
        _allow_parts(ruleset, os.path.realpath(os.path.expanduser(path)), folders)
    for path in (*_DEVICES, os.getcwd()):
        _allow(ruleset, path, rights)
    ctypes.CDLL(None).prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if _syscall(_RESTRICT, ruleset, 0):
        raise OSError("Landlock refuses its rules")
    os.close(ruleset)
    return found


def opened(package):
    """Return the folders that a process with that package needs, also where one lies in a closed folder."""
    program = shutil.which("dot")
    places = [sys.prefix, sys.base_prefix, os.path.dirname(os.__file__), package]
    places += [os.path.dirname(os.path.dirname(os.path.realpath(program)))] if program else []
    return [os.path.realpath(path) for path in places]


def is_closed(path, closed, opened):
    """Return whether a real path is in one of the folders `closed`, and in none of `opened` that is in it."""
    around = [folder for folder in [*closed, *opened] if _is_in(path, folder)]
    return max(around, key=len, default=None) in closed


def _search_path(closed, package):
    """Return the entries of Python's search path that are not closed."""
    paths = [os.path.realpath(path) for path in [*sys.path, site.getusersitepackages()] if os.path.isabs(path)]
    return [path for path in paths if not is_closed(path, closed, opened(package))]


def _allow_parts(ruleset, path, closed):
    """Allow to read `path`, except the folders `closed` in it."""
    if not any([_is_in(folder, path) for folder in closed]):
        _allow(ruleset, path, _READ)
        return
    _allow(ruleset, path, _READ_DIR)
    with contextlib.suppress(OSError):
        for part in [os.path.realpath(os.path.join(path, name)) for name in os.listdir(path)]:
            if not any([_is_in(part, folder) for folder in closed]):
                _allow_parts(ruleset, part, closed)


def _is_in(path, folder):
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _allow(ruleset, path, rights):
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # it is not there
    try:
        if not os.path.isdir(path):
            rights &= _OF_FILES
        rule = (ctypes.c_uint32 * 3)(rights & 0xFFFFFFFF, rights >> 32, opened)  # a u64 and an s32, packed
        _syscall(_ADD, ruleset, 1, rule, 0)
    finally:
        os.close(opened)


def _syscall(*arguments):
    return ctypes.CDLL(None, use_errno=True).syscall(*arguments)
