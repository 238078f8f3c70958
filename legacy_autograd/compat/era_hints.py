"""The release in which an uncaught error of a program would not have come (no 2016 counterpart).

Errors that follow from a row of conventions.py are known by their text and by the program's line.
"""

import linecache
import re

from .. import conventions

_SELECTION = r"\b(max|min|median|mode|kthvalue|sort|topk)\("

# `writes_to_shared_raise` has no sign: no release let a program write to shared memory (v0.1.1 had nothing in place).
# (row, its value without the error, the error, what the program's line has, what was so in the releases of that value)
_SIGNS = (
    ("grad_begins_as_zeros", True, r"'NoneType' object has no attribute", r"\bgrad\b",
     "`grad` was zeros before the first backward"),
    ("grad_is_variable", False, r"got Variable|beside a Variable|'Variable' object has no attribute", r"\bgrad\b",
     "`grad` was a Tensor"),
    ("grad_is_variable", True, r"Tensor' object has no attribute '(volatile|requires_grad|creator)", r"\bgrad\b",
     "`grad` was a Variable"),
    ("requires_grad", True, r"backward: this Variable does not require a gradient", "",
     "a Variable required a gradient unless it was told otherwise"),
    ("constant_roots_raise", False, r"backward: Variable \d+ does not require a gradient", "",
     "backward left out Variables that require no gradient"),
    ("default_tensor_type", "torch.FloatTensor", r"different types|must be of one type", "",
     "the default type of tensors was float"),
    ("truth_of_tensor", "always", r"bool value of a torch\.\w+ with \d+ elements", "", "a tensor was always true"),
    ("equality_is_identity", True, r"eq: sizes .* do not fit|ne: sizes .* do not fit", r"==|!=|\bin\b|index|remove",
     "`==` told whether two Variables are one object"),
    ("equality_is_identity", False, r"'bool' object has no attribute", r"==|!=", "`==` compared elements"),
    ("selections_have_indices", False, r"\btuple\b", _SELECTION,
     "`max(dim)`, `sort` and the like of a Variable returned the values alone"),
    ("selections_have_indices", True, r"values to unpack \(expected 2", _SELECTION,
     "`max(dim)`, `sort` and the like of a Variable returned values and indices"),
    ("call_returns_tuple", False, r"'tuple' object has no attribute", "",
     "a Function with one output returned the Variable itself"),
    ("call_returns_tuple", True, r"too many values to unpack \(expected 1\)", "",
     "a Function with one output returned a tuple"),
    ("named_hook_takes_two", True, r"missing 1 required positional argument: '\w*out\w*'", "",
     "a hook with a name got `grad_input` and `grad_output`"),
    ("plus_equals_writes", False, r"has been used in an in-place operation", r"[-+*]=",
     "`+=` made a new Variable"),
    ("writes_to_leaf_raise", False, r"has been used in an in-place operation", r"^((?![-+*]=).)*$",
     "an in-place operation on a leaf was refused in backward only"),
)  # fmt: skip


def hint(error):
    """Return the sentence for an exception with its traceback, or None."""
    line, trace = "", error.__traceback__
    while trace is not None:
        if not trace.tb_frame.f_globals.get("__name__", "").startswith("legacy_autograd."):
            line = linecache.getline(trace.tb_frame.f_code.co_filename, trace.tb_lineno).strip()
        trace = trace.tb_next
    releases = conventions.RELEASES
    here = releases.index(conventions.era.version)
    for row, value, text, code, was_so in _SIGNS:
        if getattr(conventions.era, row) != value and re.search(text, str(error)) and re.search(code, line):
            version = min(  # the nearest, and of two the newer one
                (release for release in reversed(releases) if getattr(conventions.column(release), row) == value),
                key=lambda release: abs(releases.index(release) - here),
            )
            return f"in v{version} {was_so}. For a program of that time: --era {version}"
    return None
