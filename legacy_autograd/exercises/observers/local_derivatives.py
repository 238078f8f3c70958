"""The probes of exercise 1: `backward` of Sub, Mul, Div, Exp, Sigmoid and Abs."""

from ..answer import plain
from .support import leaves, tensor


def names_of(operands):
    return "ab" if len(operands) == 2 else "x"


def derivative(answer, name, operands, gradient):
    """Return the Function's gradient for each operand."""
    function = getattr(answer, name)()
    variables, grad_output = leaves(*operands), tensor(gradient)
    (output,) = function(*variables)
    values = {"grad_output": grad_output, "the result": output.data}
    values |= {name: variable.data for name, variable in zip(names_of(operands), variables)}
    before = {name: value._version for name, value in values.items()}
    found = function._do_backward(grad_output)
    gradients = {f"gradient of {name}": plain(grad) for name, grad in zip(names_of(operands), found)}
    written = [name for name, value in values.items() if value._version != before[name]]
    return {**gradients, "tensors that were written into": ", ".join(written) or "none"}


def what_is_left(answer, name, operands, gradient):
    """Return the operands and the gradient after backward."""
    function = getattr(answer, name)()
    variables, grad_output = leaves(*operands), tensor(gradient)
    function(*variables)
    values = [*[variable.data for variable in variables], grad_output]
    before = [value._version for value in values]
    function.backward(grad_output)
    left = dict(zip([*names_of(operands), "grad_output"], map(plain, values)))
    return {**left, "times written into": [value._version - was for value, was in zip(values, before)]}


def of_two_instances(answer, name, operands, others, gradient):
    """Return the gradients of one instance after another instance was called and run, and again."""
    first, second = getattr(answer, name)(), getattr(answer, name)()
    first(*leaves(*operands))
    second(*leaves(*others))
    found = {}
    turns = {"": first, " of the other instance": second, " in a second backward": first, " in a third backward": first}
    for when, function in turns.items():
        gradients = zip(names_of(operands), function._do_backward(tensor(gradient)))
        found |= {f"gradient of {operand}{when}": plain(grad) for operand, grad in gradients}
    return found
