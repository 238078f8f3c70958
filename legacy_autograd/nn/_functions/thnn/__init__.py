"""The functions that PyTorch generated from the header of its C library THNN (v0.1.2: the same folder)."""

from ....autograd.functions import activation as _activation
from ....autograd.functions import normalization as _normalization
from ....autograd.functions import pooling as _pooling
from ... import functional as F
from .._operation import Operation


def Threshold(threshold, value, inplace=False):
    """Return `F.threshold`, as a function of the input."""
    return Operation(lambda input: F.threshold(input, threshold, value, inplace))


def Hardtanh(min_val=-1, max_val=1, inplace=False):
    """Return `F.hardtanh`, as a function of the input."""
    return Operation(lambda input: F.hardtanh(input, min_val, max_val, inplace))


def ELU(alpha=1.0, inplace=False):
    """Return `F.elu`, as a function of the input."""
    return Operation(lambda input: F.elu(input, alpha, inplace))


def LeakyReLU(negative_slope=0.01, inplace=False):
    """Return `F.leaky_relu`, as a function of the input."""
    return Operation(lambda input: F.leaky_relu(input, negative_slope, inplace))


def PReLU():
    """Return `F.prelu`, as a function of the input and the weight."""
    return Operation(F.prelu)


def RReLU(lower, upper, train, inplace=False):
    """Return `F.rrelu`, as a function of the input."""
    return Operation(lambda input: F.rrelu(input, lower, upper, train, inplace))


def LogSigmoid():
    """Return `F.logsigmoid`, as a function of the input."""
    return Operation(F.logsigmoid)


def Sigmoid():
    """Return `F.sigmoid`, as a function of the input."""
    return Operation(F.sigmoid)


def Tanh():
    """Return `F.tanh`, as a function of the input."""
    return Operation(F.tanh)


def Hardshrink(lambd=0.5):
    """Return `F.hardshrink`, as a function of the input."""
    return Operation(lambda input: F.hardshrink(input, lambd))


def Softshrink(lambd=0.5):
    """Return `F.softshrink`, as a function of the input."""
    return Operation(lambda input: F.softshrink(input, lambd))


def Softplus(beta=1, threshold=20):
    """Return `F.softplus`, as a function of the input."""
    return Operation(lambda input: F.softplus(input, beta, threshold))


def Softmax():
    """Return `F.softmax`, as a function of the input."""
    return Operation(lambda input: _activation.Softmax()(input)[0])


def Softmin():
    """Return `F.softmin`, as a function of the input."""
    return Operation(F.softmin)


def LogSoftmax():
    """Return `F.log_softmax`, as a function of the input."""
    return Operation(lambda input: _activation.LogSoftmax()(input)[0])


