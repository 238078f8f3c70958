"""The functions in which a number may come first, as in v0.1.x: `pow(2, x)`, `add(x, value, y)`, `addmm(2, x, a, b)`.

The methods' docstrings describe the results and the errors. `functions.py` has the functions that only call a method.
"""

import numbers

from .arguments import Operand, operand
from .results import takes_results

__all__ = ["add", "addbmm", "addmm", "addmv", "addr", "baddbmm", "div", "mul", "pow", "sub"]


def _added_product(name, arguments, beta, alpha):
    """Call the method `name` with the numbers among `arguments` before x (beta) and after it (alpha)."""
    if len(arguments) > 1 and isinstance(arguments[0], numbers.Real):
        beta, *arguments = arguments
    if len(arguments) > 1 and isinstance(arguments[1], numbers.Real):
        x, alpha, *factors = arguments
    else:
        x, *factors = arguments or (None,)
    return getattr(operand(name, x), name)(*factors, beta=beta, alpha=alpha)


@takes_results(2, value_between=True)
def add(x: Operand | float, other: Operand | float, tensor: Operand | None = None) -> Operand:
    """Return x + other, or x + other * tensor for v0.1.x's `add(x, value, tensor)`; see `Tensor.add`.

    Args:
        x: A Tensor or Variable, or a number if `other` is not one.
        other: A Tensor or Variable like `x`, or a number; with `tensor`, the factor of `tensor`.
        tensor: A Tensor or Variable like `x`. Default: none.
    """
    if isinstance(x, numbers.Real) and tensor is None:
        return x + operand("add", other)
    return operand("add", x).add(other, tensor)


@takes_results(3)
def addbmm(*arguments: Operand | float, beta: float = 1, alpha: float = 1) -> Operand:
    """Return beta * x + alpha * the sum of the products of pairs of matrices; see `Tensor.addbmm`.

    Args:
        *arguments: (x, a, b), (beta, x, a, b) or (beta, x, alpha, a, b), where x, a and b are Tensors or Variables.
        beta: The factor of x, unless it is among the arguments.
        alpha: The factor of the product, unless it is among the arguments.
    """
    return _added_product("addbmm", arguments, beta, alpha)


@takes_results(3)
def addmm(*arguments: Operand | float, beta: float = 1, alpha: float = 1) -> Operand:
    """Return beta * x + alpha * the product of two matrices; see `Tensor.addmm`.

    Args:
        *arguments: (x, a, b), (beta, x, a, b) or (beta, x, alpha, a, b), where x, a and b are Tensors or Variables.
        beta: The factor of x, unless it is among the arguments.
        alpha: The factor of the product, unless it is among the arguments.
    """
    return _added_product("addmm", arguments, beta, alpha)


@takes_results(3)
def addmv(*arguments: Operand | float, beta: float = 1, alpha: float = 1) -> Operand:
    """Return beta * x + alpha * the product of a matrix and a vector; see `Tensor.addmv`.

    Args:
        *arguments: (x, a, b), (beta, x, a, b) or (beta, x, alpha, a, b), where x, a and b are Tensors or Variables.
        beta: The factor of x, unless it is among the arguments.
        alpha: The factor of the product, unless it is among the arguments.
    """
    return _added_product("addmv", arguments, beta, alpha)


@takes_results(3)
def addr(*arguments: Operand | float, beta: float = 1, alpha: float = 1) -> Operand:
    """Return beta * x + alpha * the outer product of two vectors; see `Tensor.addr`.

    Args:
        *arguments: (x, a, b), (beta, x, a, b) or (beta, x, alpha, a, b), where x, a and b are Tensors or Variables.
        beta: The factor of x, unless it is among the arguments.
        alpha: The factor of the product, unless it is among the arguments.
    """
    return _added_product("addr", arguments, beta, alpha)


@takes_results(3)
def baddbmm(*arguments: Operand | float, beta: float = 1, alpha: float = 1) -> Operand:
    """Return beta * x + alpha * the products of pairs of matrices; see `Tensor.baddbmm`.

    Args:
        *arguments: (x, a, b), (beta, x, a, b) or (beta, x, alpha, a, b), where x, a and b are Tensors or Variables.
        beta: The factor of x, unless it is among the arguments.
        alpha: The factor of the product, unless it is among the arguments.
    """
    return _added_product("baddbmm", arguments, beta, alpha)


@takes_results(2)
def div(x: Operand | float, other: Operand | float) -> Operand:
    """Return x / other, pointwise; see `Tensor.div`.

    Args:
        x: A Tensor or Variable, or a number if `other` is not one.
        other: A Tensor or Variable like `x`, or a number.
    """
    if isinstance(x, numbers.Real):
        return x / operand("div", other)
    return operand("div", x).div(other)


@takes_results(2)
def mul(x: Operand | float, other: Operand | float) -> Operand:
    """Return x * other, pointwise; see `Tensor.mul`.

    Args:
        x: A Tensor or Variable, or a number if `other` is not one.
        other: A Tensor or Variable like `x`, or a number.
    """
    if isinstance(x, numbers.Real):
        return x * operand("mul", other)
    return operand("mul", x).mul(other)


@takes_results(2)
def pow(x: Operand | float, exponent: Operand | float) -> Operand:
    """Return x ** exponent, pointwise; see `Tensor.pow`.

    Args:
        x: A Tensor or Variable, or a number if `exponent` is not one.
        exponent: A Tensor or Variable like `x`, or a number.
    """
    if isinstance(x, numbers.Real):
        return x ** operand("pow", exponent)
    return operand("pow", x).pow(exponent)


@takes_results(2, value_between=True)
def sub(x: Operand | float, other: Operand | float, tensor: Operand | None = None) -> Operand:
    """Return x - other, or x - other * tensor for v0.1.x's `sub(x, value, tensor)`; see `Tensor.sub`.

    Args:
        x: A Tensor or Variable, or a number if `other` is not one.
        other: A Tensor or Variable like `x`, or a number; with `tensor`, the factor of `tensor`.
        tensor: A Tensor or Variable like `x`. Default: none.
    """
    if isinstance(x, numbers.Real) and tensor is None:
        return x - operand("sub", other)
    return operand("sub", x).sub(other, tensor)
