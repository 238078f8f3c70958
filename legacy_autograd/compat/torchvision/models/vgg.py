"""VGG, as in Simonyan and Zisserman, "Very Deep Convolutional Networks for Large-Scale Image Recognition" (2014)."""

import math

from .... import nn
from .weights import published

model_urls = {
    "vgg11": "https://download.pytorch.org/models/vgg11-bbd30ac9.pth",
    "vgg13": "https://download.pytorch.org/models/vgg13-c768596a.pth",
    "vgg16": "https://download.pytorch.org/models/vgg16-397923af.pth",
    "vgg19": "https://download.pytorch.org/models/vgg19-dcbb9e9d.pth",
    "vgg11_bn": "https://download.pytorch.org/models/vgg11_bn-6002323d.pth",
    "vgg13_bn": "https://download.pytorch.org/models/vgg13_bn-abd245e5.pth",
    "vgg16_bn": "https://download.pytorch.org/models/vgg16_bn-6c64b313.pth",
    "vgg19_bn": "https://download.pytorch.org/models/vgg19_bn-c79401a0.pth",
}

# Output channels of the 3x3 convolutions; M is a max pooling of 2x2. The letters are those of the article's table 1.
cfg = {
    "A": [64, "M", 128, "M", 256, 256, "M", 512, 512, "M", 512, 512, "M"],
    "B": [64, 64, "M", 128, 128, "M", 256, 256, "M", 512, 512, "M", 512, 512, "M"],
    "D": [64, 64, "M", 128, 128, "M", 256, 256, 256, "M", 512, 512, 512, "M", 512, 512, 512, "M"],
    "E": [64, 64, "M", 128, 128, "M", *[256] * 4, "M", *[512] * 4, "M", *[512] * 4, "M"],
}


def make_layers(cfg, batch_norm=False):
    """Return the Sequential of the layers that `cfg`, a list of channels and "M", describes."""
    layers = []
    channels = 3
    for entry in cfg:
        if entry == "M":
            layers.append(nn.MaxPool2d(kernel_size=2, stride=2))
            continue
        layers.append(nn.Conv2d(channels, entry, kernel_size=3, padding=1))
        if batch_norm:
            layers.append(nn.BatchNorm2d(entry))
        layers.append(nn.ReLU(inplace=True))
        channels = entry
    return nn.Sequential(*layers)


class VGG(nn.Module):
    """The convolutions `features` and three linear layers, for images (N, 3, 224, 224); returns (N, num_classes)."""

    def __init__(self, features, num_classes=1000):
        super().__init__()
        self.features = features
        self.classifier = nn.Sequential(
            nn.Linear(512 * 7 * 7, 4096),
            nn.ReLU(inplace=True),
            nn.Dropout(),
            nn.Linear(4096, 4096),
            nn.ReLU(inplace=True),
            nn.Dropout(),
            nn.Linear(4096, num_classes),
        )
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                fan_out = module.kernel_size[0] * module.kernel_size[1] * module.out_channels
                module.weight.data.normal_(0, math.sqrt(2 / fan_out))
                module.bias.data.zero_()
            elif isinstance(module, nn.BatchNorm2d):
                module.weight.data.fill_(1)
                module.bias.data.zero_()
            elif isinstance(module, nn.Linear):
                module.weight.data.normal_(0, 0.01)
                module.bias.data.zero_()

    def forward(self, x):
        """Return the scores (N, num_classes) of the images x."""
        x = self.features(x)
        return self.classifier(x.view(x.size(0), -1))


def _vgg(name, letter, pretrained, num_classes):
    model = VGG(make_layers(cfg[letter], batch_norm=name.endswith("_bn")), num_classes)
    return published(model, model_urls[name], pretrained)


def vgg11(pretrained=False, num_classes=1000):
    """Return a VGG of 11 layers, with the published weights if `pretrained`."""
    return _vgg("vgg11", "A", pretrained, num_classes)


def vgg11_bn(pretrained=False, num_classes=1000):
    """Return a VGG of 11 layers with batch normalization, with the published weights if `pretrained`."""
    return _vgg("vgg11_bn", "A", pretrained, num_classes)


def vgg13(pretrained=False, num_classes=1000):
    """Return a VGG of 13 layers, with the published weights if `pretrained`."""
    return _vgg("vgg13", "B", pretrained, num_classes)


def vgg13_bn(pretrained=False, num_classes=1000):
    """Return a VGG of 13 layers with batch normalization, with the published weights if `pretrained`."""
    return _vgg("vgg13_bn", "B", pretrained, num_classes)


def vgg16(pretrained=False, num_classes=1000):
    """Return a VGG of 16 layers, with the published weights if `pretrained`."""
    return _vgg("vgg16", "D", pretrained, num_classes)


def vgg16_bn(pretrained=False, num_classes=1000):
    """Return a VGG of 16 layers with batch normalization, with the published weights if `pretrained`."""
    return _vgg("vgg16_bn", "D", pretrained, num_classes)


def vgg19(pretrained=False, num_classes=1000):
    """Return a VGG of 19 layers, with the published weights if `pretrained`."""
    return _vgg("vgg19", "E", pretrained, num_classes)


def vgg19_bn(pretrained=False, num_classes=1000):
    """Return a VGG of 19 layers with batch normalization, with the published weights if `pretrained`."""
    return _vgg("vgg19_bn", "E", pretrained, num_classes)
