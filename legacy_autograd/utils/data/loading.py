"""How a `DataLoader` loads its batches: the base of its iterators, and the iterator without worker processes."""

from .collate import default_collate
from .dataset import batch_of


class LoadingIterator:
    """One pass over the batches. `next()` is v0.1.x's way to say `next(iterator)`."""

    def __init__(self, loader):
        self._loader = loader

    def __len__(self):
        """The number of batches of the whole pass, as in v0.1.x, however many have been taken."""
        return len(self._loader)

    def __iter__(self):
        return self

    def next(self):
        return next(self)


class InThisProcess(LoadingIterator):
    def __init__(self, loader, batches):
        super().__init__(loader)
        self._batches = batches

    def __next__(self):
        return fetch(self._loader.dataset, next(self._batches), self._loader.collate_fn)


def fetch(dataset, indices, collate_fn):
    """The batch of the samples at `indices`."""
    try:
        if collate_fn is default_collate:
            batch = batch_of(dataset, indices)
            if batch is not None:
                return batch
        return collate_fn([dataset[index] for index in indices])
    except StopIteration as error:  # it would end the loop over the batches without a word
        raise RuntimeError(f"DataLoader: loading samples {list(indices)} raised StopIteration") from error
