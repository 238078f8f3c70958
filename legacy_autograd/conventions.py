"""The conventions of three kinds of program, in one table: every difference that the package makes between them.

===========  ==========================================================================================================
`import`     `import legacy_autograd` alone: v0.1.1 (August 2016), safe where 2016 was silently dangerous
`0.1.1`      `python -m legacy_autograd run --era 0.1.1`: v0.1.1 as it was
`0.1.12`     `python -m legacy_autograd run`: v0.1.12 (May 2017), the last release before 0.2, because most public
             programs of 2017 were written for v0.1.5 and later
===========  ==========================================================================================================

"As it was" means conventions: the defects of v0.1.1 that FIDELITY.md lists are fixed in every column. The column is a
property of the process: it is chosen before the first tensor is made. This file imports nothing of the package, so
that every part of it may read `conventions.era`.
"""

import os
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Era:
    """One column of the table. Each field is a row, and FIDELITY.md names the test of each."""

    version: str

    call_returns_tuple: bool  # f(x) of a user's Function with one output: a tuple, or the Variable itself
    function_runs_again: bool  # a Function instance called a second time: its record is overwritten, or RuntimeError
    requires_grad: bool  # of a Variable if not given (integers never require a gradient)
    default_tensor_type: str
    broadcast: bool  # operands of equal count and different shape: broadcast as in modern torch, or point by point
    truth_of_tensor: str  # "number": of its only one, else an error; "always"; "empty": False if empty, else an error
    truth_of_variable: str  # "number": that of its tensor; "always"; "length": whether len() is above 0
    equality_is_identity: bool  # `==` and `!=` of tensors and of Variables: whether they are one object, or elementwise
    grad_begins_as_zeros: bool  # `grad` of a leaf before the first backward: zeros, or None
    copies_have_grad: bool  # deepcopy and pickle of a leaf: with its `grad`, or without
    outputs_pickle_as_leaves: bool  # the pickle of the output of an operation: that of a leaf, or RuntimeError
    grad_is_variable: bool  # `grad`: a Variable, or a Tensor (unless create_graph=True)
    hooks_see_variables: bool  # hook(grad), and hooks without a name of Functions and modules: Variables, or Tensors
    named_hook_takes_two: bool  # x.register_hook(name, hook): hook(grad_input, grad_output), or hook(grad)
    plus_equals_writes: bool  # x += y, -=, *= of Variables: in place, or a new Variable under the old name
    writes_to_leaf_raise: bool  # x.add_(1) of a leaf that requires a gradient: raises, or only its backward does
    constant_roots_raise: bool  # backward([x, y]) where y requires no gradient: raises, or leaves y out
    contiguous_is_another: bool  # v.contiguous(): the result of an operation, or v itself with its data replaced
    stale_parameters_raise: bool  # backward after an optimizer's step over a forward before it: an error, or a warning
    height_and_width_apart: bool  # Conv2d(1, 6, 5, 5) means kh, kw; later kernel_size, stride
    dampening_is_momentum: bool  # SGD's dampening if not given: the momentum, or 0
    schedule_steps_open_epochs: bool  # lr_scheduler: step() before each epoch, rates from initial ones; or after each
    lbfgs_stops_by_sums: bool  # LBFGS compares sums of |g| and of |t d| with its tolerances, or the largest elements
    vectors_become_columns: bool  # TensorDataset of 1-D tensors: its samples have shape (1,), or are numbers
    weight_and_bias_are_parameters: bool  # a plain leaf Variable assigned to a module under one of these names
    cuda_is_float: bool  # Module.cuda(), where `run --ignore-cuda` allows it: also a conversion to FloatTensor
    empty_has_no_dimension: bool  # a tensor without elements: size() is () and dim() 0, or as of others
    copy_shares_memory: bool  # copy.copy of a tensor: over the same memory, or over its own
    cat_takes_vectors_as_columns: bool  # cat of vectors along dimension 1: as columns, or an IndexError
    stack_counts_dims_of_operands: bool  # stack along -1: before the last dimension of the operands, or behind it
    one_point_is_no_interval: bool  # linspace and logspace of 1 step between two numbers: an error, or the first number
    tuples_in_keys_narrow: bool  # x[(0,)] and x[(0, 2), 1]: dimension 0 narrowed to 0, and to 0 and 1; or as in numpy
    misfit_state: type[Exception]  # that Module.load_state_dict raises if names differ
    add_module_replaces: bool  # Module.add_module with the name of a child: replaces the child, or KeyError
    named_hooks_see_tuples: bool  # module hooks with a name: v0.1.1's arguments, or those of hooks without a name
    forward_hook_replaces: bool  # the value of a forward hook without a name: replaces the result, or RuntimeError
    mean_over_no_weight_is_zero: bool  # NLLLoss where all weights are 0: 0 with gradients 0, or NaN
    queues_share: bool  # a tensor that goes through a queue: moved into shared memory, or copied if it is not there
    inplace_writes: bool  # `inplace=True` of activations and dropout: writes over the input, or is ignored


