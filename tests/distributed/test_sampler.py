"""DistributedSampler, which needs no MPI where ranks and their count are given."""

import pytest

from legacy_autograd.distributed import DistributedSampler


def shares(count, ranks, **options):
    return [list(DistributedSampler(range(count), ranks, rank, **options)) for rank in range(ranks)]


@pytest.mark.parametrize("shuffle", [True, False])
@pytest.mark.parametrize("count, ranks", [(12, 3), (13, 4), (2, 5), (7, 1)])
def test_shares_are_equal_in_size_and_together_everything(count, ranks, shuffle):
    parts = shares(count, ranks, shuffle=shuffle)
    assert {len(part) for part in parts} == {-(-count // ranks)}
    assert {number for part in parts for number in part} == set(range(count))


def test_drop_last_leaves_out_what_cannot_be_shared():
    parts = shares(11, 3, drop_last=True)
    together = [number for part in parts for number in part]
    assert len(together) == len(set(together)) == 9


@pytest.mark.parametrize("shuffle", [True, False])
@pytest.mark.parametrize("count, ranks", [(12, 3), (13, 4), (5, 5), (7, 1)])
def test_without_repeating_every_sample_is_one_ranks_once(count, ranks, shuffle):
    parts = shares(count, ranks, shuffle=shuffle, repeat=False)
    assert sorted(number for part in parts for number in part) == list(range(count))
    lengths = [len(DistributedSampler(range(count), ranks, rank, repeat=False)) for rank in range(ranks)]
    assert lengths == [len(part) for part in parts] and max(lengths) - min(lengths) <= 1


@pytest.mark.parametrize("ranks", [2, 3, 4])
def test_batches_of_all_ranks_are_the_batches_of_one_process(ranks):
    (alone,) = shares(24, 1, seed=7)
    parts = shares(24, ranks, seed=7)
    size = 2
    for k in range(24 // (size * ranks)):
        together = {number for part in parts for number in part[k * size : (k + 1) * size]}
        assert together == set(alone[k * size * ranks : (k + 1) * size * ranks])


def test_every_epoch_has_an_order_of_its_own_that_can_be_had_again():
    sampler = DistributedSampler(range(50), 2, 1)
    first, second = list(sampler), list(sampler)
    assert first != second and len(sampler) == 25
    sampler.set_epoch(0)
    assert list(sampler) == first and list(sampler) == second
    assert list(DistributedSampler(range(50), 2, 1, seed=1)) != first


@pytest.mark.parametrize(
    "arguments, error, words",
    [
        ((5, 2, 2), ValueError, "rank must be from 0 to 1 for 2 ranks, got 2"),
        ((5, 2, -1), ValueError, "for 2 ranks, got -1"),
        ((5, 2.0, 1), TypeError, "must be integers"),
        ((5, 2, 0, True, -1), ValueError, "seed"),
        ((2, 3, 0, True, 0, True), ValueError, "2 samples are too few for 3 ranks"),
        ((2, 3, 0, True, 0, False, False), ValueError, "2 samples are too few for 3 ranks"),
        ((0, 3, 0), ValueError, "0 samples are too few"),
    ],
)
def test_mistakes_speak(arguments, error, words):
    count, *rest = arguments
    with pytest.raises(error, match=words):
        DistributedSampler(range(count), *rest)
