"""The main module of a spawned process whose program has `async` as a name.

`multiprocessing` runs the main module again, as `__mp_main__`, under the name in `__main__.__spec__`. The runner sets
it to the name of this module, and passes the file's path in the environment.
"""

import os

from legacy_autograd.compat import async_names

PROGRAM = "LEGACY_AUTOGRAD_PROGRAM"  # an environment variable with the path of the program's file

if __name__ == "__mp_main__":
    __file__ = os.environ[PROGRAM]
    with open(__file__, "rb") as _stream:
        exec(async_names.compile_program(_stream.read(), __file__), globals())
