"""Transforms and grids of images give what today's torchvision gives, and what 0.1.8 gave where that differs."""

import random

import numpy
import pytest
from installed import needs

import legacy_autograd as torch
from legacy_autograd.autograd import Variable
from legacy_autograd.compat.torchvision import transforms, utils

from . import modern_torchvision

needs("PIL")
from PIL import Image  # noqa: E402

GENERATOR = numpy.random.default_rng(1)
ARRAY = GENERATOR.integers(0, 256, (9, 14, 3), numpy.uint8)
PICTURES = {
    "RGB": Image.fromarray(ARRAY),
    "L": Image.fromarray(ARRAY[:, :, 0]),
    "RGBA": Image.fromarray(numpy.concatenate([ARRAY, ARRAY[:, :, :1]], 2)),
    "YCbCr": Image.fromarray(ARRAY).convert("YCbCr"),
    "CMYK": Image.fromarray(ARRAY).convert("CMYK"),
    "1": Image.fromarray(ARRAY[:, :, 0] > 99),
    "P": Image.fromarray(ARRAY).convert("P"),
    "I": Image.fromarray(ARRAY[:, :, 0].astype("int32") * 999),
    "F": Image.fromarray(ARRAY[:, :, 0].astype("float32") / 7),
}


def same(image, other):
    return image.mode == other.mode and image.size == other.size and image.tobytes() == other.tobytes()


@pytest.fixture(scope="module")
def modern():
    return modern_torchvision.load()


@pytest.mark.parametrize("mode", PICTURES)
def test_to_tensor_is_that_of_today(modern, mode):
    ours, theirs = transforms.ToTensor()(PICTURES[mode]), modern.transforms.ToTensor()(PICTURES[mode])
    assert ours.numpy().dtype == theirs.numpy().dtype and ours.size() == tuple(theirs.shape)
    assert (ours.numpy() == theirs.numpy()).all() and ours.is_contiguous()


def test_to_tensor_of_arrays_divides_by_255_whatever_their_type():
    for array in (ARRAY, ARRAY.astype("float64")):
        tensor = transforms.ToTensor()(array)
        assert tensor.type() == "torch.FloatTensor" and tensor.size() == (3, 9, 14)
        assert abs(tensor.numpy() - ARRAY.transpose(2, 0, 1) / 255).max() < 1e-6
    with pytest.raises(TypeError, match=r"\(height, width, channels\), got \(9, 14\)"):
        transforms.ToTensor()(ARRAY[:, :, 0])
    with pytest.raises(TypeError, match="expected a Pillow image or an array, got list"):
        transforms.ToTensor()([1])


def test_16_bits_keep_their_numbers():
    image = Image.fromarray(ARRAY[:, :, 0].astype("uint16") * 100)
    tensor = transforms.ToTensor()(image)
    assert tensor.type() == "torch.ShortTensor" and (tensor.numpy()[0] == ARRAY[:, :, 0].astype("int16") * 100).all()
    assert same(transforms.ToPILImage()(tensor), image)


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "I"])
def test_an_image_comes_back_from_its_tensor(mode):
    tensor = transforms.ToTensor()(PICTURES[mode])
    assert same(transforms.ToPILImage()(tensor), PICTURES[mode])


def test_to_image_of_arrays_and_what_has_no_image():
    assert same(transforms.ToPILImage()(ARRAY), PICTURES["RGB"])
    assert same(transforms.ToPILImage()(ARRAY[:, :, :1]), PICTURES["L"])
    assert same(transforms.ToPILImage()(torch.from_numpy(ARRAY.transpose(2, 0, 1).copy())), PICTURES["RGB"])
    for wrong in (torch.ones(2, 4, 4), torch.LongTensor(1, 4, 4), torch.ones(4, 4), numpy.ones((4, 4)), "image"):
        with pytest.raises(TypeError, match="ToPILImage: "):
            transforms.ToPILImage()(wrong)


