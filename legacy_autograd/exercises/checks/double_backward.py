"""Exercise 10: Mul and Pow that can be differentiated twice, and a hessian."""

import math
import re

import numpy

from ...autograd import functions
from ...autograd.later import functional
from ..model import Exercise, agree
from ..programs import double_backward as programs
from .reasons import AGAIN, later


class Pow(functions.Pow):
    """a ** b, with mixed derivatives at exponents of 0. Modern torch's, and so the package's, are 0 there."""

    def backward(self, grad_output):
        a, b = self.saved_tensors
        power = a ** (b - 1)
        return grad_output * b * power, grad_output * a * power * a.log()


exercise = Exercise(
    "10_double_backward",
    reference=dict(Mul=functions.Mul, Pow=Pow, hessian=functional.hessian),
    withheld=("autograd/later/functional.py:hessian",),
    method="backward",
    dimensions="type: Double, Double, Float; layout; size: one, 1-D, 2-D, 3-D; places: apart, twice, shared; again: "
    "once, second, another, after an exception; requires_grad: all, some; values: ordinary, digits",
)

_WITH_VARIABLES = "compute with the Variables in grad_output and saved_tensors: no .data, no numpy"
_IN_PLACE = "an operand or a gradient was written into: use mul, not mul_"
_CHAIN_RULE = "multiply by grad_output: here it is not 1"
_RESULT = "the result of forward is not that of the operation"


def _number(key):
    return int(key[1:].partition("[")[0])


def _derivatives(expected):
    """Return the reasons for wrong derivatives: those of y are d5, of these d7, and so on."""
    found = [key for key in expected if key[0] == "d" and key.endswith("]")]
    last = {_number(key) for key in found} and max(_number(key) for key in found)
    firsts = [key for key in expected if key.endswith(".grad")] + [key for key in found if _number(key) < last]
    asked = [key for key in expected if re.fullmatch(r"d\d+", key)]
    own = "each call has its own operands: save them with self.save_for_backward, not on the class or in a module"

    def first_right(got):
        return bool(firsts) and all(agree(expected[key], got.get(key), 1e-5) for key in firsts)

    return [
        ("needed for gradient computation", _IN_PLACE), ("memory of this tensor is read-only", _IN_PLACE),
        ("was not used in computing", "backward returns a gradient for each operand, and a Variable that depends on "
         "both: no .data, no numpy, and no None for an operand that requires a gradient"),
        *[(name, _WITH_VARIABLES) for name in ("RuntimeError", "TypeError", "AttributeError")],
        (lambda got: got.get("written into") != "nothing", _IN_PLACE),
        (lambda got: any(key.startswith("attributes of") and value for key, value in got.items()),
         "save Tensors with self.save_for_backward, and not as attributes"),
        (lambda got: any(key[0] == "y" and not agree(expected[key], got.get(key)) for key in expected), _RESULT),
        (lambda got: any(not agree(expected[key], got.get(key)) for key in asked), own),
        (first_right, "the first derivatives are correct, but part of their graph is missing: compute all of backward "
         "from self.saved_tensors and grad_output"),
        (lambda got: len([key for key in expected if key[0] == "y"]) > 1, own),
    ]  # fmt: skip


def _derivative(name, a, b, g, *mistakes, twice=False):
    """Register an example. With `twice` its gradients are differentiated as well."""
    title = "twice" if twice else "once"
    lines = [f"a = Variable(DoubleTensor({a}))", f"b = Variable(DoubleTensor({b}))", f"y = {name}()(a, b)[0]"]
    lines += [f"y.backward(DoubleTensor({g}))", f"d1 = grad(y, [a, b], DoubleTensor({g}), create_graph=True)"]
    if twice:
        lines.append("d2 = grad((d1[0] * 2 + d1[1] * 3).sum(), [a, b], create_graph=True, allow_unused=True)")
    exercise.example(name.lower(), f"{name}, {title}", *lines, *mistakes, name=f"{name.lower()}_{title}")


_derivative("Mul", [2.0], [5.0], [3.0],
    ({"a.grad": [6]}, "the gradient of a holds b, and that of b a"),
    ({"b.grad": [0]}, "b may require a gradient as well"),
    ({"a.grad": [5]}, _CHAIN_RULE),
    ({"b.grad": [2]}, _CHAIN_RULE),
    ({"b.grad": [30]}, "grad_output was written into before it was used again: use mul, not mul_"))  # fmt: skip
_derivative("Mul", [2.0], [5.0], [3.0],
    ({"d2[0]": None}, "the gradients no longer depend on a and b: their graph is missing"),
    twice=True)  # fmt: skip
