"""tools/wrong_answers.py judges right answers and changes of them."""

import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]


@pytest.mark.slow  # ten answers are judged
def test_changes_of_the_answers_to_exercise_3():
    command = [sys.executable, "tools/wrong_answers.py", "10", "3"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=600)
    assert ran.returncode == 0, ran.stderr
    assert int(re.search(r"(\d+) refused, 0 accepted", ran.stdout)[1]) >= 5
