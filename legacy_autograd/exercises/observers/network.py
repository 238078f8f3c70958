"""The probes of exercise 11: programs with an engine, a layer, a loss and an optimizer, and a training."""

import contextlib
import random
from collections.abc import Iterator

import numpy

from ... import manual_seed
from ...autograd.variable import Variable
from ..answer import plain
from ..data import spirals
from ..programs.running import Run
from .support import engine, replaced, used

OWN = {"Engine": "run_backward", "Linear": "forward", "CrossEntropy": "backward", "SGD": "step"}  # what train must use


def behaviour(answer, lines):
    """Return what is seen of a program. Writes count where they are forbidden: into Tensors with names like d1."""
    asked = used(answer, OWN, lines)
    watch = "Engine" in asked and not any(name in line for name in ("Second(", "Nothing(") for line in lines)
    run = Run({**asked, "see": lambda: run.add("seen", _of_leaves(run))}, watch)
    with engine(Variable._execution_engine):
        found = run.execute(lines)
    for name, value in run.made():
        if isinstance(value, list):
            found[name] = [one if isinstance(one, int) else type(one).__name__ for one in value]
    return {key: value for key, value in found.items() if not key.startswith("writes into") or key[12] in "dg"}


def _of_leaves(run):
    return [[plain(leaf), plain(leaf.grad)] for name, leaf in run.variables() if "[" not in name]


def trained(answer, seed, turn=0, shift=0):
    """Train on some points. Return the answers to these and to other points, and what the training used and changed.

    `turn` is the seed of all generators of random numbers before it. `shift` is added to each class, modulo 3.
    """
    manual_seed(turn)
    numpy.random.seed(turn)
    random.seed(turn)
    (x, targets), (others, _) = spirals(seed), spirals(seed + 100)
    targets = [(target + shift) % 3 for target in targets]
    before = plain(x), list(targets), plain(others)
    times, results = dict.fromkeys(OWN, 0), []

    def counting(name, method):
        def counted(*arguments, **named):
            times[name] += 1
            result = method(*arguments, **named)
            if name == "Linear" and times[name] > calls:
                results.append(float(result.sum()))
            return result

        return counted

    calls = float("inf")  # of Linear in the training; results of later ones are kept
    with contextlib.ExitStack() as stack:
        stack.enter_context(engine(answer.Engine()))
        for name, method in OWN.items():
            owner = getattr(answer, name)
            if hasattr(owner, method):
                stack.enter_context(replaced(owner, method, counting(name, getattr(owner, method))))
            else:  # each instance has its own

                def begun(self, *arguments, name=name, method=method, begin=owner.__init__, **named):
                    begin(self, *arguments, **named)
                    setattr(self, method, counting(name, getattr(self, method)))

                stack.enter_context(replaced(owner, "__init__", begun))
        predict = answer.train(x, targets)
        calls = times["Linear"]
        first = predict(x)
        seen, unseen = ([int(number) for number in found] for found in (first, predict(others)))
        kept = isinstance(first, Iterator) or [int(number) for number in first] == seen
        asked = len(results)
        turned = [int(number) for number in predict(others.t().contiguous().t())]
        alone = [int(number) for n in range(30) for number in predict(others[n : n + 1])]
        together = [int(number) for number in predict(type(x)(x.tolist() + others.tolist()))]
        part = [int(number) for number in predict(others[:-7])]
        forward = answer.Linear.forward
        with replaced(answer.Linear, "forward", lambda self, *operands: forward(self, *operands) * 0):
            without = [int(number) for number in predict(others)]
        of_linear = [*results]
        if turn:  # another network, of fewer points and with the classes the other way round
            answer.train(type(x)(x.tolist()[::3]), [max(targets) - target for target in targets[::3]])
        kept &= [[int(number) for number in predict(points)] for points in (x, others)] == [seen, unseen]
        kept &= results[-asked:] == results[:asked]
        unchanged = before == (plain(x), targets, plain(others))
        x.add_(5)  # the caller's, as the list is
        targets.clear()
        kept &= [int(number) for number in predict(others)] == unseen
    return {
        "seen": seen,
        "unseen": unseen,
        **{f"calls of {name}": count for name, count in times.items()},
        "asked": without != unseen,
        "alone and together": [alone, together, turned, part] == [unseen[:30], seen + unseen, unseen, unseen[:-7]],
        "kept": kept,
        "points and targets": "unchanged" if unchanged else "changed",
        "results of Linear": of_linear,
    }
