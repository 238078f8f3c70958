"""Convolution layers (2016: `torch/nn/modules/conv.py`)."""

import math

from .. import conventions
from ..autograd.functions.im2col import tuple_of
from ..tensor import Tensor
from ..tensor._helpers import shown_size
from . import functional as F
from .functional._inputs import check_positive, check_variables
from .module import Module
from .parameter import Parameter


class _ConvNd(Module):
    """What the layers share: the weight, the bias and their start, uniform between ±1 / sqrt(in_channels Π kernel).

    Programs derive layers from it. The sizes are tuples with one integer for each spatial dimension.
    """

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride,
        padding,
        dilation,
        transposed,
        output_padding,
        groups,
        bias,
    ):
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
        if len(kernel_size) == 2:  # names of v0.1.1 to v0.1.5; programs draw initial weights by kh * kw
            self.kh, self.kw = kernel_size
            self.dh, self.dw = stride
            self.padh, self.padw = padding
        first, second = (in_channels, out_channels) if transposed else (out_channels, in_channels)
        self.weight = Parameter(Tensor(first, second // groups, *self.kernel_size))
        self.register_parameter("bias", Parameter(Tensor(out_channels)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self):
        """Draw weight and bias anew."""
        bound = 1 / math.sqrt(self.in_channels * math.prod(self.kernel_size))
        for parameter in self.parameters():
            parameter.data.uniform_(-bound, bound)

    def extra_repr(self):
        shown = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        dims = len(self.kernel_size)
        shown += self._unusual(padding=(0,) * dims, dilation=(1,) * dims, groups=1)
        return shown if self.bias is not None else shown + ", bias=False"


class _Conv(_ConvNd):
    """A layer of `dims` spatial dimensions, each of whose sizes may be given as one integer for all of them."""

    dims = 0
    transposed = False

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups=1,
        bias=True,
        output_padding=0,
    ):
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
    """Input (N, in_channels, L) to (N, out_channels, L'), L' = (L + 2 padding - dilation (k - 1) - 1) / stride + 1.

    `weight` is (out_channels, in_channels / groups, k), `bias` (out_channels), if wanted.
    """

    dims = 1

    def forward(self, input):
        return F.conv1d(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)


class Conv3d(_Conv):
    """Input (N, in_channels, D, H, W) to (N, out_channels, D', H', W'), the sizes as in Conv1d.

    `weight` is (out_channels, in_channels / groups, KD, KH, KW), `bias` (out_channels), if wanted.
    """

    dims = 3

    def forward(self, input):
        return F.conv3d(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)


class Conv2d(_Conv):
    """Input (N, in_channels, H, W) to (N, out_channels, H', W'), the sizes as in Conv1d.

    `Conv2d(in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True)`, where each
    size is an integer or a pair; or v0.1.1's `Conv2d(in_channels, out_channels, kh, kw, dh=1, dw=1, padh=0, padw=0)`,
    with height and width apart. By keyword both are understood always. Numbers without a keyword mean the former under
    the conventions of v0.1.12, the latter under those of v0.1.1, where `Conv2d(1, 6, 5, 2)` has a kernel of 5x2 (a
    single number, or a first one that is a pair, is a kernel_size there too).

    `weight` is (out_channels, in_channels / groups, KH, KW), `bias` (out_channels), if wanted.
    """

    dims = 2

    def __init__(self, in_channels, out_channels, *sizes, **named):
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


def sizes_of(name, sizes, named, later, early=("kh", "kw", "dh", "dw", "padh", "padw"), defaults=_DEFAULTS):
    """The arguments of a layer over images, under their later names, whichever way they were given.

    `later` and `early` are the orders of the two forms. Raises TypeError for an argument that is unknown, missing or
    given twice.
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
            raise TypeError(f"{name}: {whole} and {' or '.join(pair)} mean the same, give one of them")
        parts = [given.pop(key, defaults.get(key)) for key in pair]
        if whole == "kernel_size" and None in parts:
            raise TypeError(f"{name}: kh and kw go together, one of them is missing")
        if None in parts:  # the stride of a pooling is the kernel size where it is not given
            parts = [size if part is None else part for part, size in zip(parts, given["kernel_size"])]
        given[whole] = tuple(parts)
    if "kernel_size" not in given:
        raise TypeError(f"{name}: the argument kernel_size is missing (or kh and kw)")
    return given


class _ConvTranspose(_Conv):
    """Called with an `output_size` as well, it chooses the output_padding for that; ValueError where there is none."""

    transposed = True

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        output_padding=0,
        groups=1,
        bias=True,
        dilation=1,
    ):
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
        """The output_padding that makes the output as large as was asked for, by its spatial sizes or by all."""
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
    """Input (N, in_channels, L) to (N, out_channels, L'), the size of which Conv1d makes L; see F.conv_transpose1d.

    `weight` is (in_channels, out_channels / groups, k), `bias` (out_channels), if wanted.
    """

    dims = 1
    _convolve = staticmethod(F.conv_transpose1d)


class ConvTranspose2d(_ConvTranspose):
    """Input (N, in_channels, H, W) to (N, out_channels, H', W'), the size of which Conv2d makes H, W.

    `weight` is (in_channels, out_channels / groups, KH, KW), `bias` (out_channels), if wanted.
    """

    dims = 2
    _convolve = staticmethod(F.conv_transpose2d)


class ConvTranspose3d(_ConvTranspose):
    """Input (N, in_channels, D, H, W) to (N, out_channels, D', H', W'), the size of which Conv3d makes D, H, W.

    `weight` is (in_channels, out_channels / groups, KD, KH, KW), `bias` (out_channels), if wanted.
    """

    dims = 3
    _convolve = staticmethod(F.conv_transpose3d)
