"""Skip a test module whose packages are not installed, without importing them.

`pytest.importorskip` imports at collection, which every run and every worker pays for, whether or not it runs one of
the module's tests: seconds for scikit-learn.
"""

import importlib.util

import pytest


def needs(*packages):
    """Skip the calling module unless all of `packages` are installed."""
    for package in packages:
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed", allow_module_level=True)
