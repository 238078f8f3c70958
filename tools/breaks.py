"""Find the places where the package can be broken, and choose some at random. `mutate.py` runs the tests on each.

A break is one changed operator, sign, index, condition, default value, statement or order of arguments, an inverted
`is` or `in`, or one removed context, `finally`, handler, copy or keyword argument. It is found in the syntax tree and
made in the text, so the rest of the file stays as it is.
"""

import ast
import dataclasses
import pathlib
import random
import re
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[1]

# Part: its share of the breaks, its files in legacy_autograd/, its tests in tests/. Missing paths are ignored.
CORE = "variable.py function.py leaf.py engine.py record.py saved_tensors.py callbacks.py fast".split()
PARTS = {
    "tensor": (6, ["tensor"], ["tensor"]),
    "functions": (7, ["autograd/functions"], ["functions", "autograd/functions"]),
    "core": (6, [f"autograd/{name}" for name in CORE], ["core", "autograd", "properties"]),
    "later": (5, ["autograd/later"], ["later", "autograd/later"]),
    "nn": (5, ["nn"], ["nn"]),
    "optim": (3, ["optim"], ["optim"]),
    "drawing": (3, ["drawing"], ["drawing"]),
    "data": (3, ["utils/data"], ["data", "utils/data"]),
    "serialization": (2, ["serialization"], ["test_serialization.py", "test_torch_files.py", "serialization"]),
}

