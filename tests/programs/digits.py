"""What the programs load in place of a download: 28x28 images of handwritten digits, as those of MNIST are."""

import numpy
import torch
from sklearn.datasets import load_digits
from torch.utils.data import Dataset


def load(train):
    """Images, a FloatTensor (N, 28, 28) of shades from 0 to 255, and a LongTensor of digits."""
    images, digits = load_digits(return_X_y=True)
    part = slice(0, 1400) if train else slice(1400, None)
    images = numpy.kron(images[part].reshape(-1, 8, 8), numpy.ones((3, 3))) * (255.0 / 16)
    images = numpy.pad(images, ((0, 0), (2, 2), (2, 2)))
    return torch.from_numpy(images.astype("float32")), torch.from_numpy(digits[part].astype("int64"))


class Digits(Dataset):
    def __init__(self, train):
        self.images, self.digits = load(train)

    def __getitem__(self, index):
        return self.images[index].unsqueeze(0).div(255), self.digits[index]

    def __len__(self):
        return len(self.images)
