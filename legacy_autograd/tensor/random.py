"""Random numbers. `manual_seed` makes a run repeatable.

The default generator, numpy's PCG64, serves the whole package. It does not draw the numbers that torch draws for the
same seed.
"""

from __future__ import annotations

import math
import numbers
import secrets
import struct
import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy

from .. import conventions
from ..modern_names import refuse_keywords
from .arguments import Operand, check_count, checked_number, converted, number_for, operand, sizes_of
from .dtypes import default_dtype
from .errors import SizeError
from .messages import shown, shown_size
from .results import takes_results
from .wrapping import TensorBase, is_tensor, wrap

if TYPE_CHECKING:
    from .base import Tensor


__all__ = [
    "Generator", "bernoulli", "default_generator", "get_rng_state", "initial_seed", "manual_seed", "multinomial",
    "normal", "rand", "randn", "randperm", "seed", "set_rng_state",
]  # fmt: skip

_LONG = numpy.dtype("int64")
_BYTE = numpy.dtype("uint8")
_STATE = struct.Struct("<16s16sBIQ")  # state, increment, whether half a number is left over, that half, the seed


class Generator:
    """A stream of random numbers, seeded by the system (2016: torch/csrc/Generator.cpp).

    `torch.default_generator` draws wherever no generator is given.
    """

    __slots__ = ("__weakref__", "_seed", "_stream")

    def __init__(self) -> None:
        self._seed = secrets.randbits(63)
        self._stream = numpy.random.Generator(numpy.random.PCG64(self._seed))
        _all_generators.add(self)

    def manual_seed(self, seed: int) -> Generator:
        """Start from a seed: the same seed gives the same numbers.

        Args:
            seed: An integer, taken modulo 2**64.

        Returns:
            This generator.

        Raises:
            TypeError: If `seed` is not an integer.
        """
        if not isinstance(seed, numbers.Integral):
            raise TypeError(f"manual_seed: expected an integer, got {shown(seed)}")
        self._seed = int(seed) % 2**64
        self._stream.bit_generator.state = numpy.random.PCG64(self._seed).state
        return self

    def seed(self) -> int:
        """Start from a seed that the system draws, and return it."""
        return self.manual_seed(secrets.randbits(63))._seed

    def initial_seed(self) -> int:
        """Return the seed that the generator was started from."""
        return self._seed

    def get_state(self) -> Tensor:
        """Return the state, a ByteTensor."""
        state = self._stream.bit_generator.state
        big = [state["state"][name].to_bytes(16, "little") for name in ("state", "inc")]
        content = _STATE.pack(*big, state["has_uint32"], state["uinteger"], self._seed)
        return wrap(numpy.frombuffer(content, _BYTE).copy())

    def set_state(self, state: Tensor) -> Generator:
        """Return to an earlier state.

        Args:
            state: A ByteTensor from `get_state`.

        Returns:
            This generator.

        Raises:
            TypeError: If `state` is anything else.
        """
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


def locks() -> list:
    """Return the locks that NumPy holds while it draws a number: of all generators, and of its own."""
    streams = [generator._stream.bit_generator for generator in list(_all_generators)]
    streams.append(numpy.random.get_bit_generator())  # type: ignore[attr-defined]  # its hints lack it
    return [stream.lock for stream in streams]


_all_generators: weakref.WeakSet[Generator] = weakref.WeakSet()
default_generator = Generator()
generator = default_generator._stream  # always the same object, so other modules may keep it


def manual_seed(seed: int) -> Generator:
    """Start the default generator from a seed: the same seed gives the same numbers.

    Args:
        seed: An integer, taken modulo 2**64.

    Returns:
        The default generator.

    Raises:
        TypeError: If `seed` is not an integer.
    """
    return default_generator.manual_seed(seed)


def seed() -> int:
    """Start the default generator from a seed that the system draws, and return it."""
    return default_generator.seed()


def initial_seed() -> int:
    """Return the seed that the default generator was started from."""
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """Return the state of the default generator, a ByteTensor."""
    return default_generator.get_state()


