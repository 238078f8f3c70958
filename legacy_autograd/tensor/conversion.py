"""The type of a Tensor, and conversions to other types (2016: `torch/tensor.py` and `torch/_utils.py`)."""

import builtins
from typing import Any, Self

from .dtypes import TYPE_NAMES, dtype_of_type
from .no_cuda import accept_async, refuse
from .wrapping import TensorBase, wrap


def names_of(kind: str) -> dict[str, str]:
    """Return {"double": "torch.DoubleTensor", …}.

    Args:
        kind: "Tensor" or "Storage".
    """
    return {name: f"torch.{name.capitalize()}{kind}" for name in "double float half long int short char byte".split()}


class InMainMemory:
    """What tensors and storages share: conversions by the names of types, and that there is no CUDA device."""

    __slots__ = ()

    _kind: str  # "Tensor" or "Storage"
    _types: dict[str, str]  # of `names_of`
    type: Any

    def double(self) -> Self:
        """Convert to doubles (float64): the result is the object itself if it holds them."""
        return self.type(self._types["double"])

    def float(self) -> Self:
        """Convert to floats (float32): the result is the object itself if it holds them."""
        return self.type(self._types["float"])

    def half(self) -> Self:
        """Convert to halves (float16): the result is the object itself if it holds them."""
        return self.type(self._types["half"])

    def long(self) -> Self:
        """Convert to integers of 64 bits: the result is the object itself if it holds them. Fractions are cut off."""
        return self.type(self._types["long"])

    def int(self) -> Self:
        """Convert to integers of 32 bits: the result is the object itself if it holds them. Fractions are cut off."""
        return self.type(self._types["int"])

    def short(self) -> Self:
        """Convert to integers of 16 bits: the result is the object itself if it holds them. Fractions are cut off."""
        return self.type(self._types["short"])

    def char(self) -> Self:
        """Convert to integers of 8 bits: the result is the object itself if it holds them. Fractions are cut off."""
        return self.type(self._types["char"])

    def byte(self) -> Self:
        """Convert to bytes (0 to 255): the result is the object itself if it holds them. Fractions are cut off."""
        return self.type(self._types["byte"])

    def cpu(self) -> Self:
        """Return this object itself, which is in main memory."""
        return self

    def cuda(self, device: Any = None, non_blocking: bool = False, **keywords: bool) -> Self:
        """Refuse to move this object to a CUDA device; return it unchanged under `run --ignore-cuda`.

        Args:
            device: Ignored.
            non_blocking: Ignored: there is no device to copy to. v0.1.x calls it `async`.
            **keywords: Only `async`.

        Returns:
            This object.

        Raises:
            RuntimeError: Unless missing devices are ignored (no_cuda.py).
        """
        accept_async("cuda", keywords)
        refuse(f"{self._kind}.cuda()")
        return self

    def pin_memory(self) -> Self:
        """Refuse to pin the memory, which only CUDA reads; return this object under `run --ignore-cuda`.

        Raises:
            RuntimeError: Unless missing devices are ignored (no_cuda.py).
        """
        refuse(f"{self._kind}.pin_memory()")
        return self

    def is_pinned(self) -> bool:
        """Return False: only memory that CUDA reads can be pinned."""
        return False


class Conversion(InMainMemory, TensorBase):
    """The methods of Tensor that convert it to another type."""

    __slots__ = ()

    _kind = "Tensor"
    _types = names_of("Tensor")

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

    def get_device(self) -> builtins.int:
        """Refuse to return the number of a CUDA device; return -1 under `run --ignore-cuda`.

        Raises:
            RuntimeError: Unless missing devices are ignored (no_cuda.py).
        """
        refuse("Tensor.get_device()")
        return -1

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
