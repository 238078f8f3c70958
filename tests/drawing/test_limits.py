"""Graphs that are too large to be shown: refused at once, with what to do, in place of a picture that never comes."""

import io

import pytest

from legacy_autograd import drawing
from legacy_autograd.drawing import dot, graphviz_drawing, page, walk

from .graphs import variable


def chain(count):
    """`count` Functions one after another, and their leaf."""
    value = variable(1.0)
    for _ in range(count):
        value = value + 1
    return value


def traced_forward(value, **options):
    with drawing.trace_forward(**options) as trace:
        for _ in range(20):
            value = value + 1
    return trace


SHOW = {
    "make_dot": drawing.make_dot,
    "print_graph": lambda value, **options: drawing.print_graph(value, file=io.StringIO(), **options),
    "trace_backward": drawing.trace_backward,
}


@pytest.mark.parametrize("name", SHOW)
def test_a_graph_that_is_too_large_is_refused_with_its_count_before_all_of_it_is_recorded(name, monkeypatch):
    value, visited, inputs_of = chain(2000), [], walk.inputs_of
    monkeypatch.setattr(walk, "inputs_of", lambda function: visited.append(function) or inputs_of(function))
    with pytest.raises(ValueError, match=f"{name}: the graph has 2001 Functions.*max_nodes"):
        SHOW[name](value, max_nodes=100)
    assert len(visited) == 101
    assert value.creator.previous_functions and variable(1.0).grad is not None
    SHOW[name](chain(99), max_nodes=100)
    with pytest.raises(ValueError, match="has 100 Functions"):
        SHOW[name](chain(99), max_nodes=99)
    SHOW[name](chain(150), max_nodes=None)


@pytest.mark.parametrize("name", SHOW)
def test_the_limit_that_the_docstring_names(name):
    value = chain(walk.MOST_NODES)  # and its leaf
    with pytest.raises(ValueError, match="has 10001 Functions"):
        SHOW[name](value)
    assert "10,000; None: no limit" in " ".join(getattr(drawing, name).__doc__.split())


def test_a_backward_that_is_not_traced_does_not_run():
    x = variable(1.0)
    with pytest.raises(ValueError, match="trace_backward"):
        drawing.trace_backward((x * 2) * 3, max_nodes=2)
    assert x._grad is None


def test_what_is_folded_counts_once():
    value = chain(2000)
    assert drawing.make_dot(value, fold="chains", max_nodes=5).nodes <= 5
    assert drawing.make_dot(value, fold=2, max_nodes=5).nodes <= 5
    with pytest.raises(ValueError, match="2001 nodes even when folded, of 2001 Functions.*fold it further"):
        drawing.make_dot(value, fold=lambda function: None, max_nodes=5)


def test_a_forward_with_too_many_calls():
    assert len([step for step in traced_forward(variable(1.0)) if step.event == "call"]) == 20
    with pytest.raises(ValueError, match="trace_forward: .*more than 10 .*max_nodes"):
        traced_forward(variable(1.0), max_nodes=10)


def test_a_notebook_shows_pictures_of_up_to_so_many_nodes(monkeypatch):
    def is_shown(picture):
        return "too large" not in picture._repr_mimebundle_()["text/plain"]

    value = chain(3)  # and its leaf
    picture, trace = drawing.make_dot(value), drawing.trace_backward(value)
    for limit in (picture.nodes - 1, picture.nodes):
        monkeypatch.setattr(graphviz_drawing, "MOST_SHOWN", limit)
        assert is_shown(picture) == (limit == picture.nodes)
    for limit in (3, 4):
        monkeypatch.setattr(dot, "MOST_SHOWN", limit)
        monkeypatch.setattr(page, "MOST_SHOWN", limit)
        assert is_shown(trace) == (drawing.make_dot(value).text is not None) == (limit == 4)
