"""The defaults of layers, losses, optimizers and other functions are those of modern torch."""

import inspect

import torch as modern
from torch import nn as modern_nn
from torch import optim as modern_optim

import legacy_autograd as torch
from legacy_autograd import nn, optim

MODULES = [
    (torch, modern),
    (torch.autograd, modern.autograd),
    (torch.autograd.functional, modern.autograd.functional),
    (torch.utils.data, modern.utils.data),
    (nn, modern_nn),
    (nn.functional, modern_nn.functional),
    (nn.init, modern_nn.init),
    (nn.utils, modern_nn.utils),
    (nn.utils.rnn, modern_nn.utils.rnn),
    (optim, modern_optim),
    (optim.lr_scheduler, modern_optim.lr_scheduler),
]
# A parameter without a default has `empty`, in Python and here.
NONE = inspect.Parameter.empty
# {(function, parameter): its default here}: those that differ. Without a comment it is v0.1.x's.
OTHERS = {
    ("norm", "p"): 2,  # "fro", torch's name of it
    ("norm", "keepdim"): None,  # depends on the conventions
    ("save", "pickle_module"): None,  # Python's pickle
    ("save", "pickle_protocol"): None,
    ("utils.data.BatchSampler", "drop_last"): False,
    ("utils.data.DataLoader", "shuffle"): False,
    ("utils.data.DataLoader", "collate_fn"): torch.utils.data.dataloader.default_collate,
    ("nn.ModuleList", "modules"): (),
    ("nn.Parameter", "data"): NONE,
    ("nn.functional.dropout", "training"): False,
    ("nn.functional.dropout2d", "training"): False,
    ("nn.functional.dropout3d", "training"): False,
    ("nn.functional.pad", "value"): 0,  # torch's None is 0 too
    ("nn.utils.rnn.PackedSequence", "batch_sizes"): NONE,
    ("optim.SGD", "dampening"): None,  # depends on the conventions
    ("optim.SGD", "lr"): optim.optimizer.required,
    ("optim.LBFGS", "tolerance_grad"): None,  # depends on the conventions
}


def both_defaults():
    """Yield (function, parameter, its default here, that of modern torch) for each parameter that both have."""
    for ours, theirs in MODULES:
        for name in dir(ours):
            function = getattr(ours, name)
            if name.startswith("_") or inspect.ismodule(function) or not callable(function):
                continue
            try:
                found, expected = [inspect.signature(f).parameters for f in (function, getattr(theirs, name, None))]
            except (ValueError, TypeError):  # modern torch has it not, or not in Python
                continue
            where = ".".join([*ours.__name__.split(".")[1:], name])
            for parameter in found.keys() & expected.keys():
                yield where, parameter, found[parameter].default, expected[parameter].default


def test_defaults_are_those_of_modern_torch():
    found = list(both_defaults())
    assert len(found) > 800
    others = {(where, parameter): ours for where, parameter, ours, theirs in found if not ours == theirs}
    assert others == OTHERS
