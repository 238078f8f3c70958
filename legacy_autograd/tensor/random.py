"""Random numbers. One generator, numpy's PCG64, serves the whole package; `manual_seed` makes a run repeatable.

The numbers are not those that torch draws for the same seed.
"""

import math
import numbers
import secrets
import struct

import numpy

from .. import conventions
from ..modern_names import refuse_keywords
from ._helpers import (
    TensorMethods,
    check_count,
    checked_number,
    converted,
    is_tensor,
    number_for,
    shown,
    shown_size,
    sizes_of,
    wrap,
)
from .dtypes import default_dtype
from .errors import SizeError
from .results import takes_results

__all__ = [
    "Generator", "default_generator", "get_rng_state", "initial_seed", "manual_seed", "normal", "rand", "randn",
    "randperm", "seed", "set_rng_state",
]  # fmt: skip

_LONG = numpy.dtype("int64")
_BYTE = numpy.dtype("uint8")
_STATE = struct.Struct("<16s16sBIQ")  # state, increment, whether half a number is left over, that half, the seed


class Generator:
    """A stream of random numbers of its own, begun from a seed that the system draws (2016: torch/csrc/Generator.cpp).

    `torch.default_generator` is the one that serves where no generator is given.
    """

    __slots__ = ("_seed", "_stream")

    def __init__(self):
        self._seed = secrets.randbits(63)
        self._stream = numpy.random.Generator(numpy.random.PCG64(self._seed))

    def manual_seed(self, seed):
        """Start from `seed`, an integer of 64 bits, and return this generator: the same seed, the same numbers."""
        if not isinstance(seed, numbers.Integral):
            raise TypeError(f"manual_seed: expected an integer, got {shown(seed)}")
        self._seed = int(seed) % 2**64
        self._stream.bit_generator.state = numpy.random.PCG64(self._seed).state
        return self

    def seed(self):
        """Start from a number that the system draws, which is returned."""
        return self.manual_seed(secrets.randbits(63))._seed

    def initial_seed(self):
        """Return the number that the generator was started from."""
        return self._seed

    def get_state(self):
        """Return the state, a ByteTensor."""
        state = self._stream.bit_generator.state
        big = [state["state"][name].to_bytes(16, "little") for name in ("state", "inc")]
        content = _STATE.pack(*big, state["has_uint32"], state["uinteger"], self._seed)
        return wrap(numpy.frombuffer(content, _BYTE).copy())

    def set_state(self, state):
        """Go back to a state that `get_state` gave, and return this generator."""
        if not is_tensor(state) or state.array.dtype != _BYTE or state.array.shape != (_STATE.size,):
            raise TypeError(
                f"set_rng_state: expected a torch.ByteTensor of size {_STATE.size}, from get_rng_state, got "
                f"{shown(state)}"
            )
        start, increment, has_half, half, self._seed = _STATE.unpack(state.array.tobytes())
        self._stream.bit_generator.state = {
            "bit_generator": "PCG64",
            "state": {"state": int.from_bytes(start, "little"), "inc": int.from_bytes(increment, "little")},
            "has_uint32": has_half,
            "uinteger": half,
        }
        return self


default_generator = Generator()
generator = default_generator._stream  # one object for ever: others may hold it


def manual_seed(seed):
    """Start the default generator from `seed`, an integer of 64 bits, and return it."""
    return default_generator.manual_seed(seed)


def seed():
    """Start the default generator from a number that the system draws, which is returned."""
    return default_generator.seed()


def initial_seed():
    """Return the number that the default generator was started from."""
    return default_generator.initial_seed()


def get_rng_state():
    """Return the state of the default generator, a ByteTensor."""
    return default_generator.get_state()


def set_rng_state(state):
    """Put the default generator back into a state that `get_rng_state` gave."""
    default_generator.set_state(state)


def _stream(name, chosen):
    """Return numpy's generator of a Generator, or the default one for None; TypeError for anything else."""
    if chosen is None:
        return generator
    if not isinstance(chosen, Generator):
        raise TypeError(f"{name}: generator must be a torch.Generator, got {shown(chosen)}")
    return chosen._stream


# --- new tensors


@takes_results(0, converts=True)
def rand(*sizes, generator=None, **modern):
    """Return numbers from the uniform distribution on [0, 1), of the size that is given as integers or as one tuple.

    A Generator may come before the size, here and for randn.
    """
    shape, stream = _shape("rand", sizes, generator, modern)
    return wrap(_uniform(shape, default_dtype(), stream))


@takes_results(0, converts=True)
def randn(*sizes, generator=None, **modern):
    """Return numbers from the standard normal distribution, of the size that is given as integers or as one tuple."""
    shape, stream = _shape("randn", sizes, generator, modern)
    return wrap(_standard_normal(shape, default_dtype(), stream))


