"""Draw the picture of ARCHITECTURE.md: `python tools/house.py` writes docs/house.dot and docs/house.svg.

The rows are the layers of tools/import_circles.py. The arrows show its rule: a module imports modules of its own row or
of a lower one. Needs Graphviz's `dot`.
"""

import pathlib
import subprocess
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1])]

from tools import import_circles  # noqa: E402

OUT = import_circles.ROOT / "docs" / "house"

# The boxes: a folder or file of the package, its contents, and a module that shows its layer. From the top down.
BOXES = [
    ("commands/, demos/", "what legacy-autograd runs", "commands"),
    ("drawing/", "graphs and step-through pages", "drawing"),
    ("exercises/", "texts, checks, sandbox", "exercises"),
    ("comparison/", "beside modern torch", "comparison"),
    ("historical/", "v0.1.1 with its defects", "historical"),
    ("compat/", "running programs from 2016–17", "compat"),
    ("training/, datasets/", "Trainer, LeNet, digits", "training"),
    ("distributed/", "several processes", "distributed"),
    ("__init__.py functional.py _thnn.py", "what import legacy_autograd gives", ""),
    ("nn/", "layers and losses", "nn"),
    ("optim/", "optimizers", "optim"),
    ("serialization/", "save and load", "serialization"),
    ("utils/", "data sets, loaders", "utils.data"),
    ("multiprocessing/", "shared memory", "multiprocessing"),
    ("cuda.py backends/ legacy/", "other names of torch", "cuda"),
    ("autograd/later/", "what PyTorch added after v0.1.1, a file each", "autograd.later"),
    ("autograd/methods/", "Variable's later methods", "autograd.methods"),
    ("autograd/functions/", "one operation, one Function", "autograd.functions"),
    ("autograd/ variable.py function.py leaf.py engine.py", "the book: 2016's four files", "autograd.variable"),
    ("record.py saved_tensors.py callbacks.py", "beside the book", "autograd.callbacks"),
    ("observed_class.py", "classes that tell when they change", "autograd.observed_class"),
    ("autograd/fast/", "the book's fast twin", "autograd.fast"),
    ("tensor/", "Tensor: torch's methods over one NumPy array", "tensor"),
    ("conventions.py", "2016, 2017 or safe: one table", "conventions"),
    ("utils/hooks.py", "handles of hooks", "utils.hooks"),
    ("forks.py", "what a forked child starts anew", "forks"),
    ("modern_names.py", "hints for names of today", "modern_names"),
]
COLOURS = ["#dce8f5", "#fdf0cf", "#d5ecd8", "#d5ecd8", "#d5ecd8", "#f5dcdc", "#f5dcdc", "#ffffff", "#f0e6f5", "#eeeeee"]


def source():
    """Return the picture as DOT."""
    lines = [
        "digraph house {",
        '  graph [compound=true newrank=true nodesep=0.12 ranksep=0.3 fontname="sans-serif"]',
        '  node [shape=box style="filled,rounded" fontname="sans-serif" fontsize=10 margin="0.12,0.06"]',
        '  edge [color="#5b6470" arrowsize=0.7]',
    ]
    rows = {}
    for number, (title, words, module) in enumerate(BOXES):
        row = import_circles.layer(module)
        rows.setdefault(row, []).append(number)
        lines.append(f'  {number} [label="{title}\\n{words}" fillcolor="{COLOURS[row]}"]')
    heads = []
    for row in sorted(rows, reverse=True):
        boxes = rows[row]
        names = "; ".join(map(str, boxes))
        lines.append(f'  subgraph cluster_{row} {{ style=rounded color="#b8c0c8" {{ rank=same; {names} }} }}')
        heads.append((row, boxes[len(boxes) // 2]))
    for (upper, start), (lower, end) in zip(heads, heads[1:]):
        lines.append(f"  {start} -> {end} [ltail=cluster_{upper} lhead=cluster_{lower}]")
    return "\n".join([*lines, "}"]) + "\n"


if __name__ == "__main__":
    OUT.with_suffix(".dot").write_text(source(), encoding="utf-8")
    subprocess.run(["dot", "-Tsvg", f"{OUT}.dot", "-o", f"{OUT}.svg"], check=True)
