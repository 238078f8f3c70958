"""Short exercises of notebook 1, a program from 2016."""

from ...autograd import Leaf, Variable
from ...autograd.later import grad_mode
from ...drawing.walk import graph_of
from ...tensor import DoubleTensor
from ..answer import plain
from ..practice import Unwritten, case, seen, twice, words, written
from ..programs import short
from ..programs.inputs import made
from .watching import described, links_of, tolerance_of


def case_1(answer):
    """`answer`: the classes behind `mean(pow(mm(W, x) - y, 2))`, from the loss back to W."""
    W = Variable(DoubleTensor([[2.0]]))
    x = y = Variable(DoubleTensor([[1.0, 3.0]]), requires_grad=False)
    function, right = ((W.mm(x) - y) ** 2).mean().creator, []
    while not isinstance(function, Leaf):
        right.append(type(function).__name__)
        function = function.previous_functions[0][0]
    hint = "Read the line from the outside in: the outermost call ran last. The minus is a call, too."
    yield case("from loss.creator back to W", words(answer), right,
        (lambda got: not isinstance(got, list), "a list of texts: a name for each Function"),
        (right[::-1], "this is the order of the program: begin with the loss"),
        ([*right, "Leaf"], "the list ends with the Function that uses `W`: a Leaf computes nothing"),
        (["Mean", "Pow", "Sub", "Mm"], "a power with a number as its exponent is recorded as `PowConstant`"),
        (lambda got: any(str(name) not in right and str(name).capitalize() in right for name in got),
         "a class begins with a capital letter: `mm` records an `Mm`"),
        hint=hint)  # fmt: skip


def case_2(answer):
    """`answer(W, learning_rate)` takes a step against the gradient and sets the gradient to zero."""
    changed, others = False, []
    for text, kind, steps in short.descents(answer):
        W = Variable(made(text))
        tensor, leaf = W.data, W.creator
        for step, rate, slopes, recording in steps:
            if step:
                W.grad = W.grad.clone()
            (W * Variable(made(slopes), requires_grad=False)).sum().backward()
            before, gradient = W.data.clone(), W.grad.clone()
            view = W.data.transpose(0, 0)
            with grad_mode.set_grad_enabled(recording):
                returned = answer(W, rate)
                after = (W * 1).requires_grad
            changed |= returned is not None or [plain(W.data), plain(W.grad)] != [plain(before), plain(gradient)]
            if gradient.ne(0).any() and not changed:
                raise Unwritten
            on = f"W = {text}, W.grad = {slopes}, learning_rate = {rate}{step}"
            parts = {
                "W.data": (described(before - gradient * rate), described(W.data)),
                "W.grad": (described(gradient * 0), described(W.grad)),
                "W.grad is the tensor of W alone": (True, all(W.grad is not other.grad for other in others)),
                "W.data is the same tensor": (True, W.data is tensor and plain(view) == plain(tensor)),
                "recording afterwards": (recording, after),
                "W is the same leaf": (True, W.creator is leaf and W.requires_grad),
            }
            yield seen(on, parts,
                ({"W.data": described(before + gradient * rate)},
                 "the step goes against the gradient, so that the loss falls"),
                ({"W.data": described(before)},
                 "`W.data` has not changed; `-=` on `W.data` changes it, on a name of your own it may not"),
                ({"W.data": described(before - gradient)}, "the step is the gradient times the learning rate"),
                ({"W.grad": described(gradient)}, "`W.grad.zero_()` is missing"),
                ({"W.data is the same tensor": False},
                 "`W.data` was replaced: change the tensor itself, in place; others may hold it"),
                tolerance=tolerance_of(kind))  # fmt: skip
        others.append(W)


def case_3(answer):
    """`answer(variable)`: the Leaf Functions behind it, each once, in any order."""
    for number, graph in enumerate(short.with_leaves(answer)):
        yield _leaves_of(answer, graph, number % 2 == 0)  # whose graph is gone then: the next one may get its ids


def _leaves_of(answer, graph, kept):
    """Return the Case of a graph of which the result is kept, and the other Variables if `kept`."""
    run = graph.run()
    creators = {run[name].creator: name for name in graph.leaves}
    root, leaves = run["root"], {leaf: name for leaf, name in creators.items() if isinstance(leaf, Leaf)}
    functions = graph_of([root]).nodes
    right = sorted(_name(function, leaves) for function in functions if isinstance(function, Leaf))
    also = ""
    if not kept:
        also = ", and nothing else is kept"
        del run  # the other Variables are gone
    gone = [name for leaf, name in leaves.items() if leaf.variable is None]

    def names(found):
        return sorted(_name(function, leaves) for function in found)

    return twice(graph.text + also, lambda: written(answer(root)), "the leaves", right,
        (lambda got: got["the leaves"][:1] == ["a Variable"], "the Leaf is the Variable's `creator`"),
        (lambda got: len(set(got["the leaves"])) < len(got["the leaves"]), "each Leaf once"),
        ({"the leaves": [name for name in right if name not in gone]},
         "a Leaf stays in the graph when its Variable is gone"),
        other="other leaves", second="those of a second call", state=links_of(functions), plain=names,
        another=lambda: answer(Variable(DoubleTensor([1.0]))))  # fmt: skip


def _name(function, names):
    name = names.get(function) if getattr(type(function), "__hash__", None) else None
    return name or f"a {type(function).__name__}"
