"""The programs of the articles that this package was made for, each with the numbers that must come out.

Only what no other file shows. Elsewhere: `y_ - y` and what a call records (core/test_function.py), `Exp` and
`GradCoeff` (later/test_static_function.py), three ways to the gradient of an intermediate result
(later/test_volatile_and_views.py), grad modes, anomaly mode, `checkpoint_sequential`, pack and unpack hooks, jacobian,
hessian and the profiler (later/, a file each). Where an article makes a leaf with
`torch.tensor(…, requires_grad=True)`, these programs make a Variable.
"""

import contextlib
import io
import math

import pytest

import legacy_autograd as torch
from legacy_autograd import nn, optim
from legacy_autograd.autograd import Function, Variable, gradcheck
from legacy_autograd.nn import functional as F
from legacy_autograd.utils.checkpoint import checkpoint
from legacy_autograd.utils.data import DataLoader, Dataset


def variable(*numbers, **options):
    return Variable(torch.DoubleTensor(list(numbers)), **options)


# --- "The Basic Knowledge of Torch Train Pipeline"


def test_a_product_of_two_numbers_and_a_step_of_sgd():
    x1, x2 = variable(2.0), variable(3.0)
    v = x1 * x2
    (first, _), (second, _) = v.grad_fn.next_functions
    assert (first.name(), second.name()) == ("AccumulateGrad", "AccumulateGrad")
    assert first.variable is x1 and second.variable is x2
    optimizer = optim.SGD([x1, x2], lr=0.1)
    v.backward()
    assert (x1.grad[0], x2.grad[0]) == (3, 2)
    optimizer.step()
    assert (x1.data[0], x2.data[0]) == (2 - 0.1 * 3, 3 - 0.1 * 2)


def test_optimizers_hold_the_parameters_themselves():
    model = nn.Linear(2, 1)
    optimizer = optim.Adam(model.parameters(), lr=0.1)
    (group,) = optimizer.param_groups
    assert all(held is parameter for held, parameter in zip(group["params"], model.parameters(), strict=True))
    model(variable(1.0, 1.0).view(1, 2)).backward()
    optimizer.step()
    assert all(key is parameter for key, parameter in zip(optimizer.state, model.parameters(), strict=True))


def test_hooks_on_a_saved_tensor_of_a_parameters_function():
    w = variable(2.0, 3.0)
    y = w * w.detach()
    packed = []

    def pack_hook(tensor):
        packed.append(tensor.tolist())
        return tensor.tolist()

    y.grad_fn._raw_saved_other.register_hooks(pack_hook, torch.DoubleTensor)
    y.sum().backward()
    assert packed == [[2, 3]] and w.grad.tolist() == [2, 3]


# --- "The Basic Knowledge of PyTorch Autograd"


def test_a_gradient_of_the_size_of_a_vector():
    a, b = variable(2.0, 3.0), variable(6.0, 4.0)
    Q = 3 * a**3 - b**2
    init_gradient = torch.Tensor([1.0, 10.0])
    with pytest.raises(RuntimeError, match="only on a scalar"):
        Q.backward()
    Q.backward(gradient=init_gradient)
    assert a.grad.tolist() == [36, 810] and b.grad.tolist() == [-12, -80]  # 9 a², -2 b, times 1 and 10


# --- "学习pytorch"


def test_a_sum_times_a_difference():
    x, y = variable(2.0), variable(3.0)
    z = (x + y) * (y - 2)
    z.backward()
    assert (z.data[0], x.grad[0], y.grad[0]) == (5, 1, 6)


def test_a_running_variable_seen_from_outside():
    a, b = variable(2.0), variable(6.0)
    Q = 3 * a**3 - b**2
    assert Q.data.tolist() == [-12] and Q.grad is None and Q.requires_grad
    assert not Q.is_leaf and Q.output_nr == 0 and not Q.is_cuda
    assert [(node.name().removesuffix("Backward"), number) for node, number in Q.grad_fn.next_functions] == [
        ("MulConstant", 0), ("PowConstant", 0),
    ]  # fmt: skip


