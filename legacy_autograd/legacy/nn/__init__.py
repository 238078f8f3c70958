"""`torch.legacy.nn` can be imported, but has none of its modules (2016: `torch/legacy/nn`, about 150 classes).

They are those of Lua's Torch: `forward` and `backward` are methods that a program calls itself. `torch.nn` has the same
layers with autograd.
"""


def __getattr__(name):
    reason = (
        f"torch.legacy.nn.{name} does not exist in legacy_autograd: the modules of Lua's Torch, which do not use "
        f"autograd, are left out; torch.nn has layers that do"
    )
    # The cause tells compat/import_aliases.py that this message is complete.
    raise AttributeError(reason, name=name) from LookupError(name)
