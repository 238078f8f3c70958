"""How the misuses in this folder are written: each is a test that does what a user should not do, and must end well.

A misuse ends well with the correct number or with an error that names the cause. `@gives(15.0)` compares the result of
the test with numbers that are worked out in a comment or by modern torch; `@raises(RuntimeError, "mul_", "(2, 3)")`
expects an error of that class whose message has all of these facts. `fixed=True` marks a misuse that gave something
else before it was fixed; the others were correct from the start.
"""

import functools

import numpy
import pytest

from legacy_autograd.autograd import Variable
from legacy_autograd.tensor import Tensor


def leaf(*numbers):
    """Return a Variable of these numbers that requires a gradient."""
    return Variable(Tensor(numpy.array(numbers, numpy.float64)))


def numbers(result):
    """Return the numbers of a Tensor or a Variable as an array, or those of a sequence of them as one flat array."""
    if isinstance(result, (tuple, list)):
        return numpy.concatenate([numpy.ravel(numbers(part)) for part in result])
    result = result.data if isinstance(result, Variable) else result
    return result.numpy() if isinstance(result, Tensor) else numpy.asarray(result)


def gives(*expected, fixed=False, tolerance=1e-12):
    """Decorate a misuse that must give these numbers, or those that a function returns which is called by the test."""

    def decorate(misuse):
        @functools.wraps(misuse)
        def run(*arguments, **fixtures):
            result = numbers(misuse(*arguments, **fixtures))
            wanted = numpy.ravel(expected[0]() if callable(expected[0]) else expected)
            numpy.testing.assert_allclose(numpy.ravel(result), wanted, rtol=tolerance, atol=tolerance)

        return run

    return decorate


def raises(error, *facts, fixed=False):
    """Decorate a misuse that must raise exactly this class of error, with a message that has these facts."""

    def decorate(misuse):
        @functools.wraps(misuse)
        def run(*arguments, **fixtures):
            with pytest.raises(error) as caught:
                misuse(*arguments, **fixtures)
            # SizeError and its sisters are also the RuntimeError of v0.1.x.
            exact = caught.type is error or caught.type.__bases__ == (error, RuntimeError)
            assert exact, f"{caught.type.__name__}: {caught.value}"
            missing = [fact for fact in facts if fact not in str(caught.value)]
            assert not missing, f"{missing} not in the message: {caught.value}"

        return run

    return decorate
