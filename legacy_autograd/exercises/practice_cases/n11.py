"""Short exercises of notebook 11, what came later."""

import contextlib
import math

from ...autograd import Leaf, Variable, callbacks
from ...autograd.later import grad_mode
from ...tensor import DoubleTensor
from ..answer import plain
from ..practice import case, seen, written
from ..programs import short
from ..programs.inputs import CONSTANT, graphs_once, made
from .watching import Watched, described, raised_by, tolerance_of


def case_1(answer):
    """`answer(counts)`: a callback around each call that counts Functions by their class."""
    kept = [{}, {}]
    callback_of = [written(answer(counts)) for counts in kept]
    right = [{}, {}]
    for number, graph in enumerate(graphs_once(111, answer, constant=CONSTANT)):
        place = (0, 0, 1)[number % 3]  # one callback sees two programs of three, the other the third
        if number % 7 == 6:  # the dict is the caller's
            kept[place].clear()
            right[place].clear()

        def count(function, proceed, *variables, counts=right[place]):
            name = type(function).__name__
            counts[name] = counts.get(name, 0) + 1
            return proceed(*variables)

        with callbacks.around_call.within(count):
            expected = _seen(graph.run())
        with callbacks.around_call.within(callback_of[place]):
            found = _seen(graph.run())
        named = {_class_name(key): value for key, value in kept[place].items()}
        shown = sorted(f"{key}: {value}" for key, value in named.items())
        wanted = sorted(f"{key}: {value}" for key, value in right[place].items())
        yield seen(graph.text, {"results": (expected, found), "counts": (wanted, shown)},
            (lambda got, expected=expected: got["results"] != expected, "return what `proceed(*variables)` returns"),
            ({"counts": []}, "the callback counts nothing"),
            ({"counts": [f"{text.partition(':')[0]}: 1" for text in wanted]},
             "a class that is called again counts again"))  # fmt: skip
    yield _called_again(answer)

    def multiplied():
        return Variable(DoubleTensor([1.0, 2.0])) * Variable(DoubleTensor([1.0, 2.0, 3.0]))

    with callbacks.around_call.within(written(answer({}))):
        raised = raised_by(multiplied)
    yield case("the exception of two sizes that do not fit", raised, raised_by(multiplied))


def _called_again(answer):
    """Return the Case of a call that raises, which may count, and then of calls that make others."""
    x, runs, counts = Variable(DoubleTensor([1.0, 2.0])), [], {}
    for _ in range(2):
        with callbacks.around_call.within(written(answer(counts))):
            with contextlib.suppress(Exception):
                short.Refuses(runs)()
            short.Power(3)(x)
            short.Product()(x, x)
    found = sorted(f"{_class_name(key)}: {value}" for key, value in counts.items() if _class_name(key) != "Refuses")
    on = (
        "with each of two callbacks of one dict: a forward that raises; x to the power 8, which squares three times; "
        "a subclass of Mul"
    )
    return seen(on, {"counts": (["Mul: 6", "Power: 6", "Product: 2"], found), "forwards that raised": (2, len(runs))},
        ("forwards that raised", "call `proceed` once, with all operands, also where it raises"),
        (lambda got: True, "every call counts: one in another's forward too, those after an exception, and those that "
         "are in the dict already"))  # fmt: skip


def _class_name(key):
    return key if isinstance(key, str) else getattr(key, "__name__", f"an object of {type(key).__name__}")


def _seen(run):
    """Return the values and the creators of a program's Variables, and whether those are outputs of their creators."""

    def shown(value):
        if isinstance(value, Variable):
            return [described(value), type(value.creator).__name__, id(value) in value.creator.output_ids]
        return list(map(shown, value)) if isinstance(value, tuple) else plain(value)

    return {name: shown(value) for name, value in run.items()}


