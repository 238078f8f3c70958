"""Pooling layers (2016: `torch/nn/modules/pooling.py`)."""

from ..autograd.functions.im2col import tuple_of
from . import functional as F
from .conv import sizes_of
from .functional._inputs import tensor_of
from .module import Module


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
    """The largest number of every window of an input (N, C, L); `stride` is the kernel size unless it is given.

    With `return_indices` there is a second result, where the numbers stand. See the Function MaxPool2d for the sizes.
    """

    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        super().__init__(kernel_size, stride, padding, ceil_mode)
        self.dilation = dilation
        self.return_indices = return_indices

    def forward(self, input):
        return self._pool(
            input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices
        )

    _pool = staticmethod(F.max_pool1d)


class MaxPool2d(MaxPool1d):
    """The largest number of every window of an input (N, C, H, W); sizes are integers or pairs. See MaxPool1d."""

    _pool = staticmethod(F.max_pool2d)


class MaxPooling2d(MaxPool2d):
    """MaxPool2d under v0.1.1's name, which took kh, kw, dh=kh, dw=kw, padh=0, padw=0, dilh=1, dilw=1, ceil_mode=False.

    Numbers without a keyword mean these under the conventions of v0.1.1, and kernel_size, stride, padding, dilation,
    ceil_mode under those of v0.1.12; see nn.Conv2d. (v0.1.1 took dilh for dilw.)
    """

    def __init__(self, *sizes, **named):
        early = ("kh", "kw", "dh", "dw", "padh", "padw", "dilh", "dilw", "ceil_mode")
        later = ("kernel_size", "stride", "padding", "dilation", "ceil_mode", "return_indices")
        defaults = {"padh": 0, "padw": 0, "dilh": 1, "dilw": 1}
        super().__init__(**sizes_of(self._name, sizes, named, later, early, defaults))


class MaxPool3d(MaxPool1d):
    """The largest number of every window of an input (N, C, D, H, W); sizes are integers or triples. See MaxPool1d."""

    _pool = staticmethod(F.max_pool3d)


class AvgPool1d(_Pool):
    """The mean of every window of an input (N, C, L); `stride` is the kernel size unless it is given.

    Padding counts as zeros unless `count_include_pad` is False. See the Function AvgPool2d.
    """

    _pool = staticmethod(F.avg_pool1d)

    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
        super().__init__(kernel_size, stride, padding, ceil_mode)
        self.count_include_pad = count_include_pad

    def forward(self, input):
        return self._pool(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)


class AvgPool2d(AvgPool1d):
    """The mean of every window of an input (N, C, H, W); sizes are integers or pairs. See AvgPool1d."""

    _pool = staticmethod(F.avg_pool2d)


class AvgPool3d(AvgPool1d):
    """The mean of every window of an input (N, C, D, H, W); sizes are integers or triples. See AvgPool1d."""

    _pool = staticmethod(F.avg_pool3d)
    padding, ceil_mode, count_include_pad = 0, False, True  # of a module that PyTorch v0.1.x pickled


class _MaxUnpool(Module):
    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__()
        self.kernel_size = tuple_of(self._name, "kernel_size", kernel_size, self.dims, 1)
        self.stride = self.kernel_size if stride is None else tuple_of(self._name, "stride", stride, self.dims, 1)
        self.padding = tuple_of(self._name, "padding", padding, self.dims, 0)

    def forward(self, input, indices, output_size=None):
        return self._unpool(input, indices, self.kernel_size, self.stride, self.padding, output_size)

    def extra_repr(self):
        return f"kernel_size={self.kernel_size}, stride={self.stride}{self._unusual(padding=(0,) * self.dims)}"


class MaxUnpool1d(_MaxUnpool):
    """The way back from MaxPool1d with `return_indices`: its results at their places, zeros elsewhere.

    Called with the input (N, C, L), the indices and, if wanted, the `output_size`; see F.max_unpool1d.
    """

    dims = 1
    _unpool = staticmethod(F.max_unpool1d)


class MaxUnpool2d(_MaxUnpool):
    """The way back from MaxPool2d: see MaxUnpool1d. The input is (N, C, H, W)."""

    dims = 2
    _unpool = staticmethod(F.max_unpool2d)


class MaxUnpool3d(_MaxUnpool):
    """The way back from MaxPool3d: see MaxUnpool1d. The input is (N, C, D, H, W)."""

    dims = 3
    _unpool = staticmethod(F.max_unpool3d)


class FractionalMaxPool2d(Module):
    """The largest number of windows at random places, `output_size` of them or `output_ratio` times the input's size.

    `_random_samples`, a Tensor (N, C, 2), takes the place of the drawing. See the Function FractionalMaxPool2d.
    """

    def __init__(self, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
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
    """(Σ x^norm_type)^(1/norm_type) over every window of an input (N, C, H, W); without a stride it is the kernel."""

    def __init__(self, norm_type, kernel_size, stride=None, ceil_mode=False):
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
    """An input (N, C, L) as (N, C, output_size), each element the mean of its share of the elements."""

    _pool = staticmethod(F.adaptive_avg_pool1d)

    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size

    def forward(self, input):
        return self._pool(input, self.output_size)

    def extra_repr(self):
        return f"{self.output_size}"


class AdaptiveAvgPool2d(AdaptiveAvgPool1d):
    """An input (N, C, H, W) as (N, C, *output_size), each element the mean of its share of the rows and columns."""

    _pool = staticmethod(F.adaptive_avg_pool2d)


class AdaptiveMaxPool1d(AdaptiveAvgPool1d):
    """AdaptiveAvgPool1d with the largest number of each share; with `return_indices` a second result, their places."""

    _pool = staticmethod(F.adaptive_max_pool1d)

    def __init__(self, output_size, return_indices=False):
        super().__init__(output_size)
        self.return_indices = return_indices

    def forward(self, input):
        return self._pool(input, self.output_size, self.return_indices)


class AdaptiveMaxPool2d(AdaptiveMaxPool1d):
    """AdaptiveMaxPool1d of an input (N, C, H, W) to (N, C, *output_size)."""

    _pool = staticmethod(F.adaptive_max_pool2d)
