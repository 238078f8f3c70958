"""The graph on which a check failed, with the data of the student's code for each Function, as text and as SVG.

The judge builds the graph anew from the program's name. The student's data are in the result of the probe.
"""

import io
import re
from collections import Counter
from dataclasses import dataclass

from .model import agree, shown
from .observers.programs import PROGRAMS, names_of, root_of, words
from .programs.running import Run

MOST_FUNCTIONS = 60  # of a graph that is drawn: a larger picture is unreadable
_OF_A_FUNCTION = (  # keys of probes about single Functions: a pattern with its name, and the words for it
    (re.compile(r"uses of (.+)"), "uses"),
    (re.compile(r"taken from the uses of (.+)"), "uses taken away"),
    (re.compile(r"backward of (.+) ran"), "backward ran"),
    (re.compile(r"(.+)\.grad"), "gradient"),
)


@dataclass(frozen=True)
class Picture:
    """`title` names the graph; `text` is the tree, `svg` the picture, and `problem` the reason if there is none.

    `page` is a page of HTML that steps through a backward, if it was traced.
    """

    title: str
    text: str
    svg: str | None = None
    problem: str | None = None
    page: str | None = None

    def asdict(self):
        """Return the arguments of an equal instance."""
        return vars(self).copy()


def picture_of(exercise, asked, svg=False):
    """Return the Picture of a check's last call (model.Asked), or None if it has no graph."""
    if isinstance(asked.got, dict) and "trace" in asked.got:
        return _of_a_trace(asked.got, svg)
    if "lines" in asked.inputs:
        return _of_a_program(exercise, asked, svg)
    if asked.probe in exercise.graphs:
        title, variables = exercise.graphs[asked.probe](**asked.inputs)
    elif asked.inputs.get("program") in PROGRAMS:
        title, variables = words(asked.inputs["program"]), PROGRAMS[asked.inputs["program"]]()
    else:
        return None
    notes, marked = _notes(asked, _named(variables), variables)
    return _drawn(title, (root_of(variables),), variables, notes, marked, svg)


def _of_a_program(exercise, asked, svg):
    """Return the Picture of the graphs that the lines of a program make, or None if they make none."""
    exercise.behaviour(exercise.reference, asked.inputs["lines"])
    run = Run.last
    variables = {name: variable for name, variable in run.variables() if variable.requires_grad}
    labels = {variable.creator: name for name, variable in reversed(variables.items())}
    labels = {**run.labels, **labels}
    operands = {operand for function in labels for operand, _ in function.previous_functions}
    roots = {v.creator: v for v in variables.values() if not v.is_leaf and v.creator not in operands}
    if not roots:
        return None
    notes, marked = _of_functions(asked, labels)
    return _drawn("its graph", tuple(roots.values()), variables, notes, marked, svg)


def _of_functions(asked, labels):
    """({Function: what was seen of it}, the Functions of which that is wrong).

    What is seen of a Function is called "a.grad", "backward of a" or "uses of a counted in d", with its name.
    """
    got = asked.got if isinstance(asked.got, dict) else {}
    notes, marked = {}, []
    for function, label in labels.items():
        lines, is_wrong = [], False
        for key in {**asked.expected, **got}:
            what, found_name, rest = key.partition(f" of {label}")
            if key == f"{label}.grad":
                what = "gradient"
            elif not found_name or (rest and rest[0] != " "):
                continue
            right, found = asked.expected.get(key), got.get(key)
            differs = not agree(right, found, asked.tolerance)
            lines.append(f"{what}{rest}: {shown(found)}" + (f", not {shown(right)}" if differs else ""))
            is_wrong |= differs
        if lines:
            notes[function] = "; ".join(lines) + ("  WRONG" if is_wrong else "")
        if is_wrong:
            marked.append(function)
    return notes, marked


def _drawn(title, roots, variables, notes, marked, svg):
    """Return the Picture of the graph behind `roots`: its tree, and the SVG if that is wanted and can be had."""
    from ..drawing import LayoutUnavailable, make_dot, print_graph
    from ..drawing.layout import to_svg

    tree = io.StringIO()
    try:
        print_graph(roots, tree, variables, max_nodes=MOST_FUNCTIONS, notes=notes)
    except ValueError:
        return Picture(title, "", problem=f"the graph has more than {MOST_FUNCTIONS} Functions")
    if not svg:
        return Picture(title, tree.getvalue())
    lines = {function: note.replace("; ", "\n") for function, note in notes.items()}
    try:
        return Picture(title, tree.getvalue(), to_svg(make_dot(roots, variables, notes=lines, marked=marked).source))
    except LayoutUnavailable as error:
        return Picture(title, tree.getvalue(), problem=str(error))


def _of_a_trace(got, page):
    """Return the Picture of a backward that was traced in the student's process."""
    from ..drawing import LayoutUnavailable, Trace
    from ..drawing.page import page as page_of

    trace = Trace.from_json(got["trace"])
    text = "\n".join(map(str, got["said"])) or "no copies and no writes in place"
    if not page:
        return Picture(trace.title, text)
    try:
        return Picture(trace.title, text, page=page_of([trace]))
    except LayoutUnavailable as error:
        return Picture(trace.title, text, problem=str(error))


