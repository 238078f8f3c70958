"""Random networks: hypothesis draws one to three layers and a loss, which run here and in modern torch.

Options are drawn wide: uneven strides, paddings and dilations, groups, a batch of one, dimensions of size one, and now
and then one that does not fit. While a network is drawn, modern torch runs it, since the next layer depends on the size
of the last result. A layer that torch refuses ends the network.

programs.py says how to repeat a failure.
"""

import warnings
from dataclasses import dataclass, field

import numpy
import torch
from hypothesis import strategies as st

import legacy_autograd
from legacy_autograd.autograd import Variable

MOST_ELEMENTS = 300


@dataclass
class Layer:
    """`inputs`: further inputs, as (size, lowest, highest); `name`: that of a module, or of a function after "F."."""

    name: str
    arguments: tuple = ()
    options: dict = field(default_factory=dict)
    inputs: list = field(default_factory=list)

    def __repr__(self):
        arguments = [*map(repr, self.arguments), *[f"{key}={value!r}" for key, value in self.options.items()]]
        return f"{self.name}({', '.join(arguments)})" + (f" with {self.inputs}" if self.inputs else "")


@dataclass
class Network:
    """`size` is that of the input; integers below `rows`, where that is given. The last layer may be a loss.

    With `rounded` all inputs are halves of small integers, so that numbers are equal, zero, or at a limit.
    """

    size: tuple
    rows: int | None
    dtype: str
    seed: int
    training: bool
    rounded: bool
    layers: list = field(default_factory=list)

    def run(self, library, shift=0.0):
        """All numbers of the network by name, and the layer that failed with its error, or None twice.

        They are the results, the buffers, the gradients of all inputs and parameters, and in double precision the
        second derivatives. `shift` is a relative change of the input and of each result, as rounding is.
        """
        numbers = {}
        try:
            return numbers, self._derive(library, numbers, shift), None
        except Refused as refusal:
            return numbers, refusal.layer, refusal.__cause__

    def _derive(self, library, numbers, shift):
        random = numpy.random.default_rng(self.seed)
        leaves, results, modules = {}, {}, []
        x = self._input(library, random, shift)
        if self.rows is None:
            leaves["input"] = x
        for position, layer in enumerate(self.layers):
            try:
                module = library.make(layer, self.dtype)
                library.fill(module, random, self.training)
                inputs = [self._further(library, random, *kind) for kind in layer.inputs]
                x, others = library.call(module, layer, x, inputs)
            except Exception as error:
                raise Refused(position) from error
            if shift and library.is_floating(x):
                noise = numpy.random.default_rng(position).uniform(-1, 1, tuple(x.size())).astype(self.dtype)
                x = x + shift * numpy.abs(library.numpy(x)).max(initial=0) * library.tensor(noise)
            modules.append(module)
            results[f"result {position}"] = x
            results |= {f"result {position}.{i}": other for i, other in enumerate(others)}
            leaves |= {f"layer {position}, {name}": p for name, p in library.parameters(module)}
            leaves |= {f"layer {position}, input {i}": v for i, v in enumerate(inputs) if v.requires_grad}
        numbers |= {name: library.numpy(value) for name, value in results.items()}
        for position, module in enumerate(modules):
            numbers |= {f"layer {position}, {name}": library.numpy(b) for name, b in library.buffers(module)}
        floating = [v for v in results.values() if library.is_floating(v) and v.requires_grad]
        if not floating or not leaves:
            return None
        second = self.dtype == "float64" and not any(map(self._second_is_wrong_in_torch, self.layers))
        weights = [random.uniform(0.5, 1.5, numpy.shape(library.numpy(v))) for v in floating]
        try:
            grads = library.grad(floating, list(leaves.values()), weights, second)
        except Exception as error:
            raise Refused(len(self.layers)) from error
        numbers |= {f"gradient of {name}": g for name, g in zip(leaves, map(library.gradient, grads, leaves.values()))}
        if second:
            numbers |= self._second(library, leaves, grads)
        return None

    def _second_is_wrong_in_torch(self, layer):
        """It leaves out `scale_grad_by_freq`. At 0, which an earlier layer may give, that of the cosine is nan, and
        that of PReLU takes its slope from the right, where the first derivative takes it from the left.
        """
        may_be_0 = self.rounded or len(self.layers) > 1
        return layer.options.get("scale_grad_by_freq") or (may_be_0 and layer.name in ("PReLU", "CosineSimilarity"))

    @staticmethod
    def _second(library, leaves, grads):
        """The gradients of the sum of the squares of all gradients."""
        grads = [g for g in grads if g is not None and g.requires_grad]
        try:
            squares = [library.total(g * g) for g in grads]
            again = library.grad(squares, list(leaves.values()), [numpy.ones(1)] * len(squares), False) if grads else []
        except library.lacks_second_derivatives:
            return {}
        again = again or [None] * len(leaves)
        return {f"second gradient of {n}": library.gradient(g, v) for (n, v), g in zip(leaves.items(), again)}

    def _input(self, library, random, shift):
        if self.rows is not None:
            return library.variable(random.integers(0, self.rows, self.size))
        return library.variable(self._uniform(random, -2, 2, self.size, shift))

    def _further(self, library, random, size, lowest, highest):
        """Targets that are classes or signs are drawn from a list, or from a range of integers."""
        if isinstance(lowest, list):
            return library.variable(random.choice(lowest, size).astype(highest), requires_grad=False)
        return library.variable(self._uniform(random, lowest, highest, size))

    def _uniform(self, random, lowest, highest, size, shift=0.0):
        x, noise = random.uniform(lowest, highest, size), random.uniform(-1, 1, size)
        x = numpy.round(2 * x) / 2 if self.rounded else x
        return (x + shift * noise).astype(self.dtype)


