"""`RemovableHandle`: what `register_hook` returns (v0.1.6, January 2017; before it a hook was removed by its name)."""

import itertools
import weakref
from collections import OrderedDict
from typing import Any, Self

next_key = itertools.count()


class RemovableHandle:
    """A handle for one registered hook. `remove()` removes the hook, and so does leaving a `with` block.

    Args:
        hooks: The dictionary that holds the hook.
        key: Its key there.
    """

    def __init__(self, hooks: dict, key: Any) -> None:
        self._hooks = weakref.ref(hooks)
        self.key = key

    @classmethod
    def put(cls, owner: Any, attribute: str, hook: Any, key: Any = None) -> Self:
        """Register a hook and return its handle.

        Args:
            owner: The object that has the hook.
            attribute: The name of the owner's dictionary of hooks, which is created if the owner has none of its own.
            hook: A function, or a tuple that begins with one.
            key: The key of the hook. Default: a new number.

        Raises:
            TypeError: If `hook` is not a function.
        """
        function = hook[0] if isinstance(hook, tuple) else hook
        if not callable(function):
            raise TypeError(f"register_hook needs a function, got {type(function).__name__}")
        hooks = getattr(owner, attribute, None)
        if not isinstance(hooks, OrderedDict):  # an empty mapping that all owners share
            hooks = OrderedDict()
            setattr(owner, attribute, hooks)
        key = next(next_key) if key is None else key
        hooks[key] = hook
        return cls(hooks, key)

    def remove(self) -> None:
        """Remove the hook. It does nothing if the hook was removed before, or its owner is gone."""
        hooks = self._hooks()
        if hooks is not None:
            hooks.pop(self.key, None)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.remove()
