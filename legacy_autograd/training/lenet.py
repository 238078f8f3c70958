"""Networks that the demonstrations, drawings and comparisons share."""

from .. import nn
from ..nn import functional as F


class LeNet(nn.Module):
    """The LeNet of the articles: images of one channel in, a score for each class out, (N, 1, size, size) to (N, 10).

    Two convolutions of 5x5, each with ReLU and a pooling by 2, and three Linear layers: LeNet-5 of LeCun et al.,
    "Gradient-based learning applied to document recognition", 1998, with today's ReLU and maximum in place of its
    sigmoids and averages. For 28x28 images the first Linear layer has 256 inputs, for 32x32 400.

    The articles end in a ReLU, which would stop the gradient of a class whose scores have all become negative; here
    the scores are left as they are.
    """

    def __init__(self, size=28, classes=10):
        super().__init__()
        after_pooling = ((size - 4) // 2 - 4) // 2
        if after_pooling < 1:
            raise ValueError(f"LeNet: images of {size}x{size} are too small, 16x16 is the least")
        self.conv1 = nn.Conv2d(1, 6, kernel_size=5)
        self.conv2 = nn.Conv2d(6, 16, kernel_size=5)
        self.fc1 = nn.Linear(16 * after_pooling**2, 120)
        self.fc2 = nn.Linear(120, 84)
        self.fc3 = nn.Linear(84, classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = x.view(x.size(0), -1)
        x = F.relu(self.fc1(x))
        x = F.relu(self.fc2(x))
        return self.fc3(x)
