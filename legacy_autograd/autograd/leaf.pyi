"""The types of `leaf.py`, and of what `later/` attaches to a Leaf."""

from collections.abc import Callable, Mapping
from typing import Any

from ..tensor import Tensor
from .function import Function
from .variable import Variable

class Leaf(Function):
    _lock: Any
    _post_accumulate_hooks: Mapping[int, Callable[[Variable], Any]]
    _required_grad: bool
    _size: tuple[int, ...]  # the shape of the gradient that was added last

    def __init__(self, variable: Variable, requires_grad: bool) -> None: ...
    @property
    def variable(self) -> Variable | None: ...
    def _accumulate(self, variable: Variable, grad: Tensor) -> None: ...
    def _make_volatile(leaf) -> None: ...