def test_normalize_changes_the_tensor_itself(modern):
    tensor, theirs = transforms.ToTensor()(PICTURES["RGB"]), modern.transforms.ToTensor()(PICTURES["RGB"])
    means, deviations = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
    assert transforms.Normalize(means, deviations)(tensor) is tensor
    assert abs(tensor.numpy() - modern.transforms.Normalize(means, deviations)(theirs).numpy()).max() < 1e-6


@pytest.mark.parametrize(
    "ours, theirs",
    [
        (lambda: transforms.Scale(6), lambda t: t.Resize(6)),
        (lambda: transforms.Scale(20), lambda t: t.Resize(20)),
        (lambda: transforms.Scale(9), lambda t: t.Resize(9)),
        (lambda: transforms.Scale((5, 8)), lambda t: t.Resize((8, 5))),
        (lambda: transforms.Scale(6, Image.NEAREST), lambda t: t.Resize(6, t.InterpolationMode.NEAREST)),
        (lambda: transforms.CenterCrop(5), lambda t: t.CenterCrop(5)),
        (lambda: transforms.CenterCrop((4, 7)), lambda t: t.CenterCrop((4, 7))),
        (lambda: transforms.Pad(2), lambda t: t.Pad(2)),
        (lambda: transforms.Pad(1, fill="red"), lambda t: t.Pad(1, fill=(255, 0, 0))),
        (lambda: transforms.Pad((1, 2, 3, 4), fill=(1, 2, 3)), lambda t: t.Pad((1, 2, 3, 4), fill=(1, 2, 3))),
        (lambda: transforms.Lambda(lambda image: image.rotate(90)), lambda t: lambda image: image.rotate(90)),
        (
            lambda: transforms.Compose([transforms.Scale(7), transforms.CenterCrop(6)]),
            lambda t: t.Compose([t.Resize(7), t.CenterCrop(6)]),
        ),
    ],
)
@pytest.mark.parametrize("tall", [False, True])
def test_images_are_changed_as_today(modern, ours, theirs, tall):
    image = PICTURES["RGB"].transpose(Image.Transpose.ROTATE_90) if tall else PICTURES["RGB"]
    assert same(ours()(image), theirs(modern.transforms)(image))


def parts(image, width, height):
    """Every part of that size, by its bytes."""
    places = [(x, y) for x in range(image.width - width + 1) for y in range(image.height - height + 1)]
    return {image.crop((x, y, x + width, y + height)).tobytes(): (x, y) for x, y in places}


def test_random_crop_takes_every_part_and_repeats_with_the_seed():
    image = PICTURES["L"]
    known = parts(image, 12, 8)
    random.seed(0)
    crop = transforms.RandomCrop((8, 12))
    drawn = [crop(image) for _ in range(100)]
    assert {known[part.tobytes()] for part in drawn} == set(known.values()) and len(known) == 6
    random.seed(0)
    assert crop(image).tobytes() == drawn[0].tobytes()
    assert transforms.RandomCrop((9, 14))(image) is image
    framed = transforms.RandomCrop(10, padding=1)(image)
    assert framed.size == (10, 10) and framed.tobytes() in parts(transforms.Pad(1)(image), 10, 10)
    with pytest.raises(ValueError, match="10x10 does not fit into an image of 14x9"):
        transforms.RandomCrop(10)(image)


def test_random_flip_swaps_left_and_right_half_of_the_time():
    random.seed(0)
    image, mirrored = PICTURES["L"], PICTURES["L"].transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    drawn = [transforms.RandomHorizontalFlip()(image) for _ in range(200)]
    assert all(result is image or same(result, mirrored) for result in drawn)
    assert 75 < sum(result is image for result in drawn) < 125


