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
}

WRONG = {
    "forward gets Variables": wrong(
        "result", "forward is to be given the Tensors", ("[arg.data for arg in input]", "input")
    ),
    "a single Tensor is taken apart": wrong(
        "result needs links outputs backward",
        "a single Tensor is not a tuple yet",
        (
            "if not isinstance(raw_output, tuple):\n            raw_output = (raw_output,)",
            "raw_output = tuple(raw_output)",
        ),
    ),
    "a tuple in a tuple": wrong(
        "result links outputs backward",
        "a tuple already",
        ("if not isinstance(raw_output, tuple):\n            raw_output = (raw_output,)", "raw_output = (raw_output,)"),
    ),
    "a single output is not a tuple": wrong(
        "result",
        "a tuple also where there is one",
        ("return output\n        #", "return output if len(output) > 1 else output[0]\n        #"),
    ),
    "outputs are leaves": wrong(
        "result needs backward", "without a creator is a leaf", (_OUTPUT, _OUTPUT.replace(", self", ""))
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
        "needs", "nothing it was made from does", ("any(self.needs_input_grad)", "True")
    ),
    "one answer for all operands": wrong(
        "needs",
        "one answer for each operand",
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
        "both need an entry",
        (_LINKS, "self.previous_functions = list({id(arg): (arg.creator, id(arg)) for arg in input}.values())"),
    ),
    "constants are left out": wrong(
        "links backward", "shifts the others", (_LINKS, _LINKS.replace("input]", "input if arg.creator.requires_grad]"))
    ),
    "the operands backwards": wrong(
        "links backward", "must stand in the same", (_LINKS, _LINKS.replace("in input", "in input[::-1]"))
    ),
    "numbers lead to ids": wrong(
        "outputs backward",
        "the id is the key",
        (_IDS, "self.output_ids = {number: id(variable) for number, variable in enumerate(output)}"),
    ),
    "every output is number 0": wrong(
        "outputs backward", "the second output is number 1", (_IDS, "self.output_ids = {id(v): 0 for v in output}")
    ),
    "the ids of the Tensors": wrong(
        "outputs backward",
        "of the Variable that is returned",
        (_IDS, _IDS.replace("id(variable)", "id(variable.data)")),
    ),
    "the package's own": wrong(
        "result needs links outputs backward", "is not lent", write("do_forward", "return super()._do_forward(*input)")
    ),
}
