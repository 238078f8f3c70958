"""Sequences of different lengths in one batch (v0.1.10)."""

from collections import namedtuple
from collections.abc import Sequence

import numpy

from ...autograd.functions import cat
from ...autograd.variable import Variable
from ...tensor.wrapping import wrap

PackedSequence = namedtuple("PackedSequence", "data batch_sizes")
PackedSequence.__doc__ = """Several sequences in descending order of length, without padding.

`data` (rows, …) holds the first step of all sequences, then the second step of all that have one, and so on.
`batch_sizes` holds the number of sequences at each step.
"""


def pack_padded_sequence(input: Variable, lengths: Sequence[int], batch_first: bool = False) -> PackedSequence:
    """Return the PackedSequence of padded sequences.

    Args:
        input: A Variable (T, N, …).
        lengths: The N lengths, in descending order.
        batch_first: Whether `input` is (N, T, …) instead.

    Raises:
        ValueError: If there are not N lengths from 1 to T, in descending order.

    Example:
        >>> padded = Variable(torch.Tensor([[1, 2], [3, 0]]))
        >>> torch.nn.utils.rnn.pack_padded_sequence(padded, [2, 1]).data.data.tolist()
        [1.0, 2.0, 3.0]
    """
    steps = input.transpose(0, 1) if batch_first else input
    longest, batch = steps.size(0), steps.size(1)
    lengths = [int(length) for length in lengths]
    if len(lengths) != batch or any([a < b for a, b in zip(lengths, lengths[1:])]):
        raise ValueError(
            f"pack_padded_sequence: expected {batch} lengths in descending order, one for each sequence, got {lengths}"
        )
    if lengths and not 0 < lengths[-1] <= lengths[0] <= longest:
        raise ValueError(f"pack_padded_sequence: lengths must be between 1 and {longest}, got {lengths}")
    sizes = [sum([length > t for length in lengths]) for t in range(max(lengths, default=0))]
    rows = numpy.concatenate([t * batch + numpy.arange(size, dtype=numpy.int64) for t, size in enumerate(sizes)])
    flat = steps.contiguous().view(longest * batch, *steps.size()[2:])
    return PackedSequence(flat.index_select(0, wrap(rows)), sizes)


def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0
) -> tuple[Variable, list[int]]:
    """Return the padded sequences of a PackedSequence, and the list of their lengths.

    Args:
        sequence: The PackedSequence.
        batch_first: Whether the result is (N, T, …) instead of (T, N, …).
        padding_value: The number after the end of each sequence.
    """
    data, sizes = sequence
    longest, batch = len(sizes), sizes[0]
    lengths = [sum([size > n for size in sizes]) for n in range(batch)]
    # The padding is an additional row, selected for each step after the end of a sequence.
    count = data.size(0)
    rows = numpy.full((longest, batch), count, numpy.int64)
    rows[numpy.arange(batch) < numpy.array(sizes)[:, None]] = numpy.arange(count)
    padding = Variable(data.data.new(1, *data.size()[1:]).fill_(padding_value), requires_grad=False)
    padded = cat([data, padding], 0).index_select(0, wrap(rows.ravel())).view(longest, batch, *data.size()[1:])
    return padded.transpose(0, 1) if batch_first else padded, lengths
