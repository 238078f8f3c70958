"""`torch.nn._functions`: the functions behind the layers of v0.1.x, which some programs call (2016: the same folder).

They are called twice: `_functions.linear.Linear()(x, weight, bias)` or `self._backend.Threshold(0, 0)(x)`. The first
call takes the constants, the second the Variables. Each function is one call of `torch.nn.functional`, which documents
shapes and errors.
"""

from . import activation, conv, dropout, linear, loss, padding, rnn, thnn  # noqa: F401
