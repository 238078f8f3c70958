"""Threads whose backwards meet at one leaf: no addition is lost (torch's AccumulateGrad holds a lock, too)."""

import functools
import sys
import threading

import pytest

import legacy_autograd as torch
from legacy_autograd.autograd import Variable

SIZE = 300_000  # numpy lets other threads run while it adds so many
THREADS = 4


@pytest.fixture(autouse=True)
def threads_change_often():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def leaf(size=SIZE):
    return Variable(torch.DoubleTensor(size).fill_(1), requires_grad=True)


def in_threads(work):
    """Run `work(number)` in each of the threads, which begin together."""
    errors, barrier = [], threading.Barrier(THREADS)

    def run(number):
        barrier.wait()
        try:
            work(number)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors


def numbers(tensor):
    return set(tensor.data.view(-1).tolist())


WAYS = {
    "backward": lambda loss, x: loss.backward(),
    "with create_graph": lambda loss, x: loss.backward(create_graph=True),
    "with inputs": lambda loss, x: loss.backward(inputs=[x]),
}


@pytest.mark.parametrize("name", WAYS)
def test_no_addition_is_lost(name):
    x = leaf()
    in_threads(lambda number: [WAYS[name]((x * 1).sum(), x) for _ in range(15)])
    assert numbers(x.grad) == {15 * THREADS}


def rounds(work):
    """The numbers in a leaf's gradient after every thread has run `work(leaf, number)`, over many leaves."""
    found = set()
    for x in [leaf(2000) for _ in range(60)]:
        in_threads(functools.partial(work, x))
        found |= numbers(x.grad)
    return found


def test_the_first_gradients_of_all_threads_arrive():
    assert rounds(lambda x, number: (x * 1).sum().backward()) == {THREADS}


def test_zeros_that_are_read_do_not_take_the_place_of_a_gradient():
    found = rounds(lambda x, number: x.grad if number % 2 else (x * 1).sum().backward())
    assert found == {THREADS // 2}


def test_a_hook_runs_another_backward_onto_the_same_leaf():
    x = leaf(10)
    inside = threading.local()

    def again(grad):
        if not getattr(inside, "is_running", False):
            inside.is_running = True
            (x * 2).sum().backward()
            inside.is_running = False

    x.register_hook(again)
    in_threads(lambda number: (x * 1).sum().backward())
    assert numbers(x.grad) == {3 * THREADS}


def test_a_retained_gradient():
    x = leaf()
    y = x * 1
    y.retain_grad()
    loss = y.sum()
    in_threads(lambda number: [loss.backward() for _ in range(15)])
    assert numbers(y.grad) == numbers(x.grad) == {15 * THREADS}


def test_hooks_after_the_accumulation():
    x, seen = leaf(10), []
    x.register_post_accumulate_grad_hook(lambda x: seen.append(threading.get_ident()))
    in_threads(lambda number: [(x * 1).sum().backward() for _ in range(5)])
    assert numbers(x.grad) == {5 * THREADS} and len(seen) == 5 * THREADS
