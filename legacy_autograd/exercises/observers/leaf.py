"""The probe of exercise 3: programs whose leaves are the student's."""

from ..answer import plain
from ..programs.running import Run, described


class _Run(Run):
    """A Run in which `note` writes down all arguments of a hook, and the gradient summed until then."""

    def __init__(self, leaf):
        super().__init__({"Leaf": leaf, "show": self.show}, watch=True)
        self.seen["calls of hooks"] = []

    def watch_leaf(self, name, leaf):
        """Register no hook: the hooks are judged. A write into the data is noted."""
        self.hold(f"the data of {name}", leaf.variable.data)

    def note(self, name, variable, kind="one", other=None):
        leaf = variable.creator

        def see(*arguments):
            forms = ", ".join(type(argument).__name__ for argument in arguments)
            total = variable.data.new(variable.size()).zero_() if variable._grad is None else variable._grad
            call = [name, f"given: {forms}", plain(arguments), "grad until then", described(total)]
            self.add("calls of hooks", call)
            for gradient in arguments[-1] if isinstance(arguments[-1], tuple) else ():
                self.hold(f"the gradient that hook {name} saw", gradient)
            if kind == "sets":
                variable.grad = variable.data.new(*variable.size()).fill_(other)
            return tuple(gradient * 2 for gradient in arguments[-1]) if other is None else other

        return self.hook(see, kind, other, lambda: leaf.remove_hook(name))

    def show(self, value):
        self.add("shown", plain(value))

    def at_the_end(self):
        """Leave out how often a sum was written into."""
        seen = super().at_the_end()
        return {key: value for key, value in seen.items() if not key.startswith("writes into k")}


def behaviour(answer, lines):
    """Return what is seen of a program, which makes its own `Leaf(variable, True)`."""
    return _Run(answer.Leaf).execute(lines)
