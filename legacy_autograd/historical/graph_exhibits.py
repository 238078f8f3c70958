"""Programs that failed in v0.1.1 outside of the engine: hooks, operations, indices, and the records of the graph.

The comments derive v0.1.1's number by hand.
"""

import copy
import gc
import weakref

from .engine_exhibits import _pair
from .exhibit import exhibit

__all__ = [
    "a_copied_leaf", "a_creator_named_by_hand", "a_cycle", "a_full_index", "a_function_called_twice",
    "a_hook_on_a_leaf", "a_hook_on_the_second_output", "a_loop_over_a_variable", "a_power_of_zero",
    "an_index_packed_twice", "data_changed_in_between", "data_of_another_size", "operands_of_two_sizes",
    "the_gradient_not_given", "the_gradient_of_a_result", "two_to_the_x", "zero_to_the_zero",
]  # fmt: skip


@exhibit("D1", "v0.1.2 (814728a6aa)")
def a_hook_on_a_leaf(autograd):
    """a hook on a leaf

    A hook is stored as a pair with a number. Leaf calls the pair.
    """
    (x,) = autograd.leaves(2)
    seen = []
    x.register_hook("see", lambda grad_input, grad_output: seen.append(grad_output[0].tolist()))
    (x * 3).backward()
    return {"seen": seen, "x.grad": x.grad}


@exhibit("D5", "v0.1.2 (814728a6aa)", helpers=(_pair,))
def a_hook_on_the_second_output(autograd):
    """a hook on the second output

    The number of the output is used as an index into the gradients of the inputs, and there is only one input.
    """
    (x,) = autograd.leaves(1)
    double, triple = _pair(autograd)(x)
    calls = []
    triple.register_hook("see", lambda grad_input, grad_output: calls.append(len(grad_input)))
    triple.backward()
    return {"calls": len(calls), "x.grad": x.grad}


@exhibit("E1", "v0.1.6 (a93812e4e5, January 2017)")
def two_to_the_x(autograd):
    """2 ** x

    PowConstant assigns the power to one name and returns another; its backward uses a module that is not imported.
    """
    (x,) = autograd.leaves(3)
    (2**x).backward()
    # 2**x ln 2 = 8 * 0.693147
    return {"x.grad": x.grad}


@exhibit("E2", "0.4.1 (b795620442, June 2018)")
def zero_to_the_zero(autograd):
    """x ** 0 at 0

    The derivative is computed as 0 times x to the power of -1, which is 0 times infinity.
    """
    (x,) = autograd.leaves(0)
    (x**0).backward()
    return {"x.grad": x.grad}


@exhibit("E2", "not in v0.1.x; legacy_autograd follows modern torch")
def a_power_of_zero(autograd):
    """a ** b at a = 0

    The derivative by b is computed as a**b ln a, which is 0 times minus infinity.
    """
    a, b = autograd.leaves(0, 2)
    (a**b).backward()
    return {"a.grad": a.grad, "b.grad": b.grad}


@exhibit("E4", "v0.1.5 (64dd1419c5)")
def an_index_packed_twice(autograd):
    """x[0, 2] is two rows, and x[0] a matrix

    Variable's indexing packs the key into another tuple. In v0.1.1's tensors a pair inside a tuple is a range, and a
    tuple of one number keeps the dimension.
    """
    x = autograd.variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])
    return {"x[0, 2]": x[0, 2].data, "shape of x[0]": list(x[0].size())}


@exhibit("E5", "v0.1.5 (64dd1419c5)")
def a_full_index(autograd):
    """a Variable that wraps a number

    Indexing a tensor in all its dimensions returns a number, and Variable does not check that it gets a tensor.
    """
    x = autograd.variable([[1.0, 2.0], [3.0, 4.0]])
    (element,) = autograd.functions.Index(0, 1)(x)
    element.backward()
    return {"x.grad": x.grad}


@exhibit("E6", "v0.1.5 (f88c3e9c12)")
def a_loop_over_a_variable(autograd):
    """a Variable in a for loop

    For a class without __iter__, Python indexes with 0, 1, 2, … until an IndexError; v0.1.1's tensors raise
    RuntimeError.
    """
    x = autograd.variable([1.0, 2.0, 3.0])
    return {"elements": len(list(x))}


