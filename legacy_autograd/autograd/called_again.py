"""`CalledAgain`: a second call of one Function instance (v0.1.1 overwrote the record of the first call).

An instance is one node of the graph, so `import legacy_autograd` refuses the second call. Programs of 2016–17 made one
instance and called it in every iteration; under the conventions of v0.1.1 and v0.1.12 the record is overwritten, as it
was in those versions.
"""

import sys
import warnings

from .. import conventions
from .observed_class import ObservedClass

_PACKAGE = __package__.partition(".")[0]
_RECORD = """
    previous_functions output_ids needs_input_grad requires_grad non_differentiable _output_sizes
    _saved _saved_versions _saved_positions _absent _unpack _viewed _edges _numbers _output_id _size _sizes
""".split()


class CalledAgain(metaclass=ObservedClass):
    """The base of Function that remembers the outputs of earlier calls, and those that became another Variable's."""

    _by_the_book = True  # the fast twin sets it to False where it calls and walks a Function itself
    _earlier_outputs = None  # {id of an output: (its number, the sources of that call)}

    def _begin_again(self):
        """Discard the record of the last call. RuntimeError where the conventions allow one call only."""
        if not conventions.era.function_runs_again:
            raise RuntimeError(f"this {self._name} was called before: one instance is one node, make another")
        if self._earlier_outputs is None:
            self._earlier_outputs = {}
        sources = self._sources_by_id()
        for key, number in self.output_ids.items():
            self._earlier_outputs[key] = number, sources
        for name in _RECORD:
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

    def _rename_output(self, key, new_key):
        """Make the Variable with the id `new_key` the output that the one with the id `key` was."""
        self.output_ids[new_key] = self.output_ids.pop(key)

    def _sources_by_id(self):
        """Return what tells the inputs of two calls apart, as ids, which keep no graph alive."""
        return [(id(function), number) for function, number in self._sources()]


def level_of_the_caller():
    """Return the `stacklevel` of the first frame outside of this package, where backward was called."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        level, frame = level + 1, frame.f_back
    return level
