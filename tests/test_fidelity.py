"""FIDELITY.md and docs/reliability.md: their tests exist, and those of FIDELITY's rows that no other file shows."""

import ast
import inspect
import math
import pathlib
import re

import pytest

import legacy_autograd as torch
from legacy_autograd import historical, nn, optim
from legacy_autograd.autograd import ExecutionEngine, Variable, functions

ROOT = pathlib.Path(__file__).resolve().parents[1]
TEXT = (ROOT / "FIDELITY.md").read_text(encoding="utf-8")
RELIABILITY = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)(?:\[(\w+)\])?`", TEXT + RELIABILITY)))


def functions_in(path):
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("path", sorted({path for path, _, _ in NAMED}))
def test_every_test_that_is_named_exists(path):
    assert {name for named, name, _ in NAMED if named == path} <= functions_in(path)


def test_every_exhibit_that_is_named_exists_and_every_exhibit_is_named():
    named = {parameter for _, name, parameter in NAMED if name == "test_both_numbers"}
    exhibits = {show_both.__name__ for show_both in historical.EXHIBITS}
    assert named <= exhibits
    assert exhibits - named == {"half_a_repair"}  # has a test of its own


def rows():
    return [line for line in TEXT.splitlines() if line.startswith("|") and not re.match(r"\|[-|]+\|$", line)]


def test_every_row_names_a_test():
    headings = [line for line in rows() if line.endswith("| test |")]
    assert len(headings) == 14
    for line in rows():
        if line not in headings:
            assert re.search(r"`tests/[\w/]+\.py::test_\w+(\[\w+\])?` \|$", line), line


def test_cells_have_at_most_25_words():
    for line in rows():
        *cells, _tests = re.split(r"(?<!\\)\|", line.strip("|"))
        for cell in cells:
            assert len(re.sub(r"\(\[note \d+\]\(#[\w-]+\)\)", "", cell).split()) <= 25, cell


def test_every_note_is_below_its_table_and_linked_from_it():
    for section in re.split(r"(?=^## )", TEXT, flags=re.MULTILINE):
        # A section's table, its notes, then perhaps the next table of the section.
        parts = re.split(r"^### (Notes on .*)$", section, flags=re.MULTILINE)
        for table, heading, notes in zip(parts[::2], parts[1::2], parts[2::2]):
            anchor = heading.lower().replace(" ", "-")
            linked = re.findall(rf"\(\[note (\d+)\]\(#{anchor}\)\)", table)
            assert linked == re.findall(r"^(\d+)\. ", notes, flags=re.MULTILINE), heading
    headings = {heading.lower().replace(" ", "-") for heading in re.findall(r"^### (.*)$", TEXT, flags=re.MULTILINE)}
    assert set(re.findall(r"\(#(notes-[\w-]+)\)", TEXT)) == headings


def test_every_promise_names_a_test():
    promises = [line for line in RELIABILITY.splitlines() if re.match(r"\| [A-Z`]", line)]
    assert len(promises) > 20
    for line in promises:
        assert re.search(r"`tests/[\w/]+\.py::test_\w+` \|$", line), line


def test_every_row_says_what_became_of_it():
    part = TEXT[: TEXT.index("## Conventions")]
    part += TEXT[TEXT.index("## Programs") : TEXT.index("## Added later")]
    part += TEXT[TEXT.index("| torch today |") : TEXT.index("## The defects")]
    for line in part.splitlines():
        if line.startswith("|") and not line.startswith(
            ("|---", "| v0.1.1 |", "| v0.1.12 |", "| v0.1.x,", "| torch today |")
        ):
            assert re.search(r"\*\*(kept|fixed|differs|added)\*\*", line), line


def test_every_known_defect_is_there():
    known = (
        "A1 A2 A3 A4 A6 B1 B2 B3 B4 C1 C2 C3 C4 C5 D1 D2 D3 D4 D5 D6 E1 E2 E3 E4 E5 E6 E7 E8 E9 "
        "F1 F2 F3 F4 F6 F7 F8 F9 F11 G1 G2 G3 G4 G5 G6 G7 G8 G9 G10 G11 G13 G14 G15"
    )
    assert [name for name in known.split() if not re.search(rf"\b{name}\b", TEXT)] == []


