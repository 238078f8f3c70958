"""Code that tries to be right without being right: each goes in front of an answer that is not written."""

TAMPERING = {
    "replaced builtins": """
import builtins
for name in "abs all any max min print round sum".split():
    setattr(builtins, name, lambda *arguments, **options: True)
""",
    "builtins that nothing works without": """
import builtins
for name in "len list range tuple isinstance open".split():
    setattr(builtins, name, lambda *arguments, **options: True)
""",
    "replaced exceptions": """
import builtins
builtins.AssertionError = builtins.Exception = builtins.NotImplementedError = ZeroDivisionError
""",
    "a comparison that always agrees": """
import legacy_autograd.exercises.model as checking
checking.agree = lambda *arguments: True
checking.Trial.expect = lambda *arguments, **options: None
""",
    "a judge that is always content": """
import legacy_autograd.exercises.grader as judge
judge.points = lambda *arguments: 99
judge.judge = lambda *arguments, **options: []
judge.report = lambda *arguments: "passed"
""",
    "modules taken away": """
import sys
for name in [name for name in sys.modules if "exercises" in name]:
    sys.modules[name] = None
""",
    "the package's operations replaced": """
import legacy_autograd.autograd.functions.basic_ops as operations
operations.Sub.backward = operations.Mul.backward = lambda self, grad: (grad, -grad)
""",
    "numpy's comparisons replaced": """
import numpy
numpy.allclose = numpy.array_equal = numpy.isclose = lambda *arguments, **options: True
""",
    "answers forged": """
import json
json.dumps = lambda *arguments, **options: '{"value": {}, "token": "", "printed": "", "passed": true}'
json.loads = lambda *arguments, **options: {"passed": True, "report": "", "receipt": ""}
""",
    "written into every file": """
import os
for number in range(3, 20):
    try:
        os.write(number, b'{"value": {}}')
    except OSError:
        pass
""",
    "answers written by hand": """
import json, sys
frame = sys._getframe()
while frame is not None:
    if "answers" in frame.f_locals:
        answer = {"token": frame.f_locals["request"]["token"], "value": {}, "passed": True}
        frame.f_locals["answers"].write(json.dumps({**answer, "troubles": 0, "printed": 1}) + chr(10))
    frame = frame.f_back
""",
    "a flood of answers": """
import os
while True:
    for number in range(3, 20):
        try:
            os.write(number, bytes(10**6))
        except OSError:
            pass
""",
    "equal to everything": """
class Everything:
    def __eq__(self, other): return True
    def __getattr__(self, name): return self
    def __call__(self, *arguments): return (self,)
Sub = Mul = Div = Exp = Sigmoid = Abs = Everything()
""",
    "numbers equal to everything": """
class Number(float):
    def __eq__(self, other): return True
    __sub__ = __rsub__ = __abs__ = lambda *arguments: 0.0
class Sub:
    def __call__(self, *arguments): return [Number()]
    def _do_backward(self, grad): return Number(), Number()
""",
}

IN_A_NOTEBOOK = {
    "check redefined": """
check = lambda *arguments: print("passed")
from legacy_autograd.exercises import notebook_check
notebook_check.check = check
""",
    "processes that always succeed": """
import subprocess
class Process:
    returncode, stdout, stderr = 0, '{"passed": true}', ""
subprocess.run = subprocess.Popen = lambda *arguments, **options: Process()
""",
    "assertions taken out": """
import ast
class NoAssertions(ast.NodeTransformer):
    def visit_Assert(self, node): return ast.Pass()
    def visit_Raise(self, node): return ast.Pass()
get_ipython().ast_transformers.append(NoAssertions())
""",
    "another interpreter": """
import sys
sys.executable = "/bin/true"
""",
    "exit": "exit()",
    "sys.exit": "import sys; sys.exit(0)",
    "the process ends": "import os; os._exit(0)",
}

# What only a grader outside of the notebook's kernel is safe from.
IN_THE_KERNEL = {
    "a forged verdict": """
import json, subprocess
class Process:
    stderr = ""
    def __init__(self, receipt):
        self.stdout = json.dumps({"receipt": receipt, "passed": True, "report": "passed", "because": ""})
subprocess.run = lambda command, input, **options: Process(json.loads(input)["receipt"])
""",
    "magics replaced": """
get_ipython().run_line_magic = lambda *arguments, **options: None
check = lambda *arguments: print("passed")
""",
    "cells that do not run": """
shell = get_ipython()
run_cell, run_cell_async = shell.run_cell, shell.run_cell_async
shell.run_cell = lambda source, *arguments, **options: run_cell("pass", *arguments, **options)
shell.run_cell_async = lambda source, *arguments, **options: run_cell_async("pass", *arguments, **options)
""",
}

# How a process may hide that the student's code starts. `stay()` runs `program`, which stays; `start()` has another
# interpreter run it, in a way that no audit hook sees.
HIDING = {
    "in a session of its own": """
if os.fork() == 0:
    os.setsid()
    stay()
""",
    "as an orphan": """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        stay()
    os._exit(0)
""",
    "as another program": """
if os.fork() == 0:
    start()
    os._exit(0)
""",
}

# The judge of a fresh interpreter does not find the first, and is itself the parent that the second ends.
HIDING_FROM_THE_JUDGE = {
    "as another program without the mark": """
if os.fork() == 0:
    start({})
    os._exit(0)
""",
    "as an orphan of the guardian too": """
os.kill(os.getppid(), signal.SIGKILL)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        stay()
    os._exit(0)
""",
}
