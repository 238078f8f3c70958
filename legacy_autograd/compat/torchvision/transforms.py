"""`torchvision.transforms` of 0.1.8: transforms of a Pillow image, an array or a tensor.

Random transforms draw from Python's `random`, as in 2017, so `random.seed` makes them repeatable.
"""

import math
import numbers
import random
import types

import numpy

from ... import tensor as _tensor
from ._pillow import is_image, pillow

_BILINEAR = 2  # PIL.Image.BILINEAR


def _checked_image(transform, value):
    """Return `value` if it is a Pillow image; raise TypeError otherwise."""
    name = type(transform).__name__
    pillow(f"transforms.{name}")
    if not is_image(value):
        raise TypeError(f"transforms.{name}: expected a Pillow image, got {type(value).__name__}")
    return value


def _height_and_width(size):
    return (int(size), int(size)) if isinstance(size, numbers.Number) else size


class Compose:
    """Apply a list of transforms in order."""

    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, img):
        """Return `img` after all transforms."""
        for transform in self.transforms:
            img = transform(img)
        return img


class ToTensor:
    """Convert an image, or an array of shape (height, width, channels), to a tensor (channels, height, width).

    Bytes become a FloatTensor in [0, 1]. An array of another type is divided by 255 too, as in 0.1.8. Images with 16
    or 32 bits (modes I;16, I, F) keep their numbers and their type.
    """

    def __call__(self, pic):
        """Return the tensor of `pic`. TypeError if it is neither an image nor an array."""
        if isinstance(pic, numpy.ndarray):
            if pic.ndim != 3:
                raise TypeError(
                    f"transforms.ToTensor: expected an array of shape (height, width, channels), got {pic.shape}"
                )
            return _tensor.from_numpy(pic.transpose(2, 0, 1).astype(numpy.float32, order="C") / numpy.float32(255))
        if not is_image(pic):
            pillow("transforms.ToTensor of an image")
            raise TypeError(f"transforms.ToTensor: expected a Pillow image or an array, got {type(pic).__name__}")
        array = numpy.asarray(pic)
        if array.ndim == 2:
            array = array[:, :, None]
        array = array.transpose(2, 0, 1)
        if array.dtype == bool:  # mode 1
            return _tensor.from_numpy(array.astype(numpy.float32, order="C"))
        if array.dtype == numpy.uint8:
            return _tensor.from_numpy(array.astype(numpy.float32, order="C") / numpy.float32(255))
        if pic.mode.startswith("I;16"):
            array = array.astype(numpy.int16)
        return _tensor.from_numpy(numpy.array(array, order="C"))


class ToPILImage:
    """Convert a tensor (channels, height, width), or an array (height, width, channels), to an image.

    A FloatTensor is multiplied by 255 and truncated to bytes. One channel gives the mode L, I;16, I or F, depending on
    the type; three channels of bytes give RGB, and four RGBA.
    """

    def __call__(self, pic):
        """Return the image of `pic`. TypeError for a type or a number of channels without an image mode."""
        image = pillow("transforms.ToPILImage")
        if isinstance(pic, _tensor.FloatTensor):
            pic = pic.mul(255).byte()
        array = pic.numpy() if _tensor.is_tensor(pic) else pic
        if not isinstance(array, numpy.ndarray) or array.ndim != 3:
            raise TypeError(
                "transforms.ToPILImage: expected a tensor (channels, height, width) or an array (height, width, "
                f"channels), got {type(pic).__name__}{getattr(array, 'shape', '')}"
            )
        if _tensor.is_tensor(pic):
            array = array.transpose(1, 2, 0)
        if array.shape[2] == 1 and array.dtype in ("uint8", "int16", "int32", "float32"):
            array = array[:, :, 0].view("uint16") if array.dtype == numpy.int16 else array[:, :, 0]
        elif array.shape[2] not in (3, 4) or array.dtype != numpy.uint8:
            raise TypeError(
                f"transforms.ToPILImage: no image has {array.shape[2]} channels of {array.dtype}; one channel may be "
                "uint8, int16, int32 or float32, three and four must be uint8"
            )
        return image.fromarray(numpy.ascontiguousarray(array))


class Normalize:
    """Subtract `mean` from each channel of a tensor and divide by `std`, two sequences of numbers, in place."""

    def __init__(self, mean, std):
        self.mean = mean
        self.std = std

    def __call__(self, tensor):
        """Return the changed `tensor`, of shape (channels, height, width)."""
        for channel, mean, std in zip(tensor, self.mean, self.std):
            channel.sub_(mean).div_(std)
        return tensor


