"""What `import torch` finds in a process that a running program started: it makes torch mean legacy_autograd there."""

import importlib
import importlib.util
import pathlib
import sys

if importlib.util.find_spec("legacy_autograd") is None:
    # The package runs out of a folder that this process does not search: the one that holds this file.
    sys.path.append(str(pathlib.Path(__file__).resolve().parents[4]))

from legacy_autograd.compat import runner  # noqa: E402  # after the search path that may be needed to find it

runner.install()  # forgets this module, so that the name is looked up again
# The import statement returns the module that is in sys.modules when this file ends.
sys.modules[__name__] = importlib.import_module(__name__)
