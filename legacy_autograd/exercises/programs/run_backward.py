"""The programs whose backward an engine runs: what exercise 5 draws."""

ENGINE = "Variable._execution_engine = Engine()"

DIMENSIONS = (
    "type; layout; size; places; again; returned: a tensor, a tuple, None, a view, the argument; hooks: "
    "none, one, several, runs, raises, removes; requires_grad: all, some; values: ordinary, zeros, "
    "cancel, nan, inf, -0"
)
_ARITHMETIC = ["arithmetic", "arithmetic", "reused", "view"]

STEPS = {  # of the random programs of each group
    "simple": ["arithmetic"],
    "diamonds": ["diamonds", *_ARITHMETIC],
    "own": ["sums", "sums", "handed_on", *_ARITHMETIC],
    "constants": ["without_gradient", "selected", *_ARITHMETIC],
    "outputs": ["outputs", "outputs", *_ARITHMETIC],
    "random": ["sums", "diamonds", "handed_on", "without_gradient", "selected", "outputs", "outputs", *_ARITHMETIC],
}


def writes(steps, anew=ENGINE):
    """Return a function that writes programs of these steps. `anew` is a line that makes an engine."""

    def make(graph):
        graph.add(anew)
        graph.some_leaves()
        graph.steps(steps, graph.draw.whole(1, 6 if graph.kind != "Half" else 3))
        graph.hooks()
        graph.backwards(anew)

    return make
