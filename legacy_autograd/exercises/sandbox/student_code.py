"""Questions to a student's code, wherever it runs, and what went wrong with it in words."""

import json
import random

from ..model import Trouble
from .limits import LIMITS

_OTHER_CELLS = "; the judge uses all cells that ran in this kernel: fix that cell and restart the kernel"
TOO_DEEP = "a recursive function overflows the stack on a long chain; use a list and a loop"


def first_request(exercise, cells, limits):
    """Return the request that a worker begins with (`worker.begin`): the name of an exercise, the cells, the limits."""
    return {"exercise": exercise.name, "cells": cells, **vars(limits)}


class StudentCode:
    """Asks one answer for the results of probes; a subclass says how a request reaches worker.py.

    `printed` is the output of the student's code for the last question, and `asked` are the names in it that the probe
    used. Use it in a `with` statement.
    """

    chance = random.SystemRandom()  # draws what the student's code must not know
    shrinks = True  # whether it answers many questions quickly, so that a program that fails can be made smaller

    def __init__(self, exercise, cells, limits=LIMITS):
        self._exercise = exercise
        self._cells = cells
        self._limits = limits
        self._loading = None  # the permanent Trouble of loading the cells
        self._troubles = []  # of single cells
        self._replies = {}  # {a question that is asked once, as JSON: its reply}
        self.as_right = set()  # the lines of random programs with all results as they are right
        self.is_loaded = False  # a subclass whose worker has ended sets it to False: the next question starts a new one
        self.printed = ""
        self.asked = []

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        """Nothing to end."""

    def anew(self):
        """Let another process answer from now on, if there are processes: with other hashes of texts and addresses."""

    def announce(self, probe, each):
        """Hear the inputs of the next questions to a probe, which are asked one by one until an answer is a mistake."""

    def ahead(self, probe, inputs):
        """Hear the inputs of a question that comes soon, unless an answer before it is a mistake."""

    def exchange(self, request):
        """Return the worker's reply to a request, both as dictionaries of plain data, or raise Trouble.

        The first request to a worker is the `first_request`, each later one has a probe and its inputs (`Student.run`).
        """
        raise NotImplementedError

    def begin_check(self):
        """Forget what was printed. A subclass that counts the time of a check begins to."""
        self.printed = ""

    def ask(self, probe, inputs, once=False):
        """Return the probe's result as plain data. Raises Trouble if there is none.

        A question that is asked `once` has the reply that it had before, if there is one.
        """
        if self._loading is not None:
            raise self._loading
        request = {"probe": probe, "inputs": inputs}
        replies, question = self._replies if once else {}, json.dumps(request)
        if question not in replies:
            replies[question] = self.reply_to(request)
        reply = replies[question]
        self.printed = str(reply.get("printed", ""))
        self.asked = [str(name) for name in reply.get("asked", ())]
        if "value" in reply:
            return reply["value"]
        raise self._in_words(reply["trouble"])

    def reply_to(self, request):
        """Return the worker's reply to a question, which may be the first."""
        if not self.is_loaded:
            self._load()
        return self.exchange(request)

    def _load(self):
        try:
            self._troubles = self.exchange(first_request(self._exercise, self._cells, self._limits))["troubles"]
            self.is_loaded = True
        except Trouble as trouble:
            if any(cell["label"].startswith("In [") for cell in self._cells):
                trouble.because += _OTHER_CELLS
            self._loading = trouble
            raise

    # --- what went wrong, in words

    def out_of_time(self):
        return Trouble(
            "time",
            f"nothing within {self._limits.seconds} seconds of computing",
            "either a loop never ends, or the same work is repeated many times",
        )

    def out_of_memory(self, where=""):
        return Trouble(
            "memory",
            f"nothing: more than {self._limits.megabytes} megabytes of memory were wanted{where}",
            "a data structure grows with each step",
        )

    def _in_words(self, trouble):
        kind, name = trouble["kind"], trouble["type"]
        where = _where(trouble["line"])
        if kind == "error" and trouble["line"] is None:
            where = ", raised where the package used data that your code returned or recorded"
        said = f"{name}: {trouble['message']}" if trouble["message"] else name
        if kind == "missing":
            return self._missing(trouble["message"])
        if kind == "memory":
            return self.out_of_memory(where)
        got, because = {
            "not written": ("not written yet", None),
            "recursion": (f"{name}{where}", TOO_DEEP),
            "exit": (f"a call of exit{where}", "the code ended its own process; remove that"),
            "withheld": (f"a refusal{where}", trouble["message"]),
        }.get(kind, (f"{said}{where}", trouble["because"]))
        return Trouble(kind, got, because, name)

    def _missing(self, name):
        """Return the Trouble of a missing name: its cell stopped before it, or it is not written yet."""
        for trouble in self._troubles:
            if trouble["kind"] != "not written":
                words = self._in_words(trouble)
                what = words.got.removeprefix("nothing: ")
                got = f"no `{name}`: before it was defined there was {what}"
                return Trouble("error", got, words.because, words.name)
        return Trouble("not written", f"not written yet: there is no `{name}`")


def _where(line):
    if line is None:
        return ""
    number, label, text = line["number"], line["label"], line["text"]
    return f", in line {number} of {label}: {text}" if text else f", in line {number} of {label}"
