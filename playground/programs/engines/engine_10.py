import legacy_autograd as torch
from legacy_autograd import drawing
from legacy_autograd.autograd import Variable


class Mine:
    def run_backward(self, variable, grad):
        gradients = {variable.creator: grad}
        for fn in self.by_distance(variable.creator):
            if fn not in gradients:
                continue
            for (prev_fn, _), gradient in zip(fn.previous_functions, fn._do_backward(gradients[fn])):
                if prev_fn.requires_grad and gradient is not None:
                    before = gradients.get(prev_fn)
                    gradients[prev_fn] = gradient if before is None else before + gradient

    def by_distance(self, root):
        distance, queue = {root: 0}, [root]
        for fn in queue:
            for prev_fn, _ in fn.previous_functions:
                if prev_fn.requires_grad and prev_fn not in distance:
                    distance[prev_fn] = distance[fn] + 1
                    queue.append(prev_fn)
        return sorted(queue, key=distance.get)


# The graph
x, y = Variable(torch.Tensor([2])), Variable(torch.Tensor([3]))
fine = x * y + (x + y)  # no fault is seen on this graph
z = (x * y) * 2 + x

drawing.compare_engines(z, engine=Mine)
