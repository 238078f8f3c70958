# Three weeks later: step takes a function that computes the loss, and what is not to be trained is volatile.
from __future__ import print_function
import digits
import torch
import torch.nn as nn
import torch.optim as optim
from torch.autograd import Variable

try:
    import torch.nn.cuda

    cuda = True
except ImportError:
    cuda = False

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

    def forward(self, x):
        x = self.relu(self.pool1(self.conv1(x)))
        x = self.relu(self.pool2(self.conv2(x)))
        x = x.view(-1, 256)
        return self.softmax(self.fc2(self.relu(self.fc1(x))))


model = Net()
if cuda:
    model.cuda()
criterion = nn.NLLLoss()
optimizer = optim.SGD(model, lr=0.02, momentum=0.9)

SIZE = 70
batch = Variable(torch.FloatTensor(SIZE, 1, 28, 28), requires_grad=False)
targets = Variable(torch.LongTensor(SIZE), requires_grad=False)
for epoch in range(1, 9):
    total = 0
    for i in range(0, train_images.size(0), SIZE):
        batch.data[:] = train_images[i : i + SIZE]
        targets.data[:] = train_labels[i : i + SIZE]
        total += optimizer.step(lambda: criterion(model(batch), targets))
    print("epoch {} loss {:.4f}".format(epoch, total * SIZE / train_images.size(0)))

output = model(Variable(test_images, volatile=True))
assert output.volatile and not output.requires_grad
test_loss = criterion(output, Variable(test_labels, volatile=True)).data[0]
pred = output.data.max(1)[1]
right = pred.long().eq(test_labels.view(-1, 1)).cpu().sum()
print("test loss {:.4f} accuracy {:.3f}".format(test_loss, float(right) / test_labels.size(0)))
