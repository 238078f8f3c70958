"""The tensors that a Function keeps for backward, as the orange notes of a picture show them."""

import itertools

from ..tensor import Tensor
from .labels import size_text, values_text


def notes_of(function, shown=(), with_values=False):
    """Return the lines of each note: what the tensor is, its shape, and its numbers if `with_values`.

    Tensors of one shape are combined, unless their numbers are shown. Attributes whose names are in `shown` are left
    out: the node shows them.
    """
    saved = _saved_by(function, shown)
    notes = []
    for title, *tensors in saved if with_values else _together(saved):
        size = f"{size_text(tensors[0].array.shape)}{' each' if len(tensors) > 1 else ''}"
        notes.append([title, size] + ([values_text(tensors[0])] if with_values else []))
    return notes


def _saved_by(function, shown):
    """Return [(title, tensor)] of what `function` keeps: by `save_for_backward`, or as its attribute, as in 2016."""
    saved = {}
    if function._saved:
        names = getattr(function, "_saved_names", ())
        for tensor, position, name in itertools.zip_longest(function._saved, function._saved_positions, names):
            title = f"saved: {name}" if name else "saved"
            if isinstance(position, int):
                title = f"saved: {f'input {position}' if position >= 0 else f'output {-1 - position}'}"
            if tensor is not None:
                saved.setdefault(id(tensor), (title, tensor))  # x * x saves x twice
    kept = [(name, value) for name, value in vars(function).items() if isinstance(value, Tensor) and name not in shown]
    return [*saved.values()] + [(f"kept: {name}", value) for name, value in kept]


def _together(saved):
    """Return `saved` as (title, tensor, …); tensors of one shape are combined unless they are inputs or outputs."""
    together = {}
    for title, tensor in saved:
        is_own = not title.startswith(("saved: input", "saved: output"))
        key = (title.partition(":")[0], tensor.array.shape) if is_own else title
        together.setdefault(key, []).append((title, tensor))
    return [(_title_of([title for title, _ in same]), *[tensor for _, tensor in same]) for same in together.values()]


def _title_of(titles):
    """Return one title for several saved tensors: "saved: mean, scale", or "2 saved" if they have no names."""
    first, *others = titles
    if not others:
        return first
    return (
        ", ".join([first, *[title.partition(": ")[2] for title in others]])
        if ": " in first
        else f"{len(titles)} {first}"
    )
