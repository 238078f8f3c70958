# A residual network: blocks made by a function, a list of layers, a learning rate that is lowered by a new optimizer.
import digits
import torch
import torch.nn as nn
from torch.autograd import Variable

torch.manual_seed(0)
train_loader = torch.utils.data.DataLoader(dataset=digits.Digits(True), batch_size=50, shuffle=True)
test_loader = torch.utils.data.DataLoader(dataset=digits.Digits(False), batch_size=100, shuffle=False)


def conv3x3(in_channels, out_channels, stride=1):
    return nn.Conv2d(in_channels, out_channels, kernel_size=3, stride=stride, padding=1, bias=False)


class ResidualBlock(nn.Module):
    def __init__(self, in_channels, out_channels, stride=1, downsample=None):
        super(ResidualBlock, self).__init__()
        self.conv1 = conv3x3(in_channels, out_channels, stride)
        self.bn1 = nn.BatchNorm2d(out_channels)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = conv3x3(out_channels, out_channels)
        self.bn2 = nn.BatchNorm2d(out_channels)
        self.downsample = downsample

    def forward(self, x):
        residual = x
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        if self.downsample:
            residual = self.downsample(x)
        out += residual
        return self.relu(out)


class ResNet(nn.Module):
    def __init__(self, block, layers, num_classes=10):
        super(ResNet, self).__init__()
        self.in_channels = 4
        self.conv = conv3x3(1, 4, 2)
        self.bn = nn.BatchNorm2d(4)
        self.relu = nn.ReLU(inplace=True)
        self.layer1 = self.make_layer(block, 4, layers[0])
        self.layer2 = self.make_layer(block, 8, layers[1], 2)
        self.avg_pool = nn.AvgPool2d(7)
        self.fc = nn.Linear(8, num_classes)

    def make_layer(self, block, out_channels, blocks, stride=1):
        downsample = None
        if stride != 1 or self.in_channels != out_channels:
            downsample = nn.Sequential(conv3x3(self.in_channels, out_channels, stride), nn.BatchNorm2d(out_channels))
        layers = [block(self.in_channels, out_channels, stride, downsample)]
        self.in_channels = out_channels
        for i in range(1, blocks):
            layers.append(block(out_channels, out_channels))
        return nn.Sequential(*layers)

    def forward(self, x):
        out = self.relu(self.bn(self.conv(x)))
        out = self.layer2(self.layer1(out))
        out = self.avg_pool(out)
        return self.fc(out.view(out.size(0), -1))


resnet = ResNet(ResidualBlock, [2, 2])
criterion = nn.CrossEntropyLoss()
lr = 0.02
optimizer = torch.optim.Adam(resnet.parameters(), lr=lr)
for epoch in range(3):
    for i, (images, labels) in enumerate(train_loader):
        images = Variable(images)
        labels = Variable(labels)
        optimizer.zero_grad()
        loss = criterion(resnet(images), labels)
        loss.backward()
        optimizer.step()
        if (i + 1) % 14 == 0:
            print("Epoch [%d/%d] loss %.4f" % (epoch + 1, 3, loss.data[0]))
    lr /= 3
    optimizer = torch.optim.Adam(resnet.parameters(), lr=lr)

resnet.eval()
correct = 0
total = 0
for images, labels in test_loader:
    outputs = resnet(Variable(images, volatile=True))
    _, predicted = torch.max(outputs.data, 1)
    total += labels.size(0)
    correct += (predicted.view(-1) == labels).sum()
print("accuracy %.3f" % (float(correct) / total))
