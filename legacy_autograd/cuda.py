"""`torch.cuda` on a machine without a graphics card: the questions have answers, the rest raises a sentence.

Programs of the time ask `torch.cuda.is_available()` and go on without; so does everything here. For those that do not
ask there is `python -m legacy_autograd run --ignore-cuda`: what they want moved to a graphics card stays where it is.
"""

import contextlib

from .tensor import base
from .tensor.no_cuda import ignore, ignored, refuse  # noqa: F401


def is_available():
    """False: every tensor of legacy_autograd lives in main memory."""
    return False


def device_count():
    """0."""
    return 0


def manual_seed(seed):
    """Does nothing, as there is no generator to seed; programs of the time call it beside `torch.manual_seed`."""


manual_seed_all = manual_seed


def current_device():
    """Raises RuntimeError: there is no device. 0 where CUDA is ignored."""
    refuse("torch.cuda.current_device()")
    return 0


def set_device(device):
    """Does nothing for a negative number, which stands for no device; otherwise raises RuntimeError."""
    if device >= 0:
        refuse(f"torch.cuda.set_device({device!r})")


def synchronize():
    """Raises RuntimeError: there is no device to wait for."""
    refuse("torch.cuda.synchronize()")


def device(index):
    """A context that changes nothing for a negative number, which stands for no device; otherwise RuntimeError."""
    if index >= 0:
        refuse(f"torch.cuda.device({index!r})")
    return contextlib.nullcontext()


def device_of(tensor):
    """A context that changes nothing: every tensor is in main memory."""
    return contextlib.nullcontext()


def _tensor_type(name):
    """A class that no tensor is an instance of, so that `isinstance(x, torch.cuda.FloatTensor)` is simply False."""

    def __new__(cls, *contents):
        refuse(f"torch.cuda.{name}(...)")
        return getattr(base, name)(*contents)

    doc = "Raises RuntimeError when called; where CUDA is ignored, makes the tensor in main memory."
    return type(name, (), {"__new__": __new__, "__module__": __name__, "__doc__": doc})


DoubleTensor = _tensor_type("DoubleTensor")
FloatTensor = _tensor_type("FloatTensor")
HalfTensor = _tensor_type("HalfTensor")
LongTensor = _tensor_type("LongTensor")
IntTensor = _tensor_type("IntTensor")
ShortTensor = _tensor_type("ShortTensor")
CharTensor = _tensor_type("CharTensor")
ByteTensor = _tensor_type("ByteTensor")
