"""Carry out many commands of `python -m legacy_autograd` in one process, each in a fork, since each import takes long.

    python run_all.py COMMANDS RESULTS

COMMANDS is a JSON object {name: [arguments, input]}, RESULTS becomes one {name: [exit code, output, errors]}.
"""

import gc
import json
import os
import pathlib
import sys
import tempfile

from legacy_autograd import commands
from legacy_autograd.__main__ import main


def forked(arguments, input):
    """Run one command as a process of its own would, and return its exit code and what it wrote."""
    with (
        tempfile.TemporaryFile() as standard_input,
        tempfile.TemporaryFile() as output,
        tempfile.TemporaryFile() as errors,
    ):
        standard_input.write(input.encode())
        standard_input.seek(0)
        child = os.fork()
        if not child:
            for number, file in enumerate((standard_input, output, errors)):
                os.dup2(file.fileno(), number)
            sys.argv = ["legacy_autograd"]
            sys.exit(main(arguments))  # ends the loop below too: SystemExit is not caught
        _, status = os.waitpid(child, 0)
        written = []
        for file in (output, errors):
            file.seek(0)
            written.append(file.read().decode())
        return [os.waitstatus_to_exitcode(status), *written]


if __name__ == "__main__":
    cases = json.loads(pathlib.Path(sys.argv[1]).read_text())
    place = pathlib.Path(sys.argv[2])
    commands.load_all()  # once, not in each fork
    gc.freeze()  # a collection in a fork would copy all of its memory
    results = {name: forked(*case) for name, case in cases.items()}
    place.write_text(json.dumps(results))