def test_the_numbers_of_the_table_are_those_of_the_exhibits():
    table = TEXT[TEXT.index("## The defects of v0.1.1") :]
    for line in table.splitlines():
        named = re.search(r"test_both_numbers\[(\w+)\]` \|$", line)
        if named is None or line.count("test_both_numbers") > 1:
            continue
        exhibit = getattr(historical, named[1])()
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        for cell, outcome in ((cells[2], exhibit.then), (cells[3], exhibit.right)):
            if re.fullmatch(r"[\d., -]+", cell):
                computed = {float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", str(list(outcome.values.values())))}
                assert {float(n) for n in re.findall(r"-?[\d.]+", cell)} <= computed, line
            elif cell.endswith("Error"):
                assert outcome.exception == cell


# --- rows that no other file shows


def variable(*numbers, **keywords):
    return Variable(torch.DoubleTensor(list(numbers)), **keywords)


def test_unknown_attributes_raise_and_are_named():
    with pytest.raises(AttributeError, match="no attribute 'foo'"):
        variable(1.0).foo  # noqa: B018


def test_the_gradient_that_is_not_given_has_the_size_of_the_data():
    x = Variable(torch.DoubleTensor([[[2.0]]]))
    seen = []
    y = x * 3
    y.register_hook(lambda grad: seen.append(grad.size()))
    y.backward()
    assert seen == [(1, 1, 1)]


def test_a_hook_that_changes_a_gradient_in_place_is_felt():
    x = variable(1.0)
    y = x * 2
    z = y * 3
    z.creator.register_hook("scale", lambda grad_input, grad_output: grad_input[0].mul_(10))
    z.backward()
    assert x.grad.tolist() == [60]


def test_backward_shows_its_options():
    parameters = inspect.signature(Variable.backward).parameters
    assert list(parameters) == ["self", "gradient", "retain_variables", "retain_graph", "create_graph", "inputs"]
    assert inspect.Parameter.VAR_KEYWORD not in {parameter.kind for parameter in parameters.values()}


def test_the_engine_has_the_methods_of_2016():
    names = ("run_backward", "_compute_dependencies", "_free_backward_dependency", "_is_ready_for_backward")
    assert all(callable(vars(ExecutionEngine)[name]) for name in names)
    assert isinstance(Variable._execution_engine, ExecutionEngine)


def test_the_operations_of_2016_are_there():
    names = (
        "Add Sub Mul Div Pow AddConstant SubConstant MulConstant DivConstant PowConstant Negate "
        "Index Transpose View Copy Exp Log Log1p"
    )
    for name in names.split():
        assert issubclass(getattr(functions, name), torch.autograd.Function)
        assert issubclass(getattr(historical.V0_1_1.functions, name), getattr(functions, name))
    x = variable(4.0)
    (y,) = functions.SubConstant(10, sub_tensor=True)(x)
    (z,) = functions.DivConstant(10, div_by_tensor=True)(x)
    (w,) = functions.PowConstant(2, tensor_power=True)(x)
    assert (y.data[0], z.data[0], w.data[0]) == (6, 2.5, 16)


def test_powers_of_negative_numbers_by_their_exponent_are_nan():
    a, b = variable(-2.0), variable(2.0)
    (a**b).backward()
    assert a.grad.tolist() == [-4] and math.isnan(b.grad[0])


def test_a_gradient_may_be_a_view_of_another():
    x = Variable(torch.DoubleTensor([[1.0, 2.0]]))
    (y,) = functions.Transpose(0, 1)(x)
    gradient = torch.DoubleTensor([[1.0], [2.0]])
    (grad_input,) = y.creator._do_backward(gradient)
    gradient.fill_(7)
    assert grad_input.tolist() == [[7, 7]]
    (z,) = functions.AddConstant(1)(x)
    assert z.creator._do_backward(gradient)[0] is gradient


def test_an_empty_tensor_has_one_dimension():
    assert torch.Tensor().dim() == 1 and torch.Tensor().numel() == 0


def test_hooks_of_batch_norm_and_pooling_run():
    x = Variable(torch.randn(2, 3, 4, 4))
    for module in (nn.BatchNorm2d(3), nn.MaxPooling2d(2, 2)):
        calls = []
        module.register_forward_hook("see", lambda module, input, output, calls=calls: calls.append("forward"))
        module.register_backward_hook("see", lambda module, grad_in, grad_out, calls=calls: calls.append("backward"))
        module(x).sum().backward()
        assert calls == ["forward", "backward"]


def test_a_container_says_which_name_is_taken():
    with pytest.raises(KeyError, match="the name 'type' is taken"):
        nn.Container(type=nn.Linear(1, 1))


def test_dilations_of_pooling_are_height_and_width():
    # 4 high and 1 wide: a dilation of 3 in height makes of 2 rows the window of rows 0 and 3, in width it does nothing.
    x = Variable(torch.DoubleTensor([[[[1.0], [2.0], [3.0], [4.0]]]]))
    assert nn.MaxPooling2d(2, 1, 1, 1, 0, 0, 3, 1)(x).data.tolist() == [[[[4]]]]


def test_a_step_of_2016_leaves_the_gradients():
    model = nn.Linear(2, 1)
    optimizer = optim.SGD((model, nn.AbsCriterion()), 0.01)
    x = Variable(torch.DoubleTensor([[1.0, 2.0]]), requires_grad=False)
    y = Variable(torch.DoubleTensor([[100.0]]), requires_grad=False)
    for times in (1, 2):
        optimizer.step(x, y)
        assert model.weight.grad.tolist() == [[-1 * times, -2 * times]]


def test_a_sparse_embedding_has_a_dense_gradient():
    table = nn.Embedding(4, 2, sparse=True)
    table(Variable(torch.LongTensor([1, 1]))).sum().backward()
    assert table.weight.grad.tolist() == [[0, 0], [2, 2], [0, 0], [0, 0]]


def test_the_data_of_a_gradient_is_the_gradient():
    x = variable(3.0)
    x.grad.data.zero_()
    (x * x).backward()
    assert x.grad.data is x.grad and x.grad.data.tolist() == [6]
    x.grad.data *= 2
    grad = x.grad
    x.grad.data = x.grad.data + 1
    assert x.grad is grad and grad.tolist() == [13]
    with pytest.raises(TypeError, match="different types"):
        x.grad.data = torch.FloatTensor([1])
    with pytest.raises(TypeError, match="data must be a Tensor, got float"):
        x.grad.data = 1.0