_V0_1_1 = Era(
    "0.1.1",
    call_returns_tuple=True,
    function_runs_again=True,
    requires_grad=True,
    default_tensor_type="torch.DoubleTensor",
    broadcast=False,
    truth_of_tensor="always",
    truth_of_variable="always",
    equality_is_identity=True,
    grad_begins_as_zeros=True,
    copies_have_grad=True,
    outputs_pickle_as_leaves=False,  # a deviation: v0.1.1 pickled the graph's ids
    grad_is_variable=False,
    hooks_see_variables=False,
    named_hook_takes_two=True,
    plus_equals_writes=False,
    writes_to_leaf_raise=True,
    constant_roots_raise=True,  # a deviation: v0.1.1 had no backward of several
    contiguous_is_another=True,  # a deviation: v0.1.1 had contiguous_() only
    stale_parameters_raise=True,  # a deviation: no v0.1.x noticed it (FIDELITY, F6)
    height_and_width_apart=True,
    dampening_is_momentum=True,
    schedule_steps_open_epochs=True,  # a deviation: v0.1.1 had no schedules; of August 2017, as below
    lbfgs_stops_by_sums=True,
    vectors_become_columns=True,  # a deviation: v0.1.1 had no data sets; those of v0.1.4 to v0.1.8
    weight_and_bias_are_parameters=True,
    cuda_is_float=True,
    empty_has_no_dimension=True,
    copy_shares_memory=False,
    cat_takes_vectors_as_columns=True,
    stack_counts_dims_of_operands=False,  # v0.1.1 had no stack
    one_point_is_no_interval=True,
    tuples_in_keys_narrow=True,
    misfit_state=RuntimeError,  # a deviation: v0.1.1 had no load_state_dict
    add_module_replaces=True,  # a deviation: v0.1.1 had no add_module
    named_hooks_see_tuples=True,
    forward_hook_replaces=True,  # a deviation: v0.1.1 had only hooks with names, whose result is ignored
    mean_over_no_weight_is_zero=True,
    queues_share=False,  # v0.1.1 had no torch.multiprocessing
    inplace_writes=True,
)

