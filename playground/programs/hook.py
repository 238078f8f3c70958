import legacy_autograd as torch
from legacy_autograd.autograd import Variable


def show(grad_input, grad_output):
    print("y receives", grad_output.tolist())


x = Variable(torch.Tensor([1, 2]))
y = x * x
y.register_hook("show", show)
z = (y * 3 + y).sum()
z.backward()

print("x.grad =", x.grad.tolist())
