"""The probe of exercise 2: programs whose operations are derived from the student's Function."""

from ...autograd.variable import Variable
from ...tensor import Tensor
from ..answer import plain
from ..programs.running import BY_A_HOOK, Run, described


class _Run(Run):
    """A Run that writes down what each call records."""

    def __init__(self, function):
        super().__init__(operations(function, self))
        self._known = {}  # {id of a Variable: (itself, its name)}
        self._calls = []  # the Functions that were called

    def call(self, function, input):
        """Return the outputs of a call as a tuple, whatever it returned, so that the package's engine can use them."""
        for name, variable in self.variables():
            self._known.setdefault(id(variable), (variable, name))
        self._calls.append(function)
        number = len(self._calls)
        function.calls = 0
        output = function._do_forward(*input)
        outputs = tuple(output) if isinstance(output, (tuple, list)) else (output,)
        returned = getattr(function, "returned", None)
        returned = returned if isinstance(returned, tuple) else (returned,)
        function._output_sizes = [one.data.array.shape for one in outputs if isinstance(one, Variable)]
        own = [data is variable.data for data, variable in zip(function.given, input)]
        self._see(
            number,
            {
                "forward was given": [type(data).__name__ for data in function.given],
                "forward was given the Tensors of its operands": own,
                "calls of forward": function.calls,
                "the call returned": f"a {type(output).__name__}",
                "it holds": [type(one).__name__ for one in outputs],
                "numbers": [described(getattr(one, "data", one)) for one in outputs],
                "creators are the Function": [getattr(one, "creator", None) is function for one in outputs],
                "outputs hold what forward returned": [
                    data is getattr(one, "data", None) for data, one in zip(returned, outputs)
                ],
                "operands afterwards": [[described(one.data), one.data._version] for one in input],
            },
        )
        for position, one in enumerate(outputs):
            self._known.setdefault(id(one), (one, f"output {position} of call {number}"))
        self._record(number, function)
        return outputs

    def _see(self, number, found):
        self.seen |= {f"{what} in call {number}": data for what, data in found.items()}

    def _record(self, number, function, when=""):
        recorded = {
            "needs_input_grad": plain(function.needs_input_grad),
            "requires_grad": function.requires_grad,
            "previous_functions": self._links(function.previous_functions),
            "output_ids": self._numbered(function.output_ids),
        }
        self._see(number, {f"{name}{when}": data for name, data in recorded.items()})

    def _links(self, previous_functions):
        """Return previous_functions with names instead of Functions and ids."""
        if not isinstance(previous_functions, (list, tuple)):
            return plain(previous_functions)
        variables = list(self._known.values())
        creators = {id(variable.creator): name for variable, name in variables if isinstance(variable, Variable)}
        named = []
        for entry in previous_functions:
            if not isinstance(entry, (tuple, list)) or len(entry) != 2:
                return f"holds a {type(entry).__name__} instead of pairs"
            creator, key = entry
            who = creators.get(id(creator), f"a {type(creator).__name__} that made no operand")
            named.append([f"the creator of {who}" if id(creator) in creators else who, self._id(key)])
        return named

    def _id(self, key):
        for variable, name in self._known.values():
            for of, what in ((variable, name), (getattr(variable, "data", None), f"the data of {name}"),
                             (getattr(variable, "creator", None), f"the creator of {name}")):  # fmt: skip
                if key == id(of):
                    return f"the id of {what}"
        return plain(key) if not isinstance(key, int) else "another number"

    def _numbered(self, output_ids):
        """Return output_ids with names instead of ids."""
        if not isinstance(output_ids, dict):
            return plain(output_ids)
        return sorted(([self._id(key), self._id(value) if isinstance(value, int) and value > 99 else plain(value)]
                       for key, value in output_ids.items()), key=str)  # fmt: skip

    def at_the_end(self):
        """Write down the records again: a later call must not change those of an earlier one."""
        for number, function in enumerate(self._calls, 1):
            if function not in self._calls[number:] and function.output_ids is not None:
                self._record(number, function, " at the end")
        grads = {key: value for key, value in super().at_the_end().items() if key.endswith(".grad")}
        creators = [f"{name}: {variable.creator.requires_grad}" for name, variable in self.variables()]
        return {**grads, "operands that require a gradient": creators}


