"""STL10, from its binary files."""

import os

import numpy

from . import _files


class STL10(_files.ImageDataset):
    """Photographs, 96x96, as pairs of a Pillow image (RGB) and the class's number, from 0.

    `split` is "train" (5,000 images), "test" (8,000), "unlabeled" (100,000, with the class None) or "train+unlabeled"
    (unlabeled images have the class -1). `root` has the folder `stl10_binary`, or with `download=True` the archive,
    which is then unpacked. Nothing is downloaded. The images are in `data`, a uint8 array (images, 3, 96, 96), the
    classes in `labels`, and the names of the classes in `classes`.

    Raises:
        RuntimeError: If a file is missing, or has another MD5 sum than the published one.
        ValueError: For another split.
    """

    base_folder = "stl10_binary"
    url = "http://ai.stanford.edu/~acoates/stl10/stl10_binary.tar.gz"
    filename = "stl10_binary.tar.gz"
    tgz_md5 = "91f7769df0f17e558f3565bffb0c7dfb"
    class_names_file = "class_names.txt"
    train_list = [
        ["train_X.bin", "918c2871b30a85fa023e0c44e0bee87f"],
        ["train_y.bin", "5a34089d4802c674881badbb80307741"],
        ["unlabeled_X.bin", "5242ba1fed5e4be9e1e742405eb56ca4"],
    ]
    test_list = [
        ["test_X.bin", "7f263ba9f9e0b06b93213547f721ac82"],
        ["test_y.bin", "36f9794fa4beb8a2c72628de14fa638e"],
    ]

    def __init__(self, root, split="train", transform=None, target_transform=None, download=False):
        super().__init__(root, transform, target_transform)
        self.split = split
        labelled, unlabelled = self.train_list[:2], self.train_list[2:]
        parts = {
            "train": labelled,
            "test": self.test_list,
            "unlabeled": unlabelled,
            "train+unlabeled": labelled + unlabelled,
        }
        if split not in parts:
            raise ValueError(f"STL10: no split {split!r}; the splits are {', '.join(parts)}")
        paths = _files.unpacked(self, parts[split], unpack=download)
        images = [_images(path) for path in paths if path.endswith("_X.bin")]
        self.data = numpy.concatenate(images)
        self.labels = None
        if split != "unlabeled":
            self.labels = numpy.fromfile(paths[1], numpy.uint8).astype(numpy.int64) - 1
            self.labels = numpy.append(self.labels, [-1] * (len(self.data) - len(self.labels)))
        names = os.path.join(self.root, self.base_folder, self.class_names_file)
        if os.path.isfile(names):
            with open(names, encoding="ascii") as stream:
                self.classes = stream.read().splitlines()

    def __getitem__(self, index):
        """Return (image, class), both transformed."""
        target = None if self.labels is None else int(self.labels[index])
        return self._example(self.data[index].transpose(1, 2, 0), target)

    def __len__(self):
        """Return the number of images of the split."""
        return len(self.data)


def _images(path):
    """Return the images of a file, which stores the columns of each channel one after the other."""
    return numpy.fromfile(path, numpy.uint8).reshape(-1, 3, 96, 96).transpose(0, 1, 3, 2)