class Refused(Exception):
    def __init__(self, layer):
        super().__init__(layer)
        self.layer = layer


@dataclass
class Call:
    """A function with all arguments but the inputs, in place of a module."""

    function: callable
    arguments: list

    def __call__(self, *inputs):
        return self.function(*inputs, *self.arguments)


class Library:
    """What both libraries do alike; a subclass has the names that differ."""

    @classmethod
    def make(cls, layer, dtype):
        arguments = [cls.converted(a, dtype) for a in layer.arguments]
        options = {key: cls.converted(value, dtype) for key, value in layer.options.items()}
        if layer.name.startswith("F."):
            function = getattr(cls.nn.functional, layer.name[2:])
            return Call(function, arguments)
        options |= cls.always.get(layer.name, {})
        return cls.cast(getattr(cls.nn, layer.name)(*arguments, **options), dtype)

    @classmethod
    def converted(cls, value, dtype):
        if not isinstance(value, Weight):
            return value
        array = numpy.array(value.numbers, dtype)
        return cls.variable(array) if value.learned else cls.tensor(array)

    @classmethod
    def fill(cls, module, random, training):
        if not isinstance(module, cls.nn.Module):
            return
        module.training = training
        for _, p in sorted(module.named_parameters(), key=lambda pair: pair[0]):
            p.data.copy_(cls.tensor(random.uniform(-1, 1, tuple(p.size()))))
        for name, buffer in cls.buffers(module):
            if "running" in name:
                buffer.copy_(cls.tensor(random.uniform(0.5, 1.5, tuple(buffer.size()))))

    @classmethod
    def call(cls, module, layer, x, inputs):
        """The result for the next layer, and the others."""
        state = inputs
        if layer.name.startswith("LSTM") and inputs:
            state = [tuple(inputs)]
        result = module(x, *state)
        return cls.flat(result)[0], cls.flat(result)[1:]

    @classmethod
    def flat(cls, result):
        return [x for part in result for x in cls.flat(part)] if isinstance(result, (tuple, list)) else [result]

    @classmethod
    def parameters(cls, module):
        if isinstance(module, Call):
            return [(f"argument {i}", a) for i, a in enumerate(module.arguments) if getattr(a, "requires_grad", False)]
        return sorted(module.named_parameters(), key=lambda p: p[0])

    @classmethod
    def gradient(cls, grad, leaf):
        return numpy.zeros(tuple(leaf.size()), cls.numpy(leaf).dtype) if grad is None else cls.numpy(grad)


