"""`Run`: one run of a program in one of the two packages as plain data: operations, values, gradients and results.

Both recorders fill it: `legacy_recorder.py` from the core's callbacks, `torch_recorder.py` from modern torch's hooks. A
`Run` contains no object of either package, so another process can send it.
"""

import functools
import os
import random as python_random
import sys
import zlib
from collections import Counter
from dataclasses import dataclass, field

import numpy

from ..drawing.expressions import place_in_source
from ..tensor import Tensor, random

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


@dataclass
class Node:
    """An operation, or a leaf that requires a gradient.

    `outputs` are the recorded values as {output number: array}. `gradients` contains for each backward through the node
    the pair (gradients of its outputs, gradients of its inputs), each {number: array or None}.
    """

    name: str
    position: tuple = ()  # of the call in the program; see `position`
    inputs: list = field(default_factory=list)  # (index of the node that made it, output number), or None
    is_leaf: bool = False
    label: str | None = None  # the program's name for a leaf
    outputs: dict = field(default_factory=dict)
    gradients: list = field(default_factory=list)
    generators: dict = field(default_factory=dict)  # afterwards; see `generator_states`

    @property
    def title(self):
        """For example 'Mul', or 'W' for a leaf with that name."""
        return self.label or self.name


@dataclass
class Draw:
    """Random numbers that only one of the runs can draw, from `source`, before the node number `node` was recorded."""

    source: str
    position: tuple
    node: int


@dataclass
class Run:
    """The record of a program: `nodes` in the order of their creation, `results` by name, `grads` of leaves."""

    world: str  # "legacy_autograd", or torch with its version
    nodes: list = field(default_factory=list)
    roots: list = field(default_factory=list)  # the index of the node of each backward
    generators_at_roots: list = field(default_factory=list)  # the states of the generators after each backward
    generators_at_end: dict = field(default_factory=dict)
    results: dict = field(default_factory=dict)  # {name: array}
    numbers: dict = field(default_factory=dict)  # {name: plain number or array} of a script's variables
    grads: dict = field(default_factory=dict)  # {name or index of a leaf: its accumulated grad or None}
    sizes: Counter = field(default_factory=Counter)  # of results: {() or (1,): count}
    remarks: Counter = field(default_factory=Counter)  # {difference: count}
    is_cut: bool = False  # whether the recording ended before the program, after the requested number of backwards
    unrecorded: int = 0  # operations that require no gradient
    unshared: list = field(default_factory=list)  # random draws that the other run cannot repeat: `Draw`s
    printed: str = ""

    @functools.cached_property
    def users(self):
        """{(index of a node, number of its output): [(index of the node that uses it, its input), …]}."""
        found = {}
        for index, node in enumerate(self.nodes):
            for place, edge in enumerate(node.inputs):
                if edge is not None:
                    found.setdefault(tuple(edge), []).append((index, place))
        return found


def generator_states():
    """Return {name: checksum of the state} of the generators that both runs use; "torch" is legacy_autograd's."""
    state = numpy.random.get_state(legacy=False)
    return {
        "torch": zlib.crc32(random.default_generator.get_state().array),
        "numpy.random": zlib.crc32(state["state"]["key"], state["state"]["pos"] + 1000 * state["has_gauss"]),
        "Python's random": hash(python_random.getstate()[1]),
    }


def position(frame, start):
    """Return the position in the program: (file, line, column, last line, last column) of each frame below `start`.

    The position is that of the expression in the program's text. Frames of legacy_autograd and of modern torch are left
    out, so an expression has the same position in both runs.
    """
    return tuple([place_in_source(inner) for inner in _frames_of_program(frame, start)])


def _frames_of_program(frame, start):
    """Return the frames from `start` inwards to `frame` that run a line of the program."""
    frames = []
    while frame is not None and frame is not start:
        if is_of_program(frame):
            frames.append(frame)
        frame = frame.f_back
    return frames[::-1]


def is_of_program(frame):
    """Return whether a frame runs a line of the program, not of a library."""
    name = frame.f_code.co_filename
    if name.startswith("<frozen") or name.startswith(_PACKAGE):
        return False
    return not name.startswith(_modern_folder())


def is_of_torch(frame):
    """Return whether a frame runs a line of modern torch."""
    return frame.f_code.co_filename.startswith(_modern_folder())


