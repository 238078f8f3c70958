"""The timeline of a backward, and the page of all ranks."""

import pathlib

from mpi4py import MPI

import legacy_autograd as torch
from legacy_autograd import nn
from legacy_autograd.autograd import Variable
from legacy_autograd.distributed import DistributedDataParallel, Timeline, save_page_of_ranks
from legacy_autograd.drawing import LayoutUnavailable

world = MPI.COMM_WORLD
x = Variable(torch.ones(2, 4), requires_grad=False)
layers = [nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 4)]
for overlap in (True, False):
    model = DistributedDataParallel(nn.Sequential(*layers), bucket_bytes=1, overlap=overlap)
    assert model.buckets == [["2.bias"], ["2.weight"], ["0.bias"], ["0.weight"]]
    with Timeline(model) as timeline:
        model(x).sum().backward()
    for event in ("ready", "start", "end"):
        assert sorted(number for _, name, number in timeline.events if name == event) == [0, 1, 2, 3]
    assert [number for _, name, number in timeline.events if name == "start"] == [0, 1, 2, 3]
    assert (timeline.started_before_the_last_gradient() > 0) == overlap, timeline.events
    assert str(timeline).count("=") >= 4
    if overlap:
        try:
            trace = save_page_of_ranks("page.html", model(x).sum(), model)
        except LayoutUnavailable:
            print("no layout")
            trace = None
        if trace is not None:
            events = [(step.event, step.text) for step in trace]
            notes = [text for event, text in events if event == "note"]
            assert sum("all-reduce" in text and "starts" in text for text in notes) == 4, notes
            assert sum("has ended" in text for text in notes) == 4, notes
            first_start = next(place for place, (_, text) in enumerate(events) if "starts" in text)
            last_leaf = max(place for place, (event, _) in enumerate(events) if event == "accumulate")
            assert first_start < last_leaf  # inside backward
            if world.rank == 0:
                page = pathlib.Path("page.html").read_text(encoding="utf-8")
                assert all(f'"title":"rank {rank}"' in page for rank in range(world.size))
                assert page.count("The all-reduce of bucket 0 (2.bias) starts.") >= world.size
    model.close()
print("traced")