class Ours(Library):
    nn = legacy_autograd.nn
    always = {}
    lacks_second_derivatives = ()

    @staticmethod
    def tensor(array):
        return legacy_autograd.from_numpy(numpy.array(array))

    @classmethod
    def variable(cls, array, requires_grad=None):
        wanted = array.dtype.kind == "f" if requires_grad is None else requires_grad
        return Variable(cls.tensor(array), requires_grad=wanted)

    @staticmethod
    def cast(module, dtype):
        return module.double() if dtype == "float64" else module.float()

    @staticmethod
    def buffers(module):
        own = getattr(module, "_buffers", {})
        return [(name, b) for name, b in sorted(own.items()) if b is not None]

    @staticmethod
    def is_floating(x):
        return x.data.array.dtype.kind == "f"

    @staticmethod
    def numpy(x):
        return x.data.array.copy()

    @staticmethod
    def total(x):
        return x.sum()

    @classmethod
    def grad(cls, outputs, inputs, weights, create_graph):
        weights = [cls.tensor(w.astype(v.data.array.dtype)) for w, v in zip(weights, outputs)]
        return legacy_autograd.autograd.grad(outputs, inputs, weights, allow_unused=True, create_graph=create_graph)


class ModernTorch(Library):
    nn = torch.nn
    tensor = staticmethod(torch.tensor)
    # What v0.1.12 did without being told.
    always = {
        **dict.fromkeys(("InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d"), {"track_running_stats": True}),
        "PairwiseDistance": {"keepdim": True},
    }
    lacks_second_derivatives = RuntimeError

    @staticmethod
    def variable(array, requires_grad=None):
        wanted = array.dtype.kind == "f" if requires_grad is None else requires_grad
        return torch.tensor(array, requires_grad=wanted)

    @staticmethod
    def cast(module, dtype):
        return module.to(getattr(torch, dtype))

    @staticmethod
    def buffers(module):
        own = getattr(module, "_buffers", {})
        return [(name, b) for name, b in sorted(own.items()) if b is not None and name != "num_batches_tracked"]

    @staticmethod
    def is_floating(x):
        return x.is_floating_point()

    @staticmethod
    def numpy(x):
        """A result without dimensions has one element here."""
        return numpy.atleast_1d(x.detach().numpy(force=True)).copy()

    @staticmethod
    def total(x):
        return x.sum().reshape(1)

    @classmethod
    def grad(cls, outputs, inputs, weights, create_graph):
        weights = [torch.tensor(w, dtype=v.dtype).reshape(v.shape) for w, v in zip(weights, outputs)]
        return torch.autograd.grad(outputs, inputs, weights, create_graph=create_graph, allow_unused=True)


@dataclass
class Weight:
    """A tensor among the options: its numbers, as nested lists; `learned` if it gets a gradient."""

    numbers: list
    learned: bool = False


# --- the layers


def one_of(*values):
    return st.sampled_from(values)


def seldom(value, usual):
    """`usual`, and one time in twenty `value`, which as a rule does not fit; `usual` may be a strategy."""
    usual = usual if isinstance(usual, st.SearchStrategy) else st.just(usual)
    return st.integers(0, 19).flatmap(lambda n: st.just(value) if n == 19 else usual)


def extents(dims, least, most, too_small=0):
    """One integer for all dimensions, or one for each; seldom one that is too small."""
    each = seldom(too_small, st.integers(least, most))
    return each if dims == 1 else st.one_of(each, st.tuples(*[each] * dims))


def channels(draw, size):
    actual = size[1] if len(size) > 1 else 1
    return draw(seldom(actual + 1, actual))


def divisor_of(draw, *numbers):
    """A number that divides all, or seldom 2."""
    return draw(st.one_of(one_of(*[n for n in range(1, 5) if not any(m % n for m in numbers)]), seldom(2, 1)))


def linear(draw, size):
    features = draw(seldom(size[-1] + 1, size[-1]))
    return Layer("Linear", (features, draw(st.integers(1, 4)), draw(st.booleans())))


