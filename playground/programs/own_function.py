import legacy_autograd as torch
from legacy_autograd.autograd import Function, Variable, gradcheck


class Cube(Function):
    def forward(self, x):
        self.save_for_backward(x)
        return x * x * x

    def backward(self, grad_output):
        (x,) = self.saved_tensors
        return grad_output * 3 * x * x


x = Variable(torch.Tensor([1, 2, 3]))
(y,) = Cube()(x)
y.sum().backward()
print("x.grad =", x.grad.tolist())
print("gradcheck:", gradcheck(lambda x: Cube()(x)[0], (x,)))
