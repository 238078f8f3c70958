"""Module: what assignment registers, walking over parts, modes and types, state, copies, and how it looks."""

import copy
import pickle
from collections import OrderedDict

import numpy
import pytest
import torch

from legacy_autograd import nn
from legacy_autograd.autograd import Variable, callbacks

from .agreement import tensor, variable


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2)
        self.scale = nn.Parameter(tensor(numpy.ones(2)))
        self.register_buffer("seen", tensor(numpy.zeros(1)))
        self.note = "no part"

    def forward(self, x):
        return self.linear(x) * self.scale


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Block()
        self.second = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.BatchNorm1d(2))

    def forward(self, x):
        return self.second(self.first(x))


class OfAugust2016(nn.Container):
    """As v0.1.1's programs wrote their networks: keyword arguments, `_forward`, a tuple."""

    def __init__(self):
        super().__init__(hidden=nn.Linear(3, 4), out=nn.Linear(4, 1))

    def _forward(self, x):
        return (self.out(self.hidden(x)),)


x = variable(numpy.arange(12.0).reshape(4, 3), requires_grad=False)


# --- registering


def test_assignment_registers():
    net = Net()
    assert [name for name, _ in net.named_parameters()] == [
        "first.scale", "first.linear.weight", "first.linear.bias", "second.0.weight", "second.0.bias",
        "second.2.weight", "second.2.bias",
    ]  # fmt: skip
    assert [name for name, _ in net.named_modules()] == [
        "", "first", "first.linear", "second", "second.0", "second.1", "second.2",
    ]  # fmt: skip
    assert [name for name, _ in net.named_children()] == ["first", "second"]
    assert [name for name, _ in net.named_buffers()] == ["first.seen", "second.2.running_mean", "second.2.running_var"]
    assert list(net.modules())[0] is net and list(net.children()) == [net.first, net.second]
    assert "linear" in dir(net.first) and net.first.note == "no part"


def test_what_is_shared_is_given_once_and_saved_under_both_names():
    net = Net()
    net.third = net.first
    net.second[0].weight = net.first.linear.weight = nn.Parameter(tensor(numpy.ones((2, 2))))
    names = [name for name, _ in net.named_parameters()]
    assert "first.linear.weight" in names and "second.0.weight" not in names
    assert not any(name.startswith("third") for name in names)
    state = net.state_dict()
    assert {"third.linear.weight", "second.0.weight"} < set(state)


def test_assigning_again():
    block = Block()
    block.linear = nn.Linear(3, 5)
    assert block.linear.weight.size() == (5, 3)
    block.scale = None
    assert "scale" not in dict(block.named_parameters()) and block.scale is None
    block.scale = nn.Parameter(tensor(numpy.ones(5)))
    block.seen = tensor(numpy.ones(2))
    assert block.state_dict()["seen"].size() == (2,)
    block.linear = nn.Parameter(tensor(numpy.ones(1)))  # from a module to a parameter of that name
    assert "linear" in dict(block.named_parameters()) and not list(block.children())
    del block.linear, block.scale, block.seen
    assert not block.state_dict()
    with pytest.raises(AttributeError, match="'Block' object has no attribute 'linear'"):
        _ = block.linear


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        (lambda b: setattr(b, "scale", tensor(numpy.ones(2))), TypeError, "Block: 'scale' .* a Parameter or None"),
        (lambda b: setattr(b, "linear", 3), TypeError, "'linear' .* a Module or None, got int"),
        (lambda b: setattr(b, "seen", 3), TypeError, "'seen' .* a Tensor or None"),
        (lambda b: b.register_parameter("note", None), KeyError, "'note' is taken"),
        (lambda b: b.register_parameter("new", tensor(numpy.ones(2))), TypeError, "or None, got DoubleTensor"),
        (lambda b: b.register_buffer("forward", None), KeyError, "'forward' is taken"),
        (lambda b: b.register_buffer("new", 3), TypeError, "needs a Tensor or None, got int"),
        (lambda b: b.add_module("scale", nn.ReLU()), KeyError, "'scale' is taken"),
        (lambda b: b.add_module("", nn.ReLU()), KeyError, "non-empty string, got ''"),
        (lambda b: b.register_buffer("a.b", None), KeyError, "without dots, got 'a.b'"),
        (lambda b: b.add_module("new", nn.ReLU), TypeError, "add_module needs a Module or None, got type"),
        (lambda b: nn.Parameter(3), TypeError, "Parameter needs a Tensor, got int"),
        (lambda b: nn.Container(type=nn.ReLU()), KeyError, "'type' is taken"),
    ],
)  # fmt: skip
def test_bad_registration(change, error, words):
    block = Block()
    before = list(block.state_dict())
    with pytest.raises(error, match=words):
        change(block)
    assert list(block.state_dict()) == before


