"""How a `DataLoader` loads its batches: the base class of its iterators, and the iterator without worker processes."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .collate import default_collate
from .dataset import batch_of


class LoadingIterator:
    """One pass over the batches.

    Args:
        loader: The DataLoader.
    """

    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def __len__(self):
        """Return the number of batches of the whole pass, as in v0.1.x, however many were taken."""
        return len(self._loader)

    def __iter__(self):
        return self

    def next(self) -> Any:
        """Return the next batch: v0.1.x's form of `next(iterator)`."""
        return next(self)  # type: ignore[call-overload]  # subclasses define __next__


class InThisProcess(LoadingIterator):
    """One pass over the batches, which this process loads.

    Args:
        loader: The DataLoader.
        batches: The lists of sample numbers.
    """

    def __init__(self, loader: Any, batches: Iterator[list[int]]) -> None:
        super().__init__(loader)
        self._batches = batches

    def __next__(self):
        return fetch(self._loader.dataset, next(self._batches), self._loader.collate_fn)


def fetch(dataset: Any, indices: Sequence[int], collate_fn: Callable[[list], Any]) -> Any:
    """Return the batch of some samples.

    Args:
        dataset: The data set.
        indices: The numbers of the samples.
        collate_fn: A function that makes a batch of a list of samples.

    Raises:
        RuntimeError: If loading a sample raised StopIteration.
    """
    try:
        if collate_fn is default_collate:
            batch = batch_of(dataset, indices)
            if batch is not None:
                return batch
        return collate_fn([dataset[index] for index in indices])
    except StopIteration as error:  # which would silently end the loop over the batches
        raise RuntimeError(f"DataLoader: loading samples {list(indices)} raised StopIteration") from error
