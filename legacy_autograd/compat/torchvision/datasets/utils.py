"""`torchvision.datasets.utils`, which data sets of programs use."""

import hashlib
import os


def check_integrity(fpath, md5):
    """Return whether there is a file `fpath`, and it has the MD5 sum `md5`, in hexadecimal digits."""
    if not os.path.isfile(fpath):
        return False
    with open(fpath, "rb") as stream:
        return hashlib.file_digest(stream, "md5").hexdigest() == md5


def download_url(url, root, filename, md5):
    """Return if the file `filename` in the folder `root` has the MD5 sum `md5`.

    0.1.8 downloaded it otherwise; this raises RuntimeError with the address and the place.
    """
    path = os.path.join(root, filename)
    if not check_integrity(path, md5):
        state = "does not have the MD5 sum " + md5 if os.path.isfile(path) else "is not there"
        raise RuntimeError(f"download_url: {path} {state}, and nothing is downloaded; get {url} and put it there")
