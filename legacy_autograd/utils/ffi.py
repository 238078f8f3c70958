"""`torch.utils.ffi` (v0.1.5) cannot be imported: it compiled C code that works on tensors of TH, torch's C library.

v0.1.x raised ImportError here where the package cffi was missing, and programs are prepared for that.
"""

raise ImportError(
    "torch.utils.ffi is left out of legacy_autograd: extensions in C work on the memory of TH tensors, and there are "
    "none here; write the function as a subclass of torch.autograd.Function, over tensor.numpy()"
)
