"""The module that `import torch` loads in a child process of a running program: torch becomes legacy_autograd."""

import importlib
import importlib.util
import pathlib
import sys

if importlib.util.find_spec("legacy_autograd") is None:
    # The package is in a folder that this process does not search, the one of this file.
    sys.path.append(str(pathlib.Path(__file__).resolve().parents[4]))

from legacy_autograd.compat import runner  # noqa: E402  # after the search path is complete

runner.install()  # removes this module from sys.modules, so that the name is looked up again
# The import statement returns the module that is in sys.modules when this file ends.
sys.modules[__name__] = importlib.import_module(__name__)
