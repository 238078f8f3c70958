"""`python -m benchmarks.later`: the cost of an ordinary forward and backward after `later` was used, and without it.

Every part of `later` is used once before the measurement, so that any change that it makes to the core is included.
Both cases take turns in separate processes. The table compares the best of all runs of each, on one machine.
"""

import statistics
import subprocess
import sys
import time

USE_ALL = """
import warnings
from legacy_autograd import autograd
from legacy_autograd.utils.checkpoint import checkpoint
x = Variable(wrap(numpy.ones(2)), requires_grad=True)
with torch.no_grad(): x * x
with torch.inference_mode(): x * x
with autograd.set_detect_anomaly(True): (x * x).sum().backward()
with autograd.profiler.profile(): (x * x).sum().backward()
with autograd.graph.save_on_cpu(): (x * x).sum().backward()
checkpoint(lambda a: a * a, x).sum().backward()
autograd.grad(autograd.grad((x * x * x).sum(), x, create_graph=True)[0].sum(), x)
(x * 2).add_(1).retain_grad()
Variable(x.data, volatile=True) * x
"""

MEASURE = """
import sys, time
import numpy
import legacy_autograd as torch
from legacy_autograd.autograd import Variable
from legacy_autograd.tensor.base import wrap
exec(sys.argv[1])
def once(count=2000):
    x = Variable(wrap(numpy.ones(1)), requires_grad=True)
    y = x
    start = time.perf_counter()
    for _ in range(count):
        y = y * x + x
    middle = time.perf_counter()
    y.backward()
    end = time.perf_counter()
    return middle - start, end - middle
once()
best = [min(times) for times in zip(*[once() for _ in range(12)])]
print(*best)
"""


def main(rounds=7):
    times = {"without": [], "with": []}
    for turn in range(rounds):
        for name, preparation in (("without", ""), ("with", USE_ALL))[:: 1 if turn % 2 else -1]:
            command = [sys.executable, "-c", MEASURE, preparation]
            output = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout.split()
            times[name].append((float(output[0]), float(output[1])))
        time.sleep(0.1)
    print("2,000 times y * x + x on single numbers, the best run and the median of the best of each process:")
    for part, position in (("forward", 0), ("backward", 1)):
        without, with_ = [[run[position] for run in times[name]] for name in ("without", "with")]
        print(
            f"{part}: without later {min(without) * 1e3:.2f} ms, with it {min(with_) * 1e3:.2f} ms, "
            f"ratio {min(with_) / min(without):.3f} (of the medians "
            f"{statistics.median(with_) / statistics.median(without):.3f})"
        )


if __name__ == "__main__":
    main()