def test_a_forgotten_constructor():
    class Forgetful(nn.Module):
        def __init__(self):
            self.linear = nn.Linear(2, 2)

    with pytest.raises(AttributeError, match=r"Forgetful: call super\(\).__init__\(\) before assigning 'linear'"):
        Forgetful()


def test_parameters_require_a_gradient_unless_frozen():
    assert nn.Parameter(tensor(numpy.ones(1))).requires_grad
    assert not nn.Parameter(tensor(numpy.ones(1)), requires_grad=False).requires_grad
    assert nn.Parameter(Variable(tensor(numpy.ones(1)))).is_leaf
    assert repr(nn.Parameter(tensor(numpy.ones(1)))).startswith("Parameter containing:")


# --- the call


def test_a_network_of_august_2016():
    net = OfAugust2016()
    y = net(x)
    assert isinstance(y, Variable) and y.size() == (4, 1)
    assert net.forward(x).data.equal(y.data) and net._forward(x)[0].data.equal(y.data)
    assert isinstance(net.out._forward(net.hidden(x)), tuple)  # ours answer a tuple to the old name too
    assert len(list(net.parameters())) == 4


def test_a_forward_of_2016_that_forgot_the_tuple():
    class Loose(nn.Module):
        def _forward(self, x):
            return x * 2

    assert Loose()(x).data.equal(x.data * 2)


def test_a_forward_with_several_results_and_keywords():
    class Pair(nn.Module):
        def forward(self, x, y=None, *, factor=1):
            return x * factor, y

    assert Pair()(x, factor=2)[0].data.equal(x.data * 2)
    assert Pair()(x, x)[1] is x


def test_a_forward_that_one_instance_has():
    layer = nn.Linear(3, 3)
    layer.forward = lambda input: input * 2
    assert layer(x).data.equal(x.data * 2)


def test_no_forward():
    class Empty(nn.Module):
        pass

    with pytest.raises(NotImplementedError, match="Empty does not define forward"):
        Empty()(x)
    with pytest.raises(NotImplementedError, match="Empty does not define forward"):
        Empty()._forward(x)