@exhibit("E7", "v0.1.10 (fec2d493a9) the gradient's shape; 0.2.0 broadcasting")
def operands_of_two_sizes(autograd):
    """(2, 3) + (3, 2)

    Operands need equally many elements, whatever their shapes, and both gradients get the shape of the first.
    """
    a = autograd.variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    b = autograd.variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    product = b * 1
    sizes = []
    product.register_hook("see", lambda grad_input, grad_output: sizes.extend(grad_output.size()))
    (a + product).backward(autograd.tensor([[1.0] * 3] * 2))
    return {"shape of (b * 1)'s gradient": sizes}


@exhibit("E8", "v0.1.6 (26f1e2ca9c, December 2016)")
def the_gradient_not_given(autograd):
    """the default gradient

    It is a vector of one element, whatever the shape of the Variable, and a vector cannot be transposed.
    """
    x = autograd.variable([[2.0]])
    x.t().backward()
    return {"x.grad": x.grad}


@exhibit("F1", "v0.1.3 (fb39971464); v0.1.5: numbers instead of ids")
def a_copied_leaf(autograd):
    """a copy of a leaf

    A Leaf identifies its Variable by the id. The copy of the Leaf has the id of the original Variable.
    """
    (x,) = autograd.leaves(2)
    y = copy.deepcopy(x)
    (y * 3).backward()
    return {"y.grad": y.grad}


@exhibit("F2", "0.2.0: the record of a call is separate from the Function")
def a_function_called_twice(autograd):
    """one Function called twice

    The second call overwrites the record of the first, so the first result's gradient reaches the inputs of the second
    call.
    """
    x, y = autograd.leaves(1, 1)
    twice = autograd.functions.MulConstant(2)
    (first,) = twice(x)
    (second,) = twice(y)
    first.backward()
    return {"x.grad": x.grad, "y.grad": y.grad}


@exhibit("F3", "not established")
def a_creator_named_by_hand(autograd):
    """a creator set by hand

    The Function has no record of the Variable's id. legacy_autograd raises with a message.
    """
    (x,) = autograd.leaves(1)
    twice = autograd.functions.MulConstant(2)
    (own,) = twice(x)
    result = autograd.Variable(autograd.tensor([2.0]), creator=twice)
    (result * 1).backward()
    return {"x.grad": x.grad}


@exhibit("F4", "v0.1.10: None; 0.2.0: retain_grad")
def the_gradient_of_a_result(autograd):
    """the gradient of a result

    Reading grad creates zeros for every Variable that requires a gradient, but only the grad of leaves is accumulated.
    """
    (x,) = autograd.leaves(2)
    y = x * 3
    (y * y).backward()
    # 2 y = 12 was computed during backward and dropped.
    return {"y.grad": y.grad, "x.grad": x.grad}


@exhibit("F6", "v0.1.2 (774a6f1093) a flag, v0.1.5 (a22af69335) a version counter")
def data_changed_in_between(autograd):
    """data changed between forward and backward

    A Function keeps the tensors themselves, and does not check whether they still contain the numbers of the forward
    pass.
    """
    (x,) = autograd.leaves(2)
    square = x * x
    x.data.fill_(10)
    square.backward()
    # 10 + 10; the derivative of what forward computed is 2 + 2.
    return {"x.grad": x.grad}


@exhibit("F7", "not established")
def data_of_another_size(autograd):
    """data replaced by a tensor of another shape

    grad keeps the zeros of the old shape, and the new gradient cannot be added to them.
    """
    (x,) = autograd.leaves(2)
    (x * 3).backward()
    x.data = autograd.tensor([1.0, 1.0])
    (x * 3).backward(autograd.tensor([1.0, 1.0]))
    return {"x.grad": x.grad}


@exhibit("F9", "v0.1.4 (980300b381): a leaf has no creator")
def a_cycle(autograd):
    """memory that waits for the garbage collector

    A Variable and its Leaf refer to each other.
    """
    (x,) = autograd.leaves(2)
    watch = weakref.ref(x)
    was_on = gc.isenabled()
    gc.disable()
    del x
    alive = watch() is not None
    if was_on:
        gc.enable()
    return {"alive after del": alive}
