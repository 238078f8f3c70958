"""Tensors that forked processes share, and training by several of them at once."""

import errno
import gc
import multiprocessing as python_multiprocessing
import os
import threading

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
        assert x[0].share_memory_().is_shared() and x.is_shared()


@pytest.fixture(params=["file_descriptor", "file_system"])
def strategy(request):
    if request.param not in mp.get_all_sharing_strategies():
        pytest.skip("the system does not have it")
    before = mp.get_sharing_strategy()
    mp.set_sharing_strategy(request.param)
    assert mp.get_sharing_strategy() == request.param
    yield request.param
    mp.set_sharing_strategy(before)


def files():
    gc.collect()
    return [name for name in os.listdir("/dev/shm") if name.startswith(f"torch_{os.getpid()}_")]


def answer(questions, answers):
    tensors = questions.get()
    tensors[0].add_(1)
    answers.put(tensors[1:])
    answers.put(torch.ones(2, 2).float().t().share_memory_())
    questions.get()  # stays until the other side has mapped what it sent


def test_what_goes_through_a_queue_stays_shared(strategy):
    questions, answers = mp.Queue(), mp.Queue()
    process = mp.Process(target=answer, args=(questions, answers), daemon=True)
    process.start()
    x = torch.arange(0, 6).view(2, 3).share_memory_()
    sent = [x, x.t(), x[:, 1], x.storage(), x.storage()[2:4], Variable(x[1], requires_grad=True), torch.ones(1)]
    questions.put(sent)
    back = answers.get(timeout=60)
    theirs = answers.get(timeout=60)
    questions.put(None)
    process.join(60)
    assert process.exitcode == 0
    assert x.tolist() == [[1, 2, 3], [4, 5, 6]] and theirs.tolist() == [[1, 1], [1, 1]] and theirs.is_shared()
    assert [part.tolist() for part in (*back[:4], back[4].data)] == [
        x.t().tolist(), [2, 5], [1, 2, 3, 4, 5, 6], [3, 4], [4, 5, 6],
    ]  # fmt: skip
    assert back[0].storage() is back[1].storage() is back[2] is x.storage() and back[4].requires_grad
    version = x._version
    back[1].fill_(9)
    assert x.tolist() == [[1, 9, 3], [4, 9, 6]] and x._version == version + 1
    assert not back[5].is_shared()
    if strategy == "file_system" and os.path.isdir("/dev/shm"):
        assert len(files()) == 1
        del x, sent, back, theirs, questions, answers
        assert not files()


def test_memory_without_a_file_is_shared_by_forked_processes_alone(strategy, monkeypatch):
    def too_many(*arguments):
        raise OSError(errno.EMFILE, "Too many open files")

    with monkeypatch.context() as patched:
        patched.setattr(os, "open", too_many)
        x = torch.zeros(2).share_memory_()
    run((add_one, x))
    assert x.tolist() == [1, 1] and x.is_shared()
    with pytest.raises(RuntimeError, match="cannot be sent: its memory has no file"):
        mp.Pipe()[0].send(x)


TERMINATED = """
import os, sys
import torch
import torch.multiprocessing as mp

def hold(queue, answers):
    kept = queue.get()
    answers.put(torch.ones(3))
    queue.get()

if __name__ == "__main__":
    mp.set_sharing_strategy(sys.argv[1])
    queue, answers, x = mp.Queue(), mp.Queue(), torch.ones(3)
    queue.put(x)
    p = mp.Process(target=hold, args=(queue, answers))
    p.start()
    y = answers.get()
    p.terminate()
    p.join()
    print(os.getpid(), p.pid)
"""


def test_a_program_whose_processes_are_terminated_leaves_no_file(program, strategy):
    result = program(TERMINATED, strategy)
    assert result.returncode == 0 and result.stderr == ""
    for pid in result.stdout.split():
        assert not [name for name in os.listdir("/dev/shm") if name.startswith(f"torch_{pid}_")]


def test_a_strategy_that_there_is_not():
    with pytest.raises(ValueError, match="expected one of .*file_system.*, got 'magic'"):
        mp.set_sharing_strategy("magic")


A3C = """
import torch
import torch.multiprocessing as mp
import torch.nn as nn
from torch.autograd import Variable

def ensure_shared_grads(model, shared_model):
    for param, shared_param in zip(model.parameters(), shared_model.parameters()):
        if shared_param.grad is not None:
            return
        shared_param._grad = param.grad

def train(rank, shared_model, optimizer, queue):
    torch.manual_seed(rank)
    model = nn.Linear(3, 1)
    for _ in range(100):
        model.load_state_dict(shared_model.state_dict())
        x = torch.randn(8, 3)
        loss = (model(Variable(x)) - Variable(x.sum(1).view(8, 1))).pow(2).mean()
        model.zero_grad()
        loss.backward()
        ensure_shared_grads(model, shared_model)
        optimizer.step()
    queue.put(loss.data)

if __name__ == "__main__":
    shared_model = nn.Linear(3, 1)
    shared_model.share_memory()
    optimizer = torch.optim.SGD(shared_model.parameters(), lr=0.05)
    queue = mp.Queue()
    processes = [mp.Process(target=train, args=(rank, shared_model, optimizer, queue)) for rank in range(2)]
    for p in processes:
        p.start()
    losses = [queue.get()[0] for _ in processes]
    for p in processes:
        p.join()
    print(max(losses) < 0.01, (shared_model.weight.data - 1).abs().max() < 0.1)
"""


SPAWNED = """
import torch
import torch.multiprocessing as mp

def fill(tensor, queue):
    tensor.fill_(4)
    queue.put(tensor[0])

if __name__ == "__main__":
    mp.set_start_method("spawn")
    x, queue = torch.zeros(2, 2), mp.Queue()
    p = mp.Process(target=fill, args=(x, queue))
    p.start()
    p.join()  # a message outlives the process that sent it
    print(queue.get().tolist(), x.tolist())
"""


@pytest.mark.slow  # two interpreters start
def test_spawned_processes_share_their_arguments(program):
    result = program(SPAWNED)
    assert (result.returncode, result.stdout, result.stderr) == (0, "[4.0, 4.0] [[4.0, 4.0], [4.0, 4.0]]\n", "")


def test_several_agents_train_a_shared_model(program):
    result = program(A3C)
    assert (result.returncode, result.stdout, result.stderr) == (0, "True True\n", "")


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


class TellsItsThread:
    def __reduce__(self):
        return int, (threading.get_ident(),)


def test_put_serializes_before_it_returns():
    queue = mp.Queue(1)
    queue.put(TellsItsThread())
    assert queue.get(timeout=60) == threading.get_ident()
    with pytest.raises(TypeError, match="pickle"):
        queue.put(threading.Lock())
    queue.put("the next", timeout=60)  # the refused one has no place in the queue
    assert queue.get(timeout=60) == "the next"


def test_it_is_pythons_multiprocessing():
    assert isinstance(mp.Queue(), python_multiprocessing.get_context("fork").Queue().__class__)
    with pytest.raises(ValueError, match="cannot find context for 'thread'"):
        mp.set_start_method("thread")
    assert mp.get_start_method() == "fork" and mp.get_context().Process is mp.Process
    mp.set_start_method("spawn")
    assert mp.Process is python_multiprocessing.get_context("spawn").Process and mp.get_start_method() == "spawn"
    mp.set_start_method("fork", force=True)
    with pytest.raises(AttributeError):
        mp.Fancy  # noqa: B018
