"""The probe of exercise 5: programs whose backward the student's engine runs."""

from ...autograd.variable import Variable
from ..programs.running import Run
from .support import engine, no_deeper


def behaviour(answer, lines):
    """Return what is seen of a program, which makes its own `Engine()`."""
    with engine(Variable._execution_engine), no_deeper():
        return Run({"Engine": answer.Engine}, watch=True).execute(lines)