def _modern_folder():
    modern = sys.modules.get("torch")
    file = getattr(modern, "__file__", None)
    if file is None or file.startswith(_PACKAGE):
        return "\0"  # no file starts with it
    return os.path.dirname(file) + os.sep


def named_values(namespace, kind):
    """Yield (name, value) of all objects of the class `kind` in a namespace, its lists, dictionaries and modules."""
    for name, value in list(namespace.items()):
        if not isinstance(name, str) or name.startswith("_"):
            continue
        if isinstance(value, kind):
            yield name, value
        elif isinstance(value, (list, tuple)):
            yield from ((f"{name}[{i}]", item) for i, item in enumerate(value) if isinstance(item, kind))
        elif isinstance(value, dict):
            yield from ((f"{name}[{key!r}]", item) for key, item in value.items() if isinstance(item, kind))
        elif not isinstance(value, type) and callable(getattr(type(value), "named_parameters", None)):
            yield from ((f"{name}.{path}", parameter) for path, parameter in value.named_parameters())


class Recorder:
    """The common part of the two recorders: it numbers nodes and names leaves."""

    kind = object  # the class of a Variable in this world

    def __init__(self, world, most_backwards=None):
        self.run = Run(world)
        self.most_backwards = most_backwards  # after these, the program is not recorded; None: record all
        self.is_full = False
        self.index = {}  # {the world's own node: its index in run.nodes}
        self.start = None  # the program runs below this frame

    def add(self, own, node):
        """Append `node` for the package's `own` node, which is kept alive so that its id stays unique."""
        self.index[own] = len(self.run.nodes)
        node.generators = generator_states()
        self.run.nodes.append(node)
        return node

    def note_unshared(self, source, place):
        """Record that the program drew random numbers from a `source` that legacy_autograd does not have."""
        self.run.unshared.append(Draw(source, place, len(self.run.nodes)))

    def node_of(self, own):
        """Return the Node of an own node, or None if its creation was not recorded."""
        index = self.index.get(own)
        return None if index is None else self.run.nodes[index]

    def add_root(self, own):
        """Record that backward ran from `own`; stop recording after the last requested backward."""
        if own in self.index:
            self.run.roots.append(self.index[own])
            self.run.generators_at_roots.append(generator_states())
        if self.most_backwards is not None and len(self.run.roots) >= self.most_backwards:
            self.run.is_cut = True
            self.finish()

    def finish(self):
        """Read the gradients of the leaves and release the graph. A second call has no effect."""
        if not self.is_full:
            self.is_full = True
            self.read_grads()
            self.index = {}

    def read_grads(self):
        """Store the gradients of the leaves in the run."""
        raise NotImplementedError

    def label(self, value, frame):
        """Return the program's name for `value`, from the outermost of its frames that has one.

        For example 'x', 'xs[0]' or 'model.fc1.weight'. None if no frame has a name for it.
        """
        for outer in _frames_of_program(frame, self.start):
            for name, found in named_values(outer.f_locals, self.kind):
                if found is value:
                    return name
        return None


def collect(recorder, namespace, numbers=True):
    """Store the numbers that the program returned, or those of a script's variables, in the recorder's run.

    `numbers=False` stores plain numbers and arrays apart: in a script they may be times and counters.
    """
    run = recorder.run
    run.generators_at_end = generator_states()
    for name, value in namespace.items():
        for path, array, is_tensor in _arrays(name, value, recorder.kind):
            if is_tensor or numbers:
                run.results[path] = array
                if array.size == 1:
                    run.sizes[array.shape] += 1
            else:
                run.numbers[path] = array


def _arrays(name, value, kind):
    """Yield (path, array, whether it is a tensor) of all numbers in `value`."""
    if isinstance(value, (kind, Tensor)):
        data = value.data
        yield name, data.array.copy() if isinstance(data, Tensor) else data.detach().cpu().numpy().copy(), True
    elif isinstance(value, (int, float, numpy.ndarray, numpy.number)) and not isinstance(value, bool):
        yield name, numpy.array(value), False
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _arrays(f"{name}[{key!r}]", item, kind)
    elif isinstance(value, (list, tuple)):
        for number, item in enumerate(value):
            yield from _arrays(f"{name}[{number}]", item, kind)
    elif callable(getattr(type(value), "named_parameters", None)):
        for key, parameter in value.named_parameters():
            yield from _arrays(f"{name}.{key}", parameter, kind)
