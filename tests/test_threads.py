"""The number of threads: asked of and set in the library under numpy, or told as far as it is known."""

import sys

import pytest

import legacy_autograd as torch


@pytest.fixture
def before():
    count = torch.get_num_threads()
    yield count
    torch.set_num_threads(count)


def test_the_library_under_numpy_is_asked_and_told(before):
    threadpoolctl = pytest.importorskip("threadpoolctl")

    def of_numpy():
        return {lib["num_threads"] for lib in threadpoolctl.threadpool_info() if lib["user_api"] == "blas"}

    for count in (1, 2, 1):
        torch.set_num_threads(count)
        assert of_numpy() == {count} and torch.get_num_threads() == count
    with threadpoolctl.threadpool_limits(2, "blas"):
        assert torch.getNumThreads() == 2
    torch.setNumThreads(1)
    assert of_numpy() == {1}


def test_without_threadpoolctl_a_change_has_no_effect_and_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "threadpoolctl", None)
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "3")
    assert torch.get_num_threads() == 3
    torch.set_num_threads(3)
    with pytest.warns(UserWarning, match="no effect without threadpoolctl.*OPENBLAS_NUM_THREADS=5"):
        torch.set_num_threads(5)
    assert torch.get_num_threads() == 3
    for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    assert torch.get_num_threads() >= 1


@pytest.mark.parametrize(
    "count, error, words", [(0, ValueError, "at least 1"), (1.5, TypeError, "float"), (True, TypeError, "bool")]
)
def test_a_count_that_is_none_is_refused(count, error, words):
    with pytest.raises(error, match=words):
        torch.set_num_threads(count)
