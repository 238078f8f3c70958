"""The layers as functions of Variables, without a state of their own (v0.1.9; programs call it `F`).

Each makes and calls one Function of `legacy_autograd.functions`, or a few; shapes, formulas and errors stand there.
Names, order and defaults of the arguments are those of v0.1.12, and modern torch's where that came later. Losses take
`size_average` (and `reduce`) or `reduction`; what is said by the former goes before the latter.
"""

from .. import eras
from ..functions import activation, cat, conv, loss, normalization, pointwise, pooling, rectifiers
from ..functions import linear as products
from ..functions.windows import tuple_of
from ..tensor import LongTensor, Tensor
from ..tensor.wrapping import shown_size
from ..variable import Variable

# --- convolution and products


def linear(input, weight, bias=None):
    """input (…, in) times the transpose of weight (out, in), plus bias (out)."""
    return products.Linear()(*_given(input, weight, bias))[0]


def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """input (N, C, L) convolved with weight (O, C/groups, K), plus bias (O)."""
    return conv.Conv1d(stride, padding, dilation, groups)(*_given(input, weight, bias))[0]


def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """input (N, C, H, W) convolved with weight (O, C/groups, KH, KW), plus bias (O)."""
    return conv.Conv2d(stride, padding, dilation, groups)(*_given(input, weight, bias))[0]


def conv_transpose1d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """The transpose of conv1d: input (N, C, L), weight (C, O/groups, K), bias (O); returns (N, O, L').

    L' = (L - 1) stride - 2 padding + dilation (K - 1) + 1 + output_padding.
    """
    return _conv_transpose(
        "conv_transpose1d", 1, input, weight, bias, stride, padding, output_padding, groups, dilation
    )


def conv_transpose2d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """The transpose of conv2d: input (N, C, H, W), weight (C, O/groups, KH, KW), bias (O); see conv_transpose1d."""
    return _conv_transpose(
        "conv_transpose2d", 2, input, weight, bias, stride, padding, output_padding, groups, dilation
    )


def _conv_transpose(name, dims, input, weight, bias, stride, padding, output_padding, groups, dilation):
    stride = tuple_of(name, "stride", stride, dims, 1)
    dilation = tuple_of(name, "dilation", dilation, dims, 1)
    padding = tuple_of(name, "padding", padding, dims, 0)
    extra = tuple_of(name, "output_padding", output_padding, dims, 0)
    if any([e >= s for e, s in zip(extra, stride)]):
        raise ValueError(f"{name}: output_padding must be smaller than the stride, got {output_padding!r} and {stride}")
    check_variables(name, input, weight)
    if input.dim() != 2 + dims or weight.dim() != 2 + dims:
        raise ValueError(
            f"{name}: expected an input and a weight of {2 + dims} dimensions, got {input.dim()} and {weight.dim()}"
        )
    parts = zip(input.size()[2:], weight.size()[2:], stride, padding, dilation, extra)
    size = [(n - 1) * s - 2 * p + d * (k - 1) + 1 + e for n, k, s, p, d, e in parts]
    if min(size) < 1:
        raise ValueError(f"{name}: a padding of {padding} leaves nothing of the output, its size would be {size}")
    return conv.ConvTranspose(size, stride, padding, dilation, groups)(*_given(input, weight, bias))[0]


def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, sparse=False):
    """The rows of weight (count, dim) that the LongTensor `input` names, in its size with dim appended.

    With `max_norm` the rows that are named are first scaled down to that norm, in place. `sparse` is accepted; the
    gradient is dense all the same.
    """
    input = _constant(input)
    if padding_idx is not None:
        count = weight.size(0)
        if not -count <= padding_idx < count:
            raise ValueError(f"embedding: padding_idx {padding_idx} is out of range for a weight of {count} rows")
    function = products.Embedding(padding_idx, scale_grad_by_freq)
    if max_norm is not None:
        _scale_down(input.data, weight.data, max_norm, norm_type)
    return function(input, weight)[0]


def _scale_down(indices, weight, max_norm, norm_type):
    products.Embedding().forward(indices, weight)  # raises if an index is no row
    for row in sorted(set(indices.array.ravel().tolist())):
        norm = weight[row].norm(norm_type)
        if norm > max_norm:
            weight[row].mul_(max_norm / (norm + 1e-7))


# --- pooling


