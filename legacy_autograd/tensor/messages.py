"""How the messages of errors show a tensor, a size or a number, and errors that many operations raise."""

import contextlib

from .dtypes import TYPE_NAMES
from .errors import SizeError
from .wrapping import is_tensor


def shown_size(shape):
    """Return a shape as error messages show it: "(2, 3)"; "(1,)" for a single number."""
    return str(tuple(shape) or (1,))


def shown(x):
    """Return an argument as error messages show it: the type and shape of a Tensor, the class of anything else."""
    if is_tensor(x):
        return f"a {TYPE_NAMES[x.array.dtype]} of size {shown_size(x.array.shape)}"
    return type(x).__name__


def too_large(name, dtype, number):
    """Return the OverflowError for a number that does not fit into the type of `dtype`."""
    if isinstance(number, int) and number.bit_length() > 128:
        number = f"an integer of {number.bit_length()} bits"
    return OverflowError(f"{name}: {number} does not fit into a {TYPE_NAMES[dtype]}")


def does_not_fit(name, shape, other_shape, into=False):
    """Return the SizeError of an operation whose operands' shapes do not fit."""
    sizes = f"sizes {shown_size(shape)} and {shown_size(other_shape)}"
    if into:
        return SizeError(
            f"{name}: {sizes} do not fit: the result must have the size of the tensor that it is written to"
        )
    return SizeError(f"{name}: {sizes} do not fit together")


def not_writable(name, a):
    """Return the RuntimeError of a write to read-only memory; None if the memory is writable."""
    if a.flags.writeable:
        return None
    return RuntimeError(
        f"{name}: the memory of this tensor is read-only, because several of its elements share one place (expand) or "
        "because its numpy array is read-only; write to a clone() of it"
    )


@contextlib.contextmanager
def naming(name):
    """Within this context, messages about an index or a shape begin with `name`, the operation that was called."""
    try:
        yield
    except (IndexError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from None
