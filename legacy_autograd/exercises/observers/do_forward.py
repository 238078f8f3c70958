"""The probes of exercise 2: `Function._do_forward`."""

import numpy

from ...autograd.variable import Variable
from ...tensor import Tensor
from ..answer import attempt, plain
from .support import leaf, leaves, random_numbers


def operations(answer):
    """Two operations whose Function is the student's."""

    class Mul(answer.Function):
        calls = 0

        def forward(self, *tensors):
            self.calls += 1
            self.given = [type(tensor).__name__ for tensor in tensors]
            self.operands = [tensor if isinstance(tensor, Tensor) else tensor.data for tensor in tensors]
            self.returned = self.compute(*self.operands)
            return self.returned

        def compute(self, a, b):
            return a * b

        def backward(self, grad_output):
            a, b = self.operands
            return grad_output * b, grad_output * a

    class SumAndProduct(Mul):
        def compute(self, a, b):
            return a + b, a * b

        def backward(self, of_sum, of_product):
            a, b = self.operands
            return of_sum + of_product * b, of_sum + of_product * a

    return Mul, SumAndProduct


def sums(answer, outputs):
    """An operation of any number of operands with so many outputs; one output is not in a tuple."""
    Mul, _ = operations(answer)

    class Sums(Mul):
        def compute(self, *operands):
            total = sum(operand.sum() for operand in operands)
            results = tuple(operands[0].new(number + 1).fill_(total * (number + 1)) for number in range(outputs))
            return results if outputs > 1 else results[0]

    return Sums()


def call(function, *variables):
    """Return the outputs of a call as a tuple, whatever it returned, so that the package's engine can use them."""
    output = function._do_forward(*variables)
    output = tuple(output) if isinstance(output, (tuple, list)) else (output,)
    function._output_sizes = [variable.data.array.shape for variable in output if isinstance(variable, Variable)]
    return output


def recorded(answer, case):
    """Return everything that a call records."""
    Mul, SumAndProduct = operations(answer)
    a, b = leaves([2.0, 3.0], [5.0, 7.0])
    c, d = leaf([4.0, 4.0], requires_grad=False), leaf([6.0, 6.0], requires_grad=False)
    known = {"a": a, "b": b, "c": c, "d": d}
    if case == "x * x":
        operands = [a, a]
    elif case == "a result and a":
        known["a * b"] = call(Mul(), a, b)[0]
        operands = [known["a * b"], a]
    elif case == "a result of constants and c":
        known["c * d"] = call(Mul(), c, d)[0]
        operands = [known["c * d"], c]
    elif case == "the second output of another and a":
        known["a + b"], known["a * b"] = call(SumAndProduct(), a, b)
        operands = [known["a * b"], a]
    else:
        operands = [known[name] for name in case.removeprefix("two outputs of ").split(" * ")]
    function = SumAndProduct() if case.startswith("two outputs") else Mul()
    return record(function, operands, known, {name: state(variable) for name, variable in known.items()})


def record(function, operands, known, before):
    """Return the record of a call of `function` with `operands`.

    `known`: all Variables there are, by name, and `before`: what their states were.
    """
    output = function._do_forward(*operands)
    creators = {id(variable.creator): f"the creator of {name}" for name, variable in known.items()}
    ids = {id(variable): f"its id, of {name}" for name, variable in known.items()}
    others = {id(variable.data): "the id of its data" for variable in known.values()}
    others |= {id(variable.creator): "the id of its creator" for variable in known.values()}
    outputs = list(output) if isinstance(output, (tuple, list)) else [output]
    numbers = {id(variable): f"output {number}" for number, variable in enumerate(outputs)}
    returned = function.returned if isinstance(function.returned, tuple) else (function.returned,)
    return {
        "forward was given": function.given,
        "calls of forward": function.calls,
        "the call returned": f"a {type(output).__name__}",
        "it holds": [type(variable).__name__ for variable in outputs],
        "data": [plain(variable) for variable in outputs],
        "creators are the Function": [getattr(variable, "creator", None) is function for variable in outputs],
        "forward was given the Tensors of its operands": [
            tensor is variable.data for tensor, variable in zip(function.operands, operands)
        ],
        "outputs hold what forward returned": [
            tensor is getattr(variable, "data", None) for tensor, variable in zip(returned, outputs)
        ],
        "operands that have changed": [name for name, was in before.items() if state(known[name]) != was],
        "needs_input_grad": plain(function.needs_input_grad),
        "requires_grad": function.requires_grad,
        "previous_functions": links(function.previous_functions, creators, ids | others),
        "output_ids": numbered(function.output_ids, numbers),
    }


