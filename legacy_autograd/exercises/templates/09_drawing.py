"""Exercise 9, 50 minutes: Drawing the graph. Format: legacy_autograd/exercises/template.py."""

# %% [markdown]
# # 9. Drawing the graph
#
# Graphviz draws a graph from a text in the DOT language. The text lists the nodes, with attributes in brackets, and the
# edges between them, in any order:
#
#     digraph {
#         n0 [label="Mul", style=filled, fillcolor=lightblue]
#         n1 [label="1", style=filled, fillcolor=lightgreen]
#         n1 -> n0
#         n1 -> n0
#     }
#
# This is `x * x` for an x with one element. Write `to_dot(variable)`, which returns such a text, or a
# `graphviz.Digraph`, for the graph behind a Variable.
#
# - One node for each Function that is reachable from `variable.creator` over `previous_functions`. Leaves are Functions
#   too; their `previous_functions` is empty. Draw each Function once.
# - The label of an operation is the name of its class. (No class here has a word of DOT as its name, such as `Node`.)
#   The label of a leaf is its shape, as in `2x3`. It is in `function._output_sizes[0]`.
# - Nodes have `style=filled`. Their `fillcolor` is `lightblue` for an operation, `lightgreen` for a leaf that requires
#   a gradient, and `yellow` for a leaf that does not.
# - One edge for each entry in `previous_functions`, in the direction of the data: from the operand to the operation.
# - The same program always gives the same text, and so does the same graph. (So do not use `id()`, `hash()` of a text,
#   the time or the folder, which change from run to run, or the order of a set.) The graph stays as it was.
#
# A graph may have thousands of Functions in a row.
#
# The checks read the part of DOT that is shown above: nodes and edges with or without attributes, `a -> b -> c`, quoted
# names and comments. They do not read `subgraph` or groups like `{a b} -> c`. They refuse what Graphviz refuses or
# warns of, such as `label=2x3` without quotes.


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
# one node for each Function (3 points)
# - Start at variable.creator and follow previous_functions. Remember which Functions you have visited.
# - Keep a dictionary from Functions to names. A Function that already has a name already has a node.
# - names = {variable.creator: "n0"}, and a queue of Functions whose operands you have not visited yet

# %% tests: edges
# one edge for each use (3 points)
# - Each entry in previous_functions is one use, and one edge.
# - x * x has two entries with the same Function. Do not keep edges in a set.
# - The data flows from the operand to the operation: f"{names[previous]} -> {names[function]}"

# %% tests: looks
# labels and colours (2 points)
# - type(function).__name__ is the name of the class.
# - The previous_functions of a leaf is empty. Its shape is the tuple function._output_sizes[0].
# - "x".join(str(length) for length in function._output_sizes[0]); function.requires_grad decides the colour

# %% tests: text
# the same text in every run (2 points)
# - Which part of your text changes when the program runs again?
# - Number the nodes in the order of your walk, and iterate over lists, not sets.
# - names[function] = f"n{len(names)}"

# %% tests: large
# large graphs (2 points)
# - A graph of 30 diamonds has about 10⁹ paths, but each Function has one node.
# - The depth of a recursive function is the length of the graph.
# - Keep a list of the Functions that you have not visited yet, and put each Function into it once.

# %% [markdown]
# To see a picture in a notebook: `import graphviz`, and `graphviz.Source(to_dot(z))` in the last line of a cell.
