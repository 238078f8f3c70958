"""The dictionary of names: looked up, not written down."""

import html
import re

import pytest

torch = pytest.importorskip("torch", reason="the comparison needs modern torch")

from legacy_autograd.comparison import dictionary  # noqa: E402


@pytest.fixture(scope="module")
def names():
    return dictionary()


@pytest.mark.parametrize(
    "here, value_here, there, value_there",
    [
        ("y.creator", "Mul", "y.grad_fn", "MulBackward0"),
        ("x.creator", "Leaf", "x.grad_fn", "None"),
        ("y.creator.previous_functions[1][0]", "Leaf", "y.grad_fn.next_functions[1][0]", "AccumulateGrad"),
        ("y.creator.output_ids[id(y)]", "0", "y.output_nr", "0"),
        ("x.creator.variable is x", "True", "y.grad_fn.next_functions[1][0].variable is x", "True"),
        ("loss.sum().size()", "(1,)", "loss.sum().size()", "()"),
        ("loss.creator.previous_functions[1][0].needs_input_grad", "(False, True)", None, "(False, True)"),
        ("x.grad", "[0.0]", "x.grad", "None"),
        ("w.grad", "[20.0]", "w.grad", "Tensor [20.0]"),
        ("v.volatile", "True", "not torch.is_grad_enabled()", "True"),
        ("unrecorded.requires_grad", "False", "unrecorded.requires_grad", "False"),
        ("Double()(x)", "(Variable [4.0],)", "Double.apply(x)", "Tensor [4.0]"),
    ],
)
def test_entries(names, here, value_here, there, value_there):
    entry = names[here]
    assert (entry.value_here, entry.value_there) == (value_here, value_there)
    assert there is None or entry.there == there


def test_gradients_add_up(names):
    values = [(entry.value_here, entry.value_there) for entry in names if entry.here == "x.grad"]
    assert values == [("[0.0]", "None"), ("[8.0]", "Tensor [8.0]"), ("[16.0]", "Tensor [16.0]")]


def test_engines_hooks_and_flags_are_there(names):
    topics = " ".join(entry.here + entry.there for entry in names)
    for name in ("run_backward", "retain_variables", "retain_graph", "volatile", "backward_hooks", "saved_tensors"):
        assert name in topics


def test_the_tables(names):
    markdown = names.to_markdown()
    assert markdown.splitlines()[1] == "| --- | --- | --- | --- | --- |"
    assert len(markdown.splitlines()) == len(names) + 2
    assert "`y.creator` | `Mul` | `y.grad_fn` | `MulBackward0`" in markdown
    with pytest.raises(KeyError, match="no entry"):
        names["nothing"]


def test_a_terminal_shows_all_of_it_on_a_page(names):
    shown = repr(names)
    assert str(names) == shown
    lines = shown.splitlines()
    assert lines[0] == f"2016, and legacy_autograd, above {names.worlds[1]}"
    assert max(map(len, lines)) <= 120
    assert [line.split()[-3:] for line in lines[4:6]] == [["type(x)", "class", name] for name in ("Variable", "Tensor")]
    second, third = lines[2].index("expression"), lines[2].index("is")
    columns = (slice(second), slice(second, third), slice(third, None))
    abouts, expressions, values = ("".join("".join(line[column] for line in lines).split()) for column in columns)
    for entry in names:
        assert "".join(entry.about.split()) in abouts
        for expression, value in ((entry.here, entry.value_here), (entry.there, entry.value_there)):
            assert "".join(expression.split()) in expressions and "".join(value.split()) in values


def test_a_notebook_shows_a_table_that_can_be_narrow(names):
    table = names._repr_html_()
    assert table.count("<tr>") == len(names) + 1 and table.count("<th ") == 3
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in table.split("<tr>")[2:]]
    for entry, (about, here, there) in zip(names, rows, strict=True):
        assert html.unescape(about) == entry.about
        for cell, expression, value in ((here, entry.here, entry.value_here), (there, entry.there, entry.value_there)):
            codes = [html.unescape(code.replace("<wbr>", "")) for code in re.findall("<code>(.*?)</code>", cell)]
            assert codes == [expression, value]
            unbreakable = re.split(r"<wbr>|<br>| ", re.sub("</?code>", "", cell))
            assert max(len(html.unescape(piece)) for piece in unbreakable) <= 32, cell


def test_it_is_the_same_every_time_and_leaves_the_grad_mode_alone(names):
    assert dictionary().to_markdown() == names.to_markdown()
    assert "0x" not in names.to_markdown()
    assert torch.is_grad_enabled()
