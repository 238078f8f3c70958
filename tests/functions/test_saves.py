"""What a forward declares of its saved tensors (`@saves`) has to be what its calls save."""

import pytest

from legacy_autograd.autograd import callbacks
from legacy_autograd.autograd.function import Function
from legacy_autograd.autograd.functions.basic_ops import Mul
from legacy_autograd.autograd.leaf import Leaf

from .table import all_cases
from .test_table import variables_of


def declaring(cls=Function):
    for subclass in cls.__subclasses__():
        if hasattr(subclass.forward, "saves") and subclass.__module__.startswith("legacy_autograd.autograd.functions."):
            yield subclass
        yield from declaring(subclass)


def found_by_identity(function, inputs, outputs):
    """The positions, each looked for among the tensors themselves."""
    places = [(tensor, number) for number, tensor in enumerate(inputs)]
    places += [(tensor, -1 - number) for number, tensor in enumerate(outputs)]
    return [next((place for tensor, place in places if tensor is saved), None) for saved in function._saved]


def test_what_a_forward_declares_is_what_its_calls_save(monkeypatch):
    calls = []
    call = Function._do_forward

    def noted(self, *input):
        output = call(self, *input)
        if hasattr(type(self).forward, "saves"):
            calls.append((self, [arg.data for arg in input], [var.data for var in output]))
        return output

    monkeypatch.setattr(Function, "_do_forward", noted)
    for case in all_cases():
        case.call(*variables_of(case.arrays()))
    for function, inputs, outputs in calls:
        assert len(outputs) == 1 or type(function).forward.several
        for output in outputs:
            assert output._base is None or not type(function).forward.several
            assert not any(output is tensor for tensor in inputs)
        found = found_by_identity(function, inputs, outputs)
        assert found == list(function._saved_positions), function
        assert found == list(type(function).forward.saves) or not type(function).forward.saves, function
    # Subclasses such as Mm inherit the forward of Product. Each declaring class is called by some case of the table.
    called = {base for function, _, _ in calls for base in type(function).__mro__}
    assert set(declaring()) <= called, set(declaring()) - called


class Both(Function):
    """Its input twice: each output is one of several, for which the twin has another call."""

    def forward(self, x):
        return x.clone(), x.clone()

    def backward(self, a, b):
        return a + b


def record_of(case, variables):
    """What a call recorded: views, saved tensors, what requires a gradient. Its sources are checked."""
    output = case.call(*variables)
    function = output[0].creator
    if not isinstance(function, Leaf):
        assert list(function._sources()) == [(variable.creator, variable.output_nr) for variable in variables]
    viewed = {number: function._viewed[number] for number in range(len(output)) if number in function._viewed}
    saved = list(function._saved_positions), [tuple(tensor.size()) for tensor in function._saved or ()]
    return type(function), viewed, saved, [out.requires_grad for out in output], function.needs_input_grad


def test_each_call_leaves_the_same_record():
    for case in all_cases():
        variables = variables_of(case.arrays())
        several = [Both()(variable)[1] if variable.requires_grad else variable for variable in variables]
        short, general = record_of(case, variables), record_of(case, several)
        with callbacks.around_call.within(lambda function, proceed, *inputs: proceed(*inputs)):
            book = record_of(case, variables)
        assert short == general == book, str(case)


def test_another_forward_declares_nothing():
    class Swapped(Mul):
        def forward(self, a, b):
            self.save_for_backward(b, a)
            return a.mul(b)

    class Named(Mul):
        pass

    assert not hasattr(Swapped.forward, "saves")
    assert Named.forward.saves == Mul.forward.saves == (0, 1)


@pytest.mark.parametrize("count", [0, 1])
def test_a_write_is_noticed_whether_or_not_one_came_before(count):
    import legacy_autograd as torch
    from legacy_autograd.autograd import Variable

    x, y = Variable(torch.Tensor([2.0])), Variable(torch.Tensor([3.0]))
    for _ in range(count):
        x.data.add_(1)
    z = x * y
    z.backward()
    x.data.add_(1)
    with pytest.raises(RuntimeError, match=f"is at version {count + 1}; expected version {count} instead"):
        z.backward()
