"""Draw the picture of ARCHITECTURE.md: `python tools/house.py` writes docs/house.dot and docs/house.svg.

The boxes are the folders and files of the package and of its autograd/, as they are there. The rows are the layers of
tools/import_circles.py. The arrows are the imports from one row to a lower one, without those that other arrows imply:
if an arrow leads from a to b and one from b to c, there is none from a to c. Needs Graphviz's `dot`.
"""

import pathlib
import subprocess
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1])]

from tools import import_circles  # noqa: E402

OUT = import_circles.ROOT / "docs" / "house"
PACKAGE = import_circles.ROOT / import_circles.PACKAGE

# Folders and files that share a box, or whose docstring does not say in a few words what they hold.
WORDS = {
    "commands/ __main__.py": "what legacy-autograd runs",
    "demos/": "demonstrations, a training loop, LeNet, digits",
    "drawing/": "graphs and step-through pages",
    "exercises/": "texts, checks, sandbox",
    "comparison/": "beside modern torch",
    "historical/": "v0.1.1 with its defects",
    "compat/": "running programs from 2016–17",
    "distributed/": "several processes",
    "__init__.py names.py functional.py _thnn.py sparse.py": "what import legacy_autograd gives",
    "nn/": "layers and losses",
    "optim/": "optimizers",
    "serialization/": "save and load",
    "utils/data/ utils/trainer/ utils/serialization/ utils/checkpoint.py utils/model_zoo.py": "data sets, loaders",
    "multiprocessing/": "shared memory",
    "cuda.py backends/ legacy/": "other names of torch",
    "autograd/__init__.py autograd/_functions.py autograd/later/": "what PyTorch added after v0.1.1, a file each",
    "autograd/methods/": "Variable's later methods",
    "autograd/functions/": "one operation, one Function",
    "autograd/variable.py autograd/function.py autograd/leaf.py autograd/engine.py": "the book: 2016's four files",
    "autograd/record.py autograd/saved_tensors.py": "what a call leaves in the graph",
    "autograd/callbacks.py autograd/observed_class.py": "beside the book",
    "autograd/fast/": "the book's fast twin",
    "tensor/": "Tensor: torch's methods over one NumPy array",
    "conventions.py": "2016, 2017 or safe: one table",
    "utils/ utils/hooks.py": "handles of hooks",
    "forks.py": "what a forked child starts anew",
    "modern_names.py": "hints for names of today",
}
COLOURS = ["#dce8f5", "#fdf0cf", "#d5ecd8", "#d5ecd8", "#d5ecd8", "#f5dcdc", "#f5dcdc", "#ffffff", "#f0e6f5", "#eeeeee"]


def parts():
    """Return the names of the folders and files of the package and of its autograd/, as the boxes show them."""
    found = []
    for folder in (PACKAGE, PACKAGE / "autograd"):
        found += [f"{path.parent.relative_to(PACKAGE).as_posix()}/" for path in folder.glob("*/__init__.py")]
        found += [path.relative_to(PACKAGE).as_posix() for path in folder.glob("*.py")]
    return sorted(set(found) - {"autograd/"})


def module_of(part):
    """Return the dotted name of the module, or of the folder, that a box shows; "" is the package itself."""
    return import_circles.module_name((PACKAGE / part).with_suffix(".py"), PACKAGE)


def boxes():
    """Return {title: words}: those of WORDS, then a box for each folder or file that it does not name."""
    named = " ".join(WORDS).split()
    return {**WORDS, **{part: "" for part in parts() if part not in named}}


def imports_between(titles):
    """Return {(box, box)}: the imports that lead to a lower row, without those that others imply."""
    box_of = {module_of(part): title for title in titles for part in title.split()}

    def box(module):
        while module not in box_of:
            module = module.rpartition(".")[0]
        return box_of[module]

    layer = import_circles.layer
    edges = import_circles.without_foot(import_circles.import_graph(PACKAGE), PACKAGE)
    behind = {title: set() for title in titles}
    for importer, imported in edges:
        if layer(imported) < layer(importer) and row_of(box(imported)) < row_of(box(importer)):
            behind[box(importer)].add(box(imported))

    def reached(title):
        return behind[title].union(*map(reached, behind[title]))

    return {(a, b) for a in titles for b in behind[a] if not any(b in reached(c) for c in behind[a])}


def row_of(title):
    """Return the layer of a box."""
    return import_circles.layer(module_of(title.split()[0]))


def source():
    """Return the picture as DOT."""
    lines = [
        "digraph house {",
        '  graph [newrank=true nodesep=0.12 ranksep=0.45 fontname="sans-serif"]',
        '  node [shape=box style="filled,rounded" fontname="sans-serif" fontsize=10 margin="0.12,0.06"]',
        '  edge [color="#5b6470" arrowsize=0.6 penwidth=0.7]',
    ]
    all_boxes = boxes()
    for title, words in all_boxes.items():
        folder = title.rpartition(" ")[0].partition("/")[0]
        names = title.replace(f" {folder}/", " ")  # the first name says the folder
        lines.append(f'  "{title}" [label="{names}\\n{words}" fillcolor="{COLOURS[row_of(title)]}"]')
    for row in sorted({row_of(title) for title in all_boxes}, reverse=True):
        names = "; ".join(f'"{title}"' for title in all_boxes if row_of(title) == row)
        lines.append(f'  subgraph cluster_{row} {{ style=rounded color="#b8c0c8" {{ rank=same; {names} }} }}')
    lines += [f'  "{importer}" -> "{imported}"' for importer, imported in sorted(imports_between(all_boxes))]
    return "\n".join([*lines, "}"]) + "\n"


if __name__ == "__main__":
    OUT.with_suffix(".dot").write_text(source(), encoding="utf-8")
    subprocess.run(["dot", "-Tsvg", f"{OUT}.dot", "-o", f"{OUT}.svg"], check=True)