def convolution(name, dims):
    def drawn(draw, size):
        inputs = channels(draw, size)
        groups = divisor_of(draw, inputs)
        outputs = groups * draw(st.integers(1, 2))
        options = {
            "kernel_size": draw(extents(dims, 1, 3)),
            "stride": draw(extents(dims, 1, 3)),
            "padding": draw(extents(dims, 0, 3, -1)),
            "dilation": draw(extents(dims, 1, 3, 1 if "Transpose" in name else 0)),
            "groups": groups,
            "bias": draw(st.booleans()),
        }
        if "Transpose" in name:
            options["output_padding"] = draw(output_padding(dims, options["stride"], options["dilation"]))
        return Layer(name, (inputs, draw(seldom(outputs + 1, outputs))), options)

    return drawn


def output_padding(dims, stride, dilation):
    """Torch accepts values below the stride or the dilation."""
    strides, dilations = [[n] * dims if isinstance(n, int) else n for n in (stride, dilation)]
    return st.tuples(*[st.integers(0, max(pair)) for pair in zip(strides, dilations)])


def pooling(name, dims):
    def drawn(draw, size):
        options = {
            "kernel_size": draw(extents(dims, 1, 4)),
            "stride": draw(st.one_of(st.none(), extents(dims, 1, 3))),
            "padding": draw(extents(dims, 0, 2, -1)),
            "ceil_mode": draw(st.booleans()),
        }
        if "Max" in name:
            # An input smaller than the dilation is refused with padding; torch writes beyond its memory there.
            most = 2 if min(size[2:]) > 1 or not options["padding"] else 1
            options |= {"dilation": draw(extents(dims, 1, most)), "return_indices": draw(st.booleans())}
        else:
            options["count_include_pad"] = draw(st.booleans())
            if dims == 3 and numpy.max(options["kernel_size"]) > min(size[2:]):
                options |= {"padding": 0, "ceil_mode": False}  # torch refuses a kernel there, whatever these are
        return Layer(name, (), options)

    return drawn


def adaptive(name, dims=2):
    return lambda draw, size: Layer(name, (draw(extents(dims, 1, 4, 1)),))


def bilinear(draw, size):
    second = draw(st.integers(1, 3))
    features = draw(seldom(size[-1] + 1, size[-1])), second, draw(st.integers(1, 3))
    return Layer("Bilinear", (*features, draw(st.booleans())), {}, [((size[0], second), -2, 2)])


def padding(name, *value, dims=2):
    def drawn(draw, size):
        sizes = st.one_of(st.integers(-2, 3), st.tuples(*[st.integers(-2, 3)] * 2 * dims))
        return Layer(name, (draw(sizes), *value))

    return drawn


def pad(draw, size):
    mode = draw(one_of("constant", "constant", "reflect", "replicate"))
    dims = draw(st.integers(1, len(size))) if mode == "constant" else len(size) - 2
    sizes = [draw(st.integers(-2, 2)) for _ in range(2 * dims)]
    return Layer("F.pad", (sizes, mode, draw(one_of(0, 1.5, -1))) if mode == "constant" else (sizes, mode))


def batch_norm(name):
    def drawn(draw, size):
        options = {
            "eps": draw(one_of(1e-5, 1e-2)),
            "momentum": draw(one_of(0.1, 0, 1, 0.7)),
            "affine": draw(st.booleans()),
        }
        return Layer(name, (channels(draw, size),), options)

    return drawn


def instance_norm(name):
    return lambda draw, size: batch_norm(name)(draw, size)


def function_batch_norm(draw, size):
    """Without modules: running statistics, weight and bias may be missing, also one without the other."""
    n = channels(draw, size)

    def vector(low, learned=False):
        return draw(st.one_of(st.none(), st.just(Weight(numpy.linspace(low, low + 1, n).tolist(), learned))))

    running = draw(one_of([None, None], [vector(-0.5), vector(0.5)]))
    return Layer(
        "F.batch_norm",
        (*running, vector(-1, True), vector(0.3, True), draw(st.booleans()), draw(one_of(0.1, 0, 1))),
    )


