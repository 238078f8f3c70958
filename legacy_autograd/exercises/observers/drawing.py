"""The probes of exercise 9: programs that draw their graphs."""

import contextlib
import datetime
import os
import sys
import time

from ...autograd.variable import Variable
from ...tensor import DoubleTensor
from ..answer import plain
from ..programs.running import OUTSIDE, Run


def behaviour(answer, lines):
    """Return what is seen of a program, with the texts that it draws."""
    changes = []

    def to_dot(variable):
        root = getattr(variable, "creator", None)  # a student may draw something else by mistake
        before = _graph(root)
        text = answer.to_dot(variable)
        changes.append(_graph(root) != before)
        return text

    run = Run({"to_dot": to_dot})
    found = run.execute(lines)
    found["the graph"] = "changed" if any(changes) or OUTSIDE in found else "unchanged"
    for name, value in run.made():
        value = getattr(value, "source", value)  # of a graphviz.Digraph
        if name.startswith("t"):
            found[name] = value if isinstance(value, str) else plain(value)
            found[f"{name} is"] = type(value).__name__
    return found


def _graph(root):
    """Return {a Function: (its links, requires_grad, its attributes, the id of its data)} of all behind `root`."""
    found, walk = {}, [root] if root else []
    for function in walk:
        if function not in found:
            links = function.previous_functions
            operands = [prev_fn for prev_fn, _ in links]
            data = getattr(getattr(function, "variable", None), "data", None)  # a Leaf's
            found[function] = type(links), operands, function.requires_grad, sorted(vars(function)), id(data)
            walk += operands
    return found


def later(answer, lines):
    """Return what `behaviour` does, 400 days later, in another process and folder, and among other objects."""
    kept = [Variable(DoubleTensor([number])) * 2 for number in range(333)]
    os.environ |= {"PWD": os.getcwd(), **dict.fromkeys(("LOGNAME", "USER", "HOSTNAME"), "another")}
    with _moved(answer.namespace):
        return {**behaviour(answer, lines), "kept": len(kept)}


_WHERE = (("socket", "gethostname"), ("platform", "node"), ("getpass", "getuser"))  # which tell the place
_LATER = datetime.timedelta(days=400, hours=1, minutes=1, seconds=1)


@contextlib.contextmanager
def _moved(namespace):
    """Move the clocks of `time` and `datetime` in the block; the process, the user and the machine are others, too.

    So they are under the answer's own names. date.today() and datetime.today() call time.time().
    """
    seconds, clock = _LATER.total_seconds(), time.time

    class Datetime(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return cls.fromtimestamp(clock() + seconds, tz)

        @classmethod
        def utcnow(cls):
            return cls.now(datetime.UTC).replace(tzinfo=None)

    def at(function):
        return lambda given=None: function(clock() + seconds if given is None else given)

    localtime, written, text, number = at(time.localtime), time.strftime, time.asctime, os.getpid() + 1
    moved = {
        (time, "time"): lambda: clock() + seconds,
        (time, "time_ns"): lambda: int((clock() + seconds) * 1e9),
        (time, "localtime"): localtime,
        (time, "gmtime"): at(time.gmtime),
        (time, "ctime"): at(time.ctime),
        (time, "asctime"): lambda given=None: text(given or localtime()),
        (time, "strftime"): lambda form, given=None: written(form, given or localtime()),
        (datetime, "datetime"): Datetime,
        (os, "getpid"): lambda: number,
        **{(sys.modules[module], name): lambda: "another" for module, name in _WHERE if module in sys.modules},
    }
    before = {place: vars(place[0])[place[1]] for place in moved}
    known = {id(value): moved[place] for place, value in before.items()}
    own = {name: value for name, value in namespace.items() if id(value) in known}
    namespace.update({name: known[id(value)] for name, value in own.items()})
    for (module, name), value in moved.items():
        setattr(module, name, value)
    try:
        yield
    finally:
        namespace.update(own)
        for (module, name), value in before.items():
            setattr(module, name, value)
