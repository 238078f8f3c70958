"""Exercise 2: `Function._do_forward`, which runs an operation and records where its operands came from."""

import functools

from ...autograd import function
from ..model import Exercise
from ..programs import do_forward as programs


class _Function(function.Function):
    """The package's Function. An instance that is called again records the last call, as in v0.1.1."""

    def _do_forward(self, *input):
        self.__dict__.pop("previous_functions", None)
        return super()._do_forward(*input)


exercise = Exercise(
    "02_do_forward",
    reference=dict(Function=_Function),
    withheld=("autograd/function.py:Function._do_forward",),
    method="_do_forward",
    dimensions="type; layout; size; places: apart, twice, shared, reused, unused; again: once, second, another, "
    "after an exception; returned: a tensor, a tuple, a tuple of one, one Tensor twice, a view, the "
    "argument; requires_grad",
)

_OF_A_GROUP = {  # what is compared of what a call records
    "result": ("forward", "returned", "holds", "numbers", "creators", "operands", "line"),
    "needs": ("needs_input_grad", "requires_grad"),
    "links": ("previous_functions",),
    "outputs": ("output_ids",),
    "backward": (".grad",),
}
_RECORD = "backward uses previous_functions, output_ids and requires_grad: see the parts above about them"
_CAUGHT = "an exception in forward must reach the caller: do not use try and except"
_TAKEN_APART = "a single Tensor is not a tuple yet: a loop over it yields its rows or numbers"


def _any(kind, value):
    """Return a function that returns whether data whose name has `kind` in it are, or hold, this value."""

    def found(got):
        data = [data for key, data in got.items() if kind in key]
        return any(one == value or isinstance(one, list) and value in one for one in data)

    return found


def _reasons(group):
    """Return a function that returns the reason for a mistake that a check of that group does not list."""

    def reasons(expected):
        raises = any(key.startswith("line") for key in expected)

        def later(got):
            """Say whether the record of a call was right, and a later call has changed it."""
            return all(got.get(key) == right for key, right in expected.items() if " at the end" not in key)

        return {
            "result": [
                (_any("forward was given in", "Variable"), "call forward with the Tensors: arg.data"),
                (lambda got: any(key not in got for key in expected if key.startswith("line") or "exception" in key),
                 _CAUGHT),
                (_any("the exception of forward", False), _CAUGHT),
                (lambda got: any(key.startswith("calls of") and value != 1 for key, value in got.items()),
                 "call forward once and keep what it returned; it may draw random numbers"),
                (_any("call returned", "a Variable"), "the result is a tuple even if there is only one output, as in "
                 "v0.1.1"),
                (lambda got: any("call returned" in key and value != "a tuple" for key, value in got.items()),
                 "the call returns a tuple of Variables"),
                (lambda got: any("it holds" in key and {*value} - {"Variable", "Parameter"}
                                 for key, value in got.items()),
                 "return Variables, not the Tensors in them"),
                (_any("creators are", False), "every output is a new Variable whose creator is this Function: "
                 "Variable(tensor, self). Without a creator it is a leaf"),
                (lambda got: any("it holds" in key and len(got[key]) != len(value) for key, value in expected.items()),
                 "one Variable for each Tensor that forward returned, also if it is one Tensor in two places"),
                (_any("forward was given the Tensors", False),
                 "pass the Variable's own Tensor to forward, not a copy: forward may write into it"),
                (_any("outputs hold", False),
                 "an output holds the Tensor that forward returned, not a copy: it may be a view of another"),
                (lambda got: True, "do not change the operands: data, creator and requires_grad"),
            ],
            "needs": [
                (lambda got: any("needs" in key and not isinstance(value, list) for key, value in got.items()),
                 "needs_input_grad has one entry for each operand"),
                (later, "the record of an earlier call has changed: it belongs to that instance"),
                (lambda got: any("requires_grad in" in key and value is not any(got[key.replace("requires_grad",
                 "needs_input_grad")]) for key, value in got.items()),
                 "requires_grad says whether one operand requires a gradient: any, not all, and not only the first"),
                (lambda got: True, "read requires_grad of each operand's creator, in order: arg.creator.requires_grad"),
            ],
            "links": [
                (later, "the links of an earlier call have changed: make a new list in each call"),
                (lambda got: True, "an entry for every operand of this call, in order, and no other: (arg.creator, "
                 "id(arg)), also for a constant"),
            ],
            "outputs": [
                (later, "the numbers of an earlier call have changed: make a new dictionary in each call"),
                (lambda got: True, "the number of an output is its position, 0, 1, 2; there is one for each output of "
                 "this call, and no other"),
            ],
            "backward": [(match, _RECORD) for match in (
                lambda got: True, "RuntimeError", "AttributeError", "KeyError", "IndexError")],
        }[group] + [
            ("must return a Tensor, got tuple", "forward returned a tuple: do not put it into another tuple"),
            ("'float' object", _TAKEN_APART), ("got float", _TAKEN_APART), ("a number", _TAKEN_APART),
            *[(name, _CAUGHT) for name in ("RuntimeError", "ValueError", "IndexError", "Exception") if raises],
            ("TypeError", f"{_TAKEN_APART}. forward returns a Tensor or a tuple of Tensors"),
            ("KeyError", "an id is missing in output_ids"),
        ]  # fmt: skip

    return reasons