def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The largest number of every window of input (N, C, L); with `return_indices` also where it stands."""
    outputs = pooling.MaxPool1d(kernel_size, stride, padding, dilation, ceil_mode, return_indices)(input)
    return outputs if return_indices else outputs[0]


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """The largest number of every window of input (N, C, H, W); with `return_indices` also where it stands."""
    outputs = pooling.MaxPool2d(kernel_size, stride, padding, dilation, ceil_mode, return_indices)(input)
    return outputs if return_indices else outputs[0]


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """The mean of every window of input (N, C, L)."""
    return pooling.AvgPool1d(kernel_size, stride, padding, ceil_mode, count_include_pad)(input)[0]


def avg_pool2d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """The mean of every window of input (N, C, H, W)."""
    return pooling.AvgPool2d(kernel_size, stride, padding, ceil_mode, count_include_pad)(input)[0]


def adaptive_avg_pool2d(input, output_size):
    """input (N, C, H, W) as (N, C, *output_size): element i of n is the mean of rows iH/n to (i+1)H/n."""
    rows, columns = _adaptive(input, output_size)
    weights = [Variable(input.data.new(_means(spans)), requires_grad=False) for spans in (rows, columns)]
    return weights[0].matmul(input).matmul(weights[1].t())


def adaptive_max_pool2d(input, output_size):
    """As adaptive_avg_pool2d, with the largest number in place of the mean."""
    rows, columns = _adaptive(input, output_size)
    size = (*input.size()[:2], -1)
    parts = [input[:, :, a:b, c:d].contiguous().view(*size).max(2)[0] for a, b in rows for c, d in columns]
    return cat([part.contiguous().view(*size) for part in parts], 2).view(*size[:2], len(rows), len(columns))


def _adaptive(input, output_size):
    """For both dimensions the spans that the elements of the output stand for, as (first, last + 1)."""
    check_variables("adaptive pooling", input)
    counts = tuple_of("adaptive pooling", "output_size", output_size, 2, 1)
    if input.dim() != 4:
        raise ValueError(f"adaptive pooling: expected an input (N, C, H, W), got {input.dim()} dimensions")
    return [[(i * n // k, -(-(i + 1) * n // k)) for i in range(k)] for n, k in zip(input.size()[2:], counts)]


def _means(spans):
    """The matrix that takes the mean of each span."""
    return [[1 / (b - a) if a <= column < b else 0 for column in range(spans[-1][1])] for a, b in spans]


# --- the place of things: padding and larger images


def pad(input, pad, mode="constant", value=0):
    """`pad` elements more (fewer, where negative) at both ends of the last dimensions: (left, right, top, bottom, …).

    They are `value`, or by `mode` "reflect" the inner ones mirrored at the edge, which is not repeated, or by
    "replicate" the edge itself. ValueError for an odd number of elements or too many.
    """
    check_variables("pad", input)
    if len(pad) % 2 or len(pad) > 2 * input.dim():
        raise ValueError(f"pad: expected two numbers for each of up to {input.dim()} dimensions, got {tuple(pad)}")
    for number in range(len(pad) // 2):
        before, after = pad[2 * number : 2 * number + 2]
        if before or after:
            input = _padded(input, input.dim() - 1 - number, before, after, mode, value)
    return input


def _padded(input, dim, before, after, mode, value):
    length = input.size(dim)
    places = range(-before, length + after)
    if mode == "constant":
        kept = input.narrow(dim, max(0, -before), length + min(0, before) + min(0, after))
        ends = []
        for count in (before, after):
            size = [max(0, count) if d == dim else n for d, n in enumerate(input.size())]
            ends.append(Variable(input.data.new(*size).fill_(value), requires_grad=False))
        return cat([part for part in (ends[0], kept, ends[1]) if part.size(dim)], dim)
    if mode == "replicate":
        indices = [min(max(place, 0), length - 1) for place in places]
    elif mode == "reflect":
        if max(before, after) >= length:
            raise ValueError(f"pad: {before} and {after} elements cannot be mirrored at the ends of {length}")
        indices = [length - 1 - abs(length - 1 - abs(place)) for place in places]
    else:
        raise ValueError(f"pad: mode is constant, reflect or replicate, got {mode!r}")
    return input.index_select(dim, Variable(LongTensor(indices), requires_grad=False))


def pixel_shuffle(input, upscale_factor):
    """input (N, C r², H, W) as (N, C, H r, W r), r being the factor: r² channels are the pixels of a square.

    Shi et al., "Real-time single image and video super-resolution", 2016. ValueError if r² does not divide.
    """
    n, channels, height, width = _image("pixel_shuffle", input)
    r = upscale_factor
    if r < 1 or channels % (r * r):
        raise ValueError(f"pixel_shuffle: {channels} channels cannot be shared out to squares of {r}x{r}")
    squares = input.contiguous().view(n, channels // (r * r), r, r, height, width).permute(0, 1, 4, 2, 5, 3)
    return squares.contiguous().view(n, channels // (r * r), height * r, width * r)


def upsample_nearest(input, size=None, scale_factor=None):
    """input (N, C, H, W) with each pixel `scale_factor` times in both directions, or to `size`, a multiple of it."""
    n, channels, height, width = _image("upsample_nearest", input)
    rows, columns = _enlarged("upsample_nearest", (height, width), size, scale_factor)
    if rows % height or columns % width:
        raise ValueError(f"upsample_nearest: {rows}x{columns} is no multiple of the size {height}x{width}")
    wide = input.contiguous().view(n, channels, height, 1, width, 1)
    wide = wide.expand(n, channels, height, rows // height, width, columns // width)
    return wide.contiguous().view(n, channels, rows, columns)


def upsample_bilinear(input, size=None, scale_factor=None):
    """input (N, C, H, W) in another size, straight lines between its pixels; the corners stay what they are."""
    sizes = _image("upsample_bilinear", input)[2:]
    larger = _enlarged("upsample_bilinear", sizes, size, scale_factor)
    weights = [Variable(input.data.new(_lines(*pair)), requires_grad=False) for pair in zip(sizes, larger)]
    return weights[0].matmul(input).matmul(weights[1].t())


def _image(name, input):
    check_variables(name, input)
    if input.dim() != 4:
        raise ValueError(f"{name}: expected an input (N, C, H, W), got {input.dim()} dimensions")
    return tuple(input.size())


def _enlarged(name, sizes, size, scale_factor):
    if (size is None) == (scale_factor is None):
        raise ValueError(f"{name}: needs either size or scale_factor")
    if size is None:
        return [n * k for n, k in zip(sizes, tuple_of(name, "scale_factor", scale_factor, 2, 1))]
    return tuple_of(name, "size", size, 2, 1)


def _lines(length, count):
    """The matrix that reads `count` points, from end to end, off the straight lines between `length` of them."""
    rows = []
    for i in range(count):
        place = i * (length - 1) / (count - 1) if count > 1 else 0.0
        first = min(int(place), length - 1)
        row = [0.0] * length
        row[first] = 1 - (place - first)
        if place > first:
            row[first + 1] = place - first
        rows.append(row)
    return rows


# --- activations. `inplace` is accepted everywhere: the result is the same, the input keeps its numbers.


def threshold(input, threshold, value, inplace=False):
    """input where it is above the threshold, `value` elsewhere."""
    return rectifiers.Threshold(threshold, value)(input)[0]


def relu(input, inplace=False):
    """max(input, 0)."""
    return rectifiers.ReLU()(input)[0]


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    """input, but no less than min_val and no more than max_val."""
    return rectifiers.Hardtanh(min_val, max_val)(input)[0]


def relu6(input, inplace=False):
    """input, but no less than 0 and no more than 6."""
    return hardtanh(input, 0, 6)


def elu(input, alpha=1.0, inplace=False):
    """input where it is above 0, alpha (e^input - 1) elsewhere."""
    return rectifiers.ELU(alpha)(input)[0]


def leaky_relu(input, negative_slope=0.01, inplace=False):
    """input where it is above 0, negative_slope input elsewhere."""
    return rectifiers.LeakyReLU(negative_slope)(input)[0]


def prelu(input, weight):
    """input (N, C, …) where it is above 0, weight input elsewhere; weight has the size C or 1."""
    return rectifiers.PReLU()(input, weight)[0]


def softplus(input, beta=1, threshold=20):
    """ln(1 + e^(beta input)) / beta."""
    return rectifiers.Softplus(beta, threshold)(input)[0]


def logsigmoid(input):
    """ln(1 / (1 + e^-input))."""
    return rectifiers.LogSigmoid()(input)[0]


def sigmoid(input):
    """1 / (1 + e^-input)."""
    return pointwise.Sigmoid()(input)[0]


def tanh(input):
    """The hyperbolic tangent."""
    return pointwise.Tanh()(input)[0]


def softsign(input):
    """input / (1 + |input|)."""
    return input.div(input.abs().add(1))


def tanhshrink(input):
    """input - tanh(input)."""
    return input.sub(tanh(input))


def softshrink(input, lambd=0.5):
    """input moved by lambd towards 0, and 0 where that is nearer."""
    return relu(input.sub(lambd)).sub(relu(input.neg().sub(lambd)))


def hardshrink(input, lambd=0.5):
    """input, but 0 where it is between -lambd and lambd."""
    return input.masked_fill(input.abs().le(lambd), 0)


def softmax(input, dim=None):
    """e^input / Σ e^input along `dim`, by default 0 for one and three dimensions, 1 for two and four (v0.1.x)."""
    return activation.Softmax(dim)(input)[0]


def softmin(input, dim=None):
    """softmax of -input."""
    return softmax(input.neg(), dim)


def log_softmax(input, dim=None):
    """The logarithm of softmax."""
    return activation.LogSoftmax(dim)(input)[0]


def dropout(input, p=0.5, training=False, inplace=False):
    """Each element 0 with probability p, divided by 1 - p otherwise; the input itself without `training`.

    `training` has to be said: its default is v0.1.12's False (since 0.4.1 it is True).
    """
    function = products.Dropout(p)
    return function(input)[0] if training else input


def dropout2d(input, p=0.5, training=False, inplace=False):
    """Dropout of whole channels of input (N, C, …); the input itself without `training`."""
    function = products.FeatureDropout(p)
    return function(input)[0] if training else input


# --- normalization


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    """input (N, C, …), normalized for each channel: by the batch's statistics in training, else by the running ones.

    running_mean and running_var are Tensors, changed in place by training, or None.
    """
    if bias is not None and weight is None:
        raise ValueError("batch_norm: a bias needs a weight beside it")
    function = normalization.BatchNorm(_tensor(running_mean), _tensor(running_var), training, momentum, eps)
    return function(*_given(input, weight, bias))[0]


# --- losses


def reduction_of(size_average, reduce, reduction):
    """The two flags of v0.1.x and 0.2, None where they are not given, and today's word, as that word."""
    if size_average is None and reduce is None:
        return reduction
    if reduce is not None and not reduce:
        return "none"
    return "mean" if size_average is None or size_average else "sum"


