"""`FunctionBackend` (v0.1.1: the same file)."""


class FunctionBackend:
    """A set of functions by name: `backend.Linear` is what was registered as "Linear".

    Raises NotImplementedError for a name that is not registered.
    """

    def __init__(self):
        self.function_classes = {}

    def __getattr__(self, name):
        registered = vars(self).get("function_classes", {})
        if name.startswith("__") or not registered:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if name not in registered:
            raise NotImplementedError(
                f"{name} is no function of {type(self).__name__}: use the operation of torch.nn.functional"
            )
        return registered[name]

    def register_function(self, name, function_class):
        """Make `function_class` the attribute `name`. Raises RuntimeError if the name is taken."""
        if name in self.function_classes:
            raise RuntimeError(f"{type(self).__name__} has a function named {name!r} already")
        self.function_classes[name] = function_class
