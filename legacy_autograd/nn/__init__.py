"""`torch.nn`: parts of networks, as Modules over the Functions of `legacy_autograd.functions` (2016: `torch/nn/`).

`nn.functional` has the same as functions. Programs also find the files of this folder under `torch.nn.modules`.
"""

import sys

from .. import aliases
from . import functional, init, utils  # noqa: F401
from .activation import (  # noqa: F401
    ELU,
    Hardtanh,
    LeakyReLU,
    LogSigmoid,
    LogSoftmax,
    PReLU,
    ReLU,
    ReLU6,
    Sigmoid,
    Softmax,
    Softmax2d,
    Softmin,
    Softplus,
    Softsign,
    Tanh,
    Threshold,
)
from .batchnorm import BatchNorm, BatchNorm1d, BatchNorm2d, BatchNorm3d  # noqa: F401
from .container import Container, ModuleList, ParameterList, Sequential  # noqa: F401
from .conv import Conv1d, Conv2d, ConvTranspose1d, ConvTranspose2d  # noqa: F401
from .dropout import Dropout, Dropout2d  # noqa: F401
from .linear import Linear  # noqa: F401
from .loss import (  # noqa: F401
    AbsCriterion,
    BCECriterion,
    BCELoss,
    BCEWithLogitsLoss,
    ClassNLLCriterion,
    CrossEntropyCriterion,
    CrossEntropyLoss,
    DistKLDivCriterion,
    KLDivLoss,
    L1Loss,
    MSECriterion,
    MSELoss,
    NLLLoss,
    NLLLoss2d,
    SmoothL1Criterion,
    SmoothL1Loss,
)
from .module import Module  # noqa: F401
from .parameter import Parameter  # noqa: F401
from .pooling import AvgPool1d, AvgPool2d, MaxPool1d, MaxPool2d, MaxPooling2d  # noqa: F401
from .rnn import GRU, LSTM, RNN, GRUCell, LSTMCell, RNNCell  # noqa: F401
from .sparse import Embedding  # noqa: F401

HardTanh = Hardtanh  # v0.1.1's spelling

aliases.add(f"{__name__}.modules", __name__)
modules = sys.modules[__name__]
