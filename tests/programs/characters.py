# A GRU learns a text letter by letter: an Embedding, a hidden state kept from chunk to chunk, gradients clipped.
import torch
import torch.nn as nn
from torch.autograd import Variable

text = "the quick brown fox jumps over the lazy dog and the lazy dog sleeps while the quick fox runs on " * 12
letters = sorted(set(text))
numbers = torch.LongTensor([letters.index(letter) for letter in text])
torch.manual_seed(0)


class Model(nn.Module):
    def __init__(self, count, hidden):
        super(Model, self).__init__()
        self.encoder = nn.Embedding(count, hidden)
        self.gru = nn.GRU(hidden, hidden)
        self.decoder = nn.Linear(hidden, count)
        self.encoder.weight.data.uniform_(-0.1, 0.1)

    def forward(self, input, hidden):
        output, hidden = self.gru(self.encoder(input), hidden)
        return self.decoder(output.view(-1, output.size(2))), hidden


def repackage(h):
    """The same numbers without the graph behind them."""
    return Variable(h.data)


model = Model(len(letters), 40)
criterion = nn.CrossEntropyLoss()
batch, length = 8, 24
columns = numbers[: numbers.size(0) // batch * batch].view(batch, -1).t().contiguous()
for epoch in range(12):
    hidden = Variable(torch.zeros(1, batch, 40))
    total = 0
    lr = 2.0 * 0.9**epoch
    for i in range(0, columns.size(0) - 1, length):
        count = min(length, columns.size(0) - 1 - i)
        data = Variable(columns[i : i + count])
        targets = Variable(columns[i + 1 : i + 1 + count].view(-1))
        hidden = repackage(hidden)
        model.zero_grad()
        output, hidden = model(data, hidden)
        loss = criterion(output, targets)
        loss.backward()
        torch.nn.utils.clip_grad_norm(model.parameters(), 0.5)
        for p in model.parameters():
            p.data.add_(-lr, p.grad.data)
        total += count * loss.data[0]
    print("epoch %d loss %.4f" % (epoch, total / (columns.size(0) - 1)))

input = Variable(torch.LongTensor([[letters.index("q")]]), volatile=True)
hidden = Variable(torch.zeros(1, 1, 40), volatile=True)
written = "q"
for _ in range(30):
    output, hidden = model(input, hidden)
    weights = output.squeeze().data.div(0.1).exp().cpu()
    choice = torch.multinomial(weights, 1)[0]
    input.data.fill_(choice)
    written += letters[choice]
print("written", written)
