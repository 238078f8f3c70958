"""An LSTM learns a real text letter by letter: the licence that lies beside this package."""

import math
import pathlib

import legacy_autograd as torch
from legacy_autograd import nn, optim
from legacy_autograd.autograd import Variable

TEXT = (pathlib.Path(__file__).resolve().parents[2] / "LICENSE").read_text(encoding="utf-8")


def test_an_lstm_on_a_real_text():
    torch.manual_seed(0)
    letters = sorted(set(TEXT))
    numbers = torch.LongTensor([letters.index(letter) for letter in TEXT])
    length, rows = 25, 20
    blocks = numbers.narrow(0, 0, length * rows).view(rows, length).t().contiguous()  # one row of text a column
    model = nn.ModuleList([nn.Embedding(len(letters), 16), nn.LSTM(16, 48), nn.Linear(48, len(letters))])
    embedding, lstm, scores = model
    optimizer = optim.Adam(model.parameters(), lr=0.02)
    criterion = nn.CrossEntropyLoss()
    inputs = Variable(blocks.narrow(0, 0, length - 1))
    targets = Variable(blocks.narrow(0, 1, length - 1).contiguous().view(-1))
    losses = []
    for _ in range(60):
        optimizer.zero_grad()
        output, _ = lstm(embedding(inputs))
        loss = criterion(scores(output.view(-1, 48)), targets)
        loss.backward()
        optimizer.step()
        losses.append(loss.data[0])
    # It begins near ln(number of letters), where nothing is known. Knowing only how frequent each letter is gives the
    # entropy of the text, about 3; what is below that was learned from the letters before.
    frequencies = [TEXT.count(letter) / len(TEXT) for letter in letters]
    entropy = -sum(frequency * math.log(frequency) for frequency in frequencies)
    assert abs(losses[0] - math.log(len(letters))) < 0.3
    assert losses[-1] < 0.6 * entropy
