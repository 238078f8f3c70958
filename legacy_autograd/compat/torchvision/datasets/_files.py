"""The files of datasets: checks of their presence and integrity."""

import os
import tarfile

from ....utils.data import Dataset
from .._pillow import image_of
from .utils import check_integrity


class ImageDataset(Dataset):
    """The base of datasets from one archive: images as an array, `data`, and their classes."""

    def __init__(self, root, transform, target_transform):
        self.root = os.path.expanduser(root)
        self.transform = transform
        self.target_transform = target_transform

    def _example(self, array, target):
        """Return (image, target) of a uint8 array (height, width) or (height, width, 3), each transformed."""
        return transformed(self, image_of(array), target)


def transformed(dataset, image, target):
    """Return (image, target), each changed by the dataset's transform for it, if there is one."""
    if dataset.transform is not None:
        image = dataset.transform(image)
    if dataset.target_transform is not None:
        target = dataset.target_transform(target)
    return image, target


def not_found(name, missing, folder, source):
    """Return the RuntimeError for files that are `missing` in `folder`; `source` is their origin."""
    return RuntimeError(
        f"Dataset not found: {name} reads {', '.join(missing)} in {os.path.abspath(folder)}, and nothing is "
        f"downloaded; get {source} and put the files there"
    )


def check_md5(path, md5, url):
    """Raise RuntimeError if the file `path` has another MD5 sum; `url` is its origin."""
    if not check_integrity(path, md5):
        raise RuntimeError(f"Dataset corrupted: {path} does not have the MD5 sum {md5}; get {url} again")


def unpacked(dataset, listed, unpack):
    """Check that the files `listed`, rows of (name, MD5), are in the dataset's `base_folder`; return their paths.

    With `unpack` they are first extracted from its archive, `filename`, if that is in `root`.

    Raises:
        RuntimeError: If a file is missing or has another MD5 sum.
    """
    folder = os.path.join(dataset.root, dataset.base_folder)
    paths = [os.path.join(folder, file) for file, _ in listed]
    packed = os.path.join(dataset.root, dataset.filename)
    if unpack and not all(map(os.path.isfile, paths)) and os.path.isfile(packed):
        check_md5(packed, dataset.tgz_md5, dataset.url)
        os.makedirs(folder, exist_ok=True)
        with tarfile.open(packed) as tar:
            for path, (file, _) in zip(paths, listed):
                with open(path, "wb") as out:
                    out.write(tar.extractfile(f"{dataset.base_folder}/{file}").read())
    missing = [file for path, (file, _) in zip(paths, listed) if not os.path.isfile(path)]
    if missing:
        raise not_found(type(dataset).__name__, missing, folder, f"{dataset.url}, unpack it")
    for path, (_, md5) in zip(paths, listed):
        check_md5(path, md5, dataset.url)
    return paths
