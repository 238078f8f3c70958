"""`torch.utils.ffi` (v0.1.5) cannot be imported: it compiled C code for tensors of TH, torch's C library.

In v0.1.x the import raised ImportError if the package cffi was missing, so programs handle that.
"""

raise ImportError(
    "torch.utils.ffi is left out of legacy_autograd: C extensions work on the memory of TH tensors, which this package "
    "does not have; write the function as a subclass of torch.autograd.Function, over tensor.numpy()"
)
