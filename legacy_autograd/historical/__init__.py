"""v0.1.1's autograd with the defects that crashed or gave incorrect gradients, for lessons.

    from legacy_autograd import historical
    print(historical.product_and_sum())  # one exhibit: the program, v0.1.1's number, the correct one, the reason
    historical.show()                    # all exhibits as a table
    historical.page("museum.html")       # v0.1.1's walk and today's, step by step, where a number was incorrect

No other part of the package uses this module. The historical classes are subclasses of the fixed ones and contain only
the differences. A program of your own starts with `HistoricalVariable`:

    x = historical.HistoricalVariable(torch.DoubleTensor([2.0]))

`EXHIBITS` lists the functions that show an exhibit, in the order of the defects' ids (see FIDELITY.md). 2016
counterpart: `torch/autograd/` of v0.1.1.
"""

import itertools
import textwrap

from . import engine_exhibits, graph_exhibits, module_exhibits
from .engine import HalfRepairedEngine, HistoricalEngine
from .engine_exhibits import *  # noqa: F403
from .exhibit import EXHIBITS, FIXED, V0_1_1, V0_1_2, Autograd, Exhibit, Outcome, outcome_of
from .function import HistoricalFunction, HistoricalLeaf
from .graph_exhibits import *  # noqa: F403
from .module_exhibits import *  # noqa: F403
from .variable import HalfRepairedVariable, HistoricalVariable
from .walks import page

__all__ = [
    "EXHIBITS", "FIXED", "V0_1_1", "V0_1_2", "Autograd", "Exhibit", "HalfRepairedEngine", "HalfRepairedVariable",
    "HistoricalEngine", "HistoricalFunction", "HistoricalLeaf", "HistoricalVariable", "Outcome", "outcome_of", "page",
    "show",
]  # fmt: skip
__all__ += engine_exhibits.__all__
__all__ += graph_exhibits.__all__
__all__ += module_exhibits.__all__

_COLUMNS = (("id", 3), ("program", 24), ("in 2016", 28), ("correct", 28), ("fixed in", 29))


def show() -> None:
    """Run every exhibit and print the outcomes as a table."""
    print(_row([heading for heading, _ in _COLUMNS]))
    print("  ".join("-" * width for _, width in _COLUMNS))
    for show_both in EXHIBITS:
        item = show_both()
        print(_row([item.id, item.title, str(item.then), str(item.right), item.cured]))


def _row(cells):
    columns = [textwrap.wrap(cell, width) or [""] for cell, (_, width) in zip(cells, _COLUMNS)]
    lines = itertools.zip_longest(*columns, fillvalue="")
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, (_, width) in zip(line, _COLUMNS)).rstrip() for line in lines
    )
