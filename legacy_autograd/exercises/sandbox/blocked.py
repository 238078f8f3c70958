"""Replaces the package's own version of what an exercise asks for by a refusal."""

import importlib

from ...autograd import fast, functions
from ..answer import Withheld

# Every name by which a student could reach a finished engine.
ENGINES = (
    "legacy_autograd:ExecutionEngine",
    "legacy_autograd.autograd.engine:ExecutionEngine",
    "legacy_autograd.autograd.fast:ExecutionEngine",
    "legacy_autograd.autograd.fast.walk:ExecutionEngine",
    "legacy_autograd.autograd.fast.walk:run_backward",
    "legacy_autograd.autograd.variable:ExecutionEngine",
    "legacy_autograd.autograd:ExecutionEngine",
    "legacy_autograd.autograd.later.backward_api:ExecutionEngine",
    "legacy_autograd.autograd.later.backward_api:RecordingEngine",
    "legacy_autograd.autograd.later.backward_api:CapturingEngine",
    "legacy_autograd.autograd.later.backward_api:RecordingCapturingEngine",
)
_COPIES = (":_REPLACED", ".walk:_run_backward", ".walk:_methods_of_book")  # in fast/
_METHODS = ("run_backward", "_compute_dependencies", "_free_backward_dependency", "_is_ready_for_backward")
# The methods too: the class itself is found among the subclasses of `object`.
WHOLE_ENGINE = (
    *[f"legacy_autograd.autograd.engine:ExecutionEngine.{name}" for name in _METHODS],
    *[f"legacy_autograd.autograd.fast{name}" for name in _COPIES],
    *ENGINES,
    "legacy_autograd.autograd.variable:Variable._execution_engine",
)


def paths_of(*names):
    """The paths of these Functions, each in the package `functions` and in a file of it."""
    package = functions.__name__
    return tuple(f"{place}:{name}" for name in names for place in (package, getattr(functions, name).__module__))


def formulas_of(*names):
    """The paths of the backward of these Functions, for exercises that do not run it.

    The class of a Function is `type(result.creator)`, whatever its names are.
    """
    paths = []
    for name in names:
        function = getattr(functions, name)
        method = next(method for method in ("backward", "gradient") if method in vars(function))
        paths.append(f"{function.__module__}:{name}.{method}")
    return tuple(paths)


def withhold(path):
    """Replace `path` by a refusal, as in legacy_autograd.autograd.engine:ExecutionEngine.run_backward."""
    owner, name = _owner(path)
    setattr(owner, name, Refusal(name))
    # The twin keeps the book's methods.
    if (owner, name) in fast.classes.watched:
        fast.classes.watched[owner, name].function = Refusal(name)
    if (owner, name) in fast.of_the_book:
        fast.of_the_book[owner, name] = Refusal(name)


class Refusal:
    """Replaces a class or a function: any use of it raises Withheld."""

    def __init__(self, name):
        self.__dict__["name"] = name

    def _refuse(self, *arguments, **keywords):
        raise Withheld(f"write {self.__dict__['name']} yourself: the package's own is not available here")

    __call__ = __getattr__ = __setattr__ = __mro_entries__ = _refuse


def _owner(path):
    module, _, names = path.partition(":")
    *owners, name = names.split(".")
    owner = importlib.import_module(module)
    for step in owners:
        owner = getattr(owner, step)
    return owner, name
