"""The only backend, that of main memory (v0.1.1: the same file)."""

from .._functions import activation, conv, dropout, linear, loss, rnn, thnn
from .backend import FunctionBackend


class THNNFunctionBackend(FunctionBackend):
    """The backend of all modules. Copying and unpickling return the same object."""

    def __reduce__(self):
        return _get_thnn_function_backend, ()

    def __deepcopy__(self, memo):
        return self

    def __copy__(self):
        return self


def _get_thnn_function_backend():
    return backend


def _initialize_backend():
    functions = (
        activation.Softsign, conv.ConvNd, linear.Linear, loss.CosineEmbeddingLoss, loss.HingeEmbeddingLoss,
        loss.MarginRankingLoss, dropout.Dropout, rnn.GRUCell, rnn.LSTMCell, rnn.RNN, rnn.RNNReLUCell,
        rnn.RNNTanhCell, thnn.AdaptiveAvgPool1d, thnn.AdaptiveAvgPool2d, thnn.AdaptiveMaxPool1d,
        thnn.AdaptiveMaxPool2d, thnn.AvgPool2d, thnn.AvgPool3d, thnn.BCELoss, thnn.CrossMapLRN2d, thnn.ELU,
        thnn.Embedding, thnn.FractionalMaxPool2d, thnn.Hardshrink, thnn.Hardtanh, thnn.KLDivLoss, thnn.L1Loss,
        thnn.LeakyReLU, thnn.LogSigmoid, thnn.LogSoftmax, thnn.MSELoss, thnn.MaxPool1d, thnn.MaxPool2d,
        thnn.MaxPool3d, thnn.MaxUnpool2d, thnn.MaxUnpool3d, thnn.MultiLabelMarginLoss, thnn.MultiMarginLoss,
        thnn.NLLLoss, thnn.PReLU, thnn.RReLU, thnn.ReflectionPad2d, thnn.ReplicationPad2d, thnn.ReplicationPad3d,
        thnn.Sigmoid, thnn.SmoothL1Loss, thnn.SoftMarginLoss, thnn.Softmax, thnn.Softmin, thnn.Softplus,
        thnn.Softshrink, thnn.Tanh, thnn.Threshold, thnn.UpsamplingBilinear2d, thnn.UpsamplingNearest2d,
    )  # fmt: skip
    for function in functions:
        backend.register_function(function.__name__, function)
    backend.register_function("Dropout2d", dropout.FeatureDropout)
    backend.register_function("Dropout3d", dropout.FeatureDropout)
    backend.register_function("NLLLoss2d", thnn.NLLLoss)


backend = THNNFunctionBackend()
_initialize_backend()
