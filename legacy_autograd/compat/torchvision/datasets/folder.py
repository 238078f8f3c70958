"""ImageFolder: a folder of images for each class."""

import os

from ....utils.data import Dataset
from .._pillow import pillow
from ._files import transformed

IMG_EXTENSIONS = [".jpg", ".JPG", ".jpeg", ".JPEG", ".png", ".PNG", ".ppm", ".PPM", ".bmp", ".BMP"]


def is_image_file(filename):
    """Return whether the name has the extension of an image."""
    return filename.endswith(tuple(IMG_EXTENSIONS))


def find_classes(dir):
    """Return the names of the folders in `dir`, sorted, and {name: index}."""
    classes = sorted(entry.name for entry in os.scandir(dir) if entry.is_dir())
    return classes, {name: index for index, name in enumerate(classes)}


def make_dataset(dir, class_to_idx):
    """Return (path, class) of every image below `dir`, by class and then by path."""
    images = []
    for name in sorted(class_to_idx):
        for folder, _, files in sorted(os.walk(os.path.join(dir, name))):
            images += [
                (os.path.join(folder, file), class_to_idx[name]) for file in sorted(files) if is_image_file(file)
            ]
    return images


def default_loader(path):
    """Return the image in the file `path`, converted to RGB."""
    with open(path, "rb") as stream:
        return pillow("ImageFolder").open(stream).convert("RGB")


class ImageFolder(Dataset):
    """The images below `root`, one folder for each class, as pairs of a Pillow image (RGB) and its class.

    `classes` has the folders' names, sorted, `class_to_idx` their numbers, and `imgs` the pairs (path, class). `loader`
    returns the image of a path.

    Raises:
        RuntimeError: If there is no image.
    """

    def __init__(self, root, transform=None, target_transform=None, loader=default_loader):
        self.classes, self.class_to_idx = find_classes(root)
        self.imgs = make_dataset(root, self.class_to_idx)
        if not self.imgs:
            raise RuntimeError(
                f"Found 0 images in subfolders of: {root}\nSupported image extensions are: {','.join(IMG_EXTENSIONS)}"
            )
        self.root = root
        self.transform = transform
        self.target_transform = target_transform
        self.loader = loader

    def __getitem__(self, index):
        """Return (image, class), both transformed."""
        path, target = self.imgs[index]
        return transformed(self, self.loader(path), target)

    def __len__(self):
        """Return the number of images."""
        return len(self.imgs)
