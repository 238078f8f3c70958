"""In these tests a warning is an error, except the ones that the package itself keeps quiet about."""

import pathlib

import pytest

_HERE = pathlib.Path(__file__).parent


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.is_relative_to(_HERE):
            # pytest forgets the filter that legacy_autograd sets when it is imported: 1/0 is inf without a word.
            item.add_marker(pytest.mark.filterwarnings("ignore::RuntimeWarning:legacy_autograd"), append=False)
            item.add_marker(pytest.mark.filterwarnings("error"), append=False)
