"""Function: what a call records, and what a user's mistake is told (2016: torch/autograd/function.py)."""

import pytest

import legacy_autograd as torch
from legacy_autograd import conventions, optim
from legacy_autograd.autograd import Function, Variable, saved_tensors
from legacy_autograd.autograd.functions.basic_ops import Add, Mul


def variable(*numbers, **kwargs):
    return Variable(torch.DoubleTensor(list(numbers)), **kwargs)


class Identity(Function):
    """One input, one output; what backward answers is the constructor's argument."""

    def __init__(self, gradients=None):
        self.gradients = gradients

    def forward(self, x):
        return x.clone()

    def backward(self, grad_output):
        return grad_output if self.gradients is None else self.gradients


class Sum(Identity):
    """Two inputs; what backward answers is the constructor's argument."""

    def forward(self, a, b):
        return a + b


class DivMod(Function):
    """(x / 2, 3 x): two outputs."""

    def forward(self, x):
        return x.div(2), x.mul(3)

    def backward(self, grad_half, grad_triple):
        self.received = (grad_half, grad_triple)
        return grad_half.div(2).add(grad_triple.mul(3))


def test_what_a_call_records():
    x, y = variable(1.0), variable(2.0, requires_grad=False)
    function = Add()
    assert function.previous_functions is None and function.output_ids is None and function.needs_input_grad is None
    (z,) = function(x, y)
    assert z.creator is function
    assert function.previous_functions == [(x.creator, id(x)), (y.creator, id(y))]
    assert function.output_ids == {id(z): 0}
    assert function.needs_input_grad == (True, False)
    assert function.requires_grad is True


def test_the_same_variable_twice_is_two_edges():
    x = variable(3.0)
    y = x * x
    assert y.creator.previous_functions == [(x.creator, id(x))] * 2


def test_a_function_of_inputs_without_gradient_is_recorded_and_requires_none():
    x = variable(3.0, requires_grad=False)
    y = x * x
    assert isinstance(y.creator, Mul) and not y.requires_grad and y.grad is None


def test_the_order_of_a_call():
    events = []

    class Watched(Function):
        def __call__(self, *input):
            events.append("__call__")
            return super().__call__(*input)

        def _do_forward(self, *input):
            events.append("_do_forward")
            output = super()._do_forward(*input)
            events.append(("linked", self.previous_functions is not None))
            return output

        def forward(self, x):
            events.append(("forward", type(x).__name__, self.previous_functions))
            return x.clone()

    Watched()(variable(1.0))
    assert events == ["__call__", "_do_forward", ("forward", "DoubleTensor", None), ("linked", True)]


def test_several_outputs_know_their_numbers():
    function = DivMod()
    half, triple = function(variable(4.0))
    assert (half.data[0], triple.data[0]) == (2, 12)
    assert function.output_ids == {id(half): 0, id(triple): 1}


def test_an_argument_that_is_no_variable():
    with pytest.raises(TypeError, match="Add: argument 1 is a float; a Function is called with Variables"):
        Add()(variable(1.0), 2.0)
    with pytest.raises(TypeError, match="Add: argument 0 is a DoubleTensor"):
        Add()(torch.DoubleTensor([1]), variable(1.0))


def test_an_attribute_error_inside_forward_is_the_users_own():
    class Broken(Function):
        def forward(self, x):
            return x.no_such_method()

    with pytest.raises(AttributeError, match="no_such_method"):
        Broken()(variable(1.0))


def test_forward_that_returns_no_tensor():
    class Broken(Function):
        def forward(self, x):
            return 1.0

    with pytest.raises(TypeError, match="Broken.forward.*float"):
        Broken()(variable(1.0))


def test_an_instance_is_one_node():
    function = Identity()
    function(variable(1.0))
    with pytest.raises(RuntimeError, match="Identity was called before"):
        function(variable(1.0))


@pytest.fixture(params=["0.1.1", "0.1.12"])
def release(request, monkeypatch):
    monkeypatch.setattr(conventions, "era", conventions.ERAS[request.param])


def test_forward_sees_which_inputs_need_a_gradient():
    seen = []

    class Looks(Function):
        def forward(self, *tensors):
            seen.append(self.needs_input_grad)
            return tensors[0].clone()

    x, constant = variable(1.0), variable(2.0, requires_grad=False)
    for inputs in ((x,), (constant,), (x, constant), (constant, constant), (constant, x, x)):
        Looks()(*inputs)
    assert seen == [(True,), (False,), (True, False), (False, False), (False, True, True)]


