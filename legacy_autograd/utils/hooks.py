"""`RemovableHandle`: what `register_hook` returns (v0.1.9, January 2017; before it a hook was removed by its name)."""

import itertools
import weakref
from collections import OrderedDict

_next_key = itertools.count()


class RemovableHandle:
    """Remembers one registered hook; `remove()` takes it out, and so does leaving a `with` block."""

    def __init__(self, hooks, key):
        self._hooks = weakref.ref(hooks)
        self.key = key

    @classmethod
    def put(cls, owner, attribute, hook, key=None):
        """Register `hook` in the dictionary `owner.attribute`, which is made now if the owner has none of its own."""
        function = hook[0] if isinstance(hook, tuple) else hook
        if not callable(function):
            raise TypeError(f"register_hook needs a function, got {type(function).__name__}")
        if attribute not in vars(owner):
            setattr(owner, attribute, OrderedDict())
        hooks = getattr(owner, attribute)
        key = next(_next_key) if key is None else key
        hooks[key] = hook
        return cls(hooks, key)

    def remove(self):
        """Take the hook out. Does nothing the second time, or when the hook's owner is gone."""
        hooks = self._hooks()
        if hooks is not None:
            hooks.pop(self.key, None)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.remove()
