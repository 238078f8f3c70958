"""Pooling layers (2016: `torch/nn/modules/pooling.py`).

A size such as `kernel_size` is one integer, or a sequence with one for each spatial dimension.
"""

from collections.abc import Sequence
from typing import Any

from ..autograd.functions.im2col import tuple_of
from ..autograd.variable import Variable
from ..tensor import Tensor
from . import functional as F
from .conv import sizes_of
from .functional._inputs import Sizes, tensor_of
from .module import Module

__all__ = [
    "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveMaxPool1d", "AdaptiveMaxPool2d", "AvgPool1d", "AvgPool2d",
    "AvgPool3d", "FractionalMaxPool2d", "LPPool2d", "MaxPool1d", "MaxPool2d", "MaxPool3d", "MaxPooling2d",
    "MaxUnpool1d", "MaxUnpool2d", "MaxUnpool3d",
]  # fmt: skip


class _Pool(Module):
    def __init__(self, kernel_size, stride, padding, ceil_mode):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.ceil_mode = ceil_mode

    def extra_repr(self):
        unusual = self._unusual(padding=0, dilation=1, ceil_mode=False)
        return f"kernel_size={self.kernel_size}, stride={self.stride}{unusual}"


class MaxPool1d(_Pool):
    """The maximum of every window.

    Args:
        kernel_size: The size of a window.
        stride: The step from window to window. Default: `kernel_size`.
        padding: The number of elements added at both ends. They are never the maximum.
        dilation: The distance between the elements of a window.
        return_indices: Whether the positions of the maxima are returned as well.
        ceil_mode: Whether L' is rounded up instead of down.

    Shape:
        Input (N, C, L), output (N, C, L') with L' = (L + 2 padding - dilation (kernel_size - 1) - 1) / stride + 1. With
        `return_indices` there is a second output of that shape, a LongTensor.
    """

    def __init__(
        self,
        kernel_size: Sizes,
        stride: Sizes | None = None,
        padding: Sizes = 0,
        dilation: Sizes = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__(kernel_size, stride, padding, ceil_mode)
        self.dilation = dilation
        self.return_indices = return_indices

    def forward(self, input):
        return self._pool(
            input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices
        )

    _pool = staticmethod(F.max_pool1d)


class MaxPool2d(MaxPool1d):
    """The maximum of every window of an image. The arguments are those of `MaxPool1d`.

    Shape:
        Input (N, C, H, W), output (N, C, H', W'); H' and W' follow from H and W as L' from L in `MaxPool1d`.

    Example:
        >>> torch.nn.MaxPool2d(2)(Variable(torch.ones(1, 3, 8, 6))).size()
        torch.Size([1, 3, 4, 3])
    """

    _pool = staticmethod(F.max_pool2d)


class MaxPooling2d(MaxPool2d):
    """`MaxPool2d` under v0.1.1's name.

    Its arguments are kh, kw, dh=kh, dw=kw, padh=0, padw=0, dilh=1, dilw=1, ceil_mode=False (v0.1.1), or kernel_size,
    stride, padding, dilation, ceil_mode. By keyword both forms work. Without keywords the conventions choose: the first
    form under those of v0.1.1, the second under those of v0.1.12; see `Conv2d`. (v0.1.1 used dilh in place of dilw.)

    Args:
        *sizes: The sizes without keywords.
        **named: The sizes with keywords.
    """

    def __init__(self, *sizes: Sizes, **named: Sizes) -> None:
        early = ("kh", "kw", "dh", "dw", "padh", "padw", "dilh", "dilw", "ceil_mode")
        later = ("kernel_size", "stride", "padding", "dilation", "ceil_mode", "return_indices")
        defaults = {"padh": 0, "padw": 0, "dilh": 1, "dilw": 1}
        super().__init__(**sizes_of(self._name, sizes, named, later, early, defaults))


class MaxPool3d(MaxPool1d):
    """The maximum of every window of a volume. The arguments are those of `MaxPool1d`.

    Shape:
        Input (N, C, D, H, W), output (N, C, D', H', W'); each size follows as L' from L in `MaxPool1d`.
    """

    _pool = staticmethod(F.max_pool3d)


class AvgPool1d(_Pool):
    """The mean of every window.

    Args:
        kernel_size: The size of a window.
        stride: The step from window to window. Default: `kernel_size`.
        padding: The number of zeros added at both ends.
        ceil_mode: Whether L' is rounded up instead of down.
        count_include_pad: Whether a mean counts the zeros that `padding` adds.

    Shape:
        Input (N, C, L), output (N, C, L') with L' = (L + 2 padding - kernel_size) / stride + 1.
    """

    _pool = staticmethod(F.avg_pool1d)

    def __init__(
        self,
        kernel_size: Sizes,
        stride: Sizes | None = None,
        padding: Sizes = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__(kernel_size, stride, padding, ceil_mode)
        self.count_include_pad = count_include_pad

    def forward(self, input):
        return self._pool(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)


class AvgPool2d(AvgPool1d):
    """The mean of every window of an image. The arguments are those of `AvgPool1d`.

    Shape:
        Input (N, C, H, W), output (N, C, H', W'); H' and W' follow from H and W as L' from L in `AvgPool1d`.
    """

    _pool = staticmethod(F.avg_pool2d)


class AvgPool3d(AvgPool1d):
    """The mean of every window of a volume. The arguments are those of `AvgPool1d`.

    Shape:
        Input (N, C, D, H, W), output (N, C, D', H', W'); each size follows as L' from L in `AvgPool1d`.
    """

    _pool = staticmethod(F.avg_pool3d)
    padding, ceil_mode, count_include_pad = 0, False, True  # for modules pickled by PyTorch v0.1.x


class _MaxUnpool(Module):
    def __init__(self, kernel_size: Sizes, stride: Sizes | None = None, padding: Sizes = 0) -> None:
        super().__init__()
        self.kernel_size = tuple_of(self._name, "kernel_size", kernel_size, self.dims, 1)
        self.stride = self.kernel_size if stride is None else tuple_of(self._name, "stride", stride, self.dims, 1)
        self.padding = tuple_of(self._name, "padding", padding, self.dims, 0)

    def forward(self, input, indices, output_size=None):
        return self._unpool(input, indices, self.kernel_size, self.stride, self.padding, output_size)

    def extra_repr(self):
        return f"kernel_size={self.kernel_size}, stride={self.stride}{self._unusual(padding=(0,) * self.dims)}"


class MaxUnpool1d(_MaxUnpool):
    """Zeros with the maxima of a `MaxPool1d` at their positions: a partial inverse of the pooling.

    Called with the maxima, their indices and, optionally, the `output_size`; see `F.max_unpool1d`.

    Shape:
        Input and indices (N, C, L), output (N, C, L').
    """

    dims = 1
    _unpool = staticmethod(F.max_unpool1d)


class MaxUnpool2d(_MaxUnpool):
    """Zeros with the maxima of a `MaxPool2d` at their positions; see `MaxUnpool1d`.

    Shape:
        Input and indices (N, C, H, W), output (N, C, H', W').
    """

    dims = 2
    _unpool = staticmethod(F.max_unpool2d)


class MaxUnpool3d(_MaxUnpool):
    """Zeros with the maxima of a `MaxPool3d` at their positions; see `MaxUnpool1d`.

    Shape:
        Input and indices (N, C, D, H, W), output (N, C, D', H', W').
    """

    dims = 3
    _unpool = staticmethod(F.max_unpool3d)


class FractionalMaxPool2d(Module):
    """The maximum of every window, the windows being placed at random.

    `_random_samples`, a Tensor (N, C, 2), replaces the random numbers. See the Function FractionalMaxPool2d.

    Args:
        kernel_size: The size of a window.
        output_size: The number of windows, (H', W').
        output_ratio: The number of windows as a fraction of (H, W), rounded down; to be given instead of `output_size`.
        return_indices: Whether the positions of the maxima are returned as well.

    Raises:
        ValueError: Unless exactly one of `output_size` and `output_ratio` is given.

    Shape:
        Input (N, C, H, W), output (N, C, H', W').

    Source:
        Graham, "Fractional max-pooling", 2014.
    """

    def __init__(
        self,
        kernel_size: Sizes,
        output_size: Sizes | None = None,
        output_ratio: float | Sequence[float] | None = None,
        return_indices: bool = False,
        _random_samples: Variable | Tensor | None = None,
    ) -> None:
        super().__init__()
        if (output_size is None) == (output_ratio is None):
            raise ValueError(f"{self._name}: needs either output_size or output_ratio")
        self.kernel_size = kernel_size
        self.output_size = output_size
        self.output_ratio = output_ratio
        self.return_indices = return_indices
        self.register_buffer("_random_samples", tensor_of(_random_samples))

    def forward(self, input):
        return F.fractional_max_pool2d(
            input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices, self._random_samples
        )

    def extra_repr(self):
        return f"kernel_size={self.kernel_size}{self._unusual(output_size=None, output_ratio=None)}"


class LPPool2d(Module):
    """(Σ x^p)^(1/p) over every window.

    Args:
        norm_type: The power p.
        kernel_size: The size of a window.
        stride: The step from window to window. Default: `kernel_size`.
        ceil_mode: Whether the size of the output is rounded up instead of down.

    Shape:
        Input (N, C, H, W), output (N, C, H', W') as for `AvgPool2d`.
    """

    def __init__(
        self, norm_type: float, kernel_size: Sizes, stride: Sizes | None = None, ceil_mode: bool = False
    ) -> None:
        super().__init__()
        self.norm_type = norm_type
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = ceil_mode

    def forward(self, input):
        return F.lp_pool2d(input, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)

    def extra_repr(self):
        return f"{self.norm_type}, kernel_size={self.kernel_size}{self._unusual(stride=None, ceil_mode=False)}"


class AdaptiveAvgPool1d(Module):
    """The means of n equal parts of the input, see `F.adaptive_avg_pool1d`.

    Args:
        output_size: The number n.

    Shape:
        Input (N, C, L), output (N, C, n).
    """

    _pool: Any = staticmethod(F.adaptive_avg_pool1d)

    def __init__(self, output_size: Sizes) -> None:
        super().__init__()
        self.output_size = output_size

    def forward(self, input):
        return self._pool(input, self.output_size)

    def extra_repr(self):
        return f"{self.output_size}"


class AdaptiveAvgPool2d(AdaptiveAvgPool1d):
    """The means of n by m equal parts of an image, where `output_size` is (n, m) or one number.

    Shape:
        Input (N, C, H, W), output (N, C, n, m).
    """

    _pool = staticmethod(F.adaptive_avg_pool2d)


class AdaptiveMaxPool1d(AdaptiveAvgPool1d):
    """The maxima of n equal parts of the input, see `F.adaptive_max_pool1d`.

    Args:
        output_size: The number n.
        return_indices: Whether the positions of the maxima are returned as well.

    Shape:
        Input (N, C, L), output (N, C, n). With `return_indices` there is a second output of that shape, a LongTensor.
    """

    _pool = staticmethod(F.adaptive_max_pool1d)

    def __init__(self, output_size: Sizes, return_indices: bool = False) -> None:
        super().__init__(output_size)
        self.return_indices = return_indices

    def forward(self, input):
        return self._pool(input, self.output_size, self.return_indices)


class AdaptiveMaxPool2d(AdaptiveMaxPool1d):
    """The maxima of n by m equal parts of an image, where `output_size` is (n, m) or one number.

    Shape:
        Input (N, C, H, W), output (N, C, n, m). With `return_indices` there is a second output of that shape, a
        LongTensor.
    """

    _pool = staticmethod(F.adaptive_max_pool2d)
