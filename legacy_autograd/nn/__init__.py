"""`torch.nn`: parts of networks, as Modules over the Functions of `autograd/functions/` (2016: `torch/nn/`).

`nn.functional` has the same as functions. Programs also find the files of this folder under `torch.nn.modules`.
"""

from . import functional, init, parallel, utils  # noqa: F401
from .activation import (  # noqa: F401
    ELU,
    Hardshrink,
    Hardtanh,
    LeakyReLU,
    LogSigmoid,
    LogSoftmax,
    PReLU,
    ReLU,
    ReLU6,
    RReLU,
    Sigmoid,
    Softmax,
    Softmax2d,
    Softmin,
    Softplus,
    Softshrink,
    Softsign,
    Tanh,
    Tanhshrink,
    Threshold,
)
from .batchnorm import (  # noqa: F401
    BatchNorm,
    BatchNorm1d,
    BatchNorm2d,
    BatchNorm3d,
    InstanceNorm1d,
    InstanceNorm2d,
    InstanceNorm3d,
)
from .container import Container, ModuleList, ParameterList, Sequential  # noqa: F401
from .conv import Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d  # noqa: F401
from .distance import CosineSimilarity, PairwiseDistance  # noqa: F401
from .dropout import Dropout, Dropout2d, Dropout3d  # noqa: F401
from .linear import Bilinear, Linear  # noqa: F401
from .loss import (  # noqa: F401
    AbsCriterion,
    BCECriterion,
    BCELoss,
    BCEWithLogitsLoss,
    ClassNLLCriterion,
    CosineEmbeddingLoss,
    CrossEntropyCriterion,
    CrossEntropyLoss,
    DistKLDivCriterion,
    HingeEmbeddingLoss,
    KLDivLoss,
    L1Loss,
    MarginRankingLoss,
    MSECriterion,
    MSELoss,
    MultiLabelMarginLoss,
    MultiLabelSoftMarginLoss,
    MultiMarginLoss,
    NLLLoss,
    NLLLoss2d,
    SmoothL1Criterion,
    SmoothL1Loss,
    SoftMarginLoss,
    TripletMarginLoss,
)
from .module import Module  # noqa: F401
from .normalization import CrossMapLRN2d  # noqa: F401
from .padding import ConstantPad2d, ReflectionPad2d, ReplicationPad2d, ReplicationPad3d, ZeroPad2d  # noqa: F401
from .parallel import DataParallel  # noqa: F401
from .parameter import Parameter  # noqa: F401
from .pooling import (  # noqa: F401
    AdaptiveAvgPool1d,
    AdaptiveAvgPool2d,
    AdaptiveMaxPool1d,
    AdaptiveMaxPool2d,
    AvgPool1d,
    AvgPool2d,
    AvgPool3d,
    FractionalMaxPool2d,
    LPPool2d,
    MaxPool1d,
    MaxPool2d,
    MaxPool3d,
    MaxPooling2d,
    MaxUnpool1d,
    MaxUnpool2d,
    MaxUnpool3d,
)
from .rnn import GRU, LSTM, RNN, GRUCell, LSTMCell, RNNBase, RNNCell  # noqa: F401
from .sparse import Embedding  # noqa: F401
from .upsampling import PixelShuffle, Upsample, UpsamplingBilinear2d, UpsamplingNearest2d  # noqa: F401

HardTanh = Hardtanh  # v0.1.1's spelling
