import legacy_autograd as torch
from legacy_autograd import drawing
from legacy_autograd.autograd import Variable


class Mine:
    def run_backward(self, variable, grad):
        uses = self.count_uses(variable.creator)
        self.need_copy = {id(grad)}  # the tensors that must not be written into
        ready, not_ready = [(variable.creator, grad)], {}
        while ready:
            fn, grad = ready.pop()
            for (prev_fn, _), gradient in zip(fn.previous_functions, fn._do_backward(grad)):
                if not prev_fn.requires_grad:
                    continue
                uses[prev_fn] -= 1
                if gradient is None:
                    pass
                elif prev_fn in not_ready:
                    not_ready[prev_fn] = self.added(not_ready[prev_fn], gradient)
                else:
                    not_ready[prev_fn] = gradient
                    self.need_copy.add(id(gradient))
                if uses[prev_fn] == 0 and prev_fn in not_ready:
                    ready.append((prev_fn, not_ready.pop(prev_fn)))

    def added(self, waiting, gradient):
        if id(waiting) in self.need_copy:
            self.need_copy.remove(id(waiting))
            waiting = waiting.clone()
        waiting.add_(gradient)
        return waiting

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
a, b = Variable(torch.Tensor([1])), Variable(torch.Tensor([1]))
fine = (a + b) + a  # no fault is seen on this graph
z = b * 7 + (a * b * 5 + (a + b))

drawing.compare_engines(z, engine=Mine)
