"""An audit hook in the student's process (PEP 578): it refuses the simple ways to copy a solution or to end the judge.

The hook sees what Python code does to the system: which file it opens, which module it loads, which program it starts.
It is no security boundary. Code that leaves Python, as ctypes and C extensions do, is not seen; landlock.py stops it
where the system can.
"""

import contextlib
import os
import sys
from textwrap import shorten

from ..answer import Withheld
from . import landlock, package

_NAME = package.ROOT.name
_MODULES = (f"{_NAME}.exercises.checks", f"{_NAME}.historical")  # the references, and the package's classes once more
_ENDINGS = (".py", ".ipynb", ".html")
_LAYOUT = ("dot", "dot.exe")  # Graphviz draws pictures of graphs


class Refused(Withheld, PermissionError):
    """A refused action. Libraries that can work without it catch the PermissionError."""


def install(closed, texts):
    """Refuse actions that copy a solution, in this process and its forks. Returns the list of refused actions.

    Args:
        closed: The folders whose files have solutions.
        texts: The names of files with solutions wherever they are, without their endings.
    """
    opened_in_them = landlock.opened(str(package.ROOT.parent))
    is_closed, realpath, splitext = landlock.is_closed, os.path.realpath, os.path.splitext
    basename, decode = os.path.basename, os.fsdecode
    refused = []

    def refuse(what):
        refused.append(Refused(f"{what} is refused while an answer is checked: the answer must be your own code"))
        raise refused[-1]

    def opened(path, *_):
        if not isinstance(path, (str, bytes)):
            return  # a number: the file is open already
        found = realpath(decode(path))
        stem, ending = splitext(basename(found))
        if is_closed(found, closed, opened_in_them) or (stem in texts and ending in _ENDINGS):
            refuse(f"opening the file {basename(found)}, which has a solution,")

    def imported(module, *_):
        if any(module == name or module.startswith(f"{name}.") for name in _MODULES):
            refuse(f"importing {module}, which has a solution,")

    def started(program, *_):
        if basename(decode(program)) not in _LAYOUT:
            refuse(f"starting the program {basename(decode(program))}")

    def commanded(command):
        words = decode(command).split()
        if not words or basename(words[0]) not in _LAYOUT or set(";&|$`").intersection(decode(command)):
            refuse(f"os.system({shorten(decode(command), 60)!r})")

    def searched(*_):
        refuse("searching all objects with gc.get_objects")

    def connected(_, address):
        if isinstance(address, tuple):
            refuse(f"a connection to {address[0]}")

    def killed(process, *_):
        if process <= 0:
            refuse("a signal to a group of processes, or to all of them,")

    rules = {
        "open": opened,
        "os.link": opened,
        "os.rename": opened,
        "import": imported,
        "subprocess.Popen": started,
        "os.system": commanded,
        "os.exec": started,
        "os.posix_spawn": started,
        "os.spawn": lambda mode, program, *_: started(program),
        "os.startfile": started,
        "os.kill": killed,
        "os.killpg": lambda *_: killed(0),
        "gc.get_objects": searched,
        "socket.connect": connected,
    }

    def hook(event, arguments):
        rule = rules.get(event)
        if rule is not None:
            rule(*arguments)

    sys.addaudithook(hook)
    with contextlib.suppress(ImportError):  # Windows has none
        import _posixsubprocess

        # multiprocessing starts fresh interpreters with it, which is no event.
        _posixsubprocess.fork_exec = lambda *_: refuse("starting a fresh interpreter")
    return refused
