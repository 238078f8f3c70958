"""A forked process works, whatever other threads of its parent do at that moment."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd import drawing
from legacy_autograd.autograd import Variable
from legacy_autograd.autograd.leaf import Leaf
from legacy_autograd.tensor import numpy_memory

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked")


def forked(child):
    """Fork, run `child` in the new process and return its number. A process that hangs ends after a minute."""
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(60)
        code = 1
        try:
            child()
            code = 0
        finally:
            os._exit(code)
    return pid


def code_of(child):
    """The exit code of a fork that runs `child`."""
    return os.waitpid(forked(child), 0)[1]


x = Variable(torch.ones(200_000))  # large: numpy adds without Python's lock
generator = torch.default_generator.__class__()


def record():
    with drawing.record():
        Variable(torch.ones(1)) * 2


def send():
    path = torch.tensor.shared_memory.allocate(8).message()
    torch.tensor.shared_memory.count_use(path, -1)


WORK = {
    "draws": lambda: torch.randn(100_000),
    "draws from its own generator": lambda: torch.Tensor(50_000).normal_(generator=generator),
    "draws from numpy.random": lambda: numpy.random.standard_normal(100_000),
    "accumulates into a leaf": lambda: (x + 1).sum().backward(),
    "reads a first gradient": lambda: Variable(torch.ones(100_000)).grad,
    "shares memory with NumPy": lambda: torch.from_numpy(numpy.ones(3)).numpy(),
    "sends shared memory": send,
    "draws a graph": record,
}


@pytest.mark.filterwarnings("ignore:This process")  # is multi-threaded, which is what is tested
@pytest.mark.parametrize("what", WORK)
def test_a_child_does_what_a_thread_of_its_parent_did(what):
    ended, began = threading.Event(), threading.Event()

    def work():
        while not ended.is_set():
            WORK[what]()
            began.set()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        assert began.wait(60)
        children = []
        for _ in range(24):
            time.sleep(0.01)  # in which the threads go on
            children.append(forked(WORK[what]))
        assert [os.waitpid(child, 0)[1] for child in children] == [0] * 24
    finally:
        ended.set()
        for thread in threads:
            thread.join()


@pytest.mark.filterwarnings("ignore:This process")
@pytest.mark.parametrize(
    "lock", [Leaf._lock, numpy_memory._lock, generator._stream.bit_generator.lock, torch.autograd.callbacks.lock]
)
def test_a_fork_waits_for_a_lock_that_another_thread_holds(lock):
    order, held = [], threading.Event()

    def hold():
        with lock:
            held.set()
            time.sleep(0.05)
            order.append("released")

    thread = threading.Thread(target=hold)
    thread.start()
    assert held.wait(60)
    code = code_of(lambda: lock.acquire())
    order.append("forked")
    thread.join()
    assert code == 0 and order == ["released", "forked"]


def test_a_lock_that_the_forking_thread_holds_stays_its_own():
    with Leaf._lock:
        assert code_of(lambda: (x * 2).sum().backward()) == 0
        assert Leaf._lock._is_owned()
    assert not Leaf._lock._is_owned()


def test_from_numpy_imports_nothing():
    """A fork does not wait for Python's import lock, and NumPy imports `numpy.ma` when it is first named."""
    program = """
import sys, numpy, legacy_autograd as torch
before = set(sys.modules)
torch.from_numpy(numpy.ones(2)), torch.ones(2).numpy(), torch.DoubleTensor(numpy.ones(2))
assert not set(sys.modules) - before, set(sys.modules) - before
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