@takes_results(0, converts=True)
def randperm(n, generator=None, **modern):
    """Return the integers from 0 to n - 1 in random order, a LongTensor."""
    (n,), stream = _shape("randperm", (n,), generator, modern)
    return wrap(stream.permutation(n).astype(_LONG, copy=False))


def normal(means=0.0, std=1.0, generator=None):
    """Return numbers from normal distributions, one for each element of the Tensor `means` or `std`, or of both."""
    if is_tensor(means):
        stream = _stream("normal", generator)
        draws = wrap(_standard_normal(means.array.shape, _floating("normal", means).dtype, stream))
        if is_tensor(std) and (std.array < 0).any() or not is_tensor(std) and std < 0:
            raise SizeError("normal: a standard deviation must not be negative")
        return draws.mul(std).add(means)
    if not is_tensor(std):
        raise TypeError(f"normal: expected a Tensor as means or std, got {shown(means)} and {shown(std)}")
    return normal(wrap(numpy.full_like(_floating("normal", std), means)), std, generator)


def _shape(name, sizes, chosen, modern):
    """Return the sizes, checked, and numpy's generator of what is `chosen`, or of a Generator before the sizes."""
    if modern:
        refuse_keywords(name, modern)
    if sizes and isinstance(sizes[0], Generator):
        chosen, *sizes = sizes
    given, sizes = sizes, sizes_of(name, sizes)
    if not sizes and given and conventions.era.empty_has_no_dimension:
        sizes = (0,)  # the size of an empty tensor
    if not sizes or min(sizes) < 0:
        raise SizeError(f"{name}: expected sizes that are not negative, got ({', '.join(map(str, sizes))})")
    check_count(name, sizes)
    return tuple(sizes), _stream(name, chosen)


def _uniform(shape, dtype, generator):
    if dtype.itemsize < 4:
        # Rounded to fewer digits, numbers near 1 would become 1.
        return numpy.floor(generator.random(shape, numpy.float32) * 2048).astype(dtype) / dtype.type(2048)
    return generator.random(shape, dtype)


def _standard_normal(shape, dtype, generator):
    return generator.standard_normal(shape, dtype if dtype.itemsize >= 4 else numpy.float32).astype(dtype, copy=False)


def _floating(name, tensor):
    if tensor.array.dtype.kind != "f":
        raise TypeError(f"{name}: expected a tensor of floating-point numbers, got {shown(tensor)}")
    return tensor.array


