"""Layers, Modules and losses with wrong sizes, types, states, targets and probabilities."""

import numpy
import pytest
import torch as modern
from torch.nn import functional as modern_functional

import legacy_autograd as torch
from legacy_autograd import nn
from legacy_autograd.autograd import Variable
from legacy_autograd.nn import functional as F
from legacy_autograd.tensor import Tensor

from .misuse import gives, leaf, raises


def ones(*sizes):
    return Variable(torch.ones(*sizes))


def indices(*values):
    return Variable(torch.LongTensor(list(values)), requires_grad=False)


def variable(numbers):
    return Variable(Tensor(numpy.array(numbers, numpy.float64)))


# --- Linear, convolutions, pooling


@raises(ValueError, "Linear", "(2, 3)", "3 features", "(4, 5)")
def test_linear_of_another_width():
    nn.Linear(3, 2)(ones(4, 5))


@raises(TypeError, "Linear", "one type", "FloatTensor of size (1, 3)", "DoubleTensor of size (2, 3)")
def test_linear_of_floats_in_a_network_of_doubles():
    nn.Linear(3, 2)(Variable(torch.ones(1, 3).float()))


@raises(TypeError, "Linear", "argument 0", "DoubleTensor", "Variables")
def test_linear_of_a_tensor():
    nn.Linear(3, 2)(torch.ones(1, 3))


@raises(ValueError, "Linear", "in_features", "2.5")
def test_linear_with_half_a_feature():
    nn.Linear(2.5, 2)


@raises(ValueError, "Conv2d", "3 channels", "got 2", "(1, 2, 5, 5)")
def test_convolution_of_other_channels():
    nn.Conv2d(3, 4, kernel_size=2)(ones(1, 2, 5, 5))


@raises(ValueError, "Conv2d", "4 dimensions", "(5, 5)")
def test_convolution_of_an_image_without_batch_and_channels():
    nn.Conv2d(1, 1, kernel_size=2)(ones(5, 5))


@raises(ValueError, "Conv2d", "out_channels", "groups", "3 and 2")
def test_groups_that_do_not_divide_the_channels():
    nn.Conv2d(4, 3, kernel_size=2, groups=2)


@raises(ValueError, "Conv1d", "kernel of (3,)", "input of (2,)")
def test_kernel_larger_than_the_input():
    nn.Conv1d(2, 2, 3)(ones(1, 2, 2))


@raises(ValueError, "Conv2d", "dilation", "1 or more", "got 0")
def test_dilation_of_zero():
    nn.Conv2d(1, 1, kernel_size=2, dilation=0)(ones(1, 1, 5, 5))


@raises(TypeError, "Conv2d", "floating-point", "LongTensor of size (1, 1, 3, 3)")
def test_convolution_of_integers():
    nn.Conv2d(1, 1, kernel_size=2)(Variable(torch.ones(1, 1, 3, 3).long()))


@raises(ValueError, "MaxPool2d", "half of the kernel of (2, 2)", "got (2, 2)")
def test_pooling_with_more_padding_than_half_a_window():
    nn.MaxPool2d(2, padding=2)(ones(1, 1, 5, 5))


@raises(ValueError, "pixel_shuffle", "channels", "divisible by 2 · 2", "got 3")
def test_channels_that_make_no_squares():
    nn.PixelShuffle(2)(ones(1, 3, 2, 2))


@raises(ValueError, "pad", "(2, 2)", "smaller than the 2 elements", "reflect")
def test_reflection_of_more_than_there_is():
    nn.ReflectionPad2d(2)(ones(1, 1, 2, 2))


# --- BatchNorm, Embedding, recurrent layers, Dropout


@raises(ValueError, "BatchNorm", "more than one value", "(1, 3)")
def test_batch_norm_trained_on_one_sample():
    nn.BatchNorm1d(3)(ones(1, 3))


@raises(ValueError, "BatchNorm1d", "3 channels", "got 4", "(2, 4)")
def test_batch_norm_of_other_channels():
    nn.BatchNorm1d(3)(ones(2, 4))


@raises(TypeError, "BatchNorm", "momentum", "number", "NoneType", fixed=True)
def test_batch_norm_without_a_momentum():  # the running mean became nan
    nn.BatchNorm1d(1, momentum=None)(variable([[1.0], [3.0]]))


