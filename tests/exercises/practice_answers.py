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


RIGHT = {
    "1.1": [["Mean", "PowConstant", "Sub", "Mm"]],
    "1.2": [_step],
    "1.3": [_leaves],
    "3.1": [lambda start, count: 2 * start * count],
    "3.2": [_hook(lambda seen, gradient: seen.append((gradient * 2).tolist()))],
    "3.3": [[True, False, True, False]],
}
WRONG = {
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
