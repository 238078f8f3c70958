"""torch.nn.parallel in main memory, and the names of torch.nn's folders that programs of v0.1.x import."""

import importlib

import numpy
import pytest

import legacy_autograd as package
from legacy_autograd import nn
from legacy_autograd.autograd import Variable
from legacy_autograd.nn import parallel
from legacy_autograd.tensor import no_cuda

from .agreement import tensor, variable


@pytest.fixture
def without_cuda(monkeypatch):
    """As under `run --ignore-cuda`."""
    monkeypatch.setattr(no_cuda, "_ignored", True)
    monkeypatch.setattr(no_cuda, "_said", True)


def test_a_variable_answers_get_device_as_its_tensor_does(without_cuda, monkeypatch):
    """`assert input.get_device() == weight.get_device()` stands before the first layer of wide-residual-networks."""
    x = variable(numpy.ones(2))
    assert x.get_device() == x.data.get_device() == -1
    monkeypatch.setattr(no_cuda, "_ignored", False)
    with pytest.raises(RuntimeError, match=r"get_device\(\) needs a CUDA device"):
        x.get_device()


def test_scatter_and_gather_split_and_join_nested_variables(without_cuda):
    x = variable(numpy.arange(8.0).reshape(4, 2))
    first, second = parallel.scatter({"x": (x, [x]), "n": 3}, [0, 1])
    assert first["n"] == second["n"] == 3
    assert first["x"][0].data.equal(x.data[:2]) and second["x"][1][0].data.equal(x.data[2:])
    joined = parallel.gather([first["x"], second["x"]], -1)
    assert joined[0].data.equal(x.data) and joined[1][0].data.equal(x.data)
    joined[0].mul(2).sum().backward()
    assert (x.grad.data.array == 2).all()
    assert parallel.gather([None, None], 0) is None
    columns = parallel.scatter(x, (0, 1), dim=1)
    assert [part.size() for part in columns] == [(4, 1), (4, 1)]
    inputs, keywords = parallel.scatter_gather.scatter_kwargs((x,), {"y": x}, [0, 1])
    assert inputs[1][0].data.equal(x.data[2:]) and keywords[1]["y"].data.equal(x.data[2:])
    assert parallel.scatter_gather.scatter_kwargs((x,), None, [0, 1])[1] == ({}, {})


def test_replicas_applied_to_parts_have_the_gradients_of_the_whole(without_cuda):
    linear = nn.Linear(2, 1).double()
    x = variable(numpy.arange(8.0).reshape(4, 2))
    linear(x).sum().backward()
    expected = linear.weight.grad.data.clone()
    linear.zero_grad()
    outputs = parallel.parallel_apply(parallel.replicate(linear, [0, 1]), parallel.scatter((x,), [0, 1]))
    parallel.gather(outputs, 0).sum().backward()
    assert linear.weight.grad.data.equal(expected)


def test_parallel_functions_refuse_cards_tensors_and_unequal_numbers(without_cuda, monkeypatch):
    with pytest.raises(TypeError, match="scatter: only Variables are split, got a Tensor"):
        parallel.scatter([tensor(numpy.ones(2))], [0, 1])
    with pytest.raises(ValueError, match="got 1 modules, 2 inputs and 1 dictionaries"):
        parallel.parallel_apply([nn.Tanh()], [(), ()])
    monkeypatch.setattr(no_cuda, "_ignored", False)
    with pytest.raises(RuntimeError, match=r"scatter\(\.\.\., \[0, 1\]\) needs a CUDA device"):
        parallel.scatter(variable(numpy.ones(2)), (0, 1))
    with pytest.raises(RuntimeError, match=r"replicate\(\.\.\., \[0\]\) needs a CUDA device"):
        parallel.replicate(nn.Tanh(), [0])


def test_the_folders_of_torch_nn():
    assert nn.modules.utils is not nn.utils and nn.functional._pair is nn.modules.utils._pair
    names = {
        "nn.modules": ("Linear", "Module", "Container"),
        "nn.modules.batchnorm": ("_BatchNorm", "BatchNorm2d"),
        "nn.modules.conv": ("_ConvNd", "Conv2d"),
        "nn.modules.instancenorm": ("InstanceNorm2d",),
        "nn.modules.loss": ("_Loss", "_WeightedLoss", "_assert_no_grad"),
        "nn.modules.module": ("_addindent", "Module"),
        "nn.modules.pixelshuffle": ("PixelShuffle",),
        "nn.modules.rnn": ("RNNBase", "RNNCellBase"),
        "nn.modules.utils": ("_single", "_pair", "_triple", "_quadruple", "_ntuple"),
        "nn.parallel.data_parallel": ("DataParallel", "data_parallel"),
        "nn.parallel.parallel_apply": ("parallel_apply",),
        "nn.parallel.replicate": ("replicate",),
        "nn.parallel.scatter_gather": ("gather", "scatter", "scatter_kwargs"),
    }
    for module, expected in names.items():
        found = importlib.import_module(f"legacy_autograd.{module}")
        for name in expected:
            assert getattr(found, name) is getattr(nn, name, getattr(found, name)), name
    assert nn.modules.linear.Linear is nn.Linear and nn.functional.torch is package
    assert nn.functional.ConvNd is nn.functional._functions.conv.ConvNd


