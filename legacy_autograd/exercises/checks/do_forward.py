"""Exercise 2: `Function._do_forward`, which runs an operation and records where its operands came from."""

import types

from ...autograd import function
from .. import template
from ..model import Exercise
from ..observers.do_forward import gradients, raising, recorded, recorded_at_random

exercise = Exercise(
    title="_do_forward: what a call records",
    minutes=45,
    reference=types.SimpleNamespace(Function=function.Function),
    withheld=("autograd/function.py:Function._do_forward",),
    groups=template.groups("02_do_forward"),
    method="_do_forward",
)

_KEYS = {  # what recorded() answers that a group of checks compares
    "result": "forward was given, calls of forward, the call returned, it holds, data, creators are the Function, "
    "forward was given the Tensors of its operands, outputs hold what forward returned, operands that have changed",
    "needs": "needs_input_grad, requires_grad",
    "links": "previous_functions",
    "outputs": "output_ids",
}
_NOT_UNPACKED = ({"forward was given": ["Variable", "Variable"]}, "call forward with the Tensors: arg.data")
_NO_TUPLE = [
    ({"the call returned": "a Variable"}, "the result is a tuple even if there is only one output, as in 2016"),
    (lambda got: got["the call returned"] != "a tuple", "the call returns a tuple of Variables"),
    (lambda got: "DoubleTensor" in got["it holds"], "return Variables, not the Tensors in them"),
]
_COPIED = [
    (lambda got: False in got["forward was given the Tensors of its operands"],
     "pass the Variable's own Tensor to forward, not a copy: forward may write into it"),
    (lambda got: False in got["outputs hold what forward returned"],
     "an output holds the Tensor that forward returned, not a copy: it may be a view of another"),
    (lambda got: got["operands that have changed"], "do not change the operands: data, creator and requires_grad"),
]  # fmt: skip
_NO_CREATOR = (
    {"creators are the Function": [False]},
    "Variable(tensor) without a creator is a leaf: give it the Function, Variable(tensor, self)",
)
_TAKEN_APART = ("TypeError", "a single Tensor is not a tuple yet: a loop over it yields its rows or numbers")


def check(group, name, title, case, mistakes=(), hidden=False):
    """Register a check of what one call records."""

    @exercise.check(group, hidden, name=name, title=title)
    def run(trial):
        known = [*mistakes, *_IN_GENERAL[group]]
        trial.same(recorded, f"the call: {case}", known, only=_KEYS[group].split(", "), case=case)


_IN_GENERAL = {  # the reason for a mistake that the check does not list
    "result": [*_COPIED, _TAKEN_APART],
    "needs": [
        (lambda got: not isinstance(got["needs_input_grad"], list), "needs_input_grad has one entry for each operand"),
        (lambda got: got["requires_grad"] is not any(got["needs_input_grad"]),
         "requires_grad says whether one operand requires a gradient: any, not all, and not only the first"),
        (lambda got: True, "read requires_grad of each operand's creator, in order: arg.creator.requires_grad"),
    ],
    "links": [(lambda got: True, "an entry for every operand of this call, in order, and no other: "
               "(arg.creator, id(arg))")],
    "outputs": [(lambda got: True, "the number of an output is its position: 0, 1, 2")],
}  # fmt: skip

check("result", "one_output", "a call with one output", "a * b", [
    _NOT_UNPACKED, *_NO_TUPLE, _NO_CREATOR, _TAKEN_APART,
    ({"calls of forward": 2}, "call forward once and keep what it returned; it may draw random numbers"),
    *_COPIED,
])  # fmt: skip
check("result", "two_outputs", "a call with two outputs", "two outputs of a * b", [
    _NOT_UNPACKED,
    ("must return a Tensor, got tuple", "forward returned a tuple: do not put it into another tuple"),
    ({"creators are the Function": [True, False]}, "every output has this Function as its creator"),
    *_COPIED,
], hidden=True)  # fmt: skip


@exercise.check("result", hidden=True)
def forward_raises(trial):
    """An exception in forward reaches the caller."""
    trial.expect(
        raising, {"the call": "ArithmeticError is raised", "the next call": [[10, 21]]},
        "a * b by a Function whose forward raises an ArithmeticError; then by one whose forward does not",
        [
            (lambda got: got["the call"] != "ArithmeticError is raised",
             "an exception in forward must reach the caller: do not use try and except"),
        ],
    )  # fmt: skip