SIGNS = {ast.Add: ("+", "-"), ast.Sub: ("-", "+")}
OPERATORS = {
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}
INVERSIONS = {
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
# Variables that are numbers when used as a subscript. Other names may be keys of a dictionary.
COUNTERS = {"i", "j", "k", "n", "dim", "axis", "index", "position", "number", "output_nr", "arg_id"}
# Swapping the arguments of these always raises, which is no test of the tests.
FIXED_ORDER = {"isinstance", "issubclass", "hasattr", "getattr", "setattr", "delattr"}


@dataclasses.dataclass(frozen=True)
class Break:
    """A break: `new` replaces `old` at byte `start` of the file `path`; `diff` shows the changed lines."""

    part: str
    path: str
    line: int
    kind: str
    start: int
    old: str
    new: str
    diff: str

    def applied(self, source):
        return source[: self.start] + self.new.encode() + source[self.start + len(self.old.encode()) :]

    def __str__(self):
        return f"{self.path}\n{self.diff}"


class Places:
    """The places where a source can be broken: `found` is a list of (kind, start, end, new), positions in bytes.

    Docstrings, messages, annotations and imports stay as they are; so do f-strings, whose parts have no exact positions
    before Python 3.12.
    """

    def __init__(self, source):
        self.source, self.found, self.line_starts = source, [], [0]
        for line in source.splitlines(keepends=True):
            self.line_starts.append(self.line_starts[-1] + len(line))
        self.walk(ast.parse(source))

    def walk(self, node):
        self.look_at(node)
        if isinstance(node, ast.JoinedStr | ast.Raise) or (isinstance(node, ast.Call) and name_of(node.func) == "warn"):
            return
        for field, value in ast.iter_fields(node):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and field not in ("annotation", "returns"):
                    self.walk(child)

    def look_at(self, node):
        match node:
            case ast.Raise(exc=ast.AST()) | ast.Expr(value=ast.Call()):
                self.replace("statement", node, "pass")
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
                self.replace("statement", node, "pass")
            case ast.AugAssign():
                self.replace("statement", node, "pass")
                self.operator(node.target, node.op, node.value, suffix="=")
            case ast.BinOp() if not is_text(node.left) and not is_text(node.right):
                self.operator(node.left, node.op, node.right)
            case ast.BoolOp():
                for left, right in zip(node.values, node.values[1:]):
                    self.operator(left, node.op, right)
            case ast.Compare():
                for left, op, right in zip([node.left, *node.comparators], node.ops, node.comparators):
                    self.operator(left, op, right)
            case ast.UnaryOp(op=ast.USub()):
                self.replace("sign", node, self.text(node).removeprefix("-"))
            case ast.UnaryOp(op=ast.Not()):
                self.replace("condition", node, self.text(node).removeprefix("not").lstrip())
            case ast.If() | ast.IfExp():
                self.condition(node.test)
            case ast.comprehension():
                for test in node.ifs:
                    self.condition(test)
            case ast.arguments():
                for default in (*node.defaults, *node.kw_defaults):
                    self.constant("default", default)
            case ast.Subscript():
                for index in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
                    for bound in (index.lower, index.upper) if isinstance(index, ast.Slice) else [index]:
                        self.constant("index", bound)
                        if isinstance(bound, ast.Name) and bound.id in COUNTERS:
                            self.replace("index", bound, f"{bound.id} + 1")
            case ast.Call():
                for keyword in node.keywords:
                    self.constant("default", keyword.value)
                for first, second in zip(node.args, node.args[1:]):
                    self.swap(first, second, node)
                self.drop_keywords(node)
                self.drop_copy(node)
            case ast.With():
                self.drop_contexts(node)
            case ast.Try():
                self.drop_finally(node)
            case ast.ExceptHandler(type=ast.AST()):
                self.replace("handler", node.type, "()")  # catches nothing

    def span(self, node):
        return (
            self.line_starts[node.lineno - 1] + node.col_offset,
            self.line_starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def text(self, node):
        return self.source[slice(*self.span(node))].decode()

    def replace(self, kind, node, new):
        self.found.append((kind, *self.span(node), new))

    def operator(self, left, op, right, suffix=""):
        """Change an operator, found in the text between its operands, unless that text contains a comment."""
        old, new = (SIGNS | OPERATORS | INVERSIONS).get(type(op), ("", ""))
        kind = "sign" if type(op) in SIGNS else "inversion" if type(op) in INVERSIONS else "operator"
        start, end = self.span(left)[1], self.span(right)[0]
        match = re.fullmatch(rf"([\s\\)]*){re.escape(old + suffix)}[\s\\(]*", self.source[start:end].decode())
        if old and match:
            start += match.end(1)
            self.found.append((kind, start, start + len(old), new))

    def condition(self, test):
        self.replace("condition", test, "True")
        self.replace("condition", test, "False")

    def constant(self, kind, node):
        """Change a truth value or a number; 1 becomes 0 as a default and 2 as an index."""
        value = node.value if isinstance(node, ast.Constant) else None
        if isinstance(value, bool):
            self.replace(kind, node, str(not value))
        elif isinstance(value, int | float):
            self.replace(kind, node, "0" if kind == "default" and value == 1 else repr(value + 1))

    def swap(self, first, second, call):
        if name_of(call.func) in FIXED_ORDER or ast.Starred in (type(first), type(second)):
            return
        (start, first_end), (second_start, end) = self.span(first), self.span(second)
        between = self.source[first_end:second_start].decode()
        self.found.append(("swap", start, end, self.text(second) + between + self.text(first)))

    def drop_keywords(self, call):
        arguments = sorted([self.span(node) for node in (*call.args, *call.keywords)])
        for keyword in call.keywords:
            if keyword.arg is not None:
                self.drop_from("keyword", arguments, arguments.index(self.span(keyword)))

    def drop_copy(self, call):
        match = re.search(r"\s*\.\s*(clone|copy)\(\s*\)$", self.text(call))
        if match:
            start, end = self.span(call)
            self.found.append(("copy", end - len(match[0].encode()), end, ""))

    def drop_contexts(self, node):
        """Remove each context that gives the body no name. The body of the only one is put under `if True:`."""
        items = [self.span(item.context_expr) for item in node.items]
        for number, item in enumerate(node.items):
            if item.optional_vars is None and len(items) > 1:
                self.drop_from("context", items, number)
            elif item.optional_vars is None:
                start, end = self.span(node)[0], items[0][1]
                end += self.source[end:].index(b":") + 1
                self.found.append(("context", start, end, "if True:"))

    def drop_from(self, kind, spans, number):
        """Remove one of several expressions that commas separate, together with a comma."""
        start, end = spans[number]
        if number + 1 < len(spans):
            end = spans[number + 1][0]
        elif number:
            start = self.source.rindex(b",", spans[number - 1][1], start)
        self.found.append((kind, start, end, ""))

    def drop_finally(self, node):
        """Remove a `finally`, and let it run only after a `try` without an exception or a `return`."""
        if not node.finalbody:
            return
        start, end = self.span(node.finalbody[0])[0], self.span(node.finalbody[-1])[1]
        self.found.append(("finally", start, end, "pass"))
        if not node.orelse:
            keyword = list(re.finditer(rb"finally(?=\s*:)", self.source[:start]))[-1]
            margin = " " * node.col_offset
            no_handler = "" if node.handlers else f"except ():\n{margin}    pass\n{margin}"
            self.found.append(("finally", *keyword.span(), no_handler + "else"))


def name_of(node):
    return getattr(node, "id", getattr(node, "attr", None))


def is_text(node):
    """Return whether a node is clearly text or a list, which support no operators except `+` and `*`."""
    if isinstance(node, ast.BinOp):
        return is_text(node.left) or is_text(node.right)
    sequence = isinstance(node, ast.JoinedStr | ast.List | ast.Tuple | ast.ListComp)
    return sequence or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def breaks_of(root, part):
    """Return all breaks of a part of the checkout `root`, in the order of its files."""
    places = [root / "legacy_autograd" / name for name in PARTS[part][1]]
    files = [file for place in places for file in ([place] if place.is_file() else sorted(place.rglob("*.py")))]
    return [break_at(part, root, file, *place) for file in files for place in Places(file.read_bytes()).found]


def break_at(part, root, file, kind, start, end, new):
    source = file.read_bytes()
    first, last = source.rfind(b"\n", 0, start) + 1, source.find(b"\n", end)
    after = source[first:start] + new.encode() + source[end:last]
    removed = ["-" + line for line in source[first:last].decode().split("\n")]
    added = ["+" + line for line in after.decode().split("\n")]
    line, old = source.count(b"\n", 0, start) + 1, source[start:end].decode()
    return Break(part, file.relative_to(root).as_posix(), line, kind, start, old, new, "\n".join(removed + added))


def is_real(candidate, root):
    """Return whether the broken file compiles and differs from the original program."""
    source = (root / candidate.path).read_bytes()
    broken = candidate.applied(source)
    try:
        with warnings.catch_warnings(action="ignore"):
            compile(broken, candidate.path, "exec")
    except SyntaxError:
        return False
    return ast.dump(ast.parse(broken)) != ast.dump(ast.parse(source))


def draw(root, seed, count, parts=tuple(PARTS), equivalent=()):
    """Return `count` breaks, spread over `parts` by their shares; in a part every kind is equally likely.

    The breaks of a part are the first ones of a fixed order, so an equivalent one is replaced and the others stay.
    """
    drawn, done = [], 0
    for part in parts:
        done += PARTS[part][0]
        wanted = round(count * done / sum(PARTS[name][0] for name in parts))
        generator, kinds = random.Random(f"{seed} {part}"), {}
        for candidate in breaks_of(root, part):
            kinds.setdefault(candidate.kind, []).append(candidate)
        while len(drawn) < wanted:
            if not kinds:
                raise SystemExit(f"mutate: {part} has too few places to break; see PARTS")
            kind = generator.choice(sorted(kinds))
            candidate = kinds[kind].pop(generator.randrange(len(kinds[kind])))
            if not kinds[kind]:
                del kinds[kind]
            if str(candidate) not in equivalent and is_real(candidate, root):
                drawn.append(candidate)
    return drawn


def draw_again(root, records):
    """Return the breaks of earlier results, found in `root` by their changed lines; None if these no longer exist."""
    candidates = {part: breaks_of(root, part) for part in {record["part"] for record in records}}
    found = []
    for record in records:
        alike = [candidate for candidate in candidates[record["part"]] if candidate.diff == record["diff"]]

        def distance(candidate, record=record):
            names = pathlib.PurePath(candidate.path).name, pathlib.PurePath(record["path"]).name
            return names[0] != names[1], abs(candidate.line - record["line"])

        found.append(min(alike, key=distance, default=None))
    return found


def equivalent_breaks():
    """Return the blocks of equivalent_breaks.txt without their comments."""
    text = (ROOT / "tools/equivalent_breaks.txt").read_text(encoding="utf-8")
    return {re.sub(r"(?m)^#.*\n?", "", block).strip("\n") for block in text.split("\n\n")}
