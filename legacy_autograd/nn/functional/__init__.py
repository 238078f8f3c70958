"""The layers as functions of Variables, without a state of their own (v0.1.6; programs call it `F`).

Each function calls one Function of `legacy_autograd.autograd.functions`, or a few; these document the gradients. Names,
order and defaults of arguments are those of v0.1.12, or of modern torch for what was added later.
Each file lists its functions in its `__all__`.
"""

from .activation import *  # noqa: F403
from .conv import *  # noqa: F403
from .distance import *  # noqa: F403
from .loss import *  # noqa: F403
from .normalization import *  # noqa: F403
from .padding import *  # noqa: F403
from .pooling import *  # noqa: F403
from .regularization import *  # noqa: F403
from .upsampling import *  # noqa: F403
from .weights import *  # noqa: F403
