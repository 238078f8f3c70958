import legacy_autograd as torch
from legacy_autograd import drawing
from legacy_autograd.autograd import Variable


class Mine:
    def run_backward(self, variable, grad):
        self.visit(variable.creator, grad)

    def visit(self, fn, grad):
        for (prev_fn, _), gradient in zip(fn.previous_functions, fn._do_backward(grad)):
            if prev_fn.requires_grad and gradient is not None:
                self.visit(prev_fn, gradient)


# The graph
x, y = Variable(torch.Tensor([2])), Variable(torch.Tensor([3]))
fine = x * y * 2  # no fault is seen on this graph
z = x * y + (x + y)

drawing.compare_engines(z, engine=Mine)
