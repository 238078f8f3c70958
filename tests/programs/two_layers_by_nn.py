# The same network, of modules; updated by hand, by optimizers, and with a forward that draws how often to loop.
import random
import torch
from torch.autograd import Variable


class Looping(torch.nn.Module):
    def __init__(self, inputs, hidden, outputs):
        super(Looping, self).__init__()
        self.first = torch.nn.Linear(inputs, hidden)
        self.middle = torch.nn.Linear(hidden, hidden)
        self.last = torch.nn.Linear(hidden, outputs)

    def forward(self, x):
        x = self.first(x).clamp(min=0)
        for _ in range(random.randint(0, 3)):
            x = self.middle(x).clamp(min=0)
        return self.last(x)


def data():
    torch.manual_seed(0)
    return Variable(torch.randn(32, 20)), Variable(torch.randn(32, 5), requires_grad=False)


def sequential():
    return torch.nn.Sequential(torch.nn.Linear(20, 15), torch.nn.ReLU(), torch.nn.Linear(15, 5))


x, y = data()
model = sequential()
loss_fn = torch.nn.MSELoss(size_average=False)
for t in range(300):
    loss = loss_fn(model(x), y)
    if t % 50 == 0:
        print("by hand", t, "loss", loss.data[0])
    model.zero_grad()
    loss.backward()
    for param in model.parameters():
        param.data -= 1e-3 * param.grad.data
print("by hand", t, "loss", loss.data[0])

for name, options in [("SGD", {"lr": 1e-4, "momentum": 0.9}), ("Adam", {"lr": 0.01}), ("RMSprop", {"lr": 0.003})]:
    random.seed(0)
    x, y = data()
    model = Looping(20, 15, 5) if name == "SGD" else sequential()
    optimizer = getattr(torch.optim, name)(model.parameters(), **options)
    for t in range(300):
        loss = loss_fn(model(x), y)
        if t % 50 == 0:
            print(name, t, "loss", loss.data[0])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(name, t, "loss", loss.data[0])
