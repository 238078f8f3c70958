"""Exercise 9: drawing."""

from . import write, wrong

_NEW = "if previous not in names:\n                names"
_EDGE = 'edges.append(f"    {names[previous]} -> {names[function]}")'
_LEAF = 'label = "x".join(str(length) for length in function._output_sizes[0])'
_SAME_SIZE = (
    "if not previous.previous_functions:\n"
    "                previous = sizes.setdefault(previous._output_sizes[0], previous)"
)
_TEXT = 'return "\\n".join(["digraph {", *nodes, *edges, "}"])'
_START = ("queue = [variable.creator]", "queue = [first for first, _ in variable.creator.previous_functions[:1]]")
_HASHES = '"digraph {", *sorted(nodes, key=lambda line: hash((line, id(nodes)))), *edges'

RIGHT = {
    "with the graphviz package": [
        write(
            "to_dot",
            """
            import graphviz

            dot = graphviz.Digraph(node_attr={"style": "filled", "shape": "box"})
            order, numbers = [variable.creator], {id(variable.creator): 0}
            for function in order:
                for previous, _ in function.previous_functions:
                    if id(previous) not in numbers:
                        numbers[id(previous)] = len(order)
                        order.append(previous)
            for function in order:
                name = str(numbers[id(function)])
                operands = function.previous_functions
                size = "x".join(map(str, function._output_sizes[0]))
                leaf = "lightgreen" if function.requires_grad else "yellow"
                look = (type(function).__name__, "lightblue") if operands else (size, leaf)
                dot.node(name, look[0], fillcolor=look[1])
                for previous, _ in operands:
                    dot.edge(str(numbers[id(previous)]), name)
            return dot.source
            """,
        )
    ],
    "in a class, edges first": [
        write(
            "to_dot",
            """
            class Drawing:
                def __init__(self):
                    self.functions = []
                    self.index = {}
                    self.text = "digraph G {\\n"

                def name(self, function):
                    if function not in self.index:
                        self.index[function] = len(self.functions)
                        self.functions.append(function)
                    return f'"node {self.index[function]}"'

            drawing = Drawing()
            drawing.name(variable.creator)
            for function in drawing.functions:
                for previous, arg_id in function.previous_functions:
                    drawing.text += f"{drawing.name(previous)} -> {drawing.name(function)};"
            for function in drawing.functions:
                if not function.previous_functions:
                    color = {True: "lightgreen", False: "yellow"}[function.requires_grad]
                    label = str(tuple(function._output_sizes[0])).strip("(),").replace(", ", "x")
                else:
                    color, label = "lightblue", function.__class__.__name__
                drawing.text += f'{drawing.name(function)} [style="filled" fillcolor="{color}" label="{label}"];\\n'
            return drawing.text + "}"
            """,
        )
    ],
    "Black's line breaks and type hints": [
        write(
            "to_dot",
            """
            names: dict = {}
            order: list = [variable.creator]
            lines: list[str] = []
            for function in order:
                if function in names:
                    continue
                names[function] = (
                    "f%d"
                    % len(names)
                )
                order.extend(
                    previous
                    for previous, _ in function.previous_functions
                    if previous
                    not in names
                )
            for function, name in names.items():
                operands = function.previous_functions
                text: str = (
                    type(function).__name__
                    if operands
                    != []
                    else "x".join(
                        "%d"
                        % length
                        for length in function._output_sizes[0]
                    )
                )
                color: str = (
                    "lightblue"
                    if operands
                    else ("yellow", "lightgreen")[function.requires_grad]
                )
                lines.append(
                    '%s [label="%s", style=filled, fillcolor=%s]'
                    % (name, text, color)
                )
                lines.extend(
                    "%s -> %s;"
                    % (names[previous], name)
                    for previous, _ in operands
                )
            return "digraph {\\n%s\\n}\\n" % "\\n".join(lines)
            """,
        )
    ],
    "dataclasses and a deque": [
        write(
            "to_dot",
            """
            from collections import deque
            from dataclasses import dataclass, field

            @dataclass
            class Node:
                function: object
                number: int
                operands: list = field(default_factory=list)

                def __str__(self):
                    if self.operands:
                        label, color = type(self.function).__name__, "lightblue"
                    else:
                        label = "x".join(map(str, self.function._output_sizes[0]))
                        color = "lightgreen" if self.function.requires_grad else "yellow"
                    return f'{self.number} [label="{label}" style="filled" fillcolor="{color}"]'

            nodes = {}

            def node(function):
                if id(function) not in nodes:
                    nodes[id(function)] = Node(function, len(nodes))
                    waiting.append(nodes[id(function)])
                return nodes[id(function)]

            waiting = deque()
            node(variable.creator)
            while waiting:
                one = waiting.popleft()
                one.operands = [node(previous) for previous, _ in one.function.previous_functions]
            text = ["digraph graph_of_it {"]
            text += map(str, nodes.values())
            for one in nodes.values():
                text += (f"{operand.number} -> {one.number}" for operand in one.operands)
            return "\\n".join(text + ["}"])
            """,
        )
    ],
    "a generator and edges first": [
        write(
            "to_dot",
            """
            def functions():
                seen, stack = {variable.creator}, [variable.creator]
                while stack:
                    yield (function := stack.pop())
                    for previous, _ in reversed(function.previous_functions):
                        if previous not in seen:
                            seen.add(previous)
                            stack += [previous]

            every = {function: f'"{number}"' for number, function in enumerate(functions())}
            edges = [f"{every[p]} -> {name}" for f, name in every.items() for p, _ in f.previous_functions]
            look = lambda f: f'label="{type(f).__name__}", fillcolor="lightblue"'
            size = lambda f: "x".join(str(n) for n in f._output_sizes[0])
            leaf = lambda f: f'label="{size(f)}", fillcolor="{"lightgreen" if f.requires_grad else "yellow"}"'
            nodes = [f"{name} [{(look if f.previous_functions else leaf)(f)}]" for f, name in every.items()]
            return "digraph { node [style=filled]; " + "; ".join(edges + nodes) + " }"
            """,
        )
    ],
    "recursion by halves is not needed: a list that grows": [
        write(
            "to_dot",
            """
            import io

            out, order = io.StringIO(), [variable.creator]
            print("digraph {", file=out)
            position = {variable.creator: 0}
            for here in order:
                mine = position[here]
                if not here.previous_functions:
                    shape = "x".join([str(n) for n in here._output_sizes[0]])
                    color = "lightgreen" * here.requires_grad or "yellow"
                    print(f'  n{mine} [shape=box, label="{shape}", style=filled, fillcolor={color}]', file=out)
                else:
                    kind = here.__class__.__name__
                    print(f'  n{mine} [shape=box, label="{kind}", style=filled, fillcolor=lightblue]', file=out)
                for function, _ in here.previous_functions:
                    position.setdefault(function, len(order))
                    if position[function] == len(order):
                        order.append(function)
                    print(f"  n{position[function]} -> n{mine}", file=out)
            print("}", file=out)
            return out.getvalue()
            """,
        )
    ],
    "a capital letter, names of other alphabets, labels without quotes": [
        write(
            "to_dot",
            """
            numbers = {variable.creator: 0}
            waiting, lines = [variable.creator], []
            while waiting:
                function = waiting.pop(0)
                operands = [operand for operand, _ in function.previous_functions]
                for operand in operands:
                    if operand not in numbers:
                        numbers[operand] = len(numbers)
                        waiting.append(operand)
                    lines.append(f"\\tф{numbers[operand]} -> ф{numbers[function]};")
                size = function._output_sizes[0]
                label = type(function).__name__ if operands else str(size[0]) if len(size) == 1 else None
                label = label or '"' + "x".join(map(str, size)) + '"'
                fill = "LightBlue" if operands else "LightGreen" if function.requires_grad else "Yellow"
                lines.append(f"\\tф{numbers[function]} [fillcolor={fill}; label={label}; style=\\"rounded,filled\\"]")
            return "Digraph G\\n{\\n" + "\\n".join(lines) + "\\n}\\n"
            """,
        )
    ],
    "looks apart from labels, and paths of edges": [
        write(
            "to_dot",
            """
            names, order = {}, []

            def name_of(function):
                if function not in names:
                    names[function] = f"_{len(names)}"
                    order.append(function)
                return names[function]

            name_of(variable.creator)
            text = "/* the graph */ DIGRAPH \\"of it\\" { rankdir=LR; graph [bgcolor=white] edge [color=gray]\\n"
            for function in order:
                for previous, _ in function.previous_functions:
                    text += f"{name_of(previous)} -> {name_of(function)} [penwidth=2]\\n"
            for function, name in names.items():
                leaf = not function.previous_functions
                label = "x".join(map(str, function._output_sizes[0])) if leaf else type(function).__name__
                text += f'{name} [label="{label}"] // its words\\n'
            for function, name in names.items():
                color = ("yellow", "lightgreen")[function.requires_grad]
                color = "lightblue" if function.previous_functions else color
                text += f"{name} [style=filled][fillcolor={color}]\\n"
            return text + "}"
            """,
        )
    ],
    "three kinds with defaults of their own": [
        write(
            "to_dot",
            """
            import itertools

            every, fresh = {variable.creator: None}, [variable.creator]
            while fresh:
                found = itertools.chain.from_iterable(f.previous_functions for f in fresh)
                fresh = [f for f in dict.fromkeys(f for f, _ in found) if f not in every]
                every.update(dict.fromkeys(fresh))
            every = {f: number for number, f in enumerate(every)}
            lines = ["node [style = filled]"]
            kinds = [
                ("lightblue", lambda f: f.previous_functions),
                ("lightgreen", lambda f: not f.previous_functions and f.requires_grad),
                ("yellow", lambda f: not f.previous_functions and not f.requires_grad),
            ]
            for color, belongs in kinds:
                lines.append(f"node [fillcolor = {color}]")
                for f in filter(belongs, every):
                    size = "x".join("%d" % n for n in f._output_sizes[0])
                    lines.append('%d [label = "%s"]' % (every[f], type(f).__name__ if f.previous_functions else size))
            for f in every:
                lines += ["%d -> %d" % (every[p], every[f]) for p, _ in f.previous_functions]
            return "digraph{%s}" % "\\n".join(lines)
            """,
        )
    ],
    "depth first without recursion, the operands before": [
        write(
            "to_dot",
            """
            done, stack, body = {}, [(variable.creator, iter(variable.creator.previous_functions))], ""
            entered = {variable.creator}
            while stack:
                function, operands = stack[-1]
                for operand, _ in operands:
                    if operand not in entered:
                        entered.add(operand)
                        stack.append((operand, iter(operand.previous_functions)))
                        break
                else:
                    stack.pop()
                    done[function] = "node%i" % len(done)
                    if function.previous_functions:
                        looks = (type(function).__name__, "lightblue")
                    else:
                        shape = "x".join(repr(n) for n in function._output_sizes[0])
                        looks = (shape, "lightgreen" if function.requires_grad else "yellow")
                    body += '%s[label="%s",style=filled,fillcolor="%s"];' % (done[function], *looks)
                    for operand, _ in function.previous_functions:
                        body += f"{done[operand]}->{done[function]};"
            return "digraph {" + body + "}"
            """,
        )
    ],
    "a Source of graphviz from lines of json": [
        write(
            "to_dot",
            """
            import json

            import graphviz

            ids, todo = {id(variable.creator): 0}, [variable.creator]
            out = ["digraph {"]
            for function in todo:
                for previous, _ in function.previous_functions:
                    if ids.setdefault(id(previous), len(ids)) == len(todo):
                        todo.append(previous)
            for function in todo:
                me, operation = json.dumps(f"f {ids[id(function)]}"), bool(function.previous_functions)
                label = type(function).__name__ if operation else "x".join(map(str, function._output_sizes[0]))
                color = "lightblue" if operation else "lightgreen" if function.requires_grad else "yellow"
                label = json.dumps(label, ensure_ascii=False)  # the name of a class may be Chinese
                out.append(f"{me} [label={label}, style=filled, fillcolor={json.dumps(color)}]")
                out += [json.dumps(f"f {ids[id(f)]}") + " -> " + me for f, _ in function.previous_functions]
            return graphviz.Source("\\n".join(out + ["}"])).source
            """,
        )
    ],
}

