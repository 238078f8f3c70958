"""A loader with worker processes: order, speed, errors, random numbers, and that no process stays behind."""

import gc
import multiprocessing
import os
import pathlib
import random
import signal
import subprocess
import sys
import textwrap
import time

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd import conventions
from legacy_autograd.utils import data

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="these tests fork, and look for processes")


class Samples(data.Dataset):
    """`count` samples, each what `function` says for its number."""

    def __init__(self, count, function):
        self.count = count
        self.function = function

    def __getitem__(self, index):
        return self.function(index)

    def __len__(self):
        return self.count


def first(samples):
    return samples[0]


def process_number(_):
    return os.getpid()


def is_running(pid):
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def wait_until(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


@pytest.fixture(autouse=True)
def no_process_stays_behind():
    yield
    if multiprocessing.active_children():  # of an iterator that only a garbage collection ends
        gc.collect()
    assert multiprocessing.active_children() == []


# --- what comes, and when


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_batches_are_those_of_one_process_in_the_same_order(workers):
    dataset = Samples(23, lambda index: (index, torch.DoubleTensor([index, 0.5]), str(index)))
    expected = list(data.DataLoader(dataset, 4))
    loader = data.DataLoader(dataset, 4, num_workers=workers)
    for _ in range(2):
        batches = list(loader)
        assert len(batches) == len(loader) == len(expected)
        for batch, other in zip(batches, expected):
            assert batch[0].tolist() == other[0].tolist()
            assert batch[1].tolist() == other[1].tolist() and batch[1].type() == "torch.DoubleTensor"
            assert batch[2] == other[2]


def test_a_slow_batch_does_not_change_the_order():
    dataset = Samples(8, lambda index: time.sleep(0.3 if index == 0 else 0) or index)
    assert list(data.DataLoader(dataset, collate_fn=first, num_workers=3)) == list(range(8))


def test_batches_load_side_by_side():
    """Each sample waits until four processes are at one: one after another they would never pass."""
    together = multiprocessing.get_context("fork").Barrier(4)

    def process_number_of_all(_):
        together.wait(60)
        return os.getpid()

    pids = list(data.DataLoader(Samples(12, process_number_of_all), collate_fn=first, num_workers=4))
    assert len(set(pids)) == 4 and os.getpid() not in pids


def test_batches_load_while_the_program_computes():
    loaded = multiprocessing.get_context("fork").Value("i", 0)

    def count(index):
        with loaded:
            loaded.value += 1
        return index

    loader = iter(data.DataLoader(Samples(9, count), collate_fn=first, num_workers=2))
    assert next(loader) == 0
    wait_until(lambda: loaded.value == 5)  # the first, and two for each worker
    assert list(loader) == list(range(1, 9))


def test_batches_and_lists_of_indices_may_be_larger_than_a_pipe():
    dataset = Samples(40_000, lambda index: numpy.full(20, index))
    loader = data.DataLoader(dataset, 10_000, num_workers=2)
    for _ in range(2):
        assert [int(batch[:, 0].sum()) for batch in loader] == [
            sum(range(begin, begin + 10_000)) for begin in range(0, 40_000, 10_000)
        ]


def test_two_passes_can_go_on_at_the_same_time():
    loader = data.DataLoader(Samples(5, int), collate_fn=first, num_workers=2)
    assert list(zip(loader, loader)) == [(index, index) for index in range(5)]


# --- errors


class Refused(Exception):
    """An exception that cannot be made again from its arguments alone."""

    def __init__(self, sample, reason):
        super().__init__(f"sample {sample} {reason}")


def fail_at(number, error):
    def sample(index):
        if index == number:
            raise error
        return index

    return sample


def test_an_error_arrives_with_its_class_its_turn_and_its_traceback():
    loader = data.DataLoader(Samples(9, fail_at(5, KeyError("no such image"))), collate_fn=first, num_workers=2)
    came = []
    with pytest.raises(KeyError, match="no such image") as caught:
        for index in loader:
            came.append(index)
    assert came == [0, 1, 2, 3, 4]
    text = str(caught.value.__cause__)
    assert "in DataLoader worker 1" in text
    assert "raise error" in text and __file__ in text


def test_after_an_error_the_pass_goes_on_with_the_next_batch():
    loader = iter(data.DataLoader(Samples(5, fail_at(2, KeyError(2))), collate_fn=first, num_workers=2))
    workers = loader.workers
    came = []
    for _ in range(5):
        try:
            came.append(next(loader))
        except KeyError as error:
            came.append(error.args)
    assert came == [0, 1, (2,), 3, 4]
    with pytest.raises(StopIteration):
        next(loader)
    assert [worker.exitcode for worker in workers] == [0, 0] and loader.workers == []


def test_an_error_that_cannot_be_pickled_arrives_as_its_text():
    loader = data.DataLoader(Samples(3, fail_at(1, Refused(1, "is torn"))), collate_fn=first, num_workers=1)
    with pytest.raises(RuntimeError, match="Refused: sample 1 is torn") as caught:
        list(loader)
    assert "in sample" in str(caught.value.__cause__)


def test_a_batch_that_cannot_be_pickled_is_an_error():
    loader = data.DataLoader(Samples(3, lambda index: lambda: index), collate_fn=first, num_workers=1)
    with pytest.raises(Exception, match="pickle"):
        list(loader)


def test_samples_that_make_no_batch_are_an_error():
    loader = data.DataLoader(Samples(4, lambda index: torch.zeros(index + 1)), 2, num_workers=2)
    with pytest.raises(ValueError, match="sizes differ"):
        list(loader)


def test_a_failure_of_worker_init_fn_is_an_error():
    def fail(number):
        raise OSError(f"no disk for {number}")

    with pytest.raises(OSError, match="no disk for 0") as caught:
        list(data.DataLoader(Samples(4, int), num_workers=2, worker_init_fn=fail))
    assert "worker 0" in str(caught.value.__cause__)


def test_a_worker_that_dies_is_an_error():
    for end, message in [
        (lambda: os.kill(os.getpid(), signal.SIGKILL), "worker 0 .* was killed by SIGKILL before it sent batch [02]"),
        (lambda: os._exit(3), "exited with code 3"),
    ]:
        dataset = Samples(6, lambda index, end=end: end() if index == 2 else index)
        with pytest.raises(RuntimeError, match=message):
            list(data.DataLoader(dataset, collate_fn=first, num_workers=2))


def test_a_worker_killed_while_it_sends_is_an_error():
    dataset = Samples(4, lambda index: (os.getpid(), bytes(50_000_000)))
    loader = iter(data.DataLoader(dataset, collate_fn=first, num_workers=1))
    pid, _ = next(loader)
    time.sleep(0.3)  # most likely the next batch fills the pipe by now
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(RuntimeError, match="SIGKILL"):
        list(loader)


def test_a_batch_that_takes_too_long_is_an_error():
    dataset = Samples(3, lambda index: time.sleep(1000 if index == 1 else 0) or os.getpid())
    iterator = iter(data.DataLoader(dataset, collate_fn=first, num_workers=2, timeout=60))
    pid = next(iterator)  # the worker may start slowly
    iterator._timeout = 1
    with pytest.raises(TimeoutError, match="batch 1 did not come from worker 1 within 1 seconds"):
        next(iterator)
    assert not is_running(pid)


# --- the end


def loading(count=50, workers=2):
    return data.DataLoader(Samples(count, process_number), collate_fn=first, num_workers=workers)


def all_ended(pids):
    return bool(pids) and not any(map(is_running, pids))


def test_workers_end_with_the_last_batch():
    pids = set(loading())
    assert len(pids) == 2 and all_ended(pids)


def test_workers_end_when_the_loop_is_left():
    pids = set()
    for pid in loading():
        pids.add(pid)
        if len(pids) == 2:
            break
    assert all_ended(pids)


def test_workers_end_when_the_loop_raises():
    pids = set()
    with pytest.raises(ZeroDivisionError):
        for pid in loading():
            pids.add(pid)
            if len(pids) == 2:
                1 / 0
    assert all_ended(pids)


def test_workers_end_when_the_iterator_is_dropped_or_closed():
    for end in (lambda holder: holder.clear(), lambda holder: holder[0].close()):
        holder = [iter(loading())]
        pids = {next(holder[0]), next(holder[0])}
        assert all(map(is_running, pids))
        end(holder)
        assert all_ended(pids)


def test_a_closed_iterator_is_at_its_end():
    iterator = iter(loading())
    next(iterator)
    iterator.close()
    assert list(iterator) == []


def test_busy_workers_end_too():
    finished = multiprocessing.get_context("fork").Event()
    dataset = Samples(9, lambda index: (finished.set() if index and time.sleep(60) is None else None) or os.getpid())
    iterator = iter(data.DataLoader(dataset, collate_fn=first, num_workers=1))
    pid = next(iterator)
    del iterator
    assert not finished.is_set() and not is_running(pid)


SCRIPT = """
import os, sys, time
import legacy_autograd as torch
from legacy_autograd.utils import data
from legacy_autograd import conventions

class Slow(data.Dataset):
    def __len__(self):
        return 1000

    def __getitem__(self, index):
        time.sleep({seconds} if index > 2 else 0)
        return os.getpid()

def first(samples):
    return samples[0]

if __name__ == "__main__":
    pids = set()
    for pid in data.DataLoader(Slow(), collate_fn=first, num_workers=3):
        if pid not in pids:
            pids.add(pid)
            print(pid, flush=True)
        {more}
"""


def start(seconds=0.05, more="pass"):
    text = textwrap.dedent(SCRIPT).format(seconds=seconds, more=more)
    root = str(pathlib.Path(torch.__file__).parents[1])
    return subprocess.Popen(
        [sys.executable, "-c", text],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": root},
        start_new_session=True,
        # A job in the background ignores interrupts, and so would all that it starts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


@pytest.mark.parametrize("signal_number", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.parametrize("seconds", [0.05, 60])
def test_workers_end_when_the_program_is_killed(signal_number, seconds):
    program = start(seconds)
    try:
        pids = [int(program.stdout.readline()) for _ in range(3)]
        assert all(map(is_running, pids))
        program.send_signal(signal_number)
        program.wait(60)
        wait_until(lambda: all_ended(pids))
    finally:
        program.kill()
        program.communicate()


def test_workers_end_when_the_program_is_killed_though_another_process_holds_its_files():
    program = start(0.05, "os.fork() or time.sleep(60) or os._exit(0) if len(pids) == 3 else None")
    try:
        pids = [int(program.stdout.readline()) for _ in range(3)]
        time.sleep(0.5)
        program.kill()
        program.wait(60)
        wait_until(lambda: all_ended(pids))
    finally:
        os.killpg(program.pid, signal.SIGKILL)
        program.communicate()


def test_a_copy_of_the_iterator_in_a_forked_process_ends_nothing():
    iterator = iter(data.DataLoader(Samples(8, int), collate_fn=first, num_workers=2))
    came = [next(iterator)]
    pid = os.fork()
    if pid == 0:
        try:
            iterator.close()
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(pid, 0)[1] == 0
    assert came + list(iterator) == list(range(8))


def test_a_copy_of_the_iterator_in_a_forked_process_gives_nothing():
    """It would take a batch out of the pipe that its parent reads, and the parent's later batches would be others."""
    iterator = iter(data.DataLoader(Samples(8, int), collate_fn=first, num_workers=2))
    came = [next(iterator)]
    pid = os.fork()
    if pid == 0:
        try:
            for _ in range(2):
                with pytest.raises(RuntimeError, match="process that forked.*make an iterator in this process"):
                    next(iterator)
            with pytest.raises(RuntimeError, match="process that forked"):
                list(iterator)
            own = data.DataLoader(Samples(3, int), collate_fn=first, num_workers=1)
            os._exit(0 if list(own) == [0, 1, 2] else 2)
        finally:
            os._exit(1)
    assert os.waitpid(pid, 0)[1] == 0
    assert came + list(iterator) == list(range(8))


def test_an_interrupt_ends_everything_with_one_traceback():
    program = start()
    try:
        pids = [int(program.stdout.readline()) for _ in range(3)]
        os.killpg(program.pid, signal.SIGINT)  # as a terminal does it: to the workers as well
        _, errors = program.communicate(timeout=60)
        assert errors.count("Traceback") == 1 and errors.rstrip().endswith("KeyboardInterrupt")
        assert all_ended(pids)
    finally:
        program.kill()
        program.communicate()


def test_a_program_that_exits_in_the_middle_exits_at_once():
    program = start(0.01, "sys.exit(7) if len(pids) == 3 else None")
    output, errors = program.communicate(timeout=60)
    assert program.returncode == 7 and errors == ""
    assert all_ended([int(line) for line in output.split()])


# --- random numbers


def draws(_):
    return torch.rand(1)[0], random.random(), float(numpy.random.rand()), torch.initial_seed()


def passes(seed, workers=2, count=2):
    torch.manual_seed(seed)
    loader = data.DataLoader(Samples(8, draws), shuffle=True, collate_fn=first, num_workers=workers)
    return [list(loader) for _ in range(count)]


def test_random_numbers_of_workers_follow_from_the_seed():
    assert passes(5) == passes(5)
    assert passes(5) != passes(6)


def test_every_worker_and_every_pass_has_random_numbers_of_its_own():
    drawn = [numbers[:3] for one_pass in passes(5) for numbers in one_pass]
    for column in zip(*drawn):
        assert len(set(column)) == len(column)
    first_pass = passes(5, count=1)[0]
    assert first_pass[1][3] == first_pass[0][3] + 1  # the second worker's seed follows the first's


def test_worker_init_fn_is_called_in_each_worker_after_the_seeds():
    found = []

    def remember(number):
        found.append((number, torch.initial_seed()))

    loader = data.DataLoader(
        Samples(4, lambda index: list(found)), collate_fn=first, num_workers=2, worker_init_fn=remember
    )
    (first_worker,), (second_worker,) = list(loader)[:2]
    assert first_worker[0] == 0 and second_worker == (1, first_worker[1] + 1)
    assert found == []


# --- processes that are started, not forked

SPAWNED = """
import multiprocessing
import legacy_autograd as torch
from legacy_autograd.utils import data
from legacy_autograd import conventions

class Facts(data.Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        return conventions.era.version, torch.get_default_tensor_type(), torch.initial_seed(), index

def first(samples):
    return samples[0]

if __name__ == "__main__":
    multiprocessing.set_start_method("{method}")
    conventions.choose("0.1.12")
    torch.set_default_tensor_type("torch.HalfTensor")
    torch.manual_seed(3)
    facts = list(data.DataLoader(Facts(), collate_fn=first, num_workers=2))
    print(*facts, sep="\\n")
    assert multiprocessing.active_children() == []
"""


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_processes_that_are_not_forked_have_the_era_the_type_and_the_seed(method, tmp_path):
    script = tmp_path / "facts.py"
    script.write_text(SPAWNED.format(method=method), encoding="utf-8")
    root = str(pathlib.Path(torch.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=60, env={**os.environ, "PYTHONPATH": root}
    )
    assert done.returncode == 0, done.stderr
    facts = [eval(line) for line in done.stdout.splitlines()]
    assert [fact[0] for fact in facts] == ["0.1.12"] * 4
    assert [fact[1] for fact in facts] == ["torch.HalfTensor"] * 4
    assert facts[1][2] == facts[0][2] + 1
    assert [fact[3] for fact in facts] == [0, 1, 2, 3]


def test_batches_are_copies_also_where_queues_share(monkeypatch):
    monkeypatch.setattr(conventions, "era", conventions.ERAS["0.1.12"])
    dataset = [torch.Tensor(2).fill_(number) for number in range(4)]
    batches = list(data.DataLoader(dataset, batch_size=2, num_workers=1))
    assert [batch.tolist() for batch in batches] == [[[0, 0], [1, 1]], [[2, 2], [3, 3]]]
    assert not any(batch.is_shared() for batch in batches)
