"""All Functions, random programs and the notebooks give in the live page what they give natively."""

import itertools
import json
import math
import pathlib
import re
import tomllib

import numpy
import pytest
from properties.programs import MOST_ELEMENTS, for_random_programs

from legacy_autograd.drawing import examples

from . import parity

TESTS = pathlib.Path(__file__).resolve().parents[1]
EPS = numpy.finfo(float).eps
DTYPES = {"torch.DoubleTensor": "f8", "torch.LongTensor": "i8", "torch.ByteTensor": "u1"}

SESSION = """
    const [name, done] = arguments;
    const base = new URL("./", location.href).href;
    import(base + name).then(async ({ Session }) => {
        const said = [], shown = [];
        const on = { print: (text, isError) => said.push([isError, text]), show: (bundle) => shown.push(bundle) };
        window.session = { python: new Session({ base, on }), said, shown };
        await window.session.python.ready;
        done(null);
    }).catch((error) => done(String(error.stack ?? error)));
"""
RUN = """
    const [source, options, done] = arguments;
    const { python, said, shown } = window.session;
    said.length = shown.length = 0;
    python.run(source, options).then((reply) => done({ ...reply, said, shown }))
        .catch((error) => done({ error: String(error) }));
"""
CALL = """
    const [name, argument, done] = arguments;
    window.session.python.call(name, argument).then(done).catch((error) => done(String(error)));
"""


class Python:
    """Python in a web worker of the built page."""

    def __init__(self, browser, folder, address):
        self.browser, self.address = browser, address
        (self.module,) = [path.name for path in folder.glob("session-*.js")]
        browser.set_script_timeout(600)
        self.begin()

    def begin(self):
        """Load the page anew, with a new Python."""
        self.browser.get("about:blank")
        self.browser.get(self.address + "empty.html")
        assert self.browser.execute_async_script(SESSION, self.module) is None

    def run(self, source, **options):
        """Run a program, and return {"error": …, "said": […], "shown": […], …}."""
        return self.browser.execute_async_script(RUN, source, options)

    def file(self, name):
        """Return the content of a file that a program wrote."""
        return self.browser.execute_async_script(CALL, "programs.file", {"name": name})

    def add_module(self, name, path):
        """Make a file of the tests a module of the page's Python."""
        source = path.read_text(encoding="utf-8")
        done = self.run(
            f"import sys, types\nmodule = sys.modules[{name!r}] = types.ModuleType({name!r})\n"
            f"exec(compile({source!r}, {path.name!r}, 'exec'), vars(module))"
        )
        assert done["error"] is None, done["error"]


# Functions whose results are rounded, where two builds of NumPy may differ: elementary functions of the C library, and
# sums, whose order is not the same everywhere. All other Functions are elementwise IEEE operations, indices and moves.
ELEMENTARY = """
    Acos Asin Atan Atan2 BCELoss BCEWithLogitsLoss Cos Cosh CrossMapLRN2d ELU Exp Expm1 GRUGates KLDivLoss LSTMGates Log
    Log1p LogSigmoid LogSoftmax Pow PowConstant Sigmoid Sin Sinh Softmax Softplus Tan Tanh
"""
SUMS = """
    Addbmm Addmm Addmv Addr Baddbmm BatchNorm Bilinear Bmm Conv1d Conv2d Conv3d ConvTranspose ConvWeight Dot
    EmbeddingBackward GRULayer Ger Inverse L1Loss LSTMLayer Linear MSELoss Matmul Mean Mm MmNT MmTN MultiLabelMarginLoss
    Mv NLLBackward NLLLoss Norm PReLU RNNReLULayer RNNTanhLayer SmoothL1Loss Std Sum Trace Var
"""
ROUNDED = {*ELEMENTARY.split(), *SUMS.split()}
# The operations of random programs (properties/operations.py) that are elementwise IEEE operations, indices and moves.
# The gradients of those that broadcast are sums.
EXACT = {
    "add", "sub", "mul", "add number", "subtract from number", "multiply by number", "divide by number", "square",
    "itself twice", "neg", "abs", "clamp", "masked fill", "masked select", "larger", "smaller", "max along",
    "min along", "max", "sort", "topk", "t", "tril", "transpose", "permute", "view", "contiguous", "clone",
    "unsqueeze", "squeeze", "narrow", "select", "index", "split", "chunk", "cat", "stack",
}  # fmt: skip
BROADCASTING = {"add", "sub", "mul", "larger", "smaller"}


