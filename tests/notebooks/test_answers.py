"""What the prose of the notebooks says beside their cells: in their answers, and where no cell asserts it."""

import gc
import tracemalloc
import weakref

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd import drawing, historical, nn
from legacy_autograd.autograd import ExecutionEngine, Function, Leaf, Variable, callbacks, grad
from legacy_autograd.autograd.later.checkpoint import checkpoint_sequential
from legacy_autograd.demos import datasets
from legacy_autograd.demos.networks import LeNet


def variable(*numbers, **options):
    return Variable(torch.Tensor(list(numbers)), **options)


def test_1_the_data_and_the_four_operations():
    x, y = datasets.load_norris()
    assert (y > 0).all(), "at W = 0 every prediction is below its reading"
    assert round(numpy.polyfit(x, y, 1)[0], 4) == 1.0021
    W = Variable(torch.zeros(1, 1))
    loss = torch.sum(torch.abs(torch.mm(W, Variable(torch.from_numpy(x).view(1, -1), requires_grad=False)) - 1))
    function, names = loss.creator, []
    while not isinstance(function, Leaf):
        names.append(type(function).__name__)
        function = function.previous_functions[0][0]
    assert names == ["Sum", "Abs", "SubConstant", "Mm"]


def test_1_without_zeroing_the_weight_swings():
    data = [torch.from_numpy(values / 1000).view(1, -1) for values in datasets.load_norris()]
    x, y = [Variable(values, requires_grad=False) for values in data]
    W = Variable(torch.zeros(1, 1))
    seen = []
    for _ in range(1000):
        torch.sum(torch.abs(torch.mm(W, x) - y)).backward()
        W.data -= W.grad * 0.0002
        seen.append(W.data[0, 0])
    turn = int(numpy.argmax(seen))
    steps = numpy.diff(seen)
    assert steps[10] > 5 * steps[0] and max(seen) > 1.5, "longer and longer, far past 1.002"
    assert min(seen[turn:]) < 1, "and back"


def test_2_a_constant_goes_to_the_constructor():
    function = (variable(1.0) - 3).creator
    assert type(function).__name__ == "SubConstant" and len(function.previous_functions) == 1


def test_2_a_result_whose_leaves_are_gone_still_runs_backward():
    W, x = Variable(torch.Tensor([[2.0]])), Variable(torch.Tensor([[3.0]]), requires_grad=False)
    y_ = torch.mm(W, x)
    del W, x
    trace = drawing.trace_backward(y_)
    assert [step.gradient["values"] for step in trace if step.event == "drop"] == [[3.0]]


def test_3_integers_and_what_nothing_wants_a_gradient_of():
    assert (variable(1.0, requires_grad=False) * 2).is_leaf
    assert not Variable(torch.LongTensor([1])).requires_grad


def test_4_if_ready_were_a_queue():
    x, y = variable(2.0), variable(3.0)
    x.name, y.name = "x", "y"
    product, total = x * y, x + y
    z = product + total
    ran = []

    class Queue(list):
        def pop(self):
            return super().pop(0)

    class QueueEngine(ExecutionEngine):
        def _begin(self, variable, grad):
            ready, not_ready = super()._begin(variable, grad)
            return Queue(ready), not_ready

        def _run(self, fn, grad_output):
            ran.append(fn)
            return super()._run(fn, grad_output)

    QueueEngine().run_backward(z, torch.Tensor([1.0]))
    assert ran == [v.creator for v in (z, product, total, x, y)]
    assert (x.grad[0], y.grad[0]) == (4.0, 3.0)


def test_4_thirty_doublings_and_a_long_chain():
    assert 2e9 < 2**31 - 1 < 2.2e9, "calls of the recursion: a binary tree of 31 levels"

    def depth(function):
        return 1 + max((depth(previous) for previous, _ in function.previous_functions), default=0)

    z = variable(1.0)
    for _ in range(3000):
        z = z + 1
    with pytest.raises(RecursionError):
        depth(z.creator)


