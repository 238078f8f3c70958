"""Exercise 11 on the student's own answers to earlier exercises: `exercises check 11 --own`.

Each of these answers is executed first, in a module of its own. Then its classes and methods replace the package's,
so that the student's code records every operation of the network and runs every backward.
"""

import sys

from ..autograd import functions, variable
from ..autograd.function import Function
from ..autograd.leaf import Leaf
from ..autograd.methods import pointwise
from . import load, template

NUMBER = 11  # the exercise that runs on the others

# The parts that can be used, by exercise. Sub, Mul and Div of exercise 1 do not broadcast; training does not use the
# others.
PARTS = {
    1: ("Exp", "Sigmoid", "Abs"),
    2: ("Function._do_forward",),
    3: ("Leaf._do_backward",),
    5: ("Engine",),
    7: ("Add", "Mul"),
}


def cells_on_own_parts(folder, cells):
    """The cells of exercise 11, between those that put the student's own parts in place.

    `folder` is a progress.Folder. Answers that are not done are left out.
    """
    before, after = [], []
    for number in done_in(folder):
        module = _module(number)
        answer = template.cells_of(folder.file_of(load(number)))
        before += [{**cell, "module": module} for cell in answer]
        before.append(_cell(f"from {__name__} import use\nuse({number})\n", module=module))
        if number == 5:
            after.append(_cell(f"from {module} import Engine\n"))
    return [*before, *cells, *after]


def done_in(folder):
    """Return the exercises of PARTS whose checks all passed."""
    return [number for number in PARTS if folder.state(load(number))[1] == "done"]


def use(number):
    """Replace the package's parts by those of the answer to that exercise, in the student's process."""
    own = sys.modules[_module(number)]
    if number == 2:
        _take_methods(own.Function, Function)
    elif number == 3:
        _take_methods(own.Leaf, Leaf)
    elif number == 5:
        variable.Variable._execution_engine = own.Engine()
    else:
        for name in PARTS[number]:
            for module in (functions, pointwise, variable):  # `variable` has the operators + and *
                if name in vars(module):
                    setattr(module, name, getattr(own, name))


def _take_methods(own, owner):
    """Copy the attributes of the class `own` to the package's class `owner`, which the package instantiates."""
    for name, value in vars(own).items():
        if name == "__call__" or not name.startswith("__"):
            setattr(owner, name, value)


def _module(number):
    return f"own_{number:02}"


def _cell(source, **module):
    return {"source": source, "label": "own parts", **module}
