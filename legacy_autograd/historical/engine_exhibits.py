"""Programs that failed in v0.1.1's engine: gradients added in place, and unneeded or unused gradients.

The comments derive v0.1.1's number by hand. G is the gradient of the root.
"""

from .exhibit import V0_1_2, exhibit

__all__ = [
    "a_constant_operand", "a_count_that_never_falls", "a_gradient_used_twice", "a_sum_in_a_sum",
    "a_view_of_the_gradient", "backward_on_a_constant", "backward_on_a_result_of_constants",
    "backward_on_the_second_output", "both_outputs", "half_a_repair", "none_as_a_gradient", "product_and_sum",
    "the_callers_gradient", "the_first_output_alone", "the_hook_test", "the_second_output_alone",
]  # fmt: skip

_IN_PLACE = (
    "Add returns the same gradient tensor for both operands, and the engine adds later gradients in place to the one "
    "that arrived first."
)
_CURED_HALF = "v0.1.2 (7654698a0e) in part, see A6; v0.1.5 (0325e2f646)"


@exhibit("A1", _CURED_HALF, cause=_IN_PLACE)
def product_and_sum(autograd):
    """x*y + (x+y)

    x and y get the same tensor.
    """
    x, y = autograd.leaves(2, 3)
    z = x * y + (x + y)
    z.backward()
    # The inner sum runs first and passes G to x and y, which wait. Then the product adds y = 3 to x's gradient,
    # G = 1 + 3, and x = 2 to y's, which is the same tensor: G = 4 + 2.
    return {"x.grad": x.grad, "y.grad": y.grad}


@exhibit("A1", _CURED_HALF, cause=_IN_PLACE)
def a_sum_in_a_sum(autograd):
    """(x+y) + x

    y gets the tensor to which x's second gradient was added.
    """
    x, y = autograd.leaves(1, 1)
    z = (x + y) + x
    z.backward()
    # G waits for x and is passed to the inner sum, which passes it to x (G = 1 + 1) and to y, which gets 2.
    return {"x.grad": x.grad, "y.grad": y.grad}


@exhibit("A1", _CURED_HALF, cause=_IN_PLACE)
def the_hook_test(autograd):
    """the expression of v0.1.1's own test of hooks

    v0.1.1's test counted the calls of hooks and did not check the numbers.
    """
    x, y = autograd.leaves(1, 4)
    z = x**2 + x * 2 + x * y + y
    z.backward()
    # z = ((x**2 + 2x) + xy) + y, and the last input's branch runs first. The outer sum stores G for y and passes it to
    # the next sum, which passes it to xy and to the inner sum. xy passes x a new tensor, y = 4, and y the number x = 1,
    # which is added to the stored tensor: G = 2, and y's gradient is correct. But the inner sum runs only now, with
    # G = 2, and x receives 2*2 and 2*2x: 4 + 4 + 4.
    return {"x.grad": x.grad, "y.grad": y.grad}


@exhibit("A2", _CURED_HALF, cause=_IN_PLACE)
def the_callers_gradient(autograd):
    """the caller's gradient is changed

    The first one is the caller's own tensor.
    """
    (x,) = autograd.leaves(1)
    gradient = autograd.tensor([1.0])
    (x + x).backward(gradient)
    # G waits for x, and then G is added to it: G = 1 + 1. The caller's tensor is G.
    return {"x.grad": x.grad, "gradient": gradient}


@exhibit("A3", _CURED_HALF)
def a_view_of_the_gradient(autograd):
    """the caller's gradient is changed through a view

    Transpose's backward returns a view of its gradient, those of AddConstant and SubConstant the gradient itself.
    """
    x, w = autograd.variable([[1.0]]), autograd.variable([[1.0]])
    gradient = autograd.tensor([[1.0]])
    ((x.t() + w) + x).backward(gradient)
    # G waits for x. The inner sum passes G to w (still 1) and to t(), which passes on G.t(). This is added to G: 1 + 1.
    return {"x.grad": x.grad, "w.grad": w.grad, "gradient": gradient}


@exhibit("A4", _CURED_HALF, cause=_IN_PLACE)
def a_gradient_used_twice(autograd):
    """one gradient tensor for two backwards

    The second backward starts from 2.
    """
    (x,) = autograd.leaves(1)
    gradient = autograd.tensor([1.0])
    (x + x).backward(gradient)
    (x + x).backward(gradient)
    # The first makes G = 2, and x.grad = 2. The second makes G = 2 + 2, and x.grad = 2 + 4.
    return {"x.grad": x.grad}


