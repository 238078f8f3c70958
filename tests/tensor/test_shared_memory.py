"""Tensors over the memory of another tensor: backward notices a write through any of them."""

import copy
import ctypes
import errno
import gc
import io
import mmap
import multiprocessing
import os
import pathlib
import pickle
import struct
import tempfile
import threading

import numpy
import pytest

import legacy_autograd as torch
from legacy_autograd.autograd import Variable
from legacy_autograd.autograd.saved_tensors import writes
from legacy_autograd.tensor import numpy_memory, shared_memory


def unpickled_in_place(x):
    buffers = []
    return pickle.loads(pickle.dumps(x, protocol=5, buffer_callback=buffers.append), buffers=buffers)


def loaded(x, other):
    """`x` and `other` as they come back from a file, which keeps that they share memory."""
    file = io.BytesIO()
    torch.save([x, other], file)
    file.seek(0)
    return torch.load(file)


def assigned(x):
    other = torch.zeros(1)
    other.data = x
    return other


def as_bytes(x):
    return torch.from_numpy(x.numpy().view(numpy.uint8))


def transposed(x):
    return torch.Tensor(x).view(2, 3).t_()


WAYS = {
    "Tensor(x)": torch.Tensor,
    "DoubleTensor(x)": torch.DoubleTensor,
    "x.new(x)": lambda x: x.new(x),
    "set_": lambda x: torch.Tensor().set_(x),
    "set_ of a storage": lambda x: torch.Tensor().set_(x.storage(), 1, (2, 2), (2, 1)),
    "a chain of set_": lambda x: torch.Tensor().set_(torch.Tensor().set_(x.view(2, 3))[1]),
    "data": lambda x: x.data,
    "other.data = x": assigned,
    "Tensor(storage)": lambda x: torch.Tensor(x.storage()),
    "storage": lambda x: x.storage(),
    "part of a storage": lambda x: x.storage()[2:4],
    "storage of a view": lambda x: x.view(2, 3)[1].storage(),
    "Storage(storage)": lambda x: torch.DoubleStorage(x.storage(), 1, 2),
    "view": lambda x: x.view(2, 3),
    "transpose": lambda x: x.view(2, 3).t(),
    "t_": transposed,
    "permute": lambda x: x.view(1, 2, 3).permute(2, 0, 1),
    "narrow": lambda x: x.narrow(0, 1, 2),
    "select": lambda x: x.view(2, 3).select(1, 1),
    "x[1:]": lambda x: x[1:],
    "iteration": lambda x: list(x.view(2, 3))[1],
    "split": lambda x: x.split(4)[1],
    "chunk": lambda x: torch.chunk(x, 2)[0],
    "squeeze": lambda x: x.view(1, 6).squeeze(),
    "unsqueeze": lambda x: x.unsqueeze(0),
    "expand": lambda x: x.expand(6),
    "unfold": lambda x: x.unfold(0, 2, 2),
    "contiguous": lambda x: x.contiguous(),
    "type": lambda x: x.type("torch.DoubleTensor"),
    "resize_ of a view": lambda x: x.view(6).resize_(4),
    "copy.copy": copy.copy,
    "from_numpy": lambda x: torch.from_numpy(x.numpy()),
    "from_numpy of a part": lambda x: torch.from_numpy(x.view(2, 3).numpy()[1:]),
    "from_numpy of asarray": lambda x: torch.from_numpy(numpy.asarray(x)),
    "from_numpy of other numbers": as_bytes,
    "from_numpy of as_strided": lambda x: torch.from_numpy(numpy.lib.stride_tricks.as_strided(x.numpy(), (2,), (16,))),
    "from_numpy of a buffer": lambda x: torch.from_numpy(numpy.frombuffer(x.numpy(), offset=8)),
    "Tensor(ndarray)": lambda x: torch.Tensor(x.numpy()),
    "pickle, out of band": unpickled_in_place,
    "storage, pickled out of band": lambda x: unpickled_in_place(x.storage()),
    "a Parameter": lambda x: torch.nn.Parameter(x).data,
    "a buffer of a module": lambda x: dict(torch.nn.BatchNorm1d(6).named_buffers(), b=x)["b"],
}
if numpy.from_dlpack(numpy.zeros(1)).flags.writeable:  # before NumPy 2.3 it was read-only
    WAYS["from_numpy by DLPack"] = lambda x: torch.from_numpy(numpy.from_dlpack(x.numpy()))


