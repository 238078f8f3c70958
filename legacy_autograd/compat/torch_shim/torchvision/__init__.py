"""The module that a child process of a running program loads if it imports torchvision before torch."""

import importlib
import sys

importlib.import_module("torch")  # torch_shim's, which also removes this module from sys.modules
sys.modules[__name__] = importlib.import_module(__name__)
