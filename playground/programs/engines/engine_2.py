import legacy_autograd as torch
from legacy_autograd import drawing
from legacy_autograd.autograd import Variable


class Mine:
    def run_backward(self, variable, grad):
        ready = [(variable.creator, grad)]
        while ready:
            fn, grad = ready.pop(0)
            for (prev_fn, _), gradient in zip(fn.previous_functions, fn._do_backward(grad)):
                if prev_fn.requires_grad and gradient is not None:
                    ready.append((prev_fn, gradient))


# The graph
x, y = Variable(torch.Tensor([2])), Variable(torch.Tensor([3]))
fine = x * 5 + y  # no fault is seen on this graph
z = (x + y) * x

drawing.compare_engines(z, engine=Mine)