@pytest.mark.parametrize("written_through", ["the other", "itself"])
@pytest.mark.parametrize("way", WAYS)
def test_a_write_is_seen_by_all_tensors_over_one_memory(way, written_through):
    x = torch.Tensor(6).fill_(3)
    other = WAYS[way](x)
    tensor = torch.Tensor(other) if isinstance(other, torch.DoubleStorage) else other
    array = tensor.array
    assert numpy.shares_memory(array, x.array)
    saved, written = (x, other) if written_through == "the other" else (tensor, x)
    if saved.type() == "torch.DoubleTensor":
        y = (Variable(saved, requires_grad=True) ** 2).sum()
        written.fill_(5)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            y.backward()
    else:
        before = writes(saved)
        written.fill_(5)
        assert writes(saved) != before


@pytest.mark.parametrize(
    "array",
    [numpy.ones(6), numpy.asfortranarray(numpy.ones((2, 3))), numpy.ones((4, 3))[1:3], numpy.ones(6, bool)],
    ids=["all", "in another order", "a part", "bools"],
)
def test_two_tensors_over_one_ndarray(array):
    first, second = torch.from_numpy(array), torch.from_numpy(array)
    before = writes(first)
    second.fill_(0)
    assert writes(first) == writes(second) != before and not first.array.any()


def test_two_tensors_over_one_buffer():
    memory = bytearray(48)
    first = torch.from_numpy(numpy.frombuffer(memory))
    second = torch.Tensor(numpy.frombuffer(memory, offset=16))
    second.fill_(1)
    assert first.tolist() == [0, 0, 1, 1, 1, 1] and first._version == 1


def test_what_a_file_keeps_in_one_memory_has_one_count():
    x = torch.Tensor(6).fill_(3)
    for other in (x.view(2, 3), x[1:3]):
        first, second = loaded(x, other)
        second.fill_(5)
        assert 5 in first.tolist() and first._version == second._version == 1
    first, array = loaded(x, x.numpy()[2:])
    torch.from_numpy(array).fill_(5)
    assert first.tolist() == [3, 3, 5, 5, 5, 5] and first._version == 1


@pytest.mark.parametrize(
    "move",
    [
        lambda x: x.set_(torch.ones(6)),
        lambda x: x.set_(torch.ones(9).storage(), 1, (6,)),
        lambda x: x.set_(),
        lambda x: x.resize_(9),
        lambda x: setattr(x, "data", torch.ones(6)),
    ],
    ids=["set_", "set_ of a storage", "set_ to nothing", "resize_", "data ="],
)
def test_a_saved_tensor_that_gets_other_memory_is_noticed(move):
    x = torch.Tensor(6).fill_(3)
    y = (Variable(x, requires_grad=True) ** 2).sum()
    view = x.view(2, 3)[1]
    move(x)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()
    # A view stays in the old memory, and so does its storage.
    assert view.tolist() == [3, 3, 3] and set(view.storage().tolist()) == {3}
    assert view.storage()[view.storage_offset()] == 3
    view.storage().fill_(4)
    assert view.tolist() == [4, 4, 4]


def test_an_optimizer_counts_what_it_writes_to_its_state():
    w = Variable(torch.Tensor([1, 2]), requires_grad=True)
    optimizer = torch.optim.Adam([w])
    w.sum().backward()
    optimizer.step()
    average = Variable(optimizer.state[w]["exp_avg"], requires_grad=True)
    y = (average**2).sum()
    optimizer.step()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


