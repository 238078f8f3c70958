"""Says in one sentence what a program cannot have in the page: other packages, processes, threads, the network."""

import _socket
import builtins
import os
import sys

_INSTALLED = "; `python -m pip install legacy_autograd` on your own machine has no such limits"
_PACKAGES = {
    "torch": "modern torch is not in the page: write `import legacy_autograd as torch`, or compare on your own machine",
    "torchvision": "torchvision is not in the page: `from legacy_autograd.demos import datasets` has the digits",
    "mpi4py": "there are no processes in the page, so there is no MPI",
    "multiprocessing": "there are no processes in the page",
    "sklearn": "of scikit-learn the page has `sklearn.datasets.load_digits` alone",
}
_OTHER = "the page has Python's library, NumPy and legacy_autograd; {} is not among them"
_ERRORS = [  # a part of a message, and the sentence that is added
    ("can't start new thread", "there are no threads in the page"),
    ("pip install", "nothing can be installed in the page"),
]
_PROCESSES = ("fork", "forkpty", "system", "execv", "execve", "posix_spawn", "posix_spawnp", "pipe")  # of os


class _Missing:
    """The last finder of modules: it is asked for what no other one has found."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        top = name.partition(".")[0]
        if top in _PACKAGES or ("." not in name and not name.startswith("_")):
            raise ModuleNotFoundError(_PACKAGES.get(top, _OTHER.format(name)), name=name)


def explain(error):
    """Add a sentence to an exception whose reason is the page, not the program."""
    message = str(error)
    for part, sentence in _ERRORS:
        if part in message:
            error.add_note(f"{sentence}{_INSTALLED}")


def _no_process(*arguments, **options):
    raise RuntimeError("there are no processes in the page")


def _no_network(*arguments, **options):
    raise OSError("a program in the page cannot use the network")


def _input(prompt=""):
    raise EOFError("a program in the page cannot ask for input: write the value into the program")


class _Socket(_socket.socket):
    __slots__ = ()  # as socket.py expects
    __init__ = _no_network


def install():
    """Replace what the page has not. An audit hook would be called for each `id`, which the package calls often."""
    sys.meta_path.append(_Missing)
    for name in _PROCESSES:
        setattr(os, name, _no_process)
    _socket.socket = _Socket
    _socket.getaddrinfo = _socket.gethostbyname = _no_network
    builtins.input = _input
