"""`torch.nn.backends`: the functions that layers of v0.1.x called through `self._backend` (2016: the same folder)."""

from . import backend, thnn  # noqa: F401
