"""Convolution layers (2016: `torch/nn/modules/conv.py`).

A size such as `stride` is one integer, or a sequence with one for each spatial dimension. Weight and bias are
initialized from the uniform distribution between ±1 / sqrt(in_channels Π kernel_size).
"""

import math
from collections.abc import Sequence
from typing import Any

from .. import conventions
from ..autograd.functions.im2col import tuple_of
from ..tensor import Tensor
from ..tensor.messages import shown_size
from . import functional as F
from .functional._inputs import Sizes, check_positive, check_variables
from .module import Module
from .parameter import Parameter

__all__ = ["Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d"]


class _ConvNd(Module):
    """The base of all convolution layers, from which programs derive layers.

    Sizes are tuples with one integer for each spatial dimension.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sequence[int],
        stride: Sequence[int],
        padding: Sequence[int],
        dilation: Sequence[int],
        transposed: bool,
        output_padding: Sequence[int],
        groups: int,
        bias: bool,
    ) -> None:
        super().__init__()
        name = self._name
        check_positive(name, in_channels=in_channels, out_channels=out_channels, groups=groups)
        for what, value in (("in_channels", in_channels), ("out_channels", out_channels)):
            if value % groups:
                raise ValueError(f"{name}: {what} must be divisible by groups, got {value} and {groups}")
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.transposed = transposed
        self.output_padding = output_padding
        self.groups = groups
        if len(kernel_size) == 2:  # names of v0.1.1 to v0.1.5; programs use kh * kw to initialize weights
            self.kh, self.kw = kernel_size
            self.dh, self.dw = stride
            self.padh, self.padw = padding
        first, second = (in_channels, out_channels) if transposed else (out_channels, in_channels)
        self.weight = Parameter(Tensor(first, second // groups, *self.kernel_size))
        self.register_parameter("bias", Parameter(Tensor(out_channels)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Initialize weight and bias again."""
        bound = 1 / math.sqrt(self.in_channels * math.prod(self.kernel_size))
        for parameter in self.parameters():
            parameter.data.uniform_(-bound, bound)

    def extra_repr(self):
        shown = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        dims = len(self.kernel_size)
        shown += self._unusual(padding=(0,) * dims, dilation=(1,) * dims, groups=1)
        return shown if self.bias is not None else shown + ", bias=False"


class _Conv(_ConvNd):
    """A layer of `dims` spatial dimensions. Each size may be one integer for all of them.

    Args:
        in_channels: The number of channels of the input.
        out_channels: The number of channels of the output.
        kernel_size: The size K of the kernel.
        stride: The step of the kernel.
        padding: The number of zeros added at both ends.
        dilation: The distance between the elements of the kernel. None is 1.
        groups: The number of groups into which the channels are divided. Each has its own kernels.
        bias: Whether there is a bias.
        output_padding: For transposed convolutions.
    """

    dims = 0
    transposed = False

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes = 1,
        padding: Sizes = 0,
        dilation: Sizes | None = 1,
        groups: int = 1,
        bias: bool = True,
        output_padding: Sizes = 0,
    ) -> None:
        name, dims = self._name, self.dims
        super().__init__(
            in_channels,
            out_channels,
            tuple_of(name, "kernel_size", kernel_size, dims, 1),
            tuple_of(name, "stride", stride, dims, 1),
            tuple_of(name, "padding", padding, dims, 0),
            tuple_of(name, "dilation", 1 if dilation is None else dilation, dims, 1),  # None: v0.1.5's default
            self.transposed,
            tuple_of(name, "output_padding", output_padding, dims, 0),
            groups,
            bias,
        )


class Conv1d(_Conv):
    """A convolution over one dimension.

    The constructor is `Conv1d(in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1,
    bias=True)`.

    Shape:
        Input (N, in_channels, L), output (N, out_channels, L') with L' = (L + 2 padding - dilation (K - 1) - 1) /
        stride + 1, rounded down. `weight` (out_channels, in_channels / groups, K), `bias` (out_channels).
    """

    dims = 1

    def forward(self, input):
        return F.conv1d(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)


class Conv3d(_Conv):
    """A convolution over three dimensions. The constructor is that of `Conv1d`.

    Shape:
        Input (N, in_channels, D, H, W), output (N, out_channels, D', H', W'); each size follows as L' from L in
        `Conv1d`. `weight` (out_channels, in_channels / groups, KD, KH, KW), `bias` (out_channels).
    """

    dims = 3

    def forward(self, input):
        return F.conv3d(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)


class Conv2d(_Conv):
    """A convolution over two dimensions.

    The constructor has two forms, and with keywords both work:

    - `Conv2d(in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True)`;
    - v0.1.1's `Conv2d(in_channels, out_channels, kh, kw, dh=1, dw=1, padh=0, padw=0)`, for separate heights and widths.

    Without keywords the conventions choose: those of v0.1.12 the first form, those of v0.1.1 the second, in which
    `Conv2d(1, 6, 5, 2)` has a kernel of 5x2. In both, a single size, or a first one that is a pair, is a kernel_size.

    Args:
        in_channels: The number of channels of the input.
        out_channels: The number of channels of the output.
        *sizes: The sizes without keywords.
        **named: The sizes with keywords.

    Raises:
        TypeError: If a size is unknown, missing or given twice.

    Shape:
        Input (N, in_channels, H, W), output (N, out_channels, H', W'); H' and W' follow from H and W as L' from L in
        `Conv1d`. `weight` (out_channels, in_channels / groups, KH, KW), `bias` (out_channels).

    Example:
        >>> layer = torch.nn.Conv2d(1, 6, kernel_size=5, padding=2)
        >>> layer(Variable(torch.ones(10, 1, 28, 28))).size()
        torch.Size([10, 6, 28, 28])
    """

    dims = 2

    def __init__(self, in_channels: int, out_channels: int, *sizes: Any, **named: Any) -> None:
        later = ("kernel_size", "stride", "padding", "dilation", "groups", "bias")
        super().__init__(in_channels, out_channels, **sizes_of(self._name, sizes, named, later))

    def forward(self, input):
        return F.conv2d(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)


