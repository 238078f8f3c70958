"""Exercise 4: counting dependencies."""

from . import write, wrong

_CONSTANT = "if not prev_fn.requires_grad:\n                    continue\n                "
_SET_DEFAULT = "dependencies.setdefault(prev_fn, [0] * len(prev_fn.output_ids))"
_NEW = """if prev_fn not in dependencies:
                    dependencies[prev_fn] = [0] * len(prev_fn.output_ids)
                    queue.append(prev_fn)
                """
_COUNT = "dependencies[prev_fn][prev_fn.output_ids[arg_id]] += 1"

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
}

WRONG = {
    "an edge is counted once": wrong(
        "count random",
        "two gradients will come",
        ("        queue = [function]", "        queue, edges = [function], set()"),
        (
            _COUNT,
            f"if (fn, prev_fn) not in edges:\n                    {_COUNT}\n                edges.add((fn, prev_fn))",
        ),
    ),
    "every way is gone": wrong(
        "count large random",
        "looked at twice",
        (_NEW, f"{_SET_DEFAULT}\n                queue.append(prev_fn)\n                "),
        seconds=1,
    ),
    "counted at the first meeting only": wrong(
        "count random", "two gradients will come", (_NEW + _COUNT, f"{_NEW}    {_COUNT}")
    ),
    "recursion": wrong(
        "large",
        "a function that calls itself once for every step",
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
        "count random", "not every use is of output 0", (_COUNT, "dependencies[prev_fn][0] += 1")
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
        "the counts of the first call are still there",
        ("class Engine:", "KEPT = {}\n\n\nclass Engine:"),
        ("dependencies = {}", "dependencies = KEPT"),
    ),
    "a list is searched": wrong(
        "large",
        "the same work is done again and again",
        ("        queue = [function]", "        queue, seen = [function], []"),
        ("if prev_fn not in dependencies:\n", "if prev_fn not in seen:\n                    seen.append(prev_fn)\n"),
        seconds=1,
    ),
    "nothing is returned": wrong("free random", "return the number", ("return output_nr", "return None")),
    "nothing is freed": wrong(
        "free random",
        "is to fall by one",
        ("dependencies[prev_fn][output_nr] -= 1", "dependencies[prev_fn][output_nr] -= 0"),
    ),
    "the wrong Function is asked": wrong(
        "free ready random",
        "look it up in prev_fn.output_ids",
        ("output_nr = prev_fn.output_ids", "output_nr = fn.output_ids"),
    ),
    "always output 0": wrong(
        "free", "the second here is number 1", ("output_nr = prev_fn.output_ids[arg_id]", "output_nr = 0")
    ),
    "all uses are freed at once": wrong("free random", "not all of them", ("[output_nr] -= 1", "[output_nr] = 0")),
    "popped too early": wrong(
        "ready random",
        "no count may be left, not one",
        ("not any(dependencies[function])", "not all(dependencies[function])"),
    ),
    "ready at the first": wrong(
        "ready random", "waits until no use of it is left", ("not any(dependencies[function])", "True")
    ),
    "two outputs are never ready": wrong(
        "ready random",
        "no count may be left, not one",
        write("engine", "counts = dependencies[function]\nreturn not any(counts) and len(counts) == 1", 3),
    ),
    "the package's own": wrong(
        "count constants large free ready random",
        "is not lent",
        (
            "class Engine:",
            "from legacy_autograd.autograd.engine import ExecutionEngine\n\n\nclass Engine(ExecutionEngine):",
        ),
    ),
}
