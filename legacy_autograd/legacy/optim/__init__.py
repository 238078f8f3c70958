"""The optimizers of Lua's Torch (2016: `torch/legacy/optim`): functions that change one vector by one step.

Each is called as `f(opfunc, x, config, state=None)`. `opfunc(x)` returns the value at `x` and its gradient, a Tensor
of the type and shape of `x`, which is not changed. `x` is changed in place and returned, with the value before the step
or a list of values. `config` is a dict of options with Lua's names. `state` is a dict that keeps the state between
calls, with Lua's keys; by default it is `config`.
"""

from .adadelta import adadelta  # noqa: F401
from .adagrad import adagrad  # noqa: F401
from .adam import adam  # noqa: F401
from .adamax import adamax  # noqa: F401
from .asgd import asgd  # noqa: F401
from .cg import cg  # noqa: F401
from .lbfgs import lbfgs  # noqa: F401
from .nag import nag  # noqa: F401
from .rmsprop import rmsprop  # noqa: F401
from .rprop import rprop  # noqa: F401
from .sgd import sgd  # noqa: F401