@exhibit("A6", "v0.1.5 (0325e2f646): the set contains positions instead of tensors", version=V0_1_2)
def half_a_repair(autograd):
    """v0.1.2's fix is only half a fix

    v0.1.2 keeps a set of the tensors that were stored without a copy, and copies such a tensor before it adds to it. A
    tensor that waits for two Functions is in the set only once, so the second addition makes no copy.
    """
    a, b = autograd.leaves(1, 1)
    z = b * 7 + (a * b * 5 + (a + b))
    z.backward()
    # The sums pass G to b*7 and to a*b*5, and store it for a and for b. a*b*5 passes 5 to each. For a it is added to a
    # copy: 1 + 5. For b no copy is made: G = 1 + 5, and b*7, which runs last, gets G = 6 and passes 42 to b: 6 + 42.
    # (v0.1.1 makes no copy at all: a gets G = 1 + 5 + 5, and b gets 11 + 7*11.)
    return {"a.grad": a.grad, "b.grad": b.grad}


@exhibit("B1", "v0.1.3 (4bad029fd4)")
def a_constant_operand(autograd):
    """an operand that requires no gradient

    Mul always computes both gradients, but the engine requires None for an input that requires no gradient.
    """
    x, c = autograd.variable([2.0]), autograd.variable([3.0], requires_grad=False)
    (x * c).backward()
    return {"x.grad": x.grad}


@exhibit("B2", "v0.1.2 (24476090df): RuntimeError")
def backward_on_a_constant(autograd):
    """backward on a leaf that requires no gradient

    Leaf adds to its Variable's grad without checking requires_grad, and that grad is None.
    """
    c = autograd.variable([3.0], requires_grad=False)
    c.backward()
    return {"c.grad": c.grad}


@exhibit("B3", "v0.1.2 (24476090df): RuntimeError")
def backward_on_a_result_of_constants(autograd):
    """backward on a result of constants

    The engine runs a Function that requires no gradient, and then rejects its result.
    """
    c = autograd.variable([3.0], requires_grad=False)
    (c * c).backward()
    return {"c.grad": c.grad}


@exhibit("B4", "v0.1.5 (166028836d)")
def a_count_that_never_falls(autograd):
    """a gradient that never arrives

    The uses of a Function's inputs are counted even if the Function requires no gradient. It never runs, so its use of
    x is never subtracted, and x waits forever.
    """

    class Second(autograd.Function):
        def forward(self, a, b):
            return b.clone()

        def backward(self, grad_output):
            return None, grad_output

    (x,) = autograd.leaves(2)
    times = autograd.functions.MulConstant(5)
    (product,) = times(x)
    times.requires_grad = False
    Second()(product, x)[0].backward()
    # `times` and Second use x: 2. Only Second runs: 1 remains, and the gradient 1 stays in not_ready.
    return {"x.grad": x.grad}


def _pair(autograd):
    class Pair(autograd.Function):
        def forward(self, x):
            return x.mul(2), x.mul(3)

        def backward(self, *grad_output):
            self.received = len(grad_output)
            double, *triple = grad_output
            return double.mul(2).add(triple[0].mul(3)) if triple else double.mul(2)

    return Pair()


_SEVERAL = "v0.1.1's engine passes a Function only one gradient."


@exhibit("C1", "v0.1.5 (0325e2f646 its own error, ef557761dd allowed)", cause=_SEVERAL, helpers=(_pair,))
def the_second_output_alone(autograd):
    """only the second of two outputs is used

    If a Function is ready after its first gradient, the engine requires that this gradient belongs to output 0.
    """
    (x,) = autograd.leaves(1)
    double, triple = _pair(autograd)(x)
    (triple * 1).backward()
    return {"x.grad": x.grad}


@exhibit("C2", "v0.1.2 (24476090df)", cause=_SEVERAL, helpers=(_pair,))
def both_outputs(autograd):
    """both outputs are used

    Function._do_backward takes only one.
    """
    (x,) = autograd.leaves(1)
    double, triple = _pair(autograd)(x)
    (double + triple).backward()
    return {"x.grad": x.grad}


@exhibit("C3", "v0.1.5 (0325e2f646)", cause=_SEVERAL, helpers=(_pair,))
def backward_on_the_second_output(autograd):
    """backward on the second output

    The root's gradient is passed as that of output 0, whichever output backward was called on.
    """
    (x,) = autograd.leaves(1)
    double, triple = _pair(autograd)(x)
    triple.backward()
    # The 1 that belongs to 3x is used as the gradient of 2x.
    return {"x.grad": x.grad}


@exhibit("C4", "v0.1.5 (ef557761dd)", cause=_SEVERAL, helpers=(_pair,))
def the_first_output_alone(autograd):
    """only the first of two outputs is used

    In this program it is the correct one, but backward gets fewer gradients than there are outputs.
    """
    (x,) = autograd.leaves(1)
    pair = _pair(autograd)
    double, triple = pair(x)
    (double * 1).backward()
    return {"x.grad": x.grad, "gradients received": pair.received}


@exhibit("C5", "later: treated as zero")
def none_as_a_gradient(autograd):
    """None for an input that requires a gradient

    The None is passed to the leaf, which adds it to grad.
    """

    class Constant(autograd.Function):
        def forward(self, x):
            return x.new([5.0])

        def backward(self, grad_output):
            return None

    (x,) = autograd.leaves(2)
    Constant()(x)[0].backward()
    return {"x.grad": x.grad}
