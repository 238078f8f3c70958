"""Types and devices of a Variable; the Function of a conversion is `Copy` in `functions/tensor.py`.

A method returns x itself if it has the type already. A conversion to integers has no gradient.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from ...tensor import Tensor
from ..variable import Variable
from ._attach import attach


class ConversionMethods:
    """Conversions to other types, and devices."""

    # Of Variable, to which these methods are attached.
    data: Tensor
    type: Callable[..., Variable]

    def cpu(self) -> Self:
        """Return x itself, which is in main memory."""
        return self

    def cuda(self, device_id: int | None = None, non_blocking: bool = False, **keywords: Any) -> Self:
        """Refuse, since there is no CUDA device; under `run --ignore-cuda` return x itself.

        Args:
            device_id: The number of the device, named in the message.
            non_blocking: Ignored; `async` in v0.1.x.
            **keywords: `async`, which is ignored.

        Raises:
            RuntimeError: Unless CUDA is ignored.
        """
        self.data.cuda(device_id, non_blocking, **keywords)
        return self

    def get_device(self) -> int:
        """Refuse, since there is no CUDA device; under `run --ignore-cuda` return -1.

        Raises:
            RuntimeError: Unless CUDA is ignored.
        """
        return self.data.get_device()

    @property
    def is_cuda(self) -> bool:
        """False: all tensors are in main memory."""
        return self.data.is_cuda

    def is_signed(self) -> bool:
        """Return whether the type can hold negative numbers."""
        return self.data.is_signed()

    def type_as(self, other: Variable) -> Variable:
        """Return x converted to the type of `other`.

        Args:
            other: The Variable that gives the type. It receives no gradient.

        Gradient:
            `g`, the gradient of the result, converted back.
        """
        return self.type(other.type())

    def double(self) -> Variable:
        """Return x as a DoubleTensor Variable.

        Gradient:
            `g`, the gradient of the result, converted back.
        """
        return self.type("torch.DoubleTensor")

    def float(self) -> Variable:
        """Return x as a FloatTensor Variable.

        Gradient:
            `g`, the gradient of the result, converted back.
        """
        return self.type("torch.FloatTensor")

    def half(self) -> Variable:
        """Return x as a HalfTensor Variable.

        Gradient:
            `g`, the gradient of the result, converted back.
        """
        return self.type("torch.HalfTensor")

    def long(self) -> Variable:
        """Return x as a LongTensor Variable, without fractions. It has no gradient."""
        return self.type("torch.LongTensor")

    def int(self) -> Variable:
        """Return x as an IntTensor Variable, without fractions. It has no gradient."""
        return self.type("torch.IntTensor")

    def short(self) -> Variable:
        """Return x as a ShortTensor Variable, without fractions. It has no gradient."""
        return self.type("torch.ShortTensor")

    def char(self) -> Variable:
        """Return x as a CharTensor Variable, without fractions. It has no gradient."""
        return self.type("torch.CharTensor")

    def byte(self) -> Variable:
        """Return x as a ByteTensor Variable, without fractions. It has no gradient."""
        return self.type("torch.ByteTensor")


attach(ConversionMethods)
