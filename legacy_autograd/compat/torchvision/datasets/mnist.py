"""MNIST and FashionMNIST, from their original files or from those that torchvision made of them."""

import gzip
import math
import os

import numpy

from .... import serialization
from ....tensor import from_numpy
from ... import served_digits
from . import _files

_FILES = [f"{part}-{kind}-ubyte.gz" for part in ("train", "t10k") for kind in ("images-idx3", "labels-idx1")]


class MNIST(_files.ImageDataset):
    """70,000 handwritten digits, 28x28, as pairs of a Pillow image (mode L) and the digit.

    `root` has the four original files in `raw/`, in `MNIST/raw/` or directly, packed (.gz) or unpacked, or
    `processed/training.pt` and `test.pt` of torchvision. `download=True` downloads nothing. The images are in
    `train_data`, a ByteTensor (images, 28, 28), and the digits in `train_labels`, a LongTensor; those of the test are
    in `test_data` and `test_labels`.

    Under `python -m legacy_autograd run --digits` they are scikit-learn's 1,797 digits instead, and no file is read.

    Raises:
        RuntimeError: If a file is missing or damaged.
    """

    urls = [f"http://yann.lecun.com/exdb/mnist/{name}" for name in _FILES]
    raw_folder = "raw"
    processed_folder = "processed"
    training_file = "training.pt"
    test_file = "test.pt"
    _name = "MNIST"

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        super().__init__(root, transform, target_transform)
        self.train = train
        images, labels = self._read()
        if train:
            self.train_data, self.train_labels = images, labels
        else:
            self.test_data, self.test_labels = images, labels

    def __getitem__(self, index):
        """Return (image, digit), both transformed."""
        images = self.train_data if self.train else self.test_data
        labels = self.train_labels if self.train else self.test_labels
        return self._example(images[index].numpy(), labels[index])

    def __len__(self):
        """Return the number of images: 60,000 for training and 10,000 for the test in the original files."""
        return len(self.train_data if self.train else self.test_data)

    def _read(self):
        if self._name == "MNIST" and served_digits.served():
            return served_digits.images_and_labels(self.train)
        processed = os.path.join(self.root, self.processed_folder, self.training_file if self.train else self.test_file)
        if os.path.isfile(processed):
            return serialization.load(processed)
        names = [url.rpartition("/")[2] for url in self.urls]
        names = [name for name in names if name.startswith("train" if self.train else "t10k")]
        folders = [self.raw_folder, os.path.join(self._name, "raw"), ""]
        paths = [_present(os.path.join(self.root, folder, name) for folder in folders) for name in names]
        if None in paths:
            raise _files.not_found(
                self._name,
                [name for name, path in zip(names, paths) if path is None],
                os.path.join(self.root, self.raw_folder),
                f"them from {self.urls[0].rpartition('/')[0]}/ or a mirror"
                + (" (or `run --digits`)" if self._name == "MNIST" else ""),
            )
        images, labels = (_read_idx(path) for path in paths)
        if images.ndim != 3 or labels.shape != images.shape[:1]:
            raise RuntimeError(f"Dataset corrupted: {paths[0]} has the shape {images.shape}, {paths[1]} {labels.shape}")
        return from_numpy(images), from_numpy(labels.astype(numpy.int64))


class FashionMNIST(MNIST):
    """70,000 images of clothes, 28x28, in ten classes (torchvision 0.1.9); files and attributes as in MNIST."""

    urls = [f"http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/{name}" for name in _FILES]
    _name = "FashionMNIST"


def _present(paths):
    """Return the first of the files `paths`, packed or unpacked, that exists, or None."""
    for path in paths:
        for candidate in (path, path.removesuffix(".gz")):
            if os.path.isfile(candidate):
                return candidate
    return None


def _read_idx(path):
    """Return the uint8 array in an IDX file, the format that LeCun's page of MNIST describes."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as stream:
        try:
            content = stream.read()
        except (OSError, EOFError) as error:
            raise RuntimeError(f"Dataset corrupted: {path}: {error}") from None
    dimensions = content[3] if content[:3] == b"\0\0\x08" and len(content) > 3 else None
    if dimensions is not None and len(content) >= 4 + 4 * dimensions:
        shape = tuple(numpy.frombuffer(content, ">u4", dimensions, 4).tolist())
        if len(content) == 4 + 4 * dimensions + math.prod(shape):
            return numpy.frombuffer(content, numpy.uint8, offset=4 + 4 * dimensions).reshape(shape).copy()
    raise RuntimeError(f"Dataset corrupted: {path} is not a complete IDX file of bytes; get it again")