class Power(Function):
    """x ** n, which saves x where n is above 1."""

    def forward(self, x):
        if self.n > 1:
            self.save_for_backward(None, x)
        return x.pow(self.n)

    def backward(self, grad_output):
        factor = self.saved_tensors[1].pow(self.n - 1).mul(self.n) if self.n > 1 else 1
        return grad_output * factor


def only(output):
    return output[0] if isinstance(output, tuple) else output


def test_an_instance_that_runs_again_in_every_iteration(release, recwarn):
    function, x = Power(), Variable(torch.DoubleTensor([3]), requires_grad=True)
    for n, expected in ((2, 6), (1, 7), (3, 34)):
        function.n = n
        only(function(x * 1)).backward()
        assert x.grad.data.tolist() == [expected]
    function(Variable(torch.DoubleTensor([1]), requires_grad=False))
    assert not function.requires_grad and len(function.previous_functions) == 1 and len(recwarn) == 0


def test_backward_from_the_result_of_an_earlier_call_of_the_same_input(release, recwarn):
    function, x = Power(), Variable(torch.DoubleTensor([3]), requires_grad=True)
    function.n = 2
    first = only(function(x))
    function(x)
    first.backward()
    (first * 10).backward()
    assert x.grad.data.tolist() == [66] and len(recwarn) == 0


def test_backward_from_the_result_of_an_earlier_call_goes_to_the_inputs_of_the_last_one(release):
    function = Power()
    function.n = 2
    x, y = [Variable(torch.DoubleTensor([number]), requires_grad=True) for number in (3, 5)]
    first = only(function(x))
    function(y)
    with pytest.warns(UserWarning, match="Power was called again .* goes to the inputs of the last call"):
        (first * 2).backward()
    assert y.grad.data.tolist() == [20] and (x.grad is None or x.grad.tolist() == [0])


def test_forward_and_backward_that_are_not_written():
    class Empty(Function):
        pass

    class ForwardOnly(Function):
        def forward(self, x):
            return x.clone()

    with pytest.raises(NotImplementedError, match="Empty does not define forward"):
        Empty()(variable(1.0))
    with pytest.raises(NotImplementedError, match="ForwardOnly does not define backward"):
        ForwardOnly()(variable(1.0))[0].backward()


@pytest.mark.parametrize("gradients, count", [((), 0), ((torch.DoubleTensor([1]),) * 2, 2)])
def test_a_wrong_number_of_gradients(gradients, count):
    (y,) = Identity(gradients)(variable(1.0))
    with pytest.raises(RuntimeError, match=f"Identity.backward.*number of gradient tensors: {count}, for 1 input"):
        y.backward()


def test_a_gradient_of_the_wrong_size():
    x = variable(1.0)
    (y,) = Identity(torch.DoubleTensor([1, 1, 1]))(x * 2)
    message = (
        r"^Identity\.backward returned for input 0 a gradient of the size \(3,\); that output of MulConstant has the "
    )
    with pytest.raises(RuntimeError, match=message + r"size \(1,\)$"):
        y.backward()
    with pytest.raises(RuntimeError, match=message):
        torch.autograd.grad(y, x)


def test_a_gradient_that_is_no_tensor():
    (y,) = Identity(1.0)(variable(1.0))
    with pytest.raises(TypeError, match=r"^Identity\.backward returned for input 0 a float, not a Tensor, .* of Leaf$"):
        y.backward()


def test_the_message_names_the_input_whose_gradient_is_wrong():
    x = variable(1.0)
    y = Sum((torch.DoubleTensor([1]), torch.DoubleTensor([1, 1])))(x * 2, x * 3)[0]
    with pytest.raises(RuntimeError, match=r"^Sum\.backward returned for input 1 a gradient of the size \(2,\)"):
        y.backward()


def test_a_list_of_gradients():
    y = Sum([torch.DoubleTensor([1]), torch.DoubleTensor([1])])(variable(1.0), variable(2.0))[0]
    with pytest.raises(RuntimeError, match=r"^Sum\.backward .*number of gradient tensors: a list, for 2 inputs$"):
        y.backward()


@pytest.mark.parametrize("given", [torch.DoubleTensor([1, 1]), (None, torch.DoubleTensor([1, 1]))])
def test_a_hooks_gradient_of_the_wrong_size_is_not_blamed_on_backward(given):
    position = 1 if isinstance(given, tuple) else 0
    a, b = variable(1.0), variable(2.0)
    y = a * b if position else a * 2
    y.creator.register_hook(lambda grad_input, grad_output: given)
    message = rf"^a hook of Mul(Constant)? returned for input {position} a gradient of the size \(2,\); .* Leaf has"
    with pytest.raises(RuntimeError, match=message):
        y.backward()