def case_2(answer):
    """`answer(f, *variables)`: the result of `f` without history, and recording as usual afterwards."""
    for kind, on, f, variables, recording in short.without_history(answer):
        needs = [variable.requires_grad for variable in variables]
        watched = Watched(**{f"x{place}": variable.data for place, variable in enumerate(variables)})
        right = described(f(*variables).data)
        with grad_mode.set_grad_enabled(recording):
            got = written(answer(f, *variables))
            after = (variables[0] * 1).requires_grad
        if not isinstance(got, Variable):
            yield case(on, f"a {type(got).__name__}", "a Variable")
            return
        product = got * variables[0].sum().expand_as(got) if got.data.numel() else got
        records = [got.requires_grad, product.requires_grad or not got.data.numel()]
        parts = {
            "the result": (right, described(got.data)),
            "it is a leaf": (True, isinstance(got.creator, Leaf)),
            "it requires a gradient": (False, got.requires_grad),
            "recording afterwards": (recording, after),
            "the arguments require gradients afterwards": (needs, [v.requires_grad for v in variables]),
            "the result of an operation without history and x": ([False, True], records),
            **watched.parts(),
        }
        variables[0].data.fill_(0.5)  # the same Variable with other numbers
        parts["with x filled with 0.5"] = described(f(*variables).data), described(answer(f, *variables).data)
        yield seen(on, parts,
            (lambda got: not got["it is a leaf"], "the result still has its history"),
            (lambda got: got["it requires a gradient"], "the result requires a gradient"),
            (lambda got, needs=needs: got["the arguments require gradients afterwards"] != needs,
             "`requires_grad` of an argument was changed"),
            ({"recording afterwards": False}, "nothing is recorded any more: restore the recording"),
            ({"recording afterwards": True}, "the recording was off before: restore what was there"),
            tolerance=tolerance_of(kind))  # fmt: skip
    for kind in (ZeroDivisionError, KeyError, ValueError, KeyboardInterrupt, StopIteration, GeneratorExit):
        x, error, raised = Variable(DoubleTensor([3.0])), kind("of f"), "nothing"

        def f(x, error=error):
            raise error

        with grad_mode.set_grad_enabled(True):
            try:
                answer(f, x)
            except kind as found:
                raised = kind.__name__ if found is error else f"another {kind.__name__}"
            recording = (x * x).requires_grad
        parts = {"raised": (kind.__name__, raised), "recording afterwards": (True, recording)}
        yield seen(f"f raises {kind.__name__}", parts,
            (lambda got: got["recording afterwards"] is False,
             "after an exception nothing is recorded any more: use try and finally, or a with block"),
            (lambda got: got["raised"] == "nothing", "an exception of f reaches the caller"))  # fmt: skip
    x, calls = Variable(DoubleTensor([3.0])), []

    def square():
        calls.append(1)
        return x * x

    with grad_mode.set_grad_enabled(True):  # whatever the answer leaves behind
        parts = {
            "the result": ([9.0], plain(written(answer(square)))),
            "calls of f": (1, len(calls)),
            "of a call within f": ([27.0], plain(answer(lambda: answer(square) * x))),
            "recording afterwards": (True, (x * x).requires_grad),
        }
    yield seen("f() = x * x, x = 3", parts, ("calls of f", "call f once: it may change what it reads"))
    for f, on in (
        (lambda x: x, "f returns its argument, a leaf: x.requires_grad afterwards"),
        (lambda x, y: x * y, "f(x, x): x.requires_grad afterwards"),
    ):
        answer(f, *[x] * f.__code__.co_argcount)
        yield case(on, [x.requires_grad, x.creator.requires_grad], [True, True])


def case_3(answer):
    """`answer(a, b)`: a distance whose gradient at 0 is 0."""
    for kind, start, end in short.distances(answer):
        a, b = (Variable(made(f"{kind}({numbers})")) for numbers in (start, end))
        written(answer(a, Variable(made(f"{kind}({start})") + 1)))  # the same `a`, another `b`
        result = written(answer(a, b))
        on = f"a = {kind}({start}), b = {kind}({end})"
        if not isinstance(result, Variable):
            yield case(f"the distance, {on}", f"a {type(result).__name__}", "a Variable")
            return
        length = math.dist(start, end)
        yield case(f"the distance, {on}", plain(result.data), [length], tolerance=2e-4)  # an epsilon adds to it
        result.backward()
        right = [(p - q) / length if length else 0.0 for p, q in zip(start, end)]
        parts = {
            "a.grad": (right, plain(a.grad)),
            "b.grad": ([-number for number in right], plain(b.grad)),
            "a afterwards": (start, plain(a)),
            "b afterwards": (end, plain(b)),
        }
        a.grad.zero_()
        distance = answer(a, b)
        other = answer(Variable(made(f"{kind}([3.0, 4.0])")), Variable(made(f"{kind}([0.0, 0.0])")))
        (distance * 2 + other + (a * a).sum()).backward()
        parts["a.grad of the distance times 2 plus Σ a²"] = [2 * (p + q) for p, q in zip(right, start)], plain(a.grad)
        zeros = [0.0] * len(right)
        yield seen(f"the gradients, {on}", parts,
            (lambda got: any(map(math.isnan, got["a.grad"])), "∞ · 0 is nan: keep the root away from 0"),
            ({"a.grad": zeros}, "the gradient is 0 everywhere: is there a way from the result back to `a`?"),
            ({"b.grad": zeros}, "the gradient of `b` is 0: is there a way from the result back to `b`?"),
            tolerance=1e-6 if kind == "DoubleTensor" else 1e-5)  # fmt: skip
