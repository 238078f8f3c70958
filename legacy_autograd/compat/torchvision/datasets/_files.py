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
        image = image_of(array)
        if self.transform is not None:
            image = self.transform(image)
        if self.target_transform is not None:
            target = self.target_transform(target)
        return image, target


def not_found(name, missing, folder, source):
    """Return the RuntimeError for files that are `missing` in `folder`; `source` is their origin."""
    return RuntimeError(
        f"Dataset not found: {name} reads {', '.join(missing)} in {os.path.abspath(folder)}, and nothing is "
        f"downloaded; get {source} and put the files there"
    )


def unpacked(name, root, base_folder, listed, archive, archive_md5, url, unpack):
    """Check that the files `listed`, rows of (name, MD5), are in `root/base_folder`; return their paths.

    With `unpack` they are first extracted from the `archive`, if it is in `root`.

    Raises:
        RuntimeError: If a file is missing or has another MD5 sum.
    """
    folder = os.path.join(root, base_folder)
    paths = [os.path.join(folder, file) for file, _ in listed]
    packed = os.path.join(root, archive)
    if unpack and not all(map(os.path.isfile, paths)) and os.path.isfile(packed):
        if not check_integrity(packed, archive_md5):
            raise RuntimeError(f"Dataset corrupted: {packed} does not have the MD5 sum {archive_md5}; get {url} again")
        os.makedirs(folder, exist_ok=True)
        with tarfile.open(packed) as tar:
            for path, (file, _) in zip(paths, listed):
                with open(path, "wb") as out:
                    out.write(tar.extractfile(f"{base_folder}/{file}").read())
    missing = [file for path, (file, _) in zip(paths, listed) if not os.path.isfile(path)]
    if missing:
        raise not_found(name, missing, folder, f"{url}, unpack it")
    for path, (_, md5) in zip(paths, listed):
        if not check_integrity(path, md5):
            raise RuntimeError(f"Dataset corrupted: {path} does not have the MD5 sum {md5}; get {url} again")
    return paths