def test_parameters_of_august_2016_were_variables(monkeypatch):
    class Scale(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = Variable(tensor(numpy.ones(2)))
            self.other = Variable(tensor(numpy.ones(2)))

        def forward(self, x):
            return x * self.weight

    assert [name for name, _ in Scale().named_parameters()] == ["weight"]
    scale = Scale()
    scale.weight = Variable(tensor(numpy.zeros(2)))
    assert not scale.state_dict()["weight"].array.any()


def test_the_seam_around_a_module():
    calls = []

    def wrapper(module, proceed, *input):
        calls.append(type(module).__name__)
        return proceed(*input)

    callbacks.around_module.register(wrapper)
    try:
        y = Net()(x)
    finally:
        callbacks.around_module.remove(wrapper)
    assert calls == ["Net", "Block", "Linear", "Sequential", "Linear", "ReLU", "BatchNorm1d"]
    assert y.size() == (4, 2)


# --- modes, types, zeros


def test_train_and_eval():
    net = Net()
    assert net.training
    assert net.eval() is net and not any(module.training for module in net.modules())
    net.train()
    assert all(module.training for module in net.modules())
    net.train = False  # v0.1.1's flag, of this module alone
    assert not net.training and net.first.training
    assert net.train(True).training  # the method is still there


def test_types():
    net = Net()
    net(x).sum().backward()
    assert net.float() is net
    for tensor_ in [*[p.data for p in net.parameters()], *[p.grad for p in net.parameters()], *net.buffers()]:
        assert tensor_.type() == "torch.FloatTensor"
    assert net(x.float()).type() == "torch.FloatTensor"
    assert net.type("torch.DoubleTensor").first.scale.type() == "torch.DoubleTensor"
    assert net.half().double().cpu()(x).type() == "torch.DoubleTensor"
    with pytest.raises(RuntimeError, match=r"Module.cuda\(\) needs a CUDA device"):
        net.cuda()


def test_a_converted_module_keeps_its_parameters():
    net = nn.Linear(3, 2)
    weight = net.weight
    net.float()(x.float()).sum().backward()
    assert net.weight is weight and weight.grad.type() == "torch.FloatTensor"


def test_zero_grad():
    net = nn.Linear(3, 2)
    net(x).sum().backward()
    grad = net.weight.grad
    net.zero_grad()
    assert net.weight.grad is grad and not grad.array.any()
    net.zero_grad(set_to_none=True)
    assert net.weight._grad is None and not net.weight.grad.array.any()
    net.zero_grad_parameters()  # v0.1.1


def test_apply():
    order = []
    assert Net().apply(lambda module: order.append(type(module).__name__)) is not None
    assert order == ["Linear", "Block", "Linear", "ReLU", "BatchNorm1d", "Sequential", "Net"]


# --- the state


def test_state_dict_shares_memory_and_loads():
    net, other = Net(), Net()
    net(x)
    state = net.state_dict()
    assert isinstance(state, OrderedDict)
    assert list(state)[:3] == ["first.scale", "first.seen", "first.linear.weight"]
    assert state["first.scale"].array is net.first.scale.data.array
    result = other.load_state_dict(state)
    assert result.missing_keys == [] and result.unexpected_keys == []
    assert all(value.equal(state[name]) for name, value in other.state_dict().items())
    assert other.first.scale.data.array is not net.first.scale.data.array
    assert other.eval()(x).data.equal(net.eval()(x).data)


def test_state_dict_of_another_type_or_of_variables():
    net = nn.Linear(3, 2)
    state = {name: Variable(value.float()) for name, value in net.state_dict().items()}
    net.weight.data.zero_()
    net.load_state_dict(state)
    assert net.weight.type() == "torch.DoubleTensor" and net.weight.data.array.any()


def test_modern_torchs_batch_norm_can_be_loaded():
    theirs = torch.nn.BatchNorm1d(3, dtype=torch.float64)
    state = {name: tensor(value.numpy()) for name, value in theirs.state_dict().items()}
    assert "num_batches_tracked" in state
    ours = nn.BatchNorm1d(3)
    ours.load_state_dict(state)
    theirs.load_state_dict({name: torch.from_numpy(value.array) for name, value in ours.state_dict().items()})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda s: s.pop("first.scale"), r"missing in the state dict: first\.scale \(2,\)"),
        (lambda s: s.update(extra=tensor(numpy.ones((4, 5)))), r"unexpected in the state dict: extra \(4, 5\)"),
        (
            lambda s: s.update({"first.scale": tensor(numpy.ones((2, 3)))}),
            r"first\.scale is a torch.DoubleTensor of size \(2, 3\) in the state dict, and .* \(2,\) in the module",
        ),
        (lambda s: s.update({"first.scale": 3}), "'first.scale' in the state dict must be a Tensor, got int"),
    ],
)
def test_a_state_dict_that_does_not_fit(change, words):
    net = Net()
    before = {name: value.clone() for name, value in net.state_dict().items()}
    state = OrderedDict((name, value + 1) for name, value in before.items())
    change(state)
    with pytest.raises((RuntimeError, TypeError), match=words):
        net.load_state_dict(state)
    assert all(value.equal(before[name]) for name, value in net.state_dict().items())


def test_all_that_does_not_fit_is_in_one_message():
    with pytest.raises(RuntimeError) as caught:
        nn.Linear(3, 2).load_state_dict({"weight": tensor(numpy.ones((3, 2))), "wait": tensor(numpy.ones(1))})
    for part in ("Linear", "bias (2,)", "wait (1,)", "(3, 2)", "(2, 3)"):
        assert part in str(caught.value)


def test_not_strict():
    net = nn.Linear(3, 2)
    result = net.load_state_dict({"bias": tensor(numpy.zeros(2)), "extra": tensor(numpy.ones(1))}, strict=False)
    assert result.missing_keys == ["weight"] and result.unexpected_keys == ["extra"]
    assert not net.bias.data.array.any()
    with pytest.raises(RuntimeError, match="nothing was loaded"):
        net.load_state_dict({"bias": tensor(numpy.zeros(3))}, strict=False)
    with pytest.raises(TypeError, match="needs a dictionary, got list"):
        net.load_state_dict([])