def mse_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """(input - target)²."""
    return _pointwise(loss.MSELoss(reduction_of(size_average, reduce, reduction)), input, target)


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """|input - target|."""
    return _pointwise(loss.L1Loss(reduction_of(size_average, reduce, reduction)), input, target)


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    """The squared distance over 2 beta up to beta, the distance less beta / 2 beyond."""
    return _pointwise(loss.SmoothL1Loss(reduction_of(size_average, reduce, reduction), beta), input, target)


def kl_div(input, target, size_average=None, reduce=None, reduction="mean"):
    """target (ln target - input); "mean" is that of all elements, "batchmean" the sum over N."""
    return _pointwise(loss.KLDivLoss(reduction_of(size_average, reduce, reduction)), input, target)


def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    """-(target ln input + (1 - target) ln(1 - input))."""
    return _pointwise(loss.BCELoss(_tensor(weight), reduction_of(size_average, reduce, reduction)), input, target)


def binary_cross_entropy_with_logits(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None
):
    """binary_cross_entropy of sigmoid(input), without its loss of digits."""
    reduction = reduction_of(size_average, reduce, reduction)
    return _pointwise(loss.BCEWithLogitsLoss(_tensor(weight), reduction, _tensor(pos_weight)), input, target)


def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    """-weight[target] input[target], input (N, C, …) being logarithms of probabilities."""
    reduction = reduction_of(size_average, reduce, reduction)
    return _loss(loss.NLLLoss(_tensor(weight), reduction, ignore_index), input, target)


