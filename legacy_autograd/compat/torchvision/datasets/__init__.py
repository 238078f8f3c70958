"""`torchvision.datasets` of 0.1.8, and FashionMNIST of 0.1.9. They read the original files and download nothing."""

from .absent import LSUN, CocoCaptions, CocoDetection, LSUNClass, PhotoTour
from .cifar import CIFAR10, CIFAR100
from .folder import ImageFolder
from .mnist import MNIST, FashionMNIST
from .stl10 import STL10
from .svhn import SVHN

__all__ = (
    "CIFAR10", "CIFAR100", "CocoCaptions", "CocoDetection", "FashionMNIST", "ImageFolder", "LSUN", "LSUNClass", "MNIST",
    "PhotoTour", "STL10", "SVHN",
)  # fmt: skip
