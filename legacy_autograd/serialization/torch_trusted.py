"""`TrustedUnpickler`: Python's unpickler with torch's names, for files that the user trusts. It can run any code.

`torch` means this package, even if torch is installed: `torch.nn.modules.linear.Linear` is
`legacy_autograd.nn.modules.linear.Linear`.
"""

import functools
import importlib
import inspect
import pickle
import warnings

from .torch_globals import VARIABLES
from .torch_storages import TYPES

_OWN = __name__.partition(".")[0]


class SourceChangeWarning(Warning):
    """The source code of a Module's class has changed since the Module was saved (v0.1.4)."""


class TrustedUnpickler(pickle.Unpickler):
    """Opens one pickle. `find_storage(id)` returns the objects that the pickle stores outside of itself."""

    def __init__(self, stream, builders, find_storage):
        super().__init__(stream, encoding="utf-8")
        self.builders = builders
        self.find_storage = find_storage

    def persistent_load(self, key):
        """Return the class of a Module that was saved with its source, or the result of `find_storage`."""
        if isinstance(key, tuple) and len(key) in (3, 4) and isinstance(key[-3], type):
            check_source(*key[-3:])
            return key[-3]
        return self.find_storage(key)

    def find_class(self, module, name):
        """Return the object for a name in the pickle: torch's names belong to this package, others to theirs."""
        full = f"{module}.{name}"
        if full in self.builders.functions:
            return self.builders.functions[full]
        if full in VARIABLES:
            return VARIABLES[full]
        if module in ("torch", "torch.cuda") and name in ("BoolStorage", "BFloat16Storage"):
            return TYPES[name]
        if module.partition(".")[0] == "torch":
            own = importlib.import_module(_OWN + module.removeprefix("torch"))
            return functools.reduce(lambda found, part: getattr(found, part), name.split("."), own)
        return super().find_class(module, name)


def check_source(kind, path, source):
    """Warn with SourceChangeWarning if the source code of a user's class `kind` is not the saved `source`."""
    if not source or kind.__module__.partition(".")[0] == _OWN:
        return
    try:
        now = inspect.getsource(kind)
    except (OSError, TypeError):
        return
    if now != source:
        warnings.warn(
            f"source code of class '{kind.__module__}.{kind.__qualname__}' has changed since it was saved from {path}",
            SourceChangeWarning,
            stacklevel=2,
        )
