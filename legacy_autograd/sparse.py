"""`torch.sparse`: sparse tensors, which legacy_autograd does not have (2017: `torch/sparse/`).

The module can be imported; using a name of it raises AttributeError.
"""


def __getattr__(name):
    message = f"torch.sparse.{name} does not exist: legacy_autograd has no sparse tensors"
    # The cause tells compat/import_aliases.py that the message is complete.
    raise AttributeError(message, name=name) from LookupError(name)
