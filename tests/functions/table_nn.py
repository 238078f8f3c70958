import functools
import itertools

import numpy
import torch
from torch.nn import functional as F

from legacy_autograd.autograd.functions import activation, conv, linear, loss, normalization, pooling, rnn, rnn_layers
from legacy_autograd.tensor.base import wrap

from .table import cases, distinct, index, real

BASES = {"Convolving", "Maxima", "Pooling", "Rectifier", "Loss", "WeightedLoss", "Gates", "RecurrentLayer"}


def whole(*size, below):
    """Integers from 0 to `below` - 1."""
    return lambda rng: rng.integers(0, below, size)


# --- convolution

GEOMETRY = [  # the arguments of the constructor, the size of the input, of the kernel, the channels in and out
    ((), (5, 6), (3, 2), 2, 3),
    ((2,), (5, 6), (2, 2), 2, 3),  # a stride that does not divide
    (((2, 3), (1, 2)), (4, 7), (3, 3), 1, 2),
    ((1, 1, 2), (5, 5), (2, 3), 2, 1),
    ((1, 0, 1, 2), (4, 4), (2, 2), 4, 6),
    ((2, 1, 1, 3), (3, 4), (3, 3), 3, 3),  # every channel alone
    ((), (3, 3), (1, 1), 2, 2),
    ((), (3, 4), (3, 4), 2, 2),  # a kernel as large as the input
    ((3,), (1, 1), (1, 1), 1, 1),
]


