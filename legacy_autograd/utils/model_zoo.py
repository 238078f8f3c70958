"""`torch.utils.model_zoo` (v0.1.7): the published weights of a model, from a file that the user has put in a folder."""

import os
import urllib.parse

from .. import serialization


def load_url(url, model_dir=None, map_location=None):
    """Return what `torch.load` reads from the file that `url` ends in, in the folder `model_dir`.

    The default folder is that of the environment variable TORCH_MODEL_ZOO, or `models` in that of TORCH_HOME, or
    ~/.torch/models. v0.1.x downloaded a file that is not there; this raises FileNotFoundError with the address and the
    place. `map_location` is passed on.
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
