"""Run the checks of an exercise on an answer and report the results."""

import ast
import gc
import json
import os
import subprocess
import sys
import threading
import traceback
from collections import Counter
from dataclasses import dataclass

from . import load, pictures, reports, template
from .model import Check, Trial, Wrong
from .programs.thresholds import constants_in
from .sandbox.launch import command
from .sandbox.limits import LIMITS, Limits
from .words import WORDS

_BEFORE = "before it was defined "  # sandbox/host.py begins its message so if a cell ended before the definition


@dataclass(frozen=True)
class Result:
    """The result of one check: `wrong` is None if it passed."""

    check: Check
    wrong: Wrong | None
    printed: str = ""
    picture: pictures.Picture | None = None  # of the graph on which it failed

    @property
    def passed(self):
        return self.wrong is None

    @property
    def is_written(self):
        return self.passed or self.wrong.kind != "not written"


def judge(exercise, cells, names=None, limits=LIMITS, draw=None, process=None, seeds=(), lang="en"):
    """The Results of the checks `names` (all of them if left out), in the order of the exercise.

    `cells` are dictionaries with the `source` of a piece of code and its `label`, for messages. With `draw` "text" or
    "svg" the first check of each group that failed has a picture. `process` is a StudentCode (sandbox/student_code.py)
    that runs the cells and probes; by default it starts a process on this machine. `seeds` are those of programs beside
    the assignment's. Pictures are in the language `lang`; the results are in English, for `report` to translate.
    """
    if process is None:
        from .sandbox.host import StudentProcess  # a web page has no processes

        process = StudentProcess(exercise, cells, limits)
    constants = constants_of(exercise, cells)
    results, stopped, drawn = [], {}, set()  # stopped: the reason why the other checks of a group are skipped
    with process:
        for check in exercise.checks.values():
            if names is not None and check.name not in names:
                continue
            process.begin_check()
            wrong, picture = stopped.get(check.group), None
            if wrong is None:
                trial = Trial(exercise, process, seeds, constants)
                try:
                    check.run(trial)
                except Wrong as found:
                    wrong = found
                    if wrong.kind == "wrong":
                        wrong.where = _where(exercise, cells, process.asked)
                    if wrong.kind == "not written":
                        stopped[check.group] = wrong
                    elif wrong.kind == "time":
                        sentence = "skipped: an earlier check ran out of time"
                        stopped[check.group] = Wrong(None, None, sentence, kind="time")
                except Exception as error:  # the student's process may send any data
                    because = "your code returned or recorded data of another form than this check reads"
                    wrong = Wrong(None, None, f"data that cannot be compared: {type(error).__name__}: {error}", because)
                has_graph = wrong and trial.asked and wrong.kind != "not written" and _BEFORE not in wrong.got
                if draw and has_graph and check.group not in drawn:
                    try:
                        picture = pictures.picture_of(exercise, trial.asked, svg=draw == "svg", lang=lang)
                    except Exception:  # the data of the student's process may have any form
                        picture = None
                drawn.update([check.group] if wrong else [])
            results.append(Result(check, wrong, process.printed, picture))
    return results


def constants_of(exercise, cells):
    """Return the numbers and exceptions that these cells have, or have more often than the exercise's own code."""
    own = Counter(constants_in([template.text(exercise.file_name)]))
    return list(Counter(constants_in(cell["source"] for cell in cells)) - own)


def _where(exercise, cells, names):
    """Return where the cells define these names, in words, or None."""
    found = {}
    for cell in cells:
        try:
            definitions = ast.parse(cell["source"]).body
        except SyntaxError:
            continue
        for node in definitions:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name in names:
                methods = [method for method in node.body if getattr(method, "name", None) == exercise.method]
                line = (methods or [node])[0].lineno
                name = f"{node.name}.{exercise.method}" if methods else node.name
                found[node.name] = f"{name}, line {line} of {cell['label']}"
    return "; ".join(found.values()) or None