def test_a_gradient_counts_what_backward_adds_to_it():
    w = Variable(torch.Tensor([1, 2]), requires_grad=True)
    w.sum().backward()
    y = (Variable(w.grad, requires_grad=True) ** 2).sum()
    w.sum().backward()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


def test_a_repeated_view_is_a_contiguous_copy():
    x = torch.Tensor([[1, 2], [3, 4]]).t()
    copied = x.repeat(1, 1)
    assert copied.is_contiguous() and copied.view(4).tolist() == [1, 3, 2, 4]
    copied.fill_(0)
    assert x._version == 0 and x.tolist() == [[1, 3], [2, 4]]


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="processes cannot be forked")
def test_memory_shared_with_processes_keeps_its_count():
    x = torch.ones(4).share_memory_()
    view = torch.Tensor(x)
    view.fill_(2)
    assert x._version == 1 and view.is_shared() and torch.from_numpy(x.numpy()).is_shared()
    assert torch.from_numpy(x.numpy())[1:].share_memory_().is_shared()


def test_all_tensors_over_one_memory_move_into_shared_memory():
    x = torch.arange(0, 12).view(3, 4)
    held = [x[1], x.t(), x[:, 1:3], x[0].expand(2, 4), Variable(x).data, torch.Tensor(x.storage())]
    storage, part, before = x.storage(), x.storage()[4:6], [tensor.tolist() for tensor in held]
    assert x[2].share_memory_().is_shared()
    assert all(tensor.is_shared() for tensor in (x, *held, storage, part))
    assert [tensor.tolist() for tensor in held] == before
    x.add_(1)
    assert [tensor.tolist() for tensor in held] == [(torch.Tensor(numbers) + 1).tolist() for numbers in before]
    assert part.tolist() == [5, 6] and x.storage() is storage and held[0]._version == 1
    with pytest.raises(RuntimeError, match="read-only"):
        held[3].fill_(0)


# --- memory from elsewhere, and memory that a tensor left


def of_modern_torch(length):
    return pytest.importorskip("torch").zeros(length, dtype=pytest.importorskip("torch").float64)


def slices_of_modern_torch(length):
    tensor = of_modern_torch(length)
    return torch.from_numpy(tensor.numpy()), torch.from_numpy(tensor[1:].numpy())


def slices_of_modern_torch_the_part_first(length):
    tensor = of_modern_torch(length)
    return tuple(reversed((torch.from_numpy(tensor[1:].numpy()), torch.from_numpy(tensor.numpy()))))


def two_parts_of_modern_torch(length):
    tensor = of_modern_torch(length)
    return torch.from_numpy(tensor[:3].numpy()), torch.from_numpy(tensor[1:].numpy())


def by_dlpack(length):
    array = numpy.zeros(length)
    whole, part = numpy.from_dlpack(array), numpy.from_dlpack(array[1:])
    if not whole.flags.writeable:
        pytest.skip("before NumPy 2.3 such an array was read-only")
    return torch.from_numpy(whole), torch.from_numpy(part)


def by_ctypes(length):
    memory = bytearray(8 * length)
    whole = (ctypes.c_double * length).from_buffer(memory)
    part = (ctypes.c_double * (length - 1)).from_buffer(memory, 8)
    return torch.from_numpy(numpy.frombuffer(whole)), torch.from_numpy(numpy.ctypeslib.as_array(part))