@raises(TypeError, "BatchNorm", "eps", "number", "NoneType", fixed=True)
def test_batch_norm_without_an_epsilon():  # the result was nan
    nn.BatchNorm1d(1, eps=None)(variable([[1.0], [3.0]]))


@raises(IndexError, "Embedding", "index 3", "3 rows")
def test_embedding_of_an_index_behind_the_last():
    nn.Embedding(3, 2)(indices(0, 3))


@raises(TypeError, "Embedding", "LongTensor", "DoubleTensor of size (2,)")
def test_embedding_of_floats():
    nn.Embedding(3, 2)(ones(2))


@raises(RuntimeError, "Embedding", "modified by an inplace operation", "LongTensor", "version 1")
def test_indices_changed_before_backward():
    rows = indices(0)
    y = nn.Embedding(2, 1)(rows)
    rows.data.fill_(1)
    y.sum().backward()


@raises(ValueError, "Embedding", "padding_idx 3", "3 rows")
def test_padding_index_behind_the_last():
    nn.Embedding(3, 2, padding_idx=3)


@gives(1, 1, 0, 0, 0, 0)  # -1 is the last row: it has no gradient, and row 0 was used once
def test_negative_padding_index():
    embedding = nn.Embedding(3, 2, padding_idx=-1)
    embedding(indices(2, 2, 0)).sum().backward()
    return embedding.weight.grad


@raises(ValueError, "RNN", "(2, 1, 4)", "(1, 1, 4)")
def test_hidden_state_of_one_layer_for_two():
    nn.RNN(3, 4, 2)(ones(2, 1, 3), ones(1, 1, 4))


@raises(ValueError, "LSTM", "pair (h, c)", "got 1")
def test_lstm_with_half_of_its_state():
    nn.LSTM(3, 4)(ones(2, 1, 3), ones(1, 1, 4))


@raises(ValueError, "GRUCell", "(1, 4)", "(1, 5)")
def test_hidden_state_of_another_width():
    nn.GRUCell(3, 4)(ones(1, 3), ones(1, 5))


@raises(ValueError, "pack_padded_sequence", "descending order", "[1, 3]")
def test_sequences_packed_with_the_shortest_first():
    nn.utils.rnn.pack_padded_sequence(ones(3, 2, 1), [1, 3])


@raises(ValueError, "Dropout", "between 0 and 1", "1.5")
def test_dropout_of_more_than_all():
    nn.Dropout(1.5)


@gives(0, 0, 0, 0)  # all is dropped, and nothing times 1 / 0: zeros, not nan
def test_dropout_of_all():
    x = ones(2)
    y = nn.Dropout(1.0)(x)
    y.sum().backward()
    return y, x.grad


# --- containers and registration


@gives(2.0)
def test_empty_sequential():
    return nn.Sequential()(leaf(2.0))


@raises(TypeError, "Sequential", "needs a Module", "type")
def test_class_of_a_layer_in_a_sequential():
    nn.Sequential(nn.ReLU)


@raises(IndexError, "ModuleList", "index 3", "length 1")
def test_module_list_index_behind_the_last():
    nn.ModuleList([nn.ReLU()])[3]


@gives(6.0, 1)  # y = w · w at w = 3: its gradient is 2 w, and the parameter is one
def test_one_layer_twice_in_a_sequential():
    layer = nn.Linear(1, 1, bias=False)
    layer.weight.data.fill_(3)
    network = nn.Sequential(layer, layer)
    network(ones(1, 1)).backward()
    return layer.weight.grad, len(list(network.parameters()))


@gives(2)
def test_children_replaced_while_iterating():
    network = nn.Sequential(nn.Linear(1, 1), nn.ReLU())
    for name, _ in network.named_children():
        setattr(network, name, nn.Tanh())
    return sum(isinstance(child, nn.Tanh) for child in network.children())


