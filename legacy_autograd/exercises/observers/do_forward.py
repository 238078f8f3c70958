"""The probe of exercise 2: programs whose operations are derived from the student's Function."""

import functools

from ...autograd.leaf import Leaf
from ...autograd.variable import Variable
from ..answer import plain
from ..programs.do_forward import OPERATIONS, Operation
from ..programs.running import Run, described


class _Run(Run):
    """A Run that writes down what each call records."""

    def __init__(self, function, lines):
        self.operation = functools.partial(_operation, function)  # operation(name) is the class of that name
        super().__init__({name: self.operation(name) for name in OPERATIONS if f"{name}(" in " ".join(lines)})
        self.names["call_on_new"] = self.call_on_new
        self._known = {}  # {id of an operand or output: (itself, the name of its creator)}
        self._ids = {}  # {id of an operand or output, or of its data: name}
        self._looked = 0  # the number of names whose Variables are known
        self._calls = []  # the Functions that were called
        self._raised = set()  # those whose last call raised an exception: it is free what they have recorded

    def call(self, function, input):
        """Return the outputs of a call as a tuple, whatever it returned, so that the package's engine can use them."""
        self._calls.append(function)
        number = len(self._calls)
        for name, variable in self.variables(since=self._looked):
            self._know(variable, name)
        self._looked = len(self.names)
        for position, variable in enumerate(input):
            self._know(variable, f"operand {position} of call {number}")
        function.calls = 0
        self._raised.add(function)
        try:
            output = function._do_forward(*input)
        except BaseException as error:
            if (refused := getattr(function, "refused", None)) is not None:
                same = error is refused and error.args == function.arguments
                self._see(number, {"the caller gets the exception of forward": same})
            raise
        self._raised.remove(function)
        outputs = tuple(output) if isinstance(output, (tuple, list)) else (output,)
        returned = getattr(function, "returned", None)
        returned = returned if isinstance(returned, tuple) else (returned,)
        function._output_sizes = [one.data.array.shape for one in outputs if isinstance(one, Variable)]
        own = [data is variable.data for data, variable in zip(function.given, input)]
        self._see(
            number,
            {
                "forward was given": [type(data).__name__ for data in function.given],
                "forward was given the Tensors of its operands": own,
                "calls of forward": function.calls,
                "the call returned": f"a {type(output).__name__}",
                "it holds": [type(one).__name__ for one in outputs],
                "numbers": [described(getattr(one, "data", one)) for one in outputs],
                "creators are the Function": [getattr(one, "creator", None) is function for one in outputs],
                "outputs hold what forward returned": [
                    data is getattr(one, "data", None) for data, one in zip(returned, outputs)
                ],
                "operands afterwards": [[described(one.data), one.data._version] for one in input],
            },
        )
        for position, one in enumerate(outputs):
            self._know(one, f"output {position} of call {number}")
        creators = [variable.creator for variable in input]
        for variable in input:  # the record is made in the call, and not when it is read
            variable.creator = Leaf(variable, True)
        previous_functions = function.previous_functions
        for variable, creator in zip(input, creators):
            variable.creator = creator
        self._record(number, function, previous_functions, self._creators())
        return outputs

    def call_on_new(self, function, tensor):
        """Call a Function on a new Variable, and on others, until one has the id of the one before, which is gone."""
        variable, last, right = None, None, []
        while id(variable) != last and len(right) < 200:
            last = id(variable)
            del variable
            variable = Variable(tensor)
            function._do_forward(variable)
            right.append([*map(tuple, function.previous_functions)] == [(variable.creator, id(variable))])
        self.add("previous_functions of Variables that are gone", all(right))

    def _know(self, variable, name):
        if id(variable) not in self._known:
            self._known[id(variable)] = variable, f"the creator of {name}"
            self._ids.setdefault(id(variable), name)
            self._ids.setdefault(id(getattr(variable, "data", None)), f"the data of {name}")

    def _see(self, number, found, when=""):
        self.seen |= {f"{what}{when} in call {number}": data for what, data in found.items()}

    def _creators(self):
        """Return {id of the creator of an operand or output: name}."""
        return {id(one.creator): name for one, name in self._known.values() if isinstance(one, Variable)}

    def _record(self, number, function, previous_functions, creators, when=""):
        ids = creators | self._ids
        recorded = {
            "needs_input_grad": plain(function.needs_input_grad),
            "requires_grad": function.requires_grad,
            "previous_functions": _links(previous_functions, ids, creators),
            "output_ids": _numbered(function.output_ids, ids),
            "output_ids is one dictionary": function.output_ids is function.output_ids,
        }
        self._see(number, recorded, when)

    def at_the_end(self):
        """Write down the records again: a later call must not change those of an earlier one."""
        creators = self._creators()
        for number, function in enumerate(self._calls, 1):
            if function not in self._raised.union(self._calls[number:]) and function.output_ids is not None:
                self._record(number, function, function.previous_functions, creators, " at the end")
        grads = {key: value for key, value in super().at_the_end().items() if key.endswith(".grad")}
        leaves = [(name, variable.creator) for name, variable in self.variables() if isinstance(variable.creator, Leaf)]
        return {**grads, "operands that require a gradient": [f"{name}: {leaf.requires_grad}" for name, leaf in leaves]}


@functools.cache
def _operation(function, name):
    """Return the class of this operation that is derived from the student's Function."""
    return type(name, (OPERATIONS[name], Operation, function), {})


def _links(previous_functions, ids, creators):
    """Return previous_functions with names instead of Functions and ids."""
    if not isinstance(previous_functions, (list, tuple)):
        return plain(previous_functions)
    named = []
    for entry in previous_functions:
        if not isinstance(entry, (tuple, list)) or len(entry) != 2:
            return f"holds a {type(entry).__name__} instead of pairs"
        creator, key = entry
        named.append([creators.get(id(creator), f"a {type(creator).__name__} that made no operand"), _id(key, ids)])
    return named


def _id(key, ids):
    """Return the name of an id in a record, or that it is another number."""
    if not isinstance(key, int):
        return plain(key)
    return f"the id of {ids[key]}" if key in ids else "another number"


def _numbered(output_ids, ids):
    """Return output_ids with names instead of ids."""
    if not isinstance(output_ids, dict):
        return plain(output_ids)
    values = {key: _id(value, ids) if isinstance(value, int) and value > 99 else plain(value)
              for key, value in output_ids.items()}  # fmt: skip
    return sorted(([_id(key, ids), value] for key, value in values.items()), key=str)


def behaviour(answer, lines):
    """Return what is seen of a program, whose operations are derived from `Function`."""
    return _Run(answer.Function, lines).execute(lines)
