"""Compare the package with other libraries and print the table.

`python -m benchmarks --row chain --peers legacy,torch` measures one row in some ten seconds.
"""

import argparse
import os
import pathlib
import subprocess
import sys

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
# Settings that bind a library to the instructions of another processor. Without them each library chooses for this one.
KERNELS = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "MKL_ENABLE_INSTRUCTIONS", "ONEDNN_MAX_CPU_ISA",
           "ATEN_CPU_CAPABILITY", "NPY_DISABLE_CPU_FEATURES")  # fmt: skip
BYTES, GROWTH, IMPORT = "bytes", "growth", "import"  # the rows that are no workloads
PASSES = 4  # with --full; each in new processes, which differ in their page faults
BYTES_GOAL, GROWTH_GOAL, IMPORT_GOAL = 450, 1.5, 120

OPTIONS = argparse.ArgumentParser(add_help=False)  # those that are needed before NumPy is imported
OPTIONS.add_argument("--threads", type=int, default=1, metavar="N", help="threads of both sides; 2 or more: the clock")


def main():
    threads = str(OPTIONS.parse_known_args()[0].threads)
    environment = {**os.environ, **dict.fromkeys(THREADS, threads)}
    environment = {name: value for name, value in environment.items() if name not in KERNELS}
    if environment != os.environ:
        # The libraries read these variables when they are loaded.
        os.execve(sys.executable, [sys.executable, "-m", "benchmarks", *sys.argv[1:]], environment)

    from . import measure, table, workers, workloads
    from .peers import PEERS

    measure.pin_to_cores()  # the processes of the peers inherit it

    names = [workload.name for workload in workloads.WORKLOADS]
    arguments = _arguments(names, list(PEERS))
    asked = _rows(arguments.row, [*names, BYTES, GROWTH, IMPORT]) if arguments.row else list(names)
    if arguments.full and not arguments.row:
        asked += [BYTES, GROWTH, IMPORT]
    available, missing = workers.start(arguments.peers)
    for sentence in missing:
        print(sentence)
    if not available:
        sys.exit("none of the peers is installed")
    reference = "torch" if "torch" in available else next(iter(available))
    seconds = arguments.seconds or (20 if arguments.full else 6)

    timings, others = {}, []
    passes = PASSES if arguments.full else 1
    for nth in range(passes):
        if nth > 0:
            available, _ = workers.start(available)
        for number, workload in enumerate(workloads.WORKLOADS):
            if workload.name in asked:
                found = _timed(number, workload, available, reference, seconds / passes)
                timings[workload] = measure.pooled(timings.get(workload, {}), found)
                print(table.line(table.timed_row(workload, found, reference)), flush=True)
    timed = [table.timed_row(workload, found, reference) for workload, found in timings.items()]
    for name, measured in ((BYTES, _bytes), (GROWTH, _growth), (IMPORT, _import)):
        if name in asked:
            others.append(measured(available))
            print(table.line(others[-1]), flush=True)

    def text(goals):
        tables = [table.caption(reference) + "\n" + table.markdown(timed, available, goals)] if timed else []
        if others:
            tables.append(table.markdown(others, available, goals))
        return "\n".join(tables)

    print("\n" + text(goals=True))
    if arguments.out:
        arguments.out.write_text(text(goals=True), encoding="utf-8")
    if arguments.readme:
        arguments.readme.write_text(text(goals=False), encoding="utf-8")


def _arguments(rows, peers):
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__, parents=[OPTIONS])
    parser.add_argument(
        "--row",
        nargs="+",
        metavar="NAME",
        help=f"only these rows, or the rows whose name contains NAME: {', '.join([*rows, BYTES, GROWTH, IMPORT])}",
    )
    parser.add_argument(
        "--peers",
        type=lambda text: _peers(text, peers),
        default=peers,
        metavar="NAME,NAME",
        help=f"only these libraries, of {', '.join(peers)}; torch, where it is one, is the reference of the ratios",
    )
    parser.add_argument("--full", action="store_true", help="20 seconds a row in four passes; bytes, growth, import")
    parser.add_argument("--seconds", type=float, metavar="S", help="about S seconds a row (default 6, with --full 20)")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE", help="write the table with the goals")
    parser.add_argument("--readme", type=pathlib.Path, metavar="FILE", help="write the table without the goals")
    return parser.parse_args()


def _peers(text, known):
    names = text.split(",")
    if not set(names) <= set(known):
        raise argparse.ArgumentTypeError(f"{text!r}: the libraries are {', '.join(known)}")
    return [name for name in known if name in names]


def _rows(asked, known):
    """Return the selected names: an exact name selects that row, any other text all rows that contain it."""
    found = []
    for name in asked:
        matches = [name] if name in known else [row for row in known if name in row]
        if not matches:
            sys.exit(f"no row is named {name!r}; the rows are {', '.join(known)}")
        found += matches
    return found


def _timed(number, workload, available, reference, seconds):
    from . import measure

    results = {name: worker.begin(number, seed=number) for name, worker in available.items()}
    results = {name: arrays for name, arrays in results.items() if arrays is not None}
    measure.compare(workload.title, results, reference)
    able = {name: available[name] for name in results}
    return measure.interleaved(able, seconds, reference)


def _bytes(names):
    from . import memory

    figures = _possible(memory.bytes_a_node, [name for name in names if name != "numpy"])
    figures = {name: number for name, number in figures.items() if number is not None}
    return _plain_row("bytes a node of the chain, 100,000 alive", figures, BYTES_GOAL, "{:.0f}")


def _growth(names):
    from . import memory, table

    # The others run once, because some take a minute for a million nodes.
    rounds = {table.PACKAGE: 3, "torch": 3}
    figures = _possible(lambda name: memory.growth(name, rounds.get(name, 1)), names)
    return _plain_row("time a node at 1,000,000 nodes, over that at 10,000", figures, GROWTH_GOAL, "{:.2f}")


def _import(names):
    from . import import_time

    figures = _possible(import_time.milliseconds, [name for name in names if name != "numpy"])
    medians = {name: median for name, (_, median, _) in figures.items()}
    return _plain_row("import, ms more than `import numpy`", medians, IMPORT_GOAL, "{:.0f}")


def _possible(measured, names):
    """Return {name: figure} of the peers whose process neither failed nor took too long."""
    figures = {}
    for name in names:
        try:
            figures[name] = measured(name)
        except subprocess.CalledProcessError as error:
            lines = error.stderr.strip().splitlines() or [f"exit status {error.returncode}"]
            print(f"{name} is left out: {lines[-1]}")
        except subprocess.TimeoutExpired as error:
            print(f"{name} is left out: it took more than {error.timeout} seconds")
    return figures


def _plain_row(title, figures, goal, form):
    from . import table

    row = table.Row(title, {name: form.format(number) for name, number in figures.items()})
    if table.PACKAGE in figures:
        row.goal, row.met = f"≤ {goal}", figures[table.PACKAGE] <= goal
    return row


if __name__ == "__main__":
    main()