nll_loss2d = nll_loss


def cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    """nll_loss of log_softmax(input, 1)."""
    return nll_loss(log_softmax(input, 1), target, weight, size_average, ignore_index, reduce, reduction)


def pairwise_distance(x1, x2, p=2, eps=1e-6):
    """The p-norm of x1 - x2 + eps for each row of two (N, D); of size (N, 1), as in v0.1.x."""
    check_variables("pairwise_distance", x1, x2)
    return x1.sub(x2).add(eps).norm(p, 1)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """x1 x2 / max(|x1| |x2|, eps) along `dim`, which is left out."""
    check_variables("cosine_similarity", x1, x2)
    products = [a.mul(b).sum(dim, keepdim=False) for a, b in ((x1, x2), (x1, x1), (x2, x2))]
    return products[0].div(products[1].mul(products[2]).clamp(min=eps * eps).sqrt())


def margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    """max(0, -target (input1 - input2) + margin), the target being 1 where input1 is to be larger, else -1."""
    target = _constant(target)
    check_variables("margin_ranking_loss", input1, input2, target)
    distance = target.mul(input2.sub(input1)).add(margin)
    return _reduced(distance.clamp(min=0), reduction_of(size_average, reduce, reduction))


def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    """input where the target is 1, max(0, margin - input) where it is -1."""
    target = _constant(target)
    check_variables("hinge_embedding_loss", input, target)
    near, far = [target.data.eq(sign).type(input.data.type()) for sign in (1, -1)]
    elements = input.mul(_constant(near)).add(input.neg().add(margin).clamp(min=0).mul(_constant(far)))
    return _reduced(elements, reduction_of(size_average, reduce, reduction))


