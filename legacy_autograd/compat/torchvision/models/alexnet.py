"""AlexNet, as in Krizhevsky, "One weird trick for parallelizing convolutional neural networks" (2014)."""

from .... import nn
from .weights import published

model_urls = {"alexnet": "https://download.pytorch.org/models/alexnet-owt-4df8aa71.pth"}


class AlexNet(nn.Module):
    """Five convolutions and three linear layers, for images (N, 3, 224, 224); returns (N, num_classes)."""

    def __init__(self, num_classes=1000):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 64, kernel_size=11, stride=4, padding=2),
            nn.ReLU(inplace=True),
            nn.MaxPool2d(kernel_size=3, stride=2),
            nn.Conv2d(64, 192, kernel_size=5, padding=2),
            nn.ReLU(inplace=True),
            nn.MaxPool2d(kernel_size=3, stride=2),
            nn.Conv2d(192, 384, kernel_size=3, padding=1),
            nn.ReLU(inplace=True),
            nn.Conv2d(384, 256, kernel_size=3, padding=1),
            nn.ReLU(inplace=True),
            nn.Conv2d(256, 256, kernel_size=3, padding=1),
            nn.ReLU(inplace=True),
            nn.MaxPool2d(kernel_size=3, stride=2),
        )
        self.classifier = nn.Sequential(
            nn.Dropout(),
            nn.Linear(256 * 6 * 6, 4096),
            nn.ReLU(inplace=True),
            nn.Dropout(),
            nn.Linear(4096, 4096),
            nn.ReLU(inplace=True),
            nn.Linear(4096, num_classes),
        )

    def forward(self, x):
        """Return the scores (N, num_classes) of the images x."""
        x = self.features(x)
        return self.classifier(x.view(x.size(0), 256 * 6 * 6))


def alexnet(pretrained=False, num_classes=1000):
    """Return an AlexNet, with the published weights if `pretrained` (they have 1,000 classes)."""
    return published(AlexNet(num_classes), model_urls["alexnet"], pretrained)
