"""Exercise 4: counting dependencies."""

import textwrap
from dataclasses import replace

from . import write, wrong

_CONSTANT = "if not prev_fn.requires_grad:\n                    continue\n                "
_SET_DEFAULT = "dependencies.setdefault(prev_fn, [0] * len(prev_fn.output_ids))"
_NEW = """if prev_fn not in dependencies:
                    dependencies[prev_fn] = [0] * len(prev_fn.output_ids)
                    queue.append(prev_fn)
                """
_COUNT = "dependencies[prev_fn][prev_fn.output_ids[arg_id]] += 1"


def _loop_along(place):
    """Code: a loop goes on with the new operand at that place of `new`, and a call of itself with each other."""
    return write(
        "engine",
        f"""
            dependencies = {{}}
            self._visit(function, dependencies)
            return dependencies

        def _visit(self, fn, dependencies):
            while fn is not None:
                new = []
                for prev_fn, arg_id in fn.previous_functions:
                    if prev_fn.requires_grad:
                        if prev_fn not in dependencies:
                            dependencies[prev_fn] = [0] * len(prev_fn.output_ids)
                            new.append(prev_fn)
                        dependencies[prev_fn][prev_fn.output_ids[arg_id]] += 1
                fn = new.pop({place}) if new else None
                for other in new:
                    self._visit(other, dependencies)
        """,
    )


