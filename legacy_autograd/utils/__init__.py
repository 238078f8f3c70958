"""`torch.utils`: a place for names. Its modules live elsewhere in the package and are loaded when asked for.

`aliases.MOVED` says where: `utils.data` is `legacy_autograd.data`, for example.
"""

import importlib

from .. import aliases


def __getattr__(name):
    if f"utils.{name}" not in aliases.MOVED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return importlib.import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"{__name__}.{name}":
            raise
        raise AttributeError(str(error), name=name) from error
