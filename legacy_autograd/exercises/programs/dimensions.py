"""What the programs of the exercises vary, written down once.

An exercise names the values that apply to it (`Exercise.dimensions`). A Draw chooses among them, and notes what it
chose: a test requires that the programs of each exercise use each of its values.
"""

import numpy

DIMENSIONS = {
    "type": {
        "Double": "DoubleTensors",
        "Float": "FloatTensors",
        "Half": "HalfTensors",
        "Long": "a LongTensor as a constant",
    },
    "layout": {
        "contiguous": "numbers in a row",
        "transposed": "a transposed view",
        "expanded": "an expanded view, whose rows share their numbers",
        "strided": "a column of a larger tensor",
        "part": "the second half of a larger tensor",
    },
    "size": {
        "empty": "no element",
        "one": "one element",
        "1-D": "one dimension",
        "2-D": "two dimensions",
        "3-D": "three dimensions",
        "4-D": "four dimensions",
    },
    "places": {
        "apart": "each object in one place",
        "twice": "the same Variable as both operands",
        "shared": "one Tensor behind two Variables",
        "reused": "an output that several Functions use",
        "diamonds": "a diamond below a diamond",
        "unused": "an output that nothing uses",
    },
    "again": {
        "once": "one call",
        "second": "a second backward, or a second call",
        "interleaved": "two graphs in turn",
        "another": "another instance in between",
        "after an exception": "a call after one that raised",
    },
    "returned": {
        "a tensor": "one Tensor",
        "a tuple": "a tuple",
        "a tuple of one": "a tuple with one Tensor",
        "one Tensor twice": "a tuple that holds one Tensor in two places",
        "a list": "a list",
        "None": "None",
        "a view": "a view of an argument",
        "the argument": "the argument itself",
    },
    "hooks": {
        "none": "no hook",
        "one": "one hook",
        "several": "several hooks",
        "replaces": "a hook that returns another gradient",
        "runs": "a hook that runs a backward",
        "again": "a hook that runs a backward, which calls it again",
        "catches": "a hook that runs a backward and catches its exception",
        "raises": "a hook that raises an exception",
        "removes": "a hook that removes itself",
        "twice": "one function under two names",
        "sets": "a hook that replaces the sum, x.grad",
    },
    "requires_grad": {
        "all": "all operands require a gradient",
        "some": "some operands are constants",
        "none": "all operands are constants",
    },
    "values": {
        "ordinary": "numbers of both signs",
        "digits": "as many digits as a double has",
        "zeros": "zeros",
        "cancel": "numbers whose sum is 0",
        "nan": "nan",
        "inf": "inf",
        "-0": "negative zeros",
        "large": "numbers of up to a billion",
        "small": "numbers down to a billionth",
    },
}
ERRORS = (
    "ZeroDivisionError",
    "KeyError",
    "TypeError",
    "AttributeError",
    "IndexError",
    "RuntimeError",
    "ValueError",
    "KeyboardInterrupt",
    "SystemExit",
)  # of hooks
SIZES = {"empty": [(0,)], "one": [(1,)], "1-D": [(2,), (3,)], "2-D": [(2, 3), (2, 2), (3, 1), (3, 3)],
         "3-D": [(2, 1, 2), (2, 3, 2)], "4-D": [(1, 2, 1, 2)]}  # fmt: skip


def varied(text):
    """Return {dimension: its values} of a text like "layout; again: once, second"; without a colon it has all."""
    parts = [part.partition(": ") for part in text.split("; ")]
    return {name: tuple(values.split(", ") if values else DIMENSIONS[name]) for name, _, values in parts}


