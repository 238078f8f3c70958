"""matplotlib is not in the page. A program may import it, and what it shows besides still runs."""

from . import pyplot  # noqa: F401
