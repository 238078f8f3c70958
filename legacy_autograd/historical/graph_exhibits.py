"""Programs that went wrong in v0.1.1 outside of the engine: hooks, operations, indices, and what a graph remembers.

The comments work the 2016 number out by hand.
"""

import copy
import gc
import weakref

from .engine_exhibits import _pair
from .exhibit import exhibit


@exhibit("D1", "v0.1.2 (814728a6aa)")
def a_hook_on_a_leaf(autograd):
    """a hook on a leaf

    A hook is stored with a number, as a pair. Leaf calls the pair.
    """
    (x,) = autograd.leaves(2)
    seen = []
    x.register_hook("see", lambda grad_input, grad_output: seen.append(grad_output[0].tolist()))
    (x * 3).backward()
    return {"seen": seen, "x.grad": x.grad}


@exhibit("D5", "v0.1.2 (814728a6aa)", helpers=(_pair,))
def a_hook_on_the_second_output(autograd):
    """a hook on the second output

    The number of the output is used to look up a gradient among those of the inputs, of which there is one.
    """
    (x,) = autograd.leaves(1)
    double, triple = _pair(autograd)(x)
    calls = []
    triple.register_hook("see", lambda grad_input, grad_output: calls.append(len(grad_input)))
    triple.backward()
    return {"calls": len(calls), "x.grad": x.grad}


@exhibit("E1", "0.1.9 (a93812e4e5, January 2017)")
def two_to_the_x(autograd):
    """2 ** x

    PowConstant computes a power of the tensor's kind into one name and returns another; its backward uses a module
    that is not imported.
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


@exhibit("E2", "not in v0.1.x; here as in modern torch")
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

    Variable's indexing packs the key into a tuple once more; for the tensors of the time a pair inside a tuple
    meant a range, and a tuple of one number kept the dimension.
    """
    x = autograd.variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])
    return {"x[0, 2]": x[0, 2].data, "size of x[0]": list(x[0].size())}


@exhibit("E5", "v0.1.5 (64dd1419c5)")
def a_full_index(autograd):
    """a Variable around a number

    A tensor that is indexed in all its dimensions gives a number, and nothing asks whether a Variable gets a
    tensor.
    """
    x = autograd.variable([[1.0, 2.0], [3.0, 4.0]])
    (element,) = autograd.functions.Index(0, 1)(x)
    element.backward()
    return {"x.grad": x.grad}


@exhibit("E6", "v0.1.5 (f88c3e9c12)")
def a_loop_over_a_variable(autograd):
    """a Variable in a for loop

    Python iterates over a class without __iter__ by asking for 0, 1, 2, … until an IndexError; the tensors of the
    time raised a RuntimeError.
    """
    x = autograd.variable([1.0, 2.0, 3.0])
    return {"elements": len(list(x))}


@exhibit("E7", "0.1.10 (fec2d493a9) the size of the gradient; 0.2.0 broadcasting")
def operands_of_two_sizes(autograd):
    """2x3 + 3x2

    Operands needed as many elements, whatever their sizes, and both gradients got the size of the first.
    """
    a = autograd.variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    b = autograd.variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    product = b * 1
    sizes = []
    product.register_hook("see", lambda grad_input, grad_output: sizes.extend(grad_output.size()))
    (a + product).backward(autograd.tensor([[1.0] * 3] * 2))
    return {"size of (b * 1)'s gradient": sizes}


@exhibit("E8", "0.1.9 (26f1e2ca9c, December 2016)")
def the_gradient_not_given(autograd):
    """the gradient that is not given

    It is a vector of one element, whatever the size of the Variable; transposing a vector fails.
    """
    x = autograd.variable([[2.0]])
    x.t().backward()
    return {"x.grad": x.grad}


@exhibit("F1", "v0.1.3 (fb39971464); v0.1.5: numbers in place of ids")
def a_copied_leaf(autograd):
    """a copy of a leaf

    A Leaf knows its Variable by its id. The copy of the Leaf has the id of the original Variable.
    """
    (x,) = autograd.leaves(2)
    y = copy.deepcopy(x)
    (y * 3).backward()
    return {"y.grad": y.grad}


@exhibit("F2", "0.2.0: what a call records is kept apart from the Function")
def a_function_called_twice(autograd):
    """one Function called twice

    What the first call recorded is overwritten by the second, and the first result's gradient goes to the inputs of
    the second.
    """
    x, y = autograd.leaves(1, 1)
    twice = autograd.functions.MulConstant(2)
    (first,) = twice(x)
    (second,) = twice(y)
    first.backward()
    return {"x.grad": x.grad, "y.grad": y.grad}


@exhibit("F3", "not established")
def a_creator_named_by_hand(autograd):
    """a creator named by hand

    The Function has no record of the Variable's id. Here the same mistake is told in words.
    """
    (x,) = autograd.leaves(1)
    twice = autograd.functions.MulConstant(2)
    (own,) = twice(x)
    result = autograd.Variable(autograd.tensor([2.0]), creator=twice)
    (result * 1).backward()
    return {"x.grad": x.grad}


@exhibit("F4", "after v0.1.5: None; 0.2.0 retain_grad")
def the_gradient_of_a_result(autograd):
    """the gradient of a result

    Reading grad made zeros for every Variable that requires a gradient. Only those of leaves are ever added to.
    """
    (x,) = autograd.leaves(2)
    y = x * 3
    (y * y).backward()
    # 2 y = 12 was computed on the way, and is gone.
    return {"y.grad": y.grad, "x.grad": x.grad}


@exhibit("F6", "v0.1.2 (774a6f1093) a mark, v0.1.5 (a22af69335) a count of the changes")
def data_changed_in_between(autograd):
    """data changed between forward and backward

    A Function keeps the tensors themselves, and nobody looks whether they still hold the numbers of forward.
    """
    (x,) = autograd.leaves(2)
    square = x * x
    x.data.fill_(10)
    square.backward()
    # 10 + 10; the derivative of what forward computed is 2 + 2.
    return {"x.grad": x.grad}


@exhibit("F7", "not established")
def data_of_another_size(autograd):
    """data replaced by data of another size

    The zeros of the old size stay in grad, and the new gradient cannot be added to them.
    """
    (x,) = autograd.leaves(2)
    (x * 3).backward()
    x.data = autograd.tensor([1.0, 1.0])
    (x * 3).backward(autograd.tensor([1.0, 1.0]))
    return {"x.grad": x.grad}


@exhibit("F9", "v0.1.4 (980300b381): a leaf has no creator any more")
def a_cycle(autograd):
    """memory that waits for the garbage collector

    A Variable holds its Leaf and the Leaf its Variable.
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
