"""The names of the twin's walk that the package uses."""


def trusted_backward(fn):
    """No Function is run without the book's checks."""
    return None


def sources(fn):
    return fn._sources()
