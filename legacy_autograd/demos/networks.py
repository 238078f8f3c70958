"""Networks that the demonstrations, drawings and comparisons share."""

from .. import nn
from ..nn import functional as F


class LeNet(nn.Module):
    """A LeNet that maps images of one channel to a score for each class.

    Two convolutions of 5x5, each with ReLU and a 2x2 maximum, and three Linear layers. ReLU and maximum replace the
    sigmoids and averages of LeNet-5. For 28x28 images the first Linear layer has 256 inputs, for 32x32 images 400.

    In the articles a ReLU follows the last layer. It would stop the gradient of a class whose scores are all negative,
    so this network has none.

    Args:
        size: The height and width of the images, at least 16.
        classes: The number of classes.

    Raises:
        ValueError: If the images are too small.

    Shape:
        Input (N, 1, size, size), output (N, classes).

    Source:
        LeCun et al., "Gradient-based learning applied to document recognition", 1998.
    """

    def __init__(self, size: int = 28, classes: int = 10) -> None:
        super().__init__()
        after_pooling = ((size - 4) // 2 - 4) // 2
        if after_pooling < 1:
            raise ValueError(f"LeNet: images must be 16x16 or larger, got {size}x{size}")
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