def state(variable):
    """Return the state that a call must not change."""
    return plain(variable), variable.data._version, id(variable.creator), variable.creator.requires_grad


def recorded_at_random(answer, seed):
    """Return the record of the last of six random calls, and whether the earlier records have changed."""
    random = numpy.random.default_rng(seed)
    known = {}
    for name in "abcd":
        numbers = random_numbers(int(random.integers(1000)), int(random.integers(1, 4)))
        known[name] = leaf(numbers, requires_grad=name in "ab")
    before = {name: state(variable) for name, variable in known.items()}
    calls = []
    for turn in range(6):
        names = random.choice(list(known), int(random.integers(1, 7))).tolist()
        if turn == 2:
            names = ["c", "d"]
        function = sums(answer, int(random.integers(1, 6)))
        if turn == 5:
            kept = [(links_of(earlier), ids_of(earlier)) for earlier in calls]
            return {
                **record(function, [known[name] for name in names], known, before),
                "earlier calls with other links": [
                    n for n, earlier in enumerate(calls) if links_of(earlier) != kept[n][0]
                ],
                "earlier calls with other ids": [n for n, earlier in enumerate(calls) if ids_of(earlier) != kept[n][1]],
            }
        calls.append(function)
        for number, variable in enumerate(call(function, *[known[name] for name in names])):
            known[f"output {number} of call {turn}"] = variable


def links_of(function):
    """Return a copy of the links of an earlier call."""
    links = function.previous_functions
    return list(links) if isinstance(links, (list, tuple)) else links


def ids_of(function):
    ids = function.output_ids
    return dict(ids) if isinstance(ids, dict) else ids


def raising(answer):
    """Return the results of a call whose forward raises, and of the next call."""
    Mul, _ = operations(answer)

    class Refuses(Mul):
        def compute(self, a, b):
            raise ArithmeticError("forward does not take these")

    a, b = leaves([2.0, 3.0], [5.0, 7.0])
    ended = attempt(Refuses()._do_forward, a, b)
    return {
        "the call": ended if isinstance(ended, str) else f"a {type(ended).__name__} is returned",
        "the next call": plain(call(Mul(), a, b)),
    }


def links(previous_functions, creators, ids):
    """Return previous_functions with names instead of Functions and ids."""
    if not isinstance(previous_functions, (list, tuple)):
        return plain(previous_functions)
    named = []
    for entry in previous_functions:
        if not isinstance(entry, tuple) or len(entry) != 2:
            return f"holds a {type(entry).__name__}, not pairs (creator, id)"
        creator, arg_id = entry
        what = creators.get(id(creator), f"a {type(creator).__name__} that made no operand")
        named.append([what, ids.get(arg_id, "another number") if isinstance(arg_id, int) else plain(arg_id)])
    return named


def numbered(output_ids, numbers):
    """Return output_ids with "output 0" instead of ids."""
    if not isinstance(output_ids, dict):
        return plain(output_ids)
    pairs = [[numbers.get(key, "another key"), numbers.get(value, plain(value))] for key, value in output_ids.items()]
    return sorted(pairs, key=str)


def gradients(answer, constant):
    """Return the gradients through several of the student's Functions."""
    Mul, SumAndProduct = operations(answer)
    x, y = leaf([2.0]), leaf([3.0], requires_grad=not constant)
    total, product = call(SumAndProduct(), x, y)
    (square,) = call(Mul(), product, product)
    (result,) = call(Mul(), square, total)
    result.backward()
    return {"x.grad": plain(x.grad), "y.grad": plain(y.grad)}
