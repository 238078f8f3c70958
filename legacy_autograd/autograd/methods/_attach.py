"""How a family of methods becomes part of `Variable`."""

from ..variable import Variable


class _Nothing:
    """The attributes of a class without methods."""

    nothing: None


def attach(methods: type) -> None:
    """Set every attribute of a class on Variable.

    What v0.1.1's Variable did not have is in files of its own, which import `variable.py` and attach it.

    Args:
        methods: The class.
    """
    for name, attribute in vars(methods).items():
        if name not in vars(_Nothing):
            setattr(Variable, name, attribute)
