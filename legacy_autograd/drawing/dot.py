"""`make_dot` draws the graph behind a Variable as a `graphviz.Digraph`, with torchviz's signature."""

import contextlib
import inspect
import sys
import types
from collections import Counter
from collections.abc import Callable, Collection
from typing import Any

from ..autograd.function import Function
from ..autograd.leaf import Leaf
from ..autograd.variable import Variable
from .folding import groups_of
from .graphviz_drawing import FONT, LINE_COLOR, MOST_SHOWN, STYLES, Drawing, blank_drawing
from .labels import attribute_text, counted, dot_label, listed, numbered, one_line, size_text, values_text
from .names import Names, callers_frame
from .recording import record_of
from .saved_notes import notes_of
from .sentences import words_in
from .text import graph_lines
from .walk import MOST_NODES, Graph, as_variables, graph_of, graph_to_show, inputs_of, too_large

_LEGEND_FONT = {"fontsize": "8", "height": "0.2", "margin": "0.06,0.03", "penwidth": "1"}
MARK = {"color": "#c00020", "penwidth": "3"}  # the border of a Function in `marked`
LONGEST_WORDS = 300  # characters of the sentence that describes the picture
_MOST_UNASKED = 100  # nodes of a Function's picture: `loss.creator` at the end of a cell must not take seconds
_RECORDED_BY_A_CALL = {
    "previous_functions", "output_ids", "needs_input_grad", "requires_grad", "backward_hooks", "non_differentiable",
}  # fmt: skip


def make_dot(
    var: Variable | tuple[Variable, ...] | list[Variable],
    params: dict[str, Variable] | list[tuple[str, Variable]] | None = None,
    show_attrs: bool = False,
    show_saved: bool = False,
    max_attr_chars: int = 50,
    *,
    show_values: bool = False,
    show_grads: bool = False,
    show_outputs: bool = True,
    numbers: bool = True,
    direction: str = "forward",
    rankdir: str = "TB",
    fold: str | int | Callable[..., Any] | list | tuple | None = None,
    legend: bool = False,
    max_nodes: int | None = MOST_NODES,
    notes: dict[Function, str] | None = None,
    marked: Collection[Function] = (),
    lang: str = "en",
) -> Drawing:
    """Draw the graph behind one or several Variables.

    The first five parameters are torchviz's. An edge is labelled with the number of the output if there are several,
    and with the name that `forward` gives the input if that is a word, such as `weight`. Its tooltip has both numbers.

    Args:
        var: A Variable, or a tuple or list of Variables: the roots of the graph.
        params: Names of leaves, as {name: Variable} or pairs. Default: `variable.name`, or the caller's own name for
            the Variable if there is exactly one.
        show_attrs: Whether to show each Function's attributes, `needs_input_grad` and `requires_grad`.
        show_saved: Whether to draw the tensors that each Function saved.
        max_attr_chars: The length at which an attribute is cut.
        show_values: Whether to show the numbers of Variables.
        show_grads: Whether to show the numbers of their gradients.
        show_outputs: Whether to draw the outputs of operations. They can be drawn if they still exist and have a name,
            or were made under `drawing.record()`. False draws only `var`.
        numbers: Whether to show each Function's number, which is the same in `print_graph` and in a trace.
        direction: "forward", the direction of the data, with the leaves on top as in torchviz, or "backward", the
            direction of `previous_functions`, with the root on top as in `trace_backward`.
        rankdir: The direction of the layout, as in Graphviz: "TB", "LR", "BT" or "RL".
        fold: Which Functions are folded into one node: "modules", "chains", a depth, a folding of `folding.py`, a
            function from a Function to a label, or a list of these.
        legend: Whether to add a legend.
        max_nodes: The largest number of Functions, leaves included (10,000; None: no limit). A folded node counts once.
        notes: Additional last lines of nodes.
        marked: Functions that get a thick red border.
        lang: The language of the legend, "en" or "zh".

    Returns:
        A `graphviz.Digraph` that shows itself in a notebook.

    Raises:
        TypeError: If `var` is not a Variable or a tuple or list of Variables.
        ValueError: If `direction`, `fold` or `lang` is unknown, or the graph is larger than `max_nodes`.

    Example:
        >>> import legacy_autograd as torch
        >>> from legacy_autograd import drawing
        >>> x = torch.autograd.Variable(torch.DoubleTensor([3]))
        >>> drawing.make_dot(x * x, {"x": x})
        <drawing of 3 nodes and 3 edges; its DOT is .source>
    """
    variables = as_variables(var, "make_dot")
    if direction not in ("forward", "backward"):
        raise ValueError(f"make_dot: direction must be 'forward' or 'backward', got {direction!r}")
    words = words_in(lang)
    if fold is None:
        graph = graph_to_show(variables, max_nodes, "make_dot", 'fold it (fold="chains", "modules" or a depth)')
    else:
        graph = graph_of(variables)
    picture = Picture(graph, Names(params, callers_frame()), numbers, backward=direction == "backward")
    picture.show_values, picture.show_grads = show_values, show_grads
    picture.attribute_length = max_attr_chars if show_attrs else 0
    picture.notes, picture.marked = notes or {}, set(marked)
    picture.find_outputs(variables, all_known=show_outputs)
    if fold is not None:
        picture.group = groups_of(graph, fold)
        count = len(graph.nodes) - len(picture.group) + len(set(picture.group.values()))
        if max_nodes is not None and count > max_nodes:
            raise too_large("make_dot", f"{count} nodes even when folded, of {len(graph.nodes)}", "fold it further")
    picture.draw(show_saved)
    return picture.to_dot(rankdir, words["legend"] if legend else None)


