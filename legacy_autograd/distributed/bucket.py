"""`Bucket`: several gradients in one message, because one large message is faster than many small ones."""

import numpy

from ..tensor.wrapping import wrap


def fill_buckets(parameters, most_bytes):
    """Return `[(name, Parameter)]` in buckets of about `most_bytes` and one type, in the order of backward.

    That is roughly the reverse of the order of registration, which is roughly the order of forward.
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
    """The gradients of some parameters, one after another in one array, which MPI sums over the ranks in place.

    After the gradients there is one number for each parameter: 1 if its gradient changed in this rank since the last
    sum, else 0. Their sums tell which parameters no rank has used. The `grad` of these must not change (it may be
    None).
    """

    def __init__(self, number, named_parameters):
        self.number = number
        self.names = [name for name, _ in named_parameters]
        self.parameters = [parameter for _, parameter in named_parameters]
        self.dtype = self.parameters[0].data.array.dtype
        self.shapes = [parameter.data.array.shape for parameter in self.parameters]
        ends = numpy.cumsum([parameter.data.array.size for parameter in self.parameters]).tolist()
        # MPI has no half precision; it is sent as float.
        self.buffer = numpy.zeros(ends[-1] + len(ends), numpy.result_type(self.dtype, numpy.float32))
        self.slots = [self.buffer[start:end].reshape(shape) for start, end, shape in zip([0, *ends], ends, self.shapes)]
        self.flags = self.buffer[ends[-1] :]
        self.touched = [False] * len(ends)  # whether a gradient arrived since the last sum, also under no_sync
        self.open()

    def open(self):
        """Prepare for the gradients of another backward."""
        self.arrived = [False] * len(self.parameters)
        self.request = None  # of the pending sum

    def put(self, place, grad):
        """Store the gradient of one parameter, added to what its `grad` contains.

        The hook runs before the Leaf adds the gradient, so the sum is computed here: it is what `grad` will be.
        """
        before = self.parameters[place]._grad
        if before is None:
            self.slots[place][...] = grad
        else:
            numpy.add(before.data.array, grad, out=self.slots[place], casting="same_kind")
        self.arrived[place] = True

    def is_complete(self):
        """Return whether the gradients of all parameters have arrived."""
        return all(self.arrived)

    def complete(self):
        """Fill in gradients that have not arrived in this backward, with `grad` or zeros, and set the flags."""
        for place, parameter in enumerate(self.parameters):
            if not self.arrived[place]:
                self.slots[place][...] = 0 if parameter._grad is None else parameter._grad.data.array
        self.flags[...] = self.touched

    def write_averages(self, ranks):
        """Divide the sums by the number of `ranks`, and make each the `grad` of its parameter. All ranks agree."""
        for place, parameter in enumerate(self.parameters):
            if self.flags[place] == 0:
                continue
            average = self.slots[place] / ranks
            if parameter._grad is None:
                parameter._grad = parameter.data.new(parameter.data.size())
            parameter._grad.data.copy_(wrap(average))
            self.touched[place] = False
