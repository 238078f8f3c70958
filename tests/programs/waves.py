# Sines continued by two LSTMCells, trained by L-BFGS on all data at once; the data come from a file of numpy's numbers.
import os
import tempfile
import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim
from torch.autograd import Variable

path = os.path.join(tempfile.mkdtemp(), "waves.pt")
np.random.seed(2)
x = np.arange(40) + np.random.randint(-40, 40, 10).reshape(10, 1)
torch.save(np.sin(x / 5.0).astype("float64"), open(path, "wb"))


class Sequence(nn.Module):
    def __init__(self):
        super(Sequence, self).__init__()
        self.lstm1 = nn.LSTMCell(1, 12)
        self.lstm2 = nn.LSTMCell(12, 12)
        self.linear = nn.Linear(12, 1)

    def forward(self, input, future=0):
        outputs = []
        states = [Variable(torch.zeros(input.size(0), 12).double(), requires_grad=False) for _ in range(4)]
        h1, c1, h2, c2 = states
        for input_t in input.chunk(input.size(1), dim=1):
            h1, c1 = self.lstm1(input_t, (h1, c1))
            h2, c2 = self.lstm2(h1, (h2, c2))
            output = self.linear(h2)
            outputs += [output]
        for i in range(future):
            h1, c1 = self.lstm1(output, (h1, c1))
            h2, c2 = self.lstm2(h1, (h2, c2))
            output = self.linear(h2)
            outputs += [output]
        return torch.stack(outputs, 1).squeeze(2)


torch.manual_seed(0)
data = torch.load(path)
input = Variable(torch.from_numpy(data[3:, :-1]), requires_grad=False)
target = Variable(torch.from_numpy(data[3:, 1:]), requires_grad=False)
seq = Sequence()
seq.double()
criterion = nn.MSELoss()
optimizer = optim.LBFGS(seq.parameters(), lr=0.8)


def closure():
    optimizer.zero_grad()
    out = seq(input)
    loss = criterion(out, target)
    loss.backward()
    return loss


for step in range(4):
    loss = optimizer.step(closure)
    print("STEP %d loss %.6f" % (step, loss.data.numpy()[0]))
print("loss %.6f" % closure().data[0])
predicted = seq(Variable(torch.from_numpy(data[:3, :-1]), volatile=True), future=20)
print("predicted", predicted.size())
