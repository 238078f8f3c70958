"""What a process that a running program started finds if it imports torchvision before torch: the same rules."""

import importlib
import sys

importlib.import_module("torch")  # torch_shim's, which installs the rules and forgets this module
sys.modules[__name__] = importlib.import_module(__name__)