@pytest.fixture(scope="module")
def python(_shared_browser, served, built):
    (built / "empty.html").write_text("<!doctype html><title>Python</title>", encoding="utf-8")
    yield Python(_shared_browser, built, served[0])
    _shared_browser.get("about:blank")
    (built / "empty.html").unlink()  # another test lists the files


@pytest.fixture(scope="module")
def both(python):
    """The results of parity.py, natively and from the page; the programs are new ones in each run."""
    found = []
    for_random_programs(500, most=500)(lambda program: found.append(program))()
    programs = [repr((p.leaves, [(s.operation, s.operands, s.parameters) for s in p.steps], p.roots)) for p in found]
    python.run("import sys, types; sys.modules['properties'] = types.ModuleType('properties')")
    python.add_module("properties.operations", TESTS / "properties" / "operations.py")
    python.run("import sys; sys.modules['properties'].operations = sys.modules['properties.operations']")
    python.add_module("parity", TESTS / "playground" / "parity.py")
    done = python.run(f"import parity\nopen('results.json', 'w').write(parity.results({programs!r}))")
    assert done["error"] is None, done["error"]
    native = json.loads(parity.results(programs))
    return programs, native, json.loads(python.file("results.json"))


def differences(native, inside, tolerance):
    """Yield how the tensors of two lists differ. A `tolerance` of None asks for the same bits."""
    for place, (a, b) in enumerate(itertools.zip_longest(native, inside)):
        if a == b:
            continue
        if None in (a, b) or a[:2] != b[:2]:
            yield f"{place}: {a and a[:2]} natively, {b and b[:2]} in the page"
            continue
        x, y = [numpy.frombuffer(bytes.fromhex(bits), DTYPES[kind]).reshape(size) for kind, size, bits in (a, b)]
        if numpy.array_equal(numpy.isnan(x), numpy.isnan(y)) and tolerance is not None and x.dtype.kind == "f":
            error = numpy.abs(x - y)[~(numpy.isnan(x) | (x == y))].max(initial=0)
            if error <= tolerance:
                continue
        yield f"{place}: {x.tolist()} natively, {y.tolist()} in the page"


def largest(tensors):
    """Return the largest finite magnitude among fractions."""
    arrays = [numpy.frombuffer(bytes.fromhex(t[2]), "f8") for t in tensors if t and t[0] == "torch.DoubleTensor"]
    return max([numpy.abs(array[numpy.isfinite(array)]).max(initial=0) for array in arrays], default=0)


@pytest.mark.slow
def test_the_page_has_32_bits(both):
    """The proof that what follows is not native twice."""
    assert (both[1]["bits"], both[2]["bits"]) == (64, 32)