def set_rng_state(state: Tensor) -> None:
    """Return the default generator to an earlier state.

    Args:
        state: A ByteTensor from `get_rng_state`.

    Raises:
        TypeError: If `state` is anything else.
    """
    default_generator.set_state(state)


def _stream(name, chosen):
    """Return numpy's generator of a Generator (default: of the default one); raise TypeError for anything else."""
    if chosen is None:
        return generator
    if not isinstance(chosen, Generator):
        raise TypeError(f"{name}: generator must be a torch.Generator, got {shown(chosen)}")
    return chosen._stream


# --- new tensors


@takes_results(0, converts=True)
def rand(*sizes: int | Sequence[int] | Generator, generator: Generator | None = None, **modern: Any) -> Tensor:
    """Return numbers of the default type from the uniform distribution on [0, 1).

    Args:
        *sizes: The sizes as integers, or as one tuple, list, Size or LongStorage. A Generator may come first.
        generator: The Generator that draws. Default: `torch.default_generator`.
        **modern: Keyword arguments of modern torch. Each raises a TypeError that says what to write instead.

    Raises:
        ValueError: If a size is negative.
    """
    shape, stream = _shape("rand", sizes, generator, modern)
    return wrap(_uniform(shape, default_dtype(), stream))


@takes_results(0, converts=True)
def randn(*sizes: int | Sequence[int] | Generator, generator: Generator | None = None, **modern: Any) -> Tensor:
    """Return numbers of the default type from the standard normal distribution.

    Args:
        *sizes: The sizes as integers, or as one tuple, list, Size or LongStorage. A Generator may come first.
        generator: The Generator that draws. Default: `torch.default_generator`.
        **modern: Keyword arguments of modern torch. Each raises a TypeError that says what to write instead.

    Raises:
        ValueError: If a size is negative.
    """
    shape, stream = _shape("randn", sizes, generator, modern)
    return wrap(_standard_normal(shape, default_dtype(), stream))


@takes_results(0, converts=True)
def randperm(n: int, generator: Generator | None = None, **modern: Any) -> Tensor:
    """Return the integers from 0 to n - 1 in random order, a LongTensor.

    Args:
        n: The number of integers.
        generator: The Generator that draws. Default: `torch.default_generator`.
        **modern: Keyword arguments of modern torch. Each raises a TypeError that says what to write instead.

    Raises:
        ValueError: If `n` is negative.
    """
    (n,), stream = _shape("randperm", (n,), generator, modern)
    return wrap(stream.permutation(n).astype(_LONG, copy=False))


def normal(means: Tensor | float = 0.0, std: Tensor | float = 1.0, generator: Generator | None = None) -> Tensor:
    """Return a number from a normal distribution for each element of `means`, of `std`, or of both.

    Args:
        means: The means, or one mean for all.
        std: The standard deviations, or one for all. At least one of the two is a Tensor.
        generator: The Generator that draws. Default: `torch.default_generator`.

    Raises:
        TypeError: If neither is a Tensor, or a Tensor holds integers.
        ValueError: If a standard deviation is negative.
    """
    if is_tensor(means):
        stream = _stream("normal", generator)
        draws = wrap(_standard_normal(means.array.shape, _floating("normal", means).dtype, stream))
        if is_tensor(std) and (std.array < 0).any() or not is_tensor(std) and std < 0:
            raise SizeError("normal: a standard deviation must not be negative")
        return draws.mul(std).add(means)
    if not is_tensor(std):
        raise TypeError(f"normal: expected a Tensor as means or std, got {shown(means)} and {shown(std)}")
    return normal(wrap(numpy.full_like(_floating("normal", std), means)), std, generator)


def _given(generator):
    """Return the arguments for a generator: none for None, because a Variable's methods do not take one."""
    return () if generator is None else (generator,)


@takes_results(1)
def bernoulli(x: Operand, generator: Generator | None = None) -> Operand:
    """Return 1 with the probabilities in `x`, else 0; see `Tensor.bernoulli`.

    Args:
        x: A Tensor or Variable.
        generator: The Generator that draws. Default: `torch.default_generator`.
    """
    return operand("bernoulli", x).bernoulli(*_given(generator))


