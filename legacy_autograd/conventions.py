"""The conventions of three kinds of program, in one table: every difference that the package makes between them.

===========  ==========================================================================================================
`import`     `import legacy_autograd` alone: v0.1.1 (August 2016), safe where 2016 was silently dangerous
`0.1.1`      `python -m legacy_autograd run --era 0.1.1`: v0.1.1 as it was
`0.1.12`     `python -m legacy_autograd run`: v0.1.12 (May 2017), the last release before 0.2, because most public
             programs of 2017 were written for v0.1.5 and later
`0.2.0`      `python -m legacy_autograd run --era 0.2.0`: v0.2.0 (August 2017), where it differs from v0.1.12
===========  ==========================================================================================================

"As it was" means conventions: the defects of v0.1.1 that FIDELITY.md lists are fixed in every column. The column is a
property of the process: it is chosen before the first tensor is made. This file imports nothing of the package, so
that every part of it may read `conventions.era`.
"""

import os
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Era:
    """One column of the table. Each field is a row with its value in v0.1.1; FIDELITY.md names the test of each."""

    version: str

    # f(x) of a user's Function with one output: a tuple, or the Variable itself
    call_returns_tuple: bool = True
    # a Function instance called a second time: its record is overwritten, or RuntimeError
    function_runs_again: bool = True
    # median() without a dimension: the median of all elements, or those along the last dimension
    median_is_of_all: bool = False
    # of a Variable if not given (integers never require a gradient)
    requires_grad: bool = True
    default_tensor_type: str = "torch.DoubleTensor"
    # operands of equal count and different shape: "always" broadcast, as in modern torch; "never", but point by point;
    # "first", and point by point with a warning if they cannot be broadcast
    broadcast: str = "never"
    # that a reduction along a dimension keeps it, with size 1, unless keepdim=False
    reductions_keep_dimension: bool = True
    # "number": of its only one, else an error; "always"; "empty": False if empty, else an error
    truth_of_tensor: str = "always"
    # "number": that of its tensor; "always"; "length": whether len() is above 0
    truth_of_variable: str = "always"
    # `==` and `!=` of tensors and of Variables: whether they are one object, or elementwise
    equality_is_identity: bool = True
    # `grad` of a leaf before the first backward: zeros, or None
    grad_begins_as_zeros: bool = True
    # deepcopy and pickle of a leaf: with its `grad`, or without
    copies_have_grad: bool = True
    # the pickle of the output of an operation: that of a leaf, or RuntimeError. A deviation: v0.1.1 pickled ids
    outputs_pickle_as_leaves: bool = False
    # `grad`: a Variable, or a Tensor (unless create_graph=True)
    grad_is_variable: bool = False
    # hook(grad), and hooks without a name of Functions and modules: Variables, or Tensors
    hooks_see_variables: bool = False
    # the gradients that a static backward(ctx, grad_output) receives: Variables, or Tensors unless create_graph=True. A
    # deviation: v0.1.x had no static Functions
    static_backward_sees_variables: bool = False
    # torch.autograd.backward and grad: whether a starting gradient that is a Variable means create_graph=True
    variables_create_graph: bool = False
    # x[[a, b]], where a or b is a list, a slice or a LongTensor: means x[a, b], or a and b are rows of an index array
    lists_of_indices_are_tuples: bool = False
    # x.register_hook(name, hook): hook(grad_input, grad_output), or hook(grad)
    named_hook_takes_two: bool = True
    # x += y, -=, *= of Variables: in place, or a new Variable under the old name
    plus_equals_writes: bool = False
    # x.add_(1) of a leaf that requires a gradient: raises, or only its backward does
    writes_to_leaf_raise: bool = True
    # x.add_(1) while another Variable is a view of the same memory: raises, or is a change of both
    writes_to_shared_raise: bool = False
    # max, min, median, mode, kthvalue along a dimension, sort and topk, of a Variable: values and indices, or values. A
    # deviation: v0.1.1 had them of Tensors only
    selections_have_indices: bool = True
    # backward([x, y]) where y requires no gradient: raises, or leaves y out. A deviation: v0.1.1 had no backward of
    # several
    constant_roots_raise: bool = True
    # v.contiguous(): the result of an operation, or v itself with its data replaced. A deviation: v0.1.1 had
    # contiguous_() only
    contiguous_is_another: bool = True
    # backward after a write through `data`, such as an optimizer's step, to what forward saved: an error, or a warning
    data_writes_raise: bool = False
    # Conv2d(1, 6, 5, 5) means kh, kw; later kernel_size, stride
    height_and_width_apart: bool = True
    # SGD's dampening if not given: the momentum, or 0
    dampening_is_momentum: bool = True
    # lr_scheduler: step() before each epoch, rates from initial ones; or after each. A deviation: no v0.1.x had
    # schedules; these are of August 2017
    schedule_steps_open_epochs: bool = True
    # LBFGS compares sums of |g| and of |t d| with its tolerances, or the largest elements
    lbfgs_stops_by_sums: bool = True
    # TensorDataset of 1-D tensors: its samples have shape (1,), or are numbers. A deviation: v0.1.1 had no data sets;
    # those of v0.1.4 to v0.1.8
    vectors_become_columns: bool = True
    # a plain leaf Variable assigned to a module under one of these names
    weight_and_bias_are_parameters: bool = True
    # Module.cuda(), where `run --ignore-cuda` allows it: also a conversion to FloatTensor
    cuda_is_float: bool = True
    # a tensor without elements: size() is () and dim() 0, or as of others
    empty_has_no_dimension: bool = True
    # copy.copy of a tensor: over the same memory, or over its own
    copy_shares_memory: bool = False
    # cat of vectors along dimension 1: as columns, or an IndexError
    cat_takes_vectors_as_columns: bool = True
    # stack along -1: before the last dimension of the operands, or behind it. v0.1.1 had no stack
    stack_counts_dims_of_operands: bool = False
    # linspace and logspace of 1 step between two numbers: an error, or the first number
    one_point_is_no_interval: bool = True
    # x[(0,)] and x[(0, 2), 1]: dimension 0 narrowed to 0, and to 0 and 1; or as in numpy
    tuples_in_keys_narrow: bool = True
    # that Module.load_state_dict raises if names differ. A deviation: v0.1.1 had no load_state_dict
    misfit_state: type[Exception] = RuntimeError
    # Module.add_module with the name of a child: replaces the child, or KeyError. A deviation: v0.1.1 had no add_module
    add_module_replaces: bool = True
    # module hooks with a name: v0.1.1's arguments, or those of hooks without a name
    named_hooks_see_tuples: bool = True
    # the value of a forward hook without a name: replaces the result, or RuntimeError. A deviation: v0.1.1 had only
    # hooks with names, whose result is ignored
    forward_hook_replaces: bool = True
    # NLLLoss where all weights are 0: 0 with gradients 0, or NaN
    mean_over_no_weight_is_zero: bool = True
    # a tensor that goes through a queue: moved into shared memory, or copied if it is not there. v0.1.1 had no
    # torch.multiprocessing
    queues_share: bool = False
    # `inplace=True` of activations and dropout: writes over the input, or is ignored
    inplace_writes: bool = True


