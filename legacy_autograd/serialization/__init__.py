"""`save` and `load` (2016: `torch/serialization.py`, which wrote a tar file of pickles).

`files.py` has the two functions, `writer.py` and `reader.py` what they do with an object, `_format.py` the format
between them, `pickles.py` what is pickled instead.
"""

from .files import load, save  # noqa: F401
from .pickles import trust_pickles  # noqa: F401