def recurrent(name):
    def drawn(draw, size):
        batch_first, both = draw(st.booleans()), draw(st.booleans())
        hidden, layers = draw(st.integers(1, 3)), draw(st.integers(1, 3))
        features = draw(seldom(size[-1] + 1, size[-1]))
        options = {"num_layers": layers, "bias": draw(st.booleans()), "batch_first": batch_first, "bidirectional": both}
        if name == "RNN":
            options["nonlinearity"] = draw(one_of("tanh", "relu"))
        batch = size[0] if batch_first or len(size) < 3 else size[1]
        state = (layers * (1 + both), draw(seldom(batch + 1, batch)), hidden)
        return Layer(name, (features, hidden), options, states(draw, name, state))

    return drawn


def states(draw, name, size):
    """An initial state, or none."""
    return draw(st.booleans()) * (1 + name.startswith("LSTM")) * [(size, -1, 1)]


def cell(name):
    def drawn(draw, size):
        hidden = draw(st.integers(1, 3))
        options = {"bias": draw(st.booleans())}
        if name == "RNNCell":
            options["nonlinearity"] = draw(one_of("tanh", "relu"))
        features = draw(seldom(size[-1] + 1, size[-1]))
        return Layer(name, (features, hidden), options, states(draw, name, (size[0], hidden)))

    return drawn


def embedding(draw, rows):
    options = {
        "padding_idx": draw(st.one_of(st.none(), st.integers(-rows, rows - 1), seldom(rows, 0))),
        "max_norm": draw(one_of(None, None, 0.5, 1, 3.0)),
        "norm_type": draw(one_of(1, 2, 2.5)),
        "scale_grad_by_freq": draw(st.booleans()),
    }
    return Layer("Embedding", (draw(seldom(max(1, rows - 1), rows)), draw(st.integers(1, 4))), options)


def upsampling(name):
    def drawn(draw, size):
        if draw(st.booleans()):
            return Layer(name, (), {"scale_factor": draw(extents(2, 1, 3))})
        if "Nearest" in name and len(size) == 4:
            return Layer(name, (tuple(n * draw(st.integers(1, 2)) for n in size[2:]),))
        return Layer(name, (draw(extents(2, 1, 5)),))

    return drawn


def plain(name, *choices):
    """A layer of positional arguments alone, each drawn from its choices."""
    return lambda draw, size: Layer(name, tuple(draw(one_of(*values)) for values in choices))


def along(name):
    def drawn(draw, size):
        dim = draw(st.integers(-len(size), len(size) - 1))
        return Layer(name, (), {"dim": draw(seldom(len(size), dim))})

    return drawn


def prelu(draw, size):
    return Layer("PReLU", (draw(one_of(1, channels(draw, size))),))


