"""`FunctionBackend` (v0.1.1: the same file)."""

from typing import Any


class FunctionBackend:
    """A set of functions by name: `backend.Linear` is the function registered as "Linear".

    Raises:
        NotImplementedError: When an attribute is read that is not registered.
    """

    def __init__(self) -> None:
        self.function_classes: dict[str, Any] = {}

    def __getattr__(self, name):
        registered = vars(self).get("function_classes", {})
        if name.startswith("__") or not registered:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if name not in registered:
            raise NotImplementedError(
                f"{type(self).__name__} has no function {name}; use the one of torch.nn.functional"
            )
        return registered[name]

    def register_function(self, name: str, function_class: Any) -> None:
        """Register a function.

        Args:
            name: The attribute.
            function_class: The function.

        Raises:
            RuntimeError: If the name is taken.
        """
        if name in self.function_classes:
            raise RuntimeError(f"{type(self).__name__} has a function named {name!r} already")
        self.function_classes[name] = function_class
