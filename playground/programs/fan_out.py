import legacy_autograd as torch
from legacy_autograd import drawing
from legacy_autograd.autograd import Variable

a = Variable(torch.Tensor([1]))
b = a + a
c = b + b
d = c * a

drawing.trace_backward(d)