class Randomness(TensorMethods):
    """Methods that fill a tensor with random numbers, in place, and return it.

    Each takes a Generator; `torch.default_generator` serves where none is given.
    """

    __slots__ = ()

    def uniform_(self, low=0, high=1, generator=None):
        """Fill with numbers from the uniform distribution on [low, high)."""
        array = _floating("uniform_", self)
        checked_number("uniform_: low", low)
        checked_number("uniform_: high", high)
        if not low <= high or not math.isfinite(high - low):
            raise SizeError(f"uniform_: expected finite limits, the lower one first, got {low} and {high}")
        numbers = _uniform(array.shape, array.dtype, _stream("uniform_", generator))
        if low != 0 or high != 1:
            numbers *= array.dtype.type(high - low)
            numbers += array.dtype.type(low)
            if high > low:  # rounding may reach `high`, which is excluded
                numpy.minimum(numbers, numpy.nextafter(array.dtype.type(high), array.dtype.type(low)), out=numbers)
        return self._put("uniform_", numbers)

    def normal_(self, mean=0, std=1, generator=None):
        """Fill with numbers from the normal distribution of that mean and standard deviation."""
        array = _floating("normal_", self)
        if not checked_number("normal_: std", std) >= 0:
            raise SizeError(f"normal_: the standard deviation must not be negative, got {std}")
        numbers = _standard_normal(array.shape, array.dtype, _stream("normal_", generator))
        if std != 1:
            numbers *= array.dtype.type(std)
        if mean != 0:
            numbers += number_for("normal_", array, mean)
        return self._put("normal_", numbers)

    def log_normal_(self, mean=1, std=2, generator=None):
        """Fill with numbers whose logarithms have the normal distribution of that mean and standard deviation."""
        array = _floating("log_normal_", self)
        checked_number("log_normal_: mean", mean)
        if not checked_number("log_normal_: std", std) > 0:
            raise SizeError(f"log_normal_: the standard deviation must be positive, got {std}")
        return self._put("log_normal_", _stream("log_normal_", generator).lognormal(mean, std, array.shape))

    def exponential_(self, lambd=1, generator=None):
        """Fill with numbers from the exponential distribution of rate `lambd`."""
        array = _floating("exponential_", self)
        if not checked_number("exponential_: lambd", lambd) > 0:
            raise SizeError(f"exponential_: the rate must be positive, got {lambd}")
        return self._put("exponential_", _stream("exponential_", generator).exponential(1 / lambd, array.shape))

    def cauchy_(self, median=0, sigma=1, generator=None):
        """Fill with numbers from the Cauchy distribution of that median and half width."""
        array = _floating("cauchy_", self)
        checked_number("cauchy_: median", median)
        if not checked_number("cauchy_: sigma", sigma) > 0:
            raise SizeError(f"cauchy_: the half width must be positive, got {sigma}")
        return self._put("cauchy_", _stream("cauchy_", generator).standard_cauchy(array.shape) * sigma + median)

    def geometric_(self, p, generator=None):
        """Fill with the number of trials of probability `p` until the first success: integers from 1 on.

        Raises OverflowError where one of them does not fit into this tensor's type; nothing is written then.
        """
        if not 0 < checked_number("geometric_: p", p) <= 1:
            raise SizeError(f"geometric_: expected a probability from 0 (excluded) to 1, got {p}")
        draws = _stream("geometric_", generator).geometric(p, self.array.shape)
        return self._put("geometric_", converted(draws, self.array.dtype, "geometric_"))

    def bernoulli_(self, p=0.5, generator=None):
        """Fill with 1 with probability `p`, else 0. `p` is a number, or a Tensor with one for each element."""
        shape = self.array.shape
        if is_tensor(p):
            probabilities = _probabilities("bernoulli_", p)
            if probabilities.size != self.array.size:
                raise SizeError(
                    f"bernoulli_: probabilities of size {shown_size(probabilities.shape)} do not fit {shown(self)}"
                )
            probabilities = probabilities.reshape(shape)
        else:
            probabilities = p
            if not 0 <= checked_number("bernoulli_: p", p) <= 1:
                raise SizeError(f"bernoulli_: expected a probability from 0 to 1, got {p}")
        return self._put("bernoulli_", _stream("bernoulli_", generator).random(shape) < probabilities)

    def bernoulli(self, generator=None):
        """Return a tensor that is 1 with the probabilities that this one holds, else 0."""
        draws = _stream("bernoulli", generator).random(self.array.shape)
        return wrap((draws < _probabilities("bernoulli", self)).astype(self.array.dtype))

    def random_(self, first=None, end=None, generator=None):
        """Fill with integers from `first` (or 0) to `end` - 1 (or to the largest that the type holds)."""
        array = self.array
        if first is None:
            first = 0
            end = 2 ** (numpy.finfo(array.dtype).nmant + 1) if array.dtype.kind == "f" else numpy.iinfo(array.dtype).max
            end += 1 if array.dtype.kind == "f" else 0
        elif end is None:
            first, end = 0, first
        if not first < end:
            raise SizeError(f"random_: expected the smallest integer and a larger end, got {first} and {end}")
        for number in (first, end - 1):
            number_for("random_", array, number)
            if not -(2**63) <= number < 2**63 or number != int(number):
                raise SizeError(f"random_: expected integers of 64 bits, got {first} and {end}")
        return self._put("random_", _stream("random_", generator).integers(first, end, array.shape))

    def multinomial(self, num_samples, replacement=False, generator=None):
        """Return `num_samples` indices, drawn in proportion to the weights in this vector or each row of this matrix.

        Gives a LongTensor of size (num_samples,) or (rows, num_samples). ValueError for weights that are negative or
        not finite, that are all 0, or too few for drawing without replacement.
        """
        array = _floating("multinomial", self)
        (count,) = sizes_of("multinomial", (num_samples,))
        if array.ndim > 2 or array.size == 0 or count <= 0:
            raise SizeError(f"multinomial: expected a vector or matrix and a number > 0, got {shown(self)} and {count}")
        if not numpy.isfinite(array).all() or (array < 0).any():
            raise SizeError("multinomial: weights must be finite and not negative")
        rows = array.reshape(-1, array.shape[-1]).astype(float)
        available = numpy.count_nonzero(rows, 1).min()
        if available == 0 or not replacement and available < count:
            raise SizeError(f"multinomial: cannot draw {count} where only {available} weights are positive")
        stream = _stream("multinomial", generator)
        drawn = [stream.choice(row.size, count, bool(replacement), row / row.sum()) for row in rows]
        return wrap(numpy.array(drawn, _LONG).reshape(*array.shape[:-1], count))


def _probabilities(name, tensor):
    array = _floating(name, tensor)
    if not ((array >= 0) & (array <= 1)).all():
        raise SizeError(f"{name}: expected probabilities from 0 to 1")
    return array
