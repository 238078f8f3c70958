"""Programs at the numbers and exceptions that an answer names.

An answer that is right for ten calls, for a thousand elements or for gradients over a millionth has that number in its
code. Some programs are drawn with it: a call that many times, that many operations or uses, that many elements or
dimensions, and values near it. Hooks raise the exceptions that the code names.
"""

import builtins
import re
import types
from dataclasses import replace

from .dimensions import ERRORS, Draw
from .graphs import drawn

_MOST = 6  # constants of an answer that are used
_TRIES = 30  # programs that are drawn for each change, until one has what it changes
_MOST_CALLS, _MOST_STEPS, _MOST_LENGTH = 300, 1000, 1000  # which take up to a second
_FLOAT = re.compile(r"(?<=[\[( -])(?:\d+\.\d*(?:e[-+]?\d+)?|\d+e[-+]?\d+)(?=[,\])])")  # in the text of a tensor or call
_MANY = re.compile(r"(\b(?:Total|Sums\(\d+\))\()(\w+(?:\[\d+\])?)(?=[,)])")
_ONCE = re.compile(r"for |.*(Tensor|Variable|note|register_hook|_free\w+)\(")  # a line that is not repeated
_ERROR = re.compile(rf"\b(?:{'|'.join(ERRORS)})\b")
_RESULT = re.compile(r"([vyu]\d+) = (?!.*Variable\()")


def constants_in(sources):
    """Return the positive numbers in pieces of code, as often as they are there, and the exceptions that they name.

    The small numbers, which all programs have, are left out. StopIteration is: generators turn it into another one.
    """
    found, waiting = [], []
    for source in sources:
        try:
            waiting.append(compile(source, "<answer>", "exec", dont_inherit=True))
        except (SyntaxError, ValueError):
            continue
    while waiting:  # the compiler has computed 10**6 and -1e-9
        one = waiting.pop(0)
        if isinstance(one, types.CodeType):
            waiting += one.co_consts
            found += [name for name in one.co_names if _is_an_exception(getattr(builtins, name, None))]
        elif isinstance(one, (tuple, frozenset)):
            waiting += one
        elif type(one) in (int, float) and 0 < abs(one) < float("inf") and abs(one) not in (0.5, 1, 2, 3):
            found.append(abs(one))
    return found


def _is_an_exception(value):
    return isinstance(value, type) and issubclass(value, BaseException) and not issubclass(value, StopIteration)


def programs_at(constants, make, dimensions, start, options):
    """Yield Programs of `make` for each of `constants_in` an answer. `start` is the first of the seeds."""
    sign = options.get("operators", "+")[0]  # which a student's process has
    for number in constants[:_MOST]:
        for place, way in enumerate(_ways(number, options)):
            for seed in range(start + _TRIES * place, start + _TRIES * (place + 1)):
                program = drawn(make, seed, dimensions, **options)
                lines = way(list(program.lines), number, Draw([seed, 1], {}), sign)
                if lines is not None:
                    tolerance = program.tolerance
                    if way is _near and not any(kind in line for kind in ("Float", "Half") for line in lines):
                        tolerance *= max(1e-4, min(number, 1))
                    yield replace(program, lines=tuple(lines), tolerance=tolerance)
                    break
        if _is_whole(number) and number <= _MOST_LENGTH:
            for seed in range(start, start + (6 if number > 30 else 24)):
                yield drawn(make, seed, dimensions, length=int(number) + 1, **options)


def _ways(number, options):
    """Return the functions that change a program, as often as they do."""
    if isinstance(number, str):
        return [_raises] * 12
    ways = [_near] * 12 * (number <= options.get("largest", 1e9))
    if _is_whole(number):
        few = number <= _MOST_CALLS
        ways += [_repeated] * 3 * few + [_outputs] * 2 * few
        ways += [_longer, _wider, _used] * (number <= _MOST_STEPS) * (1 + few)
    return ways


def _is_whole(number):
    return not isinstance(number, str) and number == int(number)


def _raises(lines, name, draw, sign):
    """Raise the exception of that name instead of others."""
    raising = [_ERROR.sub(name, line) for line in lines]
    return raising if raising != lines else None


def _near(lines, number, draw, sign):
    """Replace the tensors' numbers, or about half of them, by others near this one."""
    part = draw.one_of([0.5, 1, 1])

    def near(match):
        return repr(draw.one_of([1 - 2**-10, 1, 1 + 2**-10, 0.5, 2]) * number) if draw.chance(part) else match[0]

    return [line if "HalfTensor" in line else _FLOAT.sub(near, line) for line in lines]


def _repeated(lines, number, draw, sign):
    """Do what one line does that many times: a backward if there is one."""
    plain = [n for n, line in enumerate(lines) if not _ONCE.match(line)]
    chosen = [n for n in plain if "backward(" in lines[n]] or plain
    if not chosen:
        return None
    place = draw.one_of(chosen)
    return [*lines[:place], f"for _ in range({int(number) + 10}): {lines[place]}", *lines[place:]]


def _result(lines, draw):
    """Return the number of a line, the name of the Variable that it makes, and another that it uses, or None."""
    found = [(n, match[1]) for n, line in enumerate(lines) if (match := _RESULT.match(line))]
    found = [(n, name) for n, name in found if not any(f"{name}[" in line for line in lines)]
    found = [(n, name) for n, name in found if any(re.search(rf"\b{name}\b", line) for line in lines[n + 1 :])]
    if not found:
        return None
    place, name = draw.one_of(found)
    others = [other for other in re.findall(r"\b[vyux]\d+\b", lines[place]) if other != name]
    return place, name, draw.one_of(others or [None])


def _longer(lines, number, draw, sign):
    """Add that many operations behind a result, each of which may use another Variable as well."""
    if (found := _result(lines, draw)) is None:
        return None
    place, name, other = found
    step = f"{name} {sign} {other}" if other and draw.chance(0.7) else f"{name} * 1"
    return [*lines[: place + 1], f"for _ in range({int(number)}): {name} = {step}", *lines[place + 1 :]]


def _wider(lines, number, draw, sign):
    """Give an operation that many operands more: one of its own, or a constant."""
    first = next((place for place, line in enumerate(lines) if _MANY.search(line)), 0)
    constants = [name for line in lines[:first] if (name := line.partition(" = ")[0]).startswith("c")]
    other = constants[-1] if constants and draw.chance(0.5) else r"\2"
    wide = [_MANY.sub(rf"\1*[{other}] * {int(number)}, \2", line) for line in lines]
    return wide if wide != lines else None


def _outputs(lines, number, draw, sign):
    """Let an operation of several outputs have one more than the number."""
    many = [re.sub(r"\bSums\((?!1\))\d+\)", f"Sums({int(number) + 1})", line) for line in lines]
    return many if many != lines else None


def _used(lines, number, draw, sign):
    """Use a result that many times, each of them twice."""
    if sign != "+" or (found := _result(lines, draw)) is None:
        return None
    place, name, _ = found
    uses = f"for _ in [[{name} * 1 for _ in range({int(number)})]]: {name} = sum(_, {name}) + sum(_, {name})"
    return [*lines[: place + 1], uses, *lines[place + 1 :]]
