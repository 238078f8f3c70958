"""`torchvision.datasets.utils`, which the datasets of programs use."""

import hashlib
import os

from ... import served_digits


def check_integrity(fpath, md5):
    """Return whether the file `fpath` exists and has the MD5 sum `md5`, in hexadecimal digits.

    Under `run --any-files` the sum is not compared.
    """
    if not os.path.isfile(fpath) or os.environ.get(served_digits.ANY_FILES):
        return os.path.isfile(fpath)
    with open(fpath, "rb") as stream:
        return hashlib.file_digest(stream, "md5").hexdigest() == md5


def download_url(url, root, filename, md5):
    """Check that the file `filename` in the folder `root` has the MD5 sum `md5`.

    If not, 0.1.8 downloaded it. Here the error names its address and its place.

    Raises:
        RuntimeError: If the file is missing or has another MD5 sum.
    """
    path = os.path.join(root, filename)
    if not check_integrity(path, md5):
        state = "does not have the MD5 sum " + md5 if os.path.isfile(path) else "is not there"
        raise RuntimeError(f"download_url: {path} {state}, and nothing is downloaded; get {url} and put it there")