def operations(function, run):
    """Return the classes of operations, derived from `function`, by name."""

    class Operation(function):
        calls = 0

        def __call__(self, *input):
            return run.call(self, input)

        def forward(self, *given):
            self.calls += 1
            self.given = given
            self.operands = [data if isinstance(data, Tensor) else data.data for data in given]
            self.returned = self.compute(*self.operands)
            return self.returned

    class Mul(Operation):
        def compute(self, a, b):
            return a * b

        def backward(self, grad_output):
            a, b = self.operands
            return grad_output * b, grad_output * a

    class InTuple(Mul):
        """The product in a tuple of one."""

        def compute(self, a, b):
            return (a * b,)

    class SumAndProduct(Mul):
        def compute(self, a, b):
            return a + b, a * b

        def backward(self, of_sum, of_product):
            a, b = self.operands
            return of_sum + of_product * b, of_sum + of_product * a

    class Identity(Operation):
        """x itself."""

        def compute(self, x):
            return x

        def backward(self, grad_output):
            return grad_output

    class View(Identity):
        """A view of x."""

        def compute(self, x):
            return x.transpose(0, 0)

    class Twice(Operation):
        """x * 2, the same Tensor as both outputs."""

        def compute(self, x):
            double = x * 2
            return double, double

        def backward(self, one, other):
            return one * 2 + other * 20

    class Both(Identity):
        """x itself as both outputs."""

        def compute(self, x):
            return x, x

        def backward(self, one, other):
            return one * 2 + other * 20

    class Scaled(Operation):
        """x times the number of elements of an index, which has no gradient."""

        def compute(self, x, index):
            return x * index.numel()

        def backward(self, grad_output):
            return grad_output * self.operands[1].numel(), None

    class Sums(Operation):
        """Sums of all operands, one for each output: of 1, 2, 3 … elements."""

        def __init__(self, outputs):
            super().__init__()
            self.outputs = outputs

        def compute(self, *operands):
            total = sum(operand.sum() for operand in operands)
            results = [operands[0].new(n).fill_(total * n) for n in range(1, self.outputs + 1)]
            return tuple(results) if self.outputs > 1 else results[0]

        def backward(self, *gradients):
            total = sum(gradient.sum() * n for n, gradient in enumerate(gradients, 1))
            return tuple(operand.new(operand.size()).fill_(total) for operand in self.operands)

    class Nested(Operation):
        """x * x, by an operation that forward calls."""

        def compute(self, x):
            inner, other = Variable(x), Variable(x.clone(), requires_grad=False)
            Nested.kept = Mul()._do_forward(inner, inner), Sums(3)._do_forward(other, inner, other)
            return x * x

        def backward(self, grad_output):
            return grad_output * self.operands[0] * 2

    class Writes(Operation):
        """x + 1, written into x if its elements have places of their own."""

        def compute(self, x):
            return x.add_(1) if x.is_contiguous() else x + 1

    class Refuses(Mul):
        """a * b, but the first call raises an exception."""

        def compute(self, a, b):
            if not hasattr(self, "refused"):
                self.refused = True
                raise ArithmeticError(BY_A_HOOK)
            return a * b

    classes = (Mul, InTuple, SumAndProduct, Identity, View, Twice, Both, Scaled, Sums, Nested, Writes, Refuses)
    return {cls.__name__: cls for cls in classes}


def behaviour(answer, lines):
    """Return what is seen of a program, whose operations are derived from `Function`."""
    return _Run(answer.Function).execute(lines)