def judge_in_child(exercise, cells, names=None, limits=LIMITS, draw=None, seeds=(), lang="en"):
    """Return what `judge` returns, from a process of its own.

    A student's code that ends its parent process ends this child. Then every check has failed, for that reason. The
    process is a fork of this one where that is safe: a fresh interpreter takes half a second to load the package.
    """
    from .sandbox import fork_server  # a web page has no processes

    names = [name for name in exercise.checks if names is None or name in names]
    if fork_server.AVAILABLE and threading.active_count() == 1:
        text, how = _from_a_fork(lambda: _plain(_judge(exercise, cells, names, limits, draw, seeds, lang)))
    else:
        request = {"number": exercise.number, "names": names, "cells": cells, "receipt": "", "draw": draw}
        process = subprocess.run(
            command("grader", [path for path in sys.path if path]),
            input=json.dumps({**request, "seeds": seeds, "lang": lang, **vars(limits)}),
            capture_output=True,
            encoding="utf-8",
            errors="replace",
        )
        text, how = process.stdout, f"{process.returncode}. {process.stderr}"
    try:
        results = json.loads(text)["results"]
    except (ValueError, KeyError, TypeError):
        got = f"no result: the judge's process ended with the exit code {how}"
        because = "the code ended a process that it did not start, such as os.kill(os.getppid(), 9); remove that"
        ended = Wrong(None, None, got.strip()[-500:], because, kind="exit")
        return [Result(exercise.checks[name], ended) for name in names]
    return [
        Result(exercise.checks[name], wrong and Wrong(**wrong), printed, picture and pictures.Picture(**picture))
        for name, wrong, printed, picture in results
    ]