def test_5_one_sided_differences_reach_1e_8():
    points = numpy.linspace(-2, 2, 9)

    def sigmoid(x):
        return 1 / (1 + numpy.exp(-x))

    exact = sigmoid(points) * (1 - sigmoid(points))
    steps = 10.0 ** -numpy.arange(1, 13, 0.5)
    one_sided = [abs((sigmoid(points + eps) - sigmoid(points)) / eps - exact).max() for eps in steps]
    central = [abs((sigmoid(points + eps) - sigmoid(points - eps)) / (2 * eps) - exact).max() for eps in steps]
    assert 1e-9 < min(one_sided) < 3e-8 and min(central) < min(one_sided) / 100
    assert steps[numpy.argmin(one_sided)] < steps[numpy.argmin(central)]


def test_5_the_rules_for_points_without_a_derivative_are_torchs():
    modern = pytest.importorskip("torch")
    cases = [("abs", 0.0), ("relu", 0.0), ("sqrt", 0.0), ("sqrt", -1.0), ("log", -1.0)]
    for name, number in cases:
        x, ours = modern.tensor([number], requires_grad=True), variable(number)
        getattr(modern, name)(x).backward()
        getattr(nn.functional if name == "relu" else torch, name)(ours).backward()
        numpy.testing.assert_equal(ours.grad.tolist(), x.grad.tolist())
    x, ours = modern.tensor([1.0, 1.0], requires_grad=True), variable(1.0, 1.0)
    modern.max(x).backward()
    torch.max(ours).backward()
    assert x.grad.tolist() == ours.grad.tolist() == [0.5, 0.5]
    x, ours = modern.tensor([1.0], requires_grad=True), variable(1.0)
    modern.clamp(x, -1, 1).backward()
    torch.clamp(ours, -1, 1).backward()
    assert x.grad.item() == ours.grad[0] == 1


def test_5_half_a_training_of_some_parameters():
    a, b = variable(2.0), variable(3.0)
    for step in range(2):
        b.requires_grad = step == 0
        (a * b).backward()
    assert a.grad[0] == 6 and (b.grad is None or b.grad[0] == 2)


def test_6_a_sum_used_twice_in_2016():
    x, y = historical.V0_1_1.leaves(1, 1)
    ((x + y) + x).backward()
    assert (x.grad[0], y.grad[0]) == (2.0, 2.0)
    x, y = variable(1.0), variable(1.0)
    ((x + y) + x).backward()
    assert (x.grad[0], y.grad[0]) == (2.0, 1.0)


def test_7_three_times_a_tensor_in_modern_torch():
    modern = pytest.importorskip("torch")
    x = modern.tensor([2.0], requires_grad=True)
    node = (3 * x).grad_fn
    assert type(node).__name__ == "MulBackward0" and (None, 0) in node.next_functions


def test_8_one_hook_call_for_two_uses_and_a_shared_gradient():
    w, seen = variable(2.0), []
    w.register_hook("see", lambda grad_input, grad_output: seen.append(grad_output[0][0]))
    (w * 3 + w * 4).backward()
    assert seen == [7.0]
    x, y = variable(1.0), variable(1.0)
    y.register_hook("write", lambda grad_input, grad_output: grad_output[0].mul_(10))
    (x + y).backward()
    assert (x.grad[0], y.grad[0]) == (1.0, 10.0), "y runs first, and x does not read what its hook wrote"


def test_9_images_that_require_a_gradient_get_one_and_the_weights_the_same():
    pixels, digits = torch.rand(2, 1, 28, 28), Variable(torch.LongTensor([3, 5]))
    model, found = LeNet(), []
    for images in (Variable(pixels), Variable(pixels, requires_grad=False)):
        model.zero_grad()
        nn.CrossEntropyLoss()(model(images), digits).backward()
        found.append((images.grad is not None, [p.grad.tolist() for p in model.parameters()]))
    assert [wanted for wanted, _ in found] == [True, False] and found[0][1] == found[1][1]


def test_9_making_a_network_draws_random_numbers():
    before = torch.get_rng_state().tolist()
    LeNet()
    assert torch.get_rng_state().tolist() != before


def test_10_four_hundred_layers_in_twenty_parts_hold_forty_results():
    size, held = 20_000, {}
    for parts in (10, 20, 40):
        x = Variable(torch.ones(size))
        gc.collect()
        tracemalloc.start()
        try:
            y = checkpoint_sequential([torch.tanh] * 400, parts, x).sum()
            y.backward(retain_variables=False)
            held[parts] = tracemalloc.get_traced_memory()[1] / (8 * size)
        finally:
            tracemalloc.stop()
    assert 35 < held[20] < 49 < min(held[10], held[40])


