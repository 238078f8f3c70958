"""Calls functions of the worker (worker.js) by files: opening the answer makes the worker read the question."""

import json
from pathlib import Path

_QUESTION, _ANSWER = Path("/bridge/question"), Path("/bridge/answer")


def host(name, argument):
    """Call a function of the worker by name, with plain data, and return its answer. Raises ValueError if it fails."""
    _QUESTION.write_text(json.dumps({"name": name, "argument": argument}), encoding="utf-8")
    answer = json.loads(_ANSWER.read_text(encoding="utf-8"))
    if "error" in answer:
        raise ValueError(answer["error"])
    return answer["value"]