def by_two_memmaps(length):
    with tempfile.NamedTemporaryFile() as file:
        file.truncate(8 * length)
        maps = [numpy.memmap(file.name, float, "r+", offset, length - offset // 8) for offset in (0, 8)]
        return tuple(map(torch.from_numpy, maps))


def by_two_mmaps(length):
    if not os.path.exists("/proc/self/maps"):
        pytest.skip("an mmap does not tell its file")
    with tempfile.TemporaryFile() as file:
        file.truncate(8 * length)
        maps = [numpy.frombuffer(mmap.mmap(file.fileno(), 8 * length)) for _ in range(2)]
        return torch.from_numpy(maps[0]), torch.from_numpy(maps[1][1:])


def by_two_maps_of_which_one_is_modern_torchs(length):
    of_torch = pytest.importorskip("torch")
    if not os.path.exists("/proc/self/maps"):
        pytest.skip("the system does not tell which file is mapped")
    with tempfile.NamedTemporaryFile() as file:
        file.truncate(8 * length)
        shared = of_torch.from_file(file.name, shared=True, size=length, dtype=of_torch.float64)
        return torch.from_numpy(numpy.memmap(file.name, float, "r+", 8)), torch.from_numpy(shared.numpy())


FROM_ELSEWHERE = [
    slices_of_modern_torch, slices_of_modern_torch_the_part_first, two_parts_of_modern_torch, by_dlpack, by_ctypes,
    by_two_memmaps, by_two_mmaps, by_two_maps_of_which_one_is_modern_torchs,
]  # fmt: skip


@pytest.mark.parametrize("written_through", [0, 1])
@pytest.mark.parametrize("way", FROM_ELSEWHERE)
def test_memory_from_elsewhere_has_one_count_of_writes(way, written_through):
    tensors = way(4)
    tensors[0].fill_(2)
    saved, written = tensors[1 - written_through], tensors[written_through]
    y = (Variable(saved, requires_grad=True) ** 2).sum()
    written.fill_(9)
    assert 9 in saved.tolist()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


def test_memory_side_by_side_has_counts_of_its_own():
    memory = bytearray(32)
    low, high = (
        torch.from_numpy(numpy.frombuffer((ctypes.c_double * 2).from_buffer(memory, offset))) for offset in (0, 16)
    )
    high.fill_(1)
    assert low._version == 0 and high._version == 1
    with pytest.raises(RuntimeError, match="overlaps several tensors.*make the tensor of the whole first"):
        torch.from_numpy(numpy.frombuffer((ctypes.c_double * 3).from_buffer(memory, 8)))


@pytest.mark.parametrize(
    "leave",
    [
        lambda x: x.resize_(100),
        lambda x: x.set_(torch.ones(6)),
        lambda x: setattr(x, "data", torch.ones(6)),
        lambda x: x.share_memory_(),
    ],
    ids=["resize_", "set_", "data", "share_memory_"],
)
def test_memory_that_a_tensor_left_and_another_was_given(leave):
    """The allocator may give the same address to the next array: it has no part in the tensor that was there before."""
    x = torch.Tensor(6)
    x.numpy()
    leave(x)
    others = [numpy.zeros(6) for _ in range(200)]
    reused = [torch.from_numpy(array) for array in others]
    before = [tensor._version for tensor in reused]
    x.fill_(1)
    assert [tensor._version for tensor in reused] == before and all(tensor._base is None for tensor in reused)


def test_what_is_found_by_address_is_forgotten_with_its_memory():
    for _ in range(3000):
        torch.ones(3).numpy()
    assert sum(map(len, numpy_memory._ranges.values())) < 2500


@pytest.mark.parametrize(
    "move",
    [lambda x: x.resize_(9), lambda x: x.set_(torch.ones(6)), lambda x: setattr(x, "data", torch.ones(6))],
    ids=["resize_", "set_", "data"],
)
@pytest.mark.parametrize(
    "again",
    [
        copy.deepcopy,
        lambda views: loaded(*views),
        lambda views: [view.share_memory_() for view in views],
    ],
    ids=["deepcopy", "save", "share_memory_"],
)
def test_views_of_a_base_that_moved_share_the_memory_that_it_left(move, again):
    base = torch.Tensor([1, 2, 3, 4, 5, 6])
    views = [base[1:4], base[2:6]]
    move(base)
    views[0].fill_(9)
    assert views[1].tolist() == [9, 9, 5, 6] and base[1] != 9
    first, second = again(views)
    second.fill_(7)
    assert first.tolist() == [9, 7, 7] and writes(first) == writes(second)


@pytest.mark.parametrize("views", [lambda x: [x[1:4], x[2:6]], lambda x: [x, x[2:6]], lambda x: [x[2:6], x]])
@pytest.mark.parametrize("moved", [False, True])
def test_one_of_several_views_takes_the_others_into_shared_memory(views, moved):
    base = torch.Tensor([1, 2, 3, 4, 5, 6])
    first, second = views(base[:] if moved else base)
    if moved:
        base.resize_(9)
    numbers = second.tolist()
    assert first.share_memory_() is first and first.is_shared() and second.is_shared()
    assert second.tolist() == numbers and base.is_shared() != moved


# --- the count of a file's users


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder that no other process locks, in place of /dev/shm."""
    monkeypatch.setattr(shared_memory, "_FOLDER", str(tmp_path))
    monkeypatch.setattr(shared_memory, "_strategy", "file_system")
    return tmp_path


def is_locked(folder):
    """Return whether another process would wait: a lock belongs to the descriptor that it was made with."""
    fcntl = pytest.importorskip("fcntl")
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def users(path):
    return struct.unpack("<q", pathlib.Path(path).read_bytes()[:8])[0]


def open_files(folder):
    """Return how many descriptors this process has open for files in a folder, removed ones too."""
    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("the system does not tell what is open")
    gc.collect()
    links = [f"/proc/self/fd/{name}" for name in os.listdir("/proc/self/fd")]
    return sum([os.path.islink(link) and os.readlink(link).startswith(str(folder)) for link in links])


@pytest.mark.parametrize("strategy", sorted(shared_memory.get_all_sharing_strategies()))
def test_shared_memory_leaves_no_file_open(folder, monkeypatch, strategy):
    monkeypatch.setattr(shared_memory, "_strategy", strategy)
    memory = shared_memory.allocate(8)
    # An mmap has a descriptor of its own. A file without a name stays open as well, because it may get one.
    count = 1 if strategy == "file_system" else 2
    assert open_files(folder) == count
    known = {memory.key: memory}
    assert shared_memory.received(memory.message(), known.get) is memory and open_files(folder) == count
    other = shared_memory.received(memory.message(), {}.get)
    assert other.path == memory.path and open_files(folder) == count + 1
    del memory, other, known
    assert open_files(folder) == 0 and os.listdir(folder) == []


@pytest.mark.parametrize("strategy", sorted(shared_memory.get_all_sharing_strategies()))
def test_shared_memory_that_cannot_be_had_leaves_no_file(folder, monkeypatch, strategy):
    def no_space(*arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shared_memory, "_strategy", strategy)
    monkeypatch.setattr(os, "ftruncate", no_space)
    with pytest.raises(OSError, match="No space left"):
        shared_memory.allocate(8)
    assert open_files(folder) == 0 and os.listdir(folder) == []


def test_the_users_of_a_file_are_counted_under_its_lock(folder, monkeypatch):
    memory, locked = shared_memory.allocate(8), []
    path = memory.path

    class Header(struct.Struct):
        """Notes at each access whether the folder is locked."""

        def __getattribute__(self, name):
            if name.startswith(("pack", "unpack")):
                locked.append(is_locked(folder))
            return super().__getattribute__(name)

    monkeypatch.setattr(shared_memory, "_HEADER", Header(shared_memory._HEADER.format))
    assert users(path) == 1 and memory.message() == path and users(path) == 2
    assert locked == [True, True] and not is_locked(folder)
    shared_memory.count_use(path, -1)
    assert locked == [True] * 4 and not is_locked(folder) and users(path) == 1
    del memory
    gc.collect()
    assert locked == [True] * 6 and not is_locked(folder) and not os.path.exists(path)


def test_a_thread_waits_for_another_to_count(folder):
    order = []

    def count():
        with shared_memory._locked():
            order.append("counts")

    with shared_memory._locked():
        thread = threading.Thread(target=count)
        thread.start()
        thread.join(0.05)
        order.append("leaves")
    thread.join(60)
    assert order == ["leaves", "counts"]


def test_a_finalizer_may_count_while_the_same_thread_counts(folder, monkeypatch):
    """Only the outermost locks the folder: a second descriptor would wait for the first."""
    fcntl = pytest.importorskip("fcntl")
    flock = fcntl.flock
    monkeypatch.setattr(fcntl, "flock", lambda descriptor, what: flock(descriptor, what | fcntl.LOCK_NB))
    memory = shared_memory.allocate(8)
    with shared_memory._locked():
        shared_memory.count_use(memory.path, 1)
        assert is_locked(folder)
    assert not is_locked(folder) and users(memory.path) == 2
    shared_memory.count_use(memory.path, -1)


def test_an_exception_while_counting_leaves_no_lock(folder):
    open_files = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else None
    with pytest.raises(KeyboardInterrupt), shared_memory._locked():
        raise KeyboardInterrupt
    assert not is_locked(folder) and shared_memory._depth == 0
    if open_files is not None:
        assert len(os.listdir("/proc/self/fd")) == open_files
    with shared_memory._locked():
        assert is_locked(folder)


def test_the_use_of_a_file_that_is_gone_is_not_counted(folder):
    shared_memory.count_use(str(folder / "torch_gone"), -1)
    assert os.listdir(folder) == [] and not is_locked(folder)


def test_files_that_are_gone_do_not_keep_the_others(folder, monkeypatch):
    left = folder / "torch_left"
    left.touch()
    monkeypatch.setattr(shared_memory, "_used", [str(folder / "torch_gone"), str(left), str(folder / "torch_gone_too")])
    shared_memory._remove_files()
    assert os.listdir(folder) == []


def test_memory_whose_file_was_removed_cannot_be_sent(folder):
    memory = shared_memory.allocate(8)
    path = memory.path
    os.unlink(path)
    shared_memory._HEADER.pack_into(memory, 0, 0, b"")  # no users, as the last process that used it left it
    with pytest.raises(RuntimeError, match="all processes that sent its memory before have ended"):
        memory.message()
    assert os.listdir(folder) == [] and not is_locked(folder)


@pytest.mark.skipif(not shared_memory._WITHOUT_A_NAME, reason="the system has no files without a name")
def test_memory_that_another_process_named_cannot_be_sent_when_that_has_ended(folder, monkeypatch):
    monkeypatch.setattr(shared_memory, "_strategy", "file_descriptor")
    memory = shared_memory.allocate(8)
    path = shared_memory.SharedMemory(memory.descriptor).message()  # as a forked process has it
    shared_memory.count_use(path, -1)
    gc.collect()
    assert os.listdir(folder) == []
    with pytest.raises(RuntimeError, match="another process named its memory, and has ended"):
        memory.message()
    assert os.listdir(folder) == [] and not is_locked(folder)


@pytest.mark.parametrize("written_through", [0, 1])
def test_storages_of_views_of_a_base_that_moved_have_one_count(written_through):
    base = torch.Tensor([1, 2, 3, 4, 5, 6])
    views = [base[1:4], base[2:6]]
    base.resize_(9)
    for tensors in (
        views,
        [torch.Tensor(view.storage()) for view in views],
        [views[0], torch.Tensor(views[1].storage())],
    ):
        saved, written = tensors[1 - written_through], tensors[written_through]
        y = (Variable(saved, requires_grad=True) ** 2).sum()
        written.fill_(9)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            y.backward()
