import legacy_autograd as torch
from legacy_autograd import drawing
from legacy_autograd.autograd import Variable


class Mine:
    """Passes each gradient on at once. Let a Function wait for all its gradients, and run once with their sum."""

    def run_backward(self, variable, grad):
        ready = [(variable.creator, grad)]  # (Function, the gradient of its output)
        while ready:
            fn, grad = ready.pop()
            grad_input = fn._do_backward(grad)  # one gradient, or None, for each input
            for (prev_fn, _), grad in zip(fn.previous_functions, grad_input):
                # To do: where is the sum of the gradients that have arrived, and when have all of them?
                if prev_fn.requires_grad and grad is not None:
                    ready.append((prev_fn, grad))


# The graph
x, y = Variable(torch.Tensor([2])), Variable(torch.Tensor([3]))
z = x * y + (x + y)

drawing.compare_engines(z, engine=Mine)
