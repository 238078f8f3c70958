"""Models have the parameters of today's torchvision, and from the same weights give the same scores."""

import re

import numpy
import pytest

from legacy_autograd import from_numpy
from legacy_autograd.autograd import Variable
from legacy_autograd.compat.torchvision import models

from . import modern_torchvision

GENERATOR = numpy.random.default_rng(2)
LARGE = """
    alexnet vgg11 vgg13 vgg16_bn vgg19_bn resnet34 resnet50 resnet101 resnet152 squeezenet1_1
    densenet121 densenet161 densenet169 densenet201 inception_v3
""".split()
SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in LARGE]


@pytest.fixture(scope="module")
def modern():
    return modern_torchvision.load().models


def name_of_today(name):
    """`norm.1` of a layer of DenseNet is `norm1` today."""
    return re.sub(r"(norm|conv)\.(\d)", r"\1\2", name)


def agree(ours, theirs, size):
    """Give both the same numbers; compare the names and shapes of the parameters, the scores and a gradient."""
    import torch

    ours.double().eval()
    theirs.double().eval()
    state = {name_of_today(name): tensor for name, tensor in ours.state_dict().items()}
    modern_state = {
        name: tensor for name, tensor in theirs.state_dict().items() if not name.endswith("num_batches_tracked")
    }
    assert {name: tuple(tensor.size()) for name, tensor in state.items()} == {
        name: tuple(tensor.shape) for name, tensor in modern_state.items()
    }
    for name, tensor in state.items():
        array = tensor.numpy()
        if name.endswith("running_mean"):
            array[...] = GENERATOR.normal(0, 0.1, array.shape)
        elif name.endswith("running_var"):
            array[...] = GENERATOR.uniform(0.5, 1.5, array.shape)
        modern_state[name].copy_(torch.from_numpy(array))
    numbers = GENERATOR.normal(size=(1, 3, size, size))
    x = Variable(from_numpy(numbers), requires_grad=True)
    modern_x = torch.from_numpy(numbers).requires_grad_()
    scores, modern_scores = ours(x), theirs(modern_x)
    scores.sum().backward()
    modern_scores.sum().backward()
    for found, expected in ((scores.data, modern_scores), (x.grad, modern_x.grad)):
        found, expected = found.numpy(), expected.detach().numpy()
        assert found.shape == expected.shape and expected.any()
        assert abs(found - expected).max() <= 1e-5 * abs(expected).max()


@pytest.mark.parametrize("name", ["resnet18", "squeezenet1_0", *SLOW])
def test_parameters_scores_and_gradients_are_those_of_today(modern, name):
    options = {"init_weights": False} if name == "inception_v3" else {}
    theirs = getattr(modern, name)(num_classes=5, **options)
    agree(getattr(models, name)(num_classes=5), theirs, 299 if name == "inception_v3" else 224)


def test_a_small_densenet_is_that_of_today(modern):
    small = {"growth_rate": 4, "block_config": (2, 1, 1, 2), "num_init_features": 8, "bn_size": 2, "num_classes": 3}
    agree(models.DenseNet(**small), modern.DenseNet(**small), 224)


@pytest.mark.parametrize("letter", "ABDE")
def test_the_convolutions_of_vgg_are_those_of_today(modern, letter):
    cfg = [entry if entry == "M" else entry // 16 for entry in models.vgg.cfg[letter]]
    assert models.vgg.cfg[letter] == modern.vgg.cfgs[letter]
    agree(models.vgg.make_layers(cfg, True), modern.vgg.make_layers(cfg, True), 32)


@pytest.mark.parametrize("part", ["InceptionA", "InceptionB", "InceptionC", "InceptionD", "InceptionE"])
def test_a_part_of_inception_is_that_of_today(modern, part):
    options = {"InceptionA": (3, 4), "InceptionC": (3, 8)}.get(part, (3,))
    agree(getattr(models.inception, part)(*options), getattr(modern.inception, part)(*options), 9)


def test_the_input_of_inception_is_changed_by_channel():
    numbers = GENERATOR.normal(size=(2, 3, 4, 4))
    changed = models.inception._as_published_weights_take_it(Variable(from_numpy(numbers))).data.numpy()
    means, deviations = numpy.array([0.485, 0.456, 0.406]), numpy.array([0.229, 0.224, 0.225])
    image = numbers * deviations[:, None, None] + means[:, None, None]
    assert abs(changed - (image - 0.5) / 0.5).max() < 1e-12


@pytest.mark.slow
def test_inception_takes_images_of_imagenet_as_today(modern):
    options = {"num_classes": 5, "transform_input": True}
    agree(models.inception_v3(**options), modern.inception_v3(init_weights=False, **options), 299)


@pytest.mark.slow
def test_inception_has_a_second_classifier_in_training():
    x = Variable(from_numpy(GENERATOR.normal(size=(2, 3, 299, 299)).astype("float32")))
    scores, auxiliary = models.inception_v3(num_classes=4).float()(x)
    assert scores.size() == auxiliary.size() == (2, 4)
    assert models.inception_v3(num_classes=4, aux_logits=False).float()(x).size() == (2, 4)


def test_weights_begin_as_in_0_1_8():
    resnet, squeezenet = models.resnet18(), models.squeezenet1_0(num_classes=10)
    assert abs(resnet.layer4[1].conv2.weight.data.std() / (2 / (9 * 512)) ** 0.5 - 1) < 0.01
    assert resnet.bn1.weight.data.eq(1).all() and resnet.bn1.bias.data.eq(0).all()
    assert abs(squeezenet.features[12].expand3x3.weight.data.abs().max() / (6 / (9 * 64)) ** 0.5 - 1) < 0.01
    assert abs(squeezenet.classifier[1].weight.data.std() / 0.01 - 1) < 0.05
    part = models.inception.InceptionE(2).branch3x3dbl_2.conv.weight.data
    models.inception._truncated_normal_(part, 0.1)
    assert 0.19 < part.abs().max() <= 0.2 and abs(part.std() / (0.1 * 0.8796) - 1) < 0.01  # of that distribution


def test_another_version_of_squeezenet_is_refused():
    with pytest.raises(ValueError, match="no version 1.2; the versions are 1.0 and 1.1"):
        models.SqueezeNet(1.2)
