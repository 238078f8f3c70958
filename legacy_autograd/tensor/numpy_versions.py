"""Differences between the versions of NumPy that the package runs on, from 1.24 on.

NumPy 2 calls its core `numpy._core`, and names two modules of it in pickles. NumPy 1.26 reads such pickles; older
versions do with these second names. (NumPy 2 itself reads pickles that name `numpy.core`.) `numpy._core` itself gets no
second name, because libraries such as torch take it for that of NumPy 2, and crash.
"""

import importlib
import importlib.util
import sys

if importlib.util.find_spec("numpy._core") is None:
    for _name in ("multiarray", "numeric"):
        sys.modules[f"numpy._core.{_name}"] = importlib.import_module(f"numpy.core.{_name}")
