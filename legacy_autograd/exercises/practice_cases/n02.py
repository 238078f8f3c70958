"""Short exercises of notebook 2, one subtraction."""

from ...autograd import Leaf, Variable
from ...drawing.walk import graph_of
from ...tensor import DoubleTensor
from ..practice import case, seen, twice, words, written
from ..programs import short
from .watching import Watched, described, links_of, paths, tolerance_of


def case_1(answer):
    """`answer`: the classes that `y - 3`, `3 - y`, `-y` and `y * y` create."""
    y = Variable(DoubleTensor([2.0]))
    right = [type(result.creator).__name__ for result in (y - 3, 3 - y, -y, y * y)]
    hint = "`inspect.getsource(Variable.__rsub__)` shows what `3 - y` does. A constructor takes the number."
    yield case("y - 3, 3 - y, -y, y * y", words(answer), right,
        (["Sub", "Sub", "Neg", "Mul"],
         "a call takes only Variables: a number goes to the constructor of another class"),
        (lambda got: not isinstance(got, list) or len(got) != 4, "a list of four names, one for each expression"),
        (lambda got: "AddConstant" in got, "v0.1.1 has a class of its own for a difference with a number"),
        (lambda got: got[0] == right[0] and str(got[1]).startswith("R"),
         "`3 - y` uses the class of `y - 3`, with another argument of its constructor"),
        (lambda got: got[0] == right[0] and got[1] in ("Sub", "Negate"),
         "`3 - y` records one Function, and the number 3 is not a Variable"),
        (lambda got: got[2] != right[2], "`inspect.getsource(Variable.__neg__)` shows the class that `-y` creates"),
        (lambda got: "Pow" in str(got[3]) or "Constant" in str(got[3]),
         "the second operand of `y * y` is a Variable, not a number"),
        hint=hint)  # fmt: skip


def case_2(answer):
    """`answer(variable)`: how many Functions behind it are not leaves."""
    for graph in short.with_functions(answer):
        yield _functions_of(answer, graph)  # whose graph is gone then: the next one may get its ids


def _functions_of(answer, graph):
    """Return the Case of a graph."""
    run = graph.run()
    root = run["root"]
    found = graph_of([root]).nodes
    for variable in run.values() if len(found) % 2 else ():  # parts of the graph before the whole
        if isinstance(variable, Variable):
            answer(variable)
    del run
    inner = [function for function in found if not isinstance(function, Leaf)]
    ways = paths(root)
    return twice(graph.text, lambda: written(answer(root)), "the count", len(inner),
        ({"the count": sum(ways[function] for function in inner)},
         "a Function that is used several times counts once"),
        ({"the count": len(found)}, "that counts the Leaf as well"),
        state=links_of(found), another=lambda: answer(Variable(DoubleTensor([1.0])) * 2))  # fmt: skip


def case_3(answer):
    """`answer(a, b, grad_output, needs_input_grad)`: the gradients of a product."""
    for kind, a, b, gradient, calls in short.products(answer):
        first = None  # the gradients of the first call, and what they were
        for on, needed in calls:
            watched = Watched(a=a, b=b, grad_output=gradient)
            right = [described(gradient * b), described(gradient * a)]
            got = written(answer(a, b, gradient, needed))
            found = [described(one) for one in got] if isinstance(got, (tuple, list)) else described(got)
            parts = {
                "returned": ("a tuple", f"a {type(got).__name__}"),
                "the gradients": ([value if wanted else None for value, wanted in zip(right, needed)], found),
                **watched.parts(),
            }
            first = first or (got, found)
            if parts["returned"] == ("a tuple", "a tuple"):
                parts["the first gradients, afterwards"] = first[1], [described(one) for one in first[0]]
            yield seen(on, parts,
                (watched.written_into("grad_output"), "grad_output was changed in place; another Function may hold it"),
                (watched.written_into("a"), "`a` was changed in place"),
                (watched.written_into("b"), "`b` was changed in place"),
                ({"returned": "a list"}, "backward returns a tuple, not a list"),
                ({"the gradients": right}, "an input that does not need a gradient gets None"),
                ({"the gradients": right[::-1]}, "the gradient for `a` is grad_output times `b`, and the other way "
                 "round"),
                ({"the gradients": [described(b), described(a)]}, "multiply by grad_output: the chain rule"),
                tolerance=tolerance_of(kind))  # fmt: skip
