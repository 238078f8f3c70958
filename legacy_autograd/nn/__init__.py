"""`torch.nn`: parts of networks, as Modules over the Functions of `autograd/functions/` (2016: `torch/nn/`).

`nn.functional` has the same as functions. Programs also find the files of this folder under `torch.nn.modules`.
Each file lists its layers in its `__all__`.
"""

from . import functional, init, parallel, utils  # noqa: F401
from .activation import *  # noqa: F403
from .activation import Hardtanh as HardTanh  # noqa: F401  # v0.1.1's spelling
from .batchnorm import *  # noqa: F403
from .container import *  # noqa: F403
from .conv import *  # noqa: F403
from .distance import *  # noqa: F403
from .dropout import *  # noqa: F403
from .linear import *  # noqa: F403
from .loss import *  # noqa: F403
from .module import Module  # noqa: F401
from .normalization import *  # noqa: F403
from .padding import *  # noqa: F403
from .parallel import DataParallel  # noqa: F401
from .parameter import Parameter  # noqa: F401
from .pooling import *  # noqa: F403
from .rnn import *  # noqa: F403
from .sparse import *  # noqa: F403
from .upsampling import *  # noqa: F403
