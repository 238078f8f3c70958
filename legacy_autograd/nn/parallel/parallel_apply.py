"""Several modules, each with its own input (v0.1.6: the same file)."""

from collections.abc import Sequence
from typing import Any


def parallel_apply(
    modules: Sequence, inputs: Sequence[tuple], kwargs_tup: Sequence[dict[str, Any]] | None = None
) -> list:
    """Return the list of `module(*input, **kwargs)`, called in order.

    Args:
        modules: The Modules.
        inputs: A tuple of arguments for each module.
        kwargs_tup: A dictionary of keyword arguments for each module. Default: none.

    Raises:
        ValueError: If their numbers differ.
    """
    kwargs_tup = kwargs_tup or ({},) * len(modules)
    if not len(modules) == len(inputs) == len(kwargs_tup):
        raise ValueError(
            f"parallel_apply: expected as many inputs and dictionaries as modules, got {len(modules)} modules, "
            f"{len(inputs)} inputs and {len(kwargs_tup)} dictionaries"
        )
    return [module(*input, **kwargs) for module, input, kwargs in zip(modules, inputs, kwargs_tup)]
