"""Convolution of any number of dimensions (v0.1.6: the same file)."""

from .. import functional as F
from ._operation import Operation

_CONVOLUTIONS = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}
_TRANSPOSED = {1: F.conv_transpose1d, 2: F.conv_transpose2d, 3: F.conv_transpose3d}


def ConvNd(stride, padding, dilation, transposed, output_padding, groups, benchmark=False, cudnn_enabled=True):
    """Return the convolution over `len(stride)` dimensions, as a function of input, weight and optionally bias.

    With `transposed` it is `F.conv_transpose1d` and so on, otherwise `F.conv1d` and so on. The last two arguments were
    for graphics cards and are ignored. Raises ValueError unless there are 1, 2 or 3 dimensions.
    """
    dims = len(stride)
    if dims not in _CONVOLUTIONS:
        raise ValueError(f"ConvNd: stride must have an entry for each of 1, 2 or 3 dimensions, got {stride!r}")
    if transposed:
        return Operation(
            lambda input, weight, bias=None: _TRANSPOSED[dims](
                input, weight, bias, stride, padding, output_padding, groups, dilation
            )
        )
    return Operation(
        lambda input, weight, bias=None: _CONVOLUTIONS[dims](input, weight, bias, stride, padding, dilation, groups)
    )
