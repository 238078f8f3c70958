"""`torch.nn.cuda`, which programs from August 2016 import to use graphics cards (2016: `torch/nn/cuda.py`).

Without a card the import raises ImportError. Programs from September 2016 use that to find out whether there is one.
"""

from ..cuda import ignored

if not ignored():
    raise ImportError("torch.nn.cuda needs a CUDA device; to run without one, use `legacy-autograd run --ignore-cuda`")
