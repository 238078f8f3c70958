"""Each phrase that tools/plain_english.py counts is found, and sentences that look like one are not."""

import pathlib
import runpy

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
TOOL = runpy.run_path(str(ROOT / "tools/plain_english.py"))

FORBIDDEN = {
    "what is/came …": "it returns what was\nsaved",
    "stand(s)": "two files stand apart",
    "nobody, somebody, whoever": "Nobody calls it",
    "mend": "the bug is mended",
    "is to be": "the sum is to be copied",
    "hands on, lets go": "it hands\non the gradient",
    "in the place of": "zeros in the place of a gradient",
    "a program of the time": "as programs of the time did",
    "says of": "needs_input_grad says of each input",
    "to the bit": "both are equal to the bit",
    "younger than": "this check is younger than 2016",
    "Right is": "Right is 3.",
    "is said": "it is said twice",
}
PLAIN = [
    "What is it?", "`x` stands for a number", "a hands-on course", "`add` in place of `add_`", "the time of a program",
    "the message says that it is wrong", "to the bits of a float", "the right is a button", "all the same tensors",
    "a letter of two sides", "the loop goes on",
]  # fmt: skip


def found_in(text):
    return [name for name, pattern in TOOL["PATTERNS"].items() if pattern.search(text)]


def test_every_phrase_has_an_example():
    assert list(FORBIDDEN) == list(TOOL["PATTERNS"])


@pytest.mark.parametrize("name", FORBIDDEN)
def test_a_phrase_is_found(name):
    assert found_in(FORBIDDEN[name]) == [name]


@pytest.mark.parametrize("text", PLAIN)
def test_a_plain_sentence_is_none(text):
    assert found_in(text) == []
