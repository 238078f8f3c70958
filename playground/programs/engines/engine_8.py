import legacy_autograd as torch
from legacy_autograd import drawing
from legacy_autograd.autograd import Function, Variable


class Second(Function):
    """A copy of its second operand."""

    def forward(self, first, second):
        return second.clone()

    def backward(self, grad_output):
        return None, grad_output


class Mine:
    def run_backward(self, variable, grad):
        uses = self.count_uses(variable.creator)
        ready, not_ready = [(variable.creator, grad)], {}
        while ready:
            fn, grad = ready.pop()
            for (prev_fn, _), gradient in zip(fn.previous_functions, fn._do_backward(grad)):
                if not prev_fn.requires_grad:
                    continue
                if gradient is None:
                    continue
                uses[prev_fn] -= 1
                before = not_ready.get(prev_fn)
                not_ready[prev_fn] = gradient if before is None else before + gradient
                if uses[prev_fn] == 0 and prev_fn in not_ready:
                    ready.append((prev_fn, not_ready.pop(prev_fn)))

    def count_uses(self, root):
        uses, seen, queue = {}, {root}, [root]
        for fn in queue:
            for prev_fn, _ in fn.previous_functions:
                if prev_fn.requires_grad:
                    uses[prev_fn] = uses.get(prev_fn, 0) + 1
                    if prev_fn not in seen:
                        seen.add(prev_fn)
                        queue.append(prev_fn)
        return uses


# The graph
x, y = Variable(torch.Tensor([2])), Variable(torch.Tensor([3]))
fine = x * y + (x + y)  # no fault is seen on this graph
z = Second()(x * 5, x)[0]

drawing.compare_engines(z, engine=Mine)
