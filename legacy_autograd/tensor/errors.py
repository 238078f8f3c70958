"""Errors that are both what Python calls them and the RuntimeError that v0.1.x raised for every check in C.

So a program from 2016-17 that catches RuntimeError catches them, and so does one that names the class.
"""


class SizeError(ValueError, RuntimeError):
    """The sizes, or another number among the arguments, do not fit."""


class RangeError(IndexError, RuntimeError):
    """An index or a dimension is out of range."""


class NumberError(TypeError, RuntimeError):
    """A number was expected, and something else came, or a number that the type of the tensor cannot hold."""
