"""`python -m benchmarks [--full] [--only NAME …] [--out FILE]`: measure, print the table, write it as Markdown."""

import argparse
import datetime
import os
import pathlib
import platform
import sys

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
UNIT = "numpy"
REFERENCE = "torch, 1 thread"  # whose gradients the others are held to, where it is installed


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--full", action="store_true", help="all workloads, longer, with memory and a million nodes")
    parser.add_argument("--only", nargs="*", metavar="NAME", help="only workloads whose title contains one of these")
    parser.add_argument("--out", type=pathlib.Path, help="write the table to this Markdown file")
    parser.add_argument("--threads", default="1", help="threads of the BLAS (default 1)")
    arguments = parser.parse_args()
    if any(os.environ.get(name) != arguments.threads for name in THREADS):
        # numpy reads these when it is loaded, so they have to be there before.
        # PASSIVE, so that the threads of one peer do not spin while the next one runs.
        environment = {**os.environ, **dict.fromkeys(THREADS, arguments.threads), "OMP_WAIT_POLICY": "PASSIVE"}
        os.execve(sys.executable, [sys.executable, "-m", "benchmarks", *sys.argv[1:]], environment)

    from . import measure, workers, workloads

    available, missing = workers.start()
    for sentence in missing:
        print(sentence)
    reference = REFERENCE if REFERENCE in available else UNIT
    rows = []
    for number, workload in enumerate(workloads.WORKLOADS):
        if arguments.only:
            if not any(part.lower() in workload.title.lower() for part in arguments.only):
                continue
        elif not (arguments.full or workload.quick):
            continue
        gradients = {title: worker.begin(number, seed=number) for title, worker in available.items()}
        gradients = {title: found for title, found in gradients.items() if found is not None}
        measure.check(workload.title, gradients, reference)
        able = {title: available[title] for title in gradients}
        timings = measure.interleaved(able, 20 if arguments.full else 6, UNIT)
        rows.append((workload, timings))
        print(_line(workload, timings), flush=True)
    text = _table(rows, list(available), arguments)
    if arguments.full:
        text += "\n" + _nodes()
    print()
    print(text)
    if arguments.out:
        arguments.out.write_text(text, encoding="utf-8")


def _line(workload, timings):
    parts = [f"{title} {timing.ratio():.2f}" for title, timing in timings.items() if title != UNIT]
    return f"{workload.title}: {UNIT} {_duration(timings[UNIT].median)}; " + ", ".join(parts)


def _table(rows, titles, arguments):
    others = [title for title in titles if title != UNIT]
    lines = [
        f"Medians of one run on {datetime.date.today()}, {_machine()}, {arguments.threads} BLAS thread(s): the time of",
        "hand-written numpy, and the others as multiples of it (in brackets the quartiles, and the multiple of torch).",
        "",
        f"| workload | {UNIT} | " + " | ".join(others) + " | goal |",
        "|---|---:|" + "---:|" * len(others) + "---|",
    ]
    for workload, timings in rows:
        cells = [workload.title, _duration(timings[UNIT].median)]
        for title in others:
            cells.append(_cell(title, timings) if title in timings else "–")
        lines.append("| " + " | ".join([*cells, workload.goal]) + " |")
    return "\n".join(lines) + "\n"


def _cell(title, timings):
    ratio = timings[title].ratio()
    if title != "legacy_autograd":
        return f"{ratio:.2f}"
    low, high = timings[title].spread()
    beside = f"; {timings[title].over(timings[REFERENCE]):.2f} x torch" if REFERENCE in timings else ""
    return f"**{ratio:.2f}** ({low:.2f}–{high:.2f}{beside})"


def _nodes():
    from . import memory, peers

    lines = [
        "| a node of the chain | bytes, 100,000 alive | µs at 10,000 | µs at 1,000,000 | growth |",
        "|---|---:|---:|---:|---:|",
    ]
    for name in ("by_hand", "legacy", "modern_torch", "sixty_lines"):
        try:
            alive = memory.measure(name, 100_000)
            # The small one before and after the large one, because the machine's speed changes within a minute.
            before, large, after = [memory.measure(name, size) for size in (10_000, 1_000_000, 10_000)]
        except Exception as error:  # a peer that cannot do it is left out, with its reason
            lines.append(f"| {peers.NAMES[name]} | left out: {type(error).__name__} | | | |")
            continue
        small, large = (before["microseconds"] + after["microseconds"]) / 2, large["microseconds"]
        lines.append(
            f"| {peers.NAMES[name]} | {alive['bytes']:.0f} | {small:.2f} | {large:.2f} | {large / small:.2f} |"
        )
    return "\n".join(lines) + "\n"


def _machine():
    return f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"


def _duration(seconds):
    return f"{seconds * 1e3:.2f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f} µs"


if __name__ == "__main__":
    main()
