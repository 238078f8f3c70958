"""Tensors that forked processes share, and training by several of them at once."""

import multiprocessing as python_multiprocessing

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd import multiprocessing as mp
from legacy_autograd import nn, optim
from legacy_autograd.autograd import Variable

pytestmark = pytest.mark.skipif("fork" not in python_multiprocessing.get_all_start_methods(), reason="needs fork")


def run(*targets):
    processes = [mp.Process(target=target, args=arguments) for target, *arguments in targets]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0


def add_one(tensor):
    tensor.add_(1)


@pytest.mark.parametrize(
    "make", [torch.zeros, lambda *size: torch.zeros(*size[::-1]).t(), lambda *size: torch.Tensor()]
)
def test_a_shared_tensor_is_written_to_by_all(make):
    x = make(2, 3)
    alone, shared = x.clone(), x.clone().share_memory_()
    assert shared.is_shared() and not alone.is_shared() and shared.share_memory_() is shared
    run((add_one, alone), (add_one, shared))
    assert alone.tolist() == x.tolist() and shared.tolist() == (x + 1).tolist()
    if x.numel():
        assert shared[0].is_shared()
        with pytest.raises(RuntimeError, match="share_memory_: this tensor is a view"):
            x[0].share_memory_()


def train(rank, model, x, y):
    torch.manual_seed(rank)
    optimizer = optim.SGD(model.parameters(), lr=0.05)
    for _ in range(60):
        rows = torch.randperm(len(x))[:8]
        optimizer.zero_grad()
        output = model(Variable(x.index_select(0, rows), requires_grad=False))
        nn.MSELoss()(output, Variable(y.index_select(0, rows), requires_grad=False)).backward()
        optimizer.step()


def test_two_processes_train_one_model():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 1), nn.BatchNorm1d(1, affine=False))
    assert model.share_memory() is model
    assert all(tensor.is_shared() for tensor in model.state_dict().values())
    line = nn.Linear(3, 1).share_memory()
    x = torch.randn(64, 3)
    y = x.mm(torch.Tensor([[1], [-2], [3]])) + 0.5
    run((train, 1, line, x, y), (train, 2, line, x, y))
    numpy.testing.assert_allclose(line.weight.data.numpy(), [[1, -2, 3]], atol=0.01)
    numpy.testing.assert_allclose(line.bias.data.numpy(), [0.5], atol=0.01)


def test_it_is_pythons_multiprocessing():
    assert mp.Queue().__class__ is python_multiprocessing.get_context("fork").Queue().__class__
    mp.set_start_method("fork")
    with pytest.raises(ValueError, match="only forked processes share .* not 'spawn'"):
        mp.set_start_method("spawn")
    with pytest.raises(AttributeError):
        mp.Fancy  # noqa: B018
