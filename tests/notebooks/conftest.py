"""The browser that opens exported notebooks: that of the pages' tests, with its checks (no request, no complaint)."""

from drawing.conftest import browser, opened  # noqa: F401
