"""The methods that Variable gained after v0.1.1, a file for each family, named as in `tensor/` and `functions/`.

v0.1.1's own methods and operators are in `variable.py`. A method calls one Function of `functions/`. Names, arguments
and shapes are those of the Tensor's method of the same name, which also raises the errors for incorrect shapes and
types. Each file attaches its methods to Variable at its foot, as `later/` does with those that need more than a
Function. No 2016 counterpart.

In the docstrings x is the Variable itself, r the result, and g the gradient of the result. A gradient is a Python
expression over arrays, in backquotes. Operands of different shapes are broadcast. Their gradients are then summed to
their own shapes.
"""

from . import (  # noqa: F401
    activation,
    base,
    blas,
    camel_case,
    comparison,
    conversion,
    inplace,
    inplace_forms,
    pointwise,
    reduce,
    selection,
    shape,
    sorting,
)
