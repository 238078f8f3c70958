"""Run a program of 2016 or 2017 unchanged, with this package under the name `torch`.

`python -m legacy_autograd run` uses this. A modern torch may be installed too and is not affected. No 2016 counterpart.
"""

import builtins
import importlib.abc
import importlib.machinery
import os
import pathlib
import sys
import types

from .. import conventions, cuda
from ..autograd.functions._utils import follow_conventions
from ..optim import forms_of_2016
from ..serialization import pickles
from . import async_names, era_hints, import_aliases, library_names, loss_closures, served_digits, spawned_main

_SHIM = str(pathlib.Path(__file__).resolve().parent / "torch_shim")

# Packages that build on torch. Those installed in site-packages need modern torch, so they are not searched there.
_COMPANIONS = ("torchvision", "torchtext", "torchaudio")


class _Companions(importlib.abc.MetaPathFinder):
    """Finds torchvision and similar packages beside the program or on PYTHONPATH, else the torchvision of compat."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname not in _COMPANIONS:
            return None
        searched = [
            entry
            for entry in sys.path
            if entry != _SHIM and os.path.basename(os.path.normpath(entry)) not in ("site-packages", "dist-packages")
        ]
        spec = importlib.machinery.PathFinder.find_spec(fullname, searched)
        if spec is not None and spec.origin is not None:  # without an origin: a folder of data with this name
            return spec
        if fullname == "torchvision":
            library_names.restore_pillow()
            import_aliases.add("torchvision", "legacy_autograd.compat.torchvision")
            return import_aliases.FINDER.find_spec(fullname)
        raise ModuleNotFoundError(
            f"{fullname} is not part of legacy_autograd, and an installed one needs modern torch. Put the {fullname} "
            "of 2017 beside the program or on PYTHONPATH, or read the data yourself, for example with numpy and "
            "torch.from_numpy",
            name=fullname,
        )


_FINDER = _Companions()


def install():
    """Import legacy_autograd as `torch` in this process and its child processes. A second call changes nothing."""
    if _FINDER in sys.meta_path:
        return
    forms_of_2016.tell_closures_apart(loss_closures.listen)
    for name in [name for name in sys.modules if name.partition(".")[0] in ("torch", *_COMPANIONS)]:
        del sys.modules[name]  # a modern one that was imported before
    import_aliases.add("torch", "legacy_autograd")
    if served_digits.served():  # in the user's own torchvision too
        import_aliases.add("torchvision.datasets.mnist", "legacy_autograd.compat.torchvision.datasets.mnist")
    sys.meta_path.insert(0, _FINDER)
    async_names.install()
    library_names.restore_numpy()
    if _SHIM not in sys.path:
        sys.path.insert(1, _SHIM)  # multiprocessing passes sys.path to the processes that it spawns
    search_path = [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
    if _SHIM not in search_path:
        os.environ["PYTHONPATH"] = os.pathsep.join([_SHIM, *search_path])


def run_script(
    path,
    arguments=(),
    era="0.1.12",
    trust_pickles=False,
    ignore_cuda=False,
    torch_format=False,
    digits=False,
    any_files=False,
):
    """Run the file `path` as `python path *arguments` would, and return the exit code.

    SystemExit passes through. Any other uncaught exception is shown as Python shows it, without the frames of this
    module, and gives 1. A file that is not valid Python 3 gives a message and 1; a file that cannot be read, a message
    and 2.

    Args:
        path: The program's file.
        arguments: Its command-line arguments.
        era: The version whose conventions apply.
        trust_pickles: Whether `torch.load` opens pickles of other runs, which can contain any code. Pickles that this
            run wrote are always opened.
        ignore_cuda: Whether `.cuda()` and similar calls keep everything in main memory.
        torch_format: Whether files are written in torch's format. The default is v0.1.x's behaviour.
        digits: Whether the program gets scikit-learn's digits for MNIST.
        any_files: Whether torchvision's data sets read files with other MD5 sums than the published ones.
    """
    try:
        source = pathlib.Path(path).read_bytes()
    except OSError as error:
        _say(f"cannot read the script {path}: {error.strerror}")
        return 2
    conventions.choose(era)
    follow_conventions()
    if digits:
        served_digits.serve()
    if any_files:
        os.environ[served_digits.ANY_FILES] = "1"
    install()
    pickles.begin_run(torch_format)
    if trust_pickles:
        pickles.trust_pickles()
    if ignore_cuda:
        cuda.ignore()
    try:
        code = async_names.compile_program(source, os.path.abspath(path))
    except (SyntaxError, ValueError) as error:  # ValueError: null bytes
        _say(_not_python_3(error, path))
        return 1

    sys.argv = [path, *arguments]
    if not sys.flags.safe_path:
        sys.path[0] = os.path.dirname(os.path.realpath(path))
    # A separate module, so that classes of the program can be pickled and its worker processes find its file.
    main = types.ModuleType("__main__")
    main.__dict__.update(__file__=code.co_filename, __builtins__=builtins, __cached__=None)
    if async_names.rewrites(source):
        os.environ[spawned_main.PROGRAM] = code.co_filename
        main.__spec__ = importlib.machinery.ModuleSpec(spawned_main.__name__, None)
    # `__mp_main__` is its name in spawned processes, where objects that they send back are looked up.
    sys.modules["__main__"] = sys.modules["__mp_main__"] = main
    try:
        exec(code, main.__dict__)
    except SystemExit:
        raise
    except BaseException as error:
        _show(error)
        return 130 if isinstance(error, KeyboardInterrupt) else 1
    return 0


def _show(error):
    """Show an uncaught exception as Python does, with the program's own sys.excepthook."""
    if isinstance(error, SyntaxError) and error.filename is not None and os.path.isfile(error.filename):
        _say(_not_python_3(error, error.filename))  # a module that the program imports
        return
    error.__traceback__ = _without_own_frames(error.__traceback__)
    shown = sys.last_type, sys.last_value, sys.last_traceback = type(error), error, error.__traceback__
    try:
        sys.excepthook(*shown)
    except Exception as failure:
        print("Error in sys.excepthook:", file=sys.stderr)
        failure.__context__ = None  # `error`, which follows
        failure.__traceback__ = _without_own_frames(failure.__traceback__)
        sys.__excepthook__(type(failure), failure, failure.__traceback__)
        print("\nOriginal exception was:", file=sys.stderr)
        sys.__excepthook__(*shown)
    hint = era_hints.hint(error)
    if hint is not None:
        _say(hint)


def _without_own_frames(trace):
    """Return the traceback without the frames of the runner and the finder, above and below those of the program."""
    own = {__file__, import_aliases.__file__, async_names.__file__}
    frames = []
    while trace is not None:
        frames.append(trace)
        trace = trace.tb_next
    kept = None
    for item in reversed(frames):
        if item.tb_frame.f_code.co_filename not in own:
            kept = types.TracebackType(kept, item.tb_frame, item.tb_lasti, item.tb_lineno)
    return kept


def _not_python_3(error, path):
    place = f"{path}, line {error.lineno}" if getattr(error, "lineno", None) else path
    line = (getattr(error, "text", None) or "").strip()
    return (
        f"{place} is not Python {sys.version_info.major}.{sys.version_info.minor}: "
        f"{getattr(error, 'msg', error)}{f', in `{line}`' if line else ''}. Convert a Python 2 program first "
        "(print x -> print(x), except E, e -> except E as e, ...), for example with 2to3, which is part of Python 3.12 "
        "and earlier"
    )


def _say(sentence):
    print(f"legacy_autograd run: {sentence}", file=sys.stderr)