def _named(variables):
    """{Function: what a probe calls it} of the graph behind the last of `variables`: a name, or that of its class."""
    names, found, waiting = names_of(variables), {}, [root_of(variables).creator]
    while waiting and len(found) <= MOST_FUNCTIONS:
        function = waiting.pop()
        if function not in found:
            found[function] = names.get(function, type(function).__name__)
            waiting += [prev_fn for prev_fn, _ in function.previous_functions]
    return found


def _notes(asked, named, variables):
    """({Function: what the student's code said of it}, the Functions of which that is wrong)."""
    got = asked.got if isinstance(asked.got, dict) else {}
    expected = asked.expected or {}
    said = {}  # {name of a Function: [(words, is it wrong)]}
    for key in {**got, **expected}:
        for pattern, what in _OF_A_FUNCTION:
            match = pattern.fullmatch(key)
            if match:
                is_wrong = key in expected and not (key in got and agree(expected[key], got[key], asked.tolerance))
                line = f"{what}: {shown(got[key]) if key in got else 'none'}"
                said.setdefault(match[1], []).append(
                    (f"{line}, not {shown(expected[key])}" if is_wrong and key in expected else line, is_wrong)
                )
    _note_the_callers(said, root_of(variables).creator, got, expected)
    _note_who_is_counted(said, named, got, expected)
    _note_steps(said, got)
    _note_order(said, got)
    _note_log(said, got, expected)
    _note_text(said, named, got)
    times = Counter(named.values())  # two Functions without a name of their own may be of one class
    notes, marked = {}, []
    own_names = names_of(variables)
    for function, name in named.items():
        lines = said.get(name, []) if times[name] == 1 else []
        lines = lines + said.get(function, [])
        label = f"{name}: " if function in own_names and function.previous_functions and lines else ""
        if lines:
            notes[function] = f"{label}{'; '.join(line for line, _ in lines)}"
        if any(is_wrong for _, is_wrong in lines):
            marked.append(function)
            notes[function] += "  WRONG"
    return notes, marked


def _note_the_callers(said, root, got, expected):
    """At the root: the tensors that the caller gave to backward, if they were written into."""
    for key in ("the gradient given to backward", "the gradients given"):
        if key in expected and key in got and not agree(expected[key], got[key]):
            said[root] = [(f"{key}: {shown(got[key])}, not {shown(expected[key])}", True)]


def _note_who_is_counted(said, named, got, expected):
    """Exercise 4: the names of the Functions that have counts."""
    counted, right = got.get("there are counts of"), expected.get("there are counts of")
    if isinstance(counted, list) and right is not None:
        for name in named.values():
            is_wrong = (name in counted) != (name in right)
            said.setdefault(name, []).append(("has a count" if name in counted else "has no count", is_wrong))


def _note_steps(said, got):
    """Exercise 4: the order in which Functions were tested for being ready, with the results."""
    steps = got.get("steps")
    for number, (_, name, left, ready) in enumerate(steps if isinstance(steps, list) else [], 1):
        line = f"step {number}: uses left {shown(left)}, {'ready' if ready else 'not ready'}"
        said.setdefault(name, []).append((line, ready == any(left)))


def _note_order(said, got):
    """Exercise 5: the positions in the order in which backwards ran."""
    order = got.get("backwards in order")
    places = {}
    for place, name in enumerate(order if isinstance(order, list) else [], 1):
        places.setdefault(name, []).append(str(place))
    for name, found in places.items():
        said.setdefault(name, []).append((f"ran as number {', '.join(found)}", False))


def _note_log(said, got, expected):
    """Exercise 8: the norms that were logged for each Variable."""
    logs = [entries["log"] for entries in (got, expected) if isinstance(entries.get("log"), list)]
    if len(logs) == 2:
        norms = [{str(name): [norm for other, norm in log if other == name] for name, _ in log} for log in logs]
        for name in sorted({*norms[0], *norms[1]}):
            found, right = (each.get(name, []) for each in norms)
            line = f"norms: {shown(found)}"
            is_wrong = not agree(right, found)
            said.setdefault(name, []).append((f"{line}, not {shown(right)}" if is_wrong else line, is_wrong))


def _note_text(said, named, got):
    """Exercise 9: labels that the student's text has too few or too many times, and the edges into each node."""
    from ..autograd.leaf import Leaf
    from .checks import dot_text

    try:
        graph = dot_text.read(got["text"])
    except (KeyError, TypeError, dot_text.Unreadable):
        return

    def label_of(function):
        if isinstance(function, Leaf):
            return "x".join(map(str, function._output_sizes[0]))
        return type(function).__name__

    labels = {name: attributes.get("label", name) for name, attributes in graph.nodes.items()}
    found, right = Counter(labels.values()), Counter(map(label_of, named))
    edges = Counter((labels[one], labels[other]) for one, other in graph.edges)
    right_edges = Counter((label_of(prev_fn), label_of(fn)) for fn in named for prev_fn, _ in fn.previous_functions)
    for function in named:
        label = label_of(function)
        nodes = f"nodes {label}: {found[label]} in your text"
        lines = [
            (nodes if found[label] == right[label] else f"{nodes}, not {right[label]}", found[label] != right[label])
        ]
        for one, other in sorted(set(edges) | set(right_edges)):
            if other == label and edges[one, other] != right_edges[one, other]:
                lines.append((f"edges {one} -> {other}: {edges[one, other]}, not {right_edges[one, other]}", True))
        said[function] = lines
