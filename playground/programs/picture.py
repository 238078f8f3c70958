import legacy_autograd as torch
from legacy_autograd import drawing
from legacy_autograd.autograd import Variable

W = Variable(torch.Tensor([[1, -2], [0.5, 3]]))
x = Variable(torch.Tensor([[3], [1]]), requires_grad=False)
loss = torch.sum(torch.abs(torch.mm(W, x)))

drawing.make_dot(loss, show_values=True, legend=True)