# --- copies


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda net: pickle.loads(pickle.dumps(net))])
def test_copies(copied):
    net = Net()
    net.second[0].weight = net.first.extra = nn.Parameter(tensor(numpy.ones((2, 2))))
    net.first.linear.bias.requires_grad = False
    net(x).sum().backward()
    other = copied(net)
    assert all(value.equal(net.state_dict()[name]) for name, value in other.state_dict().items())
    assert other.second[0].weight is other.first.extra
    assert isinstance(other.first.scale, nn.Parameter) and not other.first.linear.bias.requires_grad
    assert other.first.scale.grad.equal(net.first.scale.grad)
    before = net.first.scale.data.clone()
    other.zero_grad()
    other.first(x).sum().backward()
    assert other.first.scale.grad.array.any()
    other.first.scale.data.fill_(7)
    assert net.first.scale.data.equal(before)


# --- containers


def test_sequential_of_2016_and_later():
    first, second = nn.Linear(3, 2), nn.Linear(2, 1)
    plain = nn.Sequential(first, nn.ReLU(), second)
    named = nn.Sequential("first", first, nn.ReLU(), "last", second)
    ordered = nn.Sequential(OrderedDict([("first", first), ("relu", nn.ReLU()), ("last", second)]))
    assert list(dict(named.named_children())) == ["first", "1", "last"]
    assert list(dict(ordered.named_children())) == ["first", "relu", "last"]
    for net in (plain, named, ordered):
        assert net(x).data.equal(second(nn.ReLU()(first(x))).data)
        assert len(list(net.parameters())) == 4  # without names v0.1.1 had none
        assert len(net) == 3 and net[-1] is second and list(net)[0] is first
    assert named.first is first
    assert nn.Sequential()(x) is x
    assert len(plain[:2]) == 2 and plain[1:][1] is second


def test_changing_a_sequential():
    net = nn.Sequential(nn.Linear(3, 2))
    net.append(nn.ReLU()).add_module("last", nn.Tanh())
    net[1] = nn.Sigmoid()
    assert [type(module).__name__ for module in net] == ["Linear", "Sigmoid", "Tanh"]
    del net[0]
    assert len(net) == 2
    for index in (2, -3):
        with pytest.raises(IndexError, match=f"Sequential: index {index} is out of range for the length 2"):
            net[index]
    with pytest.raises(TypeError, match="Sequential: expected a Module after the name 'a'"):
        nn.Sequential("a")
    with pytest.raises(TypeError, match="got another name"):
        nn.Sequential("a", "b", nn.ReLU())
    with pytest.raises(TypeError, match="add_module needs a Module or None, got int"):
        nn.Sequential(3)


def test_lists():
    modules = nn.ModuleList([nn.Linear(2, 2)])
    modules.append(nn.ReLU()).extend([nn.Linear(2, 1)])
    modules += [nn.Tanh()]
    assert len(modules) == 4 and len(list(modules.parameters())) == 4
    assert modules[0] in modules and nn.ReLU() not in modules
    assert [type(module).__name__ for module in modules[1:3]] == ["ReLU", "Linear"]
    modules[3] = nn.ReLU()
    assert list(modules.state_dict()) == ["0.weight", "0.bias", "2.weight", "2.bias"]
    with pytest.raises(NotImplementedError, match="ModuleList does not define forward"):
        modules(x)
    parameters = nn.ParameterList([nn.Parameter(tensor(numpy.ones(2)))])
    parameters.append(nn.Parameter(tensor(numpy.ones((2, 3)))))
    parameters += [nn.Parameter(tensor(numpy.ones(1)))]
    parameters[2] = parameters[0]
    assert len(parameters) == 3 and len(list(parameters.parameters())) == 2 and len(parameters[:2]) == 2
    assert repr(parameters) == "ParameterList(2, 2x3, 2)"
    with pytest.raises(TypeError, match="expected a Parameter, got DoubleTensor"):
        parameters.append(tensor(numpy.ones(2)))
    with pytest.raises(TypeError, match="an index must be an integer, got str"):
        parameters["0"]


# --- how it looks


