import legacy_autograd as torch
from legacy_autograd.autograd import Variable

a = Variable(torch.Tensor([2.0]))
b = Variable(torch.Tensor([5.0]))
loss = 3 * a**3 - b**2
loss.backward()

print("a.grad =", a.grad[0])
print("b.grad =", b.grad[0])
print(type(loss.creator).__name__)
[type(f).__name__ for f, _ in loss.creator.previous_functions]
