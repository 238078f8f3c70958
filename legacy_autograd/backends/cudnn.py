"""`torch.backends.cudnn`, on which programs of 2017 set flags (`cudnn.benchmark = True`) whether or not they use it.

cuDNN is NVIDIA's library for graphics cards; the flags can be set and read, and change nothing.
"""

enabled = False
benchmark = False
deterministic = True
verbose = False


def is_available() -> bool:
    """Return False."""
    return False


def version() -> None:
    """Return None, as there is no cuDNN."""
    return None
