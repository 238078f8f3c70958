"""Inception v3, as in Szegedy et al., "Rethinking the Inception Architecture for Computer Vision" (2015)."""

from .... import nn
from ....autograd.functions import cat
from ....nn import functional as F
from .weights import published

model_urls = {"inception_v3_google": "https://download.pytorch.org/models/inception_v3_google-1a9a5a14.pth"}


def inception_v3(pretrained=False, num_classes=1000, aux_logits=True, transform_input=None):
    """Return an Inception3, with the published weights if `pretrained` (they have 1,000 classes, from TensorFlow).

    The default of `transform_input` is `pretrained`.
    """
    model = Inception3(num_classes, aux_logits, pretrained if transform_input is None else transform_input)
    return published(model, model_urls["inception_v3_google"], pretrained)


class BasicConv2d(nn.Module):
    """A convolution without bias, batch normalization with eps 0.001, and ReLU."""

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size, stride=stride, padding=padding, bias=False)
        self.bn = nn.BatchNorm2d(out_channels, eps=0.001)

    def forward(self, x):
        """Return the activations of x, of the shape (N, in_channels, H, W)."""
        return F.relu(self.bn(self.conv(x)), inplace=True)


class Inception3(nn.Module):
    """Inception v3, for images (N, 3, 299, 299); returns (N, num_classes).

    In training, with `aux_logits`, the result is a pair: the scores and those of an auxiliary classifier.
    `transform_input` converts images from ImageNet's mean and deviation to those of the published weights, 0.5 and 0.5.
    (0.1.8 converted the first three images instead of the three channels; 0.1.9 fixed it.)
    """

    def __init__(self, num_classes=1000, aux_logits=True, transform_input=False):
        super().__init__()
        self.aux_logits = aux_logits
        self.transform_input = transform_input
        self.Conv2d_1a_3x3 = BasicConv2d(3, 32, 3, stride=2)
        self.Conv2d_2a_3x3 = BasicConv2d(32, 32, 3)
        self.Conv2d_2b_3x3 = BasicConv2d(32, 64, 3, padding=1)
        self.Conv2d_3b_1x1 = BasicConv2d(64, 80, 1)
        self.Conv2d_4a_3x3 = BasicConv2d(80, 192, 3)
        self.Mixed_5b = InceptionA(192, pool_features=32)
        self.Mixed_5c = InceptionA(256, pool_features=64)
        self.Mixed_5d = InceptionA(288, pool_features=64)
        self.Mixed_6a = InceptionB(288)
        self.Mixed_6b = InceptionC(768, channels_7x7=128)
        self.Mixed_6c = InceptionC(768, channels_7x7=160)
        self.Mixed_6d = InceptionC(768, channels_7x7=160)
        self.Mixed_6e = InceptionC(768, channels_7x7=192)
        if aux_logits:
            self.AuxLogits = InceptionAux(768, num_classes)
        self.Mixed_7a = InceptionD(768)
        self.Mixed_7b = InceptionE(1280)
        self.Mixed_7c = InceptionE(2048)
        self.fc = nn.Linear(2048, num_classes)
        for module in self.modules():
            if isinstance(module, (nn.Conv2d, nn.Linear)):
                _truncated_normal_(module.weight.data, getattr(module, "stddev", 0.1))
            elif isinstance(module, nn.BatchNorm2d):
                module.weight.data.fill_(1)
                module.bias.data.zero_()

    def forward(self, x):
        """Return the scores (N, num_classes) of the images x; in training with `aux_logits` a pair."""
        if self.transform_input:
            x = _as_published_weights_take_it(x)
        x = self.Conv2d_2b_3x3(self.Conv2d_2a_3x3(self.Conv2d_1a_3x3(x)))
        x = F.max_pool2d(x, kernel_size=3, stride=2)
        x = self.Conv2d_4a_3x3(self.Conv2d_3b_1x1(x))
        x = F.max_pool2d(x, kernel_size=3, stride=2)
        x = self.Mixed_5d(self.Mixed_5c(self.Mixed_5b(x)))  # N x 288 x 35 x 35
        x = self.Mixed_6a(x)
        x = self.Mixed_6e(self.Mixed_6d(self.Mixed_6c(self.Mixed_6b(x))))  # N x 768 x 17 x 17
        auxiliary = self.AuxLogits(x) if self.training and self.aux_logits else None
        x = self.Mixed_7c(self.Mixed_7b(self.Mixed_7a(x)))  # N x 2048 x 8 x 8
        x = F.avg_pool2d(x, kernel_size=8)
        x = F.dropout(x, training=self.training)
        x = self.fc(x.view(x.size(0), -1))
        return x if auxiliary is None else (x, auxiliary)


