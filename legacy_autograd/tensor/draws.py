"""The methods of Tensor that draw random numbers."""

import math
from typing import Self

import numpy

from .arguments import checked_number, converted, number_for, sizes_of
from .errors import SizeError
from .generators import Generator, stream_of
from .messages import shown, shown_size
from .wrapping import TensorBase, is_tensor, wrap

_LONG = numpy.dtype("int64")


def uniform(shape, dtype, generator):
    if dtype.itemsize < 4:
        # Rounding to fewer digits would turn numbers near 1 into 1.
        return numpy.floor(generator.random(shape, numpy.float32) * 2048).astype(dtype) / dtype.type(2048)
    return generator.random(shape, dtype)


def standard_normal(shape, dtype, generator):
    return generator.standard_normal(shape, dtype if dtype.itemsize >= 4 else numpy.float32).astype(dtype, copy=False)


def floating(name, tensor):
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
        array = floating("uniform_", self)
        checked_number("uniform_: low", low)
        checked_number("uniform_: high", high)
        if not low <= high or not math.isfinite(high - low):
            raise SizeError(f"uniform_: expected finite limits, the lower one first, got {low} and {high}")
        numbers = uniform(array.shape, array.dtype, stream_of("uniform_", generator))
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
        array = floating("normal_", self)
        if not checked_number("normal_: std", std) >= 0:
            raise SizeError(f"normal_: the standard deviation must not be negative, got {std}")
        numbers = standard_normal(array.shape, array.dtype, stream_of("normal_", generator))
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
        array = floating("log_normal_", self)
        checked_number("log_normal_: mean", mean)
        if not checked_number("log_normal_: std", std) > 0:
            raise SizeError(f"log_normal_: the standard deviation must be positive, got {std}")
        return self._put("log_normal_", stream_of("log_normal_", generator).lognormal(mean, std, array.shape))

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
        array = floating("exponential_", self)
        if not checked_number("exponential_: lambd", lambd) > 0:
            raise SizeError(f"exponential_: the rate must be positive, got {lambd}")
        return self._put("exponential_", stream_of("exponential_", generator).exponential(1 / lambd, array.shape))

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
        array = floating("cauchy_", self)
        checked_number("cauchy_: median", median)
        if not checked_number("cauchy_: sigma", sigma) > 0:
            raise SizeError(f"cauchy_: the half width must be positive, got {sigma}")
        return self._put("cauchy_", stream_of("cauchy_", generator).standard_cauchy(array.shape) * sigma + median)

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
        draws = stream_of("geometric_", generator).geometric(p, self.array.shape)
        return self._put("geometric_", converted(draws, self.array.dtype, "geometric_"))

    def bernoulli_(self, p: TensorBase | float = 0.5, generator: Generator | None = None) -> Self:
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
        return self._put("bernoulli_", stream_of("bernoulli_", generator).random(shape) < probabilities)

    def bernoulli(self, generator: Generator | None = None) -> Self:
        """Return a tensor that is 1 with the probabilities in this tensor, and 0 otherwise.

        Args:
            generator: The Generator that draws. Default: `torch.default_generator`.

        Raises:
            TypeError: If the tensor holds integers.
            ValueError: If a probability is not in [0, 1].
        """
        draws = stream_of("bernoulli", generator).random(self.array.shape)
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
        return self._put("random_", stream_of("random_", generator).integers(first, end, array.shape))

    def multinomial(self, num_samples: int, replacement: bool = False, generator: Generator | None = None) -> Self:
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
        array = floating("multinomial", self)
        (count,) = sizes_of("multinomial", (num_samples,))
        if array.ndim > 2 or array.size == 0 or count <= 0:
            raise SizeError(f"multinomial: expected a vector or matrix and a number > 0, got {shown(self)} and {count}")
        if not numpy.isfinite(array).all() or (array < 0).any():
            raise SizeError("multinomial: weights must be finite and not negative")
        rows = array.reshape(-1, array.shape[-1]).astype(float)
        available = numpy.count_nonzero(rows, 1).min()
        if available == 0 or not replacement and available < count:
            raise SizeError(f"multinomial: cannot draw {count} where only {available} weights are positive")
        stream = stream_of("multinomial", generator)
        drawn = [stream.choice(row.size, count, bool(replacement), row / row.sum()) for row in rows]
        return wrap(numpy.array(drawn, _LONG).reshape(*array.shape[:-1], count))


def _probabilities(name, tensor):
    array = floating(name, tensor)
    if not ((array >= 0) & (array <= 1)).all():
        raise SizeError(f"{name}: expected probabilities from 0 to 1")
    return array
