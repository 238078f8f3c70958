"""print_graph and the names: the tree for a terminal."""

import io

import pytest

from legacy_autograd import drawing

from .graphs import diamond, variable

TREE = """\
Add #5 (1,)
├─ Mul #3 (1,)
│  ├─ Leaf x #1 (1,)
│  └─ Leaf y #2 (1,)
└─ Add #4 (1,)
   ├─ Leaf x #1 (1,) (above)
   └─ Leaf y #2 (1,) (above)
"""


def printed(*arguments, encoding="utf-8", **options):
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="\n")
    drawing.print_graph(*arguments, file=file, **options)
    file.flush()
    return file.buffer.getvalue().decode(encoding)


def test_a_tree_shows_shared_nodes_once(capsys):
    x, y, z = diamond()
    drawing.print_graph(z)
    assert capsys.readouterr().out == TREE


def test_outputs_and_what_requires_no_gradient():
    x, c = variable(1.0, 2.0), variable(3.0, requires_grad=False)
    first, second = x.chunk(2)
    assert printed(second * c, params={"x": x, "c": c}).splitlines() == [
        "Mul #4 (1,)",
        "├─ output 1 of Chunk #2 (1,), (1,)",
        "│  └─ Leaf x #1 (2,)",
        "└─ Leaf c #3 (1,) (no gradient)",
    ]
    assert first is not None


def test_several_roots_one_inside_the_other():
    x = variable(1.0)
    inner = x.exp()
    lines = printed((inner.sin(), inner), params={"x": x}).splitlines()
    assert lines == ["Sin #3 (1,)", "└─ Exp #2 (1,)", "   └─ Leaf x #1 (1,)", "", "Exp #2 (1,) (above)"]


def test_a_deep_graph_is_continued_in_trees_of_its_own():
    value = variable(1.0)
    for _ in range(3000):
        value = value * 1
    lines = printed(value).splitlines()
    assert max(map(len, lines)) < 150
    continued = [line for line in lines if line.endswith("… continued below")]
    starts = [line for line in lines if line.startswith("MulConstant")]
    assert len(continued) == len(starts) - 1 > 50
    assert sum("(1,)" in line for line in lines) == 3001 + len(continued)


def test_ascii_where_the_terminal_has_no_more():
    x, y, z = diamond()
    lines = printed(z, encoding="ascii", params={"ä": x}).splitlines()
    assert lines[2] == "|  |- Leaf \\xe4 #1 (1,)"


def test_a_name_cannot_command_the_terminal():
    x = variable(1.0)
    assert "\x1b" not in printed(x * 1, params={"\x1b[2J\n": x})


def test_what_is_no_variable_is_refused():
    with pytest.raises(TypeError, match="print_graph needs a Variable or a tuple of them, got int"):
        drawing.print_graph(3)


# --- names


def label_of(variable_, **options):
    return printed(variable_, **options).split("#")[0].strip().removeprefix("Leaf").strip()


def test_names_of_the_callers_frame_are_used_when_unambiguous():
    here = variable(1.0)
    assert "Leaf here #1" in printed_from_here(here)

    also_here = here
    assert "Leaf #1" in printed_from_here(also_here)


def printed_from_here(value):
    """The tree that the caller's frame would print: `print_graph` reads the names in its caller's frame."""
    import sys

    from legacy_autograd.drawing.names import Names
    from legacy_autograd.drawing.text import graph_lines
    from legacy_autograd.drawing.walk import graph_of

    return "\n".join(graph_lines(graph_of([value]), Names(None, sys._getframe(1)), {}))


def test_a_variable_in_a_list_and_one_with_a_name_of_its_own():
    xs = [variable(1.0), variable(2.0)]
    xs[1].name = "own name"
    assert "Leaf xs[0] #1" in printed_from_here(xs[0] * 1)
    assert "Leaf own name #1" in printed_from_here(xs[1] * 1)


SHADOWED = variable(1.0)


def test_globals_come_after_locals_and_params_before_all():
    assert "Leaf SHADOWED #1" in printed_from_here(SHADOWED * 1)
    local = SHADOWED
    assert "Leaf local #1" in printed_from_here(local * 1)
    assert label_of(local, params={"given": local}) == "given"
    local.name = None
