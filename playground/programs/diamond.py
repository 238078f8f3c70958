import legacy_autograd as torch
from legacy_autograd import drawing
from legacy_autograd.autograd import Variable

x = Variable(torch.Tensor([2]))
y = Variable(torch.Tensor([3]))
z = x * y + (x + y)

drawing.trace_backward(z)
