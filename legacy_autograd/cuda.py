"""`torch.cuda` on a machine without a graphics card: the queries have answers, everything else raises RuntimeError.

Programs of 2016–17 ask `torch.cuda.is_available()` and go on without CUDA. For those that do not ask, or that stop at
the answer, there is `python -m legacy_autograd run --ignore-cuda`: the answer is True, and tensors that they move to a
graphics card stay where they are.
"""

import contextlib
import importlib.machinery
import sys
import types

from .tensor import base
from .tensor.no_cuda import ignore, ignored, refuse  # noqa: F401


def is_available() -> bool:
    """Return False, because every tensor is in main memory; True where CUDA is ignored."""
    return ignored()


def device_count() -> int:
    """Return 0, or 1 where CUDA is ignored."""
    return int(ignored())


def manual_seed(seed: int) -> None:
    """Do nothing. Programs of 2016–17 call it beside `torch.manual_seed`.

    Args:
        seed: Ignored: there is no generator to seed.
    """


manual_seed_all = manual_seed


def current_device() -> int:
    """Return 0, where CUDA is ignored.

    Raises:
        RuntimeError: Otherwise, because there is no device.
    """
    refuse("torch.cuda.current_device()")
    return 0


def set_device(device: int) -> None:
    """Do nothing for a negative number, which means no device, and where CUDA is ignored.

    Args:
        device: The number of the device.

    Raises:
        RuntimeError: Otherwise, because there is no device.
    """
    if device >= 0:
        refuse(f"torch.cuda.set_device({device!r})")


def synchronize() -> None:
    """Do nothing, where CUDA is ignored.

    Raises:
        RuntimeError: Otherwise, because there is no device to wait for.
    """
    refuse("torch.cuda.synchronize()")


def device(index: int) -> contextlib.AbstractContextManager[None]:
    """Return a context that changes nothing, for a negative number, which means no device, or where CUDA is ignored.

    Args:
        index: The number of the device.

    Raises:
        RuntimeError: Otherwise, because there is no device.
    """
    if index >= 0:
        refuse(f"torch.cuda.device({index!r})")
    return contextlib.nullcontext()


def device_of(tensor: object) -> contextlib.AbstractContextManager[None]:
    """Return a context that changes nothing.

    Args:
        tensor: Ignored: every tensor is in main memory.
    """
    return contextlib.nullcontext()


def _tensor_type(name):
    """Return a class without instances, so that `isinstance(x, torch.cuda.FloatTensor)` is False."""

    def __new__(cls, *contents):
        refuse(f"torch.cuda.{name}(...)")
        return getattr(base, name)(*contents)

    doc = "Raises RuntimeError when called; where CUDA is ignored, makes the tensor in main memory."
    members = {"__new__": __new__, "__module__": __name__, "__doc__": doc, "_on_cuda": f"torch.cuda.{name}"}
    return type(name, (), members)


DoubleTensor = _tensor_type("DoubleTensor")
FloatTensor = _tensor_type("FloatTensor")
HalfTensor = _tensor_type("HalfTensor")
LongTensor = _tensor_type("LongTensor")
IntTensor = _tensor_type("IntTensor")
ShortTensor = _tensor_type("ShortTensor")
CharTensor = _tensor_type("CharTensor")
ByteTensor = _tensor_type("ByteTensor")


__path__: list[str] = []  # so that `import torch.cuda.comm` looks for a module below this one

# {a module below torch.cuda: its names that need a graphics card}; a call raises RuntimeError
_NEED_A_CARD = {
    "": "current_blas_handle current_stream get_rng_state initial_seed set_rng_state stream Event Stream",
    "comm": "broadcast broadcast_coalesced gather reduce_add reduce_add_coalesced scatter",
    "nccl": "all_gather all_reduce broadcast reduce reduce_scatter",
    "nvtx": "mark range_pop range_push",
    "random": "get_rng_state initial_seed set_rng_state",
    "streams": "Event Stream",
}


def _absent(name):
    def absent(*arguments, **keywords):
        raise RuntimeError(f"torch.cuda.{name}() needs a CUDA device, and legacy_autograd computes in main memory only")

    absent.__name__ = absent.__qualname__ = name.rpartition(".")[2]
    absent.__doc__ = "Raise RuntimeError: there is no CUDA device."
    return absent


for _module, _names in _NEED_A_CARD.items():
    _made = types.ModuleType(f"{__name__}.{_module}", "Names that need a CUDA device: a call raises RuntimeError.")
    for _name in _names.split():
        setattr(_made if _module else sys.modules[__name__], _name, _absent(f"{_module}.{_name}".lstrip(".")))
    if _module:
        _made.__spec__ = importlib.machinery.ModuleSpec(_made.__name__, None)
        sys.modules[_made.__name__] = globals()[_module] = _made


def seed() -> None:
    """Do nothing: there is no generator to seed."""


seed_all = seed
for _name in ("manual_seed", "manual_seed_all", "seed", "seed_all"):
    setattr(sys.modules[f"{__name__}.random"], _name, globals()[_name])