class Draw:
    """Draws the choices of one program from a seed.

    `dimensions` are the values that may be drawn, {dimension: names}; a dimension that is left out has its first value.
    `length` is the length of a dimension of one size, or the number of its dimensions.
    `used` are the pairs (dimension, value) that were drawn.
    """

    def __init__(self, seed, dimensions, length=None):
        self.seed = seed
        self._random = numpy.random.default_rng(seed)
        self._aside = numpy.random.default_rng([*numpy.atleast_1d(seed), 1])  # for what changes no other choice
        self.dimensions = dimensions
        self.used = set()
        self._length = length

    def pick(self, dimension, among=None):
        """Return one of the dimension's values; `among` limits them further."""
        names = self.dimensions.get(dimension) or list(DIMENSIONS[dimension])[:1]
        if among is not None:
            names = [name for name in names if name in among]
        name = names[self._random.integers(len(names))]
        self.used.add((dimension, name))
        return name

    def one_of(self, items):
        return items[self._random.integers(len(items))]

    def whole(self, low, high):
        """Return a whole number from `low` to `high`."""
        return int(self._random.integers(low, high + 1))

    def order(self, count):
        """Return the numbers from 0 to `count` - 1 in a random order."""
        return self._random.permutation(count).tolist()

    def chance(self, probability):
        return bool(self._random.random() < probability)

    def numbers(self, size, values=None, largest=1e9, zeros=True):
        """Return an array of quarters from -2 to 2, of which sums are exact, or with the special values named.

        Large numbers are at most `largest`, and small ones at least 1 / largest. Without `zeros` there are none.
        """
        values = values or self.pick("values")
        array = self._arranged(self._random.integers(-8, 9, size) / 4)
        if values == "digits":
            array = array / 3
        elif values in ("large", "small"):
            array = 3 * (largest / 3) ** self._random.random(size)
            array = numpy.array([float(f"{number:.4g}") for number in array.ravel()]).reshape(size)
            array = self._random.choice([-1, 1], size) * array ** (1 if values == "large" else -1)
        elif values == "zeros":
            array = array * 0.0
        elif values == "cancel" and array.size:
            array.flat[0] -= array.sum()
        elif values in ("nan", "inf", "-0") and array.size:
            array.flat[self._random.integers(array.size)] = float(values)
        return array if zeros else numpy.where(array == 0, 1.25, array)

    def _arranged(self, array):
        """Return the array, or one of 1, in order, symmetric, or whose last row is its first."""
        if array.size < 2 or self._aside.random() > 0.25:
            return array
        match self._aside.integers(4):
            case 0:
                return numpy.ones_like(array)
            case 1:
                return numpy.sort(array, None).reshape(array.shape)
            case 2 if array.ndim > 1 and array.shape[0] == array.shape[1]:
                return array + array.swapaxes(0, 1)
        array[-1] = array[0]
        return array

    def size(self):
        size = self.one_of(SIZES[self.pick("size")])
        if self._length is None:
            if size == (0,):
                return [size, (2, 0)][self._aside.integers(2)]
            return (1,) * int(self._aside.integers(1, 4)) if size == (1,) else size
        if self._length < 10 and self.chance(0.5):
            return (2, *[1] * (self._length - 1))
        return (self._length, *size[1:])

    def length_once(self):
        """Return `length` the first time, and then None."""
        length, self._length = self._length, None
        return length

    def tensor(self, size, kind="Double", values=None, **limits):
        """Return the text of a tensor of this size: `DoubleTensor([[1.0, 2.0]]).t()`, with a layout that is drawn.

        `limits` are those of `numbers`.
        """
        values = values or self.pick("values")
        if values == "digits" and kind != "Double":  # the order of a sum is free, and would show
            values = "ordinary"
        array = self.numbers(size, values, **limits)
        layouts = ["contiguous"]
        if len(size) > 1 and array.size:
            layouts += ["transposed", "expanded"]
        if len(size) == 1 and array.size:
            layouts.append("strided")
        layout = self.pick("layout", layouts) if layouts[1:] else "contiguous"
        is_part = layout == "contiguous" and "part" in self.dimensions.get("layout", ()) and array.size
        if is_part and self._aside.random() < 0.3:
            layout = "part"
            self.used.add(("layout", "part"))
        axis = self._aside.integers(len(size)) if layout == "expanded" and self._aside.random() < 0.5 else 0
        return laid_out(f"{kind}Tensor", array, layout, axis)


def laid_out(name, array, layout, axis=0):
    """Return the text of a tensor with the numbers of an array: `DoubleTensor([[1.0, 2.0]]).expand(3, 2)`.

    An expanded one has the first numbers of dimension `axis`.
    """
    match layout:
        case "transposed":
            return f"{name}({text_of(array.swapaxes(0, 1))}).transpose(0, 1)"
        case "expanded":
            return f"{name}({text_of(array.take([0], axis))}).expand{array.shape}"
        case "strided":
            return f"{name}({text_of(numpy.stack([array, array + 1], -1))}).select({array.ndim}, 0)"
        case "part":
            return f"{name}({text_of(numpy.stack([array + 1, array]))}).select(0, 1)"
    if array.ndim > 1 and not array.size:  # lists do not show its size
        return f"{name}{array.shape}"
    return f"{name}({text_of(array)})"


def text_of(array):
    return repr(array.tolist())