def test_10_grad_through_a_checkpoint_of_2016_adds_to_the_leaves_inside():
    class Checkpoint(Function):
        def __init__(self, part):
            self.part = part

        def forward(self, x):
            self.save_for_backward(x)
            with torch.no_grad():
                return self.part(Variable(x)).data

        def backward(self, grad_output):
            x = Variable(*self.saved_tensors, requires_grad=True)
            self.part(x).backward(grad_output)
            return x.grad

    x, w = variable(2.0), variable(3.0)
    assert grad(Checkpoint(lambda a: a * w)(x)[0], x)[0].tolist() == [3.0]
    assert w.grad.tolist() == [2.0], "though nobody asked for it"


def test_10_the_graph_of_a_gradient_holds_what_it_uses_of_the_old_one_and_no_circle():
    gc.disable()
    try:
        x = variable(2.0)
        for function, uses_the_result in ((torch.exp, True), (lambda x: x**3, False)):
            y = function(x)
            old = weakref.ref(y.creator)
            (first,) = grad(y, x, create_graph=True)
            del y
            assert (old() is not None) == uses_the_result
            del first
            assert old() is None
    finally:
        gc.enable()


def test_10_the_distance_with_a_little_added_has_a_gradient_at_0():
    a, b = variable(1.0, 2.0), variable(1.0, 2.0, requires_grad=False)
    torch.sqrt(torch.sum((a - b) ** 2) + 1e-12).backward()
    assert a.grad.tolist() == [0.0, 0.0] and callbacks.around_call.callbacks == ()


def test_8_the_accumulators_hook_runs_before_the_sum_here_and_after_it_in_torch():
    modern = pytest.importorskip("torch")
    x, ours, seen = modern.tensor([3.0], requires_grad=True), variable(3.0), []
    (accumulator,) = [node for node, _ in (x * 1).grad_fn.next_functions if node is not None]
    accumulator.register_hook(lambda grad_input, grad_output: seen.append((grad_input, x.grad.item())))
    ours.creator.register_hook(lambda grad_input, grad_output: seen.append((grad_input[0][0], ours.grad[0])))
    for leaf in (x, ours):
        leaf.register_post_accumulate_grad_hook(lambda leaf: seen.append(float(leaf.grad[0])))
        (leaf * 2).backward()
    assert seen == [2.0, ((), 2.0), (2.0, 0.0), 2.0]


def test_8_the_hook_that_names_another_global():
    names = {"Variable": Variable, "torch": torch}
    exec(
        "global_grad = 0.0\n"
        "def hook(gradient):\n    global global_feat\n    global_grad = gradient\n"
        "x = Variable(torch.ones(1)) * 1\nx.register_hook(hook)\nx.backward()\n",
        names,
    )
    assert names["global_grad"] == 0.0 and "global_feat" not in names


def test_10_a_recorded_formula_passes_both_checks():
    class Cube(Function):
        def forward(self, x):
            self.save_for_backward(x)
            return x * x * x

        def backward(self, grad_output):
            (x,) = self.saved_tensors
            return grad_output * x * x * 3

    for check in (torch.autograd.gradcheck, torch.autograd.gradgradcheck):
        assert check(lambda x: Cube()(x)[0], variable(2.0))


def test_11_no_mode_changes_a_variable_that_the_program_makes():
    for mode in (torch.no_grad, torch.inference_mode):
        with mode():
            assert Variable(torch.ones(1)).requires_grad and not (Variable(torch.ones(1)) * 2).requires_grad
    with torch.no_grad():
        constant = variable(3.0) * 1
    x = variable(2.0)
    (x * constant).backward()
    assert x.grad[0] == 3


def test_11_a_new_leaf_leaves_the_optimizer_with_the_old_one():
    w = variable(3.0)
    optimizer = torch.optim.SGD([w], lr=0.1)
    new = Variable(w.data - 0.1)
    (new * new).backward()
    optimizer.step()
    assert new.data[0] == 2.9 and w.data[0] == 3
    with pytest.raises(AttributeError, match="grad"):
        w.data.grad  # noqa: B018