class Scale:
    """Resize an image to a smaller edge of `size` pixels, or (0.1.9) to the size (width, height)."""

    def __init__(self, size, interpolation=_BILINEAR):
        self.size = size
        self.interpolation = interpolation

    def __call__(self, img):
        """Return the resized image."""
        width, height = _checked_image(self, img).size
        if not isinstance(self.size, numbers.Number):
            return img.resize(tuple(self.size), self.interpolation)
        if min(width, height) == self.size:
            return img
        if width < height:
            return img.resize((self.size, int(self.size * height / width)), self.interpolation)
        return img.resize((int(self.size * width / height), self.size), self.interpolation)


class CenterCrop:
    """Crop the centre of an image to `size`, a number or (height, width)."""

    def __init__(self, size):
        self.size = _height_and_width(size)

    def __call__(self, img):
        """Return the part."""
        width, height = _checked_image(self, img).size
        new_height, new_width = self.size
        left = round((width - new_width) / 2)
        top = round((height - new_height) / 2)
        return img.crop((left, top, left + new_width, top + new_height))


class Pad:
    """Add a frame of `padding` pixels, a number or (left, top, right, bottom), in the colour `fill`."""

    def __init__(self, padding, fill=0):
        if not isinstance(padding, (numbers.Number, tuple, list)):
            raise TypeError(f"transforms.Pad: padding must be a number or four, got {type(padding).__name__}")
        if not isinstance(fill, (numbers.Number, str, tuple)):
            raise TypeError(f"transforms.Pad: fill must be a number, a name or a tuple, got {type(fill).__name__}")
        self.padding = padding
        self.fill = fill

    def __call__(self, img):
        """Return the framed image."""
        return _framed(_checked_image(self, img), self.padding, self.fill)


def _framed(img, padding, fill):
    from PIL import ImageOps

    return ImageOps.expand(img, border=padding if isinstance(padding, numbers.Number) else tuple(padding), fill=fill)


class Lambda:
    """Apply the user's function `lambd`."""

    def __init__(self, lambd):
        if not isinstance(lambd, types.LambdaType):
            raise TypeError(f"transforms.Lambda: expected a function, got {type(lambd).__name__}")
        self.lambd = lambd

    def __call__(self, img):
        """Return `lambd(img)`."""
        return self.lambd(img)


class RandomCrop:
    """Crop an image at a random place to `size`, a number or (height, width), after adding `padding` zeros."""

    def __init__(self, size, padding=0):
        self.size = _height_and_width(size)
        self.padding = padding

    def __call__(self, img):
        """Return the part. ValueError if the image is smaller."""
        _checked_image(self, img)
        if self.padding != 0:
            img = _framed(img, self.padding, 0)
        width, height = img.size
        new_height, new_width = self.size
        if (width, height) == (new_width, new_height):
            return img
        if new_width > width or new_height > height:
            raise ValueError(
                f"transforms.RandomCrop: {new_width}x{new_height} does not fit into an image of {width}x{height}"
            )
        left = random.randint(0, width - new_width)
        top = random.randint(0, height - new_height)
        return img.crop((left, top, left + new_width, top + new_height))


class RandomHorizontalFlip:
    """Flip an image horizontally with probability 1/2."""

    def __call__(self, img):
        """Return the image or its mirror image."""
        _checked_image(self, img)
        if random.random() < 0.5:
            return img.transpose(pillow("transforms.RandomHorizontalFlip").Transpose.FLIP_LEFT_RIGHT)
        return img


class RandomSizedCrop:
    """Crop a random part of 8 % to 100 % of the area, with sides of 3:4 to 4:3, and resize it to a square of `size`.

    If ten parts in a row do not fit into the image, its centre is taken (Szegedy et al., "Going Deeper with
    Convolutions", 2015).
    """

    def __init__(self, size, interpolation=_BILINEAR):
        self.size = size
        self.interpolation = interpolation

    def __call__(self, img):
        """Return the resized part."""
        width, height = _checked_image(self, img).size
        for _ in range(10):
            area = random.uniform(0.08, 1.0) * width * height
            ratio = random.uniform(3 / 4, 4 / 3)
            new_width = round(math.sqrt(area * ratio))
            new_height = round(math.sqrt(area / ratio))
            if random.random() < 0.5:
                new_width, new_height = new_height, new_width
            if new_width <= width and new_height <= height:
                left = random.randint(0, width - new_width)
                top = random.randint(0, height - new_height)
                img = img.crop((left, top, left + new_width, top + new_height))
                return img.resize((self.size, self.size), self.interpolation)
        return CenterCrop(self.size)(Scale(self.size, self.interpolation)(img))
