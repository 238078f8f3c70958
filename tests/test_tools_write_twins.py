"""The files that tools/write_twins.py writes are as it writes them, and Variable's signatures are Tensor's."""

import ast
import inspect
import pathlib
import runpy

import pytest

import legacy_autograd as torch
from legacy_autograd.autograd import Variable

ROOT = pathlib.Path(__file__).resolve().parents[1]
TOOL = runpy.run_path(str(ROOT / "tools/write_twins.py"))

# Where the signatures of Variable's methods differ from Tensor's, and why.
DIFFERENCES = {
    "A Variable's methods draw from the default generator: v0.1.x's take no `generator`.": """bernoulli bernoulli_
        cauchy_ exponential_ geometric_ log_normal_ multinomial normal_ random_ uniform_""",
    "v0.1.1's names of the parameters: pow(other), transpose(dim1, dim2), type(t).": "pow pow_ transpose type",
    "v0.1.x's name of the parameter: cuda(device_id).": "cuda",
    "v0.2.0's keyword `broadcast`, which a Tensor's method alone takes.": "copy_",
    "Modern torch's keyword `alpha`, which Variable's in-place methods alone take.": "add_ sub_",
}


def test_the_files_are_as_the_tool_writes_them():
    for path, source in TOOL["files"]():
        assert path.read_text(encoding="utf-8") == source, f"{path.name}: run `python tools/write_twins.py`"


def test_a_written_file_says_so_on_its_first_line():
    for path in TOOL["written"]():
        assert path.read_text(encoding="utf-8").startswith('"""Written by tools/write_twins.py from ')


METHOD = '''
def lerp(self, end: TensorBase, *weights: TensorBase | float, keep: bool = False) -> {returns}:
    """Return self + weight * (end - self).

    Args:
        end: A Tensor of the same type.
        *weights: Numbers.
        keep: Whether this tensor is kept.

    Raises:
        TypeError: If the tensor holds integers.
    """
    {body}
'''
AS_FUNCTION = '''
@takes_results(4, converts=True)
def lerp(x: Operand, end: Operand, *weights: Operand | float, keep: bool=False) -> Operand:
    """Return x + weight * (end - x); see `Tensor.lerp`.

    Args:
        x: A Tensor or Variable.
        end: A Tensor or Variable like `x`.
        *weights: Numbers.
        keep: Whether `x` is kept.
    """
    return operand("lerp", x).lerp(end, *weights, keep=keep)
'''
IN_PLACE = '''
def lerp_(self, end: TensorBase, *weights: TensorBase | float, keep: bool=False) -> Self:
    """Apply `lerp` in place.

    Args:
        end: A Tensor of the same type.
        *weights: Numbers.
        keep: Whether this tensor is kept.

    Returns:
        This tensor.

    Raises:
        TypeError: If the tensor holds integers.
    """
    {body}
'''


def parsed(body, returns="Self"):
    return ast.parse(METHOD.format(body=body, returns=returns)).body[0]


def test_a_function_has_the_parameters_and_the_words_of_its_method():
    assert TOOL["function"](parsed("return 1"), "converts=True") == AS_FUNCTION.lstrip()
    assert TOOL["function"](parsed("return 1"), None) == AS_FUNCTION.partition("True)\n")[2]
    two = TOOL["function"](parsed("return 1", "tuple[Self, Self]"), "")
    assert two.startswith("@takes_results(4, results=2)\n") and "-> tuple[Operand, Operand]:" in two


@pytest.mark.parametrize(
    ("body", "written"),
    [
        ('return combine("lerp", f, self, end)', 'return combine_into("lerp_", f, self, end)'),
        ('return each("lerp", f, self, fractions=True)', 'return each_into("lerp_", f, self, fractions=True)'),
        ('return combine("else", f, self, end)', None),
        ('check(end); return combine("lerp", f, self, end)', None),
        ("return self.other(end)", None),
    ],
)
def test_an_in_place_form_computes_in_place_or_copies(body, written):
    written = written or 'return copied_into("lerp_", self, self.lerp(end, *weights, keep=keep))'
    assert TOOL["in_place"](parsed(body)) == IN_PLACE.format(body=written).lstrip()


def test_a_variable_is_replaced_by_the_result_of_its_method():
    source = TOOL["variable_in_place"](parsed("return 1", "Variable"))
    expected = IN_PLACE.replace("Self", "Variable").replace(" in place.", " in place and return this Variable.")
    expected = expected.replace("    Returns:\n        This tensor.\n\n", "")
    expected = expected.replace(
        "TypeError: If the tensor holds integers.", "RuntimeError: For a leaf that requires a gradient."
    )
    assert source == expected.format(body='return self._in_place("lerp", end, *weights, keep=keep)').lstrip()
    assert TOOL["variable_in_place"](ast.parse('def t(self) -> X:\n    "Return t."').body[0]).endswith(
        '_in_place("t")\n'
    )


def signature(method):
    """What follows `self`, which a function of later/ calls `variable`."""
    return [(p.name, p.kind, p.default) for p in list(inspect.signature(method).parameters.values())[1:]]


def test_the_signatures_of_variable_and_tensor_differ_where_the_list_says_so():
    pairs = {name: [getattr(kind, name, None) for kind in (torch.Tensor, Variable)] for name in dir(Variable)}
    pairs = {name: pair for name, pair in pairs.items() if name[0] != "_" and all(map(inspect.isfunction, pair))}
    assert len(pairs) > 200
    differing = [name for name, (ours, theirs) in pairs.items() if signature(ours) != signature(theirs)]
    assert differing == sorted(" ".join(DIFFERENCES.values()).split())
