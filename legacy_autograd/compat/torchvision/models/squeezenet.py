"""SqueezeNet, as in Iandola et al., "SqueezeNet: AlexNet-level accuracy with 50x fewer parameters" (2016)."""

import math

from .... import nn
from ....autograd.functions import cat
from .weights import published

model_urls = {
    "squeezenet1_0": "https://download.pytorch.org/models/squeezenet1_0-a815701f.pth",
    "squeezenet1_1": "https://download.pytorch.org/models/squeezenet1_1-f364aa15.pth",
}


# (squeeze_planes, planes of each expansion) of every Fire; M is a max pooling. The article's table 1 has version 1.0.
fires = {
    1.0: [(16, 64), (16, 64), (32, 128), "M", (32, 128), (48, 192), (48, 192), (64, 256), "M", (64, 256)],
    1.1: [(16, 64), (16, 64), "M", (32, 128), (32, 128), "M", (48, 192), (48, 192), (64, 256), (64, 256)],
}


class Fire(nn.Module):
    """A 1x1 convolution to `squeeze_planes` channels, then a 1x1 and a 3x3 convolution, concatenated."""

    def __init__(self, inplanes, squeeze_planes, expand1x1_planes, expand3x3_planes):
        super().__init__()
        self.inplanes = inplanes
        self.squeeze = nn.Conv2d(inplanes, squeeze_planes, kernel_size=1)
        self.squeeze_activation = nn.ReLU(inplace=True)
        self.expand1x1 = nn.Conv2d(squeeze_planes, expand1x1_planes, kernel_size=1)
        self.expand1x1_activation = nn.ReLU(inplace=True)
        self.expand3x3 = nn.Conv2d(squeeze_planes, expand3x3_planes, kernel_size=3, padding=1)
        self.expand3x3_activation = nn.ReLU(inplace=True)

    def forward(self, x):
        """Return (N, expand1x1_planes + expand3x3_planes, H, W) for x of the shape (N, inplanes, H, W)."""
        x = self.squeeze_activation(self.squeeze(x))
        return cat([self.expand1x1_activation(self.expand1x1(x)), self.expand3x3_activation(self.expand3x3(x))], 1)


class SqueezeNet(nn.Module):
    """SqueezeNet 1.0, the article's version, or 1.1, for images (N, 3, 224, 224); returns (N, num_classes)."""

    def __init__(self, version=1.0, num_classes=1000):
        super().__init__()
        if version not in fires:
            raise ValueError(f"SqueezeNet: no version {version!r}; the versions are 1.0 and 1.1")
        self.num_classes = num_classes
        kernel_size, channels = (7, 96) if version == 1.0 else (3, 64)
        layers = [nn.Conv2d(3, channels, kernel_size, stride=2), nn.ReLU(inplace=True), _pooling()]
        for entry in fires[version]:
            if entry == "M":
                layers.append(_pooling())
                continue
            squeeze, expand = entry
            layers.append(Fire(channels, squeeze, expand, expand))
            channels = 2 * expand
        self.features = nn.Sequential(*layers)
        last = nn.Conv2d(512, num_classes, kernel_size=1)
        self.classifier = nn.Sequential(nn.Dropout(p=0.5), last, nn.ReLU(inplace=True), nn.AvgPool2d(13))
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                if module is last:
                    module.weight.data.normal_(0, 0.01)
                else:
                    fan_in = module.kernel_size[0] * module.kernel_size[1] * module.in_channels
                    limit = math.sqrt(6 / fan_in)
                    module.weight.data.uniform_(-limit, limit)
                module.bias.data.zero_()

    def forward(self, x):
        """Return the scores (N, num_classes) of the images x."""
        x = self.classifier(self.features(x))
        return x.view(x.size(0), self.num_classes)


def _pooling():
    return nn.MaxPool2d(kernel_size=3, stride=2, ceil_mode=True)


def squeezenet1_0(pretrained=False, num_classes=1000):
    """Return a SqueezeNet 1.0, with the published weights if `pretrained` (they have 1,000 classes)."""
    return published(SqueezeNet(1.0, num_classes), model_urls["squeezenet1_0"], pretrained)


def squeezenet1_1(pretrained=False, num_classes=1000):
    """Return a SqueezeNet 1.1, with the published weights if `pretrained` (they have 1,000 classes)."""
    return published(SqueezeNet(1.1, num_classes), model_urls["squeezenet1_1"], pretrained)
