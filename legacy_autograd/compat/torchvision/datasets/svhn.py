"""SVHN, house numbers, from its files for MATLAB."""

import os

from . import _files


class SVHN(_files.ImageDataset):
    """Digits of house numbers, 32x32, as pairs of a Pillow image (RGB) and the digit.

    `split` is "train" (73,257 images), "test" (26,032) or "extra" (531,131). `root` has the file, `train_32x32.mat`
    for "train". Nothing is downloaded. The images are in `data`, a uint8 array (images, 3, 32, 32). As in 0.1.8 the
    digits, `labels`, are a uint8 array (images, 1), and the digit 0 is 10. Needs scipy.

    Raises:
        RuntimeError: If the file is missing, or has another MD5 sum than the published one.
        ValueError: For another split.
    """

    split_list = {
        split: [f"http://ufldl.stanford.edu/housenumbers/{split}_32x32.mat", f"{split}_32x32.mat", md5]
        for split, md5 in (
            ("train", "e26dedcc434d2e4c54c9b2d4a06d8373"),
            ("test", "eb5a983be6a315427106f1b164d9cef3"),
            ("extra", "a93ce644f1a588dc4d68dda5feec44a7"),
        )
    }

    def __init__(self, root, split="train", transform=None, target_transform=None, download=False):
        super().__init__(root, transform, target_transform)
        if split not in self.split_list:
            raise ValueError(f"SVHN: no split {split!r}; the splits are {', '.join(self.split_list)}")
        self.split = split
        self.url, self.filename, self.file_md5 = self.split_list[split]
        path = os.path.join(self.root, self.filename)
        if not os.path.isfile(path):
            raise _files.not_found("SVHN", [self.filename], self.root, self.url)
        _files.check_md5(path, self.file_md5, self.url)
        try:
            from scipy import io
        except ImportError:
            raise ImportError("SVHN needs scipy, which is not installed: pip install scipy") from None
        content = io.loadmat(path)
        self.data = content["X"].transpose(3, 2, 0, 1)
        self.labels = content["y"]

    def __getitem__(self, index):
        """Return (image, digit), both transformed."""
        return self._example(self.data[index].transpose(1, 2, 0), self.labels[index])

    def __len__(self):
        """Return the number of images of the split."""
        return len(self.data)