@takes_results(1)
def multinomial(x: Operand, num_samples: int, replacement: bool = False, generator: Generator | None = None) -> Operand:
    """Return `num_samples` indices, drawn in proportion to the weights; see `Tensor.multinomial`.

    Args:
        x: A Tensor or Variable.
        num_samples: The number of indices to draw for each row.
        replacement: Whether an index may be drawn several times.
        generator: The Generator that draws. Default: `torch.default_generator`.
    """
    return operand("multinomial", x).multinomial(num_samples, replacement, *_given(generator))


def _shape(name, sizes, chosen, modern):
    """Return the checked sizes, and numpy's generator. The generator may be in `chosen`, or before the sizes."""
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
        # Rounding to fewer digits would turn numbers near 1 into 1.
        return numpy.floor(generator.random(shape, numpy.float32) * 2048).astype(dtype) / dtype.type(2048)
    return generator.random(shape, dtype)


def _standard_normal(shape, dtype, generator):
    return generator.standard_normal(shape, dtype if dtype.itemsize >= 4 else numpy.float32).astype(dtype, copy=False)


def _floating(name, tensor):
    if tensor.array.dtype.kind != "f":
        raise TypeError(f"{name}: expected a tensor of floating-point numbers, got {shown(tensor)}")
    return tensor.array


