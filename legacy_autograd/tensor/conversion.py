"""The type of a Tensor, and conversions from one to another (2016: `torch/tensor.py` and `torch/_utils.py`)."""

from ._helpers import TensorMethods, wrap
from .dtypes import TYPE_NAMES, dtype_of_type
from .no_cuda import accept_async, refuse


class Conversion(TensorMethods):
    __slots__ = ()

    def type(self, new_type=None, non_blocking=False, **keywords):
        """Return the name of the type; with `new_type` (a class, or such a name), the tensor converted to it.

        A tensor of that type already is returned itself, without a copy. As in C and numpy, nothing is checked where
        integers take the numbers: fractions are cut off, an integer that does not fit keeps its lowest bits (300 as a
        byte is 44), and what a float that does not fit, nan or an infinity becomes depends on the machine. (The
        constructors, and operations with a number, raise OverflowError there.) Raises TypeError for what is not a type
        of tensors. `non_blocking`, `async` in v0.1.x, changes nothing.
        """
        if keywords:
            accept_async("type", keywords)
        if new_type is None:
            return TYPE_NAMES[self.array.dtype]
        dtype = dtype_of_type(new_type)
        return self if dtype is self.array.dtype else wrap(self.array.astype(dtype, order="C"))

    def type_as(self, other):
        """Return this tensor converted to the type of `other`."""
        return self.type(other.type())

    def double(self):
        """Return this tensor as a DoubleTensor; like the following, itself if it is one already."""
        return self.type("torch.DoubleTensor")

    def float(self):
        """Return this tensor as a FloatTensor."""
        return self.type("torch.FloatTensor")

    def half(self):
        """Return this tensor as a HalfTensor."""
        return self.type("torch.HalfTensor")

    def long(self):
        """Return this tensor as a LongTensor; fractions are cut off."""
        return self.type("torch.LongTensor")

    def int(self):
        """Return this tensor as an IntTensor; fractions are cut off."""
        return self.type("torch.IntTensor")

    def short(self):
        """Return this tensor as a ShortTensor; fractions are cut off."""
        return self.type("torch.ShortTensor")

    def char(self):
        """Return this tensor as a CharTensor; fractions are cut off."""
        return self.type("torch.CharTensor")

    def byte(self):
        """Return this tensor as a ByteTensor; fractions are cut off."""
        return self.type("torch.ByteTensor")

    def cuda(self, device=None, non_blocking=False, **keywords):
        """Raise RuntimeError: there is no CUDA. Return the tensor itself where that is ignored (no_cuda.py).

        `non_blocking`, `async` in v0.1.x, changes nothing.
        """
        accept_async("cuda", keywords)
        refuse("Tensor.cuda()")
        return self

    def get_device(self):
        """Raise RuntimeError: the memory is no CUDA device's. Return -1 where that is ignored (no_cuda.py)."""
        refuse("Tensor.get_device()")
        return -1

    def pin_memory(self):
        """Raise RuntimeError: only CUDA reads pinned memory. Return the tensor itself where that is ignored."""
        refuse("Tensor.pin_memory()")
        return self

    def is_pinned(self):
        """Return False: only memory that CUDA reads can be pinned."""
        return False

    def cpu(self):
        """Return the tensor itself: its memory is the processor's already."""
        return self

    def is_signed(self):
        """Return whether the type can hold negative numbers."""
        return self.array.dtype.kind != "u"

    @property
    def is_cuda(self):
        """False: the memory is never CUDA's."""
        return False

    @property
    def is_sparse(self):
        """False: there are no sparse tensors."""
        return False
