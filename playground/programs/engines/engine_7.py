import legacy_autograd as torch
from legacy_autograd import drawing
from legacy_autograd.autograd import Function, Variable


class Pair(Function):
    """x * 2 and x * 3."""

    def forward(self, x):
        return x * 2, x * 3

    def backward(self, of_double, of_triple):
        return of_double * 2 + of_triple * 3


class Mine:
    def run_backward(self, variable, grad):
        root = variable.creator
        uses = self.count_uses(root)
        ready, not_ready = [(root, [grad])], {}
        while ready:
            fn, gradients = ready.pop()
            for (prev_fn, _), gradient in zip(fn.previous_functions, fn._do_backward(*self.filled(fn, gradients))):
                if not prev_fn.requires_grad:
                    continue
                uses[prev_fn] -= 1
                waiting = not_ready.setdefault(prev_fn, [])
                if gradient is not None:
                    waiting.append(gradient)
                if uses[prev_fn] == 0 and waiting:
                    ready.append((prev_fn, not_ready.pop(prev_fn)))

    def filled(self, fn, gradients):
        outputs = len(fn.output_ids)
        if outputs == 1:
            return [sum(gradients[1:], gradients[0])]
        zeros = [gradients[0] * 0] * outputs
        return (gradients + zeros)[:outputs]

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
x = Variable(torch.Tensor([1]))
double, triple = Pair()(x)
fine = double + triple  # no fault is seen on this graph
z = triple * 5

drawing.compare_engines(z, engine=Mine)