def test_random_sized_crop_gives_the_size_of_parts_of_every_area():
    random.seed(0)
    ramp = Image.fromarray(numpy.tile(numpy.arange(200, dtype=numpy.uint8), (200, 1)))
    drawn = [numpy.asarray(transforms.RandomSizedCrop(50)(ramp)) for _ in range(300)]
    assert {part.shape for part in drawn} == {(50, 50)}
    widths = [float(part.max()) - float(part.min()) for part in drawn]
    assert min(widths) < 0.4 * 200 and max(widths) > 0.9 * 200
    # No part of a strip fits: its middle is taken.
    strip = ramp.crop((0, 0, 200, 2))
    assert same(transforms.RandomSizedCrop(2)(strip), transforms.CenterCrop(2)(strip))


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: transforms.Pad("1"), "padding must be a number or four, got str"),
        (lambda: transforms.Pad(1, fill=[1]), "fill must be"),
        (lambda: transforms.Lambda(3), "expected a function, got int"),
        (lambda: transforms.Scale(3)(torch.ones(3, 4, 4)), "Scale: expected a Pillow image, got DoubleTensor"),
        (lambda: transforms.CenterCrop(3)(ARRAY), "CenterCrop: expected a Pillow image, got ndarray"),
        (lambda: transforms.RandomHorizontalFlip()(None), "RandomHorizontalFlip: expected a Pillow image"),
        (lambda: utils.make_grid(ARRAY), "make_grid: expected a tensor or a list of tensors, got ndarray"),
        (lambda: utils.make_grid(Variable(torch.ones(2, 3, 4, 4))), "make_grid: .*pass its .data"),
        (lambda: utils.make_grid(torch.ones(2, 3, 4, 4), normalize=True, range=1), r"a tuple \(min, max\), got 1"),
    ],
)
def test_wrong_arguments_are_named(make, message):
    with pytest.raises(TypeError, match=message):
        make()


# --- utils


@pytest.mark.parametrize("shape", [(10, 3, 4, 5), (3, 1, 4, 5), (1, 3, 4, 5), (3, 4, 5), (1, 4, 5), (4, 5)])
@pytest.mark.parametrize("options", [{}, {"nrow": 4}, {"nrow": 3, "pad_value": 0.5}])
def test_a_grid_is_that_of_today(modern, shape, options):
    import torch as modern_torch

    numbers = GENERATOR.normal(size=shape)
    theirs = modern.utils.make_grid(modern_torch.from_numpy(numbers), **options)
    ours = utils.make_grid(torch.from_numpy(numbers), **options)
    # Today a single image of a batch has no frame.
    if shape[0] == 1 and len(shape) == 4:
        assert ours.size() == (3, 8, 9) and (ours.numpy()[:, 2:6, 2:7] == theirs.numpy()).all()
        return
    assert ours.size() == tuple(theirs.shape) and (ours.numpy() == theirs.numpy()).all()


@pytest.mark.parametrize("scale_each", [False, True])
@pytest.mark.parametrize("limits", [None, (-0.5, 0.25)])
def test_a_normalized_grid_of_a_list_is_that_of_today(modern, scale_each, limits):
    import torch as modern_torch

    numbers = GENERATOR.normal(size=(5, 3, 4, 5))
    theirs = modern.utils.make_grid(
        modern_torch.from_numpy(numbers), normalize=True, value_range=limits, scale_each=scale_each
    )
    images = [torch.from_numpy(image) for image in numbers]
    ours = utils.make_grid(images, normalize=True, range=limits, scale_each=scale_each)
    assert abs(ours.numpy() - theirs.numpy()).max() < 2e-5  # today 1e-5 keeps the divisor from 0


def test_the_distance_between_images_is_that_of_0_1_8():
    grid = utils.make_grid(torch.ones(2, 3, 1, 1), padding=3)
    assert grid.size() == (3, 4 + 2, 8 + 2) and grid.sum() == 6  # 1 + padding // 2 in front of each image
    assert grid[0, 2, 2] == grid[0, 2, 6] == 1


def test_save_image_writes_what_make_grid_makes(tmp_path):
    tensor = torch.from_numpy(GENERATOR.uniform(-0.2, 1.2, (3, 3, 4, 5)))
    utils.save_image(tensor, str(tmp_path / "grid.png"), nrow=2, padding=4)
    written = numpy.asarray(Image.open(tmp_path / "grid.png"))
    grid = utils.make_grid(tensor, 2, 4).numpy().transpose(1, 2, 0)
    assert (written == (grid * 255).clip(0, 255).astype(numpy.uint8)).all()
