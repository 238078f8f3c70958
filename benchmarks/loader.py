"""Batches a second of DataLoader over TensorDataset, in this package and in torch, without workers and with two.

    python -m benchmarks.loader

The two libraries take turns of one epoch. Time is that on the clock, because the workers are processes of their own.
"""

import importlib
import statistics
import time

SAMPLES, BATCH, EPOCHS = 10_000, 64, 7


def batches_a_second(torch, workers):
    """Yield the batches a second of each epoch of a DataLoader with `workers` workers."""
    data = importlib.import_module(torch.__name__ + ".utils.data")
    dataset = data.TensorDataset(torch.randn(SAMPLES, 32), torch.zeros(SAMPLES).long())
    loader = data.DataLoader(dataset, batch_size=BATCH, shuffle=True, num_workers=workers)
    while True:
        begin = time.perf_counter()
        count = sum(1 for _ in loader)
        yield count / (time.perf_counter() - begin)


def main():
    packages = [importlib.import_module(name) for name in ("legacy_autograd", "torch")]
    for workers in (0, 2):
        turns = list(zip(*[batches_a_second(torch, workers) for torch in packages], range(EPOCHS)))
        own, theirs = [statistics.median(column) for column in list(zip(*turns))[:2]]
        print(f"{workers} workers: legacy_autograd {own:.0f} batches a second, torch {theirs:.0f}, {own / theirs:.2f}")


if __name__ == "__main__":
    main()
