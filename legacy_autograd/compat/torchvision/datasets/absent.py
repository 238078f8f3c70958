"""The datasets of torchvision 0.1.8 that legacy_autograd does not include."""

from ....utils.data import Dataset


class _Absent(Dataset):
    needs: str

    def __init__(self, *arguments, **keywords):
        raise NotImplementedError(
            f"torchvision.datasets.{type(self).__name__} is not part of legacy_autograd: it needs {self.needs}. Unpack "
            "the images and read them with ImageFolder or your own Dataset, or put the torchvision of 2017 beside the "
            "program"
        )


class LSUNClass(_Absent):
    """Raises NotImplementedError."""

    needs = "an LMDB database and the package lmdb"


class LSUN(LSUNClass):
    """Raises NotImplementedError."""


class CocoCaptions(_Absent):
    """Raises NotImplementedError."""

    needs = "the package pycocotools"


class CocoDetection(CocoCaptions):
    """Raises NotImplementedError."""


class PhotoTour(_Absent):
    """Raises NotImplementedError."""

    needs = "an archive that is no longer published"
