"""CIFAR10 and CIFAR100, from the files of the archive for Python."""

import pickle

import numpy

from . import _files


class CIFAR10(_files.ImageDataset):
    """60,000 photographs, 32x32, in ten classes, as pairs of a Pillow image (RGB) and the class's number.

    `root` has the folder `cifar-10-batches-py`, or with `download=True` the archive, which is then unpacked. Nothing is
    downloaded. The images are in `train_data`, a uint8 array (images, 32, 32, 3), and the classes in the list
    `train_labels`; those of the test are in `test_data` and `test_labels`.

    Raises:
        RuntimeError: If a file is missing, or has another MD5 sum than the published one.
    """

    base_folder = "cifar-10-batches-py"
    url = "http://www.cs.toronto.edu/~kriz/cifar-10-python.tar.gz"
    filename = "cifar-10-python.tar.gz"
    tgz_md5 = "c58f30108f718f92721af3b95e74349a"
    train_list = [
        ["data_batch_1", "c99cafc152244af753f735de768cd75f"],
        ["data_batch_2", "d4bba439e000b95fd0a9bffe97cbabec"],
        ["data_batch_3", "54ebc095f3ab1f0389bbae665268c751"],
        ["data_batch_4", "634d18415352ddfa80567beed471001a"],
        ["data_batch_5", "482c414d41f54cd18b22e5b47cb7c3cb"],
    ]
    test_list = [["test_batch", "40351d587109b95175f43aff81a1287e"]]

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        super().__init__(root, transform, target_transform)
        self.train = train
        paths = _files.unpacked(self, self.train_list + self.test_list, unpack=download)
        batches = [_read(path) for path in (paths[: len(self.train_list)] if train else paths[len(self.train_list) :])]
        images = numpy.concatenate([batch["data"] for batch in batches]).reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
        labels = [label for batch in batches for label in batch.get("labels", batch.get("fine_labels"))]
        if train:
            self.train_data, self.train_labels = images, labels
        else:
            self.test_data, self.test_labels = images, labels

    def __getitem__(self, index):
        """Return (image, class), both transformed."""
        if self.train:
            return self._example(self.train_data[index], self.train_labels[index])
        return self._example(self.test_data[index], self.test_labels[index])

    def __len__(self):
        """Return the number of images: 50,000 for training, 10,000 for the test."""
        return len(self.train_data if self.train else self.test_data)


class CIFAR100(CIFAR10):
    """60,000 photographs in 100 classes, from the folder `cifar-100-python`; see CIFAR10."""

    base_folder = "cifar-100-python"
    url = "http://www.cs.toronto.edu/~kriz/cifar-100-python.tar.gz"
    filename = "cifar-100-python.tar.gz"
    tgz_md5 = "eb9058c3a382ffc7106e4002c42a8d85"
    train_list = [["train", "16019d7e3df5f24257cddd939b257f8d"]]
    test_list = [["test", "f0ef6b0ae62326f3e7ffdfab6717acfc"]]


class _Unpickler(pickle.Unpickler):
    """Unpickles NumPy arrays, of which a batch consists, and refuses all other names."""

    _ALLOWED = {
        ("numpy", "ndarray"),
        ("numpy", "dtype"),
        ("numpy.core.multiarray", "_reconstruct"),
        ("numpy._core.multiarray", "_reconstruct"),
        ("_codecs", "encode"),
    }

    def find_class(self, module, name):
        if (module, name) not in self._ALLOWED:
            raise pickle.UnpicklingError(f"a batch of CIFAR holds no {module}.{name}")
        return super().find_class(module.replace("numpy.core", "numpy._core"), name)


def _read(path):
    with open(path, "rb") as stream:
        return _Unpickler(stream, encoding="latin1").load()
