"""`torch.nn.modules`: all layers, for programs that import them from this folder (2016: the same).

The files are those of `nn/`; `names.py` makes them importable under this folder as well.
"""

from .. import *  # noqa: F403
from .utils import _ntuple  # noqa: F401  # also makes `utils` the module of this folder
