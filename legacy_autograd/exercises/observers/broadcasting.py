"""The probe of exercise 7: programs that call sum_to_size, Add and Mul."""

import numpy

from .support import Strict, used


def behaviour(answer, lines):
    """Return what is seen of a program. Raises ValueError for sizes that do not broadcast to each other."""
    names = used(answer, ("sum_to_size", "Add", "Mul"), lines)

    def checked(grad, size):
        if numpy.broadcast_shapes(size, grad.size()) != grad.size():
            raise ValueError("a tensor of this size does not broadcast to the size of grad")
        return names["sum_to_size"](grad, size)

    run = Strict({**names, "sum_to_size": checked})
    seen, before = run.execute(lines), []
    for name, variable in run.variables():
        if type(variable.creator) in names.values() and any(variable.data is data for data in before):
            seen[name] = "an operand itself"
        before.append(variable.data)
        gradients = seen.get(f"backward of {name}", ()) if type(variable.creator) in names.values() else ()
        if variable.numel() and any(numpy.shape(gradient) != variable.size() for gradient in gradients):
            raise ValueError("a gradient has another size than the result")
    return seen