def cosine_embedding_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    """1 - cos of the rows of two (N, D) where the target is 1, max(0, cos - margin) where it is -1."""
    target = _constant(target)
    check_variables("cosine_embedding_loss", input1, input2, target)
    cosine = cosine_similarity(input1, input2)
    near, far = [target.data.eq(sign).type(cosine.data.type()) for sign in (1, -1)]
    elements = cosine.neg().add(1).mul(_constant(near)).add(cosine.sub(margin).clamp(min=0).mul(_constant(far)))
    return _reduced(elements, reduction_of(size_average, reduce, reduction))


def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """ln(1 + e^(-target input)), the target being 1 or -1."""
    target = _constant(target)
    check_variables("soft_margin_loss", input, target)
    elements = softplus(target.mul(input).neg())
    return _reduced(elements, reduction_of(size_average, reduce, reduction))


def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    """The mean over the classes of binary_cross_entropy_with_logits, input and target (N, C)."""
    elements = binary_cross_entropy_with_logits(input, target, weight, reduction="none").mean(1, keepdim=False)
    return _reduced(elements, reduction_of(size_average, reduce, reduction))


def multi_margin_loss(input, target, p=1, margin=1, weight=None, size_average=None, reduce=None, reduction="mean"):
    """Σ over the classes j other than the target's y of weight[y] max(0, margin - input[y] + input[j])^p / C."""
    target = _constant(target)
    check_variables("multi_margin_loss", input, target)
    if input.dim() != 2 or target.size() != input.size()[:1]:
        raise ValueError(
            f"multi_margin_loss: expected an input (N, C) and N targets, got the sizes {shown_size(input.size())} and "
            f"{shown_size(target.size())}"
        )
    right = input.gather(1, target.contiguous().view(-1, 1)).expand(*input.size())
    distance = input.sub(right).add(margin).clamp(min=0)
    if p != 1:
        distance = distance.pow(p)
    if weight is not None:
        factors = _tensor(weight).index_select(0, target.data).view(-1, 1).expand(*input.size()).contiguous()
        distance = distance.mul(_constant(factors))
    others = input.data.new(*input.size()).fill_(1).scatter_(1, target.data.contiguous().view(-1, 1), 0)
    elements = distance.mul(_constant(others)).mean(1, keepdim=False)
    return _reduced(elements, reduction_of(size_average, reduce, reduction))


def triplet_margin_loss(
    anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, size_average=None, reduce=None, reduction="mean"
):
    """max(0, d(anchor, positive) - d(anchor, negative) + margin), d being pairwise_distance.

    With `swap` the negative's distance is the smaller of those from the anchor and from the positive.
    """
    near, far = pairwise_distance(anchor, positive, p, eps), pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = far.cmin(pairwise_distance(positive, negative, p, eps))
    return _reduced(near.sub(far).add(margin).clamp(min=0), reduction_of(size_average, reduce, reduction))


def _reduced(elements, reduction):
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"a reduction is one of mean, sum, none, got {reduction!r}")
    return elements if reduction == "none" else getattr(elements, reduction)()


def _pointwise(function, input, target):
    target = _constant(target)
    if not eras.era.broadcast and isinstance(target, Variable) and target.size() != input.size():
        if target.numel() == input.numel():  # v0.1.x: taken point by point, whatever the sizes
            target = target.contiguous().view(*input.size())
    return function(input, target)[0]


def _loss(function, input, target):
    return function(input, _constant(target))[0]


# --- what is given


def _given(*variables):
    return [variable for variable in variables if variable is not None]


def check_variables(name, *inputs):
    """Raise TypeError for what is none, before its sizes are asked for."""
    for position, input in enumerate(inputs):
        if not isinstance(input, Variable):
            raise TypeError(f"{name}: argument {position} is a {type(input).__name__}, and has to be a Variable")


def _constant(target):
    """A target or index as a Variable: a plain Tensor is a constant."""
    return Variable(target, requires_grad=False) if isinstance(target, Tensor) else target


def _tensor(weight):
    """A weight of classes or elements, or a running mean, as a Tensor."""
    return weight.data if isinstance(weight, Variable) else weight