RIGHT = {
    "Counters, as in 2016": [
        write(
            "engine",
            """
            from collections import Counter

            dependencies, seen, queue = {}, {function}, [function]
            while queue:
                fn = queue.pop()
                for prev_fn, arg_id in fn.previous_functions:
                    if prev_fn.requires_grad:
                        counters = dependencies.setdefault(prev_fn, [Counter() for _ in prev_fn.output_ids])
                        counters[prev_fn.output_ids[arg_id]][fn] += 1
                        if prev_fn not in seen:
                            seen.add(prev_fn)
                            queue.append(prev_fn)
            return dependencies
            """,
        ),
        write(
            "engine",
            """
            number = prev_fn.output_ids[arg_id]
            consumers = dependencies[prev_fn][number]
            consumers[fn] -= 1
            if consumers[fn] == 0:
                del consumers[fn]
            return number
            """,
            2,
        ),
        write("engine", "return all(not consumers for consumers in dependencies[function])", 3),
    ],
    "first all Functions, then their uses": [
        write(
            "engine",
            """
            order = [function]
            found = {id(function)}
            for fn in order:
                for prev_fn, _ in fn.previous_functions:
                    if prev_fn.requires_grad and id(prev_fn) not in found:
                        found.add(id(prev_fn))
                        order.append(prev_fn)
            uses = {fn: [0 for _ in fn.output_ids] for fn in order[1:]}
            for fn in order:
                for prev_fn, arg_id in fn.previous_functions:
                    if prev_fn in uses:
                        uses[prev_fn][prev_fn.output_ids[arg_id]] += 1
            return uses
            """,
        ),
        write("engine", "return sum(dependencies[function]) == 0", 3),
    ],
    "Black's line breaks and type hints": [
        write(
            "engine",
            """
            counts: dict = {}
            waiting: list = [function]
            for fn in waiting:
                for (
                    prev_fn,
                    arg_id,
                ) in fn.previous_functions:
                    if (
                        prev_fn.requires_grad
                        and prev_fn
                        not in counts
                    ):
                        counts[prev_fn] = [0] * len(prev_fn.output_ids)
                        waiting.append(prev_fn)
                    if prev_fn in counts:
                        counts[prev_fn][
                            prev_fn.output_ids[arg_id]
                        ] += 1
            return counts
            """,
        ),
        write("engine", "return (\n    sum(dependencies[function])\n    % 10**9\n    == 0\n)", 3),
    ],
    "defaultdicts and a generator": [
        write(
            "engine",
            """
            from collections import defaultdict

            def uses():
                seen, stack = set(), [function]
                while stack:
                    fn = stack.pop()
                    if fn in seen:
                        continue
                    seen.add(fn)
                    for prev_fn, arg_id in fn.previous_functions:
                        if prev_fn.requires_grad:
                            yield prev_fn, prev_fn.output_ids[arg_id]
                            stack.append(prev_fn)

            counts = {}
            for prev_fn, number in uses():
                counts.setdefault(prev_fn, [0 for _ in prev_fn.output_ids])[number] += 1
            return counts
            """,
        ),
        write("engine", "return max(dependencies[function], default=0) < 1", 3),
    ],
    "walrus and lambda": [
        write("engine", "dependencies[prev_fn][n := prev_fn.output_ids[arg_id]] -= 1\nreturn n", 2),
        write("engine", "return (lambda counts: all(map(lambda count: not count, counts)))(dependencies[function])", 3),
    ],
    "numpy arrays as counts": [
        write(
            "engine",
            """
            import numpy

            order, dependencies = [function], {}
            while order:
                for prev_fn, arg_id in (fn := order.pop()).previous_functions:
                    if not prev_fn.requires_grad:
                        continue
                    if prev_fn not in dependencies:
                        dependencies[prev_fn] = [0 for _ in range(len(prev_fn.output_ids))]
                        order.append(prev_fn)
                    dependencies[prev_fn] = list(numpy.array(dependencies[prev_fn]) + [
                        int(n == prev_fn.output_ids[arg_id]) for n in range(len(prev_fn.output_ids))
                    ])
            return {fn: [int(n) for n in counts] for fn, counts in dependencies.items()}
            """,
        ),
    ],
    "deques, helpers and a class for the counts": [
        (
            "class Engine:",
            """
            from collections import deque


            class Uses(list):
                def drop(self, number):
                    self[number] = self[number] - 1
                    return number


            class Engine:
                @staticmethod
                def _needs(pairs):
                    return [pair for pair in pairs if pair[0].requires_grad]

            """,
        ),
        write(
            "engine",
            """
            found, waiting, met = {}, deque([function]), {function}
            while waiting:
                for operand, key in self._needs(waiting.popleft().previous_functions):
                    uses = found.get(operand)
                    if uses is None:
                        uses = found[operand] = Uses(0 for _ in operand.output_ids)
                    uses[operand.output_ids[key]] += 1
                    if operand not in met:
                        met.add(operand)
                        waiting.append(operand)
            return found
            """,
        ),
        write("engine", "return dependencies[prev_fn].drop(prev_fn.output_ids[arg_id])", 2),
        write("engine", "for uses in dependencies[function]:\n    if uses > 0:\n        return False\nreturn True", 3),
    ],
    "keys that are looked up in a flat dictionary": [
        write(
            "engine",
            """
            flat, stack, seen = {}, [function], {id(function)}
            sizes = {}
            while stack:
                fn = stack.pop(0) if len(stack) % 2 else stack.pop()
                for prev_fn, arg_id in reversed(fn.previous_functions):
                    if not prev_fn.requires_grad:
                        continue
                    sizes[prev_fn] = len(prev_fn.output_ids)
                    place = prev_fn, prev_fn.output_ids[arg_id]
                    flat[place] = flat.get(place, 0) + 1
                    if id(prev_fn) not in seen:
                        seen.add(id(prev_fn))
                        stack.append(prev_fn)
            return {fn: [flat.get((fn, number), 0) for number in range(size)] for fn, size in sizes.items()}
            """,
        ),
        write(
            "engine",
            """
            position = list(prev_fn.output_ids).index(arg_id)
            counts = list(dependencies[prev_fn])
            counts[position] -= 1
            dependencies[prev_fn] = counts
            return position
            """,
            2,
        ),
        write("engine", "return not [count for count in dependencies[function] if count]", 3),
    ],
    "marks that are taken away again": [
        write(
            "engine",
            """
            dependencies, met = {}, [function]
            function._met = True
            for fn in met:
                for prev_fn, arg_id in fn.previous_functions:
                    if prev_fn.requires_grad:
                        if not getattr(prev_fn, "_met", False):
                            prev_fn._met = True
                            met.append(prev_fn)
                        if prev_fn not in dependencies:
                            dependencies[prev_fn] = [0] * len(prev_fn.output_ids)
                        dependencies[prev_fn][prev_fn.output_ids[arg_id]] += 1
            for fn in met:
                del fn._met
            return dependencies
            """,
        ),
    ],
    "whole numbers of NumPy, and answers that are 0 and 1": [
        write(
            "engine",
            """
            import numpy

            dependencies, queue = {}, [function]
            while queue:
                fn = queue.pop()
                for prev_fn, arg_id in fn.previous_functions:
                    if prev_fn.requires_grad:
                        if prev_fn not in dependencies:
                            dependencies[prev_fn] = list(numpy.zeros(len(prev_fn.output_ids), int))
                            queue.append(prev_fn)
                        dependencies[prev_fn][prev_fn.output_ids[arg_id]] += numpy.int64(1)
            return dependencies
            """,
        ),
        write("engine", "return int(sum(dependencies[function]) == 0)", 3),
    ],
    "a subclass of dict": [
        write(
            "engine",
            """
            class Counts(dict):
                def __missing__(self, fn):
                    new.append(fn)
                    self[fn] = [0] * len(fn.output_ids)
                    return self[fn]

            counts, new = Counts(), [function]
            while new:
                for prev_fn, arg_id in new.pop().previous_functions:
                    if prev_fn.requires_grad:
                        counts[prev_fn][prev_fn.output_ids[arg_id]] += 1
            return counts
            """,
        ),
    ],
    "arrays of counts": [
        (
            "        return dependencies\n",
            "        return {fn: __import__('numpy').array(counts) for fn, counts in dependencies.items()}\n",
        ),
    ],
}

