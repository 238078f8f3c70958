"""The process that a student's code runs in: how it is started, limited, asked and ended.

`host.py` is the grader's end, `worker.py` the student's. `blocked.py` takes away the names that an exercise asks for.
"""
