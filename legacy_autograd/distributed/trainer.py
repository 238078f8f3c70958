"""`DistributedTrainer`: a `Trainer` in each of several ranks, which agree on what they report, decide and write."""

from ..training import Trainer


class DistributedTrainer(Trainer):
    """A `Trainer` whose model is a DistributedDataParallel; it is used in the same way, in every rank.

    Losses and accuracies are the means over all ranks' samples, and so the same in all: a ReduceLROnPlateau decides
    alike everywhere. Rank 0 alone draws progress and writes checkpoints, all read them. `callback` is called in every
    rank; what rank 0's returns decides whether training ends.
    """

    def __init__(self, model, criterion, optimizer, scheduler=None, **options):
        if not hasattr(model, "comm"):
            raise TypeError(
                f"DistributedTrainer: the model is a {type(model).__name__}; wrap it in DistributedDataParallel first"
            )
        super().__init__(model, criterion, optimizer, scheduler, **options)
        self._comm = model.comm
        if self._comm.rank != 0:
            self.progress = False
        if self.callback is not None:
            callback = self.callback
            self.callback = lambda trainer: self._from_first(callback(trainer))

    def train_epoch(self, batches, title="training"):
        sampler = getattr(batches, "sampler", None)
        if hasattr(sampler, "set_epoch"):
            sampler.set_epoch(self.epoch)  # after a resume the order goes on as well
        return self._mean(super().train_epoch(batches, title))

    def evaluate(self, batches):
        report = super().evaluate(batches)
        return {name: self._mean(value) for name, value in report.items()}

    def save(self, path):
        """Rank 0 writes the checkpoint; the others wait until it is there, so that any may read it."""
        if self._comm.rank == 0:
            super().save(path)
        self.model.wait_for_all("the checkpoint to be written")

    def _from_first(self, ends):
        self.model.wait_for_all("the callback")
        return self._comm.bcast(bool(ends), root=0)

    def _mean(self, value):
        # Shares are of equal size: the mean of the means is the mean. Summed in the order of the ranks in all of them.
        self.model.wait_for_all("the means of an epoch")
        return sum(self._comm.allgather(value)) / self._comm.size
