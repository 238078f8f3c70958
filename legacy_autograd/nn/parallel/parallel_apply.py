"""Several modules, each with an input of its own (v0.1.6: the same file)."""


def parallel_apply(modules, inputs, kwargs_tup=None):
    """Return the list of `module(*input, **kwargs)` for the modules and inputs in order, one after another.

    Each of `inputs` is a tuple; `kwargs_tup` has a dictionary for each module. Raises ValueError if their numbers
    differ.
    """
    kwargs_tup = kwargs_tup or ({},) * len(modules)
    if not len(modules) == len(inputs) == len(kwargs_tup):
        raise ValueError(
            f"parallel_apply: got {len(modules)} modules, {len(inputs)} inputs and {len(kwargs_tup)} dictionaries of "
            "keyword arguments, and needs as many of each"
        )
    return [module(*input, **kwargs) for module, input, kwargs in zip(modules, inputs, kwargs_tup)]
