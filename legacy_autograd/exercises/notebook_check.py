"""What a notebook's test cells run: `%run -m legacy_autograd.exercises.notebook_check`, then `check(number, …)`.

`%run` executes this file anew each time, from the disk, and this file imports nothing of the package: whatever the
notebook did to the package's modules, to builtins or to its own names, the verdict comes from a judge that runs in a
fresh interpreter. Without a verdict from there the check fails.
"""

import json
import os
import runpy
import secrets
import subprocess

_TEST = "%run -m legacy_autograd.exercises.notebook_check"  # template.TEST: how test cells begin


class NotPassed(Exception):
    """A check of this cell did not pass. A notebook shows it without a traceback, which would be of our own lines."""

    def _render_traceback_(self):
        return [f"{type(self).__name__}: {self}"]


def check(number, *names):
    """Judge what the notebook's cells have defined by the checks `names` of exercise `number`.

    Prints the report, and raises NotPassed unless every check passed.
    """
    sources = get_ipython().history_manager.input_hist_raw  # noqa: F821
    receipt = secrets.token_hex(16)
    cells = [{"source": source, "label": f"In [{position}]"} for position, source in enumerate(sources)
             if source.strip() and not source.startswith(_TEST)]  # fmt: skip
    request = {"number": number, "names": names, "cells": cells, "receipt": receipt}
    launch = runpy.run_path(os.path.join(os.path.dirname(os.path.abspath(__file__)), "sandbox", "launch.py"))
    process = subprocess.run(
        launch["command"]("grader"), input=json.dumps(request), capture_output=True, encoding="utf-8"
    )
    try:
        verdict = json.loads(process.stdout)
        genuine = verdict["receipt"] == receipt
    except (ValueError, TypeError, KeyError):
        genuine = False
    if genuine is not True:
        raise NotPassed(f"the judge gave no result. {process.stderr.strip()[-2000:]}")
    print(verdict["report"])
    if verdict["passed"] is not True:
        raise NotPassed(verdict["because"])
