# An LSTM that reads digits row by row, and a GRU in both directions.
import digits
import torch
import torch.nn as nn
from torch.autograd import Variable

torch.manual_seed(0)
train_loader = torch.utils.data.DataLoader(dataset=digits.Digits(True), batch_size=50, shuffle=True)
test_loader = torch.utils.data.DataLoader(dataset=digits.Digits(False), batch_size=100, shuffle=False)


class RNN(nn.Module):
    def __init__(self, kind, hidden_size, num_layers, bidirectional):
        super(RNN, self).__init__()
        self.sizes = num_layers * (2 if bidirectional else 1), hidden_size
        self.cells = nn.LSTM if kind == "LSTM" else nn.GRU
        self.rnn = self.cells(28, hidden_size, num_layers, batch_first=True, bidirectional=bidirectional)
        self.fc = nn.Linear(hidden_size * (2 if bidirectional else 1), 10)

    def forward(self, x):
        h0 = Variable(torch.zeros(self.sizes[0], x.size(0), self.sizes[1]))
        if self.cells is nn.LSTM:
            out, _ = self.rnn(x, (h0, Variable(torch.zeros(h0.size()))))
        else:
            out, _ = self.rnn(x, h0)
        return self.fc(out[:, -1, :])


for kind, layers, bidirectional in [("LSTM", 2, False), ("GRU", 1, True)]:
    rnn = RNN(kind, 32, layers, bidirectional)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(rnn.parameters(), lr=0.01)
    for epoch in range(3):
        for i, (images, labels) in enumerate(train_loader):
            images = Variable(images.view(-1, 28, 28))
            labels = Variable(labels)
            optimizer.zero_grad()
            loss = criterion(rnn(images), labels)
            loss.backward()
            optimizer.step()
            if (i + 1) % 14 == 0:
                print("%s Epoch [%d/%d] loss %.4f" % (kind, epoch + 1, 3, loss.data[0]))

    correct = 0
    total = 0
    for images, labels in test_loader:
        outputs = rnn(Variable(images.view(-1, 28, 28), volatile=True))
        _, predicted = torch.max(outputs.data, 1)
        total += labels.size(0)
        correct += (predicted.cpu().view(-1) == labels).sum()
    print("%s accuracy %.3f" % (kind, float(correct) / total))