class InceptionA(nn.Module):
    """Branches of 1x1, 5x5, two 3x3 and a pooling; returns 224 + `pool_features` channels."""

    def __init__(self, in_channels, pool_features):
        super().__init__()
        self.branch1x1 = BasicConv2d(in_channels, 64, 1)
        self.branch5x5_1 = BasicConv2d(in_channels, 48, 1)
        self.branch5x5_2 = BasicConv2d(48, 64, 5, padding=2)
        self.branch3x3dbl_1 = BasicConv2d(in_channels, 64, 1)
        self.branch3x3dbl_2 = BasicConv2d(64, 96, 3, padding=1)
        self.branch3x3dbl_3 = BasicConv2d(96, 96, 3, padding=1)
        self.branch_pool = BasicConv2d(in_channels, pool_features, 1)

    def forward(self, x):
        """Return the concatenated branches, with the height and width of x."""
        branches = [
            self.branch1x1(x),
            self.branch5x5_2(self.branch5x5_1(x)),
            self.branch3x3dbl_3(self.branch3x3dbl_2(self.branch3x3dbl_1(x))),
            self.branch_pool(F.avg_pool2d(x, kernel_size=3, stride=1, padding=1)),
        ]
        return cat(branches, 1)


class InceptionB(nn.Module):
    """Halves the size: branches of 3x3, two 3x3 and a pooling; returns 480 + `in_channels` channels."""

    def __init__(self, in_channels):
        super().__init__()
        self.branch3x3 = BasicConv2d(in_channels, 384, 3, stride=2)
        self.branch3x3dbl_1 = BasicConv2d(in_channels, 64, 1)
        self.branch3x3dbl_2 = BasicConv2d(64, 96, 3, padding=1)
        self.branch3x3dbl_3 = BasicConv2d(96, 96, 3, stride=2)

    def forward(self, x):
        """Return the concatenated branches, with half the height and width of x."""
        branches = [
            self.branch3x3(x),
            self.branch3x3dbl_3(self.branch3x3dbl_2(self.branch3x3dbl_1(x))),
            F.max_pool2d(x, kernel_size=3, stride=2),
        ]
        return cat(branches, 1)


class InceptionC(nn.Module):
    """Branches of 1x1, 7x7, two 7x7 (each as 1x7 and 7x1) and a pooling; returns 768 channels."""

    def __init__(self, in_channels, channels_7x7):
        super().__init__()
        inner = channels_7x7
        self.branch1x1 = BasicConv2d(in_channels, 192, 1)
        self.branch7x7_1 = BasicConv2d(in_channels, inner, 1)
        self.branch7x7_2 = BasicConv2d(inner, inner, (1, 7), padding=(0, 3))
        self.branch7x7_3 = BasicConv2d(inner, 192, (7, 1), padding=(3, 0))
        self.branch7x7dbl_1 = BasicConv2d(in_channels, inner, 1)
        self.branch7x7dbl_2 = BasicConv2d(inner, inner, (7, 1), padding=(3, 0))
        self.branch7x7dbl_3 = BasicConv2d(inner, inner, (1, 7), padding=(0, 3))
        self.branch7x7dbl_4 = BasicConv2d(inner, inner, (7, 1), padding=(3, 0))
        self.branch7x7dbl_5 = BasicConv2d(inner, 192, (1, 7), padding=(0, 3))
        self.branch_pool = BasicConv2d(in_channels, 192, 1)

    def forward(self, x):
        """Return the concatenated branches, with the height and width of x."""
        double = self.branch7x7dbl_3(self.branch7x7dbl_2(self.branch7x7dbl_1(x)))
        branches = [
            self.branch1x1(x),
            self.branch7x7_3(self.branch7x7_2(self.branch7x7_1(x))),
            self.branch7x7dbl_5(self.branch7x7dbl_4(double)),
            self.branch_pool(F.avg_pool2d(x, kernel_size=3, stride=1, padding=1)),
        ]
        return cat(branches, 1)