ANY = (1, 2, 3, 4, 5)
WITH_CHANNELS = (2, 3, 4, 5)
# name: (numbers of dimensions that it takes, how it is drawn for an input of some size)
LAYERS = {
    "Linear": ((1, 2, 3, 4), linear),
    "Bilinear": ((2,), bilinear),
    "Conv1d": ((3,), convolution("Conv1d", 1)),
    "Conv2d": ((4,), convolution("Conv2d", 2)),
    "ConvTranspose1d": ((3,), convolution("ConvTranspose1d", 1)),
    "ConvTranspose2d": ((4,), convolution("ConvTranspose2d", 2)),
    "Conv3d": ((5,), convolution("Conv3d", 3)),
    "ConvTranspose3d": ((5,), convolution("ConvTranspose3d", 3)),
    "MaxPool1d": ((3,), pooling("MaxPool1d", 1)),
    "MaxPool2d": ((4,), pooling("MaxPool2d", 2)),
    "MaxPool3d": ((5,), pooling("MaxPool3d", 3)),
    "AvgPool1d": ((3,), pooling("AvgPool1d", 1)),
    "AvgPool2d": ((4,), pooling("AvgPool2d", 2)),
    "AvgPool3d": ((5,), pooling("AvgPool3d", 3)),
    "AdaptiveAvgPool1d": ((3,), adaptive("AdaptiveAvgPool1d", 1)),
    "AdaptiveMaxPool1d": ((3,), adaptive("AdaptiveMaxPool1d", 1)),
    "AdaptiveAvgPool2d": ((4,), adaptive("AdaptiveAvgPool2d")),
    "AdaptiveMaxPool2d": ((4,), adaptive("AdaptiveMaxPool2d")),
    "ReflectionPad2d": ((4,), padding("ReflectionPad2d")),
    "ReplicationPad2d": ((4,), padding("ReplicationPad2d")),
    "ReplicationPad3d": ((5,), padding("ReplicationPad3d", dims=3)),
    "ConstantPad2d": ((4,), padding("ConstantPad2d", -0.7)),
    "ZeroPad2d": ((4,), padding("ZeroPad2d")),
    "F.pad": ((3, 4), pad),
    "BatchNorm1d": ((2, 3), batch_norm("BatchNorm1d")),
    "BatchNorm2d": ((4,), batch_norm("BatchNorm2d")),
    "BatchNorm3d": ((5,), batch_norm("BatchNorm3d")),
    "InstanceNorm1d": ((3,), instance_norm("InstanceNorm1d")),
    "InstanceNorm2d": ((4,), instance_norm("InstanceNorm2d")),
    "InstanceNorm3d": ((5,), instance_norm("InstanceNorm3d")),
    "F.batch_norm": (WITH_CHANNELS, function_batch_norm),
    "RNN": ((3,), recurrent("RNN")),
    "LSTM": ((3,), recurrent("LSTM")),
    "GRU": ((3,), recurrent("GRU")),
    "RNNCell": ((2,), cell("RNNCell")),
    "LSTMCell": ((2,), cell("LSTMCell")),
    "GRUCell": ((2,), cell("GRUCell")),
    "UpsamplingNearest2d": ((4,), upsampling("UpsamplingNearest2d")),
    "UpsamplingBilinear2d": ((4,), upsampling("UpsamplingBilinear2d")),
    "PixelShuffle": ((4,), plain("PixelShuffle", (1, 2, 2, 3))),
    "Softmax": (ANY, along("Softmax")),
    "Softmin": (ANY, along("Softmin")),
    "LogSoftmax": (ANY, along("LogSoftmax")),
    "Softmax without dim": ((1, 2, 3, 4), plain("Softmax")),
    "Softmax2d": ((4,), plain("Softmax2d")),
    "Threshold": (ANY, plain("Threshold", (-0.5, 0, 0.3), (-1, 0, 20))),
    "ReLU": (ANY, plain("ReLU")),
    "ReLU6": (ANY, plain("ReLU6")),
    "Hardtanh": (ANY, plain("Hardtanh", (-1, -1, -0.1, 0, 1), (0.2, 1))),
    "LeakyReLU": (ANY, plain("LeakyReLU", (0.01, 0, 1, 1.5, -0.5))),
    "PReLU": (WITH_CHANNELS, prelu),
    "RReLU": (ANY, plain("RReLU", (0.2,), (0.2,))),  # a slope that need not be drawn
    "ELU": (ANY, plain("ELU", (1.0, 0.3, 0, 2, -1))),
    "Softplus": (ANY, plain("Softplus", (1, 0.3, 5, -1), (20, 0.9, 0.1))),
    "Sigmoid": (ANY, plain("Sigmoid")),
    "LogSigmoid": (ANY, plain("LogSigmoid")),
    "Tanh": (ANY, plain("Tanh")),
    "Softsign": (ANY, plain("Softsign")),
    "Tanhshrink": (ANY, plain("Tanhshrink")),
    "Softshrink": (ANY, plain("Softshrink", (0.5, 0, 1.5, -0.5))),
    "Hardshrink": (ANY, plain("Hardshrink", (0.5, 0, 1.5, -0.5))),
    # In training all or nothing is left out: the libraries draw different numbers.
    "Dropout": (ANY, plain("Dropout", (0, 1))),
    "Dropout2d": ((3, 4), plain("Dropout2d", (0, 1))),
}


# --- the losses


def reduced(draw, *more):
    """The reduction, by today's word or by the flags of v0.1.x and 0.2."""
    words = [{"reduction": word} for word in ("mean", "sum", "none", *more)]
    flags = [
        {"size_average": False},
        {"size_average": True},
        {"reduce": False},
        {"size_average": False, "reduce": True},
    ]
    return draw(one_of(*words, *words, *flags))


