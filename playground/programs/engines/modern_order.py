import legacy_autograd as torch
from legacy_autograd import drawing
from legacy_autograd.autograd import Variable

# The graph
with drawing.record():  # it records in which order the Functions are made
    x, y = Variable(torch.Tensor([2])), Variable(torch.Tensor([3]))
    product = x * y
    total = x + y
    z = total * product + y * 2

drawing.compare_engines(z, engine=drawing.ModernOrderEngine)
