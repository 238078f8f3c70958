"""`save` and `load` (2016: `torch/serialization.py`, which wrote a tar file of pickles).

`files.py` has the two functions. `writer.py` and `reader.py` convert an object to the format in `_format.py` and back;
`pickles.py` handles objects that are pickled instead. `torch_read.py` and `torch_write.py` have the formats of torch;
`torch_restricted.py` opens their pickles without trust, `torch_trusted.py` with trust.
"""

from .files import load, save  # noqa: F401
from .pickles import trust_pickles  # noqa: F401
