"""Data sets, samplers, batches, and a loader that works in this process."""

import collections

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import legacy_autograd as torch
from legacy_autograd.autograd import Variable
from legacy_autograd.utils import data


def as_lists(batches):
    return [[part.tolist() for part in batch] for batch in batches]


class Squares(data.Dataset):
    """Sample i is i squared."""

    def __init__(self, length):
        self.length = length

    def __getitem__(self, index):
        return index * index

    def __len__(self):
        return self.length


# --- data sets


def test_a_tensor_dataset_takes_its_tensors_apart():
    x, y = torch.DoubleTensor([[1, 2], [3, 4], [5, 6]]), torch.LongTensor([7, 8, 9])
    for dataset in (data.TensorDataset(x, y), data.TensorDataset(data_tensor=x, target_tensor=y)):
        assert len(dataset) == 3
        sample, target = dataset[1]
        assert sample.tolist() == [3, 4] and target == 8
        assert dataset.data_tensor is x and dataset.target_tensor is y
    assert [part.tolist() for part in data.TensorDataset(x)[0]] == [[1, 2]]


@pytest.mark.parametrize(
    "make, error, message",
    [
        (lambda: data.TensorDataset(torch.zeros(3), torch.zeros(2, 5)), ValueError, r"\(3,\), \(2, 5\)"),
        (lambda: data.TensorDataset(), TypeError, "one Tensor or more"),
        (lambda: data.TensorDataset(numpy.zeros(3)), TypeError, "ndarray.*from_numpy"),
        (lambda: data.TensorDataset(Variable(torch.zeros(3))), TypeError, "Variable"),
        (lambda: data.ConcatDataset([]), ValueError, "one data set or more"),
        (lambda: data.ConcatDataset([Squares(2)])[2], IndexError, "no sample 2, there are 2"),
        (lambda: data.random_split(Squares(5), [2, 2]), ValueError, "add up to 4.*5 samples"),
        (lambda: data.random_split(Squares(5), [7, -2]), ValueError, "-2"),
        (lambda: data.random_split(Squares(5), [0.5, 0.4]), ValueError, "0.9"),
        (lambda: data.Dataset()[0], NotImplementedError, "Dataset does not define __getitem__"),
    ],
)
def test_what_is_no_data_set_is_refused(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_data_sets_are_put_one_after_another():
    joined = Squares(3) + data.Subset(Squares(10), [9, 5]) + Squares(0)
    assert [joined[i] for i in range(len(joined))] == [0, 1, 4, 81, 25]
    assert joined[-1] == 25


@given(st.lists(st.integers(0, 6), min_size=1, max_size=5), st.integers(0, 2**32))
def test_a_split_gives_every_sample_away_once(lengths, seed):
    torch.manual_seed(seed)
    parts = data.random_split(range(sum(lengths)), lengths)
    assert [len(part) for part in parts] == lengths
    assert sorted(part[i] for part in parts for i in range(len(part))) == list(range(sum(lengths)))


def test_a_split_by_fractions_gives_what_is_left_to_the_first():
    assert [len(part) for part in data.random_split(range(10), [0.33, 0.33, 0.34])] == [4, 3, 3]


# --- samplers


def test_samplers_repeat_themselves_for_the_same_seed():
    samplers = [
        data.RandomSampler(range(20)),
        data.RandomSampler(range(20), replacement=True, num_samples=30),
        data.SubsetRandomSampler([3, 1, 4, 15, 9, 2, 6]),
        data.WeightedRandomSampler([0.1, 5, 0, 2], 12),
    ]
    for sampler in samplers:
        torch.manual_seed(3)
        first, second = list(sampler), list(sampler)
        torch.manual_seed(3)
        assert list(sampler) == first != second
        assert len(first) == len(sampler)
        assert all(type(index) is int for index in first)


def test_samplers_draw_from_where_they_should():
    assert sorted(data.RandomSampler(range(9))) == list(range(9))
    assert len(set(data.RandomSampler(range(9), num_samples=4))) == 4
    assert sorted(data.SubsetRandomSampler("abc")) == ["a", "b", "c"]
    drawn = collections.Counter(data.WeightedRandomSampler([1, 0, 3], 4000))
    assert drawn[1] == 0 and 2.5 < drawn[2] / drawn[0] < 3.6
    assert sorted(data.WeightedRandomSampler([1, 0, 3, 1], 3, replacement=False)) == [0, 2, 3]


def test_the_order_is_drawn_when_the_iteration_begins():
    for loader in (data.RandomSampler(range(9)), data.DataLoader(range(9), 2, shuffle=True)):
        torch.manual_seed(0)
        expected = [str(entry) for entry in loader]
        torch.manual_seed(0)
        iterator = iter(loader)
        torch.rand(5)
        assert [str(entry) for entry in iterator] == expected


@pytest.mark.parametrize(
    "make, error, message",
    [
        (lambda: data.BatchSampler(range(3), 0), ValueError, "batch_size.*0"),
        (lambda: data.BatchSampler(range(3), 2.0), TypeError, "batch_size.*float"),
        (lambda: data.RandomSampler(range(3), num_samples=5), ValueError, "5 of 3 samples need replacement"),
        (lambda: data.WeightedRandomSampler([1, -1], 2), ValueError, "negative"),
        (lambda: data.WeightedRandomSampler([0, 0], 2), ValueError, "0 positive weights for 2"),
        (lambda: data.WeightedRandomSampler([1, 0], 2, False), ValueError, "1 positive weights for 2.*without"),
    ],
)
def test_samplers_refuse_what_they_cannot_draw(make, error, message):
    with pytest.raises(error, match=message):
        make()


# --- batches of samples


def collated(*samples):
    return data.default_collate(list(samples))


def test_tensors_are_stacked_in_their_type():
    batch = collated(torch.FloatTensor([1, 2]), torch.FloatTensor([3, 4]))
    assert batch.type() == "torch.FloatTensor" and batch.tolist() == [[1, 2], [3, 4]]


def test_numbers_become_long_and_double_tensors():
    assert collated(1, 2).type() == "torch.LongTensor"
    assert collated(True, False).tolist() == [1, 0]
    assert collated(1.5, 2).type() == "torch.DoubleTensor"
    assert collated(1, 2.5).tolist() == [1, 2.5]
    assert collated(numpy.float32(1), numpy.float32(2)).type() == "torch.FloatTensor"
    assert collated(numpy.float64(1), numpy.float64(2)).type() == "torch.DoubleTensor"


def test_arrays_keep_their_type():
    batch = collated(numpy.ones((2, 1), "int32"), numpy.zeros((2, 1), "int32"))
    assert batch.type() == "torch.IntTensor" and batch.tolist() == [[[1], [1]], [[0], [0]]]
    assert collated(numpy.array(3.0), numpy.array(4.0)).tolist() == [3, 4]


def test_structures_are_gone_into():
    Point = collections.namedtuple("Point", "x y")
    batch = collated({"a": (1, "one"), "b": Point(1.0, [2])}, {"a": (3, "three"), "b": Point(4.0, [5])})
    assert batch["a"][0].tolist() == [1, 3] and batch["a"][1] == ["one", "three"]
    assert isinstance(batch["b"], Point)
    assert batch["b"].x.tolist() == [1.0, 4.0] and batch["b"].y[0].tolist() == [2, 5]


@pytest.mark.parametrize(
    "samples, error, message",
    [
        (
            [torch.zeros(2), torch.zeros(3)],
            ValueError,
            r"sizes differ: sample 0 is.*size \(2,\), sample 1.*size \(3,\)",
        ),
        ([torch.zeros(2), torch.FloatTensor(2)], TypeError, "DoubleTensor.*sample 1 a torch.FloatTensor"),
        ([(1, torch.zeros(2)), (1, 3)], TypeError, "in part 1.*sample 1 int"),
        ([{"a": 1}, {"b": 1}], ValueError, r"keys differ.*\['a'\], sample 1 \['b'\]"),
        ([{"a": 1}, 3], ValueError, "keys differ.*int"),
        ([{"a": (1, 2)}, {"a": (1,)}], ValueError, "lengths differ at key 'a': sample 0 has 2 parts, sample 1 1"),
        ([numpy.zeros(2), numpy.zeros((2, 2))], ValueError, r"\(2,\).*\(2, 2\)"),
        ([1, "a"], TypeError, "number.*sample 1 str"),
        ([None], TypeError, "NoneType"),
        ([Variable(torch.zeros(2))], TypeError, "found Variable; use the data"),
        ([numpy.zeros(2, complex)], TypeError, "complex"),
        ([], ValueError, "no samples"),
    ],
)
def test_what_makes_no_batch_is_refused(samples, error, message):
    with pytest.raises(error, match=message):
        data.default_collate(samples)


# --- the loader


@given(
    st.integers(1, 30),
    st.integers(1, 12),
    st.booleans(),
    st.booleans(),
    st.integers(0, 2**32),
)
def test_every_sample_comes_once_in_batches_of_the_size(count, batch_size, shuffle, drop_last, seed):
    if drop_last and batch_size > count:
        batch_size = count
    torch.manual_seed(seed)
    loader = data.DataLoader(Squares(count), batch_size, shuffle, drop_last=drop_last)
    batches = [batch.tolist() for batch in loader]
    assert len(batches) == len(loader)
    assert all(len(batch) == batch_size for batch in batches[: count // batch_size])
    flat = [value for batch in batches for value in batch]
    everything = [index**2 for index in range(count)]
    if drop_last:
        assert len(flat) == count // batch_size * batch_size and set(flat) <= set(everything)
    else:
        assert sorted(flat) == everything
    if not shuffle:
        assert flat == everything[: len(flat)]


def test_batches_of_tensors_taken_at_once_are_those_taken_one_by_one():
    dataset = data.TensorDataset(torch.randn(10, 2, 3), torch.LongTensor(list(range(10))), torch.randn(10))
    part = data.Subset(data.Subset(dataset, [9, 3, 4, 4, 0]), [4, 1, 0])
    for one in (dataset, part):
        at_once = list(data.DataLoader(one, 4))
        one_by_one = list(data.DataLoader(one, 4, collate_fn=lambda samples: data.default_collate(samples)))
        assert as_lists(at_once) == as_lists(one_by_one)
    floats = data.TensorDataset(torch.FloatTensor([1, 2, 3]))
    assert next(iter(data.DataLoader(floats, 2)))[0].type() == "torch.FloatTensor"


class Marked(data.TensorDataset):
    def __getitem__(self, index):
        return -index


def test_a_data_set_of_tensors_may_say_what_a_sample_is():
    assert next(iter(data.DataLoader(Marked(torch.zeros(3)), 3))).tolist() == [0, -1, -2]


def test_order_and_batches_can_be_given():
    assert [b.tolist() for b in data.DataLoader(Squares(9), 2, sampler=[5, 3, 1])] == [[25, 9], [1]]
    assert [b.tolist() for b in data.DataLoader(Squares(9), batch_sampler=[[1, 2, 3], [0]])] == [[1, 4, 9], [0]]
    assert list(data.DataLoader(Squares(4), 3, collate_fn=max)) == [4, 9]


def test_an_iterator_has_the_next_of_v01():
    iterator = iter(data.DataLoader(Squares(3), 2))
    assert iterator.next().tolist() == [0, 1]
    assert next(iterator).tolist() == [4]
    with pytest.raises(StopIteration):
        iterator.next()


@pytest.mark.parametrize("workers", [0, 2])
def test_an_iterator_has_the_number_of_batches_of_the_whole_pass(workers):
    iterator = iter(data.DataLoader(list(range(7)), batch_size=2, num_workers=workers))
    next(iterator)
    assert len(iterator) == 4
    assert len(list(iterator)) == 3


@pytest.mark.parametrize(
    "options, error, message",
    [
        ({"batch_size": 0}, ValueError, "batch_size.*0"),
        ({"batch_size": None}, TypeError, "batch_size.*NoneType"),
        ({"num_workers": -1}, ValueError, "num_workers.*-1"),
        ({"timeout": -1}, ValueError, "timeout.*-1"),
        ({"shuffle": True, "sampler": [0]}, ValueError, "shuffle and a sampler"),
        ({"batch_sampler": [[0]], "batch_size": 2}, ValueError, "batch_sampler excludes"),
    ],
)
def test_the_loader_refuses_what_it_cannot_do(options, error, message):
    with pytest.raises(error, match=message):
        data.DataLoader(Squares(3), **options)


@pytest.mark.parametrize(
    "count, options, message",
    [
        (0, {}, "no batch: the data set has no samples.*Squares is 0"),
        (0, {"shuffle": True, "drop_last": True}, "no batch: the data set has no samples.*Squares is 0"),
        (0, {"num_workers": 1}, "no batch: the data set has no samples"),
        (3, {"batch_size": 8, "drop_last": True}, "no batch: drop_last leaves out 3 samples.*batch of 8"),
        (3, {"sampler": []}, "no batch: its sampler is empty"),
        (3, {"batch_sampler": []}, "no batch: its sampler is empty"),
    ],
)
def test_an_empty_loader_is_refused_when_it_is_read(count, options, message):
    loader = data.DataLoader(Squares(count), **options)
    assert len(loader) == 0
    with pytest.raises(ValueError, match=message):
        iter(loader)


def test_a_data_set_may_be_filled_later():
    samples = []
    loader = data.DataLoader(samples, 2, shuffle=True)
    samples += [3, 3, 3]
    assert [batch.tolist() for batch in loader] == [[3, 3], [3]]


def test_a_data_set_without_a_length_is_refused():
    with pytest.raises(TypeError, match="a Dataset has no length"):
        data.DataLoader(data.Dataset())


def test_a_data_set_that_raises_stop_iteration_does_not_end_the_loop_in_silence():
    class Ends(Squares):
        def __getitem__(self, index):
            return next(iter(()))

    with pytest.raises(RuntimeError, match=r"samples \[0, 1\] raised StopIteration"):
        list(data.DataLoader(Ends(3), 2))


def test_the_numbers_that_follow_do_not_depend_on_the_number_of_workers():
    following = []
    for workers in (0, 2):
        torch.manual_seed(1)
        list(data.DataLoader(Squares(4), 2, shuffle=True, num_workers=workers))
        following.append(torch.rand(1)[0])
    assert following[0] == following[1]


def test_torch_utils_data_is_this_package():
    from legacy_autograd.utils.data import DataLoader
    from legacy_autograd.utils.data.dataloader import default_collate
    from legacy_autograd.utils.data.sampler import RandomSampler

    assert DataLoader is data.DataLoader
    assert default_collate is data.default_collate and RandomSampler is data.RandomSampler
