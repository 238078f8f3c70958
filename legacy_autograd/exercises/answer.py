"""A student's answer as the probes see it, and its values as plain data."""


class Answer:
    """The names that the student's code defined, as attributes."""

    def __init__(self, namespace):
        self.namespace = namespace
        self.names_asked = []

    def __getattr__(self, name):
        self.names_asked.append(name)
        try:
            value = self.namespace[name]
        except KeyError:
            raise Missing(name) from None
        # The package's own function or class, or a class under one of its operations.
        bases = value.__mro__ if isinstance(value, type) else ()
        modules = [base.__module__ for base in bases if base.__module__.startswith(f"{_PACKAGE}autograd.functions.")]
        if modules or str(getattr(value, "__module__", None)).startswith(_PACKAGE):
            raise Withheld(f"write {name} yourself: the package's own is not available here")
        return value


_PLAIN = {type(None), bool, int, float, str}
_PACKAGE = f"{__name__.partition('.')[0]}."


class Missing(Exception):
    """The answer does not define a name that the exercise asks for."""


class Withheld(Exception):
    """The answer used a part of the package that the exercise asks the student to write."""


def plain(value):
    """Return `value` as plain data: numbers, texts, None and lists; a Tensor or Variable as nested lists."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, (list, tuple)):
        return list(value) if _PLAIN.issuperset(map(type, value)) else [plain(item) for item in value]
    array = getattr(value, "array", None)
    if array is not None:
        return array.tolist()
    if type(value).__module__ == "numpy":
        return f"a numpy {type(value).__name__}"
    if isinstance(value, (int, float, str)):
        return value
    return f"a {type(value).__name__}"
