"""The words of traces: both languages say everything, and a trace can be told in either."""

import re
import string
import tomllib
from importlib import resources

import pytest

import legacy_autograd
from legacy_autograd import drawing
from legacy_autograd.autograd import Function

from .graphs import diamond, variable

LANGUAGES = tomllib.loads(resources.files("legacy_autograd.drawing").joinpath("words.toml").read_text(encoding="utf-8"))


def fields_of(text):
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def has_chinese(text):
    return any("\u4e00" <= letter <= "\u9fff" for letter in text)


@pytest.mark.parametrize("section", LANGUAGES["en"])
def test_both_languages_have_every_sentence_with_the_same_facts(section):
    english, chinese = LANGUAGES["en"][section], LANGUAGES["zh"][section]
    assert list(english) == list(chinese) and set(LANGUAGES["en"]) == set(LANGUAGES["zh"])
    for key, text in english.items():
        assert fields_of(text) == fields_of(chinese[key]), key
        assert not has_chinese(text)


class NoGradient(Function):
    def forward(self, x):
        return x.mul(1)

    def backward(self, grad_output):
        return None


def traces():
    """A trace of each kind of event."""
    x, y, z = diamond()
    x.register_hook(lambda grad: grad.mul(2))
    x.register_hook("named", lambda grad_input, grad_output: drawing.note("a note"))
    z.creator.register_hook(lambda grad_input, grad_output: (grad_input[1], grad_input[0]))
    yield drawing.trace_backward(z)
    gone = variable(1.0)
    loss = gone * 2
    del gone
    yield drawing.trace_backward(loss)
    yield drawing.trace_backward(NoGradient()(x * 2)[0])
    _, second = variable(1.0, 2.0).chunk(2)
    yield drawing.trace_backward(second * 2)
    with drawing.trace_forward() as trace:
        named = x * y
        with legacy_autograd.no_grad():
            x.exp()
        largest, index = (named + variable(3.0, 1.0)).max(0)
        with pytest.raises((RuntimeError, ValueError)):
            x.view(3, 5)
        named.gt(y)
        variable(1.0, 2.0).chunk(2)[1] * 2
    yield trace


def test_one_is_followed_by_a_singular():
    x, _, z = diamond()
    trace = drawing.trace_backward(z)
    assert "which now waits for 1 more gradient (was 2)." in str(trace)
    assert "还要等待 1 个（原来是 2 个）。" in str(trace.in_language("zh"))
    wide = variable(1.0)
    for _ in range(4):
        wide = wide * wide + x  # nine Functions have uses: eight are told
    told = str(drawing.trace_backward(wide))
    assert "and 1 more waits" in told
    with drawing.trace_forward() as forward:
        variable(1.0)
    for text in [str(trace), told, str(forward), *map(str, traces())]:
        assert re.findall(r"\b1 (?:more )?(?:gradients|Functions|inputs|outputs|wait)\b", text) == []


def test_one_of_several_outputs_is_told_by_its_number():
    x = variable(1.0, 2.0)
    with drawing.trace_forward() as trace:
        x.chunk(2)[1] * 2
    assert [step.text for step in trace if step.event in ("call", "link")][2:] == [
        "MulConstant()(output 1 of Chunk #2): Function.__call__ calls _do_forward.",
        "MulConstant #3 records the Functions that made its inputs: [output 1 of Chunk #2].",
    ]
    assert "记录产生各输入的 Function：[Chunk #2 的输出 1]" in str(trace.in_language("zh"))


def test_every_event_is_told_in_chinese():
    told = set()
    for trace in traces():
        chinese = trace.in_language("zh")
        for step, english in zip(chinese, trace, strict=True):
            told.add(step.event)
            assert has_chinese(step.text) or step.event == "note", step.text
            assert not has_chinese(english.text)
            assert (step.facts, step.event, step.index) == (english.facts, english.event, english.index)
        for state in chinese.states():
            words = {node["words"] for node in state.nodes.values()} - {""}
            assert all(map(has_chinese, words)), words
        assert str(chinese.in_language("en")) == str(trace) == trace.table("en")
        assert trace.table("zh") == str(chinese) and "发生了什么" in str(chinese)
    assert told == {
        *("begin", "count", "pop", "hook", "note", "accumulate", "drop", "ran", "free", "ask", "add", "push", "end"),
        *("call", "forward", "wrap", "link", "raise", "unrecorded"),
    }


def test_a_trace_made_in_chinese_is_the_same_as_one_told_in_chinese():
    x, y, z = diamond()
    first = drawing.trace_backward(z)
    x.grad = y.grad = None
    second = drawing.trace_backward(z, lang="zh")
    assert str(first.in_language("zh")) == str(second) and second.title == "z 的反向传播"
    assert "x #1 把 [4] 累加到它的 grad：grad 原来是 [0]，现在是 [4]。" in str(second)
    with drawing.trace_forward(lang="zh") as forward:
        made = variable(2.0) * 3
    assert forward.title == "前向传播" and forward.lang == "zh" and made is not None
    titled = drawing.trace_backward(diamond()[2], title="Mine")
    assert titled.in_language("zh").title == "Mine"


def test_json_keeps_facts_and_texts_so_that_it_can_be_told_in_another_language():
    trace = drawing.trace_backward(diamond()[2], lang="zh")
    again = drawing.Trace.from_json(trace.to_json())
    assert again.lang == "zh" and str(again) == str(trace)
    assert str(again.in_language("en")) == str(drawing.trace_backward(diamond()[2]))


def test_what_is_saved_is_in_the_language_asked_for(tmp_path):
    trace = drawing.trace_backward(diamond()[2])
    trace.save(tmp_path / "x.txt", lang="zh")
    assert "反向传播结束" in (tmp_path / "x.txt").read_text(encoding="utf-8")
    trace.save(tmp_path / "x.json", lang="zh")
    assert drawing.Trace.from_json((tmp_path / "x.json").read_text(encoding="utf-8")).lang == "zh"


def test_an_unknown_language_is_refused_before_anything_runs():
    x, y, z = diamond()
    for run in (
        lambda: drawing.trace_backward(z, lang="fr"),
        lambda: drawing.trace_forward(lang="fr").__enter__(),
        lambda: drawing.trace_backward(y).in_language("fr"),
        lambda: drawing.make_dot(z, lang="fr"),
    ):
        with pytest.raises(ValueError, match="language must be one of 'en', 'zh', got lang='fr'"):
            run()
    assert x._grad is None


def test_the_legend_of_a_drawing_is_in_the_language_asked_for():
    _, _, z = diamond()
    legends = [drawing.make_dot(z, legend=True, lang=lang).source for lang in ("en", "zh")]
    assert '"a leaf that\\nrequires a gradient"' in legends[0] and not has_chinese(legends[0])
    assert '"需要梯度的\\n叶子节点"' in legends[1]