# `import` is v0.1.1, except for the rows that it names.
ERAS = {
    "import": replace(
        _V0_1_1,
        version="import",
        function_runs_again=False,  # a deviation: v0.1.1 overwrote the record (FIDELITY, F2)
        broadcast=True,  # a deviation: v0.1.1 went point by point (FIDELITY, E7)
        truth_of_tensor="number",  # a deviation: v0.1.1's tensors were always true
        truth_of_variable="number",  # a deviation, likewise
        equality_is_identity=False,  # a deviation: v0.1.1's had no `==`
        schedule_steps_open_epochs=False,  # a deviation: v0.1.1 had no schedules
        lbfgs_stops_by_sums=False,  # a deviation: v0.1.1 had no LBFGS
        vectors_become_columns=False,  # a deviation: v0.1.1 had no data sets
        empty_has_no_dimension=False,  # a deviation, as torch has it since 0.4
        copy_shares_memory=True,  # a deviation: v0.1.1 copied
        cat_takes_vectors_as_columns=False,  # a deviation, as torch has it since 0.3
        one_point_is_no_interval=False,  # a deviation, as torch has it since 0.3
        tuples_in_keys_narrow=False,  # a deviation
        mean_over_no_weight_is_zero=False,  # a deviation: v0.1.1's was 0, which hides that nothing was counted
        inplace_writes=False,  # a deviation: v0.1.1 wrote over the input
    ),
    "0.1.1": _V0_1_1,
    "0.1.12": Era(
        "0.1.12",
        call_returns_tuple=False,
        function_runs_again=True,
        requires_grad=False,
        default_tensor_type="torch.FloatTensor",
        broadcast=False,
        truth_of_tensor="empty",
        truth_of_variable="length",
        equality_is_identity=False,
        grad_begins_as_zeros=False,
        copies_have_grad=False,
        outputs_pickle_as_leaves=True,
        grad_is_variable=True,
        hooks_see_variables=True,
        named_hook_takes_two=False,
        plus_equals_writes=True,
        writes_to_leaf_raise=True,
        constant_roots_raise=False,
        contiguous_is_another=False,
        stale_parameters_raise=False,
        height_and_width_apart=False,
        dampening_is_momentum=False,
        schedule_steps_open_epochs=True,  # a deviation: schedules came with 0.2 (August 2017)
        lbfgs_stops_by_sums=True,
        vectors_become_columns=False,
        weight_and_bias_are_parameters=False,
        cuda_is_float=False,
        empty_has_no_dimension=True,
        copy_shares_memory=True,
        cat_takes_vectors_as_columns=True,
        stack_counts_dims_of_operands=True,
        one_point_is_no_interval=True,
        tuples_in_keys_narrow=False,
        misfit_state=KeyError,
        add_module_replaces=False,
        named_hooks_see_tuples=False,
        forward_hook_replaces=False,
        mean_over_no_weight_is_zero=True,
        queues_share=True,
        inplace_writes=True,
    ),
}

# Releases between, as far as they differ from v0.1.12.
BETWEEN = {
    "0.1.5": replace(
        ERAS["0.1.12"],
        version="0.1.5",
        truth_of_tensor="always",
        truth_of_variable="always",
        equality_is_identity=True,
        grad_begins_as_zeros=True,
        grad_is_variable=False,
        hooks_see_variables=False,
        plus_equals_writes=False,
        writes_to_leaf_raise=False,
        vectors_become_columns=True,
    ),
    "0.1.9": replace(ERAS["0.1.12"], version="0.1.9", grad_begins_as_zeros=True, writes_to_leaf_raise=False),
}

RELEASES = ("0.1.1", "0.1.5", "0.1.9", "0.1.12")  # what `run` and `compare` offer

ENVIRONMENT_VARIABLE = "LEGACY_AUTOGRAD_ERA"  # so that worker and MPI processes inherit the choice


def column(version: str) -> Era:
    """Return the Era of a version.

    Args:
        version: "import" or a number such as "0.1.12".

    Raises:
        ValueError: If the version is not in the table.
    """
    columns = {**ERAS, **BETWEEN}
    if version not in columns:
        raise ValueError(f"no era {version!r}: the eras are {', '.join(columns)}")
    return columns[version]


def choose(version: str) -> None:
    """Follow the conventions of a version from now on, in this process and in those that it starts.

    Call it before the first tensor is made.

    Args:
        version: "import" or a number such as "0.1.12".

    Raises:
        ValueError: If the version is not in the table.
    """
    global era
    era = column(version)
    os.environ[ENVIRONMENT_VARIABLE] = version


era = ERAS["import"]
if ENVIRONMENT_VARIABLE in os.environ:
    choose(os.environ[ENVIRONMENT_VARIABLE])
