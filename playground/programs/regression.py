import legacy_autograd as torch
from legacy_autograd import drawing
from legacy_autograd.autograd import Variable
from legacy_autograd.demos import datasets

x, y = datasets.load_norris()
x = Variable(torch.from_numpy(x / 1000).view(1, -1), requires_grad=False)
y = Variable(torch.from_numpy(y / 1000).view(1, -1), requires_grad=False)
W = Variable(torch.zeros(1, 1))

for step in range(200):
    loss = torch.sum(torch.abs(torch.mm(W, x) - y))
    loss.backward()
    if step % 20 == 0 or step == 199:
        print(f"step {step:3}: loss {loss.data[0]:.4f}, W {W.data[0, 0]:.4f}")
    W.data -= W.grad * 0.001
    W.grad.zero_()

drawing.make_dot(loss)