_derivative("Pow", [2.0], [3.0], [1.5],
    ({"a.grad": [36]}, "a ** (b - 1): the exponent is one less"),
    ({"a.grad": [6]}, "the derivative of a ** b by a has the factor b"),
    ({"b.grad": [12]}, "the derivative of a ** b by b has the factor ln a"),
    ({"b.grad": [0]}, "b may require a gradient as well"),
    ({"a.grad": [12]}, _CHAIN_RULE),
    ({"b.grad": [8 * math.log(2)]}, _CHAIN_RULE))  # fmt: skip
_derivative("Pow", [2.0], [3.0], [1.5], twice=True)
for _name in ("Mul", "Pow"):
    exercise.explain(_derivatives, _name.lower())
    exercise.programs(_name.lower(), 100, programs.writes(_name), title=f"{_name}: 100 random programs")


# --- hessian

_NEARLY = "nearly correct, but finite differences are not exact: differentiate the gradient"
_GRAPH = "without create_graph=True the gradient has no graph"


def _hessians(expected):
    """Return the reasons for wrong hessians."""
    matrices = [key for key in expected if f"{key} is" in expected and key[0] == "h"]

    def each(wrong):
        return lambda got: any(wrong(numpy.array(expected[key]), got.get(key)) for key in matrices)

    def half(right, found):
        return any(agree(part(right).tolist(), found) and not agree(right.tolist(), found)
                   for part in (numpy.triu, numpy.tril))  # fmt: skip

    def nearly(right, found):
        return not agree(right.tolist(), found) and agree(right.tolist(), found, 1e-3)

    return [
        (lambda got: any(key.startswith("line ") and key not in got for key in expected),
         "an exception in the function must reach the caller: do not use try and except"),
        (lambda got: any(got.get(f"{key} is") != "a Tensor" for key in matrices),
         "hessian returns a Tensor of size (n, n)"),
        (lambda got: got.get("written into", "").startswith("k"),
         "x.grad was written into: use torch.autograd.grad, which adds nothing to it"),
        (lambda got: any(key.endswith(".grad") and not agree(expected[key], got.get(key)) for key in expected),
         "do not change x.grad; use torch.autograd.grad, which adds nothing to it"),
        (lambda got: got.get("written into") != expected["written into"],
         "do not change x.data, or what else the caller holds"),
        (lambda got: got.get("function was asked at another point"), _NEARLY),
        (each(nearly), _NEARLY),
        (each(half), "half of the matrix is missing: the matrix is symmetric"),
        (later(expected, matrices), AGAIN),
        ("does not require a gradient", "the gradient of a linear function is constant: check requires_grad and leave "
         "zeros"),
        ("was not used in computing", "an element of the gradient may not use x at all: pass allow_unused=True, and "
         "leave zeros for None"),
        ("RuntimeError", "the gradient of a linear function is constant, and needs create_graph=True to have a graph: "
         "check requires_grad and leave zeros"),
        ("AttributeError", "the gradient depends on another leaf, not on x: grad returns None there, and the row stays "
         "zero"),
        ("TypeError", "the gradient depends on another leaf, not on x: grad returns None, and the row stays zero"),
    ]  # fmt: skip


for _name in ("Mul", "Pow"):
    exercise.example(_name.lower(), f"{_name}, no elements", "a = Variable(DoubleTensor(2, 0))",
        "b = Variable(DoubleTensor(2, 0))", f"y = {_name}()(a, b)[0]", "y.backward(DoubleTensor(2, 0))",
        hidden=True)  # fmt: skip

exercise.example("hessian", "v[0] ** 2 * v[1] + v[1] ** 3", "x = Variable(DoubleTensor([2.0, 3.0]))",
    "(x * 5).backward(DoubleTensor([1.0, 1.0]))", "k = x.grad",
    "h = hessian(asked(lambda v: v[0] * v[0] * v[1] + v[1] * v[1] * v[1], x), x)",
    ({"h": [[6, 0], [0, 18]]}, "only the diagonal: the second derivatives by two different elements are missing"),
    ({"h": [[10, 0], [0, 22]]}, "these are sums of rows: a row for every element of the gradient"),
    ({"h": [10, 22]}, "these are sums of rows: a row for every element of the gradient"),
    ({"h": [[6, 4], [6, 4]]}, "every row is the first"),
    ({"h": [[6, 4], [10, 22]]}, "the rows were accumulated; start each row from zeros"),
    ({"h": [[0, 0], [0, 0]]}, _GRAPH),
    ("RuntimeError", _GRAPH),
    ("AttributeError", _GRAPH),
    ("TypeError", _GRAPH),
    name="hessian_of_two")  # fmt: skip
exercise.example("hessian", "one element, which its gradient does not use", "x = Variable(DoubleTensor([2.0]))",
    "w = Variable(DoubleTensor([3.0]))", "h = hessian(lambda v: (v * w).sum(), x)", hidden=True)  # fmt: skip
exercise.explain(_hessians, "hessian")
exercise.programs("hessian", 100, programs.writes_hessians, title="100 random functions")