def bundle_of(function):
    """Return what a notebook shows for `function`: the graph behind it, with the names of Variables in `__main__`."""
    words = repr(function)
    if not function._output_sizes:
        return {"text/plain": words}
    graph = Graph([(function, 0)], inputs_of, _MOST_UNASKED)
    if not graph.is_complete:
        return {"text/plain": f"{words} Its graph is too large to show; drawing.make_dot can fold it."}
    user = vars(sys.modules["__main__"])
    picture = Picture(graph, Names(frame=types.SimpleNamespace(f_locals=user, f_globals=user)), numbers=True)
    picture.find_outputs((), all_known=True)
    picture.draw()
    bundle = picture.to_dot("TB")._repr_mimebundle_()
    return {**bundle, "text/plain": words} if "image/svg+xml" in bundle else bundle


class Picture:
    """The nodes and edges of one drawing, collected in the order of the walk, before they are written as DOT.

    A node's name identifies it: f5 is the Function numbered 5, v5_0 its output 0, s5_1 the second tensor that it saved,
    g5 a group whose first Function has the number 5.
    """

    def __init__(self, graph, names, numbers=False, backward=False):
        self.graph = graph
        self.names = names
        self.numbers = numbers
        self.backward = backward
        self.show_values = self.show_grads = False
        self.attribute_length = 0  # 0: attributes are not shown
        self.attributes = None  # the names of the attributes to show, None for all
        self.notes = {}  # {Function: text}
        self.marked = set()  # Functions
        self.outputs = {}  # {(Function, output number): the Variable, or None if it no longer exists}
        self.cut = ()  # (Function, output number) of the non-differentiable outputs to draw
        self.group = {}  # {Function: the Group that replaces it in the picture}
        self._nodes = {}  # {name: (kind, lines, attributes)}
        self._edges = []  # (tail, head, attributes)
        self._drawn_edges = set()
        self._operands = {}  # {class of a Function: the names of its inputs in `forward`}

    def find_outputs(self, variables, all_known):
        """Find the outputs of operations that can be drawn: `variables`, those with a name, and the recorded ones."""
        if all_known:
            for function in self.graph.nodes:
                record = record_of(function)
                if record is not None and not isinstance(function, Leaf):
                    for number, output in enumerate(record.outputs):
                        if output is not None:
                            self.outputs[function, number] = _if_still_of(function, output())
            variables = (*variables, *self.names.variables)
        for variable in variables:
            function = variable.creator
            if function in self.graph.number and not isinstance(function, Leaf):
                with contextlib.suppress(RuntimeError):  # a Variable that its creator did not make
                    self.outputs[function, variable.output_nr] = variable

    def draw(self, show_saved=False):
        """Collect every node, every edge, and every output that was found."""
        for function in self.graph.nodes:
            self._function(function)
            for position, edge in enumerate(self.graph.inputs[function]):
                if edge is not None:
                    self._input(function, position, *edge)
            if show_saved and function not in self.group:
                self._saved(function)
        for function, number in self.outputs:
            unused = all(number != used for _, _, used in self.graph.uses[function])
            if unused and ((function, number) in self.graph.roots or function not in self.group):
                self._output(function, number)
        for function, number in self.cut:
            self._cut_output(function, number)

    def name_of(self, function):
        """Return the name of the node that represents `function`."""
        group = self.group.get(function)
        return f"f{self.graph.number[function]}" if group is None else f"g{self.graph.number[group.functions[0]]}"

    def to_dot(self, rankdir, legend=None):
        """Return the drawing as DOT."""
        words = self._words()
        dot = blank_drawing(words, rankdir=rankdir, **self._haste())
        dot.words, dot.nodes, dot.edges = words, len(self._nodes), len(self._edges)
        if len(self.graph.nodes) <= MOST_SHOWN:
            dot.text = "\n".join(graph_lines(self.graph, self.names, self.notes))
        for name, (kind, lines, attributes) in self._nodes.items():
            dot.node(name, dot_label(lines), **{**STYLES[kind], **attributes})
        for tail, head, attributes in self._edges:
            dot.edge(tail, head, **attributes)
        if legend:
            self._add_legend(dot, legend)
        return dot

    def _words(self):
        """Describe the picture in one sentence: the roots, the operations and the leaves."""
        roots = [self.names.of(self.outputs.get(root)) or self._label(root[0]) for root in self.graph.roots]
        operations = Counter(type(fn).__name__ for fn in self.graph.nodes if not isinstance(fn, Leaf))
        parts = [f"The graph of {listed(roots)}: {counted(operations) or 'no Function'}"]
        for requires, singular, plural in (
            (True, "requires a gradient", "require a gradient"),
            (False, "requires none", "require none"),
        ):
            leaves = [fn for fn in self.graph.nodes if isinstance(fn, Leaf) and fn.requires_grad == requires]
            named = [self.names.of_leaf(leaf) for leaf in leaves]
            if leaves:
                which = f" {listed(named)}" if None not in named else ""
                count = "leaf" if len(leaves) == 1 else f"{len(leaves)} leaves" if not which else "leaves"
                parts.append(f"{count}{which} {singular if len(leaves) == 1 else plural}")
        return one_line("; ".join(parts), LONGEST_WORDS)

    def _label(self, function):
        name = self.names.of_leaf(function) if isinstance(function, Leaf) else None
        return name or type(function).__name__

    def _haste(self):
        """Return attributes that make Graphviz's layout faster and rougher, for a graph whose edges pass many nodes.

        A leaf that every step of a loop uses has edges of all lengths. The time of `dot` grows with the square of their
        sum: 100 such steps take more than a minute without these attributes, and a third of a second with them.
        """
        place = {}
        passed = 0
        for function in self.graph.nodes:
            name = self.name_of(function)
            places = [place[self.name_of(edge[0])] for edge in self.graph.inputs[function] if edge is not None]
            place[name] = max([place.get(name, 0), *(p + 1 for p in places)])
            passed += sum(place[name] - p - 1 for p in places if p < place[name])
        if passed < 300:
            return {}
        haste = {"nslimit": "1", "nslimit1": "1", "mclimit": "0.1"}
        return haste if passed < 1500 else {**haste, "splines": "line"}

    # --- nodes

    def _function(self, function):
        group = self.group.get(function)
        if group is not None:
            if function is group.functions[0]:
                self._group(group)
        elif isinstance(function, Leaf):
            self._leaf(function)
        else:
            lines = [self._numbered(function, type(function).__name__)]
            drawn = {*self.outputs, *self.cut}
            if not any((function, number) in drawn for number in range(len(function._output_sizes))):
                lines.append(", ".join(map(size_text, function._output_sizes)))
            if self.attribute_length:
                lines += self._attributes(function)
            self._node(function, "function", lines)

    def _leaf(self, leaf):
        variable = leaf.variable
        name = self.names.of_leaf(leaf)
        size = size_text(leaf._output_sizes[0])
        lines = [self._numbered(leaf, "Leaf"), size] if name is None else [self._numbered(leaf, name), f"Leaf {size}"]
        if self.attribute_length and self.attributes is None:
            lines.append(f"requires_grad = {leaf.requires_grad}")
        self._node(leaf, "leaf" if leaf.requires_grad else "constant", lines + self._numbers_of(variable))

    def _group(self, group):
        lines = [group.title]
        if len(group.operations) > 1:
            lines.append(f"{len(group.operations)} Functions")
        sizes = [size_text(fn._output_sizes[number]) for fn, number in self._results(group)]
        if sizes:
            lines.append(", ".join(sizes))
        leaves = [self.names.of_leaf(leaf) or "Leaf" for leaf in group.functions if isinstance(leaf, Leaf)]
        if leaves:
            shown = [name.rpartition(".")[2] for name in leaves] if len(leaves) <= 4 else [f"{len(leaves)} leaves"]
            lines.append(", ".join(shown))
        self._nodes[self.name_of(group.functions[0])] = ("leaves" if group.holds_leaves else "group", lines, {})

    def _results(self, group):
        """Return the outputs of a group that are used outside of it and not drawn: (Function, output number)."""
        found = {}
        for function in group.operations:
            used = [number for user, _, number in self.graph.uses[function] if self.group.get(user) is not group]
            used += [number for root, number in self.graph.roots if root is function]
            found.update({(function, number): None for number in sorted(used)})
        return [output for output in found if output not in self.outputs]

    def _node(self, function, kind, lines):
        attributes = dict(MARK) if function in self.marked else {}
        lines = [*lines, *self.notes.get(function, "").splitlines()]
        self._nodes[self.name_of(function)] = (kind, lines, attributes)

    def _output(self, function, number):
        """Add the brown node of an output and the edge from its Function; return the node's name."""
        node = f"v{self.graph.number[function]}_{number}"
        if node not in self._nodes:
            variable = self.outputs[function, number]
            name = self.names.of(variable)
            lines = ([] if name is None else [name]) + [size_text(function._output_sizes[number])]
            attributes = {"penwidth": "2.2"} if (function, number) in self.graph.roots else {}
            self._nodes[node] = ("output", lines + self._numbers_of(variable), attributes)
            label = f"output {number}" if self._has_several_outputs(function) else ""
            self._edge(self.name_of(function), node, label, f"output {number} of {type(function).__name__}")
        return node

    def _cut_output(self, function, number):
        """Add the dashed node of a non-differentiable output, whose Variable has its own Leaf."""
        node = f"v{self.graph.number[function]}_{number}"
        which = f"output {number}" if self._has_several_outputs(function) else "output"
        self._nodes[node] = ("cut", [f"{which}, not differentiable", size_text(function._output_sizes[number])], {})
        sentence = f"{which} of {type(function).__name__} is not differentiable"
        self._edges.append((self.name_of(function), node, {"style": "dashed", "tooltip": sentence}))

    def _saved(self, function):
        # A tensor that the node shows as an attribute is not drawn a second time, unless all attributes are shown.
        for index, lines in enumerate(notes_of(function, self.attributes or (), self.show_values)):
            node = f"s{self.graph.number[function]}_{index}"
            self._nodes[node] = ("saved", lines, {})
            line = {"style": "dashed", "dir": "none", "color": STYLES["saved"]["color"]}
            self._edges.append((node, self.name_of(function), line))

    # --- edges

    def _input(self, function, position, prev_fn, output_nr):
        """Add the edge to input `position` of `function`, through the node of the output if that is drawn."""
        tail, head = self.name_of(prev_fn), self.name_of(function)
        if tail == head:
            return
        is_grouped = function in self.group
        name = "" if is_grouped else self._operand(function, position)
        which = f"output {output_nr}" if self._has_several_outputs(prev_fn) else ""
        sentence = f"output {output_nr} of {type(prev_fn).__name__} is input {position} of {type(function).__name__}"
        if (prev_fn, output_nr) in self.outputs:
            tail, which = self._output(prev_fn, output_nr), ""
        if is_grouped or prev_fn in self.group:
            edge = tail, head, which, None if is_grouped else position
            if edge in self._drawn_edges:
                return
            self._drawn_edges.add(edge)
        self._edge(tail, head, " → ".join(filter(None, [which, name])), sentence)

    def _edge(self, tail, head, label, sentence):
        if self.backward:
            tail, head = head, tail
        attributes = {"tooltip": one_line(sentence)}
        if label:
            attributes["label"] = f" {label}"
        self._edges.append((tail, head, attributes))

    def _operand(self, function, position):
        """Return the name of an input in `forward`: "weight", but "" for a letter, which tells no more than its place.

        The number of the input is in the tooltip. Beside a graph it would be read as a gradient.
        """
        kind = type(function)
        if kind not in self._operands:
            parameters = [*inspect.signature(kind.forward).parameters.values()][1:]
            self._operands[kind] = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
        names = self._operands[kind]
        return names[position] if position < len(names) and len(names[position]) > 1 else ""

    def _has_several_outputs(self, function):
        return len(function._output_sizes) > 1 and function not in self.group

    # --- words

    def _numbered(self, function, text):
        return numbered(text, self.graph.number[function]) if self.numbers else text

    def _numbers_of(self, variable):
        """Return the requested lines with the numbers of a Variable, if it still exists."""
        lines = []
        if variable is not None and self.show_values:
            lines.append(values_text(variable.data))
        if variable is not None and self.show_grads and variable.requires_grad:
            # `_grad`, because reading `grad` creates a tensor of zeros, and a drawing must not change the graph.
            lines.append("grad None" if variable._grad is None else f"grad {values_text(variable._grad.data)}")
        return lines

    def _attributes(self, function):
        shown = {
            name: value
            for name, value in vars(function).items()
            if not name.startswith("_") and name not in _RECORDED_BY_A_CALL
        }
        shown |= {"needs_input_grad": function.needs_input_grad, "requires_grad": function.requires_grad}
        return [
            f"{name} = {attribute_text(value, self.attribute_length)}"
            for name, value in shown.items()
            if self.attributes is None or name in self.attributes
        ]

    def _add_legend(self, dot, legend):
        drawn = {kind for kind, _, _ in self._nodes.values()}
        shown = [(f"legend_{kind}", kind, words) for kind, words in legend.items() if kind in drawn]
        with dot.subgraph(name="cluster_legend") as cluster:
            cluster.attr(**FONT, label="", color=LINE_COLOR, margin="5")
            for name, kind, words in shown:
                cluster.node(name, dot_label(words.splitlines()), **{**STYLES[kind], **_LEGEND_FONT})
            for (above, *_), (below, *_) in zip(shown, shown[2:]):
                cluster.edge(above, below, style="invis")  # in two columns


def _if_still_of(function, variable):
    """Return `variable`, or None if it is gone or an in-place operation made it the output of another Function."""
    return variable if variable is not None and variable.creator is function else None
