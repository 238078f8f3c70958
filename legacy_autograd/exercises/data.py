"""Points to train on, made by a formula."""

import numpy

from ..tensor import DoubleTensor

CLASSES = 3


def spirals(seed, count=100):
    """Points on the arms of a spiral: a Tensor of size (3 * count, 2), and a list of the arms, 0, 1 and 2.

    No straight line tells the arms apart. Another seed gives other points of the same arms.
    """
    random = numpy.random.default_rng(seed)
    radius = numpy.tile(numpy.linspace(0.15, 1, count), CLASSES)
    arm = numpy.repeat(numpy.arange(CLASSES), count)
    angle = 4 * radius + arm * 2 * numpy.pi / CLASSES + random.normal(0, 0.15, len(arm))
    points = numpy.stack([radius * numpy.sin(angle), radius * numpy.cos(angle)], 1)
    return DoubleTensor(points), arm.tolist()
