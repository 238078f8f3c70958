"""`torch.nn._functions`: what the layers of v0.1.x called, for programs that call it too (2016: the same folder).

`self._backend.Threshold(0, 0)(x)` or `_functions.linear.Linear()(x, weight, bias)`: the constants go first, and what is
returned is called with Variables. Each is one call of `torch.nn.functional`, where shapes, errors and gradients are
documented.
"""

from . import activation, conv, dropout, linear, loss, padding, rnn, thnn  # noqa: F401
