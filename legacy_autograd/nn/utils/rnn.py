"""Sequences of different length in one batch (v0.1.9)."""

from collections import namedtuple

import numpy

from ...autograd.functions import cat
from ...autograd.variable import Variable
from ...tensor._helpers import wrap

PackedSequence = namedtuple("PackedSequence", "data batch_sizes")
PackedSequence.__doc__ = """The steps of several sequences, the longest first, without their padding.

`data` (rows, …) holds the first step of all of them, then the second of all that have one, and so on; `batch_sizes`
says how many those are.
"""


def pack_padded_sequence(input, lengths, batch_first=False):
    """The PackedSequence of a padded `input`, (T, N, …) or with `batch_first` (N, T, …).

    `lengths` is a list of N lengths, the longest first. Raises ValueError if it is not, or holds one that is no length.
    """
    steps = input.transpose(0, 1) if batch_first else input
    longest, batch = steps.size(0), steps.size(1)
    lengths = [int(length) for length in lengths]
    if len(lengths) != batch or any([a < b for a, b in zip(lengths, lengths[1:])]):
        raise ValueError(
            f"pack_padded_sequence: expected {batch} lengths, one for each sequence, the longest first, got {lengths}"
        )
    if lengths and not 0 < lengths[-1] <= lengths[0] <= longest:
        raise ValueError(f"pack_padded_sequence: lengths must be between 1 and {longest}, got {lengths}")
    sizes = [sum([length > t for length in lengths]) for t in range(max(lengths, default=0))]
    rows = numpy.concatenate([t * batch + numpy.arange(size) for t, size in enumerate(sizes)])
    flat = steps.contiguous().view(longest * batch, *steps.size()[2:])
    return PackedSequence(flat.index_select(0, wrap(rows)), sizes)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0):
    """The padded Variable (T, N, …), or with `batch_first` (N, T, …), of a PackedSequence, and the list of lengths."""
    data, sizes = sequence
    longest, batch = len(sizes), sizes[0]
    lengths = [sum([size > n for size in sizes]) for n in range(batch)]
    # The padding is one more row, which is looked up wherever a sequence has ended.
    count = data.size(0)
    rows = numpy.full((longest, batch), count)
    rows[numpy.arange(batch) < numpy.array(sizes)[:, None]] = numpy.arange(count)
    padding = Variable(data.data.new(1, *data.size()[1:]).fill_(padding_value), requires_grad=False)
    padded = cat([data, padding], 0).index_select(0, wrap(rows.ravel())).view(longest, batch, *data.size()[1:])
    return padded.transpose(0, 1) if batch_first else padded, lengths