def test_repr():
    net = nn.Sequential("conv", nn.Conv2d(1, 6, 5, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Linear(3, 2, bias=False))
    assert repr(net) == (
        "Sequential(\n"
        "  (conv): Conv2d(1, 6, kernel_size=(5, 5), stride=(1, 1))\n"
        "  (1): ReLU()\n"
        "  (2): MaxPool2d(kernel_size=2, stride=2)\n"
        "  (3): Linear(3 -> 2, bias=False)\n"
        ")"
    )
    assert repr(nn.Sequential(nn.Sequential(nn.Tanh()))) == ("Sequential(\n  (0): Sequential(\n    (0): Tanh()\n  )\n)")
    assert repr(nn.CrossEntropyLoss(size_average=False)) == "CrossEntropyLoss(reduction='sum')"
    assert repr(nn.Dropout(0.3)) == "Dropout(p=0.3)"


def test_every_layer_has_a_docstring_and_a_repr():
    arguments = {
        "Linear": (2, 3), "Embedding": (2, 3), "Threshold": (0, 1), "Conv1d": (1, 1, 2), "Conv2d": (1, 1, 2),
        "Conv3d": (1, 1, 2), "ConvTranspose1d": (1, 1, 2), "ConvTranspose2d": (1, 1, 2), "ConvTranspose3d": (1, 1, 2),
        "LSTM": (2, 3), "GRU": (2, 3), "RNN": (2, 3),
        "LSTMCell": (2, 3), "GRUCell": (2, 3), "RNNCell": (2, 3), "ConstantPad2d": (1, 0), "PixelShuffle": (2,),
        "UpsamplingNearest2d": (2,), "UpsamplingBilinear2d": (2,), "Upsample": (2,), "DataParallel": (nn.Tanh(),),
        "Bilinear": (2, 3, 4), "LPPool2d": (2, 3), "CrossMapLRN2d": (5,), "FractionalMaxPool2d": (2, 3),
        "RNNBase": ("GRU", 2, 3), "EmbeddingBag": (2, 3),
    }  # fmt: skip
    layers = {name: kind for name, kind in vars(nn).items() if isinstance(kind, type) and issubclass(kind, nn.Module)}
    assert len(layers) > 60
    for name, kind in layers.items():
        assert kind.__doc__ and kind.__doc__[0] != " ", name
        given = arguments.get(name, (2,) if "pool" in name.lower() or "Norm" in name or "Pad" in name else ())
        assert repr(kind(*given)).startswith(kind.__name__ + "("), name


def test_the_names_of_torch():
    import legacy_autograd.nn.modules.conv

    from legacy_autograd.nn.modules import Module
    from legacy_autograd.nn.parameter import Parameter

    assert Module is nn.Module and Parameter is nn.Parameter
    assert legacy_autograd.nn.modules.conv.Conv2d is nn.Conv2d


def test_data_parallel_without_cards_is_the_module():
    linear = nn.Linear(2, 1).double()
    parallel = nn.DataParallel(linear)
    x = variable(numpy.array([[1.0, 2.0]]))
    assert parallel(x).data.equal(linear(x).data) and nn.parallel.data_parallel(linear, x).data.equal(linear(x).data)
    assert list(parallel.state_dict()) == ["module.weight", "module.bias"]
    for call in (nn.DataParallel, lambda *given, **named: nn.parallel.data_parallel(given[0], x, **named)):
        with pytest.raises(RuntimeError, match=r"device_ids=\[0, 1\]\) needs a CUDA device"):
            call(linear, device_ids=[0, 1])


def test_parameter_dict_of_october_2016():
    shared = nn.Linear(2, 2, bias=False)
    net = nn.Container(first=shared, second=shared, block=nn.Container(last=nn.Linear(2, 1, bias=False)), empty=None)
    assert list(net.parameter_dict()) == ["first.weight", "second.weight", "block.last.weight"]
    assert net.parameter_dict()["second.weight"] is shared.weight
    given = {"block.last.bias": variable(numpy.ones(1)), "nothing.weight": variable(numpy.ones(1))}
    net.load_parameter_dict(given)
    assert net.block.last.bias is given["block.last.bias"] and net.first.weight is shared.weight
    with pytest.raises(TypeError, match="'first.weight' must be a Variable, got DoubleTensor"):
        net.load_parameter_dict({"first.weight": tensor(numpy.ones((2, 2)))})


def test_names_of_children_may_have_dots_as_in_v01():
    def make():
        main = nn.Sequential()
        main.add_module("initial.2-1.linear", nn.Linear(2, 1))
        main.add_module("initial.1.relu", nn.ReLU())
        return main

    model, other = make(), make()
    assert list(model.state_dict()) == ["initial.2-1.linear.weight", "initial.2-1.linear.bias"]
    other.load_state_dict(model.state_dict())
    assert other[0].weight.data.equal(model[0].weight.data)
    model.add_module("initial", nn.Container(**{"2-1": nn.Container(linear=nn.Linear(2, 1))}))
    for call in (model.state_dict, lambda: model.load_state_dict(other.state_dict())):
        with pytest.raises(RuntimeError, match="two tensors of the state have the name 'initial.2-1.linear.weight'"):
            call()
