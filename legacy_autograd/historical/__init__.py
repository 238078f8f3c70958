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

from .engine import HalfRepairedEngine, HistoricalEngine
from .engine_exhibits import (
    a_constant_operand,
    a_count_that_never_falls,
    a_gradient_used_twice,
    a_sum_in_a_sum,
    a_view_of_the_gradient,
    backward_on_a_constant,
    backward_on_a_result_of_constants,
    backward_on_the_second_output,
    both_outputs,
    half_a_repair,
    none_as_a_gradient,
    product_and_sum,
    the_callers_gradient,
    the_first_output_alone,
    the_hook_test,
    the_second_output_alone,
)
from .exhibit import EXHIBITS, FIXED, V0_1_1, V0_1_2, Autograd, Exhibit, Outcome, outcome_of
from .function import HistoricalFunction, HistoricalLeaf
from .graph_exhibits import (
    a_copied_leaf,
    a_creator_named_by_hand,
    a_cycle,
    a_full_index,
    a_function_called_twice,
    a_hook_on_a_leaf,
    a_hook_on_the_second_output,
    a_loop_over_a_variable,
    a_power_of_zero,
    an_index_packed_twice,
    data_changed_in_between,
    data_of_another_size,
    operands_of_two_sizes,
    the_gradient_not_given,
    the_gradient_of_a_result,
    two_to_the_x,
    zero_to_the_zero,
)
from .module_exhibits import (
    a_sequential_without_names,
    a_target_by_default,
    no_dampening,
    ten_times_a_loss,
)
from .variable import HalfRepairedVariable, HistoricalVariable
from .walks import page

__all__ = [
    "EXHIBITS", "FIXED", "V0_1_1", "V0_1_2", "Autograd", "Exhibit", "HalfRepairedEngine", "HalfRepairedVariable",
    "HistoricalEngine", "HistoricalFunction", "HistoricalLeaf", "HistoricalVariable", "Outcome",
    "a_constant_operand", "a_copied_leaf", "a_count_that_never_falls", "a_creator_named_by_hand", "a_cycle",
    "a_full_index", "a_function_called_twice", "a_gradient_used_twice", "a_hook_on_a_leaf",
    "a_hook_on_the_second_output", "a_loop_over_a_variable", "a_power_of_zero", "a_sequential_without_names",
    "a_sum_in_a_sum", "a_target_by_default", "a_view_of_the_gradient", "an_index_packed_twice",
    "backward_on_a_constant", "backward_on_a_result_of_constants", "backward_on_the_second_output", "both_outputs",
    "data_changed_in_between", "data_of_another_size", "half_a_repair", "no_dampening", "none_as_a_gradient",
    "operands_of_two_sizes", "outcome_of", "page", "product_and_sum", "show", "ten_times_a_loss",
    "the_callers_gradient", "the_first_output_alone", "the_gradient_not_given", "the_gradient_of_a_result",
    "the_hook_test", "the_second_output_alone", "two_to_the_x", "zero_to_the_zero",
]  # fmt: skip

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
