import legacy_autograd as torch
from legacy_autograd import drawing
from legacy_autograd.autograd import Variable, grad

x = Variable(torch.Tensor([2]))
y = x**4

(first,) = grad(y, x, create_graph=True)
(second,) = grad(first, x)
print("first derivative ", first.data[0])
print("second derivative", second[0])

drawing.make_dot(first, show_values=True)