METHODS = ("_compute_dependencies", "_free_backward_dependency", "_is_ready_for_backward")
WRONG = {
    "an edge is counted once": wrong(
        "count random",
        "an operation that uses an output twice counts as two uses",
        ("        queue = [function]", "        queue, edges = [function], set()"),
        (
            _COUNT,
            f"if (fn, prev_fn) not in edges:\n                    {_COUNT}\n                edges.add((fn, prev_fn))",
        ),
    ),
    "every way is gone": wrong(
        "count large random",
        "the operands of a Function with two consumers were visited",
        (_NEW, f"{_SET_DEFAULT}\n                queue.append(prev_fn)\n                "),
        seconds=1,
    ),
    "a number for each Function": wrong(
        "count free ready random",
        "each output has a count of its own: a list, with one entry for each of prev_fn.output_ids",
        ("[0] * len(prev_fn.output_ids)", "0"),
        ("[prev_fn][prev_fn.output_ids[arg_id]] += 1", "[prev_fn] += 1"),
        ("dependencies[prev_fn][output_nr] -= 1", "dependencies[prev_fn] -= 1"),
        ("return not any(dependencies[function])", "return dependencies[function] == 0"),
    ),
    "counted at the first meeting only": wrong(
        "count random",
        "an operation that uses an output twice counts as two uses",
        (_NEW + _COUNT, f"{_NEW}    {_COUNT}"),
    ),
    "recursion": wrong(
        "large",
        "a recursive function overflows the stack on a long chain; use a list and a loop",
        write(
            "engine",
            """
            dependencies = {}

            def visit(fn):
                for prev_fn, arg_id in fn.previous_functions:
                    if prev_fn.requires_grad:
                        if prev_fn not in dependencies:
                            dependencies[prev_fn] = [0] * len(prev_fn.output_ids)
                            visit(prev_fn)
                        dependencies[prev_fn][prev_fn.output_ids[arg_id]] += 1

            visit(function)
            return dependencies
            """,
        ),
    ),
    "outputs are not told apart": wrong(
        "count random",
        "of the output of prev_fn that output_ids[arg_id] names",
        (_COUNT, "dependencies[prev_fn][0] += 1"),
    ),
    "one count for a Function": wrong(
        "count free ready random",
        "each output has a count of its own",
        ("[0] * len(prev_fn.output_ids)", "0"),
        (_COUNT, "dependencies[prev_fn] += 1"),
    ),
    "constants are counted": wrong("constants", "its count never falls", (_CONSTANT, "")),
    "the root is counted": wrong(
        "constants", "z is the root", ("dependencies = {}", "dependencies = {function: [0] * len(function.output_ids)}")
    ),
    "counts are kept": wrong(
        "count constants large",
        "begin each call with an empty dictionary",
        ("class Engine:", "KEPT = {}\n\n\nclass Engine:"),
        ("dependencies = {}", "dependencies = KEPT"),
    ),
    "a list is searched": wrong(
        "large",
        "either a loop never ends, or the same work is repeated many times",
        ("        queue = [function]", "        queue, seen = [function], []"),
        ("if prev_fn not in dependencies:\n", "if prev_fn not in seen:\n                    seen.append(prev_fn)\n"),
        seconds=1,
    ),
    "nothing is returned": wrong("free random", "return the number", ("return output_nr", "return None")),
    "nothing is freed": wrong(
        "free random",
        "subtract 1 from the count of that output",
        ("dependencies[prev_fn][output_nr] -= 1", "dependencies[prev_fn][output_nr] -= 0"),
    ),
    "the wrong Function is asked": wrong(
        "free ready random",
        "look it up in prev_fn.output_ids",
        ("output_nr = prev_fn.output_ids", "output_nr = fn.output_ids"),
    ),
    "always output 0": wrong(
        "free random",
        "returns its number: prev_fn.output_ids[arg_id]",
        ("output_nr = prev_fn.output_ids[arg_id]", "output_nr = 0"),
    ),
    "all uses are freed at once": wrong(
        "free random", "each call subtracts 1 from the count of one output", ("[output_nr] -= 1", "[output_nr] = 0")
    ),
    "popped too early": wrong(
        "ready random",
        "no use of any of its outputs is left",
        ("not any(dependencies[function])", "not all(dependencies[function])"),
    ),
    "ready at the first": wrong(
        "ready random", "a Function waits until none of its uses is left", ("not any(dependencies[function])", "True")
    ),
    "two outputs are never ready": wrong(
        "ready random",
        "no use of any of its outputs is left",
        write("engine", "counts = dependencies[function]\nreturn not any(counts) and len(counts) == 1", 3),
    ),
    "the package's own": wrong(
        "count constants large free ready random",
        "the package's own is not available here",
        (
            "class Engine:",
            "from legacy_autograd.autograd.engine import ExecutionEngine\n\n\nclass Engine(ExecutionEngine):",
        ),
        *[(f"def {name}(", f"def my{name}(") for name in METHODS],
    ),
    "the last operand is left out": wrong(
        "count constants large free ready random",
        "an operation that uses an output twice counts as two uses: two gradients will arrive",
        ("in fn.previous_functions:", "in fn.previous_functions[: max(1, len(fn.previous_functions) - 1)]:"),
    ),
    "only two operands": wrong(
        "count random",
        "an operation that uses an output twice counts as two uses: two gradients will arrive",
        ("in fn.previous_functions:", "in set(fn.previous_functions):"),
    ),
    "counts of two at most": wrong(
        "count random",
        "visit the operands of each Function once",
        (_COUNT, f"{_COUNT}\n                dependencies[prev_fn] = [min(n, 2) for n in dependencies[prev_fn]]"),
    ),
    "the last output alone": wrong(
        "count random",
        "visit the operands of each Function once",
        (_COUNT, "dependencies[prev_fn][-1] += 1"),
    ),
    "two lists for two outputs": wrong(
        "count free random",
        "visit the operands of each Function once",
        ("[0] * len(prev_fn.output_ids)", "[0] * 2"),
    ),
    "one output for all": wrong(
        "count free ready random", "each output has a count of its own", ("[0] * len(prev_fn.output_ids)", "[0]")
    ),
    "links are taken away": wrong(
        "random",
        "counting changes nothing: the backward that follows needs",
        (
            "        return dependencies",
            "        for fn in dependencies:\n            fn.previous_functions = []\n        return dependencies",
        ),
    ),
    "a second drawing must be equal: store nothing on the": wrong(
        "count",
        "counting changes nothing",
        (
            "if prev_fn not in dependencies:\n",
            "if not hasattr(prev_fn, 'met'):\n                    prev_fn.met = True\n",
        ),
    ),
    "counts on the class": wrong(
        "count constants large",
        "begin each call with an empty dictionary",
        ("dependencies = {}", "dependencies = Engine.__dict__.get('counts', {})\n        Engine.counts = dependencies"),
    ),
    "freed twice": wrong(
        "free random",
        "each call subtracts 1 from the count of one output in the dictionary",
        ("dependencies[prev_fn][output_nr] -= 1", "dependencies[prev_fn][output_nr] -= 2"),
    ),
    "freed without limit": wrong(
        "random",
        "each call subtracts 1 from the count of one output in the dictionary",
        (
            "dependencies[prev_fn][output_nr] -= 1",
            "dependencies[prev_fn] = [max(0, n - 1) for n in dependencies[prev_fn]]",
        ),
    ),
    "freed at the consumer": wrong(
        "free ready random",
        "dependencies has no entry for this Function",
        ("dependencies[prev_fn][output_nr] -= 1", "dependencies[fn][output_nr] -= 1"),
    ),
    "freed and added": wrong(
        "free random",
        "each call subtracts 1 from the count of one output in the dictionary",
        ("dependencies[prev_fn][output_nr] -= 1", "dependencies[prev_fn][output_nr] += 1"),
    ),
    "ready when the first output is": wrong(
        "ready random",
        "a Function is ready when no use of any of its outputs is left",
        ("not any(dependencies[function])", "not dependencies[function][0]"),
    ),
    "ready when the last output is": wrong(
        "random",
        "a Function is ready when no use of any of its outputs is left",
        ("not any(dependencies[function])", "not dependencies[function][-1]"),
    ),
    "ready with one use left": wrong(
        "ready random",
        "a Function waits until none of its uses is left",
        ("not any(dependencies[function])", "sum(dependencies[function]) <= 1"),
    ),
    "ready is asked of the wrong side": wrong(
        "ready random",
        "a Function waits until none of its uses is left",
        ("not any(dependencies[function])", "any(dependencies[function])"),
    ),
    "exceptions are swallowed": wrong(
        "count random",
        "visit the operands of each Function once",
        (
            _COUNT,
            "try:\n                    dependencies[prev_fn][arg_id] += 1\n"
            "                except Exception:\n                    pass",
        ),
    ),
    "the order of ids": wrong(
        "count random",
        "visit the operands of each Function once",
        (
            _COUNT,
            "dependencies[prev_fn][sorted(prev_fn.output_ids).index(arg_id)] += 0 if arg_id in fn.output_ids else 2",
        ),
    ),
    "a thousand Functions": wrong(
        "large",
        "an entry for each Function that is reached from the root",
        ("while queue:", "while queue and len(dependencies) < 1000:"),
    ),
    "two operands of three": wrong(
        "random",
        "visit the operands of each Function once",
        ("for prev_fn, arg_id in fn.previous_functions:", "for prev_fn, arg_id in fn.previous_functions[:2]:"),
    ),
    "nine uses at most": wrong(
        "count",
        "visit the operands of each Function once",
        (
            "dependencies[prev_fn][prev_fn.output_ids[arg_id]] += 1",
            "number = prev_fn.output_ids[arg_id]\n                "
            "dependencies[prev_fn][number] = min(9, 1 + dependencies[prev_fn][number])",
        ),
    ),
    "three outputs at most": wrong(
        "random",
        "visit the operands of each Function once",
        ("[0] * len(prev_fn.output_ids)", "[0] * min(3, len(prev_fn.output_ids))"),
    ),
    "visited Functions are marked": wrong(
        "count random",
        None,
        (
            "if prev_fn not in dependencies:\n",
            "if prev_fn not in dependencies:\n"
            "                    if getattr(prev_fn, 'visited', None) == len(prev_fn.output_ids) + 10:\n"
            "                        continue\n"
            "                    prev_fn.visited = len(prev_fn.output_ids) + 10\n",
        ),
    ),
    "marked with the engine": wrong(
        "count random",
        None,
        (
            "if prev_fn not in dependencies:\n                    ",
            "if prev_fn not in dependencies:\n                    if getattr(prev_fn, 'by', None) is self:\n"
            "                        dependencies[prev_fn] = [0] * len(prev_fn.output_ids)\n"
            "                        dependencies[prev_fn][prev_fn.output_ids[arg_id]] += 1\n"
            "                        continue\n                    prev_fn.by = self\n                    ",
        ),
    ),
    "counts are cached for each root": wrong(
        "free random",
        None,
        ("class Engine:", "from functools import lru_cache\n\n\nclass Engine:"),
        ("    def _compute_dependencies(", "    @lru_cache(maxsize=None)\n    def _compute_dependencies("),
    ),
    "counts are cached on the root": wrong(
        "free random",
        None,
        (
            "dependencies = {}",
            "if hasattr(function, 'counts'):\n            return function.counts\n"
            "        dependencies = function.counts = {}",
        ),
    ),
    "counts are cached by the id of the root": wrong(
        "free random",
        None,
        ("class Engine:", "KNOWN = {}\n\n\nclass Engine:"),
        (
            "dependencies = {}",
            "if id(function) in KNOWN and KNOWN[id(function)][0] is function:\n"
            "            return KNOWN[id(function)][1]\n"
            "        dependencies = {}\n        KNOWN[id(function)] = function, dependencies",
        ),
    ),
    "copies share the lists of counts": wrong(
        "free random",
        None,
        (
            "dependencies = {}",
            "if hasattr(function, 'counts'):\n            return dict(function.counts)\n"
            "        dependencies = function.counts = {}",
        ),
    ),
    "what is freed is looked up on the engine": wrong(
        "free random",
        None,
        ("dependencies = {}", "dependencies = self.dependencies = {}"),
        ("dependencies[prev_fn][output_nr] -= 1", "self.dependencies[prev_fn][output_nr] -= 1"),
    ),
    "the engine says what is ready": wrong(
        "ready random",
        None,
        ("dependencies = {}", "dependencies = self.dependencies = {}"),
        ("not any(dependencies[function])", "not any(self.dependencies[function])"),
    ),
    "the class says what is ready": wrong(
        "ready random",
        None,
        ("dependencies = {}", "dependencies = Engine.dependencies = {}"),
        ("not any(dependencies[function])", "not any(Engine.dependencies[function])"),
    ),
    "ready is the one that was freed last": wrong(
        "ready random",
        None,
        (
            "output_nr = prev_fn.output_ids[arg_id]",
            "output_nr = prev_fn.output_ids[arg_id]\n        self.last = prev_fn",
        ),
        ("not any(dependencies[function])", "not any(dependencies[getattr(self, 'last', function)])"),
    ),
    "the first output with uses is freed": wrong(
        "free random",
        None,
        (
            "output_nr = prev_fn.output_ids[arg_id]",
            "output_nr = next((n for n, count in enumerate(dependencies[prev_fn]) if count), 0)",
        ),
    ),
    "the first dictionary is kept": wrong(
        "free random",
        None,
        ("    def _free_backward", "    kept = None\n\n    def _free_backward"),
        (
            "output_nr = prev_fn.output_ids[arg_id]",
            "self.kept = self.kept or dependencies\n"
            "        dependencies = self.kept if prev_fn in self.kept else dependencies\n"
            "        output_nr = prev_fn.output_ids[arg_id]",
        ),
    ),
    "a Function with a use of 0 left is gone": wrong(
        "ready random",
        None,
        (
            "dependencies[prev_fn][output_nr] -= 1",
            "dependencies[prev_fn][output_nr] -= 1\n        if not any(dependencies[prev_fn]):\n"
            "            del dependencies[prev_fn]",
        ),
    ),
    "the operands of constants are visited": wrong(
        "constants",
        "requires a gradient, and for no other",
        (
            _CONSTANT,
            "if not prev_fn.requires_grad:\n                    queue.append(prev_fn)\n"
            "                    continue\n                ",
        ),
    ),
    "a path of a constant ends the search": wrong(
        "constants", None, (_CONSTANT, "if not prev_fn.requires_grad:\n                    break\n                ")
    ),
    "leaves alone require a gradient": wrong(
        "constants",
        None,
        ("if not prev_fn.requires_grad:", "if not prev_fn.previous_functions and not prev_fn.requires_grad:"),
    ),
    "the ids of outputs are taken away": wrong(
        "free ready random",
        None,
        (
            "output_nr = prev_fn.output_ids[arg_id]",
            "output_nr = prev_fn.output_ids[arg_id]\n"
            "        prev_fn.output_ids = dict(prev_fn.output_ids)\n        prev_fn.output_ids.pop(arg_id)",
        ),
    ),
    "links are sorted": wrong(
        "count random",
        "counting changes nothing",
        ("fn = queue.pop()", "fn = queue.pop()\n            fn.previous_functions.sort(key=lambda pair: -pair[1])"),
    ),
    "the root comes first of all": wrong(
        "free random",
        None,
        (
            "dependencies[prev_fn][output_nr] -= 1",
            "dependencies[prev_fn][output_nr] -= 1 if fn.previous_functions[0][0] is prev_fn else 0",
        ),
    ),
    "counts of one byte": wrong(
        "large", "visit the operands of each Function once", (_COUNT, f"{_COUNT[:-5]} = ({_COUNT[:-5]} + 1) % 256")
    ),
    "requires_grad is remembered": wrong(
        "constants random",
        "that is reached from the root and requires a gradient",
        (
            "if not prev_fn.requires_grad:",
            """
            known = globals().setdefault("_needs", {})
            if not known.setdefault(prev_fn, prev_fn.requires_grad):
            """,
        ),
    ),
    "what required no gradient is marked": wrong(
        "constants random",
        "counting changes nothing",
        (
            "if not prev_fn.requires_grad:",
            """
            if not prev_fn.requires_grad or getattr(prev_fn, "skip", False):
                prev_fn.skip = True
            """,
        ),
    ),
    "freed uses are remembered by the id of the dictionary": wrong(
        "free random",
        "each call subtracts 1",
        (
            "dependencies[prev_fn][output_nr] -= 1",
            """
            done = self.__dict__.setdefault("done", {})
            key = id(dependencies), fn, arg_id
            done[key] = done.get(key, 0) + 1
            if done[key] <= [i for _, i in fn.previous_functions].count(arg_id):
                dependencies[prev_fn][output_nr] -= 1
            """,
        ),
    ),
    "the number of an id from an earlier count": wrong(
        "free random",
        None,
        (
            _COUNT,
            "self.__dict__.setdefault('numbers', {}).setdefault(arg_id, prev_fn.output_ids[arg_id])\n"
            f"                {_COUNT}",
        ),
        (
            "output_nr = prev_fn.output_ids[arg_id]",
            "output_nr = self.__dict__.get('numbers', {}).get(arg_id, prev_fn.output_ids[arg_id])",
        ),
    ),
    "ready after the first four outputs": wrong(
        "ready random",
        None,
        ("not any(dependencies[function])", "not any(count for count, _ in zip(dependencies[function], 'abcd'))"),
    ),
    "a mark on constants": wrong(
        "constants",
        None,
        ("if not prev_fn.requires_grad:", "if not prev_fn.requires_grad:\n                    prev_fn.constant = True"),
    ),
    "a mark on the root": wrong("count", None, ("queue = [function]", "queue, function.counted = [function], True")),
    "entries vanish with the graph": wrong(
        "count", None, ("dependencies = {}", "import weakref\n        dependencies = weakref.WeakKeyDictionary()")
    ),
    "behind a constant of two outputs": wrong(
        "constants random",
        None,
        (
            _CONSTANT,
            """
            if not prev_fn.requires_grad:
                if len(prev_fn.output_ids) > 1:
                    queue.append(prev_fn)
                continue
            """,
        ),
    ),
    "a second engine gets the dictionary of the first": wrong(
        "count",
        "return a new dictionary",
        (
            "return dependencies\n",
            """
            last, owner = vars(Engine).get("last", (None, None))
            if last == dependencies and owner != id(self):
                return last
            Engine.last = dependencies, id(self)
            return dependencies
            """,
        ),
    ),
    "one table of numbers for all Functions": wrong(
        "free",
        None,
        write(
            "engine",
            """
            dependencies = {}
            queue = [function]
            numbers = {}
            while queue:
                fn = queue.pop()
                for prev_fn, arg_id in fn.previous_functions:
                    if not prev_fn.requires_grad:
                        continue
                    if prev_fn not in dependencies:
                        dependencies[prev_fn] = [0] * len(prev_fn.output_ids)
                        queue.append(prev_fn)
                    for key, number in prev_fn.output_ids.items():
                        numbers.setdefault(key, number)
                    dependencies[prev_fn][min(numbers[arg_id], len(prev_fn.output_ids) - 1)] += 1
            return dependencies
            """,
        ),
    ),
    "a loop along last operands": wrong("large", None, _loop_along("-1")),
    "a loop along operands that are no leaves": wrong(
        "large", None, _loop_along("next((k for k, f in enumerate(new) if f.previous_functions), 0)")
    ),
    "the last of equal counts": wrong(
        "free",
        None,
        write(
            "engine",
            """
            nr = prev_fn.output_ids[arg_id]
            counts = dependencies[prev_fn]
            if len(counts) > 2 and len(set(counts)) == 1:
                counts[-1] -= 1
            else:
                counts[nr] -= 1
            return nr
            """,
            2,
        ),
    ),
}

_HIGHER = "import sys\n\nsys.setrecursionlimit(10**6)\n"
_OVERFLOWS = WRONG["recursion"].changes[0]
WRONG["recursion with a higher limit"] = wrong(
    "large", "use a list and a loop", replace(_OVERFLOWS, code=_HIGHER + textwrap.dedent(_OVERFLOWS.code))
)
