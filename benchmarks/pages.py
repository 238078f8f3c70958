"""Seconds and bytes of step-through pages, by the number of Functions, leaves included.

    python -m benchmarks.pages [--sizes 50,200,400,2000] [--keys]

traces a backward of each graph, saves its page, and makes what a notebook gets of it. `chain` is one operation after
another on a single number; `tree` the sum of as many leaves as operations; `lstm` an LSTM cell unrolled, whose four
weights every step uses. `--keys` measures in Chromium how long a key takes until the page is painted again.
"""

import argparse
import json
import pathlib
import shutil
import statistics
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


def tree(size):
    """Return the sum of `size` / 2 leaves, two at a time."""
    values = [Variable(Tensor([1.0])) for _ in range((size + 1) // 2)]
    while len(values) > 1:
        pairs = zip(values[::2], values[1::2])
        values = [a + b for a, b in pairs] + values[len(values) - len(values) % 2 :]
    return values[0]


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


GRAPHS = {"chain": chain, "tree": tree, "lstm": lstm}

KEYS = """
const [keys, done] = arguments;
const press = (key) => new Promise((next) => {
  const from = performance.now();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  requestAnimationFrame(() => {
    const painted = new MessageChannel(); // its message arrives after the frame
    painted.port1.onmessage = () => setTimeout(() => next(performance.now() - from), 0);
    painted.port2.postMessage(0);
  });
});
(async () => {
  const times = [];
  for (const key of keys) times.push(await press(key));
  done(times);
})();
"""


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


def keys(size):
    """Print for each graph of `size` Functions the median and the largest time of a key in Chromium, in ms.

    The last line counts the keys that took longer than the goal of 100 ms.
    """
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or shutil.which("google-chrome")
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,800"):
        options.add_argument(argument)
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    browser.set_script_timeout(300)
    print("| graph | steps | the first key, ms | the count, ms | in the middle, median, ms | largest, ms |")
    print("|---|---|---|---|---|---|")
    every = []
    try:
        for name, make in GRAPHS.items():
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder, "page.html")
                trace = drawing.trace_backward(make(size))
                trace.save(path)
                for grain in ("every", "function"):
                    browser.get("about:blank")
                    browser.get(f"{path.as_uri()}#grain={grain}")
                    time.sleep(2)
                    first = browser.execute_async_script(KEYS, ["Home", *["ArrowRight"] * 2])
                    browser.execute_script("page.stepper.go(page.stepper.last >> 1)")
                    times = browser.execute_async_script(KEYS, ["ArrowRight", "ArrowLeft", "ArrowRight"] * 10)
                    figures = [*first[1:], statistics.median(times), max(times)]
                    every += first[1:] + times
                    print(f"| {name} | {grain} | {' | '.join(f'{figure:.0f}' for figure in figures)} |")
    finally:
        browser.quit()
    print(f"{len(every)} keys, {sum(time > 100 for time in every)} of them above 100 ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="numbers of Functions, with commas")
    parser.add_argument("--keys", action="store_true", help="measure keys on the largest graphs instead")
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    if options.keys:
        return keys(max(sizes))
    drawing.trace_backward(chain(2)).frames()  # work that happens once: imports, and the check that `dot` works
    print("| graph | Functions | steps | trace, s | save, s | page, kB | in a notebook, kB |")
    print("|---|---|---|---|---|---|---|")
    for name, make in GRAPHS.items():
        for size in sizes:
            functions, steps, traced, saved, page, notebook = figures(make(size))
            print(f"| {name} | {functions} | {steps} | {traced:.2f} | {saved:.2f} | {page:.0f} | {notebook:.0f} |")


if __name__ == "__main__":
    main()
