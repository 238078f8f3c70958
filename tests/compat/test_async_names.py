"""`async` is a name, as before Python 3.7, where a program does not parse otherwise."""

import pytest

from legacy_autograd.compat.async_names import compile_program

SOURCE = '''"""async: text and comments stay."""
import asyncio  # async

def copy(x, async=False, **others):
    return x, async, others

class Queue(object):
    async = 3
    def put(self, async):
        self.async = async
        return getattr(self, "async"), Queue.async

called = copy(1, async=True), copy(1, 2, b=3), copy(1, **{"async": 4})
queue = Queue().put(5), [async + 1 for async in (1,)]
'''


def run(source):
    names = {}
    exec(compile_program(source, "program.py"), names)
    return names


@pytest.mark.parametrize(
    "encode", [str, str.encode, lambda text: ("# coding: latin-1\n# \xe9\n" + text).encode("latin-1")]
)
def test_arguments_attributes_and_variables_are_called_async(encode):
    names = run(encode(SOURCE))
    assert names["called"] == ((1, True, {}), (1, 2, {"b": 3}), (1, 4, {}))
    assert names["queue"] == ((5, 3), [2])
    assert names["copy"].__code__.co_varnames[:2] == ("x", "async")


def test_the_keyword_stays_one_where_the_source_parses_and_beside_the_name():
    keyword = "async def f():\n    return [x async for x in g()]\n"
    assert run(keyword)["f"].__code__.co_flags & 0x80  # a coroutine
    names = run(keyword + "def g(async):\n    async += 1\n    return async\n")
    assert names["f"].__code__.co_flags & 0x80 and names["g"](0) == 1


def test_lines_and_columns_are_those_of_the_file():
    source = (
        "def f(async):\n    é = 'é'; return async + [async, é][async / 0]\n\n\ndef g(): async = 1; h(async).async\n"
    )
    found, expected = run(source), run(source.replace("async", "other"))
    for name in "fg":
        assert list(found[name].__code__.co_positions()) == list(expected[name].__code__.co_positions())


@pytest.mark.parametrize(
    "source, line, text",
    [
        ("f(async=1)\nprint 2\n", 2, "print 2\n"),
        ("f(async=1); print 2\n", 1, "f(async=1); print 2\n"),
        ("x = 1\nprint 2\n", 2, "print 2\n"),
        ("f(async=(1\n", 1, "f(async=(1\n"),
    ],
)
def test_another_error_of_syntax_is_shown_in_the_files_own_words(source, line, text):
    with pytest.raises(SyntaxError) as caught:
        compile_program(source, "program.py")
    assert (caught.value.lineno, caught.value.text) == (line, text)


def test_the_program_its_modules_and_its_processes_may_have_it(program, program_folder):
    (program_folder / "package").mkdir()
    (program_folder / "package/__init__.py").write_text("from .loss import Loss\n")
    (program_folder / "package/loss.py").write_text(
        "class Loss(object):\n    def cuda(self, async=False):\n        return async\n\n\ndef fail(async):\n    1 / 0\n"
    )
    result = program(
        """
import multiprocessing
import torch
from package import Loss
from package.loss import fail

class Batch(object):
    pass

def work(batch, async=False):
    return Batch(), type(batch) is Batch, Loss().cuda(async=async)

if __name__ == "__main__":
    for method in multiprocessing.get_all_start_methods():
        with multiprocessing.get_context(method).Pool(1) as pool:
            batch, own, got = pool.apply(work, (Batch(),), {"async": 5})
            assert type(batch) is Batch and own and got == 5
    x = torch.ones(2)
    assert x.type("torch.LongTensor", async=True).sum() == 2
    print("went on")
    fail(async=len(x.size()))
""",
    )
    assert result.stdout == "went on\n"
    assert result.returncode == 1
    lines = result.stderr.splitlines()
    assert lines[1].endswith('program.py", line 21, in <module>') and lines[2] == "    fail(async=len(x.size()))"
    assert lines[3].endswith('loss.py", line 7, in fail') and lines[4:6] == ["    1 / 0", "    ~~^~~"]