def test_the_regression_that_explains_v0_1_0():
    y = Variable(torch.Tensor([[3.0, 6.0, 9.0, 12.0]]), requires_grad=False)
    x = Variable(torch.Tensor([[1.0, 2.0, 3.0, 4.0]]), requires_grad=False)
    W = Variable(torch.zeros(1, 1), requires_grad=True)
    learning_rate = 0.001
    for step in range(301):
        y_ = torch.mm(W, x)
        loss = torch.sum(torch.abs(y_ - y))
        loss.backward()
        assert W.grad.tolist() == [[-10]] or step >= 300  # each |w x - 3 x| falls by x: 1 + 2 + 3 + 4
        W.data -= W.grad.data * learning_rate
        W.grad.data.zero_()
    assert W.data[0, 0] == pytest.approx(3, abs=0.011) and W.grad[0, 0] == 0


def test_subtraction_product_and_quotient_as_they_were_written():
    class Sub(Function):
        def forward(self, a, b):
            return a.sub(b)

        def backward(self, grad_output):
            return grad_output, grad_output.neg()

    class Mul(Function):
        def forward(self, a, b):
            self.input = (a, b)
            return a.mul(b)

        def backward(self, grad_output):
            a, b = self.input
            return grad_output.mul(b), grad_output.mul(a)

    class Div(Function):
        def forward(self, a, b):
            self.input = (a, b)
            return a.div(b)

        def backward(self, grad_output):
            a, b = self.input
            return grad_output.div(b), grad_output.neg().mul(a).div_(b).div_(b)

    a, b = variable(6.0), variable(2.0)
    z = Sub()(Mul()(a, b)[0], Div()(a, b)[0])[0]  # a b - a / b
    z.backward()
    assert (z.data[0], a.grad[0], b.grad[0]) == (9, 2 - 1 / 2, 6 + 6 / 4)


def test_a_data_set_of_ones_own():
    class MyDataset(Dataset):
        def __init__(self):
            self.data = torch.Tensor([[1, 2, 3], [2, 3, 4], [3, 4, 5], [4, 5, 6]])
            self.label = torch.LongTensor([1, 1, 0, 0])

        def __getitem__(self, index):
            return self.data[index], self.label[index]

        def __len__(self):
            return len(self.data)

    seen = []
    for inputs, labels in DataLoader(dataset=MyDataset(), batch_size=2, shuffle=True, num_workers=0):
        assert (tuple(inputs.size()), tuple(labels.size())) == ((2, 3), (2,))
        seen += zip(inputs.tolist(), labels.tolist(), strict=True)
    assert sorted(seen) == [([1, 2, 3], 1), ([2, 3, 4], 1), ([3, 4, 5], 0), ([4, 5, 6], 0)]


class LinearModel(nn.Module):
    def __init__(self, ndim):
        super().__init__()
        self.ndim = ndim
        self.weight = nn.Parameter(torch.randn(ndim, 1))
        self.bias = nn.Parameter(torch.randn(1))

    def forward(self, x):
        return x.mm(self.weight) + self.bias


def test_a_linear_model_of_parameters():
    model = LinearModel(2)
    assert [name for name, _ in model.named_parameters()] == ["weight", "bias"]
    model(Variable(torch.Tensor([[1.0, 2.0], [3.0, 4.0]]), requires_grad=False)).sum().backward()
    gradients = {name: parameter.grad.tolist() for name, parameter in model.named_parameters()}
    assert gradients == {"weight": [[4], [6]], "bias": [2]}


class LeNet(nn.Module):
    def __init__(self):
        super(LeNet, self).__init__()  # noqa: UP008
        self.conv1 = nn.Conv2d(1, 6, (5, 5))
        self.conv2 = nn.Conv2d(6, 16, (5, 5))
        self.fc1 = nn.Linear(256, 120)
        self.fc2 = nn.Linear(120, 84)
        self.fc3 = nn.Linear(84, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), (2, 2))
        x = F.max_pool2d(F.relu(self.conv2(x)), (2, 2))
        x = x.view(x.size()[0], -1)
        x = F.relu(self.fc1(x))
        x = F.relu(self.fc2(x))
        x = F.relu(self.fc3(x))
        return x


