"""Errors that are both a built-in exception and the RuntimeError that v0.1.x raised for every check in C.

So both a program from 2016-17 that catches RuntimeError and one that names the built-in class catch them.
"""


class SizeError(ValueError, RuntimeError):
    """A shape, or another number among the arguments, does not fit."""


class RangeError(IndexError, RuntimeError):
    """An index or a dimension is out of range."""


class NumberError(TypeError, RuntimeError):
    """An argument is not a number, or not one that the type of the tensor can hold."""
