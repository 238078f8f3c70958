"""Exercise 2: _do_forward."""

from . import write, wrong

_LINKS = "self.previous_functions = [(arg.creator, id(arg)) for arg in input]"
_NEEDS = "self.needs_input_grad = tuple([arg.creator.requires_grad for arg in input])"
_OUTPUT = "output = tuple([Variable(tensor, self) for tensor in raw_output])"
_IDS = "self.output_ids = {id(variable): number for number, variable in enumerate(output)}"

RIGHT = {
    "loops": [
        write(
            "do_forward",
            """
            tensors, self.previous_functions, needs = [], [], []
            for variable in input:
                tensors.append(variable.data)
                needs.append(variable.creator.requires_grad)
                self.previous_functions.append((variable.creator, id(variable)))
            self.needs_input_grad = tuple(needs)
            self.requires_grad = True in needs
            result = self.forward(*tensors)
            outputs, self.output_ids = [], {}
            for tensor in result if type(result) is tuple else [result]:
                outputs.append(Variable(tensor, self))
                self.output_ids[id(outputs[-1])] = len(outputs) - 1
            return tuple(outputs)
            """,
        )
    ],
    "as short as it can be": [
        write(
            "do_forward",
            """
            result = self.forward(*(v.data for v in input))
            out = tuple(Variable(t, self) for t in (result if isinstance(result, tuple) else [result]))
            self.needs_input_grad = *(v.requires_grad for v in input),
            self.requires_grad = any(self.needs_input_grad)
            self.previous_functions = list(zip([v.creator for v in input], map(id, input)))
            self.output_ids = dict(zip(map(id, out), range(len(out))))
            return out
            """,
        )
    ],
    "Black's line breaks and type hints": [
        write(
            "do_forward",
            """
            raw: object = self.forward(
                *(variable.data for variable in input),
            )
            results: tuple = (
                raw
                if isinstance(raw, tuple)
                else (raw,)
            )
            self.needs_input_grad: tuple[bool, ...] = tuple(
                variable.creator.requires_grad
                for variable in input
            )
            self.requires_grad: bool = (
                True
                in self.needs_input_grad
            )
            outputs: tuple[Variable, ...] = tuple(
                Variable(result, self)
                for result
                in results
            )
            self.previous_functions = [
                (variable.creator, id(variable))
                for variable
                in input
            ]
            self.output_ids: dict[int, int] = {
                id(output): outputs.index(output)
                if len(outputs)
                % 2
                == 7
                else position
                for position, output in enumerate(outputs)
            }
            return outputs
            """,
        )
    ],
    "walrus, map and lambda": [
        write(
            "do_forward",
            """
            if not isinstance(result := self.forward(*map(lambda v: v.data, input)), tuple):
                result = (result,)
            self.requires_grad = any(needs := tuple(map(lambda v: v.creator.requires_grad, input)))
            self.needs_input_grad = needs
            self.previous_functions = [*map(lambda v: (v.creator, id(v)), input)]
            outputs = tuple(map(lambda t: Variable(t, self), result))
            self.output_ids = dict(map(reversed, enumerate(map(id, outputs))))
            return outputs
            """,
        )
    ],
    "a dataclass for what is recorded": [
        write(
            "do_forward",
            """
            from dataclasses import dataclass, field

            @dataclass
            class Record:
                tensors: list = field(default_factory=list)
                needs: list = field(default_factory=list)
                links: list = field(default_factory=list)

                def add(self, variable):
                    self.tensors += [variable.data]
                    self.needs += [variable.creator.requires_grad]
                    self.links += [(variable.creator, id(variable))]
                    return self

            record = Record()
            for variable in input:
                record = record.add(variable)
            self.needs_input_grad, self.requires_grad = tuple(record.needs), sum(record.needs) > 0
            self.previous_functions = record.links
            result = self.forward(*record.tensors)
            outputs = []
            for tensor in (result,) if hasattr(result, "size") else result:
                outputs.append(Variable(tensor, self))
            self.output_ids = dict(zip(map(id, outputs), range(10**6)))
            return tuple(outputs)
            """,
        )
    ],
    "recursion over the operands": [
        write(
            "do_forward",
            """
            from collections import namedtuple

            Link = namedtuple("Link", "creator number")

            def links(variables):
                return [Link(variables[0].creator, id(variables[0]))] + links(variables[1:]) if variables else []

            self.previous_functions = links(input)
            self.needs_input_grad = tuple(link.creator.requires_grad for link in self.previous_functions)
            self.requires_grad = any(self.needs_input_grad)
            result = self.forward(*[variable.data for variable in input])
            match result:
                case tuple():
                    output = result
                case _:
                    output = (result,)
            output = tuple(Variable(data, creator=self) for data in output)
            self.output_ids = {}
            for number in reversed(range(len(output))):
                self.output_ids |= {id(output[number]): number}
            return output
            """,
        )
    ],
    "needs first, and a list for the links of each call": [
        write(
            "do_forward",
            """
            self.needs_input_grad = [variable.creator.requires_grad for variable in input]
            self.requires_grad = not all(not needs for needs in self.needs_input_grad)
            self.previous_functions = []
            for position in range(len(input)):
                self.previous_functions.insert(position, (input[position].creator, id(input[position])))
            made = self.forward(*[variable.data for variable in input])
            made = list(made) if isinstance(made, tuple) else [made]
            for position, tensor in enumerate(made):
                made[position] = Variable(tensor, self)
            self.output_ids = {}
            for position, variable in enumerate(made):
                self.output_ids.setdefault(id(variable), position)
            return (*made,)
            """,
        )
    ],
    "helpers, and attributes of one's own": [
        (
            "    def __call__(",
            "    def _tuple_of(self, result):\n        return result if type(result) == tuple else tuple([result])\n\n"
            "    def __call__(",
        ),
        write(
            "do_forward",
            """
            self.operands_of_mine = input
            results = self._tuple_of(self.forward(*(variable.data for variable in self.operands_of_mine)))
            self.outputs_of_mine = tuple(Variable(tensor=result, creator=self) for result in results)
            flags = list(map(lambda variable: variable.requires_grad, input))
            self.needs_input_grad, self.requires_grad = tuple(flags), max(flags, default=False)
            self.previous_functions = [(v.creator, id(v)) for v in self.operands_of_mine]
            self.output_ids = {id(v): n for v, n in zip(self.outputs_of_mine, range(len(results)))}
            return self.outputs_of_mine
            """,
        ),
    ],
    "an exception is raised again": [
        write(
            "do_forward",
            """
            try:
                result = self.forward(*[variable.data for variable in input])
            except Exception:
                self.output_ids = {}
                raise
            if isinstance(result, tuple):
                outputs = tuple(Variable(tensor, self) for tensor in result)
            else:
                outputs = (Variable(result, self),)
            self.needs_input_grad = ()
            self.requires_grad = False
            self.previous_functions = []
            for variable in input:
                self.needs_input_grad += (variable.creator.requires_grad,)
                self.requires_grad |= variable.creator.requires_grad
                self.previous_functions += [(variable.creator, id(variable))]
            self.output_ids = dict([(id(variable), number) for number, variable in enumerate(outputs)])
            return outputs
            """,
        )
    ],
    "zip and a star": [
        write(
            "do_forward",
            """
            tensors, creators, ids = zip(*[(v.data, v.creator, id(v)) for v in input]) if input else [()] * 3
            result = self.forward(*tensors)
            outputs = tuple(Variable(t, self) for t in (result if isinstance(result, tuple) else (result,)))
            self.previous_functions = list(zip(creators, ids))
            self.needs_input_grad = tuple(creator.requires_grad for creator in creators)
            self.requires_grad = bool(sum(self.needs_input_grad))
            self.output_ids = {key: number for number, key in enumerate(map(id, outputs))}
            return outputs
            """,
        )
    ],
    "a generator, a deque and setattr": [
        write(
            "do_forward",
            """
            from collections import deque

            def variables(result):
                if isinstance(result, tuple):
                    yield from (Variable(one, self) for one in result)
                else:
                    yield Variable(result, self)

            queue, links = deque(input), []
            while queue:
                variable = queue.popleft()
                links.append((variable.creator, id(variable)))
            outputs = tuple(variables(self.forward(*[variable.data for variable in input])))
            for name, value in {
                "needs_input_grad": tuple(creator.requires_grad for creator, _ in links),
                "requires_grad": any(creator.requires_grad for creator, _ in links),
                "previous_functions": links,
                "output_ids": {id(outputs[number]): number for number in range(len(outputs))},
            }.items():
                setattr(self, name, value)
            return outputs
            """,
        )
    ],
    "creator later": [
        (
            "output = tuple([Variable(tensor, self) for tensor in raw_output])",
            (
                "output = ()\n"
                "        for tensor in raw_output:\n"
                "            variable = Variable(tensor, requires_grad=False)\n"
                "            variable.creator = self\n"
                "            output += (variable,)"
            ),
        )
    ],
    "one update of vars": [
        write(
            "do_forward",
            (
                "\n"
                "   raw = self.forward(*(v.data for v in input))\n"
                "   out = *(Variable(t, self) for t in (raw if isinstance(raw, tuple) else [raw])),\n"
                "   vars(self).update(previous_functions=[*((v.creator, id(v)) for v in input)], output_ids=d"
                "ict(zip(map(id, out), range(len(out)))),\n"
                "       needs_input_grad=tuple(bool(v.creator.requires_grad) for v in input))\n"
                "   self.requires_grad = True in self.needs_input_grad\n"
                "   return out"
            ),
        )
    ],
}

