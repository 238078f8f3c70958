# Between v0.1.4 and v0.1.5: the optimizer is given the parameters, and step still runs backward itself.
from __future__ import print_function
import digits
import torch
import torch.nn as nn
import torch.optim as optim
from torch.autograd import Variable

cuda = torch.cuda.is_available()
torch.manual_seed(1)
train_images, train_labels = digits.load(train=True)
test_images, test_labels = digits.load(train=False)
train_images = train_images.view(-1, 1, 28, 28).div(255)
test_images = test_images.view(-1, 1, 28, 28).div(255)


class Net(nn.Container):
    def __init__(self):
        super(Net, self).__init__(
            conv1=nn.Conv2d(1, 6, 5),
            pool1=nn.MaxPool2d(2, 2),
            conv2=nn.Conv2d(6, 16, 5),
            pool2=nn.MaxPool2d(2, 2),
            fc1=nn.Linear(256, 60),
            fc2=nn.Linear(60, 10),
            relu=nn.ReLU(),
            softmax=nn.LogSoftmax(),
        )

    def __call__(self, x):
        x = self.relu(self.pool1(self.conv1(x)))
        x = self.relu(self.pool2(self.conv2(x)))
        return self.softmax(self.fc2(self.relu(self.fc1(x.view(-1, 256)))))


model = Net()
if cuda == True:  # noqa: E712
    model.cuda()
criterion = nn.NLLLoss()
optimizer = optim.SGD(model.parameters(), lr=0.02, momentum=0.9)

SIZE = 70
batch = Variable(torch.FloatTensor(SIZE, 1, 28, 28), requires_grad=False)
targets = Variable(torch.LongTensor(SIZE), requires_grad=False)
for epoch in range(1, 9):
    total = 0
    for i in range(0, train_images.size(0), SIZE):
        batch.data[:] = train_images[i : i + SIZE]
        targets.data[:] = train_labels[i : i + SIZE]
        loss = optimizer.step(lambda: criterion(model(batch), targets))
        total += loss.data[0]
    print("epoch {} loss {:.4f}".format(epoch, total * SIZE / train_images.size(0)))

test_loss, right, size = 0, 0, 100
batch = Variable(torch.FloatTensor(size, 1, 28, 28), volatile=True)
targets = Variable(torch.LongTensor(size), volatile=True)
seen = test_images.size(0) // size * size
for i in range(0, seen, size):
    batch.data[:] = test_images[i : i + size]
    targets.data[:] = test_labels[i : i + size]
    output = model(batch)
    test_loss += criterion(output, targets)
    pred = output.data.max(1)[1]
    right += pred.long().eq(targets.data.long()).cpu().sum()
test_loss = test_loss.data[0]
test_loss /= seen / size
print("test loss {:.4f} accuracy {:.3f}".format(test_loss, float(right) / seen))
