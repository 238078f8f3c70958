"""Seconds and bytes of step-through pages, by the number of Functions, leaves included.

    python -m benchmarks.pages [--sizes 50,200,400,2000]

traces a backward of each graph, saves its page, and makes what a notebook gets of it. `chain` is one operation after
another on a single number; `lstm` an LSTM cell unrolled, whose four weights every step uses.
"""

import argparse
import json
import pathlib
import tempfile
import time

from legacy_autograd import drawing, nn, zeros
from legacy_autograd.autograd.variable import Variable
from legacy_autograd.drawing.walk import graph_of
from legacy_autograd.tensor import Tensor

SIZES = (50, 200, 400, 2000)


def chain(size):
    """Return the result of a chain of `size` Functions."""
    value = Variable(Tensor([1.0]))
    for step in range(size - 1):
        value = value * 1.01 if step % 2 else value + 0.01
    return value


def lstm(size):
    """Return the loss of an unrolled LSTM cell with at least `size` Functions."""
    cell = nn.LSTMCell(4, 6)
    state = Variable(zeros(2, 6)), Variable(zeros(2, 6))
    while True:
        for _ in range(2):
            state = cell(Variable(zeros(2, 4).fill_(1), requires_grad=False), state)
        loss = state[0].sum()
        if len(graph_of([loss]).nodes) >= size:
            return loss


GRAPHS = {"chain": chain, "lstm": lstm}


def figures(loss):
    """Return (Functions, steps, seconds to trace, seconds to save, kB of the page, kB in a notebook) of a backward."""
    times = [time.perf_counter()]
    trace = drawing.trace_backward(loss)
    times.append(time.perf_counter())
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "page.html")
        trace.save(path)
        times.append(time.perf_counter())
        size = path.stat().st_size / 1000
    in_notebook = len(json.dumps(trace._repr_mimebundle_())) / 1000
    return len(trace.nodes), len(trace), times[1] - times[0], times[2] - times[1], size, in_notebook


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="numbers of Functions, with commas")
    sizes = [int(size) for size in parser.parse_args().sizes.split(",")]
    drawing.trace_backward(chain(2)).frames()  # work that happens once: imports, and the check that `dot` works
    print("| graph | Functions | steps | trace, s | save, s | page, kB | in a notebook, kB |")
    print("|---|---|---|---|---|---|---|")
    for name, make in GRAPHS.items():
        for size in sizes:
            functions, steps, traced, saved, page, notebook = figures(make(size))
            print(f"| {name} | {functions} | {steps} | {traced:.2f} | {saved:.2f} | {page:.0f} | {notebook:.0f} |")


if __name__ == "__main__":
    main()
