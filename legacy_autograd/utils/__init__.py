"""`torch.utils`: hooks, data sets, checkpoints.

This file and `hooks.py` import nothing of the package: the core needs hooks, data sets and checkpoints need the core.
"""