def like_input(name, lowest, highest, *choices, more=()):
    """A loss whose target is of the input's size. `choices`: its other options, each with the values it may have."""

    def drawn(draw, size, dtype):
        options = {key: draw(one_of(*values)) for key, values in choices}
        return Layer(name, (), options | reduced(draw, *more), [(wrong_batch(draw, size), lowest, highest)])

    return drawn


def wrong_batch(draw, size):
    """`size`, seldom with a first dimension that does not fit and cannot be broadcast."""
    return draw(seldom((size[0] + 2, *size[1:]), tuple(size))) if size[0] > 1 else tuple(size)


def numbers(draw, size, lowest=0.2):
    return Weight((numpy.arange(1, 1 + int(numpy.prod(size))).reshape(size) * 0.37 % 1.3 + lowest).tolist())


def binary(name):
    def drawn(draw, size, dtype):
        weight = st.one_of(st.none(), st.builds(lambda s: numbers(draw, s), one_of(size[-1:], size, (1,))))
        options = {"weight": draw(weight), **reduced(draw)}
        if name == "BCEWithLogitsLoss":
            options["pos_weight"] = draw(weight)
        return Layer(name, (), options, [(wrong_batch(draw, size), 0, 1)])

    return drawn


def of_classes(name):
    def drawn(draw, size, dtype):
        classes = size[1]
        options = reduced(draw)
        if draw(st.booleans()):
            options["weight"] = numbers(draw, (draw(seldom(classes + 1, classes)),), draw(one_of(0, 0.2)))
        options["ignore_index"] = draw(one_of(-100, 0, classes - 1, -1))
        targets = [n for n in range(-1, classes) if n in (options["ignore_index"], *range(classes))]
        batch = wrong_batch(draw, (size[0], *size[2:]))
        target = draw(seldom([*targets, classes], targets))
        return Layer(name, (), options, [(batch, target, "int64")])

    return drawn


def multi_margin(draw, size, dtype):
    options = {"p": draw(one_of(1, 1, 2, 2, 3)), "margin": draw(one_of(1, 0, 0.3, -0.5)), **reduced(draw)}
    if draw(st.booleans()):
        options["weight"] = numbers(draw, (draw(seldom(size[1] + 1, size[1])),))
    return Layer("MultiMarginLoss", (), options, [(size[:1], list(range(size[1])), "int64")])


MARGINS = ("margin", (0, 0.4, 1.0, -0.3))


def signed(name, inputs, *choices):
    """A loss of `inputs` more inputs of the same size and a target of signs, for each row or each element."""

    def drawn(draw, size, dtype):
        options = {key: draw(one_of(*values)) for key, values in choices}
        target = size[:1] if name == "CosineEmbeddingLoss" else size
        return Layer(
            name,
            (),
            options | reduced(draw),
            [*[(size, -2, 2)] * inputs, (target, draw(seldom([-1, 0, 1], [-1, 1])), dtype)],
        )

    return drawn


def triplet(draw, size, dtype):
    options = {
        "margin": draw(one_of(1.0, 0.3, 5, 0, -1)),
        "p": draw(one_of(1, 2, 3, 1.5)),
        "eps": draw(one_of(1e-6, 1e-3)),
        "swap": draw(st.booleans()),
        **reduced(draw),
    }
    return Layer("TripletMarginLoss", (), options, [(size, -2, 2)] * 2)


def of_pairs(name):
    def drawn(draw, size, dtype):
        if name == "PairwiseDistance":
            return Layer(
                name, (draw(one_of(1, 2, 3, 1.5, 0, 0.5, numpy.inf)), draw(one_of(1e-6, 1e-3))), {}, [(size, -2, 2)]
            )
        return Layer(
            name, (draw(st.integers(-len(size), len(size) - 1)), draw(one_of(1e-8, 1e-7))), {}, [(size, -2, 2)]
        )

    return drawn


