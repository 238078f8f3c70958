"""The Functions that copy Variables between graphics cards (2017: the same file). A call raises: there are no cards."""

from ...autograd.function import Function


class _BetweenCards(Function):
    def __init__(self, *arguments):
        self.arguments = arguments

    def forward(self, *inputs):
        raise RuntimeError(
            f"{self._name} copies between graphics cards, of which there are none; scatter and gather of "
            "torch.nn.parallel work in main memory under `run --ignore-cuda`"
        )


class Broadcast(_BetweenCards):
    """Copies of the inputs on several cards."""


class Scatter(_BetweenCards):
    """Parts of the input on several cards."""


class Gather(_BetweenCards):
    """The parts on several cards, joined on one."""