class Randomness(TensorBase):
    """The methods of Tensor that draw random numbers."""

    __slots__ = ()

    def uniform_(self, low: float = 0, high: float = 1, generator: Generator | None = None) -> Self:
        """Fill this tensor with numbers from the uniform distribution on [low, high).

        Args:
            low: The lower limit.
            high: The upper limit, which is excluded.
            generator: The Generator that draws. Default: `torch.default_generator`.

        Returns:
            This tensor.

        Raises:
            TypeError: If the tensor holds integers.
            ValueError: If `low` is above `high`, or a limit is not finite.
        """
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

    def normal_(self, mean: float = 0, std: float = 1, generator: Generator | None = None) -> Self:
        """Fill this tensor with numbers from a normal distribution.

        Args:
            mean: The mean.
            std: The standard deviation.
            generator: The Generator that draws. Default: `torch.default_generator`.

        Returns:
            This tensor.

        Raises:
            TypeError: If the tensor holds integers.
            ValueError: If `std` is negative.
        """
        array = _floating("normal_", self)
        if not checked_number("normal_: std", std) >= 0:
            raise SizeError(f"normal_: the standard deviation must not be negative, got {std}")
        numbers = _standard_normal(array.shape, array.dtype, _stream("normal_", generator))
        if std != 1:
            numbers *= array.dtype.type(std)
        if mean != 0:
            numbers += number_for("normal_", array, mean)
        return self._put("normal_", numbers)

    def log_normal_(self, mean: float = 1, std: float = 2, generator: Generator | None = None) -> Self:
        """Fill this tensor with numbers whose logarithms have a normal distribution.

        Args:
            mean: The mean of the logarithms.
            std: Their standard deviation.
            generator: The Generator that draws. Default: `torch.default_generator`.

        Returns:
            This tensor.

        Raises:
            TypeError: If the tensor holds integers.
            ValueError: If `std` is not positive.
        """
        array = _floating("log_normal_", self)
        checked_number("log_normal_: mean", mean)
        if not checked_number("log_normal_: std", std) > 0:
            raise SizeError(f"log_normal_: the standard deviation must be positive, got {std}")
        return self._put("log_normal_", _stream("log_normal_", generator).lognormal(mean, std, array.shape))

    def exponential_(self, lambd: float = 1, generator: Generator | None = None) -> Self:
        """Fill this tensor with numbers from an exponential distribution.

        Args:
            lambd: The rate.
            generator: The Generator that draws. Default: `torch.default_generator`.

        Returns:
            This tensor.

        Raises:
            TypeError: If the tensor holds integers.
            ValueError: If `lambd` is not positive.
        """
        array = _floating("exponential_", self)
        if not checked_number("exponential_: lambd", lambd) > 0:
            raise SizeError(f"exponential_: the rate must be positive, got {lambd}")
        return self._put("exponential_", _stream("exponential_", generator).exponential(1 / lambd, array.shape))

    def cauchy_(self, median: float = 0, sigma: float = 1, generator: Generator | None = None) -> Self:
        """Fill this tensor with numbers from a Cauchy distribution.

        Args:
            median: The median.
            sigma: The half width at half of the maximum.
            generator: The Generator that draws. Default: `torch.default_generator`.

        Returns:
            This tensor.

        Raises:
            TypeError: If the tensor holds integers.
            ValueError: If `sigma` is not positive.
        """
        array = _floating("cauchy_", self)
        checked_number("cauchy_: median", median)
        if not checked_number("cauchy_: sigma", sigma) > 0:
            raise SizeError(f"cauchy_: the half width must be positive, got {sigma}")
        return self._put("cauchy_", _stream("cauchy_", generator).standard_cauchy(array.shape) * sigma + median)

    def geometric_(self, p: float, generator: Generator | None = None) -> Self:
        """Fill this tensor with the numbers of trials up to the first success: integers from 1 on.

        Args:
            p: The probability of success in one trial.
            generator: The Generator that draws. Default: `torch.default_generator`.

        Returns:
            This tensor.

        Raises:
            ValueError: If `p` is not in (0, 1].
            OverflowError: If a number does not fit into the type of this tensor, which is then unchanged.
        """
        if not 0 < checked_number("geometric_: p", p) <= 1:
            raise SizeError(f"geometric_: expected a probability from 0 (excluded) to 1, got {p}")
        draws = _stream("geometric_", generator).geometric(p, self.array.shape)
        return self._put("geometric_", converted(draws, self.array.dtype, "geometric_"))

    def bernoulli_(self, p: Tensor | float = 0.5, generator: Generator | None = None) -> Self:
        """Fill this tensor with 1 with probability `p`, and with 0 otherwise.

        Args:
            p: The probability, or a Tensor with one for each element.
            generator: The Generator that draws. Default: `torch.default_generator`.

        Returns:
            This tensor.

        Raises:
            ValueError: If a probability is not in [0, 1], or `p` has another number of elements.
        """
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

    def bernoulli(self, generator: Generator | None = None) -> Tensor:
        """Return a tensor that is 1 with the probabilities in this tensor, and 0 otherwise.

        Args:
            generator: The Generator that draws. Default: `torch.default_generator`.

        Raises:
            TypeError: If the tensor holds integers.
            ValueError: If a probability is not in [0, 1].
        """
        draws = _stream("bernoulli", generator).random(self.array.shape)
        return wrap((draws < _probabilities("bernoulli", self)).astype(self.array.dtype))

    def random_(self, first: int | None = None, end: int | None = None, generator: Generator | None = None) -> Self:
        """Fill this tensor with integers from `first` to `end` - 1, all equally likely.

        Args:
            first: The smallest integer. Default: 0.
            end: One more than the largest integer. If only one number is given, it is `end`. Default: the largest
                integer that the type represents exactly is included.
            generator: The Generator that draws. Default: `torch.default_generator`.

        Returns:
            This tensor.

        Raises:
            ValueError: If the range is empty, or its limits are not integers of 64 bits.
            OverflowError: If a limit does not fit into the type.
        """
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

    def multinomial(self, num_samples: int, replacement: bool = False, generator: Generator | None = None) -> Tensor:
        """Return indices that are drawn in proportion to the weights in this vector, or in each row of this matrix.

        Args:
            num_samples: The number of indices to draw for each row.
            replacement: Whether an index may be drawn several times.
            generator: The Generator that draws. Default: `torch.default_generator`.

        Returns:
            A LongTensor of shape (num_samples,) or (rows, num_samples).

        Raises:
            ValueError: If a weight is negative or not finite, or too few weights are positive.
            TypeError: If the tensor holds integers.
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
