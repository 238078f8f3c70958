"""`torch.utils.model_zoo` (v0.1.7): published weights of a model, from a file that the user puts in a folder."""

import os
import urllib.parse
from typing import Any

from .. import serialization


def load_url(url: str, model_dir: str | None = None, map_location: Any = None) -> Any:
    """Return the object in the file that a URL names, from a local folder (v0.1.x downloaded missing files).

    Args:
        url: The address; the file has the last part of its path as its name.
        model_dir: The folder. Default: the environment variable TORCH_MODEL_ZOO, or `models` in the folder TORCH_HOME,
            or ~/.torch/models.
        map_location: As for `load`.

    Raises:
        FileNotFoundError: If the file is not in the folder; the message has the address and the path.
    """
    if model_dir is None:
        home = os.path.expanduser(os.environ.get("TORCH_HOME", "~/.torch"))
        model_dir = os.environ.get("TORCH_MODEL_ZOO", os.path.join(home, "models"))
    path = os.path.join(model_dir, os.path.basename(urllib.parse.urlparse(url).path))
    if not os.path.isfile(path):
        raise FileNotFoundError(
            f"model_zoo.load_url: there is no file {path}, and nothing is downloaded; get {url} and put it there, or "
            "name its folder in the environment variable TORCH_MODEL_ZOO"
        )
    return serialization.load(path, map_location=map_location)