@gives(0)  # a list is no child: nothing is registered, as in torch
def test_layers_in_a_list():
    class InAList(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = [nn.Linear(1, 1)]

    return len(list(InAList().parameters()))


class _WithoutSuper(nn.Module):
    def __init__(self, layer=None):
        if layer is not None:
            self.layer = layer


@pytest.mark.parametrize("container", ["Sequential", "ModuleList"])
def test_layer_deleted_from_the_front(container):  # the keys stayed 1, 2 …, and append replaced one of the layers
    def after(package):
        layers = getattr(package, container)()
        for layer in (package.Linear(1, 1), package.ReLU(), package.Linear(1, 2), package.Tanh()):
            layers.append(layer)
        del layers[0]
        layers.append(package.Sigmoid())
        del layers[-2:]
        layers.append(package.Linear(2, 3))
        return [type(layer).__name__ for layer in layers], list(layers.state_dict())

    assert after(nn) == after(modern.nn)


_VISITS = {
    "state_dict": nn.Module.state_dict,
    "load_state_dict": lambda model: model.load_state_dict({}),
    "apply": lambda model: model.apply(lambda module: None),
    "repr": repr,
}


@pytest.mark.parametrize("visit", _VISITS)
def test_layer_that_contains_itself(visit):
    @raises(RuntimeError, "Linear contains itself", "list", fixed=True)  # was a RecursionError
    def misuse():
        layer = nn.Linear(1, 1)
        layer.parent = nn.Sequential(layer)
        _VISITS[visit](layer)

    misuse()


@raises(IndexError, "Sequential", "index 2", "length 1")
def test_layer_deleted_that_is_not_there():
    del nn.Sequential(nn.ReLU())[2]


@raises(AttributeError, "_WithoutSuper", "super().__init__()", "'layer'")
def test_layer_assigned_before_super():
    _WithoutSuper(nn.Linear(1, 1))


@raises(AttributeError, "_WithoutSuper", "super().__init__()", fixed=True)
def test_parameters_of_a_module_without_super():
    list(_WithoutSuper().parameters())


@raises(NotImplementedError, "ModuleList", "forward")
def test_module_list_called():
    nn.ModuleList([nn.Linear(1, 1)])(leaf(1.0))


@raises(KeyError, "Linear", "'weight'", "taken")
def test_buffer_of_a_parameters_name():
    nn.Linear(1, 1).register_buffer("weight", torch.ones(1))


@gives(7.0)  # the layer before it had been changed
def test_apply_with_a_function_that_raises():
    def fill(module):
        if not isinstance(module, nn.Linear):
            raise KeyError("no weight")
        module.weight.data.fill_(7)

    network = nn.Sequential(nn.Linear(1, 1), nn.ReLU())
    try:
        network.apply(fill)
    except KeyError:
        pass
    return network[0].weight


@raises(ValueError, "Linear", "train", "True or False", "'no'", fixed=True)
def test_train_of_a_word():
    nn.Linear(1, 1).train("no")


# --- parameters


@raises(TypeError, "Linear", "'weight'", "Parameter or None", "DoubleTensor")
def test_tensor_for_a_parameter():
    nn.Linear(1, 1).weight = torch.ones(1, 1)


@raises(TypeError, "Linear", "'weight'", "Parameter or None", "Variable")
def test_result_for_a_parameter():
    nn.Linear(1, 1, bias=False).weight = (leaf(2.0) * 3).view(1, 1)


@gives(5.0, 1)  # in August 2016 a leaf Variable of that name was the parameter
def test_leaf_for_a_parameter():
    layer = nn.Linear(1, 1, bias=False)
    layer.weight = Variable(torch.ones(1, 1) * 5)
    return layer(ones(1, 1)), len(list(layer.parameters()))


@raises(RuntimeError, "floating-point", "require a gradient", "LongTensor")
def test_parameter_of_integers():
    nn.Parameter(torch.LongTensor([1]))


@raises(AttributeError, "'Linear'", "'weight'")
def test_forward_after_the_weight_was_deleted():
    layer = nn.Linear(1, 1)
    del layer.weight
    layer(ones(1, 1))


# --- state dicts


@raises(RuntimeError, "Linear", "missing", "bias")
def test_state_dict_with_a_missing_key():
    nn.Linear(2, 1).load_state_dict({"weight": torch.ones(1, 2)})


@raises(RuntimeError, "Linear", "unexpected", "bios", "weight", "(2, 1)", "(1, 2)")
def test_state_dict_with_a_misspelt_key_and_a_transposed_weight():
    nn.Linear(2, 1).load_state_dict({"weight": torch.ones(2, 1), "bias": torch.ones(1), "bios": torch.ones(1)})


@raises(TypeError, "Linear", "load_state_dict", "dictionary", "Linear")
def test_module_for_a_state_dict():
    nn.Linear(2, 1).load_state_dict(nn.Linear(2, 1))


@gives(4.0)  # nothing was loaded
def test_weight_after_a_bias_that_did_not_fit():
    layer = nn.Linear(1, 1)
    layer.weight.data.fill_(4)
    with pytest.raises(RuntimeError):
        layer.load_state_dict({"weight": torch.ones(1, 1), "bias": torch.ones(2)})
    return layer.weight


@gives(2.0, 1.0)  # copied into the parameter's own type
def test_state_dict_of_other_types():
    layer = nn.Linear(1, 1)
    layer.load_state_dict({"weight": torch.FloatTensor([[2]]), "bias": torch.LongTensor([1])})
    assert layer.bias.data.type() == "torch.DoubleTensor"
    return layer.weight, layer.bias


@gives(1, 3, 2, 4)  # read and written in one memory: the transposed matrix all the same
def test_state_dict_with_the_modules_own_weight_transposed():
    layer = nn.Linear(2, 2, bias=False)
    layer.weight.data.copy_(variable([[1, 2], [3, 4]]).data)
    layer.load_state_dict({"weight": layer.weight.data.t()})
    return layer.weight


@raises(TypeError, "Embedding", "max_norm", "number", "str", fixed=True)
def test_largest_norm_of_rows_as_a_word():
    nn.Embedding(3, 2, max_norm="1")


@raises(TypeError, "embedding", "max_norm", "number", "str", fixed=True)
def test_largest_norm_of_rows_as_a_word_to_the_function():
    F.embedding(indices(0, 1), ones(3, 2), max_norm="1")


@raises(TypeError, "hardtanh", "min_value", "number", "NoneType", fixed=True)
def test_hardtanh_without_a_lower_limit():
    F.hardtanh(ones(2), None)


@raises(TypeError, "Hardtanh", "max_value", "number", "str", fixed=True)
def test_hardtanh_up_to_a_word():
    nn.Hardtanh(0, "1")


@raises(TypeError, "clip_grad_norm_", "max_norm", "number", "NoneType", fixed=True)
def test_gradients_clipped_to_no_norm():
    nn.utils.clip_grad_norm([ones(2)], None)


@raises(TypeError, "clip_grad_value_", "clip_value", "number", "NoneType", fixed=True)
def test_gradients_clipped_to_no_value():
    nn.utils.clip_grad_value_([ones(2)], None)


@raises(TypeError, "normal_", "number", "NoneType", fixed=True)  # the weight became nan
def test_weight_drawn_around_none():
    nn.init.normal(nn.Parameter(torch.ones(2)), mean=None)


# --- losses


@raises(ValueError, "margin_ranking_loss: ", "sizes (2,) and (3,)", fixed=True)
def test_a_ranking_of_two_sizes():
    nn.MarginRankingLoss()(leaf(1.0, 2.0, 3.0), leaf(1.0, 2.0), leaf(1.0, 1.0, 1.0))


@raises(IndexError, "multi_margin_loss: ", "index 7", "size 3", fixed=True)
def test_a_class_that_a_margin_loss_does_not_have():
    nn.MultiMarginLoss()(leaf([1.0, 2.0, 3.0]), Variable(torch.LongTensor([7])))


@raises(ValueError, "triplet_margin_loss: ", "(1, 2) and (1, 3)", fixed=True)
def test_a_triplet_of_two_sizes():
    nn.TripletMarginLoss()(leaf([1.0, 2.0]), leaf([1.0, 2.0, 3.0]), leaf([1.0, 2.0]))


@raises(ValueError, "MSELoss", "(2, 1)", "(2,)")  # torch broadcasts to 2x2 and warns
def test_mean_squared_error_of_a_column_and_a_row():
    nn.MSELoss()(ones(2, 1), Variable(torch.zeros(2)))


@raises(IndexError, "NLLLoss", "target 3", "3 classes", "0 to 2")
def test_target_behind_the_last_class():
    F.nll_loss(ones(2, 3), indices(0, 3))


@raises(TypeError, "NLLLoss", "LongTensor", "DoubleTensor of size (2,)")
def test_targets_that_are_floats():
    F.nll_loss(ones(2, 3), ones(2))


@raises(ValueError, "NLLLoss", "(2, 3)", "size (2,)", "got (3,)")
def test_more_targets_than_rows():
    F.nll_loss(ones(2, 3), indices(0, 1, 2))


@raises(ValueError, "NLLLoss", "3 classes", "size (2,)")
def test_weights_for_other_classes():
    F.nll_loss(ones(2, 3), indices(0, 1), torch.ones(2))


_SCORES = [[1.0, 2.0], [3.0, 4.0]]
_NEGATIVE = modern_functional.nll_loss(
    modern.tensor(_SCORES, dtype=modern.double), modern.tensor([0, 1]), modern.tensor([-1.0, 2.0]).double()
)


@gives(_NEGATIVE.item())
def test_negative_weight_of_a_class():
    return F.nll_loss(variable(_SCORES), indices(0, 1), variable([-1.0, 2.0]).data)


@gives(-1, -1, 0, 0, 0)  # the row that is ignored has no share in the mean and no gradient
def test_ignored_target_that_is_no_class():
    x = variable(_SCORES)
    loss = F.nll_loss(x, indices(0, -100), ignore_index=-100)
    loss.backward()
    return loss, x.grad


@raises(ValueError, "BCELoss", "0 to 1", "1.5")
def test_binary_cross_entropy_of_no_probability():
    F.binary_cross_entropy(leaf(1.5), Variable(torch.ones(1)))


@raises(IndexError, "softmax", "dimension 2", "(2, 3)")
def test_softmax_along_a_dimension_that_is_not_there():
    F.softmax(ones(2, 3), dim=2)


_MARGINS = modern_functional.hinge_embedding_loss(
    modern.tensor([2.0, 0.5, 3.0]).double(), modern.tensor([0.0, 2.0, 1.0]).double()
)


@gives(_MARGINS.item(), fixed=True)
def test_hinge_embedding_with_targets_beside_one_and_minus_one():
    return F.hinge_embedding_loss(leaf(2.0, 0.5, 3.0), variable([0.0, 2.0, 1.0]))


@raises(ValueError, "multi_margin_loss", "N targets", "(2, 3)", "3")
def test_multi_margin_loss_with_a_target_too_many():
    nn.MultiMarginLoss()(ones(2, 3), indices(0, 1, 2))


_FUNCTIONAL_LOSSES = {
    F.mse_loss: "mse_loss",
    F.l1_loss: "l1_loss",
    F.smooth_l1_loss: "smooth_l1_loss",
    F.kl_div: "kl_div",
    F.binary_cross_entropy: "binary_cross_entropy",
    F.binary_cross_entropy_with_logits: "binary_cross_entropy_with_logits",
    F.margin_ranking_loss: "margin_ranking_loss",
    F.hinge_embedding_loss: "hinge_embedding_loss",
    F.cosine_embedding_loss: "cosine_embedding_loss",
    F.soft_margin_loss: "soft_margin_loss",
    F.multilabel_soft_margin_loss: "multilabel_soft_margin_loss",
    F.nll_loss: "nll_loss",
    F.cross_entropy: "cross_entropy",
    F.multi_margin_loss: "multi_margin_loss",
    F.triplet_margin_loss: "triplet_margin_loss",
}
_INPUTS = {  # those of other losses are two of size 2x3
    F.margin_ranking_loss: (ones(2), ones(2), ones(2)),
    F.cosine_embedding_loss: (ones(2, 3), ones(2, 3), ones(2)),
    F.triplet_margin_loss: (ones(2, 3), ones(2, 3), ones(2, 3)),
    **dict.fromkeys((F.nll_loss, F.cross_entropy, F.multi_margin_loss), (ones(2, 3), indices(0, 1))),
}


@pytest.mark.parametrize("function", _FUNCTIONAL_LOSSES, ids=_FUNCTIONAL_LOSSES.get)
def test_functional_loss_with_an_unknown_reduction(function):
    @raises(ValueError, _FUNCTIONAL_LOSSES[function] + ":", "mean, sum, none", "'avg'", fixed=True)  # named no loss
    def misuse():
        function(*_INPUTS.get(function, (ones(2, 3), ones(2, 3))), reduction="avg")

    misuse()


_LOSSES = sorted(name for name in dir(nn) if name.endswith(("Loss", "Loss2d", "Criterion")))


@pytest.mark.parametrize("name", _LOSSES)
def test_loss_with_an_unknown_reduction(name):
    @raises(ValueError, name + ":", "mean, sum, none", "'avg'", fixed=True)  # failed when it was called
    def misuse():
        getattr(nn, name)(reduction="avg")

    misuse()


@raises(ValueError, "MSELoss", "mean, sum, none", "'batchmean'", fixed=True)
def test_mean_over_the_batch_of_another_loss():
    nn.MSELoss(reduction="batchmean")
