"""ResNet, as in He, Zhang, Ren and Sun, "Deep Residual Learning for Image Recognition" (2015)."""

import math

from .... import nn
from .weights import published

model_urls = {
    "resnet18": "https://download.pytorch.org/models/resnet18-5c106cde.pth",
    "resnet34": "https://download.pytorch.org/models/resnet34-333f7ec4.pth",
    "resnet50": "https://download.pytorch.org/models/resnet50-19c8e357.pth",
    "resnet101": "https://download.pytorch.org/models/resnet101-5d3b4d8f.pth",
    "resnet152": "https://download.pytorch.org/models/resnet152-b121ed2d.pth",
}


def conv3x3(in_planes, out_planes, stride=1):
    """Return a 3x3 convolution with a padding of one pixel and without a bias."""
    return nn.Conv2d(in_planes, out_planes, kernel_size=3, stride=stride, padding=1, bias=False)


class BasicBlock(nn.Module):
    """Two 3x3 convolutions, added to the block's input, or to `downsample` of it if the shapes differ."""

    expansion = 1

    def __init__(self, inplanes, planes, stride=1, downsample=None):
        super().__init__()
        self.conv1 = conv3x3(inplanes, planes, stride)
        self.bn1 = nn.BatchNorm2d(planes)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = conv3x3(planes, planes)
        self.bn2 = nn.BatchNorm2d(planes)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x):
        """Return the block's output for x, of the shape (N, inplanes, H, W)."""
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out += x if self.downsample is None else self.downsample(x)
        return self.relu(out)


class Bottleneck(nn.Module):
    """A 3x3 convolution between two 1x1 convolutions, which reduce and restore the channels; see BasicBlock."""

    expansion = 4

    def __init__(self, inplanes, planes, stride=1, downsample=None):
        super().__init__()
        self.conv1 = nn.Conv2d(inplanes, planes, kernel_size=1, bias=False)
        self.bn1 = nn.BatchNorm2d(planes)
        self.conv2 = conv3x3(planes, planes, stride)
        self.bn2 = nn.BatchNorm2d(planes)
        self.conv3 = nn.Conv2d(planes, planes * self.expansion, kernel_size=1, bias=False)
        self.bn3 = nn.BatchNorm2d(planes * self.expansion)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x):
        """Return the block's output for x, of the shape (N, inplanes, H, W)."""
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        out += x if self.downsample is None else self.downsample(x)
        return self.relu(out)


class ResNet(nn.Module):
    """Four groups of `layers[i]` blocks, for images (N, 3, 224, 224); returns (N, num_classes)."""

    def __init__(self, block, layers, num_classes=1000):
        super().__init__()
        self.inplanes = 64
        self.conv1 = nn.Conv2d(3, 64, kernel_size=7, stride=2, padding=3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(kernel_size=3, stride=2, padding=1)
        self.layer1 = self._make_layer(block, 64, layers[0])
        self.layer2 = self._make_layer(block, 128, layers[1], stride=2)
        self.layer3 = self._make_layer(block, 256, layers[2], stride=2)
        self.layer4 = self._make_layer(block, 512, layers[3], stride=2)
        self.avgpool = nn.AvgPool2d(7)
        self.fc = nn.Linear(512 * block.expansion, num_classes)
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                fan_out = module.kernel_size[0] * module.kernel_size[1] * module.out_channels
                module.weight.data.normal_(0, math.sqrt(2 / fan_out))
            elif isinstance(module, nn.BatchNorm2d):
                module.weight.data.fill_(1)
                module.bias.data.zero_()

    def _make_layer(self, block, planes, blocks, stride=1):
        downsample = None
        if stride != 1 or self.inplanes != planes * block.expansion:
            downsample = nn.Sequential(
                nn.Conv2d(self.inplanes, planes * block.expansion, kernel_size=1, stride=stride, bias=False),
                nn.BatchNorm2d(planes * block.expansion),
            )
        group = [block(self.inplanes, planes, stride, downsample)]
        self.inplanes = planes * block.expansion
        group += [block(self.inplanes, planes) for _ in range(blocks - 1)]
        return nn.Sequential(*group)

    def forward(self, x):
        """Return the scores (N, num_classes) of the images x."""
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        x = self.avgpool(x)
        return self.fc(x.view(x.size(0), -1))


def _resnet(name, block, layers, pretrained, num_classes):
    return published(ResNet(block, layers, num_classes), model_urls[name], pretrained)


def resnet18(pretrained=False, num_classes=1000):
    """Return a ResNet of 18 layers, with the published weights if `pretrained` (they have 1,000 classes)."""
    return _resnet("resnet18", BasicBlock, [2, 2, 2, 2], pretrained, num_classes)


def resnet34(pretrained=False, num_classes=1000):
    """Return a ResNet of 34 layers, with the published weights if `pretrained` (they have 1,000 classes)."""
    return _resnet("resnet34", BasicBlock, [3, 4, 6, 3], pretrained, num_classes)


def resnet50(pretrained=False, num_classes=1000):
    """Return a ResNet of 50 layers, with the published weights if `pretrained` (they have 1,000 classes)."""
    return _resnet("resnet50", Bottleneck, [3, 4, 6, 3], pretrained, num_classes)


def resnet101(pretrained=False, num_classes=1000):
    """Return a ResNet of 101 layers, with the published weights if `pretrained` (they have 1,000 classes)."""
    return _resnet("resnet101", Bottleneck, [3, 4, 23, 3], pretrained, num_classes)


def resnet152(pretrained=False, num_classes=1000):
    """Return a ResNet of 152 layers, with the published weights if `pretrained` (they have 1,000 classes)."""
    return _resnet("resnet152", Bottleneck, [3, 8, 36, 3], pretrained, num_classes)