WRONG = {
    "forward gets Variables": wrong(
        "result", "call forward with the Tensors: arg.data", ("[arg.data for arg in input]", "input")
    ),
    "a single Tensor is taken apart": wrong(
        "result needs links outputs backward",
        "a single Tensor is not a tuple yet",
        (
            "if not isinstance(raw_output, tuple):\n            raw_output = (raw_output,)",
            "raw_output = tuple(raw_output)",
        ),
    ),
    "return a Tensor or a tuple of Tensors, not a nested tuple or a number": wrong(
        "result needs links outputs backward",
        "forward returned a tuple: do not put it into another tuple",
        ("if not isinstance(raw_output, tuple):\n            raw_output = (raw_output,)", "raw_output = (raw_output,)"),
    ),
    "a single output is not a tuple": wrong(
        "result",
        "the result is a tuple even if there is only one output, as in v0.1.1",
        ("return output\n        #", "return output if len(output) > 1 else output[0]\n        #"),
    ),
    "outputs are leaves": wrong(
        "result needs links backward", "Without a creator it is a leaf", (_OUTPUT, _OUTPUT.replace(", self", ""))
    ),
    "forward runs twice": wrong(
        "result",
        "call forward once",
        ("raw_output = self.forward", "self.forward(*unpacked_input)\n        raw_output = self.forward"),
    ),
    "all operands must require one": wrong(
        "needs backward", "any, not all", ("any(self.needs_input_grad)", "all(self.needs_input_grad)")
    ),
    "a result always requires one": wrong(
        "needs",
        "whether one operand requires a gradient",
        ("any(self.needs_input_grad)", "True"),
    ),
    "one answer for all operands": wrong(
        "needs",
        "needs_input_grad has one entry for each operand",
        (_NEEDS, "self.needs_input_grad = any([arg.creator.requires_grad for arg in input])"),
        ("any(self.needs_input_grad)", "self.needs_input_grad"),
    ),
    "the Variable in place of its creator": wrong(
        "links backward", "from Function to Function", (_LINKS, _LINKS.replace("arg.creator,", "arg,"))
    ),
    "the id of the Tensor": wrong(
        "links backward", "this is id(arg.data)", (_LINKS, _LINKS.replace("id(arg)", "id(arg.data)"))
    ),
    "x * x has one entry": wrong(
        "links backward",
        "x * x uses x twice: backward returns two gradients, and",
        (_LINKS, "self.previous_functions = list({id(arg): (arg.creator, id(arg)) for arg in input}.values())"),
    ),
    "constants are left out": wrong(
        "links backward",
        "also for a constant",
        (_LINKS, _LINKS.replace("input]", "input if arg.creator.requires_grad]")),
    ),
    "the operands backwards": wrong(
        "links backward",
        "backward returns the gradients in the order of the",
        (_LINKS, _LINKS.replace("in input", "in input[::-1]")),
    ),
    "numbers lead to ids": wrong(
        "outputs backward",
        "the id is the key",
        (_IDS, "self.output_ids = {number: id(variable) for number, variable in enumerate(output)}"),
    ),
    "every output is number 0": wrong(
        "outputs backward",
        "the number of an output is its position",
        (_IDS, "self.output_ids = {id(v): 0 for v in output}"),
    ),
    "the ids of the Tensors": wrong(
        "outputs backward",
        "the key is id(variable) of an output Variable, the one that",
        (_IDS, _IDS.replace("id(variable)", "id(variable.data)")),
    ),
    "the package's own": wrong(
        "result needs links outputs backward",
        "the package's own is not available here",
        write("do_forward", "return super()._do_forward(*input)"),
    ),
    "what forward raises is swallowed": wrong(
        "result",
        "an exception in forward must reach the caller: do not use try and except",
        (
            "raw_output = self.forward(*unpacked_input)",
            "\ntry:\n    raw_output = self.forward(*unpacked_input)\nexcept Exception:\n"
            "    raw_output = unpacked_input[0]",
        ),
    ),
    "another exception in place of forward's": wrong(
        "result",
        "an exception in forward must reach the caller: do not use try and except",
        (
            "raw_output = self.forward(*unpacked_input)",
            "\ntry:\n    raw_output = self.forward(*unpacked_input)\nexcept Exception:\n    raise RuntimeError('no')",
        ),
    ),
    "forward gets copies": wrong(
        "result", "not a copy", ("[arg.data for arg in input]", "[arg.data.clone() for arg in input]")
    ),
    "the outputs are copies": wrong("result", "not a copy", (_OUTPUT, _OUTPUT.replace("(tensor,", "(tensor.clone(),"))),
    "the operands are zeroed": wrong(
        "result backward",
        "do not change the operands: data, creator and requires_grad",
        (_OUTPUT, f"{_OUTPUT}\n        unpacked_input[-1].zero_()"),
    ),
    "constants are made to require a gradient": wrong(
        "result needs backward",
        "do not change the operands: data, creator and requires_grad",
        (
            "unpacked_input = [",
            "for arg in input:\n            arg.creator.requires_grad = True\n        unpacked_input = [",
        ),
    ),
    "one list for all calls": wrong(
        "links backward",
        "the links of an earlier call have changed: make a new list",
        ("def _do_forward(self, *input):", "links = []\n\n    def _do_forward(self, *input):"),
        (
            _LINKS,
            "self.links[:] = [(arg.creator, id(arg)) for arg in input]\n        self.previous_functions = self.links",
        ),
    ),
    "the list grows from call to call": wrong(
        "links backward",
        "an entry for every operand of this call, in order, and no other",
        (
            _LINKS,
            """
            self.links = [*vars(self).get("links", ()), *((arg.creator, id(arg)) for arg in input)]
            self.previous_functions = self.links
            """,
        ),
    ),
    "one dictionary for all calls": wrong(
        "outputs backward",
        "the numbers of an earlier call have changed: make a new",
        ("def _do_forward(self, *input):", "ids = {}\n\n    def _do_forward(self, *input):"),
        (
            _IDS,
            f"self.ids.clear()\n        self.ids.update({_IDS.partition(' = ')[2]})\n"
            f"        self.output_ids = self.ids",
        ),
    ),
    "only two outputs are thought of": wrong(
        "outputs",
        "the number of an output is its position",
        (
            _IDS,
            "self.output_ids = {id(output[0]): 0}\n        if len(output) > 1:\n"
            "            self.output_ids[id(output[-1])] = 1",
        ),
    ),
    "only two operands are thought of": wrong(
        "needs links",
        "read requires_grad of each operand's creator, in order: arg.creator.requires_grad",
        (_LINKS, _LINKS.replace("in input]", "in input[:1] + input[1:][-1:]]")),
        (_NEEDS, _NEEDS.replace("in input]", "in input[:1] + input[1:][-1:]]")),
    ),
    "the first operand decides": wrong("needs", None, ("any(self.needs_input_grad)", "self.needs_input_grad[0]")),
    "each operation requires a gradient": wrong(
        "needs",
        "read requires_grad of each operand's creator, in order",
        (
            _NEEDS,
            _NEEDS.replace("arg.creator.requires_grad", "bool(arg.requires_grad or arg.creator.previous_functions)"),
        ),
    ),
    "only leaves require a gradient": wrong(
        "needs backward",
        "read requires_grad of each operand's creator, in order",
        (_NEEDS, _NEEDS.replace("arg.creator.requires_grad", "arg.is_leaf and arg.requires_grad")),
    ),
    "constants have no creator": wrong(
        "links backward",
        "also for a constant",
        (_LINKS, _LINKS.replace("(arg.creator,", "(arg.creator if arg.requires_grad else None,")),
    ),
    "right once": wrong(
        "outputs backward",
        "the number of an output is its position",
        ("def _do_forward(self, *input):", "turns = []\n\n    def _do_forward(self, *input):"),
        (
            _IDS,
            f"self.turns.append(1)\n"
            f"        {_IDS.replace('enumerate(output)', 'enumerate(output, len(self.turns) > 1)')}",
        ),
    ),
    "at random": wrong(
        "needs",
        None,
        (_NEEDS, "import random\n\n        " + _NEEDS.replace("arg.creator.requires_grad", "random.random() < 0.7")),
        ("any(self.needs_input_grad)", "any(arg.creator.requires_grad for arg in input)"),
    ),
    "the package's source is read": wrong(
        "result needs links outputs backward",
        "the package's own is not available here",
        write(
            "do_forward",
            """
            import inspect, textwrap

            names = dict(vars(inspect.getmodule(autograd.Function)))
            exec(textwrap.dedent(inspect.getsource(autograd.Function._do_forward)), names)
            return names["_do_forward"](self, *input)
            """,
        ),
    ),
    "a list of outputs": wrong(
        "result", "the call returns a tuple", ("return output\n        #", "return list(output)\n        #")
    ),
    "a tuple of Tensors comes back": wrong(
        "result needs links outputs backward",
        "return Variables, not the Tensors in them",
        ("return output\n        #", "return tuple(v.data for v in output)\n        #"),
    ),
    "sizes in place of ids": wrong(
        "links outputs backward",
        "the key is id(variable) of an output Variable, the one that",
        (_LINKS, _LINKS.replace("id(arg)", "arg.size()")),
        (_IDS, _IDS.replace("id(variable)", "variable.size()")),
    ),
    "only four operands are thought of": wrong(
        "links",
        "an entry for every operand of this call, in order, and no other",
        write(
            "do_forward",
            """
            raw = self.forward(*[v.data for v in input])
            raw = raw if isinstance(raw, tuple) else (raw,)
            out = tuple(Variable(t, self) for t in raw)
            self.needs_input_grad = tuple(v.creator.requires_grad for v in input)
            self.requires_grad = any(self.needs_input_grad)
            self.previous_functions = [(v.creator, id(v)) for v in input[:4]]
            self.output_ids = {id(v): n for n, v in enumerate(out)}
            return out
            """,
        ),
    ),
    "only three outputs are thought of": wrong(
        "outputs",
        "the number of an output is its position",
        write(
            "do_forward",
            """
            raw = self.forward(*[v.data for v in input])
            raw = raw if isinstance(raw, tuple) else (raw,)
            out = tuple(Variable(t, self) for t in raw)
            self.needs_input_grad = tuple(v.creator.requires_grad for v in input)
            self.requires_grad = any(self.needs_input_grad)
            self.previous_functions = [(v.creator, id(v)) for v in input]
            self.output_ids = {id(v): n for n, v in enumerate(out) if n < 3}
            return out
            """,
        ),
    ),
    "operands are written into and back": wrong(
        "result",
        "do not change the operands: data, creator and requires_grad",
        write(
            "do_forward",
            """
            [v.data.mul_(2).div_(2) for v in input]
            raw = self.forward(*[v.data for v in input])
            raw = raw if isinstance(raw, tuple) else (raw,)
            out = tuple(Variable(t, self) for t in raw)
            self.needs_input_grad = tuple(v.creator.requires_grad for v in input)
            self.requires_grad = any(self.needs_input_grad)
            self.previous_functions = [(v.creator, id(v)) for v in input]
            self.output_ids = {id(v): n for n, v in enumerate(out)}
            return out
            """,
        ),
    ),
    "links pile up on a second call": wrong(
        "links", None, (_LINKS, _LINKS.replace(" = [", " = (self.previous_functions or []) + ["))
    ),
    "ids pile up on a second call": wrong(
        "outputs",
        None,
        (
            _IDS,
            "self.output_ids = self.output_ids or {}\n        "
            "self.output_ids |= {id(variable): number for number, variable in enumerate(output)}",
        ),
    ),
    "ids are counted on from the last call": wrong(
        "outputs",
        None,
        (
            _IDS,
            "start = len(self.output_ids or {})\n        "
            "self.output_ids = {id(v): start + number for number, v in enumerate(output)}",
        ),
    ),
    "the first record is kept": wrong(
        "links",
        None,
        (_LINKS, f"if not self.previous_functions:\n            {_LINKS}"),
    ),
    "the first needs are kept": wrong(
        "needs",
        None,
        (
            "self.requires_grad = any(self.needs_input_grad)",
            "self.requires_grad = self.requires_grad or any(self.needs_input_grad)",
        ),
    ),
    "a tuple of one is put into a tuple": wrong(
        "result",
        None,
        ("if not isinstance(raw_output, tuple):", "if not isinstance(raw_output, tuple) or len(raw_output) == 1:"),
    ),
    "a tuple of one gives its Variable": wrong(
        "result",
        None,
        ("return output\n        #", "return output if single or len(output) > 1 else output[0]\n        #"),
        ("if not isinstance(raw_output, tuple):", "single = not isinstance(raw_output, tuple)\n        if single:"),
    ),
    "an identity gives its operand": wrong(
        "result",
        None,
        (
            _OUTPUT,
            "same = {id(v.data): v for v in input}\n        "
            "output = tuple([same.get(id(tensor)) or Variable(tensor, self) for tensor in raw_output])",
        ),
    ),
    "an identity is copied": wrong(
        "result",
        None,
        (
            _OUTPUT,
            "output = tuple([Variable(t.clone() if any(t is v.data for v in input) else t, self) for t in raw_output])",
        ),
    ),
    "a view is copied": wrong(
        "result",
        None,
        (_OUTPUT, "output = tuple([Variable(t if t.is_contiguous() else t.contiguous(), self) for t in raw_output])"),
    ),
    "the same Tensor once": wrong(
        "result outputs",
        None,
        (
            _OUTPUT,
            "made = {id(t): Variable(t, self) for t in raw_output}\n"
            "        output = tuple([made[id(t)] for t in raw_output])",
        ),
    ),
    "the same Tensor has one number": wrong(
        "outputs",
        None,
        (
            _IDS,
            "first = {}\n        self.output_ids = {id(v): first.setdefault(id(v.data), n)"
            " for n, v in enumerate(output)}",
        ),
    ),
    "the operands of one Tensor are one": wrong(
        "links",
        None,
        (
            _LINKS,
            "first = {}\n        self.previous_functions = [(arg.creator, id(first.setdefault(id(arg.data), arg)))"
            " for arg in input]",
        ),
    ),
    "creators of one Tensor are one": wrong(
        "links",
        None,
        (
            _LINKS,
            "first = {}\n        self.previous_functions = [(first.setdefault(id(arg.data), arg.creator), id(arg))"
            " for arg in input]",
        ),
    ),
    "what forward raised is left on the instance": wrong(
        "result",
        None,
        (
            "raw_output = self.forward(*unpacked_input)",
            "if getattr(self, 'running', False):\n            raise RuntimeError('this is running')\n"
            "        self.running = True\n        raw_output = self.forward(*unpacked_input)\n"
            "        self.running = False",
        ),
    ),
    "links on the class": wrong(
        "links",
        None,
        (_LINKS, "Function.previous_functions = [(arg.creator, id(arg)) for arg in input]"),
    ),
    "ids on the class": wrong(
        "outputs",
        None,
        (_IDS, "type(self).output_ids = {id(variable): number for number, variable in enumerate(output)}"),
    ),
    "needs of Doubles alone": wrong(
        "needs",
        None,
        (
            _NEEDS,
            _NEEDS.replace(
                "arg.creator.requires_grad", "arg.creator.requires_grad and 'Half' not in type(arg.data).__name__"
            ),
        ),
    ),
    "an empty operand needs nothing": wrong(
        "needs", None, (_NEEDS, _NEEDS.replace("requires_grad for", "requires_grad and arg.data.numel() > 0 for"))
    ),
    "forward gets contiguous Tensors": wrong(
        "result", "not a copy", ("[arg.data for arg in input]", "[arg.data.contiguous() for arg in input]")
    ),
    "the largest of the needs": wrong(
        "needs",
        None,
        ("self.requires_grad = any(self.needs_input_grad)", "self.requires_grad = max(self.needs_input_grad)"),
    ),
    "calls of forward itself require nothing": wrong(
        "result needs links outputs backward",
        None,
        write(
            "do_forward",
            (
                "\n"
                '   outer = getattr(Function, "busy", False)\n'
                "   Function.busy = True\n"
                "   try:\n"
                "       raw = self.forward(*[v.data for v in input])\n"
                "   finally:\n"
                "       Function.busy = outer\n"
                "   raw = raw if isinstance(raw, tuple) else (raw,)\n"
                "   self.needs_input_grad = tuple(v.creator.requires_grad and not outer for v in input)\n"
                "   self.requires_grad = any(self.needs_input_grad)\n"
                "   output = tuple(Variable(t, self) for t in raw)\n"
                "   self.previous_functions = [(v.creator, id(v)) for v in input]\n"
                "   self.output_ids = {id(v): n for n, v in enumerate(output)}\n"
                "   return output"
            ),
        ),
    ),
    "after a TypeError forward gets the Variables": wrong(
        "result needs links outputs backward",
        None,
        (
            "raw_output = self.forward(*unpacked_input)",
            (
                "\n"
                "try:\n"
                "    raw_output = self.forward(*unpacked_input)\n"
                "except TypeError:\n"
                "    raw_output = self.forward(*input)"
            ),
        ),
    ),
    "after a ValueError forward runs again": wrong(
        "result needs links outputs backward",
        None,
        (
            "raw_output = self.forward(*unpacked_input)",
            (
                "\n"
                "try:\n"
                "    raw_output = self.forward(*unpacked_input)\n"
                "except ValueError:\n"
                "    raw_output = self.forward(*unpacked_input)"
            ),
        ),
    ),
    "requires_grad of a creator is remembered": wrong(
        "result needs links outputs backward",
        None,
        (
            "class Function(autograd.Function):",
            ("import weakref\n\nknown = weakref.WeakKeyDictionary()\n\n\nclass Function(autograd.Function):"),
        ),
        (
            "self.needs_input_grad = tuple([arg.creator.requires_grad for arg in input])",
            (
                "self.needs_input_grad = tuple([known.setdefault(arg.creator, arg.creator.requires_grad) for "
                "arg in input])"
            ),
        ),
    ),
    "a second call forgets the constructor": wrong(
        "result needs links outputs backward",
        None,
        (
            "unpacked_input = [arg.data for arg in input]",
            (
                "\n"
                "if vars(self).get('output_ids'):\n"
                "    vars(self).clear()\n"
                "unpacked_input = [arg.data for arg in input]"
            ),
        ),
    ),
    "the leaves behind an operand decide": wrong(
        "result needs links outputs backward",
        None,
        (
            "self.needs_input_grad = tuple([arg.creator.requires_grad for arg in input])",
            (
                "\n"
                "def needs(fn):\n"
                "    return any([needs(f) for f, _ in fn.previous_functions]) if fn.previous_functions else f"
                "n.requires_grad\n"
                "\n"
                "self.needs_input_grad = tuple([needs(arg.creator) for arg in input])"
            ),
        ),
    ),
    "right for sixty calls": wrong(
        "result needs links outputs backward",
        None,
        (
            "self.requires_grad = any(self.needs_input_grad)",
            "\nself.calls = type(self).calls = getattr(type(self), 'calls', 0) + 1\n"
            "self.requires_grad = any(self.needs_input_grad) and self.calls <= 60",
        ),
    ),
    "seventeen operands": wrong(
        "links backward",
        None,
        ("for arg in input]\n        self.output_ids", "for arg in input[:17]]\n        self.output_ids"),
    ),
    "nine outputs": wrong(
        "result outputs backward",
        None,
        ("for tensor in raw_output]", "for tensor in raw_output[:9]]"),
    ),
    "two outputs without operands require a gradient": wrong(
        "needs result links outputs",
        None,
        (
            "self.requires_grad = any(self.needs_input_grad)",
            "self.requires_grad = any(self.needs_input_grad) or not input and len(raw_output) > 1",
        ),
    ),
    "ids of a call with more outputs stay": wrong(
        "outputs",
        None,
        (
            "self.output_ids = {id(variable): number for number, variable in enumerate(output)}",
            """
            before = self.output_ids or {}
            self.output_ids = {id(variable): number for number, variable in enumerate(output)}
            if len(before) > len(output):
                self.output_ids = {**before, **self.output_ids}
            """,
        ),
    ),
    "a call without operands requires what the last one did": wrong(
        "needs",
        None,
        (
            "self.requires_grad = any(self.needs_input_grad)",
            "self.requires_grad = any(self.needs_input_grad) if input else self.requires_grad",
        ),
    ),
    "a call without operands keeps the links": wrong(
        "links",
        None,
        (
            _LINKS,
            "self.previous_functions = [(arg.creator, id(arg)) for arg in input] or self.previous_functions",
        ),
    ),
    "another exception object": wrong(
        "result",
        "do not use try and except",
        (
            "raw_output = self.forward(*unpacked_input)",
            """
            try:
                raw_output = self.forward(*unpacked_input)
            except Exception as error:
                raise type(error)(*error.args) from None
            """,
        ),
    ),
    "the arguments of an exception as a text": wrong(
        "result",
        "do not use try and except",
        (
            "raw_output = self.forward(*unpacked_input)",
            """
            try:
                raw_output = self.forward(*unpacked_input)
            except Exception as error:
                error.args = (str(error),)
                raise
            """,
        ),
    ),
    "the forward of the class": wrong("result", None, ("self.forward(", "type(self).forward(self, ")),
    "no link to an index": wrong("links", None, (_LINKS, f'{_LINKS[:-1]} if "Long" not in arg.data.type()]')),
    "indices come last": wrong(
        "links",
        None,
        (_LINKS, _LINKS.replace("in input", 'in sorted(input, key=lambda arg: "Long" in arg.data.type())')),
    ),
    "the last digit of an output's number": wrong("outputs", None, (_IDS, _IDS.replace(": number", ": number % 10"))),
    "links that are made when they are read": wrong(
        "links",
        None,
        (
            f"{_LINKS}\n",
            """
            self._operands = input
            type(self).previous_functions = property(lambda self: [(arg.creator, id(arg)) for arg in self._operands])
            """,
        ),
    ),
    "the outputs that are still there": wrong(
        "outputs",
        None,
        (
            f"{_IDS}\n",
            """
            import weakref
            self._living = [weakref.ref(variable) for variable in output]
            type(self).output_ids = property(
                lambda self: {id(ref()): number for number, ref in enumerate(self._living) if ref() is not None}
            )
            """,
        ),
    ),
    "new only for other creators": wrong(
        "links",
        None,
        (
            _LINKS,
            """
            before = self.__dict__.get('previous_functions')
            if before is None or [fn for fn, _ in before] != [arg.creator for arg in input]:
                self.previous_functions = [(arg.creator, id(arg)) for arg in input]
            """,
        ),
    ),
    "new only for other ids": wrong(
        "links",
        None,
        (
            _LINKS,
            """
            ids = [id(arg) for arg in input]
            if [i for _, i in vars(self).get('previous_functions') or []] != ids or not ids:
                self.previous_functions = [(arg.creator, id(arg)) for arg in input]
            """,
        ),
    ),
    "new unless one operand has the creator of before": wrong(
        "links",
        None,
        (
            _LINKS,
            """
            links = [(arg.creator, id(arg)) for arg in input]
            before = vars(self).get('previous_functions') or []
            if len(links) != 1 or len(before) != 1 or before[0][0] is not links[0][0]:
                self.previous_functions = links
            """,
        ),
    ),
    "new only for other Tensors": wrong(
        "links",
        None,
        (
            _LINKS,
            """
            links = [(arg.creator, id(arg)) for arg in input]
            key = [id(t) for t in unpacked_input]
            if vars(self).get('_key') != key or not links:
                self._key, self.previous_functions = key, links
            """,
        ),
    ),
    "new only for other creators or another set of ids": wrong(
        "links",
        None,
        (
            _LINKS,
            """
            links = [(arg.creator, id(arg)) for arg in input]
            key = [arg.creator for arg in input], {id(arg) for arg in input}
            if vars(self).get('_key') != key or not links:
                self._key, self.previous_functions = key, links
            """,
        ),
    ),
    "new only for another result": wrong(
        "links",
        None,
        (
            _LINKS,
            """
            links = [(arg.creator, id(arg)) for arg in input]
            key = [id(t) for t in raw_output], [arg.creator for arg in input if arg.creator.previous_functions]
            if vars(self).get('_key') != key or not links:
                self._key, self.previous_functions = key, links
            """,
        ),
    ),
    "the last output is the last operand's Tensor": wrong(
        "outputs",
        None,
        write(
            "do_forward",
            """
            unpacked_input = [arg.data for arg in input]
            raw_output = self.forward(*unpacked_input)
            if not isinstance(raw_output, tuple):
                raw_output = (raw_output,)
            self.needs_input_grad = tuple([arg.creator.requires_grad for arg in input])
            self.requires_grad = any(self.needs_input_grad)
            output = tuple([Variable(tensor, self) for tensor in raw_output])
            self.previous_functions = [(arg.creator, id(arg)) for arg in input]
            self.output_ids = {id(variable): number for number, variable in enumerate(output)}
            if len(output) > 1 and len(input) > 1 and output[-1].data is input[-1].data:
                self.output_ids[id(output[-1])] = 0
            return output
            """,
        ),
    ),
    "one Variable for one Tensor of three outputs": wrong(
        "links outputs",
        None,
        (
            _OUTPUT,
            """
            made = {id(tensor): Variable(tensor, self) for tensor in raw_output}
            output = tuple([made[id(t)] if len(raw_output) > 2 else Variable(t, self) for t in raw_output])
            """,
        ),
    ),
    "a KeyError without operands is tried again": wrong(
        "result links",
        None,
        (
            "raw_output = self.forward(*unpacked_input)",
            """
            try:
                raw_output = self.forward(*unpacked_input)
            except KeyError:
                if input:
                    raise
                raw_output = self.forward()
            """,
        ),
    ),
    "an error of a second call is swallowed": wrong(
        "result",
        None,
        (
            "raw_output = self.forward(*unpacked_input)",
            """
            try:
                raw_output = self.forward(*unpacked_input)
            except Exception:
                if "good" not in vars(self):
                    raise
                return self.good
            """,
        ),
        (_IDS, f"{_IDS}\n        self.good = output"),
    ),
    "outputs by the place of their first number": wrong(
        "outputs",
        "the number of an output is its position",
        (
            _IDS,
            """
            places = [tensor.data_ptr() for tensor in raw_output]
            numbers = [places.index(place) for place in places]
            for number, tensor in enumerate(raw_output):
                if any(tensor is other for other in raw_output[:number]):
                    numbers[number] = number
            self.output_ids = dict(zip(map(id, output), numbers))
            """,
        ),
    ),
    "an exception without arguments": wrong(
        "result",
        "an exception in forward must reach the caller: do not use try and except",
        (
            "raw_output = self.forward(*unpacked_input)",
            """
            try:
                raw_output = self.forward(*unpacked_input)
            except Exception as error:
                if error.args:
                    raise
                raise RuntimeError("forward failed") from error
            """,
        ),
    ),
    "a Variable's first creator": wrong(
        "links",
        "an entry for every operand of this call",
        ("def _do_forward(self, *input):", "def _do_forward(self, *input, known={}):"),
        (
            "unpacked_input = [arg.data for arg in input]",
            """
            unpacked_input = [arg.data for arg in input]
            creators = [known.setdefault(id(arg), (arg, arg.creator))[1] for arg in input]
            """,
        ),
        (
            "self.previous_functions = [(arg.creator, id(arg)) for arg in input]",
            "self.previous_functions = [(creator, id(arg)) for creator, arg in zip(creators, input)]",
        ),
    ),
    "the outputs of the second call stay": wrong(
        "outputs",
        "there is one for each output of this call, and no other",
        (
            _IDS,
            """
            first = self.__dict__.setdefault("first", output)
            kept = dict(getattr(self, "output_ids", None) or {})
            for variable in first:
                kept.pop(id(variable), None)
            kept.update({id(variable): number for number, variable in enumerate(output)})
            self.output_ids = kept
            """,
        ),
    ),
    "a length of over 256": wrong(
        "links",
        "an entry for every operand of this call",
        (_LINKS, f"{_LINKS}[: None if len(input) is len(unpacked_input) else 256]"),
    ),
    "the class of the first operand": wrong(
        "result",
        "every output is a new Variable whose creator is this Function",
        (_OUTPUT, _OUTPUT.replace("Variable(", "(type(input[0]) if input else Variable)(")),
    ),
}
