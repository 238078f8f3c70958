"""Functions that programs use beside the package's: with several outputs, without gradients, with views."""

import contextlib

from ...autograd.function import Function
from ...autograd.variable import Variable
from ...tensor import from_numpy

FUNCTIONS: dict = {}  # by name: what a program's line calls
BY_A_HOOK = "raised by a hook"
NAMES = ("Mul", "Leaf", "SquareFunction", "AddBackward", "lower")  # of classes that are not the package's


def function(cls, prefix=""):
    """Register a Function: `Pair(x)` calls a new Pair. A single output is not in a tuple."""

    def call(*operands):
        outputs = cls()(*operands)
        return outputs if len(outputs) > 1 else outputs[0]

    FUNCTIONS[prefix + cls.__name__] = call
    return cls


@function
class Pair(Function):
    """x * 2 and x * 3."""

    def forward(self, x):
        return x * 2, x * 3

    def backward(self, of_double, of_triple):
        return of_double * 2 + of_triple * 3


@function
class Second(Function):
    """A copy of the second operand; no gradient for the first."""

    def forward(self, a, b):
        return b.clone()

    def backward(self, grad_output):
        return None, grad_output


@function
class First(Function):
    """A copy of the first operand; no gradient for the second."""

    def forward(self, a, b):
        return a.clone()

    def backward(self, grad_output):
        return grad_output, None


@function
class Outer(Function):
    """a + b of three operands; no gradient for the third."""

    def forward(self, a, b, c):
        return a + b

    def backward(self, grad_output):
        return grad_output, grad_output, None


@function
class Nothing(Function):
    """x * 2, without a gradient."""

    def forward(self, x):
        return x * 2

    def backward(self, grad_output):
        return None


@function
class Parts(Function):
    """x * 2, the sum of x as one element, and the first number of x * 3: three outputs of different sizes."""

    def forward(self, x):
        self.size = x.size()
        return x * 2, x.new([x.sum()]), x.contiguous().view(-1)[:1] * 3

    def backward(self, of_double, of_total, of_first):
        grad = of_double * 2 + of_total[0]
        grad.view(-1)[:1].add_(of_first * 3)
        return grad


@function
class Blend(Function):
    """x + y * 2 + z * 3, x * 4, z * 5, and the sum of y in a matrix: three operands, four outputs."""

    def forward(self, x, y, z):
        return x + y * 2 + z * 3, x * 4, z * 5, x.new([[y.sum()]])

    def backward(self, of_blend, of_x, of_z, of_sum):
        return of_blend + of_x * 4, of_blend * 2 + of_sum[0, 0], of_blend * 3 + of_z * 5


@function
class Six(Function):
    """x * 1, x * 2 … x * 6."""

    def forward(self, x):
        return tuple([x * n for n in range(1, 7)])

    def backward(self, *gradients):
        return sum([gradient * n for n, gradient in enumerate(gradients[1:], 2)], gradients[0])


@function
class Same(Function):
    """x + y, whose backward returns its argument for both."""

    def forward(self, x, y):
        return x + y

    def backward(self, grad_output):
        return grad_output, grad_output


@function
class Flat(Function):
    """x as one row of numbers, whose backward returns a view of its argument."""

    def forward(self, x):
        self.size = x.size()
        return x.contiguous().view(-1) * 1

    def backward(self, grad_output):
        return grad_output.contiguous().view(*self.size)


@function
class Remembers(Function):
    """x * 0.5, whose backward keeps what it returned first, and returns a Tensor that it holds."""

    def forward(self, x):
        self.half = x.new(*x.size()).fill_(0.5)
        return x * 0.5

    def backward(self, grad_output):
        self.returned = grad_output.mul(self.half)
        return (self.returned,)


def _thrice(x):
    """Return three pairs of Variables. The operand of a pair is gone, so that the next one may have got its id."""

    def pair(number):
        product = x * number
        return product * 3, product * 5

    return [*pair(2), *pair(7), *pair(-1)]


def _one_id(x):
    """Return two Variables, of the first output of a Pair and of the second output of another.

    Both outputs are gone, and in most cases they had the same id.
    """
    first, second = FUNCTIONS["Pair"](x)[0] * 3, None
    for number in range(200):
        taken = [x * 2 for _ in range(number % 5)]  # so the output finds other free memory than in the last turn
        second = FUNCTIONS["Pair"](x)[1] * 3
        del taken
        if second.creator.previous_functions[0][1] == first.creator.previous_functions[0][1]:
            break
    return first, second


def _id_of_gone(x):
    """Return an output of a Pair, and a product that often has the id of the Pair's other output, which is gone."""
    output, other = FUNCTIONS["Pair"](x)[0], None
    for _ in range(200):
        FUNCTIONS["Pair"](x)  # without it the product finds other free memory
        other = x * 2
        if id(other) in output.creator.output_ids:
            break
    return output, other


def _in_reverse(tensor):
    """Return a new Tensor with the numbers of this one in reverse order."""
    return from_numpy(tensor.numpy().ravel()[::-1].reshape(tensor.size()).copy())


def _tried(run):
    """Call `run()`, which may raise an exception, such as KeyboardInterrupt if the answer names it."""
    with contextlib.suppress(BaseException):
        run()


def _handling(run):
    """Call `run()` while an exception is handled."""
    try:
        raise KeyError
    except KeyError:
        run()


class Empty:
    """A hook that is an object of length 0, so its truth value is False."""

    def __init__(self, hook):
        self._hook = hook

    def __call__(self, *arguments):
        return self._hook(*arguments)

    def __len__(self):
        return 0


FUNCTIONS |= {
    "Empty": Empty,
    "thrice": _thrice,
    "one_id": _one_id,
    "id_of_gone": _id_of_gone,
    "in_reverse": _in_reverse,
    "handling": _handling,
    "tried": _tried,
}


@function
class NoBackward(Function):
    """x * 2, without a backward."""

    def forward(self, x):
        return x * 2

    def backward(self, grad_output):
        raise RuntimeError(BY_A_HOOK)


@function
class Once(Function):
    """x * x, whose gradient cannot be differentiated."""

    def forward(self, x):
        self.save_for_backward(x)
        return x * x

    def backward(self, grad_output):
        return grad_output * FUNCTIONS["NoBackward"](*self.saved_tensors)


class _Group:
    @function
    class Add1(Function):
        """x + 1. The class is inside another one."""

        def forward(self, x):
            return x + 1

        def backward(self, grad_output):
            return grad_output


for _name in NAMES:
    function(type(_name, (_Group.Add1,), {}), "Own")


@function
class LikeALeaf(_Group.Add1):
    """x + 1, with attributes as a Leaf has them."""

    def forward(self, x):
        self.variable, self._size, self.backward_hooks = Variable(x), x.size(), {}
        return x + 1


@function
class _Plus_2_(_Group.Add1):
    """x + 2. Its name has underscores, and another class is between it and Function."""

    def forward(self, x):
        return x + 2


@function
class TheSumOfANumberAndOfTheNumberThree(_Group.Add1):
    """x + 3. Its name is long."""

    def forward(self, x):
        return x + 3


@function
class Total(Function):
    """The sum of all numbers of any number of operands."""

    def forward(self, *operands):
        self.sizes = [operand.size() for operand in operands]
        return operands[0].new([sum([operand.sum() for operand in operands])])

    def backward(self, grad_output):
        return tuple([grad_output.new(*size).fill_(grad_output[0]) for size in self.sizes])
