"""Exercise 9: drawing."""

from . import write, wrong

_NEW = "if previous not in names:\n                names"
_EDGE = 'edges.append(f"    {names[previous]} -> {names[function]}")'
_LEAF = 'label = "x".join(str(length) for length in function._output_sizes[0])'

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
}

WRONG = {
    "every way is drawn": wrong(
        "nodes edges looks large",
        "it has its node already",
        (_NEW, "if True:\n                names"),
        ('f"n{len(names)}"', 'f"n{len(names)}_{len(edges)}"'),
        seconds=1,
    ),
    "nodes are stated again": wrong(
        "nodes edges large",
        "one statement is enough",
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
        "a function that calls itself once for every step",
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
    "ids as names": wrong("text", "a number that id() gives", ('f"n{len(names)}"', 'f"n{id(previous)}"')),
    "only what requires a gradient": wrong(
        "nodes looks",
        "is part of the graph too",
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
    "not filled": wrong("looks", "only then fillcolor shows", ("style=filled, ", "")),
    "no labels": wrong("nodes edges looks", "shows its name in DOT", ('[label="{label}", style', "[style")),
    "an undirected graph": wrong(
        "nodes edges looks text large", "it does not begin with the word digraph", ('["digraph {"', '["graph {"')
    ),
    "a strict graph": wrong(
        "nodes edges looks text large",
        "draws two edges between the same nodes as one",
        ('["digraph {"', '["strict digraph {"'),
    ),
    "the bracket is not closed": wrong("nodes edges looks text large", "between { and }", ('*edges, "}"]', "*edges]")),
    "printed, not returned": wrong(
        "nodes edges looks text large",
        "to_dot returns the text",
        (
            'return "\\n".join(["digraph {", *nodes, *edges, "}"])',
            'print("\\n".join(["digraph {", *nodes, *edges, "}"]))',
        ),
    ),
}