def test_the_lenet_and_its_training_loop():
    torch.manual_seed(0)
    model = LeNet()
    # (1·25 + 1)·6 + (6·25 + 1)·16 + (256 + 1)·120 + (120 + 1)·84 + (84 + 1)·10
    assert sum(parameter.numel() for parameter in model.parameters()) == 44426
    data, target = Variable(torch.randn(8, 1, 28, 28), requires_grad=False), Variable(torch.arange(8).long())
    optimizer = optim.AdamW(model.parameters(), lr=1e-3)
    model.train()
    losses = []
    for _ in range(8):
        output = F.log_softmax(model(data))
        loss = F.nll_loss(output, target)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.data[0])
    assert tuple(output.size()) == (8, 10)
    assert losses[0] == pytest.approx(math.log(10), abs=0.1)  # of ten classes, none known yet
    assert losses[-1] < losses[0] - 0.05
    assert all(parameter.grad.abs().sum() == 0 for parameter in model.parameters())


def test_a_summed_binary_cross_entropy_and_a_first_step_of_adam():
    model = nn.Sequential(nn.Linear(1, 1), nn.Sigmoid())
    before = [parameter.data.clone() for parameter in model.parameters()]
    criterion = nn.BCELoss(reduction="sum")
    optimizer = optim.Adam(model.parameters(), lr=0.0001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0, amsgrad=False)
    x = Variable(torch.Tensor([[1.0], [2.0]]), requires_grad=False)
    output = model(x)
    loss = criterion(output, Variable(torch.ones(2, 1), requires_grad=False))
    assert loss.data[0] == pytest.approx(-sum(math.log(p) for (p,) in output.data.tolist()))
    loss.backward()
    optimizer.step()
    for parameter, was in zip(model.parameters(), before, strict=True):  # whatever the gradient, here below zero
        assert (parameter.data - was).tolist()[0] == pytest.approx([0.0001] if was.dim() == 2 else 0.0001, rel=1e-4)


def test_a_checkpoint_of_model_optimizer_and_loss(tmp_path):
    pytest.importorskip("safetensors")

    def make():
        model = LinearModel(2)
        return model, optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

    def step(model, optimizer):
        loss = (model(Variable(torch.ones(1, 2), requires_grad=False)) ** 2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.data[0]

    model, optimizer = make()
    loss = step(model, optimizer)
    torch.save(
        {
            "epoch": 5,
            "model_state_dict": model.state_dict(),
            "optimizer_state_dict": optimizer.state_dict(),
            "loss": loss,
        },
        tmp_path / "checkpoint",
    )
    expected = step(model, optimizer), step(model, optimizer)  # the second has the momentum of the first

    model, optimizer = make()
    saved = torch.load(tmp_path / "checkpoint")
    model.load_state_dict(saved["model_state_dict"])
    optimizer.load_state_dict(saved["optimizer_state_dict"])
    assert (saved["epoch"], saved["loss"]) == (5, loss)
    model.train()
    assert (step(model, optimizer), step(model, optimizer)) == expected


def test_a_hook_on_a_parameter_halves_its_gradient():
    seen = []

    def print_grad(grad):
        seen.append(grad.tolist())
        return grad / 2

    w = nn.Parameter(torch.Tensor([[1.0, 3.0], [5.0, 7.0]]))
    w.register_hook(print_grad)
    loss = (w - 1) ** 2
    assert seen == []
    loss.mean().backward()
    assert seen == [[[0, 1], [2, 3]]]  # 2 (w - 1) / 4
    assert w.grad.tolist() == [[0, 0.5], [1, 1.5]]


def test_an_operators_hook_runs_before_the_parameters_and_is_for_one_operator():
    order = []
    w = nn.Parameter(torch.randn(2, 2))
    w.register_hook(lambda grad: order.append("parameter hook"))
    y = w + 1
    y.grad_fn.register_hook(lambda *grads: order.append("operator hook"))
    y.sum().backward()
    assert order == ["operator hook", "parameter hook"]
    z = w + 1
    z.sum().backward()
    assert order == ["operator hook", "parameter hook", "parameter hook"]


# --- "PyTorch 源码解读之 torch.autograd"


def test_a_sigmoid_passes_the_check_in_double_with_a_small_eps():
    class Sigmoid(Function):
        @staticmethod
        def forward(ctx, x):
            output = 1 / (1 + torch.exp(-x))
            ctx.save_for_backward(output)
            return output

        @staticmethod
        def backward(ctx, grad_output):
            (output,) = ctx.saved_tensors
            return grad_output * output * (1 - output)

    torch.manual_seed(0)
    numbers = torch.randn(32)
    passed = {}
    for kind in (torch.FloatTensor, torch.DoubleTensor):
        test_input = Variable(numbers.type(kind), requires_grad=True)
        for function in (Sigmoid.apply, torch.sigmoid):
            for eps in (1e-3, 1e-4):
                with pytest.warns() if kind is torch.FloatTensor else contextlib.nullcontext():
                    passed[kind, function, eps] = gradcheck(function, (test_input,), eps=eps, raise_exception=False)
    for function in (Sigmoid.apply, torch.sigmoid):
        assert passed[torch.DoubleTensor, function, 1e-3] and passed[torch.DoubleTensor, function, 1e-4]
        assert passed[torch.FloatTensor, function, 1e-3]
        assert not passed[torch.FloatTensor, function, 1e-4]  # the rounding of the numbers, divided by eps


def test_each_forward_may_take_another_way():
    def program(x):
        return x * x if x.data[0] > 0 else x * 3

    for number, slope in ((2.0, 4), (-2.0, 3)):
        x = variable(number)
        program(x).backward()
        assert x.grad[0] == slope


def test_evaluation_and_no_grad_are_two_things():
    net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2), nn.Dropout(0.5))
    inp = Variable(torch.Tensor([[1.0, 2.0], [3.0, 4.0]]), requires_grad=False)
    net.eval()
    assert net(inp).requires_grad and net(inp).data.equal(net(inp).data)
    net.train()
    with torch.no_grad():
        output = net(inp)
    assert not output.requires_grad and output.is_leaf
    assert net[1].running_mean.abs().sum() > 0  # no_grad has not put it into evaluation


