"""Random numbers. `manual_seed` makes a run repeatable.

The default generator, numpy's PCG64, serves the whole package. It does not draw the numbers that torch draws for the
same seed.
"""

from collections.abc import Sequence
from typing import Any

import numpy

from .. import conventions
from ..modern_names import refuse_keywords
from .arguments import Operand, check_count, operand, sizes_of
from .base import Tensor
from .draws import floating, standard_normal, uniform
from .dtypes import default_dtype
from .errors import SizeError
from .generators import Generator, default_generator, stream_of
from .messages import shown
from .results import takes_results
from .wrapping import wrap

__all__ = [
    "Generator", "bernoulli", "default_generator", "get_rng_state", "initial_seed", "manual_seed", "multinomial",
    "normal", "rand", "randn", "randperm", "seed", "set_rng_state",
]  # fmt: skip

_LONG = numpy.dtype("int64")


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
    return wrap(uniform(shape, default_dtype(), stream))


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
    return wrap(standard_normal(shape, default_dtype(), stream))


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
    if isinstance(means, Tensor):
        stream = stream_of("normal", generator)
        draws = wrap(standard_normal(means.array.shape, floating("normal", means).dtype, stream))
        if isinstance(std, Tensor) and (std.array < 0).any() or not isinstance(std, Tensor) and std < 0:
            raise SizeError("normal: a standard deviation must not be negative")
        return draws.mul(std).add(means)
    if not isinstance(std, Tensor):
        raise TypeError(f"normal: expected a Tensor as means or std, got {shown(means)} and {shown(std)}")
    return normal(wrap(numpy.full_like(floating("normal", std), means)), std, generator)


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
    return tuple(sizes), stream_of(name, chosen)