_PAIRS = {
    "kernel_size": ("kh", "kw"),
    "stride": ("dh", "dw"),
    "padding": ("padh", "padw"),
    "dilation": ("dilh", "dilw"),
}
_DEFAULTS = {"dh": 1, "dw": 1, "padh": 0, "padw": 0, "dilh": 1, "dilw": 1}


def sizes_of(
    name: str,
    sizes: Sequence,
    named: dict[str, Any],
    later: Sequence[str],
    early: Sequence[str] = ("kh", "kw", "dh", "dw", "padh", "padw"),
    defaults: dict[str, int] = _DEFAULTS,
) -> dict[str, Any]:
    """Return the arguments of a layer over images by their later names.

    Args:
        name: The name of the layer, for error messages.
        sizes: The arguments without keywords.
        named: The arguments with keywords.
        later: The names of the form of v0.1.12, in order.
        early: The names of the form of v0.1.1, in order.
        defaults: The default values of the early form.

    Raises:
        TypeError: If an argument is unknown, missing or given twice.
    """
    apart = conventions.era.height_and_width_apart and len(sizes) > 1 and not isinstance(sizes[0], (tuple, list))
    order = early if apart else later
    if len(sizes) > len(order):
        raise TypeError(f"{name}: expected at most {', '.join(order)}, got {len(sizes)} arguments: {sizes}")
    given = dict(zip(order, sizes))
    for key, value in named.items():
        if key not in early and key not in later:
            raise TypeError(f"{name}: unknown argument {key!r}; it takes {', '.join(later)}, or {', '.join(early)}")
        if key in given:
            raise TypeError(f"{name}: {key} is given twice")
        given[key] = value
    for whole, pair in _PAIRS.items():
        if not any([key in given for key in pair]):
            continue
        if whole in given:
            raise TypeError(f"{name}: {whole} and {' or '.join(pair)} mean the same; give only one of them")
        parts = [given.pop(key, defaults.get(key)) for key in pair]
        if whole == "kernel_size" and None in parts:
            raise TypeError(f"{name}: kh and kw are needed together, got only one of them")
        if None in parts:  # of a pooling: its default stride is the kernel size
            parts = [size if part is None else part for part, size in zip(parts, given["kernel_size"])]
        given[whole] = tuple(parts)
    if "kernel_size" not in given:
        raise TypeError(f"{name}: the argument kernel_size is missing (or kh and kw)")
    return given


class _ConvTranspose(_Conv):
    """A transposed convolution. A call with an `output_size` chooses the output_padding; ValueError if none fits."""

    transposed = True

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes = 1,
        padding: Sizes = 0,
        output_padding: Sizes = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Sizes = 1,
    ) -> None:
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, output_padding
        )

    def forward(self, input, output_size=None):
        check_variables(self._name, input)
        extra = self.output_padding if output_size is None else self._extra_for(input, output_size)
        return self._convolve(
            input, self.weight, self.bias, self.stride, self.padding, extra, self.groups, self.dilation
        )

    def _extra_for(self, input, output_size):
        """Return the output_padding for an `output_size`, which may be the spatial sizes or the whole shape."""
        wanted = tuple(output_size)[-self.dims :]
        parts = zip(input.size()[2:], self.kernel_size, self.stride, self.padding, self.dilation)
        least = [(n - 1) * s - 2 * p + d * (k - 1) + 1 for n, k, s, p, d in parts]
        most = [n + s - 1 for n, s in zip(least, self.stride)]
        fits = len(output_size) in (self.dims, self.dims + 2) and len(least) == self.dims
        if not fits or not all([low <= size <= high for low, size, high in zip(least, wanted, most)]):
            raise ValueError(
                f"{self._name}: output_size must be between {shown_size(least)} and {shown_size(most)} for an input "
                f"of size {shown_size(input.size())}, got {shown_size(output_size)}"
            )
        return tuple([size - low for size, low in zip(wanted, least)])


class ConvTranspose1d(_ConvTranspose):
    """The transpose of `Conv1d`: it maps the shape of that layer's output to the shape of its input.

    The constructor is `ConvTranspose1d(in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0,
    groups=1, bias=True, dilation=1)`. A call may give an `output_size`, which chooses the output_padding.

    Shape:
        Input (N, in_channels, L), output (N, out_channels, L'), see `F.conv_transpose1d`. `weight` (in_channels,
        out_channels / groups, K), `bias` (out_channels).
    """

    dims = 1
    _convolve = staticmethod(F.conv_transpose1d)


class ConvTranspose2d(_ConvTranspose):
    """The transpose of `Conv2d`: it maps the shape of that layer's output to the shape of its input.

    The constructor and the call are those of `ConvTranspose1d`.

    Shape:
        Input (N, in_channels, H, W), output (N, out_channels, H', W'). `weight` (in_channels, out_channels / groups,
        KH, KW), `bias` (out_channels).
    """

    dims = 2
    _convolve = staticmethod(F.conv_transpose2d)


class ConvTranspose3d(_ConvTranspose):
    """The transpose of `Conv3d`: it maps the shape of that layer's output to the shape of its input.

    The constructor and the call are those of `ConvTranspose1d`.

    Shape:
        Input (N, in_channels, D, H, W), output (N, out_channels, D', H', W'). `weight` (in_channels, out_channels /
        groups, KD, KH, KW), `bias` (out_channels).
    """

    dims = 3
    _convolve = staticmethod(F.conv_transpose3d)
