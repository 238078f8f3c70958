"""The layers as functions of Variables, without a state of their own (v0.1.6; programs call it `F`).

Each function calls one Function of `legacy_autograd.autograd.functions`, or a few; these document the gradients. Names,
order and defaults of arguments are those of v0.1.12, or of modern torch for what was added later.
"""

from .activation import (  # noqa: F401
    elu,
    hardshrink,
    hardtanh,
    leaky_relu,
    log_softmax,
    logsigmoid,
    prelu,
    relu,
    relu6,
    rrelu,
    sigmoid,
    softmax,
    softmin,
    softplus,
    softshrink,
    softsign,
    tanh,
    tanhshrink,
    threshold,
)
from .conv import conv1d, conv2d, conv3d, conv_transpose1d, conv_transpose2d, conv_transpose3d  # noqa: F401
from .distance import cosine_similarity, normalize, pairwise_distance  # noqa: F401
from .loss import (  # noqa: F401
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    cosine_embedding_loss,
    cross_entropy,
    hinge_embedding_loss,
    kl_div,
    l1_loss,
    margin_ranking_loss,
    mse_loss,
    multi_margin_loss,
    multilabel_margin_loss,
    multilabel_soft_margin_loss,
    nll_loss,
    nll_loss2d,
    smooth_l1_loss,
    soft_margin_loss,
    triplet_margin_loss,
)
from .normalization import batch_norm  # noqa: F401
from .padding import pad  # noqa: F401
from .pooling import (  # noqa: F401
    adaptive_avg_pool1d,
    adaptive_avg_pool2d,
    adaptive_max_pool1d,
    adaptive_max_pool2d,
    avg_pool1d,
    avg_pool2d,
    avg_pool3d,
    fractional_max_pool2d,
    lp_pool2d,
    max_pool1d,
    max_pool2d,
    max_pool3d,
    max_unpool1d,
    max_unpool2d,
    max_unpool3d,
)
from .regularization import dropout, dropout2d, dropout3d  # noqa: F401
from .upsampling import pixel_shuffle, upsample, upsample_bilinear, upsample_nearest  # noqa: F401
from .weights import bilinear, embedding, linear  # noqa: F401
