"""The two sets of conventions that the name v0.1.x covers, in one table.

`import legacy_autograd` follows v0.1.1 (August 2016); `python -m legacy_autograd run` follows v0.1.12 (May 2017),
the last release before 0.2, because most public scripts of the time were written for v0.1.5 and later.
The era is a property of the process: it is chosen before the first tensor is made.
"""

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Era:
    """What differed between the first and the last release of v0.1.x."""

    version: str
    call_returns_tuple: bool  # f(x) of a user's Function with one output: a tuple, or the Variable itself
    requires_grad: bool  # of a Variable where nothing is said
    default_tensor_type: str
    broadcast: bool  # operands of equal count and different shape: broadcast as today, or point by point
    height_and_width_apart: bool  # Conv2d(1, 6, 5, 5) means kh, kw; later kernel_size, stride
    dampening_is_momentum: bool  # SGD's dampening where nothing is said: the momentum, or 0
    contiguous_is_another: bool  # v.contiguous(): the result of an operation, or v itself with its data replaced
    stale_parameters_raise: bool  # backward after an optimizer's step over a forward before it: an error, or a warning


ERAS = {
    "0.1.1": Era(
        "0.1.1",
        call_returns_tuple=True,
        requires_grad=True,
        default_tensor_type="torch.DoubleTensor",
        broadcast=True,  # a deviation: v0.1.1 went point by point as well (FIDELITY, E7)
        height_and_width_apart=True,
        dampening_is_momentum=True,
        contiguous_is_another=True,  # a deviation: v0.1.1 had contiguous_() only
        stale_parameters_raise=True,  # a deviation: all of v0.1.x went on without a word (FIDELITY, F6)
    ),
    "0.1.12": Era(
        "0.1.12",
        call_returns_tuple=False,
        requires_grad=False,
        default_tensor_type="torch.FloatTensor",
        broadcast=False,
        height_and_width_apart=False,
        dampening_is_momentum=False,
        contiguous_is_another=False,
        stale_parameters_raise=False,
    ),
}

ENVIRONMENT_VARIABLE = "LEGACY_AUTOGRAD_ERA"  # so that worker and MPI processes inherit the choice


def choose(version):
    """Follow the conventions of `version` from here on, in this process and in those that it starts.

    Call it before the first tensor is made. Raises ValueError for a version that is not in the table.
    """
    global era
    if version not in ERAS:
        raise ValueError(f"no era {version!r}: the eras are {', '.join(ERAS)}")
    era = ERAS[version]
    os.environ[ENVIRONMENT_VARIABLE] = version


era = ERAS["0.1.1"]
if ENVIRONMENT_VARIABLE in os.environ:
    choose(os.environ[ENVIRONMENT_VARIABLE])