def _from_a_fork(work):
    """Return what `work` returns in a fork of this process, as JSON, and how the fork ended."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            with open(writing, "w", encoding="utf-8") as file:
                try:
                    json.dump(work(), file)
                except Exception:
                    traceback.print_exc(file=file)
        finally:
            os._exit(1)  # what this process would do at its end is its parent's
    os.close(writing)
    with open(reading, encoding="utf-8", errors="replace") as file:
        text = file.read()
    return text, f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}. {text}"


def _judge(exercise, cells, names, limits, draw, seeds, lang):
    """`judge` in a process that does nothing else."""
    from .sandbox import fork_server

    gc.freeze()  # the package stays: no collection needs to look at it
    gc.set_threshold(20_000)  # programs leave few cycles
    server = fork_server.server_for(exercise.name, exercise.withheld)
    server.start()
    exercise.prepare(names, seeds, server.is_loading)
    return judge(exercise, cells, names, limits, draw, seeds=seeds, lang=lang)


def _plain(results):
    each = [(it.check.name, it.wrong and vars(it.wrong), it.printed, it.picture and vars(it.picture)) for it in results]
    return {"results": each}


def points(exercise, results):
    """Return the points of the groups whose checks all ran and passed."""
    passed = {result.check for result in results if result.passed}
    lost = {check.group for check in exercise.checks.values() if check not in passed}
    return sum(group.points for group in exercise.groups if group not in lost)


def states(exercise, results):
    """Return {name of a group: "passed", "not written yet" or "FAILED"}, in the order of the exercise."""
    found = {}
    for group in exercise.groups:
        failed = [result for result in results if result.check.group is group and not result.passed]
        found[group.name] = "passed" if not failed else "FAILED" if failed[0].is_written else "not written yet"
    return found


def report(exercise, results, lang="en"):
    """Return the report: for each group its checks, the details of the first failure, and a hint."""
    lines, told = [], set()
    for group in exercise.groups:
        found = [result for result in results if result.check.group is group]
        if found:
            lines += _report_group(exercise, group, found, told, lang)
    return "\n".join(lines)


def _report_group(exercise, group, results, told, lang):
    """`told` has the errors, other than wrong data, of earlier groups, which are not repeated at length."""
    words = WORDS["report"][lang]
    title, hint, *_ = reports.texts_of(exercise, group, lang)
    failed = [result for result in results if not result.passed]
    state = words["passed"] if not failed else words["failed"] if failed[0].is_written else words["unwritten"]
    lines = [f"{reports.padded(state, 17)}{group.name}: {title}"]
    if not failed or not failed[0].is_written:
        return lines
    if failed[0].wrong.kind != "wrong":
        trouble = failed[0].wrong.got.rpartition(_BEFORE)[2]
        if trouble in told:
            return [*lines, *_labelled("got", "the same as above", lang)]
        told.add(trouble)
    for result in results:
        state = words["passed" if result.passed else "failed"]
        lines.append(f"    {reports.padded(state, 8)}{reports.in_language(result.check.title, lang)}")
        if result is failed[0]:
            lines += _details(result, lang)
    lines += _wrapped(words["hint"], hint)
    lines.append(f"{' ' * 18}{words['more_hints'].format(number=exercise.number, group=group.name)}")
    return lines


def _details(result, lang):
    wrong = result.wrong
    lines = _labelled("on", wrong.on, lang)
    lines += [f"{' ' * 18}{line}" for line in wrong.program]
    lines += _labelled("expected", wrong.expected, lang) + _labelled("got", wrong.got, lang)
    if wrong.where:
        places = [reports.in_language(place, lang) for place in wrong.where.split("; ")]
        lines += _wrapped(WORDS["report"][lang]["in"], "; ".join(places))
    lines += _labelled("because", wrong.because, lang)
    if result.printed:
        lines.append(f"{' ' * 8}{WORDS['report'][lang]['printed']}")
        lines += [f"{' ' * 10}| {line}" for line in result.printed.splitlines()[-20:]]
    if result.picture:
        lines += _drawn(result.picture, wrong.on, lang)
    return lines


def _drawn(picture, on, lang):
    lines = _labelled("graph", "the same" if on and on.startswith(picture.title) else picture.title, lang)
    if picture.text:
        lines += ["", *[f"{' ' * 10}{line}".rstrip() for line in picture.text.splitlines()], ""]
    return lines + (_labelled("", f"(no picture: {picture.problem})", lang) if picture.problem else [])


def _labelled(key, text, lang):
    """Return the lines of a text of the judge behind its label; none if there is no text."""
    label = WORDS["report"][lang][key] if key else ""
    return _wrapped(label, reports.in_language(" ".join(str(text).split()), lang)) if text else []


def _wrapped(label, text):
    return reports.wrapped(text, f"{' ' * 8}{reports.padded(label, 10)}", " " * 18)


def not_passed(results):
    """Return the last line of a report, or None if there are checks and all passed."""
    failed = sum(not result.passed for result in results)
    return None if results and not failed else f"{failed} of {len(results)} checks did not pass; see above"


def main():
    """Judge the request on standard input and write the result to standard output (JSON, see notebook_check.py)."""
    request = json.load(sys.stdin)
    exercise = load(request["number"])
    unknown = set(request["names"]) - set(exercise.checks)
    if unknown:
        raise SystemExit(f"exercise {request['number']} has no check {', '.join(sorted(unknown))}")
    limits = Limits(request.get("seconds", LIMITS.seconds), request.get("megabytes", LIMITS.megabytes))
    for cell in (cells := request["cells"]):
        if cell["label"].startswith("In ["):
            cell["source"] = template.without_magics(cell["source"])
    draw, seeds, lang = request.get("draw", "text"), request.get("seeds", ()), request.get("lang", "en")
    results = _judge(exercise, cells, request["names"], limits, draw, seeds, lang)
    because = reports.in_language(not_passed(results), lang)
    verdict = {"receipt": request["receipt"], "passed": because is None, "because": because}
    json.dump({**verdict, "report": report(exercise, results, lang), **_plain(results)}, sys.stdout)
