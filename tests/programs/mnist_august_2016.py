# The way to train a network in the week of the first release: a Container, criterions, and an optimizer that holds
# the model and does everything.
import digits
import torch
import torch.nn as nn
import torch.optim as optim
from torch.autograd import Variable

torch.manual_seed(1)
images, labels = digits.load(train=True)
images = images.view(-1, 1, 28, 28).div(255).double()


class Net(nn.Container):
    def __init__(self):
        super(Net, self).__init__(
            conv1=nn.Conv2d(1, 6, 5, 5),
            conv2=nn.Conv2d(6, 16, 5, 5),
            pool=nn.MaxPooling2d(2, 2),
            fc1=nn.Linear(256, 60),
            fc2=nn.Linear(60, 10),
            relu=nn.ReLU(),
            softmax=nn.LogSoftmax(),
        )

    def __call__(self, x):
        x = self.pool(self.relu(self.conv1(x)))
        x = self.pool(self.relu(self.conv2(x)))
        x = self.relu(self.fc1(x.view(-1, 256)))
        return self.softmax(self.fc2(x))


model = Net()
criterion = nn.ClassNLLCriterion()
optimizer = optim.SGD((model, criterion), lr=0.15, momentum=0.9)

SIZE = 70
batch = Variable(torch.DoubleTensor(SIZE, 1, 28, 28), requires_grad=False)
targets = Variable(torch.LongTensor(SIZE), requires_grad=False)
for epoch in range(1, 9):
    total = 0
    for i in range(0, images.size(0), SIZE):
        batch.data[:] = images[i : i + SIZE]
        targets.data[:] = labels[i : i + SIZE]
        model.zero_grad_parameters()
        total += optimizer.step(batch, targets)
    print("epoch {} loss {:.4f}".format(epoch, total * SIZE / images.size(0)))

test_images, test_labels = digits.load(train=False)
output = model(Variable(test_images.view(-1, 1, 28, 28).div(255).double(), requires_grad=False))
right = output.data.max(1)[1].view(-1).eq(test_labels).sum()
print("accuracy {:.3f}".format(float(right) / test_labels.size(0)))
