"""All parameters of a model as one vector, and back (0.2.0)."""

from ...autograd.functions import cat


def parameters_to_vector(parameters):
    """The elements of all `parameters`, one after another, as one Variable of one dimension."""
    return cat([parameter.contiguous().view(-1) for parameter in parameters], 0)


def vector_to_parameters(vector, parameters):
    """Copy the elements of `vector`, a Variable or Tensor, into the `parameters`, in their order.

    Raises ValueError, and copies nothing, if their number differs.
    """
    parameters = list(parameters)
    lengths = [parameter.numel() for parameter in parameters]
    vector = vector.data.contiguous().view(-1)
    if vector.numel() != sum(lengths):
        raise ValueError(
            f"vector_to_parameters: the parameters have {sum(lengths)} elements, the vector {vector.numel()}"
        )
    for parameter, part in zip(parameters, vector.split(lengths)):
        parameter.data.copy_(part.view(*parameter.size()))
