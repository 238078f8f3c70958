"""The engines that a student's program of exercise 6 runs with: the five faulty ones, and one that is only correct."""

import ast
import re

from .. import template

_GIVEN = [cell.source for cell in template.parse(template.text("06_find_and_fix")) if cell.kind == "given"]
PARTS = next(source for source in _GIVEN if "class Parts:" in source)
_EVERY_WAY = '''
class Engine(Parts):
    """Carries a gradient along every way from the root to a leaf, alone. The leaves add them up.

    The gradients are correct, because each backward is linear, but a Function runs once for each way that leads to it.
    So a student can not use this engine as an answer.
    """

    def run_backward(self, variable, grad, retain_variables=True):
        waiting, ways = [(variable.creator, id(variable), grad)], 0
        while waiting:
            fn, arg_id, grad = waiting.pop()
            gradients = [None] * len(fn.output_ids)
            gradients[fn.output_ids[arg_id]] = grad
            found = self.run(fn, gradients)
            waiting += [
                (prev_fn, key, grad)
                for (prev_fn, key), grad in zip(fn.previous_functions, found)
                if prev_fn.requires_grad and grad is not None
            ]
            ways += 1
            if ways > 20_000:
                raise RuntimeError("the graph has too many ways from its end to its leaves: a smaller one is enough")
'''


def _engine(name):
    """Return the source of a class Engine that is the class `name` of the text."""
    (source,) = [source for source in _GIVEN if f"class {name}(" in source]
    return f"{PARTS}\n" + re.sub(rf"class {name}\(\w+\):", "class Engine(Parts):", source)


def _with_other_code(source, statements):
    """Return an engine's source that does the same, with this many further statements in each method."""
    tree = ast.parse(source)
    for method in ast.walk(tree):
        if isinstance(method, ast.FunctionDef):
            own = method.args.args[0].arg
            lines = [f"extra_{n} = {own} is None and {own}.name_{n} or {n + 1000}" for n in range(statements)]
            method.body[:0] = ast.parse("\n".join(lines)).body
    return ast.unparse(tree)


def drawn(number, chance):
    """Return pairs of a name and a source: 1 to 5 and "right", in an order that `chance` draws, some several times.

    Engine `number` and the right one are there three times. All have the same names and the same file, and other code
    in each run: a program must compare gradients.
    """
    sources = {other: _engine(f"Engine{other}") for other in range(1, 6)} | {"right": f"{PARTS}\n{_EVERY_WAY}"}
    runs = [*sources, *[number, "right"] * 2]
    chance.shuffle(runs)
    return [(key, _with_other_code(sources[key], place)) for place, key in enumerate(runs)]