def test_a_gradient_of_another_type():
    x = variable(1.0)
    (y,) = Identity(torch.FloatTensor([1]))(x)
    with pytest.raises(TypeError, match="DoubleTensor cannot be a torch.FloatTensor"):
        y.backward()


def test_none_for_an_input_leaves_its_gradient_alone():
    class NoGradient(Identity):
        def backward(self, grad_output):
            return None

    x = variable(1.0)
    (y,) = NoGradient()(x * 2)
    (y + x).backward()
    assert x.grad.tolist() == [1]


def test_needs_input_grad_is_there_in_backward():
    seen = []

    class Seeing(Function):
        def forward(self, x, y):
            return x.mul(y)

        def backward(self, grad_output):
            seen.append(self.needs_input_grad)
            return grad_output, None

    (z,) = Seeing()(variable(1.0), variable(1.0, requires_grad=False))
    z.backward()
    assert seen == [(True, False)]


def test_saved_tensors_come_back_and_are_checked_for_writes():
    x, y = variable(2.0), variable(3.0)
    z = x * y
    assert [t.tolist() for t in z.creator.saved_tensors] == [[2], [3]]
    y.data.fill_(100)
    with pytest.raises(
        RuntimeError,
        match=r"Mul: one of the variables needed.*inplace.*size \(1,\) is at version 1; expected version 0",
    ):
        z.backward()


def test_a_write_through_a_view_is_seen():
    x = variable(2.0, 3.0)
    y = x * x
    x.data[0:1].zero_()
    with pytest.raises(RuntimeError, match="inplace"):
        y.backward(torch.DoubleTensor([1, 1]))


def test_optional_inputs_that_are_not_given():
    """The pattern of v0.1.12's documentation: None is saved, and None returned for what there was no input of."""

    class Linear(Function):
        def forward(self, x, weight, bias=None):
            self.save_for_backward(x, weight, bias)
            return x.mm(weight.t()) if bias is None else x.mm(weight.t()).add(bias)

        def backward(self, grad_output):
            x, weight, bias = self.saved_tensors
            grad_bias = None if bias is None else grad_output.sum(0).view(-1)
            return grad_output.mm(weight), grad_output.t().mm(x), grad_bias

    x, w, b = [Variable(torch.DoubleTensor(numbers)) for numbers in ([[1.0, 2.0]], [[3.0, 4.0]], [5.0])]
    for bias in ((), (b,)):
        (y,) = Linear()(x, w, *bias)
        y.backward()
    assert (x.grad.tolist(), w.grad.tolist(), b.grad.tolist()) == ([[6, 8]], [[2, 4]], [1])
    w.data.zero_()
    with pytest.raises(RuntimeError, match="inplace"):
        y.creator.saved_tensors  # noqa: B018


def test_what_cannot_be_saved_is_named():
    with pytest.raises(TypeError, match="Function: save_for_backward takes Tensors and None, and argument 1 is a int"):
        Function().save_for_backward(torch.DoubleTensor([1]), 3)


def product_and_a_step():
    """w = 2, x = 3, z = w x; then a step by the gradient of w, which is 3: w = 2 - 0.5 * 3."""
    w, x = variable(2.0, requires_grad=True), variable(3.0, requires_grad=True)
    optimizer = optim.SGD([w], lr=0.5)
    z = w * x
    z.backward()
    optimizer.step()
    assert w.data.tolist() == [0.5]
    return w, x, z


def test_a_step_between_a_forward_and_its_backward_is_refused_and_named():
    _, _, z = product_and_a_step()
    words = (
        r"^Mul: one of the variables.* torch.DoubleTensor of size \(1,\) is at version 1; expected version 0 instead. "
    )
    with pytest.raises(RuntimeError, match=words + "An optimizer's step wrote to it.*before the step, or fo"):
        z.backward()


def test_the_later_era_goes_on_after_a_step_with_a_warning(monkeypatch):
    monkeypatch.setattr(conventions, "era", conventions.ERAS["0.1.12"])
    monkeypatch.setattr(saved_tensors, "_warned", set())
    w, x, z = product_and_a_step()
    with pytest.warns(UserWarning, match="^Mul: .*by an optimizer's step.*mixes numbers.*before the step") as seen:
        z.backward()
    assert [warning.filename for warning in seen] == [__file__]  # the line of the program, not one of the package
    assert (w.grad.data.tolist(), x.grad.data.tolist()) == ([3 + 3], [2 + 0.5])  # by x of the second time: the new w


def test_a_write_to_what_was_not_saved_does_no_harm():
    x, y = variable(2.0), variable(3.0)
    z = x + y
    x.data.fill_(100)
    z.backward()
    assert (x.grad.data.tolist(), y.grad.data.tolist()) == ([1], [1])


