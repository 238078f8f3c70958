"""Short exercises of notebook 8, hooks."""

from ...autograd import Variable, grad
from ...tensor import DoubleTensor
from ..answer import plain
from ..model import agree
from ..practice import case, seen, word, written
from ..programs import short
from ..programs.inputs import made, programs
from .watching import Watched, described, tolerance_of


def case_1(answer):
    """`answer(gradient)`: a hook that limits each number to -1 … 1, in a tensor of its own."""
    for draw, kind, size in programs(81, answer, (2.0**60, 1 + 2.0**-24)):
        text = draw.tensor(kind, size)
        gradient = made(text)
        watched = Watched(gradient=gradient)
        limited = written(answer(gradient))
        right = described(made(text).clamp(-1, 1))
        parts = {"returned": (right, described(limited)), "it is the gradient itself": (False, limited is gradient)}
        parts |= watched.parts()
        if agree(*zip(*parts.values())):
            parts["it is the gradient itself"] = False, answer(limited) is limited
            another = gradient.clone()
            first = answer(another)
            scaled = described(another.mul_(-0.5).clamp(-1, 1))
            parts["for the same tensor with other numbers"] = scaled, described(answer(another))
            for _ in range(20):
                answer(another)
            parts["what it returned first, afterwards"] = right, described(first)
            x, z = Variable(made(text)), Variable(made(text))
            x.register_hook(answer)
            (x + z).backward(made(text))
            parts["x.grad of x + z"] = right, described(x.grad)
            parts["z.grad of x + z"] = described(made(text)), described(z.grad)
        yield seen(f"the gradient {text}", parts,
            (watched.written_into("gradient"),
             "the gradient itself was changed; another Function may hold it: return a new tensor"),
            ({"returned": described(made(text))}, "the gradient is unchanged"),
            ("it is the gradient itself", "each call returns a new tensor, also where nothing is limited"),
            ("what it returned first, afterwards", "each call returns a new tensor, also where nothing is limited"),
            tolerance=tolerance_of(kind) / 1000)  # fmt: skip


def case_2(answer):
    """`answer(parameters)`: counters of how often each gradient arrived."""
    for number, (parameters, new, backwards) in enumerate(short.counted_backwards(answer)):
        others, own = parameters[:1], []
        others[0].register_hook(lambda gradient, own=own: own.append(1))
        names = [f"x{place}" for place in range(len(parameters))]
        registered = [_hooks(parameter) for parameter in parameters]
        asked = list(parameters)
        counters = written(answer(asked))
        asked.reverse()  # the list is the caller's
        registered = [_hooks(parameter) > before for parameter, before in zip(parameters, registered)]
        later = answer([*new, new[1]]) if number % 2 else []  # one Variable twice
        new[1].sum().backward()
        copies = [Variable(parameter.data.clone()) for parameter in parameters]
        expected = [sum(place in places for _, places in backwards) for place in range(len(parameters))]
        uses = [sum(places.count(place) for _, places in backwards) for place in range(len(parameters))]
        for factor, places in backwards:
            for variables in (parameters, copies):
                total = variables[places[0]] * factor
                for place in places[1:]:
                    total = total * variables[place] + variables[place]
                total.sum().backward()
        try:
            again = answer(parameters)
        except Exception:  # hooks may have fixed names
            again = []
        else:
            for variables in (parameters, copies):
                variables[0].sum().backward()
            expected[0] += 1
        lines = [", ".join(names[place] for place in places) for _, places in backwards]
        gradients = [described(copy.grad) for copy in copies]
        parts = {
            "the counters": (expected, _counts(counters)),
            "those of a second call": ([0, 1, 1] if number % 2 else [], _counts(later)),
            "those of a call with the same Variables": ([1, *[0] * len(parameters[1:])] * bool(again), _counts(again)),
            "a hook on each": ([True] * len(parameters), registered),
            "an earlier hook": (expected[0], len(own)),
            "the gradients": (gradients, [described(parameter.grad) for parameter in parameters]),
        }
        shared = [0] * (len(parameters) - 1) + [sum(expected)]
        on = f"backward of a result that uses {', then of '.join(lines)}" if lines else "no backward"
        yield seen(f"the counters of {', '.join(names)}: {on}", parts,
            ({"the counters": shared},
             "each Variable needs a counter of its own: these hooks share the last name of a loop"),
            (lambda got: not any(got["a hook on each"]), "no hook was called: register one on each Variable"),
            ({"the counters": uses}, "a leaf that is used twice in a graph still gets one complete gradient"),
            (lambda got, right=gradients: got["the gradients"] != right, "the hook changes the gradient"),
            ("those of a second call", "each call has counters of its own"),
            ("those of a call with the same Variables", "each call has counters of its own"),
            (lambda got, right=expected: got["the counters"] == right,
             "register a hook on each Variable, and leave the other hooks there"))  # fmt: skip

    w = Variable(DoubleTensor([2.0]))
    answer([w])
    (w * w * w).sum().backward(create_graph=True)
    (second,) = grad(w.grad.sum(), [w])
    yield case("the second derivative of w³ at w = 2, with create_graph=True", plain(second), [12.0])


def _counts(counters):
    return [counter if isinstance(counter, int) else len(counter) for counter in counters]


def _hooks(variable):
    leaf = variable.creator
    return len(leaf.backward_hooks or ()) + len(leaf._variable_hooks or ())


def case_3(answer):
    """`answer`: the reason for the second barrier."""
    hint = "Let one thread be much faster than the others, and follow it through two gradients."
    yield case("a, b or c", letter(answer), "b",
        ("a", "nothing asks that of threads: the executor waits for each of them"),
        ("c", "a Barrier resets itself when all have passed"),
        hint=hint)  # fmt: skip


def letter(answer):
    """Return an answer that is a letter, as it is compared: B and b are the same."""
    answer = word(answer)
    return answer.lower() if isinstance(answer, str) else answer if answer is None or answer is ... else plain(answer)
