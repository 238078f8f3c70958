"""DenseNet, as in Huang, Liu, van der Maaten and Weinberger, "Densely Connected Convolutional Networks" (2016)."""

from .... import nn
from ....autograd.functions import cat
from ....nn import functional as F
from .weights import published

model_urls = {
    "densenet121": "https://download.pytorch.org/models/densenet121-241335ed.pth",
    "densenet169": "https://download.pytorch.org/models/densenet169-6f0f7f60.pth",
    "densenet201": "https://download.pytorch.org/models/densenet201-4c113574.pth",
    "densenet161": "https://download.pytorch.org/models/densenet161-17b70270.pth",
}


class _DenseLayer(nn.Sequential):
    """A 1x1 and a 3x3 convolution; `growth_rate` channels are appended to the input.

    The names have a dot, as in 0.1.8 and in the published files; later versions call them norm1, relu1, conv1.
    """

    def __init__(self, num_input_features, growth_rate, bn_size, drop_rate):
        super().__init__()
        inner = bn_size * growth_rate
        self.add_module("norm.1", nn.BatchNorm2d(num_input_features))
        self.add_module("relu.1", nn.ReLU(inplace=True))
        self.add_module("conv.1", nn.Conv2d(num_input_features, inner, kernel_size=1, bias=False))
        self.add_module("norm.2", nn.BatchNorm2d(inner))
        self.add_module("relu.2", nn.ReLU(inplace=True))
        self.add_module("conv.2", nn.Conv2d(inner, growth_rate, kernel_size=3, padding=1, bias=False))
        self.drop_rate = drop_rate

    def forward(self, x):
        new = super().forward(x)
        if self.drop_rate > 0:
            new = F.dropout(new, p=self.drop_rate, training=self.training)
        return cat([x, new], 1)


class _DenseBlock(nn.Sequential):
    def __init__(self, num_layers, num_input_features, bn_size, growth_rate, drop_rate):
        super().__init__()
        for index in range(num_layers):
            channels = num_input_features + index * growth_rate
            self.add_module(f"denselayer{index + 1}", _DenseLayer(channels, growth_rate, bn_size, drop_rate))


class _Transition(nn.Sequential):
    def __init__(self, num_input_features, num_output_features):
        super().__init__()
        self.add_module("norm", nn.BatchNorm2d(num_input_features))
        self.add_module("relu", nn.ReLU(inplace=True))
        self.add_module("conv", nn.Conv2d(num_input_features, num_output_features, kernel_size=1, bias=False))
        self.add_module("pool", nn.AvgPool2d(kernel_size=2, stride=2))


class DenseNet(nn.Module):
    """Four blocks of `block_config[i]` layers, for images (N, 3, 224, 224); returns (N, num_classes).

    Each layer adds `growth_rate` channels to the `num_init_features` of the first convolution, through
    `bn_size * growth_rate` intermediate ones, and drops elements with probability `drop_rate`.
    """

    def __init__(
        self,
        growth_rate=32,
        block_config=(6, 12, 24, 16),
        num_init_features=64,
        bn_size=4,
        drop_rate=0,
        num_classes=1000,
    ):
        super().__init__()
        self.features = nn.Sequential()
        self.features.add_module("conv0", nn.Conv2d(3, num_init_features, 7, stride=2, padding=3, bias=False))
        self.features.add_module("norm0", nn.BatchNorm2d(num_init_features))
        self.features.add_module("relu0", nn.ReLU(inplace=True))
        self.features.add_module("pool0", nn.MaxPool2d(kernel_size=3, stride=2, padding=1))
        channels = num_init_features
        for index, layers in enumerate(block_config):
            block = _DenseBlock(layers, channels, bn_size, growth_rate, drop_rate)
            self.features.add_module(f"denseblock{index + 1}", block)
            channels += layers * growth_rate
            if index != len(block_config) - 1:
                self.features.add_module(f"transition{index + 1}", _Transition(channels, channels // 2))
                channels //= 2
        self.features.add_module("norm5", nn.BatchNorm2d(channels))
        self.classifier = nn.Linear(channels, num_classes)

    def forward(self, x):
        """Return the scores (N, num_classes) of the images x."""
        features = F.relu(self.features(x), inplace=True)
        return self.classifier(F.avg_pool2d(features, kernel_size=7).view(features.size(0), -1))


def _densenet(name, block_config, growth_rate, num_init_features, pretrained, drop_rate, num_classes):
    model = DenseNet(growth_rate, block_config, num_init_features, drop_rate=drop_rate, num_classes=num_classes)
    return published(model, model_urls[name], pretrained)


def densenet121(pretrained=False, drop_rate=0, num_classes=1000):
    """Return a DenseNet of 121 layers, with the published weights if `pretrained` (they have 1,000 classes)."""
    return _densenet("densenet121", (6, 12, 24, 16), 32, 64, pretrained, drop_rate, num_classes)


def densenet169(pretrained=False, drop_rate=0, num_classes=1000):
    """Return a DenseNet of 169 layers, with the published weights if `pretrained` (they have 1,000 classes)."""
    return _densenet("densenet169", (6, 12, 32, 32), 32, 64, pretrained, drop_rate, num_classes)


def densenet201(pretrained=False, drop_rate=0, num_classes=1000):
    """Return a DenseNet of 201 layers, with the published weights if `pretrained` (they have 1,000 classes)."""
    return _densenet("densenet201", (6, 12, 48, 32), 32, 64, pretrained, drop_rate, num_classes)


def densenet161(pretrained=False, drop_rate=0, num_classes=1000):
    """Return a DenseNet of 161 layers, with the published weights if `pretrained` (they have 1,000 classes)."""
    return _densenet("densenet161", (6, 12, 36, 24), 48, 96, pretrained, drop_rate, num_classes)
