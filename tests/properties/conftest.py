"""Every test here runs on the fast twin and on the book, as those of the core."""

from core.conftest import implementation  # noqa: F401
