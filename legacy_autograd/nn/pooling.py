"""Pooling layers (2016: `torch/nn/modules/pooling.py`)."""

from . import functional as F
from .conv import sizes_of
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


class AdaptiveAvgPool2d(Module):
    """An input (N, C, H, W) as (N, C, *output_size), each element the mean of its share of the rows and columns."""

    _pool = staticmethod(F.adaptive_avg_pool2d)

    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size

    def forward(self, input):
        return self._pool(input, self.output_size)

    def extra_repr(self):
        return f"{self.output_size}"


class AdaptiveMaxPool2d(AdaptiveAvgPool2d):
    """The same with the largest number of each share."""

    _pool = staticmethod(F.adaptive_max_pool2d)
