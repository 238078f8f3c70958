import legacy_autograd as torch
from legacy_autograd import drawing
from legacy_autograd.autograd import Function, Variable


class SumAndProduct(Function):
    def forward(self, a, b):
        self.save_for_backward(a, b)
        return a + b, a * b

    def backward(self, grad_sum, grad_product):
        a, b = self.saved_tensors
        return grad_sum + grad_product * b, grad_sum + grad_product * a


x = Variable(torch.Tensor([2]))
y = Variable(torch.Tensor([3]))
total, product = SumAndProduct()(x, y)

drawing.trace_backward(total * 10 + product)
