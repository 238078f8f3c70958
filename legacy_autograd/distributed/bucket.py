"""`Bucket`: several gradients in one message, because a message costs more than the numbers in it."""

import numpy

from ..tensor._helpers import wrap


def fill_buckets(parameters, most_bytes):
    """`[(name, Parameter)]` in buckets of about `most_bytes`, each of one type, in the order backward will reach them.

    That is about the reverse of the order in which they were registered, which is about that of forward.
    """
    groups = []
    for name, parameter in reversed(parameters):
        array = parameter.data.array
        if groups and groups[-1][0][1].data.array.dtype == array.dtype:
            filled = sum(other.data.array.nbytes for _, other in groups[-1])
            if filled + array.nbytes <= most_bytes:
                groups[-1].append((name, parameter))
                continue
        groups.append([(name, parameter)])
    return [Bucket(number, group) for number, group in enumerate(groups)]


class Bucket:
    """The gradients of some parameters, one after the other in one array, which MPI sums over the ranks in place.

    After the gradients comes a 1 for each parameter whose gradient changed in this rank since the last sum, else a 0. A
    sum of 0 means that no rank has used the parameter: its `grad` must not change, even if it is None.
    """

    def __init__(self, number, named_parameters):
        self.number = number
        self.names = [name for name, _ in named_parameters]
        self.parameters = [parameter for _, parameter in named_parameters]
        self.dtype = self.parameters[0].data.array.dtype
        self.shapes = [parameter.data.array.shape for parameter in self.parameters]
        ends = numpy.cumsum([parameter.data.array.size for parameter in self.parameters]).tolist()
        # MPI has no half precision: it travels as float.
        self.buffer = numpy.zeros(ends[-1] + len(ends), numpy.result_type(self.dtype, numpy.float32))
        self.slots = [self.buffer[start:end].reshape(shape) for start, end, shape in zip([0, *ends], ends, self.shapes)]
        self.flags = self.buffer[ends[-1] :]
        self.touched = [False] * len(ends)  # did a gradient arrive since the last sum, under no_sync for example?
        self.open()

    def open(self):
        """Be ready for the gradients of another backward."""
        self.arrived = [False] * len(self.parameters)
        self.request = None  # the sum under way

    def put(self, place, grad):
        """Take the gradient of one parameter, and what its `grad` holds already.

        It is shown before the Leaf adds it, so it is added here too: the sum of these is what `grad` becomes.
        """
        before = self.parameters[place]._grad
        if before is None:
            self.slots[place][...] = grad
        else:
            numpy.add(before.data.array, grad, out=self.slots[place], casting="same_kind")
        self.arrived[place] = True

    def is_complete(self):
        """Has every parameter's gradient arrived?"""
        return all(self.arrived)

    def complete(self):
        """Fill in missing gradients of this backward with the current `grad`, or zeros. Sets the flags."""
        for place, parameter in enumerate(self.parameters):
            if not self.arrived[place]:
                self.slots[place][...] = 0 if parameter._grad is None else parameter._grad.data.array
        self.flags[...] = self.touched

    def write_averages(self, ranks):
        """Make the sums over `ranks` ranks averages, and each the `grad` of its parameter. Every rank gets the same."""
        for place, parameter in enumerate(self.parameters):
            if self.flags[place] == 0:
                continue
            average = self.slots[place] / ranks
            if parameter._grad is None:
                parameter._grad = parameter.data.new(parameter.data.size())
            parameter._grad.data.copy_(wrap(average))
            self.touched[place] = False
