"""Modules that PyTorch v0.1.x pickled whole: their attributes were others, and restored modules compute the same."""

import numpy
import pytest

from legacy_autograd import nn
from legacy_autograd.autograd import Variable

from .agreement import variable

# {class: (constructor's arguments, the attributes beside parameters that v0.1.12's constructor set)}
MODULES = {
    "LSTM": (
        (3, 2, 2, False, True, 0, True),
        {
            "mode": "LSTM", "input_size": 3, "hidden_size": 2, "num_layers": 2, "bias": False, "batch_first": True,
            "dropout": 0, "dropout_state": {}, "bidirectional": True, "_all_weights": [["not", "read"]],
        },
    ),
    "LSTMCell": ((3, 2), {"input_size": 3, "hidden_size": 2, "bias": True}),
    "GRUCell": ((3, 2, False), {"input_size": 3, "hidden_size": 2, "bias": False}),
    "RNNCell": ((3, 2, True, "relu"), {"input_size": 3, "hidden_size": 2, "bias": True, "nonlinearity": "relu"}),
    "Hardtanh": ((-0.2, 0.1), {"min_val": -0.2, "max_val": 0.1, "inplace": False}),
    "ReLU6": ((), {"min_val": 0, "max_val": 6, "inplace": False}),
    "Softmax": ((), {}),
    "LogSoftmax": ((), {}),
    "AvgPool3d": ((2,), {"kernel_size": 2, "stride": None}),
    "ZeroPad2d": (((1, 0, 2, 0),), {"padding": (1, 0, 2, 0)}),
}  # fmt: skip
SIZES = {"LSTM": (4, 5, 3), "AvgPool3d": (1, 2, 4, 4, 4), "ZeroPad2d": (1, 2, 3, 3)}


def restored(module, attributes):
    """An instance as unpickling makes it, with the parameters of `module`."""
    other = type(module).__new__(type(module))
    registries = {name: vars(module)[name] for name in ("_parameters", "_buffers", "_modules")}
    state = {"_backend": module._backend, "_forward_hooks": {}, "_backward_hooks": {}, "training": False}
    if hasattr(other, "__setstate__"):
        other.__setstate__({**state, **registries, **attributes})
    else:
        vars(other).update({**state, **registries, **attributes})
    return other


def results(value):
    return [part for each in value for part in results(each)] if isinstance(value, tuple) else [value.data]


@pytest.mark.parametrize("name", MODULES)
def test_a_restored_layer_computes_the_same(name):
    arguments, attributes = MODULES[name]
    module = getattr(nn, name)(*arguments).double()
    x = variable(numpy.random.default_rng(1).normal(size=SIZES.get(name, (4, 3))))
    hidden = variable(numpy.ones((4, 2)))
    inputs = {"LSTMCell": (x, (hidden, hidden)), "GRUCell": (x, hidden), "RNNCell": (x, hidden)}.get(name, (x,))
    other = restored(module, attributes)
    for expected, found in zip(results(module(*inputs)), results(other(*inputs)), strict=True):
        assert found.equal(expected)
    assert repr(other).startswith(name) and list(other.state_dict()) == list(module.state_dict())


@pytest.mark.parametrize("size_average", [True, False])
@pytest.mark.parametrize("name", ["MSELoss", "SmoothL1Loss", "NLLLoss"])
def test_a_restored_loss_has_its_size_average(name, size_average):
    x = variable(numpy.random.default_rng(1).normal(size=(4, 3)))
    target = Variable(x.data.sign(), requires_grad=False)
    if name == "NLLLoss":
        target = Variable(x.data.max(1)[1].view(-1), requires_grad=False)
    module = getattr(nn, name)(size_average=size_average)
    other = restored(module, {"size_average": size_average})
    assert other(x, target).data.equal(module(x, target).data) and other.size_average is size_average
