"""`Record`: what a call leaves in the graph (v0.1.1 had these attributes on `Function`).

A call stores where its inputs came from in `previous_functions`, and numbers its outputs in `output_ids`. Both name a
Variable by its `id`, as in 2016. Double backward and drawings name it by the number of the output instead, which also
holds when the Variable is gone.

One instance is one node of the graph, so `import legacy_autograd` refuses a second call of it. Programs of 2016–17 made
one instance and called it in every iteration. Under the conventions of v0.1.1 and v0.1.12 the record is overwritten, as
it was in those versions.
"""

import sys
import warnings
from typing import Any

from .. import conventions
from .observed_class import ObservedClass

PACKAGE = __package__.partition(".")[0]


class Record(metaclass=ObservedClass):
    """The base of Function that holds the record of its last call, and the numbers of the outputs of earlier calls."""

    _name: str  # of the operation, for messages
    previous_functions: Any = None  # after the call: [(creator, id) of each input]
    output_ids: Any = None  # after the call: {id of each output: its number}
    needs_input_grad: Any = None  # after the call: for each input, whether it requires a gradient
    requires_grad = False
    _output_sizes: Any = ()  # the shape of each output
    _earlier_outputs = None  # {id of an output of an earlier call: (its number, the sources of that call)}
    _recorded: tuple = ("previous_functions", "output_ids", "needs_input_grad", "requires_grad", "_output_sizes")

    def _output_nr(self, arg_id):
        """Return the number of the output whose Variable has that id."""
        if arg_id not in self.output_ids:
            return self._number_of_earlier_output(arg_id)
        return self.output_ids[arg_id]

    def _sources(self):
        """Return [(Function, number of its output)] of each input."""
        return [(function, function._output_nr(arg_id)) for function, arg_id in self.previous_functions]

    def _id_of_output(self, number):
        return next(key for key, output_nr in self.output_ids.items() if output_nr == number)

    def _link(self, sources, variable):
        """Record `sources` and the one output `variable` without a call."""
        self.previous_functions = [(function, function._id_of_output(number)) for function, number in sources]
        self.output_ids = {id(variable): 0}
        self._output_sizes = [variable.data.array.shape]
        self.needs_input_grad = tuple([function.requires_grad for function, _ in sources])
        self.requires_grad = any(self.needs_input_grad)

    def _rename_output(self, key, new_key):
        """Make the Variable with the id `new_key` the output that the one with the id `key` was."""
        self.output_ids[new_key] = self.output_ids.pop(key)

    # --- a second call

    def _begin_again(self):
        """Discard the record of the last call. RuntimeError where the conventions allow one call only."""
        if not conventions.era.function_runs_again:
            raise RuntimeError(f"this {self._name} was called before: one instance is one node, make another")
        sources = self._sources_by_id()
        earlier = {key: (number, sources) for key, number in self.output_ids.items()}
        self._earlier_outputs = {**(self._earlier_outputs or {}), **earlier}
        for cls in type(self).__mro__:
            for name in vars(cls).get("_recorded", ()):
                self.__dict__.pop(name, None)

    def _number_of_earlier_output(self, arg_id):
        """Return the number that the output had in an earlier call. RuntimeError if this Function did not make it.

        Warn if that call had other inputs: backward goes to those of the last call.
        """
        if self._earlier_outputs is None or arg_id not in self._earlier_outputs:
            raise RuntimeError(
                f"this {self._name} is the creator of a Variable that it did not make. The argument `creator` of "
                "Variable is for Functions, which record their outputs. Leave it out to make a leaf"
            )
        number, sources = self._earlier_outputs[arg_id]
        if sources != self._sources_by_id():
            warnings.warn(
                f"this {self._name} was called again after it had made a Variable of this graph. As in "
                f"v{conventions.era.version} the gradient of that Variable goes to the inputs of the last call, not to "
                "its own. Make an instance for each call",
                stacklevel=level_of_the_caller(),
            )
        return number

    def _sources_by_id(self):
        """Return what tells the inputs of two calls apart, as ids, which keep no graph alive."""
        return [(id(function), number) for function, number in self._sources()]


def level_of_the_caller():
    """Return the `stacklevel` of the first frame outside of this package, where backward was called."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == PACKAGE:
        level, frame = level + 1, frame.f_back
    return level
