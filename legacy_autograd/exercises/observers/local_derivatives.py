"""The probe of exercise 1: programs that call Sub, Mul, Div, Exp, Sigmoid and Abs, and their backward."""

import numpy

from ..answer import plain
from .support import Strict, used

OPERATIONS = ("Sub", "Mul", "Div", "Exp", "Sigmoid", "Abs")


def behaviour(answer, lines):
    """Return what is seen of a program. Raises ValueError if sizes differ: nothing broadcasts here."""
    operations = used(answer, OPERATIONS, lines)
    run = Strict(operations)
    seen = run.execute(lines)
    for name, variable in run.variables():
        if type(variable.creator) in operations.values():
            of_operands = {operand._output_sizes[0] for operand, _ in variable.creator.previous_functions}
            of_gradients = {numpy.shape(gradient) for gradient in seen.get(f"backward of {name}", ())}
            if of_operands != {variable.size()} or of_gradients - {numpy.shape(plain(variable))}:
                raise ValueError("an operand or a gradient has another size than the result")
    return seen
