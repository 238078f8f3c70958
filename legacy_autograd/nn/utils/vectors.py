"""All parameters of a model as one vector, and back (0.2.0)."""

from collections.abc import Iterable

from ...autograd.functions import cat
from ...autograd.variable import Variable
from ...tensor import Tensor


def parameters_to_vector(parameters: Iterable[Variable]) -> Variable:
    """Return the elements of all `parameters`, concatenated to one dimension.

    Args:
        parameters: Variables of any shapes.
    """
    return cat([parameter.contiguous().view(-1) for parameter in parameters], 0)


def vector_to_parameters(vector: Variable | Tensor, parameters: Iterable[Variable]) -> None:
    """Copy the elements of `vector` into the `parameters`, in their order.

    Args:
        vector: As many elements as the `parameters` have together.
        parameters: Variables of any shapes.

    Raises:
        ValueError: If the number of elements differs; then nothing is copied.
    """
    parameters = list(parameters)
    lengths = [parameter.numel() for parameter in parameters]
    vector = vector.data.contiguous().view(-1)
    if vector.numel() != sum(lengths):
        raise ValueError(
            f"vector_to_parameters: expected {sum(lengths)} elements, as many as the parameters have, got "
            f"{vector.numel()}"
        )
    for parameter, part in zip(parameters, vector.split(lengths)):
        parameter.data.copy_(part.view(*parameter.size()))
