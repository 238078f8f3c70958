"""The programs that count uses, and count them down: what exercise 4 draws."""

BOTH_SIDES = (  # lines of a program with the leaf x: z has long chains of middle and of only operands
    "new = lambda: Variable(DoubleTensor([0.5]))",
    "z = x",
    "for _ in range(1_100): z = Total(new() * 2, z, x, new() * 2)",
    "w = x",
    "for _ in range(1_100): w = w * 2",
    "z = Second(w, z)",  # no gradient reaches the chain w
)


def _creator(name, graph):
    return f"{name}[0].creator" if f"{name}[0]" in graph.differentiable else f"{name}.creator"


def _uses_behind(root, graph):
    """Return the pairs (operand, the result or tuple that it is an operand of) behind a root, in a random order."""
    found, names = [], [root.partition("[")[0]]
    for name in names:
        for operand in graph.operands.get(name, ()):
            if graph.requires(operand) and operand not in graph.cut:
                found.append((operand, name))
                names += {operand.partition("[")[0]} - set(names)
    return [found[place] for place in graph.draw.order(len(found))]


def _counting(graph, engine, root=None, d=None):
    """Add a line that counts. Return (the dictionary, the root, its uses that are left, those that were freed).

    `d` is a dictionary that is gone before: the new one may get its id.
    """
    if d:
        graph.add(f"{d} = None")
    name, d = root or graph.root()[0], d or graph.name("d")
    graph.add(f"{d} = {engine}._compute_dependencies({name}.creator)")
    return d, name, _uses_behind(name, graph), []


def writes(kinds, frees=0.0, asks=0.0, most=6, cuts=0.0):
    """Return a function that writes programs: `frees` and `asks` are the probabilities of calls for each use."""

    def make(graph):
        draw, graph.cut = graph.draw, set()
        graph.some_leaves()
        graph.steps(kinds, draw.whole(1, most))
        inner = [name for name in graph.differentiable if name.partition("[")[0] in graph.operands]
        if inner[1:] and draw.chance(cuts):
            _cut(graph, draw.one_of(inner[:-1]))
        engines, again = ["e"], draw.pick("again")
        graph.add("e = Engine()")
        if again == "another":
            engines.append("f")
            graph.add("f = Engine()")
        counted = [_counting(graph, "e")]
        for turn in range({"once": 1, "second": 2}.get(again, 3)):
            if turn and (again != "interleaved" or turn == 1):
                others = [name for name in (*inner, *graph.leaves) if name in graph.differentiable]
                others = [name for name in others if name not in [root for _, root, *_ in counted]]
                if others and draw.chance(cuts):
                    _cut(graph, draw.one_of(others))
                if graph.cut and draw.chance(0.5):
                    _join(graph, draw.one_of(sorted(graph.cut)))
                gone = counted.pop() if draw.chance(0.3) else [None]
                root = gone[1] if gone[0] else counted[0][1] if again == "second" else None
                counted.append(_counting(graph, engines[-1], root, gone[0]))
            for _ in range(draw.whole(1, 12)):
                _call(graph, draw.one_of(engines), draw.one_of(counted), frees, asks)
        x = draw.one_of(graph.leaves)
        if draw.chance(frees * 0.4) and x in graph.differentiable:  # one use of each of six outputs
            six = graph.results(f"Six({x})", [graph.size] * 6, [x])
            operands = [f"{six}[{number}]" for number in range(6)]
            _total(graph, operands, 4, asks)
        if draw.chance(frees * 0.3) and x in graph.differentiable:  # an operation with one operand many times
            count = draw.whole(4, 8)
            _total(graph, [x] * count, count, asks)
        if x in graph.differentiable and draw.chance(frees * 0.4):
            results = graph.results(f"one_id({x})", [graph.size] * 2, [x])
            both = graph.result(f"{results}[0] + {results}[1]", operands=[x])
            graph.add(f"{graph.name('d')} = e._compute_dependencies({both}.creator)")
            for result in (f"{results}[0]", f"{results}[1]"):
                d, of = graph.name("d"), f"{result}.creator.previous_functions[0]"
                graph.add(f"{d} = e._compute_dependencies({result}.creator)")
                graph.add(f"show(e._free_backward_dependency({d}, {of}[0], {result}.creator, {of}[1]))")
        if x in graph.differentiable and draw.chance(frees * 0.3):  # a leaf that is frozen after the count
            counted = _counting(graph, "e", graph.result(f"{x} * {x}", operands=[x]))
            graph.add(f"{x}.creator.requires_grad = False")
            for _ in range(2):
                _call(graph, "e", counted, 1, asks)

    return make


def _of_one_function(names, name):
    """Return those of the names that are outputs of the same Function as `name`."""
    return [one for one in names if one.partition("[")[0] == name.partition("[")[0]]


def _cut(graph, name):
    """Let the Function of a result, or a leaf, require no gradient from now on."""
    graph.add(f"{name}.creator.requires_grad = False")
    outputs = _of_one_function(graph.differentiable, name)
    graph.cut.update(outputs)
    graph.differentiable = [one for one in graph.differentiable if one not in outputs]


def _join(graph, name):
    """Let what was cut require a gradient again."""
    graph.add(f"{name}.creator.requires_grad = True")
    outputs = sorted(_of_one_function(graph.cut, name))
    graph.cut.difference_update(outputs)
    graph.differentiable += outputs


def _total(graph, operands, frees, asks):
    """Add an operation of these operands, a line that counts, and calls that free so many uses."""
    counted = _counting(graph, "e", graph.result(f"Total({', '.join(operands)})", (1,), operands))
    for _ in range(frees):
        _call(graph, "e", counted, 1, asks)


def _call(graph, engine, counted, frees, asks):
    """Add a call that frees a use, one that asks whether a Function is ready, or both."""
    d, _, left, freed = counted
    shown = []
    if left and graph.draw.chance(frees):
        operand, result = left.pop()
        freed.append(operand)
        of = f"{d}, {operand}.creator, {_creator(result, graph)}, id({operand})"
        shown.append(f"{engine}._free_backward_dependency({of})")
    known = freed[-1:] if graph.draw.chance(0.6) else [*freed, *[operand for operand, _ in left]]
    if known and graph.draw.chance(asks):
        shown.append(f"bool({engine}._is_ready_for_backward({d}, {graph.draw.one_of(known)}.creator))")
    if shown:
        graph.add(f"show({', '.join(shown)})")
