"""The process that a student's code runs in: how it is started, limited, asked and ended.

`host.py` is the grader's end, `worker.py` the student's. `package.py` writes the package that it loads, without the
part that the exercise asks for. `landlock.py` and `audit.py` keep it from the other.
"""