def test_sizes_for_each_dimension():
    from legacy_autograd.nn.modules.utils import _ntuple, _pair, _triple

    assert (_pair(3), _triple(1), _pair((1, 2)), _ntuple(5)(0)) == ((3, 3), (1, 1, 1), (1, 2), (0,) * 5)


def test_layers_derived_from_the_private_bases():
    class Scaled(nn.modules.conv._ConvNd):
        def __init__(self):
            super().__init__(4, 6, (3, 3), (1, 1), (1, 1), (1, 1), False, (0, 0), 2, True)

        def forward(self, x):
            return nn.functional.conv2d(x, self.weight * 2, self.bias, self.stride, self.padding, groups=self.groups)

    layer = Scaled().double()
    assert layer.weight.size() == (6, 2, 3, 3) and isinstance(nn.Conv1d(1, 1, 2), nn.modules.conv._ConvNd)
    assert layer(variable(numpy.ones((1, 4, 5, 5)))).size() == (1, 6, 5, 5)
    assert repr(layer) == "Scaled(4, 6, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1), groups=2)"

    class AnySize(nn.modules.batchnorm._BatchNorm):
        def _check_input_dim(self, input):
            assert input.dim() == 3

    assert AnySize(2).double()(variable(numpy.random.rand(3, 2, 4))).size() == (3, 2, 4)
    assert isinstance(nn.BatchNorm2d(1), nn.modules.batchnorm._BatchNorm)


def test_helpers_that_programs_import():
    assert nn.modules.module._addindent("a\nb\nc", 2) == "a\n  b\n  c"
    nn.modules.loss._assert_no_grad(Variable(tensor(numpy.ones(1)), requires_grad=False))
    with pytest.raises(ValueError, match="a loss computes no gradient of its target"):
        nn.modules.loss._assert_no_grad(Variable(tensor(numpy.ones(1)), requires_grad=True))
    assert nn.Conv2d(1, 1, kernel_size=2, dilation=None).dilation == (1, 1)


def test_apply_reaches_parameters_gradients_and_buffers_and_overrides_of_children():
    class Kept(nn.Linear):
        def _apply(self, fn):
            return self

    net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2), Kept(2, 2)).double()
    net[0].weight._grad = net[0].weight.data.clone().fill_(1)
    assert net._apply(lambda t: t * 0 + 3) is net
    assert {float(t.array.min()) for t in (net[0].weight.data, net[0].weight._grad.data, net[1].running_var)} == {3.0}
    assert net[2].weight.data.array.max() < 3


def test_train_calls_that_of_the_children():
    class Frozen(nn.BatchNorm1d):
        def train(self, mode=True):
            return super().train(False)

    net = nn.Sequential(nn.Sequential(Frozen(2), nn.Dropout()), nn.Tanh()).train()
    assert [module.training for module in net.modules()] == [True, True, False, True, True]


def test_state_dict_takes_what_a_child_says():
    class Renamed(nn.Linear):
        def state_dict(self, destination=None, prefix=""):
            return super().state_dict(destination, prefix + "inner.")

    assert list(nn.Sequential(nn.Linear(1, 1, bias=False), Renamed(1, 1, bias=False)).state_dict()) == [
        "0.weight", "1.inner.weight",
    ]  # fmt: skip


def test_a_parameter_or_buffer_may_be_registered_again():
    net = nn.BatchNorm1d(2)
    net.register_buffer("running_mean", tensor(numpy.ones(2)))
    net.register_parameter("bias", None)
    assert net.running_mean.array.tolist() == [1, 1] and net.bias is None
    with pytest.raises(KeyError, match="the name 'weight' is taken"):
        net.register_buffer("weight", tensor(numpy.ones(2)))


def test_a_parameter_takes_attributes_of_a_programs_own():
    """As the binary layers of DingKe/pytorch_workplace note a rate on each weight."""
    layer = nn.Linear(2, 1)
    layer.weight.lr_scale = 0.5
    assert [getattr(p, "lr_scale", 1) for p in layer.parameters()] == [0.5, 1]