# --- "Torch的一些使用方法记录"


def test_the_gradient_of_an_intermediate_by_retain_grad():
    x = Variable(torch.ones(2, 2))
    y = x * 2
    y.retain_grad()
    z = y**2
    z.backward(torch.ones_like(z.data))
    assert x.is_leaf and x.grad.tolist() == [[8, 8], [8, 8]] and y.grad.tolist() == [[4, 4], [4, 4]]


global_feat, global_grad = None, 0.0


def extract_grad(grad):
    print("current grad: ", grad)
    global global_feat
    global_grad = grad  # noqa: F841  a local name, since `global` names another: the article found the old number
    return grad


def test_the_hook_that_names_another_global():
    x = Variable(torch.ones(2, 2))
    y = x * 2
    t = (y**2).mean()
    y_hook = y.register_hook(extract_grad)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        t.backward()
        y_hook.remove()
        (y**2).mean().backward()
    assert printed.getvalue().split() == "current grad: 1 1 1 1 [torch.DoubleTensor of size 2x2]".split()
    assert global_grad == 0.0 and global_feat is None
    assert x.grad.tolist() == [[4, 4], [4, 4]]  # 2 y / 4 · 2, twice


def test_a_checkpointed_layer_in_a_closure():
    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = nn.Linear(2, 2)

        def forward(self, hidden, mask, past_key_value, output_attentions):
            output = F.tanh(self.linear(hidden)) * mask
            return (output, past_key_value) if output_attentions else output

    def create_custom_forward(module):
        def custom_forward(*inputs):
            return module(*inputs, past_key_value, output_attentions)

        return custom_forward

    layer, past_key_value, output_attentions = Layer(), None, False
    hidden_states = Variable(torch.Tensor([[1.0, 2.0]]))
    attention_mask = Variable(torch.Tensor([[1.0, 0.5]]), requires_grad=False)
    results = []
    for run in (layer, lambda *inputs: checkpoint(create_custom_forward(layer), *inputs[:2])):
        layer.zero_grad()
        hidden_states.grad = None
        layer_outputs = run(hidden_states, attention_mask, past_key_value, output_attentions)
        layer_outputs.sum().backward()
        gradients = [parameter.grad.tolist() for parameter in layer.parameters()]
        results.append((layer_outputs.data.tolist(), hidden_states.grad.tolist(), gradients))
    assert results[0] == results[1]
