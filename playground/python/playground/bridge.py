"""Calls functions of the worker (worker.js).

Pyodide's Python calls JavaScript. CoWasm's cannot: there the question is a file, and opening another file makes the
worker read it and write the answer.
"""

import json
from pathlib import Path

_QUESTION, _ANSWER = Path("/bridge/question"), Path("/bridge/answer")

try:
    from page_bridge import ask
except ImportError:

    def ask(question):
        """Return the worker's answer to a question, both as JSON."""
        _QUESTION.write_text(question, encoding="utf-8")
        return _ANSWER.read_text(encoding="utf-8")


def host(name, argument):
    """Call a function of the worker by name, with plain data, and return its answer. Raises ValueError if it fails."""
    answer = json.loads(ask(json.dumps({"name": name, "argument": argument})))
    if "error" in answer:
        raise ValueError(answer["error"])
    return answer["value"]
