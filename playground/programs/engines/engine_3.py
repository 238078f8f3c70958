import legacy_autograd as torch
from legacy_autograd import drawing
from legacy_autograd.autograd import Variable


class Mine:
    def run_backward(self, variable, grad):
        waits_for = self.count(variable.creator)
        ready, not_ready = [(variable.creator, grad)], {}
        while ready:
            fn, grad = ready.pop()
            for (prev_fn, _), gradient in zip(fn.previous_functions, fn._do_backward(grad)):
                if not prev_fn.requires_grad:
                    continue
                waits_for[prev_fn].discard(fn)
                if gradient is not None:
                    before = not_ready.get(prev_fn)
                    not_ready[prev_fn] = gradient if before is None else before + gradient
                if not waits_for[prev_fn] and prev_fn in not_ready:
                    ready.append((prev_fn, not_ready.pop(prev_fn)))

    def count(self, root):
        waits_for, seen, queue = {}, {root}, [root]
        for fn in queue:
            for prev_fn, _ in fn.previous_functions:
                if prev_fn.requires_grad:
                    waits_for.setdefault(prev_fn, set()).add(fn)
                    if prev_fn not in seen:
                        seen.add(prev_fn)
                        queue.append(prev_fn)
        return waits_for


# The graph
x, y = Variable(torch.Tensor([2])), Variable(torch.Tensor([3]))
fine = x * y + (x + y)  # no fault is seen on this graph
z = x * x + y

drawing.compare_engines(z, engine=Mine)
