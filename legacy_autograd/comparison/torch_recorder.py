"""The recorder for modern torch: it turns a program's operations into a `Run`, by torch's own hooks.

A torch function mode sees every call of the program, and so the resulting tensors and their nodes. A hook on every node
sees its gradients.
"""

import contextlib
import sys

from ._torch import modern_torch
from .random_draws import DrawsOfTorch
from .recording import Node, Recorder, is_of_torch, position
from .translate_calls import Spelling

torch = modern_torch()


class Modern(Recorder):
    """Records while `recording()` is active. `spelling` translates the program's calls from v0.1.x."""

    kind = torch.Tensor

    def __init__(self, era, modules_here=(), most_backwards=None):
        super().__init__(f"torch {torch.__version__.partition('+')[0]}", most_backwards)
        self.spelling = Spelling(era, self.run.remarks, modules_here)
        self._kept = []  # tensors, kept alive so that their ids are not reused

    @contextlib.contextmanager
    def recording(self):
        """Record every call that starts below the calling frame."""
        self.start = sys._getframe(2)
        with self.spelling.spoken(), DrawsOfTorch(self), _Mode(self):
            yield self
        self.finish()

    def call(self, function, arguments, keywords, frame):
        """Run one call with its v0.1.x meaning, and record the resulting nodes."""
        if frame.f_code.co_name == "handle_torch_function":
            # The caller of a function of torch written in Python, which invokes the mode itself.
            frame = frame.f_back.f_back
        if is_of_torch(frame) and not self.spelling.draws(function):
            result = function(*arguments, **keywords)  # a line of torch itself, which needs no translation
        else:
            roots = arguments[:1] if getattr(function, "__name__", "") == "backward" and not self.is_full else ()
            roots = [tensor for tensor in _tensors(roots) if tensor.requires_grad]
            for tensor in roots:
                self._note(tensor, frame)
            result = self.spelling.call(function, arguments, keywords)
            for tensor in roots:
                self.add_root(_node(tensor))
        self._note_all(result, frame)
        return result

    def note(self, result, frame):
        """Record the result of a Function that the program defines; the function mode does not see such calls."""
        # The mode is active, but the following calls do not belong to the program.
        with torch._C.DisableTorchFunction():
            self._note_all(result, frame)

    def _note_all(self, result, frame):
        if not self.is_full and torch.is_grad_enabled():
            for tensor in _tensors(result):
                if tensor.requires_grad and not tensor.is_leaf:
                    self._note(tensor, frame)

    def _note(self, tensor, frame):
        """Record the node behind `tensor`, after all unrecorded nodes behind it."""
        own = _node(tensor)
        if own not in self.index:
            self._add_behind(own, frame)
        node = self.node_of(own)
        if not node.is_leaf:
            node.outputs.setdefault(tensor.output_nr, _array(tensor))
        self._kept.append(tensor)

    def _add_behind(self, own, frame):
        """Record `own` and every unrecorded node behind it, in the order of their creation, leaves first."""
        new, queue = {own: None}, [own]  # a dictionary, because the order of a set varies between runs
        while queue:
            for following, _ in queue.pop().next_functions:
                if following is not None and following not in self.index and following not in new:
                    new[following] = None
                    queue.append(following)
        place = position(frame, self.start)
        for node in sorted(new, key=lambda node: (not hasattr(node, "variable"), node._sequence_nr())):
            self._add(node, frame, place)

    def _add(self, own, frame, place):
        node = self.add(own, Node(type(own).__name__))
        variable = getattr(own, "variable", None)
        if hasattr(own, "variable"):
            node.is_leaf, node.label = True, self.label(variable, frame)
            node.outputs[0] = _array(variable)
        else:
            node.position = place
            node.inputs = [None if fn is None else (self.index[fn], number) for fn, number in own.next_functions]

        def note(inputs, outputs):
            if not self.is_full:
                node.gradients.append((_arrays(outputs), _arrays(inputs)))

        own.register_hook(note)

    def read_grads(self):
        for own, index in self.index.items():
            variable = getattr(own, "variable", None)
            if variable is not None:
                grad = variable.grad
                self.run.grads[index] = None if grad is None else _array(grad)


class _Mode(torch.overrides.TorchFunctionMode):  # type: ignore[name-defined]  # torch is imported at run time
    """Passes every call of a torch function to the recorder; torch disables the mode while it runs."""

    def __init__(self, recorder):
        super().__init__()
        self.recorder = recorder

    def __torch_function__(self, function, types, arguments=(), keywords=None):
        return self.recorder.call(function, arguments, keywords or {}, sys._getframe(1))


def _node(tensor):
    """Return the node that backward runs for `tensor`: its grad_fn, or a leaf's AccumulateGrad."""
    return torch.autograd.graph.get_gradient_edge(tensor).node


def _tensors(result):
    if isinstance(result, torch.Tensor):
        return [result]
    if isinstance(result, (list, tuple)):
        return [tensor for item in result for tensor in _tensors(item)]
    return []


def _array(tensor):
    return tensor.detach().cpu().numpy().copy()


def _arrays(gradients):
    return {number: None if gradient is None else _array(gradient) for number, gradient in enumerate(gradients)}
