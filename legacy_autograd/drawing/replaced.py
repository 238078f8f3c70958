"""`replaced` temporarily replaces attributes of classes, modules and objects."""

import contextlib

_ABSENT = object()


@contextlib.contextmanager
def replaced(values):
    """Within the block, give attributes the `values` {(owner, name): value}; restore them afterwards."""
    before = {(owner, name): vars(owner).get(name, _ABSENT) for owner, name in values}
    try:
        for (owner, name), value in values.items():
            setattr(owner, name, value)
        yield
    finally:
        for (owner, name), value in before.items():
            if value is not _ABSENT:
                setattr(owner, name, value)
            elif name in vars(owner):
                delattr(owner, name)
