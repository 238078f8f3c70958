"""`replaced` temporarily replaces attributes of classes, modules and objects."""

import contextlib

_ABSENT = object()


@contextlib.contextmanager
def replaced(values):
    """Within the block, give attributes the `values` {(owner, name): value}; restore them afterwards."""
    before = {(owner, name): vars(owner).get(name, _ABSENT) for owner, name in values}
    for (owner, name), value in values.items():
        setattr(owner, name, value)
    try:
        yield
    finally:
        for (owner, name), value in before.items():
            if value is _ABSENT:
                delattr(owner, name)
            else:
                setattr(owner, name, value)
