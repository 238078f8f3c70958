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

# %% tests: edges

# %% tests: looks

# %% tests: text

# %% tests: large

# %% [markdown]
# To see a picture in a notebook: `import graphviz`, and `graphviz.Source(to_dot(z))` in the last line of a cell.
