"""A small regression that an engine trains, and two loss curves as SVG."""

import functools
import html
import math
from dataclasses import dataclass

import numpy

from ..autograd.engine import ExecutionEngine
from ..autograd.variable import Variable
from ..tensor.base import wrap
from .labels import number_text
from .watched_run import Stopped, error_text, files_of, limited

_STEPS, _RATE = 60, 0.3
_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 420, 170, 84, 30


@dataclass
class Training:
    """The losses before each step and after the last, and the error that ended the training early, or None."""

    losses: list[float]
    error: str | None = None
    is_endless: bool = False

    def text(self, real, words):
        """Return the outcome beside that of the real engine, as a sentence."""
        last, other = (number_text(training.losses[-1]) for training in (self, real))
        if self.is_endless:
            return words["trained_endless"].format(step=len(self.losses), other=other)
        if self.error is not None:
            return words["trained_error"].format(step=len(self.losses), error=self.error, other=other)
        key = "trained_same" if self.agrees_with(real) else "trained"
        return words[key].format(steps=len(self.losses) - 1, last=last, other=other)

    def agrees_with(self, real):
        """Return whether the losses are those of the real engine up to rounding."""
        pairs = zip(self.losses, real.losses)
        return len(self.losses) == len(real.losses) and all(math.isclose(*pair, rel_tol=1e-3) for pair in pairs)


@functools.cache
def trained_with_the_real_engine():
    """Return the `Training` with the real engine, which is always the same."""
    return trained(ExecutionEngine())


def trained(engine):
    """Fit w and v in h * k + (h + k), where h = x * w and k = x * v, with `engine`. Return the `Training`.

    h and k wait for two gradients each, and so does the difference from the data, which one Function uses twice. The
    sum in the sum passes one and the same gradient on to h and to k.
    """
    x = numpy.linspace(-1, 1, 8).reshape(8, 1)
    inputs, wanted = (Variable(wrap(array), requires_grad=False) for array in (x, (0.8 * x + 1) * (-0.5 * x + 1) - 1))
    w, v = (Variable(wrap(numpy.full((1, 1), start))) for start in (0.2, -0.1))
    losses = []
    while True:
        h, k = inputs.mm(w), inputs.mm(v)
        difference = h * k + (h + k) - wanted
        loss = (difference * difference).sum() * (1 / 8)
        losses.append(float(loss.data[0]))
        if len(losses) > _STEPS or not math.isfinite(losses[-1]):
            return Training(losses)
        try:
            with limited(files_of(engine), edges=16):
                engine.run_backward(loss, wrap(numpy.ones(1)))
            for parameter in (w, v):
                if parameter._grad is not None:
                    parameter.data.sub_(parameter._grad * _RATE)
                    parameter._grad = None
        except Stopped:
            return Training(losses, is_endless=True)
        except Exception as error:
            return Training(losses, error_text(error))


def curves(mine, real, text, names, words):
    """Return the two loss curves as an HTML figure with a text. `names` are those of the engines."""
    trainings = {"mine": mine, "real": real}
    shown = [loss for training in trainings.values() for loss in training.losses if 0 < loss < math.inf]
    top = math.log10(min(max(shown), 1e4 * shown[0]))
    low = math.log10(max(min(shown), 1e-8))
    span = max(top - low, 1)

    def place(step, loss):
        height = min(1, (math.log10(max(loss, 10**low)) - low) / span) if loss < math.inf else 1
        x, y = _LEFT + step * (_WIDTH - _LEFT - 6) / _STEPS, 8 + (1 - height) * (_HEIGHT - _BOTTOM - 8)
        return f"{x:.1f},{y:.1f}"

    lines = []
    for key, training in reversed(trainings.items()):
        points = " ".join(place(step, loss) for step, loss in enumerate(training.losses) if not math.isnan(loss))
        lines.append(f'<polyline class="{key}" points="{points}"/>')
        if len(training.losses) <= _STEPS:
            x, y = points.rpartition(" ")[2].split(",")
            lines.append(f'<circle class="{key}" cx="{x}" cy="{y}" r="4"/>')
    ticks = [f'<text x="{_LEFT - 5}" y="{place(0, 10**at).split(",")[1]}" dy=".35em">{number_text(10**at)}</text>'
             for at in range(math.ceil(low), math.floor(top) + 1, max(1, math.ceil(span / 3)))]  # fmt: skip
    axis = f'<path d="M{_LEFT},4V{_HEIGHT - _BOTTOM}H{_WIDTH}"/>'
    under = f'<text class="steps" x="{_WIDTH}" y="{_HEIGHT - 4}">{html.escape(words["training_step"])}</text>'
    keys = "".join(f'<span class="{key}">{html.escape(name)}</span>' for key, name in zip(trainings, names))
    svg = f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{html.escape(words["curves"])}">'
    figure = f"{svg}{axis}{''.join(ticks)}{under}{''.join(lines)}</svg>"
    return f'<figure class="curves">{figure}<figcaption>{keys} {html.escape(text)}</figcaption></figure>'
