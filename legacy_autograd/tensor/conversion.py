"""The type of a Tensor, and conversions to other types (2016: `torch/tensor.py` and `torch/_utils.py`)."""

from __future__ import annotations

import builtins
from typing import Any, Self

from .dtypes import TYPE_NAMES, dtype_of_type
from .no_cuda import accept_async, refuse
from .wrapping import TensorBase, wrap


class Conversion(TensorBase):
    """The methods of Tensor that convert it to another type."""

    __slots__ = ()

    def type(self, new_type: Any = None, non_blocking: bool = False, **keywords: bool) -> Any:
        """Return the name of the type, or this tensor converted to another type.

        As in C and numpy, a conversion to integers is not checked: fractions are cut off, an integer that does not fit
        keeps its lowest bits (300 as a byte is 44), and the result for a float that does not fit, nan or an infinity
        depends on the machine. (The constructors, and operations with a number, refuse such numbers.)

        Args:
            new_type: A class such as FloatTensor, or its name. Default: none.
            non_blocking: Ignored: there is no device to copy to. v0.1.x calls it `async`.
            **keywords: Only `async`.

        Returns:
            A string if `new_type` is None, else a Tensor: this one if it has that type already.

        Raises:
            TypeError: If `new_type` is not a tensor type.
        """
        if keywords:
            accept_async("type", keywords)
        if new_type is None:
            return TYPE_NAMES[self.array.dtype]
        dtype = dtype_of_type(new_type)
        return self if dtype is self.array.dtype else wrap(self.array.astype(dtype, order="C"))

    def type_as(self, other: TensorBase) -> Self:
        """Return this tensor converted to the type of `other`.

        Args:
            other: A Tensor.
        """
        return self.type(other.type())

    def double(self) -> Self:
        """Return this tensor as a DoubleTensor: itself if it is one."""
        return self.type("torch.DoubleTensor")

    def float(self) -> Self:
        """Return this tensor as a FloatTensor: itself if it is one."""
        return self.type("torch.FloatTensor")

    def half(self) -> Self:
        """Return this tensor as a HalfTensor: itself if it is one."""
        return self.type("torch.HalfTensor")

    def long(self) -> Self:
        """Return this tensor as a LongTensor: itself if it is one. Fractions are cut off."""
        return self.type("torch.LongTensor")

    def int(self) -> Self:
        """Return this tensor as an IntTensor: itself if it is one. Fractions are cut off."""
        return self.type("torch.IntTensor")

    def short(self) -> Self:
        """Return this tensor as a ShortTensor: itself if it is one. Fractions are cut off."""
        return self.type("torch.ShortTensor")

    def char(self) -> Self:
        """Return this tensor as a CharTensor: itself if it is one. Fractions are cut off."""
        return self.type("torch.CharTensor")

    def byte(self) -> Self:
        """Return this tensor as a ByteTensor: itself if it is one. Fractions are cut off."""
        return self.type("torch.ByteTensor")

    def cuda(self, device: Any = None, non_blocking: bool = False, **keywords: bool) -> Self:
        """Refuse to move the tensor to a CUDA device; return it unchanged under `run --ignore-cuda`.

        Args:
            device: Ignored.
            non_blocking: Ignored: there is no device to copy to. v0.1.x calls it `async`.
            **keywords: Only `async`.

        Returns:
            This tensor.

        Raises:
            RuntimeError: Unless missing devices are ignored (no_cuda.py).
        """
        accept_async("cuda", keywords)
        refuse("Tensor.cuda()")
        return self

    def get_device(self) -> builtins.int:
        """Refuse to return the number of a CUDA device; return -1 under `run --ignore-cuda`.

        Raises:
            RuntimeError: Unless missing devices are ignored (no_cuda.py).
        """
        refuse("Tensor.get_device()")
        return -1

    def pin_memory(self) -> Self:
        """Refuse to pin the memory, which only CUDA reads; return this tensor under `run --ignore-cuda`.

        Raises:
            RuntimeError: Unless missing devices are ignored (no_cuda.py).
        """
        refuse("Tensor.pin_memory()")
        return self

    def is_pinned(self) -> bool:
        """Return False: only memory that CUDA reads can be pinned."""
        return False

    def cpu(self) -> Self:
        """Return the tensor itself, which is in main memory."""
        return self

    def is_signed(self) -> bool:
        """Return whether the type has negative numbers."""
        return self.array.dtype.kind != "u"

    @property
    def is_cuda(self) -> bool:
        """False: no tensor is on a CUDA device."""
        return False

    @property
    def is_sparse(self) -> bool:
        """False: there are no sparse tensors."""
        return False
