"""Answers to the notebooks' short exercises: {name: [right answers]}, {name: [(wrong answer, part of the reason)]}."""


def _hook(note):
    def make(seen):
        def hook(grad_input, grad_output):
            note(seen, grad_output[0])

        return hook

    return make


def _step(W, learning_rate):
    W.data -= W.grad * learning_rate
    W.grad.zero_()


def _uphill(W, learning_rate):
    W.data += W.grad * learning_rate
    W.grad.zero_()


def _no_zeroing(W, learning_rate):
    W.data -= W.grad * learning_rate


def _leaves(variable):
    found, stack = set(), [variable.creator]
    while stack:
        function = stack.pop()
        if not function.previous_functions:
            found.add(function)
        stack += [previous for previous, _ in function.previous_functions]
    return found


def _leaves_with_repetition(variable):
    def walk(function):
        if not function.previous_functions:
            return [function]
        return [leaf for previous, _ in function.previous_functions for leaf in walk(previous)]

    return walk(variable.creator)


def _functions_between(variable):
    seen, stack = set(), [variable.creator]
    while stack:
        function = stack.pop()
        if function.previous_functions:
            seen.add(function)
        stack += [previous for previous, _ in function.previous_functions]
    return len(seen)


def _functions_on_all_paths(variable):
    def walk(function):
        return bool(function.previous_functions) + sum(walk(previous) for previous, _ in function.previous_functions)

    return walk(variable.creator)


RIGHT = {
    "2.1": [["SubConstant", "SubConstant", "Negate", "Mul"]],
    "2.2": [_functions_between],
    "2.3": [lambda a, b, g, needed: (g * b if needed[0] else None, g * a if needed[1] else None)],
    "1.1": [["Mean", "PowConstant", "Sub", "Mm"]],
    "1.2": [_step],
    "1.3": [_leaves],
    "3.1": [lambda start, count: 2 * start * count],
    "3.2": [_hook(lambda seen, gradient: seen.append((gradient * 2).tolist()))],
    "3.3": [[True, False, True, False]],
}
WRONG = {
    "2.1": [(["Sub", "Sub", "Neg", "Mul"], "a number goes to the constructor"), (["Sub"], "four names")],
    "2.2": [(_functions_on_all_paths, "counts once")],
    "2.3": [
        (lambda a, b, g, needed: (g * a, g * b), "the other way round"),
        (lambda a, b, g, needed: (b, a), "the chain rule"),
        (lambda a, b, g, needed: (g * b, g * a), "gets None"),
    ],
    "1.1": [
        (["Mm", "Sub", "PowConstant", "Mean"], "begin with the loss"),
        (["Mean", "Pow", "Sub", "Mm"], "recorded as `PowConstant`"),
    ],
    "1.2": [(_uphill, "against the gradient"), (_no_zeroing, "`W.grad.zero_()` is missing")],
    "1.3": [(_leaves_with_repetition, "each Leaf once")],
    "3.1": [(lambda start, count: 2 * start, "each backward adds its gradient to what is there")],
    "3.2": [
        (_hook(lambda seen, gradient: seen.append(gradient.mul_(2).tolist())), "changed the gradient in place"),
        (_hook(lambda seen, gradient: seen.append(gradient.tolist())), "not twice the gradient"),
    ],
    "3.3": [([True, True, True, True], "`c * c` has no input that requires a gradient")],
}