def _part(seen, group):
    """Return what the group compares."""
    return {key: value for key, value in seen.items() if _is_compared(key, group)}


@functools.cache
def _is_compared(key, group):
    """Return whether the group compares what is seen under this key, of which all programs have the same."""
    return any(words in key for words in _OF_A_GROUP[group])


def _example(group, title, *lines):
    exercise.example(group, title, "a = Variable(DoubleTensor([2.0, 3.0]))", *lines)


_B = "b = Variable(DoubleTensor([5.0, 7.0]))"
_C = "c = Variable(DoubleTensor([4.0, 4.0]), requires_grad=False)"


def _links(creator="the creator of {}", number="the id of {}", names="ab"):
    pairs = [[creator.format(name), number.format(name)] for name in names]
    return {"previous_functions in call 1": pairs}


_example("result", "a call with one output", _B, "p = Mul()(a, b)")
_example("needs", "an operand that requires no gradient", _C, "p = Mul()(a, c)",
    ({"needs_input_grad in call 1": [True, True]}, "c requires no gradient: its creator's requires_grad is False")
)  # fmt: skip
_example("links", "an entry for each operand", _B, "p = Mul()(a, b)",
    (_links(number="the id of the data of {}"), "id(arg), of the Variable; this is id(arg.data)"),
    (_links(number="the id of the creator of {}"), "id(arg), of the Variable; this is the id of its creator"),
    (_links("a Variable that made no operand"),
     "the creator, not the Variable: backward goes from Function to Function"),
    (_links(names="ba"),
     "backward returns the gradients in the order of the operands: the entries must be in that order"))  # fmt: skip
_example("links", "two entries for an operand that is used twice", "p = Mul()(a, a)",
    (_links(names="a"), "x * x uses x twice: backward returns two gradients, and each needs an entry"))  # fmt: skip
_example("outputs", "the number of the only output is 0", _B, "p = Mul()(a, b)",
    ({"output_ids in call 1": [["another number", "the id of output 0 of call 1"]]},
     "the id is the key and the number the value"),
    (lambda got: "output 0" not in str(got["output_ids in call 1"]) or "data" in str(got["output_ids in call 1"]),
     "the key is id(variable) of an output Variable, the one that is returned"))  # fmt: skip
_example("backward", "the gradients through two outputs, a square and a product", _B, "p = SumAndProduct()(a, b)",
    "q = Mul()(p[1], p[1])", "z = Mul()(q[0], p[0])", "z[0].backward(DoubleTensor([1.0, 1.0]))")  # fmt: skip


# --- random programs


for _group in _OF_A_GROUP:
    exercise.explain(_reasons(_group), _group, reads=functools.partial(_part, group=_group))
exercise.programs("result", 75, programs.calls, shared_by=("needs", "links", "outputs"))
exercise.programs("backward", 28, programs.backwards)
