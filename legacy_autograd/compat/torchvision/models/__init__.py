"""`torchvision.models` of 0.1.8: image classifiers with random or published weights.

    resnet = torchvision.models.resnet18()
    resnet = torchvision.models.resnet18(pretrained=True)

`pretrained=True` reads the file with the name of the model's address in `model_urls` from the folder that
`torch.utils.model_zoo.load_url` describes. Nothing is downloaded. Every model takes `num_classes`.
"""

from .alexnet import AlexNet, alexnet  # noqa: F401
from .densenet import DenseNet, densenet121, densenet161, densenet169, densenet201  # noqa: F401
from .inception import Inception3, inception_v3  # noqa: F401
from .resnet import ResNet, resnet18, resnet34, resnet50, resnet101, resnet152  # noqa: F401
from .squeezenet import SqueezeNet, squeezenet1_0, squeezenet1_1  # noqa: F401
from .vgg import VGG, vgg11, vgg11_bn, vgg13, vgg13_bn, vgg16, vgg16_bn, vgg19, vgg19_bn  # noqa: F401
