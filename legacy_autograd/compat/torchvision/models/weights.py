"""Published weights of the models; nothing is downloaded (`torch.utils.model_zoo`)."""

from ....utils import model_zoo


def published(model, url, pretrained):
    """Return `model`, with the weights from the file that is named like `url` if `pretrained`."""
    if pretrained:
        model.load_state_dict(model_zoo.load_url(url))
    return model
