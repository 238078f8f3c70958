"""The recorder for legacy_autograd: it turns a program's operations into a `Run`, by the core's callbacks."""

import contextlib
import operator
import sys

from ..autograd import callbacks
from ..autograd.leaf import Leaf
from ..autograd.variable import Variable
from ..backends import cudnn
from ..utils.hooks import RemovableHandle
from .recording import Node, Recorder, position


class Here(Recorder):
    """Records while `recording()` is active."""

    kind = Variable

    def __init__(self, most_backwards=None):
        super().__init__("legacy_autograd", most_backwards)
        self._kept = []  # leaf Variables, which their Leaf does not keep alive; their grad is read at the end

    @contextlib.contextmanager
    def recording(self):
        """Record every call and backward that start below the calling frame. Recurrent layers run step by step."""
        self.start = sys._getframe(2)
        with contextlib.ExitStack() as at_the_end:
            at_the_end.callback(self.finish)
            at_the_end.enter_context(cudnn.flags(enabled=False))
            for event, callback in (
                (callbacks.around_call, self._call),
                (callbacks.around_backward, self._backward),
                (callbacks.backward_ended, self._ended),
            ):
                at_the_end.enter_context(event.within(callback))
            yield self

    def _call(self, function, proceed, *variables):
        output = proceed(*variables)
        if self.is_full:
            return output
        if not function.requires_grad:
            self.run.unrecorded += 1
            return output
        frame = sys._getframe(1)
        node = Node(type(function).__name__, position(frame, self.start))
        for variable in variables:
            creator = variable.creator
            if not creator.requires_grad:
                node.inputs.append(None)
                continue
            if creator not in self.index:
                self._add_unseen(creator, variable, frame)
            node.inputs.append((self.index[creator], variable.output_nr))
        if function in self.index:  # called again: its earlier call remains a separate node
            self.index[_EarlierCall()] = self.index.pop(function)
        self.add(function, node)
        for variable in output:
            if variable.creator is function:
                node.outputs[variable.output_nr] = variable.data.array.copy()
        return output

    def _add_unseen(self, creator, variable, frame):
        """Add a leaf at its first use, or the result of an operation that ran before the recording."""
        is_leaf = isinstance(creator, Leaf)
        node = Node(type(creator).__name__, is_leaf=is_leaf)
        node.label = self.label(variable, frame) if is_leaf else None
        node.outputs[0] = variable.data.array.copy()
        self._kept.append(variable)
        self.add(creator, node)

    def _backward(self, function, proceed, *gradients):
        node = self.node_of(function)
        if node is None:
            return proceed(*gradients)
        seen = dict(enumerate(map(_copied, gradients)))
        observers = []
        if function._variable_hooks:
            # Hooks may replace a gradient. Modern torch shows the result, so the last hook reads it.
            for number in range(len(gradients)):
                look = (lambda gradient, number=number: seen.update({number: _copied(gradient)}), number)
                observers.append(RemovableHandle.put(function, "_variable_hooks", look))
        try:
            result = proceed(*gradients)
        finally:
            for observer in observers:
                observer.remove()
        node.gradients.append((seen, dict(enumerate(map(_copied, result)))))
        return result

    def _ended(self, root):
        if not self.is_full:
            self.add_root(root)

    def read_grads(self):
        """Read the gradients of the leaves, and remove calls whose results were detached afterwards (by no_grad)."""
        run = self.run
        kept = {}
        for own, index in sorted(self.index.items(), key=operator.itemgetter(1)):
            if own.requires_grad:
                kept[index] = len(kept)
            elif not run.nodes[index].is_leaf:
                run.unrecorded += 1
            if isinstance(own, Leaf) and own.requires_grad:
                grad = None if own.variable is None else own.variable._grad
                run.grads[kept[index]] = _copied(grad)
        run.nodes = [run.nodes[index] for index in kept]
        for node in run.nodes:
            edges = [None if edge is None or edge[0] not in kept else edge for edge in node.inputs]
            node.inputs = [None if edge is None else (kept[edge[0]], edge[1]) for edge in edges]
        run.roots = [kept[index] for index in run.roots if index in kept]


class _EarlierCall:
    """Replaces a Function that was called again; it requires a gradient, since the call had a node."""

    requires_grad = True


def _copied(gradient):
    return None if gradient is None else gradient.data.array.copy()