def MaxPool1d(kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
    """Return `F.max_pool1d`, as a function of the input (N, C, L)."""
    return Operation(lambda x: F.max_pool1d(x, kernel_size, stride, padding, dilation, ceil_mode, return_indices))


def MaxPool2d(kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
    """Return `F.max_pool2d`, as a function of the input (N, C, H, W)."""
    return Operation(lambda x: F.max_pool2d(x, kernel_size, stride, padding, dilation, ceil_mode, return_indices))


def MaxPool3d(kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
    """Return `F.max_pool3d`, as a function of the input (N, C, D, H, W)."""
    return Operation(lambda x: F.max_pool3d(x, kernel_size, stride, padding, dilation, ceil_mode, return_indices))


def AvgPool2d(kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """Return `F.avg_pool2d`, as a function of the input (N, C, H, W)."""
    return Operation(lambda input: F.avg_pool2d(input, kernel_size, stride, padding, ceil_mode, count_include_pad))


def AvgPool3d(kernel_size, stride=None):
    """Return `F.avg_pool3d`, as a function of the input (N, C, D, H, W)."""
    return Operation(lambda input: F.avg_pool3d(input, kernel_size, stride))


def MaxUnpool2d(output_size):
    """Return `F.max_unpool2d` to `output_size`, (H, W), as a function of the input (N, C, h, w) and the indices."""
    return Operation(lambda input, indices: _pooling.MaxUnpool2d(output_size)(input, indices)[0])


def MaxUnpool3d(output_size, stride=None, padding=None):
    """Return `F.max_unpool3d` to `output_size`, (D, H, W), as a function of the input and the indices.

    `stride` and `padding` are ignored, because an index is a position in the output.
    """
    return Operation(lambda input, indices: _pooling.MaxUnpool3d(output_size)(input, indices)[0])


def FractionalMaxPool2d(kh, kw, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
    """Return `F.fractional_max_pool2d`, as a function of the input (N, C, H, W)."""
    return Operation(
        lambda x: F.fractional_max_pool2d(x, (kh, kw), output_size, output_ratio, return_indices, _random_samples)
    )


def AdaptiveMaxPool1d(output_size, return_indices=False):
    """Return `F.adaptive_max_pool1d`, as a function of the input (N, C, L)."""
    return Operation(lambda input: F.adaptive_max_pool1d(input, output_size, return_indices))


def AdaptiveAvgPool1d(output_size):
    """Return `F.adaptive_avg_pool1d`, as a function of the input (N, C, L)."""
    return Operation(lambda input: F.adaptive_avg_pool1d(input, output_size))


def AdaptiveMaxPool2d(output_size, return_indices=False):
    """Return `F.adaptive_max_pool2d`, as a function of the input (N, C, H, W)."""
    return Operation(lambda input: F.adaptive_max_pool2d(input, output_size, return_indices))


def AdaptiveAvgPool2d(output_size):
    """Return `F.adaptive_avg_pool2d`, as a function of the input (N, C, H, W)."""
    return Operation(lambda input: F.adaptive_avg_pool2d(input, output_size))


def UpsamplingNearest2d(size=None, scale_factor=None):
    """Return `F.upsample_nearest`, as a function of the input (N, C, H, W)."""
    return Operation(lambda input: F.upsample_nearest(input, size, scale_factor))


def UpsamplingBilinear2d(size=None, scale_factor=None):
    """Return `F.upsample_bilinear`, as a function of the input (N, C, H, W)."""
    return Operation(lambda input: F.upsample_bilinear(input, size, scale_factor))


def ReflectionPad2d(left, right, top, bottom):
    """Return `F.pad` with reflections, as a function of the input (N, C, H, W)."""
    return Operation(lambda input: F.pad(input, (left, right, top, bottom), "reflect"))


def ReplicationPad2d(left, right, top, bottom):
    """Return `F.pad` that repeats the edges, as a function of the input (N, C, H, W)."""
    return Operation(lambda input: F.pad(input, (left, right, top, bottom), "replicate"))


def ReplicationPad3d(left, right, top, bottom, front, back):
    """Return `F.pad` that repeats the edges, as a function of the input (N, C, D, H, W)."""
    return Operation(lambda input: F.pad(input, (left, right, top, bottom, front, back), "replicate"))


def CrossMapLRN2d(size, alpha=1e-4, beta=0.75, k=1):
    """Return the Function CrossMapLRN2d, as a function of the input (N, C, H, W)."""
    return Operation(lambda input: _normalization.CrossMapLRN2d(size, alpha, beta, k)(input)[0])


def Embedding(padding_idx=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, sparse=False):
    """Return `F.embedding`, as a function of the indices and the weight. A `padding_idx` of -1 is None."""
    padding_idx = None if padding_idx == -1 else padding_idx
    return Operation(
        lambda indices, weight: F.embedding(indices, weight, padding_idx, max_norm, norm_type, scale_grad_by_freq)
    )


def MSELoss(size_average=True):
    """Return `F.mse_loss`, as a function of the input and the target."""
    return Operation(lambda input, target: F.mse_loss(input, target, size_average))


def L1Loss(size_average=True):
    """Return `F.l1_loss`, as a function of the input and the target."""
    return Operation(lambda input, target: F.l1_loss(input, target, size_average))


def SmoothL1Loss(size_average=True):
    """Return `F.smooth_l1_loss`, as a function of the input and the target."""
    return Operation(lambda input, target: F.smooth_l1_loss(input, target, size_average))


def KLDivLoss(size_average=True):
    """Return `F.kl_div`, as a function of the input and the target."""
    return Operation(lambda input, target: F.kl_div(input, target, size_average))


def SoftMarginLoss(size_average=True):
    """Return `F.soft_margin_loss`, as a function of the input and the target."""
    return Operation(lambda input, target: F.soft_margin_loss(input, target, size_average))


def MultiLabelMarginLoss(size_average=True):
    """Return `F.multilabel_margin_loss`, as a function of the input and the target."""
    return Operation(lambda input, target: F.multilabel_margin_loss(input, target, size_average))


def MultiMarginLoss(size_average=True, p=1, margin=1, weight=None):
    """Return `F.multi_margin_loss`, as a function of the input and the target."""
    return Operation(lambda input, target: F.multi_margin_loss(input, target, p, margin, weight, size_average))


def BCELoss(size_average=True, weight=None):
    """Return `F.binary_cross_entropy`, as a function of the input and the target."""
    return Operation(lambda input, target: F.binary_cross_entropy(input, target, weight, size_average))


def NLLLoss(size_average=True, weight=None):
    """Return `F.nll_loss`, as a function of the input and the target."""
    return Operation(lambda input, target: F.nll_loss(input, target, weight, size_average))


NLLLoss2d = NLLLoss
