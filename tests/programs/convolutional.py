# Convolutions with BatchNorm in Sequentials.
import digits
import torch
import torch.nn as nn
from torch.autograd import Variable

torch.manual_seed(0)
train_loader = torch.utils.data.DataLoader(dataset=digits.Digits(True), batch_size=50, shuffle=True)
test_loader = torch.utils.data.DataLoader(dataset=digits.Digits(False), batch_size=50, shuffle=False)


class CNN(nn.Module):
    def __init__(self):
        super(CNN, self).__init__()
        self.layer1 = nn.Sequential(
            nn.Conv2d(1, 8, kernel_size=5, padding=2), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2)
        )
        self.layer2 = nn.Sequential(
            nn.Conv2d(8, 16, kernel_size=5, padding=2), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2)
        )
        self.fc = nn.Linear(7 * 7 * 16, 10)

    def forward(self, x):
        out = self.layer1(x)
        out = self.layer2(out)
        out = out.view(out.size(0), -1)
        return self.fc(out)


cnn = CNN()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(cnn.parameters(), lr=0.003)
for epoch in range(2):
    for i, (images, labels) in enumerate(train_loader):
        images = Variable(images)
        labels = Variable(labels)
        optimizer.zero_grad()
        loss = criterion(cnn(images), labels)
        loss.backward()
        optimizer.step()
        if (i + 1) % 7 == 0:
            print("Epoch [%d/%d], Iter [%d/%d] loss %.4f" % (epoch + 1, 2, i + 1, len(train_loader), loss.data[0]))

cnn.eval()
correct = 0
total = 0
for images, labels in test_loader:
    images = Variable(images, volatile=True)
    outputs = cnn(images)
    _, predicted = torch.max(outputs.data, 1)
    total += labels.size(0)
    correct += (predicted.view(-1) == labels).sum()
print("accuracy %.3f" % (float(correct) / total))
