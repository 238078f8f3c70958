"""torchvision of early 2017 (0.1.8, and FashionMNIST of 0.1.9): datasets, transforms, models, image grids.

`python -m legacy_autograd run` gives it to programs that import torchvision. Nothing is downloaded: datasets read the
original files and models the published weights, from where the user has put them. Images need Pillow.
"""

from . import datasets, models, transforms, utils  # noqa: F401
