"""`torch.legacy.nn`: the layers of Lua's Torch, which legacy_autograd does not have (2016: `torch/legacy/nn/`).

The module can be imported; using a layer raises AttributeError. The layers of `torch.nn` work with autograd.
"""


def __getattr__(name):
    message = f"torch.legacy.nn.{name} does not exist in legacy_autograd; use torch.nn, whose layers record a graph"
    # The cause tells compat/import_aliases.py that the message is complete.
    raise AttributeError(message, name=name) from LookupError(name)
