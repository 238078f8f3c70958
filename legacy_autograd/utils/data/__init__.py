"""Data sets, and how they are read in batches (v0.1.4: `torch/utils/data/`, which is another name of this package)."""

from .collate import default_collate  # noqa: F401
from .dataloader import DataLoader  # noqa: F401
from .dataset import ConcatDataset, Dataset, Subset, TensorDataset, random_split  # noqa: F401
from .sampler import (  # noqa: F401
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)