check("needs", "constant_operand", "an operand that requires no gradient", "a * c", [
    ({"requires_grad": False}, "one operand that requires a gradient is enough: any, not all"),
    ({"needs_input_grad": [True, True]}, "c requires no gradient: its creator's requires_grad is False"),
    ({"needs_input_grad": True}, "needs_input_grad has one entry for each operand"),
])  # fmt: skip
check("needs", "constants_alone", "operands that require no gradient", "c * d", [
    ({"requires_grad": True}, "a result of constants requires no gradient: none of its operands does"),
], hidden=True)  # fmt: skip
check("needs", "results_of_constants", "an operand that was computed from constants", "a result of constants and c",
      hidden=True)  # fmt: skip

_WHOSE = "the creator of {}"


def noted(creator, number):
    """Return the record of previous_functions of a * b if all creators and ids are of that kind."""
    return {"previous_functions": [[creator.format(name), number.format(name)] for name in "ab"]}


_IDS = [
    (noted(_WHOSE, "the id of its data"), "id(arg), of the Variable; this is id(arg.data)"),
    (noted(_WHOSE, "the id of its creator"), "id(arg), of the Variable; this is the id of its creator"),
    (noted("a Variable that made no operand", "its id, of {}"),
     "the creator, not the Variable: backward goes from Function to Function"),
    ({"previous_functions": noted(_WHOSE, "its id, of {}")["previous_functions"][::-1]},
     "backward returns the gradients in the order of the operands: the entries must be in that order"),
]  # fmt: skip
check("links", "two_operands", "an entry for each operand", "a * b", _IDS)
check("links", "one_operand_twice", "two entries for an operand that is used twice", "x * x", [
    ({"previous_functions": [["the creator of a", "its id, of a"]]},
     "x * x uses x twice: backward returns two gradients, and each needs an entry"),
])  # fmt: skip
check("links", "a_result_as_operand", "a result as an operand", "a result and a", hidden=True)
check("links", "a_second_output", "a second output as an operand", "the second output of another and a",
      hidden=True)  # fmt: skip
check("links", "a_constant_too", "a constant has an entry as well", "a * c", [
    ({"previous_functions": [
        ["the creator of a", "its id, of a"], ["a NoneType that made no operand", "its id, of c"],
    ]},
     "a constant has a creator too, whose requires_grad is False"),
    ({"previous_functions": [["the creator of a", "its id, of a"]]},
     "entries and gradients are paired in order; a missing entry shifts the others"),
], hidden=True)  # fmt: skip

check("outputs", "one_number", "the number of the only output is 0", "a * b", [
    ({"output_ids": [["another key", "output 0"]]}, "the id is the key and the number the value"),
    ({"output_ids": [["another key", 0]]}, "the key is id(variable) of an output Variable, the one that is returned"),
])  # fmt: skip
check("outputs", "two_numbers", "two outputs have the numbers 0 and 1", "two outputs of a * b", [
    ({"output_ids": [["output 0", 0], ["output 1", 0]]}, "both have the number 0; the second output is number 1"),
], hidden=True)  # fmt: skip


_RECORD = "backward uses previous_functions, output_ids and requires_grad: see the parts above about them"
_BY_A_RECORD = ("RuntimeError", "AttributeError", "TypeError", "KeyError", "IndexError")
_BEHIND = [(lambda got: True, _RECORD), *[(name, _RECORD) for name in _BY_A_RECORD]]


@exercise.check("backward")
def differentiated(trial):
    """The gradients through two outputs, a square and a product are right."""
    on = "p = x * y, result = p * p * (x + y), with x = 2 and y = 3"
    missing = ("KeyError", "an id is missing in output_ids")
    trial.same(gradients, on, [missing, *_BEHIND], constant=False)


@exercise.check("backward", hidden=True)
def differentiated_with_a_constant(trial):
    """The same with a constant y."""
    on = "p = x * y, result = p * p * (x + y), with x = 2 and the constant y = 3"
    trial.same(gradients, on, _BEHIND, constant=True)


_AT_RANDOM = {
    "result": [],
    "needs": [],
    "links": [
        (lambda got: got["earlier calls with other links"],
         "the links of an earlier call have changed: make a new list in each call"),
    ],
    "outputs": [
        (lambda got: got["earlier calls with other ids"],
         "the numbers of an earlier call have changed: make a new dictionary in each call"),
    ],
}  # fmt: skip


def check_at_random(group):
    keys = _KEYS[group].split(", ")
    keys += {"links": ["earlier calls with other links"], "outputs": ["earlier calls with other ids"]}.get(group, [])
    title = "six calls, of one to six operands and one to five outputs, drawn at random"

    @exercise.check(group, hidden=True, name=f"{group}_at_random", title=title)
    def run(trial):
        for seed in range(8):
            on = f"the last of six random calls (seed {seed}): one to six operands, one to five outputs"
            trial.same(recorded_at_random, on, _AT_RANDOM[group] + _IN_GENERAL[group], only=keys, seed=seed)


for _group in _AT_RANDOM:
    check_at_random(_group)
