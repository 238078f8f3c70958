"""Answers to the notebooks' short exercises: {name: [right answers]}, {name: [(wrong answer, part of the reason)]}."""


def _hook(note):
    def make(seen):
        def hook(grad_input, grad_output):
            note(seen, grad_output[0])

        return hook

    return make


RIGHT = {
    "3.1": [lambda start, count: 2 * start * count],
    "3.2": [_hook(lambda seen, gradient: seen.append((gradient * 2).tolist()))],
    "3.3": [[True, False, True, False]],
}
WRONG = {
    "3.1": [(lambda start, count: 2 * start, "each backward adds its gradient to what is there")],
    "3.2": [
        (_hook(lambda seen, gradient: seen.append(gradient.mul_(2).tolist())), "changed the gradient in place"),
        (_hook(lambda seen, gradient: seen.append(gradient.tolist())), "not twice the gradient"),
    ],
    "3.3": [([True, True, True, True], "`c * c` has no input that requires a gradient")],
}
