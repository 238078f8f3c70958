"""Draw programs that compute with Variables and run their backward."""

from dataclasses import dataclass
from math import prod

from .dimensions import ERRORS, Draw

_TOLERANCES = {"Double": 1e-9, "Float": 2e-6, "Half": 1e-2}  # relative to the largest number of a program


@dataclass(frozen=True)
class Program:
    """Lines of Python with the seed that drew them, what they use of `DIMENSIONS`, and the tolerance of numbers."""

    lines: tuple
    seed: int | None = None
    used: frozenset = frozenset()
    tolerance: float = _TOLERANCES["Double"]


def drawn(make, seed, dimensions, length=None, **options):
    """Return the Program of the lines that `make(graph)` adds to a Graph of these options, drawn with that seed.

    `length` is that of Draw.
    """
    draw = Draw(seed, dimensions, length)
    graph = Graph(draw, **options)
    make(graph)
    return Program(tuple(graph.lines), seed, frozenset(draw.used), _TOLERANCES[graph.kind])


class Graph:
    """The lines of a program, and the names of the Variables that they make, by size.

    `draw` makes all choices. Hooks have names and two arguments (v0.1.1), or neither. The type and the size of most
    Variables are drawn once for the whole program, and so are its special values, which a part `special` of the tensors
    has. `largest` limits the numbers. `operators` are those between Variables.
    """

    def __init__(self, draw, named_hooks=True, values=None, special=0.25, largest=1e9, operators="+-*+"):
        self.draw = draw
        self._often, self._largest, self._operators = special, largest, operators
        self._named_hooks = named_hooks
        self.lines = []
        self.kind = draw.pick("type", ("Double", "Float", "Half"))
        self.size = draw.size()
        self.leaves = []  # names of those that require a gradient
        self._other_leaves = []  # of graphs that hooks run
        self.by_size = {}  # {size: expressions of Variables that require a gradient or not}
        self.differentiable = []  # names of results that require a gradient
        self.operands = {}  # {name of a result, or of a tuple of results: its operands}
        self._requiring = set()
        self._may_raise = True
        self._special = "ordinary"
        if draw.chance(2 * special):
            self._special = draw.pick("values", values)
            if self.kind == "Half" and self._special in ("large", "small"):
                self._special = "ordinary"
        self._count = 0

    def add(self, line):
        self.lines.append(line)

    def name(self, letter="v"):
        self._count += 1
        return f"{letter}{self._count}"

    def tensor(self, size=None, zeros=True):
        """Return the text of a tensor. Some have the program's special values, if it has any."""
        values = self._special if self.draw.chance(self._often) else "ordinary"
        size = self.size if size is None else size
        return self.draw.tensor(size, self.kind, values, largest=self._largest, zeros=zeros)

    def leaf(self, requires_grad=True, size=None, zeros=True):
        """Add a leaf and return its name. Without `zeros` no number is 0."""
        size = self.size if size is None else size
        name = self.name("x" if requires_grad else "c")
        # By the seed: a draw would change all choices after it.
        kind = "Parameter" if self.draw.seed % 6 == 0 and not self.leaves else "Variable"
        self.add(f"{name} = {kind}({self.tensor(size, zeros)}{'' if requires_grad else ', requires_grad=False'})")
        self._made(name, size, requires_grad)
        if requires_grad:
            self.leaves.append(name)
        return name

    def some_leaves(self):
        """Add the leaves of a program: at least one requires a gradient."""
        wanted = self.draw.pick("requires_grad", ("all", "some"))
        count = self.draw.whole(1, 3)
        for _ in range(count):
            self.leaf()
        if wanted == "some":
            self.leaf(requires_grad=False)
        if self.draw.pick("places", ("apart", "shared")) == "shared":
            self.leaves.append(self.shared(self.leaves[0]))

    def shared(self, name, requires_grad=True):
        """Add a leaf with the Tensor of the Variable of that name, which has the common size, and return its name."""
        other = self.name("x" if requires_grad else "c")
        self.add(f"{other} = Variable({name}.data{'' if requires_grad else ', requires_grad=False'})")
        self._made(other, self.size, requires_grad)
        return other

    def any_of(self, size=None):
        """Return a Variable of this size: often a late one."""
        names = self.by_size[self.size if size is None else size]
        return self.draw.one_of(names[-3:] if self.draw.chance(0.6) else names)

    def result(self, code, size=None, operands=(), letter="v"):
        """Add a line that computes one Variable, and return its name."""
        name = self.name(letter)
        self.operands[name] = operands
        self.add(f"{name} = {code}")
        self._made(name, self.size if size is None else size, not operands or self._any_requires(operands))
        return name

    def results(self, code, sizes, operands):
        """Add a line that computes a tuple of Variables, and return its name."""
        name = self.name()
        self.operands[name] = operands
        self.add(f"{name} = {code}")
        for number, size in enumerate(sizes):
            self._made(f"{name}[{number}]", size, self._any_requires(operands))
        return name

    def requires(self, name):
        return name in self._requiring

    def _any_requires(self, operands):
        return any(name in self._requiring for name in operands)

    def _made(self, name, size, requires_grad):
        self.by_size.setdefault(tuple(size), []).append(name)
        if requires_grad:
            self._requiring.add(name)
            self.differentiable.append(name)

    def drop(self, among=()):
        """Delete one of these Variables, or a result that is not the last, and return its name; None without one.

        The graph may still use it.
        """
        results = [name for name in self.differentiable if name not in self.leaves and "[" not in name]
        names = [name for name in self.differentiable if name in among and "[" not in name] or results[:-1]
        if not names or len(self.differentiable) < 3:
            return None
        name = self.draw.one_of(names)
        self.add(f"del {name}")
        for found in (self.differentiable, self.leaves, *self.by_size.values()):
            if name in found:
                found.remove(name)
        return name

    # --- steps

    def arithmetic(self):
        """Add one of + - * on Variables of the common size, or * with a number."""
        one = self.any_of()
        if self.draw.pick("places", ("apart", "twice")) == "twice":
            signs = [sign for sign in "+*" if sign in self._operators] or self._operators
            return self.result(f"{one} {self.draw.one_of(signs)} {one}", operands=[one])
        if self.draw.chance(0.3):
            return self.result(f"{one} * {self.draw.one_of([-1.5, 0.5, 2, 3])}", operands=[one])
        other = self.any_of()
        return self.result(f"{one} {self.draw.one_of(self._operators)} {other}", operands=[one, other])

    def sums(self):
        """Add a sum of sums, whose terms get one and the same Tensor as their gradient."""
        terms = [self.any_of() for _ in range(self.draw.whole(3, 6))]
        code = [f"{name} * {self.draw.one_of([2, 5, 7])}" if self.draw.chance(0.4) else name for name in terms]
        while len(code) > 1:
            place = self.draw.whole(0, len(code) - 2)
            code[place : place + 2] = [f"({code[place]} + {code[place + 1]})"]
        return self.result(code[0][1:-1], operands=terms)

    def spread(self):
        """Add a Variable that several Functions use, each of them by a name."""
        self.draw.used.add(("places", "reused"))
        one = self.any_of()
        ways = [self.result(f"{one} * {factor}", operands=[one]) for factor in (2, -1)]
        return self.result(f"{ways[0]} {self.draw.one_of('+-*')} {one}", operands=[ways[0], one])

    def diamonds(self):
        """Add two diamonds, one below the other."""
        self.draw.used.add(("places", "diamonds"))
        name = self.any_of()
        for _ in range(2):
            ways = [self.result(f"{name} * {factor}", operands=[name]) for factor in (2, 0.5)]
            name = self.result(f"{ways[0]} {self.draw.one_of('+-')} {ways[1]}", operands=ways)
        return name

    def outputs(self):
        """Add a Function of several outputs; not all of them may find a use."""
        one, other = self.any_of(), self.any_of()
        self.draw.used.update({("places", "unused"), ("returned", "a tuple")})
        match self.draw.one_of(["Pair", "Parts", "Blend", "Six"] if 0 not in self.size else ["Pair", "Six"]):
            case "Pair":
                return self.results(f"Pair({one})", [self.size] * 2, [one])
            case "Six":
                return self.results(f"Six({one})", [self.size] * 6, [one])
            case "Parts":
                return self.results(f"Parts({one})", [self.size, (1,), (1,)], [one])
        operands = [one, other, self.any_of()]
        return self.results(f"Blend({', '.join(operands)})", [self.size] * 3 + [(1, 1)], operands)

    def without_gradient(self):
        """Add a Function whose backward returns None for an operand."""
        self.draw.used.add(("returned", "None"))
        one, other = self.any_of(), self.any_of()
        if self.draw.chance(0.5):
            return self.result(f"Second({one}, {other})", operands=[one, other])
        nothing = self.result(f"Nothing({one})", operands=[one])
        return self.result(f"{nothing} + {other}", operands=[nothing, other])

    def handed_on(self):
        """Add a Function whose backward returns its argument, a view of it, or a Tensor that it keeps."""
        one, other = self.any_of(), self.any_of()
        returned = self.draw.pick("returned", ("a tensor", "a view", "the argument"))
        if returned == "a view":
            rows = self.result(f"Flat({one})", (prod(self.size),), [one])
            return self.result(f"{rows}.view{tuple(self.size)} + {other}", operands=[rows, other])
        if returned == "the argument":
            return self.result(f"Same({one}, {other})", operands=[one, other])
        return self.result(f"Remembers({one})", operands=[one])

    def total(self):
        """Add the sum of one to seven Variables of any sizes."""
        names = [name for found in self.by_size.values() for name in found]
        operands = [self.draw.one_of(names[-5:]) for _ in range(self.draw.whole(1, 7))]
        return self.result(f"Total({', '.join(operands)})", (1,), operands)

    def view(self):
        """Add a view, whose gradient is a view of its own gradient."""
        one = self.any_of()
        if len(self.size) == 2 and self.size[0] == self.size[1]:
            return self.result(f"{one}.t()", operands=[one])
        if len(self.size) > 1:
            return self.result(f"{one}.transpose(0, 1).transpose(0, 1)", operands=[one])
        return self.result(f"{one}.narrow(0, 0, {self.size[0]})", operands=[one])

    def selected(self):
        """Add rows that a LongTensor selects, a constant of another type."""
        self.draw.used.add(("type", "Long"))
        rows, one, index = self.size[0], self.any_of(), self.name("i")
        numbers = [self.draw.whole(0, rows - 1) for _ in range(rows)]
        self.add(f"{index} = Variable(LongTensor({numbers}), requires_grad=False)")
        return self.result(f"{one}.index_select(0, {index})", operands=[one])

    def steps(self, kinds, count):
        """Add about `count` steps, each of a kind: the name of a method of this class."""
        for _ in range(count):
            kind = self.draw.one_of(kinds)
            if kind == "selected" and 0 in self.size:
                kind = "arithmetic"
            if kind == "reused":
                one = self.any_of()
                self.draw.used.add(("places", "reused"))
                ways = [self.result(f"{one} * {factor}", operands=[one]) for factor in (2, -1, 3)]
                self.result(f"{ways[0]} * {ways[1]} + {ways[2]}", operands=ways)
            else:
                getattr(self, kind)()

    def root(self):
        """Return (the expression of a Variable that requires a gradient, its size): mostly the last one."""
        names = [name for name in self.differentiable if name not in self.leaves] or self.leaves
        name = names[-1] if self.draw.chance(0.7) else self.draw.one_of(names)
        return name, next(size for size, found in self.by_size.items() if name in found)

    # --- what the program does with the graph

    def hooks(self):
        """Register a hook, or several, on results or leaves that require a gradient."""
        kind = self.draw.pick("hooks", ("none", "one", "several", "replaces", "runs", "catches", "removes"))
        if kind == "none":
            return
        for _ in range(2 if kind == "several" else 1):
            name = self.draw.one_of(self.differentiable)
            if kind in ("runs", "catches"):
                other, result = self.name("x"), self.name("u")
                self.add(f"{other} = Variable({self.tensor((1,))})")
                self._other_leaves.append(other)
                self.add(f"{result} = {other} * {other} + {other}")
                if kind == "catches":
                    self.register(other, f"note({other!r}, 'raises', {self.draw.one_of(ERRORS)})")
                self.register(name, f"note({name!r}, {kind!r}, {result})")
            elif kind == "removes":
                self._may_raise = False  # whether it has run when a hook raises depends on the order
                hook = self.name("h")
                self.add(f"{hook} = note({name!r}, 'removes')")
                self.add(f"{hook}.handle = {self._registered(name, hook)}")
            else:
                self.register(name, f"note({name!r}{', ' + repr(kind) if kind == 'replaces' else ''})")

    def register(self, name, hook):
        """Add the registration of a hook, and return the name of its handle."""
        handle = self.name("h")
        self.add(f"{handle} = {self._registered(name, hook)}")
        return handle

    def _registered(self, name, hook):
        return f"{name}.register_hook({repr(self.name('h')) + ', ' if self._named_hooks else ''}{hook})"

    def backward(self, root):
        """Add a gradient and the backward from `root`, an (expression, size); return the line."""
        name, size = root
        gradient = self.name("g")
        digits = " * 0.1" if self.kind == "Double" and self.draw.chance(0.4) else ""
        self.add(f"{gradient} = {self.tensor(size)}{digits}")
        line = f"{name}.backward({gradient})"
        self.add(line)
        return line

    def backward_of(self, kind):
        """Add a graph of another type, one output of which has no use, and its backward."""
        leaf, outputs, gradient = self.name("x"), self.name(), self.name("g")
        self.add(f"{leaf} = Variable({self.draw.tensor(self.size, kind, 'ordinary')})")
        self.add(f"{outputs} = Pair({leaf})")
        self.add(f"{gradient} = {self.draw.tensor(self.size, kind, 'ordinary')}")
        self.add(f"{outputs}[{self.draw.whole(0, 1)}].backward({gradient})")

    def backwards(self, anew=None):
        """Add one backward or several. `anew` is a line that makes another instance of what is judged."""
        again = self.draw.pick("again", None if self._may_raise else ("once", "second", "interleaved", "another"))
        root = self.root()
        if again == "after an exception":
            self.draw.used.add(("hooks", "raises"))
            name = self.draw.one_of(
                [name for name in self.differentiable if name not in self.leaves] or self.differentiable
            )
            error = self.draw.one_of(ERRORS)
            hook = self.register(name, f"note({name!r}, 'raises', {error})")
            line = self.backward(root)
            for leaf in [*self.leaves, *self._other_leaves]:
                self.add(f"{leaf}.grad.zero_()")
            self.add(f"{hook}.remove()")
            self.add("forget()")
            self.add(line)
            return
        line = self.backward(root)
        if again == "once" and self.draw.chance(0.3):
            self.lines[-1] = f"{line[:-1]}, retain_variables=False)"
        if again == "second":
            self.add(line)
        elif again == "interleaved":
            kinds = {"Double", "Float"} - {self.kind} & set(self.draw.dimensions.get("type", ()))
            if kinds and "a tuple" in self.draw.dimensions.get("returned", ()) and self.draw.chance(0.6):
                self.backward_of(self.draw.one_of(sorted(kinds)))
            else:
                self.backward(self.root())
            self.add(line)
        elif again == "another" and anew:
            self.add(anew)
            self.add(line)