@pytest.mark.slow
def test_all_functions_with_their_gradients_and_second_derivatives(both):
    _, native, inside = both
    names = set(examples.function_classes())
    assert ROUNDED <= names and set(native["functions"]) == set(inside["functions"]) == names and len(names) >= 177
    wrong = {}
    for name, expected in native["functions"].items():
        found = inside["functions"][name]
        assert "forward" in expected and "error" not in expected, name
        if set(found) != set(expected):
            wrong[name] = found.get("error", "other results")
            continue
        tolerance = None
        if name in ROUNDED:  # no reduction is longer than the largest tensor
            tensors = list(itertools.chain(*expected.values()))
            tolerance = max([len(t[2]) // 16 for t in tensors if t]) * EPS * largest(tensors)
        for kind in expected:
            for difference in differences(expected[kind], found[kind], tolerance):
                wrong[name] = f"{kind} {difference}"
    assert wrong == {}


@pytest.mark.slow
def test_integers_indices_draws_and_numbers_that_do_not_fit(both):
    found = zip(parity.EXPRESSIONS, both[1]["expressions"], both[2]["expressions"], strict=True)
    assert {text: (native, inside) for text, native, inside in found if native != inside} == {}


@pytest.mark.slow
def test_random_programs(both):
    programs, native, inside = both
    exact = 0
    for text, expected, found in zip(programs, native["programs"], inside["programs"], strict=True):
        operations = {operation for operation, *_ in eval(text)[1]}
        exact += operations <= EXACT
        tolerance = MOST_ELEMENTS * EPS * largest(itertools.chain(*expected))
        values = differences(expected[0], found[0], None if operations <= EXACT else tolerance)
        gradients = differences(expected[1], found[1], None if operations <= EXACT - BROADCASTING else tolerance)
        assert [*values, *gradients] == [], text
    assert exact > 0


# --- notebooks


TABLE = tomllib.loads((TESTS.parent / "playground" / "notebooks.toml").read_text(encoding="utf-8"))


def code_cells(name):
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.read(TESTS.parent / "notebooks" / f"{name}.ipynb", as_version=4)
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def said_by(outputs):
    """Return what a stored cell printed and showed: {"stdout": text, "stderr": text, "shown": [text]}."""
    streams = {"stdout": "", "stderr": "", "shown": []}
    for output in outputs:
        if output.output_type == "stream":
            streams[output.name] += output.text
        elif output.output_type != "error":
            streams["shown"].append(output.data.get("text/plain", ""))
    return streams


def said_in_page(reply):
    texts = {
        is_error: "".join([text for kind, text in reply["said"] if kind == is_error]) for is_error in (False, True)
    }
    shown = [bundle.get("text/plain", "") for bundle in reply["shown"]]
    return {"stdout": texts[False], "stderr": texts[True], "shown": shown}


NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]\d+)?")


def agree(stored, found):
    """Return whether two texts agree: the same words, and numbers up to the rounding of a long sum.

    Addresses and times differ in every run.
    """
    parts = []
    for text in (stored, found):
        text = re.sub(r" at 0x[0-9a-f]+", "", text).strip()
        if "Self CPU time total:" in text:
            text = "\n".join(sorted(re.sub(r"[\d.]+(us|ms|s|%)|-{3,}| +", " ", line) for line in text.splitlines()))
            text = re.sub(r" +", " ", text)
        parts.append((NUMBER.split(text), [float(number) for number in NUMBER.findall(text)]))
    (words, numbers), (other_words, others) = parts
    return words == other_words and all([math.isclose(a, b, rel_tol=1000 * EPS) for a, b in zip(numbers, others)])


def test_the_table_names_every_cell_of_every_notebook():
    assert list(TABLE) == sorted([path.stem for path in (TESTS.parent / "notebooks" / "text").glob("*.md")])
    run = total = 0
    for name, table in TABLE.items():
        listed = [*table["runs"], *map(int, table.get("replaced", {})), *map(int, table.get("impossible", {}))]
        count = len(code_cells(name))
        assert sorted(listed) == list(range(1, count + 1)), name
        if not name.startswith("07"):
            total += count
            run += count - len(table.get("impossible", {}))
    assert run >= 0.95 * total


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLE)
def test_the_cells_of_a_notebook(python, name):
    python.begin()
    impossible, wrong = TABLE[name].get("impossible", {}), {}
    for number, cell in enumerate(code_cells(name), 1):
        reply = python.run(cell.source, keep=number > 1, name=f"cell {number}")
        if str(number) in impossible:
            if reply["error"] is None:
                wrong[number] = "the table says that it is impossible"
            continue
        stored, found = said_by(cell.outputs), said_in_page(reply)
        if reply["error"] is not None:
            wrong[number] = reply["error"]
        elif len(stored["shown"]) != len(found["shown"]) or not all(
            itertools.starmap(
                agree,
                [(stored["stdout"], found["stdout"]), (stored["stderr"], found["stderr"])]
                + list(zip(stored["shown"], found["shown"])),
            )
        ):
            wrong[number] = {"stored": stored, "in the page": found}
    assert wrong == {}