LOSSES = {
    "MSELoss": (ANY, like_input("MSELoss", -2, 2)),
    "L1Loss": (ANY, like_input("L1Loss", -2, 2)),
    "SmoothL1Loss": (ANY, like_input("SmoothL1Loss", -2, 2, ("beta", (1.0, 0.3, 2, 0, -1)))),
    "KLDivLoss": (ANY, like_input("KLDivLoss", 0.3, 1, more=("batchmean",))),
    "BCELoss": (ANY, binary("BCELoss")),
    "BCEWithLogitsLoss": (ANY, binary("BCEWithLogitsLoss")),
    "NLLLoss": (WITH_CHANNELS, of_classes("NLLLoss")),
    "CrossEntropyLoss": (WITH_CHANNELS, of_classes("CrossEntropyLoss")),
    "MarginRankingLoss": (ANY, signed("MarginRankingLoss", 1, MARGINS)),
    "HingeEmbeddingLoss": (ANY, signed("HingeEmbeddingLoss", 0, MARGINS)),
    "CosineEmbeddingLoss": ((2, 3), signed("CosineEmbeddingLoss", 1, MARGINS)),
    "SoftMarginLoss": (ANY, signed("SoftMarginLoss", 0)),
    "MultiLabelSoftMarginLoss": ((2, 3, 4), binary("MultiLabelSoftMarginLoss")),
    "MultiMarginLoss": ((2,), multi_margin),
    "TripletMarginLoss": ((2, 3), triplet),
    "PairwiseDistance": ((2, 3), of_pairs("PairwiseDistance")),
    "CosineSimilarity": (WITH_CHANNELS, of_pairs("CosineSimilarity")),
}

TAKE_MORE = (
    "Softmax without dim",
    "UpsamplingNearest2d",
    "PixelShuffle",
    "AdaptiveAvgPool2d",
)  # in torch, but v0.1.x refuses more dimensions
# By the number of dimensions; what takes any number is drawn less often.
FITTING = {
    n: [name for name, (dims, _) in LAYERS.items() if n in dims for _ in range(1 if dims == ANY else 6)]
    + [name for name, (dims, _) in LAYERS.items() if max(dims) < n and name not in TAKE_MORE]  # too many dimensions
    for n in ANY
}
LENGTHS = st.sampled_from([1, 2, 3, 4, 5])
SIZES = st.sampled_from([2, 2, 3, 3, 4, 4, 4, 4, 5]).flatmap(
    lambda dims: st.tuples(st.sampled_from([1, 2, 3]), st.sampled_from([1, 2, 3, 4]), *[LENGTHS] * (dims - 2))
)


@st.composite
def networks(draw):
    size, rows, layers = draw(SIZES), None, []
    if draw(st.integers(0, 9)) == 0:
        size, rows = size[:2], draw(st.integers(2, 5))
        layers.append(embedding(draw, rows))
    dtype, seed = draw(one_of("float64", "float64", "float32")), draw(st.integers(0, 10**6))
    # What follows on rounded numbers would be at a limit, or near it, by rounding.
    rounded = draw(st.integers(0, 4)) == 0
    network = Network(size, rows, dtype, seed, draw(st.booleans()), rounded, layers)
    for _ in range(draw(st.integers(0, 1) if rounded else st.integers(1, 3))):
        size = result_size(network)
        if size is None:
            return network
        layers.append(LAYERS[draw(st.sampled_from(FITTING[len(size)]))][1](draw, size))
    size = result_size(network)
    if size is None or (layers and (rounded or draw(st.booleans()))):
        return network
    name = draw(st.sampled_from([name for name, (dims, _) in LOSSES.items() if len(size) in dims]))
    if name == "BCELoss":
        layers.append(Layer("Sigmoid"))
    layers.append(LOSSES[name][1](draw, size, dtype))
    return network


def result_size(network):
    """The size of the last result in modern torch; None where it refuses the last layer."""
    if not network.layers:
        return network.size
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        numbers, failed, _ = network.run(ModernTorch)
    size = None if failed is not None else numbers[f"result {len(network.layers) - 1}"].shape
    return size if size and 0 < numpy.prod(size) <= MOST_ELEMENTS else None
