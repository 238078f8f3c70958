# Two Linear layers on digits; saved by its state, loaded into another network.
import os
import tempfile
import digits
import torch
import torch.nn as nn
from torch.autograd import Variable

torch.manual_seed(0)
train_loader = torch.utils.data.DataLoader(dataset=digits.Digits(True), batch_size=50, shuffle=True)
test_loader = torch.utils.data.DataLoader(dataset=digits.Digits(False), batch_size=50, shuffle=False)


class Net(nn.Module):
    def __init__(self, input_size, hidden_size, num_classes):
        super(Net, self).__init__()
        self.fc1 = nn.Linear(input_size, hidden_size)
        self.relu = nn.ReLU()
        self.fc2 = nn.Linear(hidden_size, num_classes)

    def forward(self, x):
        out = self.fc1(x)
        out = self.relu(out)
        out = self.fc2(out)
        return out


net = Net(784, 100, 10)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=0.002)
for epoch in range(4):
    for i, (images, labels) in enumerate(train_loader):
        images = Variable(images.view(-1, 28 * 28))
        labels = Variable(labels)
        optimizer.zero_grad()
        loss = criterion(net(images), labels)
        loss.backward()
        optimizer.step()
        if (i + 1) % 7 == 0:
            print("Epoch [%d/%d], Step [%d/%d], loss %.4f" % (epoch + 1, 4, i + 1, len(train_loader), loss.data[0]))


def accuracy(net):
    correct = 0
    total = 0
    for images, labels in test_loader:
        outputs = net(Variable(images.view(-1, 28 * 28)))
        _, predicted = torch.max(outputs.data, 1)
        total += labels.size(0)
        correct += (predicted.squeeze() == labels).sum()
    return float(correct) / total


path = os.path.join(tempfile.mkdtemp(), "model.pkl")
torch.save(net.state_dict(), path)
again = Net(784, 100, 10)
again.load_state_dict(torch.load(path))
print("accuracy %.3f" % accuracy(net))
print("loaded again: difference %.1f" % (accuracy(net) - accuracy(again)))
