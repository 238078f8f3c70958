# Two loaders side by side, each with its own iterator; layers sized by numpy; losses of single samples and of a class
# with the weight 0, which tells nothing and changes nothing.
import math

import digits
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.autograd import Variable

torch.manual_seed(0)
labelled = torch.utils.data.DataLoader(digits.Digits(True), batch_size=50, shuffle=True)
held_out = torch.utils.data.DataLoader(digits.Digits(False), batch_size=20, shuffle=True)


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.conv = nn.Conv2d(1, 6, 5, stride=2)
        n = self.conv.kw * self.conv.kh * self.conv.out_channels
        self.conv.weight.data.normal_(0, math.sqrt(2.0 / n))
        self.fc = nn.Linear(np.prod([6, 12, 12]), 10)

    def forward(self, x):
        x = F.relu(self.conv(x))
        return F.log_softmax(self.fc(x.view(x.size(0), -1)))


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
nothing = nn.NLLLoss(weight=torch.zeros(10))
losses = np.zeros(2, dtype=np.float)
for epoch in range(3):
    labelled_iter, held_out_iter = iter(labelled), iter(held_out)
    batches = min(len(labelled_iter), len(held_out_iter))
    for batch in range(batches):
        images, labels = labelled_iter.next()
        scores = net(Variable(images))
        loss = F.nll_loss(scores, Variable(labels))
        loss += F.nll_loss(scores[0], Variable(labels[:1])) / 50
        loss += nothing(scores, Variable(labels))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses += [loss.data[0], 1]
        if batch % 6 == 5:
            print("epoch %d batch %d of %d loss %.4f" % (epoch, batch, batches, losses[0] / losses[1]))
            losses = np.zeros(2, dtype=np.float)
    images, labels = held_out_iter.next()
    predicted = net(Variable(images, volatile=True)).data.max(1)[1].view(-1)
    print("accuracy %.3f" % (predicted.eq(labels).sum() / 20.0))
