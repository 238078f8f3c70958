"""`torch.nn.cuda`, which programs of August 2016 import to have layers on a graphics card (2016: `torch/nn/cuda.py`).

Here there is nothing for it to do; see `legacy_autograd.cuda`.
"""
