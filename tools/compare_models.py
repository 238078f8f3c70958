"""Train models of public programs from 2016–17 in this package and in modern torch, and compare all numbers.

    python tools/compare_models.py FOLDER             every model of tools/program_models.toml
    python tools/compare_models.py FOLDER NAME …      those whose name contains NAME
    python tools/compare_models.py FOLDER … --times   the time of a step of each, beside modern torch's

FOLDER has a clone of each repository, as FOLDER/owner+name; a missing one is cloned from GitHub. The files of the named
commit run unchanged. Both sides get the same initial parameters (this package's) and the same random inputs, and take
three steps of gradient descent in single and in double precision. Dropout is off. The loss is the sum of the means of
y² + 0.3 y over every output y. Losses, the gradients of inputs and parameters, and the parameters and buffers
afterwards are compared, each relative to its largest number (or to 0.001 where that is larger).

An entry of the table has `name`, `repository`, `commit` and `code`, which makes `model`. `folder` is where it imports
from; of a `script`, which would train, only imports, classes and functions run, and `code` sees them. `inputs` has the
shape of each input, or the shape and the bound of integers; `call` is `model(*inputs)` where nothing else is named.
`absent` names packages that the files import and the model does not use. `precisions` names one of the two and `seed`
other random inputs, for the `reason` given: in a deep network a rounding may switch a ReLU or a max-pooling.

With --times the steps go on for four seconds in single precision, on one thread. A line has this package's processor
time of a step, modern torch's, and their ratio.

The exit code is 1 if a difference exceeds its limit, or a model does not run.
"""

import argparse
import io
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import tomllib

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[1]
TABLE = ROOT / "tools" / "program_models.toml"
LIMITS = {"float32": 1e-5, "float64": 1e-10}
SECONDS = 300


def main(arguments=None):
    """Run the comparisons, print a line for each, and return the exit code.

    Args:
        arguments: The command line.
    """
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--times", action="store_true", help="compare the times of a step instead of the numbers")
    options = parser.parse_args(arguments)
    models = tomllib.loads(TABLE.read_text(encoding="utf-8"))["model"]
    models = [model for model in models if not options.names or any(name in model["name"] for name in options.names)]
    agreeing = 0
    for model in models:
        with tempfile.TemporaryDirectory() as folder:
            try:
                write_files(model, options.folder, folder)
                if options.times:
                    ours, modern = run(model, folder, "4")
                    line, agrees = f"{ours * 1e3:.1f} ms, torch {modern * 1e3:.1f} ms, {ours / modern:.2f}", True
                else:
                    found = compare(model, folder)
                    line = ", ".join(f"{key} {worst:.1e}" for key, worst in found.items())
                    agrees = all(found[precision] <= LIMITS[precision] for precision in found)
            except (RuntimeError, subprocess.SubprocessError) as error:
                print(f"{model['name']}: {error}", flush=True)
                continue
        agreeing += agrees
        print(f"{model['name']}: {line}", flush=True)
    print(f"{agreeing} of {len(models)} models {'run' if options.times else 'agree'}")
    return agreeing < len(models)


def write_files(model, clones, folder):
    """Write the Python files of the model's commit to `folder`.

    Args:
        model: An entry of the table.
        clones: The folder of the clones.
        folder: Where to write.
    """
    clone = pathlib.Path(clones) / model["repository"].replace("/", "+")
    if not clone.exists():
        address = f"https://github.com/{model['repository']}"
        subprocess.run(["git", "clone", "--quiet", "--bare", address, clone], check=True)
    command = ["git", "-C", clone, "archive", model["commit"], "--", ":(glob)**/*.py"]
    archive = subprocess.run(command, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder, filter="data")


def run(model, folder, *seconds):
    """Run both sides, on one thread for as many `seconds` if they are given. Return the seconds of a step of each.

    Args:
        model: An entry of the table.
        folder: The files of its program.
        *seconds: A text.
    """
    (pathlib.Path(folder) / "model.json").write_text(json.dumps(model), encoding="utf-8")
    legacy = ["-m", "legacy_autograd", "run", "--ignore-cuda", "--era", model.get("era", "0.1.12")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    if seconds:
        environment |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    found = []
    for side, options in (("legacy", legacy), ("modern", [])):
        command = [sys.executable, "-W", "ignore", *options, ROOT / "tools" / "three_steps.py", side, folder, *seconds]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS)
        if done.returncode:
            raise RuntimeError(f"{side}: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
        found += [float(line.split()[1]) for line in done.stdout.splitlines() if line.startswith("seconds ")]
    return found


def compare(model, folder):
    """Run both sides and return the largest difference of each precision.

    Args:
        model: An entry of the table.
        folder: The files of its program.
    """
    run(model, folder)
    path = pathlib.Path(folder)
    precisions = model.get("precisions", list(LIMITS))
    return {key: difference(path / f"legacy.{key}.npz", path / f"modern.{key}.npz") for key in precisions}


def difference(ours, modern):
    """Return the largest difference of two files of arrays, relative to the largest number of each array, or to 0.001.

    Args:
        ours: The file of this package.
        modern: The file of modern torch.
    """
    ours, modern = numpy.load(ours), numpy.load(modern)
    if set(ours) != set(modern):
        raise RuntimeError(f"only one side has {', '.join(sorted(set(ours) ^ set(modern)))}")
    worst = 0.0
    for name in ours:
        a, b = ours[name], modern[name]
        if a.size != b.size or a.shape != b.shape and max(a.ndim, b.ndim) > 1:
            raise RuntimeError(f"{name}: shape {a.shape}, with torch {b.shape}")
        if a.size:
            error = numpy.abs(a.ravel() - b.ravel()).max() / max(numpy.abs(b).max(), 1e-3)
            worst = max(worst, float("inf") if numpy.isnan(error) else error)
    return worst


if __name__ == "__main__":
    raise SystemExit(main())