def test_what_a_user_keeps_on_self_works_unchecked_as_in_2016():
    class Square(Function):
        def forward(self, x):
            self.input = x
            return x.mul(x)

        def backward(self, grad_output):
            return grad_output.mul(self.input).mul(2)

    x = variable(3.0)
    (y,) = Square()(x)
    y.backward()
    assert x.grad.tolist() == [6]


def test_backward_twice_accumulates_and_freed_buffers_say_so():
    x = variable(3.0)
    y = x * x
    y.backward()
    y.backward()
    assert x.grad.tolist() == [12]
    y.backward(retain_variables=False)
    with pytest.raises(RuntimeError, match="Mul: the saved tensors were freed.*retain_variables"):
        y.backward()


def test_a_non_differentiable_output_is_a_leaf_without_gradient():
    class WithIndex(Function):
        def forward(self, x):
            index = torch.LongTensor([0])
            self.mark_non_differentiable(index)
            return x.clone(), index

        def backward(self, grad_output, grad_index):
            return grad_output

    x = variable(3.0)
    y, index = WithIndex()(x)
    assert y.requires_grad and not index.requires_grad and index.is_leaf
    y.backward()
    assert x.grad.tolist() == [1]


def test_hooks_of_a_function_have_names_and_two_arguments():
    seen = []
    x = variable(3.0)
    y = x * 2
    y.creator.register_hook("watch", lambda grad_input, grad_output: seen.append((grad_input, grad_output)))
    y.backward()
    ((grad_input, grad_output),) = seen
    assert [g.tolist() for g in grad_input] == [[2]]
    assert grad_output.tolist() == [1]


def test_names_of_hooks_are_unique_and_known():
    y = variable(3.0) * 2
    y.creator.register_hook("h", lambda *_: None)
    with pytest.raises(ValueError, match="MulConstant has a hook named 'h' already"):
        y.creator.register_hook("h", lambda *_: None)
    with pytest.raises(KeyError, match="no hook named 'g'; it has 'h'"):
        y.creator.remove_hook("g")
    y.creator.remove_hook("h")
    y.creator.register_hook("h", lambda *_: None)
    with pytest.raises(TypeError, match="register_hook needs a function, got int"):
        y.creator.register_hook("i", 3)


def test_a_named_hooks_result_is_ignored_and_a_lone_ones_replaces():
    x = variable(3.0)
    y = x * 2
    y.creator.register_hook("h", lambda grad_input, grad_output: (torch.DoubleTensor([100]),))
    y.backward()
    assert x.grad.tolist() == [2]
    handle = y.creator.register_hook(lambda grad_input, grad_output: (torch.DoubleTensor([100]),))
    y.backward()
    assert x.grad.tolist() == [102]
    handle.remove()
    handle.remove()
    y.backward()
    assert x.grad.tolist() == [104]


def test_hooks_run_in_the_order_they_were_registered():
    order = []
    y = variable(3.0) * 2
    for name in "bca":
        y.creator.register_hook(name, lambda *_, name=name: order.append(name))
    y.backward()
    assert order == ["b", "c", "a"]


def test_a_lone_hook_on_a_variable_sees_the_summed_gradient_and_may_replace_it():
    seen = []
    x = variable(3.0)
    y = x * 2
    y.register_hook(lambda grad: seen.append(grad.tolist()))
    handle = y.register_hook(lambda grad: grad.mul(10))
    (y + y + y).backward()
    assert seen == [[3]]
    assert x.grad.tolist() == [60]
    handle.remove()
    (y * 1).backward()
    assert x.grad.tolist() == [62]


def test_a_hooks_replacement_is_checked():
    y = variable(3.0) * 2
    y.register_hook(lambda grad: torch.DoubleTensor([1, 2]))
    with pytest.raises(
        RuntimeError, match=r"^a hook on an output of MulConstant returned .*size \(2,\); .* size \(1,\)$"
    ):
        y.backward()


def test_a_hook_on_one_of_two_outputs():
    seen = []
    x = variable(4.0)
    half, triple = DivMod()(x)
    triple.register_hook(lambda grad: seen.append(grad.tolist()))
    (half * 7 + triple * 5).backward()
    assert seen == [[5]]
    assert x.grad.tolist() == [3.5 + 15]
    half.register_hook("named", lambda grad_input, grad_output: seen.append([g.tolist() for g in grad_output]))
    half.backward()
    assert seen[-1] == [[1], [0]]


def test_a_handle_is_a_context():
    x = variable(3.0)
    seen = []
    with x.register_hook(lambda grad: seen.append(1)):
        x.backward()
    x.backward()
    assert seen == [1]
    with pytest.raises(RuntimeError, match="never be called"):
        variable(3.0, requires_grad=False).register_hook(print)
