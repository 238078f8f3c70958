"""The browser of the tests of `drawing`, for the page of a comparison."""

from drawing.conftest import browser, opened  # noqa: F401
