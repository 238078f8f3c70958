"""Exercise 9; legacy_autograd/exercises/template.py says what is made of this text."""

# %% [markdown]
# # 9. Drawing the graph
#
# Graphviz draws a graph from a text in the language DOT. It names the nodes, with attributes in brackets, and the edges
# between them, in any order:
#
#     digraph {
#         n0 [label="Mul", style=filled, fillcolor=lightblue]
#         n1 [label="1", style=filled, fillcolor=lightgreen]
#         n1 -> n0
#         n1 -> n0
#     }
#
# That is `x * x`, for an x with one element. Write `to_dot(variable)`, which returns such a text for the graph behind a
# Variable.
#
# - One node for every Function that can be reached from `variable.creator` over `previous_functions`. Leaves are
#   Functions too; you know them by their empty `previous_functions`. No Function is drawn twice.
# - The label of an operation is the name of its class. The label of a leaf is its size, as in `2x3`; it stands in
#   `function._output_sizes[0]`.
# - Nodes have `style=filled`, and the `fillcolor` is `lightblue` for an operation, `lightgreen` for a leaf that
#   requires a gradient, `yellow` for a leaf that does not.
# - One edge for every entry in `previous_functions`, in the direction in which the data went: from the operand to the
#   operation.
# - The same program gives the same text, every time. (So no `id()`, which is another number every time, and no order
#   that comes from a set.)
#
# A graph may have thousands of Functions in a row.
#
# The checks read the part of DOT that is shown above: nodes and edges, each with attributes or without, `a -> b -> c`,
# quoted names and comments. They do not read `subgraph` and groups like `{a b} -> c`.


# %% solution: to_dot
def to_dot(variable):
    ### BEGIN SOLUTION
    names = {variable.creator: "n0"}
    queue = [variable.creator]
    nodes, edges = [], []
    while queue:
        function = queue.pop()
        if function.previous_functions:
            label, color = type(function).__name__, "lightblue"
        else:
            label = "x".join(str(length) for length in function._output_sizes[0])
            color = "lightgreen" if function.requires_grad else "yellow"
        nodes.append(f'    {names[function]} [label="{label}", style=filled, fillcolor={color}]')
        for previous, _ in function.previous_functions:
            if previous not in names:
                names[previous] = f"n{len(names)}"
                queue.append(previous)
            edges.append(f"    {names[previous]} -> {names[function]}")
    return "\n".join(["digraph {", *nodes, *edges, "}"])
    ### END SOLUTION


# %% tests: nodes
# one node for every Function (3 points)
# - Start at variable.creator and follow previous_functions. What have you met before?
# - Give every Function a name when it is met first, in a dictionary; one that has a name has its node.
# - names = {variable.creator: "n0"}, and a queue of Functions whose operands are still to be looked at

# %% tests: edges
# one edge for every use (3 points)
# - Every entry in previous_functions is one use, and one edge.
# - x * x has two entries, with the same Function. Do not keep edges in a set.
# - The data went from the operand to the operation: f"{names[previous]} -> {names[function]}"

# %% tests: looks
# labels and colours (2 points)
# - type(function).__name__ is the name of the class.
# - A leaf has no previous_functions. Its size is the tuple function._output_sizes[0].
# - "x".join(str(length) for length in function._output_sizes[0]); function.requires_grad says which colour

# %% tests: text
# a text that stays the same (2 points)
# - What is in your text that changes when the program runs again?
# - Number the nodes in the order in which you meet them, and go through lists, not sets.
# - names[function] = f"n{len(names)}"

# %% tests: large
# large graphs (2 points)
# - A graph of 30 diamonds has a thousand million ways through it; each Function has one node.
# - A function that calls itself for every operand goes as deep as the graph is long.
# - Keep a list of Functions that are still to be looked at, and put each there once.

# %% [markdown]
# To see a picture in a notebook: `import graphviz`, and `graphviz.Source(to_dot(z))` in the last line of a cell.
