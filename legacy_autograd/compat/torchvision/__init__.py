"""torchvision of early 2017 (0.1.8, and FashionMNIST of 0.1.9): data sets, transforms, models, grids of images.

`python -m legacy_autograd run` gives it to programs that import torchvision. Nothing is ever downloaded: data sets
read the original files, and models the published weights, from where the user has put them. Images need pillow.
"""

from . import datasets, models, transforms, utils  # noqa: F401