WRONG = {
    "every way is drawn": wrong(
        "nodes edges looks large",
        "the same work is repeated many times",
        (_NEW, "if True:\n                names"),
        ('f"n{len(names)}"', 'f"n{len(names)}_{len(edges)}"'),
        seconds=1,
    ),
    "nodes are stated again": wrong(
        "nodes edges large",
        "the same work is repeated many times",
        ("                queue.append(previous)\n", "            queue.append(previous)\n"),
        seconds=1,
    ),
    "edges in a set": wrong(
        "edges",
        "has two edges",
        ("nodes, edges = [], []", "nodes, edges = [], {}"),
        (_EDGE, _EDGE.replace("edges.append(", "edges.setdefault(")),
    ),
    "edges backwards": wrong(
        "edges", "point backwards", (_EDGE, 'edges.append(f"    {names[function]} -> {names[previous]}")')
    ),
    "recursion": wrong(
        "large",
        "a recursive function overflows the stack on a long chain; use a list and a loop",
        write(
            "to_dot",
            """
            names, nodes, edges = {}, [], []

            def visit(function):
                if function not in names:
                    names[function] = f"n{len(names)}"
                    for previous, _ in function.previous_functions:
                        visit(previous)
                        edges.append(f"{names[previous]} -> {names[function]}")
                    label, color = type(function).__name__, "lightblue"
                    if not function.previous_functions:
                        label = "x".join(map(str, function._output_sizes[0]))
                        color = "lightgreen" if function.requires_grad else "yellow"
                    nodes.append(f'{names[function]} [label="{label}" style=filled fillcolor={color}]')

            visit(variable.creator)
            return "\\n".join(["digraph {", *nodes, *edges, "}"])
            """,
        ),
    ),
    "ids as names": wrong(
        "text",
        "id(), os.getpid(), the clock and the",
        ('f"n{len(names)}"', 'f"n{id(previous)}"'),
    ),
    "only what requires a gradient": wrong(
        "nodes edges looks",
        "constants are part of the graph too",
        (
            "for previous, _ in function.previous_functions:\n",
            "for previous, _ in [pair for pair in function.previous_functions if pair[0].requires_grad]:\n",
        ),
    ),
    "leaves are left out": wrong(
        "nodes edges looks large",
        "the leaves are missing",
        (
            "for previous, _ in function.previous_functions:\n",
            "for previous, _ in [pair for pair in function.previous_functions if pair[0].previous_functions]:\n",
        ),
    ),
    "leaves are called Leaf": wrong(
        "nodes edges looks", "not the name of its class", (_LEAF, "label = type(function).__name__")
    ),
    "sizes as tuples": wrong(
        "nodes edges looks", 'is labelled "2x3"', (_LEAF, "label = tuple(function._output_sizes[0])")
    ),
    "colours exchanged": wrong(
        "looks",
        "these two colours are exchanged",
        (
            '"lightgreen" if function.requires_grad else "yellow"',
            '"yellow" if function.requires_grad else "lightgreen"',
        ),
    ),
    "not filled": wrong("looks", "only with style=filled a fillcolor shows", ("style=filled, ", "")),
    "no labels": wrong("nodes edges looks", "shows its name in DOT", ('[label="{label}", style', "[style")),
    "an undirected graph": wrong(
        "nodes edges looks text large", "it does not begin with the word digraph", ('["digraph {"', '["graph {"')
    ),
    "a strict graph": wrong(
        "nodes edges looks text large",
        "draws two edges between the same nodes as one",
        ('["digraph {"', '["strict digraph {"'),
    ),
    "the bracket is not closed": wrong(
        "nodes edges looks text large", "the graph is not enclosed in { and }", ('*edges, "}"]', "*edges]")
    ),
    "printed, not returned": wrong(
        "nodes edges looks text large",
        "to_dot returns the text",
        (
            'return "\\n".join(["digraph {", *nodes, *edges, "}"])',
            'print("\\n".join(["digraph {", *nodes, *edges, "}"]))',
        ),
    ),
    "what was drawn is marked": wrong(
        "text",
        "store nothing on the Functions or between calls",
        (
            "for previous, _ in function.previous_functions:\n",
            "function.drawn = True\n        for previous, _ in function.previous_functions:\n",
        ),
        (
            _NEW,
            _NEW.replace("if previous not in names:", "if previous not in names and not hasattr(previous, 'drawn'):"),
        ),
        (_EDGE, _EDGE.replace("names[previous]", "names.get(previous, 0)")),
    ),
    "the graph is taken apart": wrong(
        "text",
        "store nothing on the Functions or between calls",
        (
            "            if previous not in names:",
            "            function.previous_functions = []\n            if previous not in names:",
        ),
    ),
    "names are kept from call to call": wrong(
        "text",
        "store nothing on the Functions or between calls",
        (
            'names = {variable.creator: "n0"}',
            'names = to_dot.__dict__.setdefault("names", {})\n    names[variable.creator] = f"n{len(names)}"',
        ),
    ),
    "lines are kept from call to call": wrong(
        "nodes edges looks text large",
        "a Function that is reached on a second path already has a node; do not draw it again",
        ("nodes, edges = [], []", "nodes, edges = to_dot.__dict__.setdefault('lines', ([], []))"),
    ),
    "only two operands": wrong(
        "nodes edges looks",
        "however many operands an operation has",
        ("in function.previous_functions:\n", "in function.previous_functions[:2]:\n"),
    ),
    "leaves are drawn for every use": wrong(
        "nodes edges looks large",
        "shows its name in DOT",
        (
            _NEW,
            _NEW.replace("if previous not in names:", "if previous not in names or not previous.previous_functions:"),
        ),
    ),
    "equal leaves are one": wrong(
        "nodes looks edges",
        "two leaves of the same size are two nodes, also if both are constants",
        ("queue = [variable.creator]", "queue = [variable.creator]\n    sizes = {}"),
        (_NEW, f"{_SAME_SIZE}\n            {_NEW}"),
    ),
    "an operation that requires no gradient is yellow": wrong(
        "looks",
        "the labels are correct and the colours are not: blue for",
        ('"lightblue"\n', '"lightblue" if function.requires_grad else "yellow"\n'),
    ),
    "the same label for all operations": wrong(
        "nodes edges looks",
        "the count is correct and the labels are not: the class name",
        ("type(function).__name__", '"Function"'),
    ),
    "labels in small letters": wrong(
        "nodes edges looks",
        "the count is correct and the labels are not: the class name",
        ("type(function).__name__", "type(function).__name__.lower()"),
    ),
    "only the first length": wrong(
        "looks",
        "the count is correct and the labels are not: the class name",
        (_LEAF, "label = function._output_sizes[0][0]"),
    ),
    "a star between the lengths": wrong(
        "looks", "the count is correct and the labels are not: the class name", ('"x".join', '"*".join')
    ),
    "the lengths in the other order": wrong(
        "looks",
        "the count is correct and the labels are not: the class name",
        ("in function._output_sizes[0])", "in function._output_sizes[0][::-1])"),
    ),
    "edges of the first operand alone": wrong(
        "edges large",
        "an operand that is used twice by one operation has two edges",
        (_EDGE, f"if previous is function.previous_functions[0][0]:\n                {_EDGE}"),
    ),
    "edges to what was met before are left out": wrong(
        "edges large", "an operand that is used twice by one operation has two edges", (_EDGE, f"    {_EDGE}")
    ),
    "the order of hashes": wrong(
        "text",
        "id() of new objects differ",
        ('"digraph {", *nodes, *edges', _HASHES),
    ),
    "the time is in the text": wrong(
        "text",
        "the clock, random numbers and",
        ('"digraph {", *nodes', "f\"digraph {{ // {__import__('time').perf_counter_ns()}\", *nodes"),
    ),
    "up to a hundred nodes": wrong(
        "large",
        "one node for every Function, one edge for every use",
        ("while queue:", "while queue and len(nodes) < 100:"),
    ),
    "names from labels": wrong(
        "nodes edges looks large",
        "there are fewer than the graph has",
        ('f"n{len(names)}"', 'f"{type(previous).__name__}{len(previous.previous_functions)}"'),
    ),
    "the root is left out": wrong(
        "nodes edges looks large",
        "there are fewer than the graph has",
        _START,
        (
            'names = {variable.creator: "n0"}',
            "names = {first: 'n0' for first, _ in variable.creator.previous_functions[:1]}",
        ),
    ),
    "a list of lines": wrong(
        "nodes edges looks text large", "to_dot returns the text", (_TEXT, 'return ["digraph {", *nodes, *edges, "}"]')
    ),
    "bytes": wrong(
        "nodes edges looks text large", "to_dot returns the text", ('*edges, "}"])', '*edges, "}"]).encode()')
    ),
    "the colour of the border": wrong(
        "looks",
        "the labels are correct and the colours are not: blue for",
        ("fillcolor={color}", "color={color}, fillcolor=white"),
    ),
    "lines in a set": wrong("text", "keep the lines in lists", ("*nodes, *edges", "*set(nodes), *edges")),
    "the process id is in the text": wrong(
        "text",
        "id(), os.getpid(), the clock and the",
        ('"digraph {", *nodes', "f\"digraph {{ // {__import__('os').getpid()}\", *nodes"),
    ),
    "only four operands": wrong(
        "nodes edges looks",
        "however many operands an operation has",
        ("in function.previous_functions:\n", "in function.previous_functions[:4]:\n"),
    ),
    "the nodes alone": wrong("edges large", "there are fewer than the graph has", ("*nodes, *edges", "*nodes")),
    "labels without quotes": wrong("looks", None, ('label="{label}"', "label={label}")),
    "names that begin with a digit": wrong(
        "nodes edges looks text large",
        "put the word in quotes",
        ('names = {variable.creator: "n0"}', 'names = {variable.creator: "0n"}'),
        ('f"n{len(names)}"', 'f"{len(names)}n"'),
    ),
    "the day is in the text": wrong(
        "text",
        "the clock and the folder",
        ('"digraph {", *nodes', "f\"digraph {{ // {__import__('datetime').date.today()}\", *nodes"),
    ),
    "the day is in the text, imported before": wrong(
        "text",
        "the clock and the folder",
        ("def to_dot(variable):", "from datetime import datetime\n\n\ndef to_dot(variable):"),
        ('"digraph {", *nodes', 'f"digraph {{ // {datetime.now():%d.%m.%Y}", *nodes'),
    ),
    "the year is in the text": wrong(
        "text",
        "the clock and the folder",
        ("def to_dot(variable):", "from time import gmtime, strftime\n\n\ndef to_dot(variable):"),
        ('"digraph {", *nodes', "f\"digraph {{ // {strftime('%Y')} {gmtime().tm_year}\", *nodes"),
    ),
    "the folder is in the text": wrong(
        "text",
        "the clock and the folder",
        (
            '"digraph {", *nodes',
            "f\"digraph {{ // {__import__('os').path.basename(__import__('os').getcwd())}\", *nodes",
        ),
    ),
    "the hash of a text as its name": wrong(
        "text",
        "hash() of a text change",
        ('f"n{len(names)}"', 'f"n{hash(str(len(names))) % 10**12}"'),
    ),
    "the address of an object": wrong(
        "text",
        "id(), os.getpid()",
        ('"digraph {", *nodes', 'f"digraph {{ // {object.__repr__(variable)}", *nodes'),
    ),
    "a random number in the text": wrong(
        "text",
        "store nothing on the Functions or between calls",
        ('"digraph {", *nodes', "f\"digraph {{ // {__import__('random').random()}\", *nodes"),
    ),
    "a set of Functions": wrong(
        "text",
        "the order of a set",
        ("queue = [variable.creator]", "queue = {variable.creator}"),
        ("queue.append(previous)", "queue.add(previous)"),
    ),
    "nodes in the order of a set of labels": wrong(
        "text",
        "the order of a set",
        (
            "*nodes, *edges",
            "*[line for label in {line[line.index('['):] for line in nodes} for line in nodes if "
            "line[line.index('['):] == label], *edges",
        ),
    ),
    "a keyword without attributes": wrong(
        "nodes edges looks text large",
        "needs attributes in [ ]",
        ('"digraph {", *nodes', '"digraph { node", *nodes'),
    ),
    "two graphs": wrong(
        "nodes edges looks text large", "there is more behind the graph", ('*edges, "}"]', '*edges, "} digraph {}"]')
    ),
    "two semicolons": wrong(
        "nodes edges looks text large", "is not the start of a node or an edge", ('*edges, "}"]', '*edges, ";; }"]')
    ),
    "arrows turned by an attribute": wrong(
        "edges large", "point backwards", ('"digraph {", *nodes', '"digraph { edge [dir=back]", *nodes')
    ),
    "lines without arrows": wrong(
        "edges large", "does not show a direction", ('"digraph {", *nodes', '"digraph { edge [dir=none]", *nodes')
    ),
    "a node for each output": wrong(
        "nodes edges looks large",
        None,
        (
            "for previous, _ in function.previous_functions:\n            if previous not in names:\n"
            "                names[previous]",
            "for previous, arg_id in function.previous_functions:\n"
            '            names[function] = names.get(function) or f"o{len(names)}"\n'
            "            if previous not in names or previous.output_ids.get(arg_id):\n"
            "                names[previous]",
        ),
    ),
    "six operands": wrong(
        "nodes edges looks large",
        "however many operands an operation has",
        ("in function.previous_functions:\n", "in function.previous_functions[:6]:\n"),
    ),
    "equal operations of equal operands are one": wrong(
        "nodes edges looks large",
        "there are fewer than the graph has",
        ("queue = [variable.creator]", "queue, known = [variable.creator], {}"),
        (
            "for previous, _ in function.previous_functions:\n",
            "for previous, _ in function.previous_functions:\n"
            "            if previous.previous_functions:\n"
            "                key = (type(previous), *[id(f) for f, _ in previous.previous_functions])\n"
            "                previous = known.setdefault(key, previous)\n",
        ),
    ),
    "the labels of other leaves": wrong(
        "looks",
        "on other nodes",
        (
            _TEXT,
            'import re\n    leaves = [n for n, line in enumerate(nodes) if "lightblue" not in line]\n'
            '    tails = [nodes[n][nodes[n].index("["):] for n in leaves]\n'
            "    for n, tail in zip(leaves, tails[1:] + tails[:1]):\n"
            '        nodes[n] = nodes[n][: nodes[n].index("[")] + tail\n    ' + _TEXT,
        ),
    ),
    "the numbers go on": wrong(
        "text",
        "store nothing on the Functions or between calls",
        (
            'names = {variable.creator: "n0"}',
            'to_dot.calls = getattr(to_dot, "calls", 0) + 1\n    names = {variable.creator: f"n{to_dot.calls}_0"}',
        ),
    ),
    "the operands are put in order": wrong(
        "text",
        "must not change the graph",
        ("queue = [variable.creator]", "queue = [variable.creator]\n    variable.creator.previous_functions.reverse()"),
    ),
    "the qualified name": wrong("nodes looks", None, ("type(function).__name__", "type(function).__qualname__")),
    "label and number as a name": wrong(
        "nodes edges looks",
        None,
        (
            'names[previous] = f"n{len(names)}"',
            """
            shape = "x".join(map(str, previous._output_sizes[0]))
            names[previous] = f'"{type(previous).__name__ if previous.previous_functions else shape}{len(names)}"'
            """,
        ),
    ),
    "a number for each class": wrong(
        "nodes edges looks",
        None,
        (
            'names[previous] = f"n{len(names)}"',
            """
            name = type(previous).__name__
            names[previous] = f"{name}{sum(type(other).__name__ == name for other in names)}"
            """,
        ),
    ),
    "a text is kept by the root": wrong(
        "text",
        "has changed between the two drawings",
        (
            'names = {variable.creator: "n0"}',
            """
            cache = globals().setdefault("_cache", {})
            if variable.creator in cache:
                return cache[variable.creator]
            names = {variable.creator: "n0"}
            """,
        ),
        (_TEXT, _TEXT.replace("return ", "return cache.setdefault(variable.creator, ") + ")"),
    ),
    "the colour of a leaf as it was first": wrong(
        "text",
        "has changed between the two drawings",
        (
            'color = "lightgreen" if function.requires_grad else "yellow"',
            """
            colors = globals().setdefault("_colors", {})
            color = colors.setdefault(function, "lightgreen" if function.requires_grad else "yellow")
            """,
        ),
    ),
    "names without underscores": wrong(
        "nodes looks",
        "the count is correct and the labels are not",
        ("type(function).__name__, ", "type(function).__name__.strip('_'), "),
    ),
    "a comma in thousands": wrong(
        "looks", "the count is correct and the labels are not", ("str(length) for", "format(length, ',') for")
    ),
    "names of sixteen letters": wrong(
        "nodes edges looks",
        "the count is correct and the labels are not",
        ("type(function).__name__, ", "type(function).__name__[:16], "),
    ),
    "four lengths of a leaf": wrong(
        "looks",
        "the count is correct and the labels are not",
        ("for length in function._output_sizes[0])", "for length in function._output_sizes[0][:4])"),
    ),
    "the folder of the shell": wrong(
        "text",
        "the order of a set and hash",
        (
            'return "\\n".join(["digraph {", ',
            'import os\n    return "\\n".join(["digraph {", f"// {os.environ.get(chr(80)+chr(87)+chr(68))}", ',
        ),
    ),
    "the order of the addresses": wrong(
        "text",
        "the order of a set and hash",
        ("function = queue.pop()", "function = queue.pop(-1 if id(queue[-1]) // 64 % 2 else 0)"),
    ),
    "nothing for a leaf": wrong(
        "nodes edges looks",
        "the leaves are missing",
        (
            'names = {variable.creator: "n0"}',
            """
            if not variable.creator.previous_functions:
                return "digraph {}"
            names = {variable.creator: "n0"}
            """,
        ),
    ),
    "ones at the end of a size are left out": wrong(
        "looks",
        None,
        (
            "for length in function._output_sizes[0])",
            """for length in function._output_sizes[0])
            while label.endswith("x1") and label.count("x") > 1:
                label = label[:-2]""",
        ),
    ),
    "a leaf with a hook is a constant": wrong(
        "looks",
        None,
        (
            '"lightgreen" if function.requires_grad else',
            '"lightgreen" if function.requires_grad and not function._variable_hooks else',
        ),
    ),
    "an attribute that stays on the operations": wrong(
        "text",
        "must not change the graph",
        (_TEXT, f"for function in names:\n        function.drawn = True\n    {_TEXT}"),
    ),
    "the user in a comment": wrong(
        "text",
        None,
        (_TEXT, _TEXT.replace('"digraph {"', '"digraph {", "// by " + __import__("getpass").getuser()')),
    ),
    "the machine in a comment": wrong(
        "text",
        None,
        (_TEXT, _TEXT.replace('"digraph {"', '"digraph {", "// on " + __import__("platform").node()')),
    ),
    "names by class and number": wrong(
        "nodes",
        None,
        ('names = {variable.creator: "n0"}', 'counts = {}\n    names = {variable.creator: "root"}'),
        (
            'names[previous] = f"n{len(names)}"',
            """
            counts[type(previous)] = counts.get(type(previous), 0) + 1
            names[previous] = f"{type(previous).__name__}{counts[type(previous)]}"
            """,
        ),
    ),
    "a constant as the root is green": wrong(
        "looks",
        None,
        (
            '"lightgreen" if function.requires_grad else',
            '"lightgreen" if function.requires_grad or function is variable.creator else',
        ),
    ),
    "each class called Leaf is a leaf": wrong(
        "nodes looks", None, ("if function.previous_functions:", 'if type(function).__name__ != "Leaf":')
    ),
    "the size that the leaf had at first": wrong("looks", None, ("function._output_sizes[0]", "function._size")),
    "seeds the random numbers": wrong(
        "text",
        "random",
        (
            "queue = [variable.creator]",
            """
            import random
            import legacy_autograd

            random.seed(0)
            legacy_autograd.manual_seed(0)
            queue = [variable.creator]
            """,
        ),
    ),
    "switches off the garbage collector": wrong(
        "text", "random", ("queue = [variable.creator]", "import gc\n    gc.disable()\n    queue = [variable.creator]")
    ),
    "copies the data of leaves": wrong(
        "text",
        None,
        (
            "queue = [variable.creator]",
            """
            queue = [variable.creator]
            for leaf, _ in variable.creator.previous_functions:
                if not leaf.previous_functions and leaf.variable is not None:
                    leaf.variable.data = leaf.variable.data.clone()
            """,
        ),
    ),
    "a leaf has a Variable": wrong(
        "nodes", None, ("if function.previous_functions:", 'if not hasattr(function, "variable"):')
    ),
    "what an interrupted drawing left": wrong(
        "text",
        None,
        ("def to_dot(variable):", "_waiting = []\n\n\ndef to_dot(variable):\n    _waiting.append(variable)"),
        ("queue = [variable.creator]", "queue = [waiting.creator for waiting in _waiting]"),
        ("    return ", "    _waiting.pop()\n    return "),
    ),
    "no Function at the end of a name": wrong(
        "nodes",
        "the count is correct and the labels are not",
        ("type(function).__name__", 'type(function).__name__.removesuffix("Function")'),
    ),
    "recursion for operands in the middle": wrong(
        "large",
        "use a list and a loop",
        (
            "queue = [variable.creator]\n    nodes, edges = [], []",
            "nodes, edges = [], []\n    _visit(variable.creator, names, nodes, edges)\n"
            '    return "\\n".join(["digraph {", *nodes, *edges, "}"])\n\n\n'
            "def _visit(start, names, nodes, edges):\n    queue = [start]",
        ),
        (
            "queue.append(previous)",
            "if previous in (function.previous_functions[0][0], function.previous_functions[-1][0]):\n"
            "                    queue.append(previous)\n                else:\n"
            "                    _visit(previous, names, nodes, edges)",
        ),
    ),
    "two numbers written together": wrong(
        "edges",
        None,
        ("nodes, edges = [], []", "nodes, edges, known = [], [], {}"),
        (
            'edges.append(f"    {names[previous]} -> {names[function]}")',
            'edge = f"    {names[previous]} -> {names[function]}"\n'
            "            edges.append(known.setdefault(names[previous][1:] + names[function][1:], edge))",
        ),
    ),
    "the text of the second drawing": wrong(
        "text",
        "keep no text",
        ("def to_dot(variable):", "_drawn = {}\n\n\ndef to_dot(variable):"),
        (
            "queue = [variable.creator]",
            """
            queue = [variable.creator]
            kept = _drawn.setdefault(variable.creator, [])
            if len(kept) == 2:
                return kept[-1]
            """,
        ),
        (
            'return "\\n".join(["digraph {", *nodes, *edges, "}"])',
            'kept.append("\\n".join(["digraph {", *nodes, *edges, "}"]))\n    return kept[-1]',
        ),
    ),
}