# A column names the rows in which it differs from v0.1.1.
ERAS = {
    "import": Era(
        "import",
        function_runs_again=False,  # a deviation: v0.1.1 overwrote the record (FIDELITY, F2)
        broadcast="always",  # a deviation: v0.1.1 went point by point (FIDELITY, E7)
        truth_of_tensor="number",  # a deviation: v0.1.1's tensors were always true
        truth_of_variable="number",  # a deviation, likewise
        equality_is_identity=False,  # a deviation: v0.1.1's had no `==`
        data_writes_raise=True,  # a deviation: no v0.1.x noticed them (FIDELITY, F6)
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
    "0.1.1": Era("0.1.1"),
    "0.1.12": Era(
        "0.1.12",
        call_returns_tuple=False,
        requires_grad=False,
        default_tensor_type="torch.FloatTensor",
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
        writes_to_shared_raise=True,
        constant_roots_raise=False,
        contiguous_is_another=False,
        height_and_width_apart=False,
        dampening_is_momentum=False,
        vectors_become_columns=False,
        weight_and_bias_are_parameters=False,
        cuda_is_float=False,
        copy_shares_memory=True,
        stack_counts_dims_of_operands=True,
        tuples_in_keys_narrow=False,
        misfit_state=KeyError,
        add_module_replaces=False,
        named_hooks_see_tuples=False,
        forward_hook_replaces=False,
        queues_share=True,
    ),
}

# Other releases, as far as they differ from v0.1.12.
OTHERS = {
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
        selections_have_indices=False,
        vectors_become_columns=True,
        copy_shares_memory=False,
    ),
    "0.1.9": replace(
        ERAS["0.1.12"],
        version="0.1.9",
        grad_begins_as_zeros=True,
        writes_to_leaf_raise=False,
        copy_shares_memory=False,
    ),
    "0.2.0": replace(
        ERAS["0.1.12"],
        version="0.2.0",
        broadcast="first",
        reductions_keep_dimension=False,
        median_is_of_all=True,
        static_backward_sees_variables=True,
        variables_create_graph=True,
        lists_of_indices_are_tuples=True,
        stack_counts_dims_of_operands=False,
    ),
}

RELEASES = ("0.1.1", "0.1.5", "0.1.9", "0.1.12", "0.2.0")  # what `run` and `compare` offer

ENVIRONMENT_VARIABLE = "LEGACY_AUTOGRAD_ERA"  # so that worker and MPI processes inherit the choice


def column(version: str) -> Era:
    """Return the Era of a version.

    Args:
        version: "import" or a number such as "0.1.12".

    Raises:
        ValueError: If the version is not in the table.
    """
    columns = {**ERAS, **OTHERS}
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