class InceptionD(nn.Module):
    """Halves the size: branches of 3x3, 7x7 and 3x3, and a pooling; returns 512 + `in_channels` channels."""

    def __init__(self, in_channels):
        super().__init__()
        self.branch3x3_1 = BasicConv2d(in_channels, 192, 1)
        self.branch3x3_2 = BasicConv2d(192, 320, 3, stride=2)
        self.branch7x7x3_1 = BasicConv2d(in_channels, 192, 1)
        self.branch7x7x3_2 = BasicConv2d(192, 192, (1, 7), padding=(0, 3))
        self.branch7x7x3_3 = BasicConv2d(192, 192, (7, 1), padding=(3, 0))
        self.branch7x7x3_4 = BasicConv2d(192, 192, 3, stride=2)

    def forward(self, x):
        """Return the concatenated branches, with half the height and width of x."""
        branches = [
            self.branch3x3_2(self.branch3x3_1(x)),
            self.branch7x7x3_4(self.branch7x7x3_3(self.branch7x7x3_2(self.branch7x7x3_1(x)))),
            F.max_pool2d(x, kernel_size=3, stride=2),
        ]
        return cat(branches, 1)


class InceptionE(nn.Module):
    """Branches of 1x1, 3x3, two 3x3 (the last as 1x3 beside 3x1) and a pooling; returns 2048 channels."""

    def __init__(self, in_channels):
        super().__init__()
        self.branch1x1 = BasicConv2d(in_channels, 320, 1)
        self.branch3x3_1 = BasicConv2d(in_channels, 384, 1)
        self.branch3x3_2a = BasicConv2d(384, 384, (1, 3), padding=(0, 1))
        self.branch3x3_2b = BasicConv2d(384, 384, (3, 1), padding=(1, 0))
        self.branch3x3dbl_1 = BasicConv2d(in_channels, 448, 1)
        self.branch3x3dbl_2 = BasicConv2d(448, 384, 3, padding=1)
        self.branch3x3dbl_3a = BasicConv2d(384, 384, (1, 3), padding=(0, 1))
        self.branch3x3dbl_3b = BasicConv2d(384, 384, (3, 1), padding=(1, 0))
        self.branch_pool = BasicConv2d(in_channels, 192, 1)

    def forward(self, x):
        """Return the concatenated branches, with the height and width of x."""
        single = self.branch3x3_1(x)
        double = self.branch3x3dbl_2(self.branch3x3dbl_1(x))
        branches = [
            self.branch1x1(x),
            self.branch3x3_2a(single),
            self.branch3x3_2b(single),
            self.branch3x3dbl_3a(double),
            self.branch3x3dbl_3b(double),
            self.branch_pool(F.avg_pool2d(x, kernel_size=3, stride=1, padding=1)),
        ]
        return cat(branches, 1)


class InceptionAux(nn.Module):
    """The auxiliary classifier, for activations (N, in_channels, 17, 17)."""

    def __init__(self, in_channels, num_classes):
        super().__init__()
        self.conv0 = BasicConv2d(in_channels, 128, 1)
        self.conv1 = BasicConv2d(128, 768, 5)
        self.conv1.stddev = 0.01
        self.fc = nn.Linear(768, num_classes)
        self.fc.stddev = 0.001

    def forward(self, x):
        """Return the scores, (N, num_classes)."""
        x = self.conv1(self.conv0(F.avg_pool2d(x, kernel_size=5, stride=3)))
        return self.fc(x.view(x.size(0), -1))


def _truncated_normal_(weight, deviation):
    """Draw from a normal distribution; redraw numbers that are more than two deviations from 0."""
    weight.normal_(0, deviation)
    outside = weight.abs().gt(2 * deviation)
    while outside.any():
        weight.masked_scatter_(outside, weight.new(outside.long().sum()).normal_(0, deviation))
        outside = weight.abs().gt(2 * deviation)


def _as_published_weights_take_it(x):
    """Return images that ImageNet's mean and deviation normalized, normalized by 0.5 and 0.5 instead."""
    channels = [
        x[:, 0:1] * (0.229 / 0.5) + (0.485 - 0.5) / 0.5,
        x[:, 1:2] * (0.224 / 0.5) + (0.456 - 0.5) / 0.5,
        x[:, 2:3] * (0.225 / 0.5) + (0.406 - 0.5) / 0.5,
    ]
    return cat(channels, 1)