def output_size(geometry, size, kernel):
    stride, padding, dilation, _ = *geometry, *(1, 0, 1, 1)[len(geometry) :]
    pair = [(x, x) if isinstance(x, int) else x for x in (stride, padding, dilation)]
    return tuple([(n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, s, p, d in zip(size, kernel, *pair)])


def convolutions():
    rows = []
    for geometry, size, kernel, channels, outputs in GEOMETRY:
        groups = geometry[3] if len(geometry) == 4 else 1
        x = real(2, channels, *size)
        w = real(outputs, channels // groups, *kernel)
        y = real(2, outputs, *output_size(geometry, size, kernel))
        convolved = lambda x, w, b=None, geometry=geometry: F.conv2d(x, w, b, *geometry)  # noqa: E731
        rows += cases(conv.Conv2d, convolved, (x, w), (x, w, real(outputs)), constants=geometry)

        def transposed(y, w, b=None, convolved=convolved, size=(2, channels, *size)):
            x = torch.zeros(size, dtype=w.dtype, requires_grad=True)
            (result,) = torch.autograd.grad(convolved(x, w), x, y, create_graph=True)
            return result if b is None else result + b.view(-1, 1, 1)

        rows += cases(conv.ConvTranspose, transposed, (y, w), (y, w, real(channels)), constants=(size, *geometry))

        def by_weight(x, y, convolved=convolved, size=(outputs, channels // groups, *kernel)):
            w = torch.zeros(size, dtype=x.dtype, requires_grad=True)
            return torch.autograd.grad(convolved(x, w), w, y, create_graph=True)[0]

        rows += cases(conv.ConvWeight, by_weight, (x, y), constants=(kernel, *geometry))
    for geometry in ((), (2, 1), (1, 2, 2)):
        rows += cases(
            conv.Conv1d,
            lambda x, w, b=None, geometry=geometry: F.conv1d(x, w, b, *geometry),
            (real(2, 2, 6), real(3, 2, 3)),
            (real(2, 2, 6), real(3, 2, 3), real(3)),
            constants=geometry,
        )
    for geometry in ((), (2, (1, 0, 1)), (1, 1, (2, 1, 1), 2)):
        groups = geometry[3] if len(geometry) == 4 else 1
        x, w = real(2, 2, 3, 4, 3), real(2, 2 // groups, 2, 3, 2)
        rows += cases(
            conv.Conv3d,
            lambda x, w, b=None, geometry=geometry: F.conv3d(x, w, b, *geometry),
            (x, w),
            (x, w, real(2)),
            constants=geometry,
        )
    return rows


# --- pooling


def poolings():
    rows = []
    for constants, size in (
        ((2,), (4, 6)),
        ((2,), (5, 5)),
        ((3, 2), (6, 7)),
        (((2, 3), (1, 2), (1, 1)), (4, 5)),
        ((2, 1, 1, 2), (5, 4)),
        ((3, 2, 1, 1, True), (4, 6)),
        ((1,), (2, 3)),
        (((3, 4),), (3, 4)),
    ):
        rows += cases(
            pooling.MaxPool2d, lambda x, c=constants: F.max_pool2d(x, *c), distinct(2, 2, *size), constants=constants
        )
        if len(constants) > 3:
            constants = (*constants[:3], len(constants) > 4)
        for include in (True, False):
            rows += cases(
                pooling.AvgPool2d,
                lambda x, c=constants, i=include: F.avg_pool2d(x, *c, count_include_pad=i),
                real(2, 2, *size),
                constants=constants,
                named={"count_include_pad": include},
            )
    rows += cases(
        pooling.MaxPool2d,
        lambda x: F.max_pool2d(x, 2, return_indices=True),
        distinct(2, 2, 4, 5),
        constants=(2,),
        named={"return_indices": True},
    )
    rows += cases(pooling.MaxPool1d, lambda x: F.max_pool1d(x, 3, 2), distinct(2, 2, 7), constants=(3, 2))
    rows += cases(pooling.AvgPool1d, lambda x: F.avg_pool1d(x, 3, 2, 1), real(2, 2, 7), constants=(3, 2, 1))
    for constants, size in (((2,), (3, 4, 5)), (((2, 1, 3), (1, 2, 2), (1, 0, 1)), (3, 4, 4))):
        rows += cases(
            pooling.MaxPool3d, lambda x, c=constants: F.max_pool3d(x, *c), distinct(2, 2, *size), constants=constants
        )
        rows += cases(
            pooling.AvgPool3d, lambda x, c=constants: F.avg_pool3d(x, *c), real(2, 2, *size), constants=constants
        )

    pooled = pooling.AvgPool2d(2, 1, 1)
    pooled.forward(wrap(numpy.zeros((1, 2, 3, 4))))

    def spread(y):
        x = torch.zeros(1, 2, 3, 4, dtype=y.dtype, requires_grad=True)
        return torch.autograd.grad(F.avg_pool2d(x, 2, 1, 1), x, y, create_graph=True)[0]

    rows += cases(pooling.AvgPoolBackward, spread, real(1, 2, 4, 5), constants=(pooled,))
    places = numpy.array([[0, 5, 3], [1, 4, 2]])
    for function in (pooling.PoolScatter, pooling.PoolGather):
        if function is pooling.PoolScatter:
            reference, size = lambda x: torch.zeros(7, dtype=x.dtype).index_put((torch.tensor(places),), x), (2, 3)
        else:
            reference, size = lambda x: x[torch.tensor(places)], (7,)
        rows += cases(function, reference, real(*size), constants=(places, (7,), False))
    twice = numpy.array([0, 5, 0, 3])
    rows += cases(
        pooling.PoolScatter,
        lambda x: torch.zeros(7, dtype=x.dtype).index_add(0, torch.tensor(twice), x),
        real(4),
        constants=(twice, (7,), True),
    )
    return rows


def unpoolings():
    rows = []
    for dims, places, size in (
        (1, [[[0, 3, 4], [6, 1, 2]]], (7,)),
        (2, [[[[0, 7]], [[11, 3]]]], (3, 4)),
        (3, [[[[[0, 7]], [[11, 3]]]]], (3, 2, 3)),
    ):
        unpool = getattr(F, f"max_unpool{dims}d")
        rows += cases(
            getattr(pooling, f"MaxUnpool{dims}d"),
            lambda x, i, unpool=unpool, size=size: unpool(x.contiguous(), i.contiguous(), 2, 2, 0, size),
            (real(*numpy.shape(places)), index(places)),
            constants=(size,),
        )
    for constants, size in (((2, (3, 2)), (5, 4)), (((1, 3), None, (0.5, 0.4)), (4, 7)), ((2, (1, 3)), (3, 4))):
        samples = numpy.random.default_rng(0).random((2, 3, 2))
        rows += cases(
            pooling.FractionalMaxPool2d,
            lambda x, c=constants, s=samples: F.fractional_max_pool2d(
                x, *c, return_indices=True, _random_samples=torch.tensor(s, dtype=x.dtype)
            ),
            distinct(2, 3, *size),
            constants=constants,
            named={"return_indices": True, "samples": wrap(samples)},
        )
    for kept in (False, True):
        for count, size in ((3, (7,)), (4, (3,)), (1, (5,))):
            rows += cases(
                pooling.AdaptiveMaxPool1d,
                lambda x, n=count, k=kept: F.adaptive_max_pool1d(x, n, return_indices=k),
                distinct(2, 3, *size),
                constants=(count, kept),
            )
        for count, size in (((3, 2), (7, 5)), (2, (4, 4)), ((1, 5), (3, 4))):
            rows += cases(
                pooling.AdaptiveMaxPool2d,
                lambda x, n=count, k=kept: F.adaptive_max_pool2d(x, n, return_indices=k),
                distinct(2, 3, *size),
                constants=(count, kept),
            )
    return rows


# --- activations


def rectified():
    away = real(3, 4, away_from=(0, -1, 1, 0.5))
    rows = [
        *cases(activation.Threshold, lambda x: F.threshold(x, 0.5, -3.0), away, constants=(0.5, -3.0)),
        *cases(activation.ReLU, F.relu, away, real(0, 3), real(2, 3, 2, away_from=(0,))),
        *cases(activation.Hardtanh, F.hardtanh, away),
        *cases(
            activation.Hardtanh, lambda x: F.hardtanh(x, -0.5, 1), real(8, away_from=(-0.5, 1)), constants=(-0.5, 1)
        ),
        *cases(activation.LeakyReLU, F.leaky_relu, away),
        *cases(activation.LeakyReLU, lambda x: F.leaky_relu(x, 1.5), away, constants=(1.5,)),
        *cases(activation.RReLU, F.rrelu, away, real(0, 3)),
        *cases(activation.RReLU, lambda x: F.rrelu(x, 0.3, 0.3, True), away, constants=(0.3, 0.3, True)),
        *cases(activation.ELU, F.elu, away),
        *cases(activation.ELU, lambda x: F.elu(x, 0.3), away, constants=(0.3,)),
        *cases(activation.SELU, F.selu, away),
        *cases(activation.Softplus, F.softplus, away),
        *cases(activation.Softplus, lambda x: F.softplus(x, 3, 2), real(8, away_from=(2 / 3,)), constants=(3, 2)),
        *cases(activation.Softplus, F.softplus, real(9, low=-60, high=60, away_from=(20,)), note="large"),
        *cases(activation.LogSigmoid, F.logsigmoid, away),
        *cases(activation.LogSigmoid, F.logsigmoid, real(9, low=-800, high=800), note="large"),
        *cases(activation.PReLU, F.prelu, (away, real(4)), (away, real(1)), (real(2, 3, 2, away_from=(0,)), real(3))),
        *cases(activation.PReLU, F.prelu, (real(5, away_from=(0,)), real(1))),
    ]
    x = numpy.random.default_rng(0).uniform(-2, 2, (3, 4))
    rows += cases(
        activation.Gate,
        lambda g, x: torch.where((x > -1) & (x < 1), g, torch.zeros_like(g)) + 0 * x.nan_to_num(),
        (real(3, 4), lambda rng: x.copy()),
        constants=(-1, 1),
    )
    rows += cases(
        activation.Slope,
        lambda g, x: torch.where(x > 0, g, 0.2 * g) + 0 * x,
        (real(3, 4), lambda rng: x.copy()),
        constants=(0.2,),
    )
    return rows


# --- products, rows, dropout


def weighted():
    def dropped(function, p, reference, *inputs):
        return cases(function, reference, *inputs, constants=(p,))

    rows = [
        *cases(linear.Linear, F.linear, (real(3, 4), real(2, 4)), (real(3, 4), real(2, 4), real(2))),
        *cases(linear.Linear, F.linear, (real(2, 3, 4), real(2, 4), real(2)), (real(4), real(2, 4), real(2))),
        *cases(linear.Linear, F.linear, (real(0, 4), real(2, 4), real(2)), (real(1, 1), real(1, 1), real(1))),
        *cases(
            linear.Bilinear,
            F.bilinear,
            (real(3, 4), real(3, 5), real(2, 4, 5)),
            (real(3, 4), real(3, 5), real(2, 4, 5), real(2)),
            (real(3, 2), real(3, 2), real(2, 2, 2)),  # x1 and x2 have equally many elements
            (real(1, 1), real(1, 1), real(1, 1, 1), real(1)),
            (real(0, 2), real(0, 3), real(2, 2, 3), real(2)),
        ),
        *cases(linear.Embedding, F.embedding, (whole(2, 3, below=5), real(5, 4)), (whole(7, below=2), real(2, 1))),
        *cases(
            linear.Embedding,
            lambda i, w: F.embedding(i, w, 1),
            (whole(9, below=3), real(3, 2)),
            constants=(1,),
            numerical=False,
        ),
        *cases(
            linear.Embedding,
            lambda i, w: F.embedding(i, w, None, None, 2.0, True),
            (whole(9, below=3), real(4, 2)),
            constants=(None, True),
            numerical=False,
        ),
        *cases(
            linear.EmbeddingBackward,
            lambda g, i: torch.zeros(5, 4, dtype=g.dtype).index_add(0, i.reshape(-1), g.reshape(-1, 4)),
            (real(2, 3, 4), whole(2, 3, below=5)),
            (real(0, 4), whole(0, below=5)),
            constants=(5, None, False),
        ),
        # The probabilities at which nothing is left to chance; tests/nn has the others.
        *dropped(linear.Dropout, 0, lambda x: x * 1, real(3, 4)),
        *dropped(linear.Dropout, 1, lambda x: x * 0, real(3, 4)),
        *dropped(linear.FeatureDropout, 0, lambda x: x * 1, real(3, 4, 2)),
    ]
    return rows


# --- normalization and gates


def normalized():
    rows = []
    for size in ((4, 3), (2, 3, 4), (2, 3, 2, 2)):
        inputs = (real(*size), real(3), real(3))
        rows += cases(
            normalization.BatchNorm,
            lambda x, w=None, b=None: F.batch_norm(x, None, None, w, b, True),
            inputs[:1],
            inputs,
            inputs[:2],
            named={"training": True},
        )

    def response(x, size, alpha=1e-4, beta=0.75, k=1):
        """The sums as torch.nn.CrossMapLRN2d has them: each from the one before, and channel 0 stays."""
        reach, sums, square = (size - 1) // 2, [], x * x
        for channel in range(x.shape[1]):
            window = square[:, max(0, channel - reach) : channel + reach + 1].sum(1)
            sums.append(window + (square[:, 0] if channel > reach else 0))
        return x * (k + alpha / size * torch.stack(sums, 1)) ** -beta

    for constants in ((3, 0.7, 0.75, 1), (5, 2.0, 0.5, 0.3), (4, 1.0), (1, 1.0)):
        rows += cases(
            normalization.CrossMapLRN2d,
            lambda x, c=constants: response(x, *c),
            real(2, 7, 2, 1),
            real(1, 2, 1, 2),
            constants=constants,
        )
    return rows


def gated():
    def lstm(x, c):
        i, f, g, o = x.chunk(4, 1)
        c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        return o.sigmoid() * c.tanh(), c

    def gru(x, y, h):
        (x_r, x_z, x_n), (y_r, y_z, y_n) = x.chunk(3, 1), y.chunk(3, 1)
        z = (x_z + y_z).sigmoid()
        return (1 - z) * (x_n + (x_r + y_r).sigmoid() * y_n).tanh() + z * h

    def layer(mode):
        """Modern torch's layer, called as the Function is: with the weights, and for each sequence by itself."""

        def reference(x, *others, sizes=None, reverse=False):
            state, weights = others[: 1 + (mode == "lstm")], others[1 + (mode == "lstm") :]
            run, flip = getattr(torch, mode), (lambda x: x.flip(0)) if reverse else (lambda x: x)
            starts = [0, *itertools.accumulate(sizes or ())]
            numbers = range(sizes[0] if sizes else x.shape[1])
            outputs, final = [], []
            for number in numbers:
                rows = [start + number for start, size in zip(starts, sizes or ()) if size > number]
                alone = x[rows][:, None] if sizes else x[:, number : number + 1]
                h = [part[:, number : number + 1].contiguous() for part in state]
                h = h if mode == "lstm" else h[0]
                output, *h = run(flip(alone), h, weights, len(weights) > 2, 1, 0.0, False, False, False)
                outputs.append(flip(output))
                final.append(h)
            final = [torch.cat(parts, 1) for parts in zip(*final)]
            if not sizes:
                return torch.cat(outputs, 1), *final
            rows = [outputs[number][step, 0] for step, size in enumerate(sizes) for number in range(size)]
            return torch.stack(rows), *final

        return reference

    def layers(function, mode, gates, states):
        def given(x, batch, size, hidden, bias):
            sizes = (gates * hidden, size), (gates * hidden, hidden), (gates * hidden,), (gates * hidden,)
            weights = [real(*size, low=-0.7, high=0.7) for size in sizes]  # in floats 1 - tanh² has few digits near 1
            return (x, *[real(1, batch, hidden)] * states, *weights[: 4 if bias else 2])

        packed = ([3, 2, 2, 1], True)
        run = functools.partial(layer(mode), sizes=packed[0])
        return [
            *cases(function, layer(mode), given(real(3, 2, 3), 2, 3, 2, True), given(real(1, 1, 2), 1, 2, 3, False)),
            *cases(function, run, given(real(8, 2), 3, 2, 3, True), constants=packed[:1]),
            *cases(
                function,
                functools.partial(run, reverse=True),
                given(real(8, 2), 3, 2, 2, False),
                given(real(8, 1), 3, 1, 2, True),
                constants=packed,
            ),
        ]

    return [
        *layers(rnn_layers.LSTMLayer, "lstm", 4, 2),
        *layers(rnn_layers.GRULayer, "gru", 3, 1),
        *layers(rnn_layers.RNNTanhLayer, "rnn_tanh", 1, 1),
        *layers(rnn_layers.RNNReLULayer, "rnn_relu", 1, 1),
        *cases(rnn.LSTMGates, lstm, (real(2, 12), real(2, 3)), (real(1, 4), real(1, 1))),
        *cases(rnn.GRUGates, gru, (real(2, 9), real(2, 9), real(2, 3))),
    ]


# --- losses


def margins(x, target, reduction):
    """multilabel_margin_loss, which modern torch cannot differentiate twice."""
    losses = []
    for row, classes in zip(x.reshape(-1, x.shape[-1]), target.reshape(-1, x.shape[-1]).tolist()):
        classes = list(itertools.takewhile(lambda c: c >= 0, classes))
        others = [c for c in range(len(row)) if c not in classes]
        losses.append(sum([(1 - row[c] + row[others]).clamp(min=0).sum() for c in classes], 0 * row.sum()) / len(row))
    losses = torch.stack(losses)
    return losses if reduction == "none" else getattr(losses, reduction)()


def losses():
    rows = []
    apart = lambda rng: real(3, 4, low=3, high=5)(rng) * numpy.sign(rng.uniform(-1, 1, (3, 4)))  # noqa: E731
    for name, x, target, reference in (
        ("MSELoss", real(3, 4), real(3, 4), F.mse_loss),
        ("L1Loss", apart, real(3, 4), F.l1_loss),
        ("SmoothL1Loss", apart, real(3, 4), F.smooth_l1_loss),
        ("SmoothL1Loss", real(3, 4, low=0, high=0.4), real(3, 4, low=0, high=0.4), F.smooth_l1_loss),
        ("KLDivLoss", real(3, 4), real(3, 4, low=0.1, high=1), F.kl_div),
        ("BCELoss", real(3, 4, low=0.1, high=0.9), real(3, 4, low=0, high=1), F.binary_cross_entropy),
        (
            "BCEWithLogitsLoss",
            real(3, 4, low=-9, high=9),
            real(3, 4, low=0, high=1),
            F.binary_cross_entropy_with_logits,
        ),
    ):
        function = getattr(loss, name)
        for reduction in function.reductions:
            rows += cases(
                function,
                lambda x, t, reference=reference, reduction=reduction: reference(x, t, reduction=reduction),
                (x, target),
                named={"reduction": reduction},
            )
    rows += cases(
        loss.SmoothL1Loss,
        lambda x, t: F.smooth_l1_loss(x, t, beta=0.5),
        (apart, real(3, 4)),
        named={"beta": 0.5},
    )
    for reduction in loss.REDUCTIONS:
        for target in (0, 2):
            rows += cases(
                loss.NLLLoss,
                lambda x, t, r=reduction: F.nll_loss(x[None], t, reduction=r),
                (real(3), index([target])),
                named={"reduction": reduction},
            )
        for ignored in (-100, 1):
            rows += cases(
                loss.NLLLoss,
                lambda x, t, r=reduction, i=ignored: F.nll_loss(
                    x.contiguous(), t.contiguous(), reduction=r, ignore_index=i
                ),
                (real(4, 3), lambda rng: numpy.array([2, 1, 0, 2])),
                (real(2, 3, 2, 2), lambda rng: numpy.array([[[0, 1], [2, 2]], [[0, 0], [1, 2]]])),
                named={"reduction": reduction, "ignore_index": ignored},
            )
        targets = [[1, 3, -1, 0], [-1, 0, 0, 0], [2, 2, 0, 3], [0, 1, 2, 3]]
        rows += cases(
            loss.MultiLabelMarginLoss,
            lambda x, t, r=reduction: margins(x, t, r),
            (real(4, 4, low=-1, high=1), index(targets)),
            (real(4, low=-1, high=1), index(targets[0])),
            named={"reduction": reduction},
        )
    function = loss.NLLLoss(reduction="sum")
    function.input_size = (4, 3)
    rows += cases(
        loss.NLLBackward,
        lambda g, t: -g * F.one_hot(t, 3).to(g.dtype),
        (real(1), lambda rng: numpy.array([2, 1, 0, 2])),
        constants=(function,),
    )
    return rows


CASES = [
    *convolutions(), *poolings(), *unpoolings(), *rectified(), *weighted(), *normalized(), *gated(), *losses(),
]  # fmt: skip
