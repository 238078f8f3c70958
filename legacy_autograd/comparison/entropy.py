"""Random numbers of the operating system, for two runs of one program: both get the same bytes.

The system seeds generators for which the program gives no seed: `random.seed()`, `numpy.random.default_rng()`,
`torch.Generator()`, `uuid.uuid4()`.
"""

import contextlib
import os
import random
import sys
import threading
from collections import Counter

from numpy.random import bit_generator

from ..drawing.replaced import replaced
from .recording import position


@contextlib.contextmanager
def same_entropy(start=None):
    """Within the block, the system's random bytes depend only on the line of the program below the frame `start`.

    The libraries of the two runs may ask for different numbers of bytes, so the bytes do not come from one stream.
    Other threads get the system's bytes.
    """
    thread, counts = threading.get_ident(), Counter()
    of_the_system, seed_here, bits_here = os.urandom, random.Random.seed, bit_generator.randbits

    def number(bits, original):
        if threading.get_ident() != thread:
            return original(bits)
        lines = tuple((file, line) for file, line, *_ in position(sys._getframe(2), start))
        counts[lines] += 1
        return random.Random(f"{lines} {counts[lines]}").getrandbits(bits)

    def urandom(size):
        return number(8 * size, lambda _: int.from_bytes(of_the_system(size), "little")).to_bytes(size, "little")

    def seed(generator, a=None, version=2):
        return seed_here(generator, number(128, bits_here) if a is None else a, version)

    def seed_default(a=None, version=2):
        return seed(random._inst, a, version)

    def randbits(bits):
        return number(bits, bits_here)

    replacements = {
        (os, "urandom"): urandom,
        (random, "_urandom"): urandom,  # SystemRandom, and with it the module `secrets`
        (random.Random, "seed"): seed,
        (random, "seed"): seed_default,
        (bit_generator, "randbits"): randbits,
    }
    with replaced(replacements):
        yield
