"""`torch.nn.modules`: all layers once more, as programs import them from the folder of PyTorch (2016: the same).

The files are those of `nn/`: `legacy_autograd/__init__.py` gives each its name in this folder too.
"""

from .. import *  # noqa: F403
from .utils import _ntuple  # noqa: F401  # and with it `utils` is that of this folder
