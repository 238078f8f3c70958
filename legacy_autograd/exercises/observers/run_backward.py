"""The probe of exercise 5: programs whose backward the student's engine runs."""

from ...autograd.variable import Variable
from ..programs.running import Run
from .support import engine


def prepared(answer):
    """Return the Run of a program, which makes its own `Engine()`."""
    return Run({"Engine": answer.Engine}, watch=True)


def behaviour(answer, lines):
    """Return what is seen of a program."""
    with engine(Variable._execution_engine):
        return prepared(answer).execute(lines)
