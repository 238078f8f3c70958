"""`torchvision.utils` of 0.1.8: several images in one."""

import math

from ... import autograd
from ... import tensor as _tensor
from ._pillow import pillow


def make_grid(tensor, nrow=8, padding=2, normalize=False, range=None, scale_each=False, pad_value=0):
    """Return one image, a tensor (3, height, width), with all images of `tensor` in a grid.

    A single channel is repeated three times. A single image, of two or three dimensions, is returned without a frame.
    As in 0.1.8, a `tensor` of three channels is normalized in place.

    Args:
        tensor: The images, of shape (images, channels, height, width), or a list of images.
        nrow: The number of images in a row.
        padding: The number of pixels between images.
        normalize: Whether the numbers are scaled to [0, 1] by their minimum and maximum.
        range: (minimum, maximum) for `normalize`; numbers beyond are limited to it.
        scale_each: Whether each image is normalized separately.
        pad_value: The number between images (0.1.9).

    Raises:
        TypeError: If `tensor` is not a tensor or a list of tensors, or `range` is not a tuple.
        ValueError: If it does not have 2, 3 or 4 dimensions.
    """
    if isinstance(tensor, (list, tuple)):
        tensor = _tensor.stack(list(tensor), 0)
    if isinstance(tensor, autograd.Variable):
        raise TypeError("make_grid: expected a Tensor, got a Variable; pass its .data")
    if not _tensor.is_tensor(tensor):
        raise TypeError(f"make_grid: expected a tensor or a list of tensors, got {type(tensor).__name__}")
    if tensor.dim() == 2:
        tensor = tensor.view(1, tensor.size(0), tensor.size(1))
    if tensor.dim() == 3:
        return _tensor.cat((tensor, tensor, tensor), 0) if tensor.size(0) == 1 else tensor
    if tensor.dim() != 4:
        raise ValueError(f"make_grid: expected 2, 3 or 4 dimensions, got the size {tuple(tensor.size())}")
    if tensor.size(1) == 1:
        tensor = _tensor.cat((tensor, tensor, tensor), 1)
    if normalize:
        if range is not None and not (isinstance(range, tuple) and len(range) == 2):
            raise TypeError(f"make_grid: range must be a tuple (min, max), got {range!r}")
        for part in tensor if scale_each else [tensor]:
            low, high = range if range is not None else (part.min(), part.max())
            part.clamp_(min=low, max=high).add_(-low).div_(high - low)

    images = tensor.size(0)
    columns = min(nrow, images)
    rows = math.ceil(images / columns)
    height, width = tensor.size(2) + padding, tensor.size(3) + padding
    frame = 1 + padding // 2
    grid = tensor.new(3, height * rows + frame, width * columns + frame).fill_(pad_value)
    for index, image in enumerate(tensor):
        row, column = divmod(index, columns)
        place = grid.narrow(1, row * height + frame, height - padding)
        place.narrow(2, column * width + frame, width - padding).copy_(image)
    return grid


def save_image(tensor, filename, nrow=8, padding=2, normalize=False, range=None, scale_each=False, pad_value=0):
    """Write the result of `make_grid`, with numbers in [0, 1], to the file `filename`.

    The extension determines the format, for example .png. Needs Pillow.
    """
    image = pillow("save_image")
    grid = make_grid(tensor, nrow, padding, normalize, range, scale_each, pad_value)
    image.fromarray(grid.mul(255).clamp(0, 255).byte().permute(1, 2, 0).contiguous().numpy()).save(filename)
