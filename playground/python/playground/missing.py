"""Says in one sentence what a program cannot have in the page: other packages, processes, threads, the network."""

import builtins
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
_PROCESSES = {"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty"}


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


def _refuse(event, arguments):
    if event in _PROCESSES:
        raise RuntimeError("there are no processes in the page")
    if event in ("socket.connect", "socket.getaddrinfo"):
        raise OSError("a program in the page cannot use the network")


def _input(prompt=""):
    raise EOFError("a program in the page cannot ask for input: write the value into the program")


def install():
    sys.meta_path.append(_Missing)
    sys.addaudithook(_refuse)
    builtins.input = _input
