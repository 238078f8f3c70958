"""The probes of exercise 4: how many gradients a Function has to wait for."""

from ..answer import plain
from .programs import PROGRAMS, made, names_of, root_of


def counted(dependencies, names):
    """{"uses of NAME": counts} in plain data, whether counts are numbers or, as in 2016, Counters of the consumers."""
    if not hasattr(dependencies, "items"):
        return {"_compute_dependencies returns": plain(dependencies)}
    return {
        f"uses of {names.get(function, type(function).__name__)}": counts_of(counts)
        for function, counts in dependencies.items()
    }


def counts_of(counts):
    if not isinstance(counts, list):
        return plain(counts)
    return [sum(count.values()) if hasattr(count, "values") else plain(count) for count in counts]


def counts(answer, program):
    variables = PROGRAMS[program]()
    return counted(answer.Engine()._compute_dependencies(root_of(variables).creator), names_of(variables))


def who_is_counted(answer, program):
    variables = PROGRAMS[program]()
    names = names_of(variables)
    found = answer.Engine()._compute_dependencies(root_of(variables).creator)
    return {"there are counts of": sorted(names.get(function, type(function).__name__) for function in found)}


def counts_of_two(answer):
    """x is used by y and by z; the counts for y, and then for z, by one engine."""
    variables = made("y = x * 2; z = x * x", x=[1.0])
    roots = {name: variables[name].creator for name in "yz"}
    names, engine, found = names_of(variables), answer.Engine(), {}
    for name, root in roots.items():
        counts = counted(engine._compute_dependencies(root), names)
        found |= {f"for {name}: {key}": value for key, value in counts.items()}
    return {**found, "links that y and z have afterwards": [len(root.previous_functions) for root in roots.values()]}


def how_many(answer, program):
    """Return the number of Functions that were counted, without the root."""
    root = root_of(PROGRAMS[program]()).creator
    dependencies = answer.Engine()._compute_dependencies(root)
    return {"Functions with counts": len(dependencies) - (root in dependencies)}


def freed(answer, program):
    """Return the counts that the root's gradients remove, and the output numbers that are returned."""
    variables = PROGRAMS[program]()
    engine, root, names = answer.Engine(), root_of(variables).creator, names_of(variables)
    dependencies = engine._compute_dependencies(root)
    before = counted(dependencies, names)
    numbers = [
        plain(engine._free_backward_dependency(dependencies, prev_fn, root, arg_id))
        for prev_fn, arg_id in root.previous_functions
        if prev_fn.requires_grad
    ]
    after = counted(dependencies, names)
    taken = {f"taken from the {key}": [one - other for one, other in zip(before[key], after[key])] for key in before}
    return {"returned": numbers, **taken}


def readiness(answer, program):
    """Walk back from the root as backward does, without gradients: the consumer, the Function, its counts, is it ready.

    The counts are the student's own, so that a mistake in counting is not reported here again.
    """
    variables = PROGRAMS[program]()
    names, engine, root = names_of(variables), answer.Engine(), root_of(variables).creator
    dependencies = engine._compute_dependencies(root)
    ready, steps = [root], []

    def shown(function):
        return names.get(function, type(function).__name__)

    while ready:
        fn = ready.pop()
        for prev_fn, arg_id in fn.previous_functions:
            if not prev_fn.requires_grad:
                continue
            engine._free_backward_dependency(dependencies, prev_fn, fn, arg_id)
            is_ready = bool(engine._is_ready_for_backward(dependencies, prev_fn))
            steps.append([shown(fn), shown(prev_fn), counts_of(dependencies[prev_fn]), is_ready])
            if is_ready:
                ready.append(prev_fn)
    return {"steps": steps}
