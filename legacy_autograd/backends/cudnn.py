"""`torch.backends.cudnn`, which programs of 2017 set flags on (`cudnn.benchmark = True`) whether or not they use it.

cuDNN is NVIDIA's library for graphics cards; the flags can be set and read, and change nothing here.
"""

enabled = False
benchmark = False
deterministic = True
verbose = False


def is_available():
    """False."""
    return False


def version():
    """None, as there is no cuDNN."""
    return None
