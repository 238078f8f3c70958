"""`torch.nn.cuda`, which programs of August 2016 import to have layers on a graphics card (2016: `torch/nn/cuda.py`).

Where there is no card the import failed, and the programs of September take that as the answer to whether there is.
"""

from ..cuda import ignored

if not ignored():
    raise ImportError("torch.nn.cuda needs a CUDA device; `python -m legacy_autograd run --ignore-cuda` does without")
