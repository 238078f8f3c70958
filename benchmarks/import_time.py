"""The processor time that `import legacy_autograd` takes after `import numpy`.

    python -m benchmarks.import_time [PEER …]

prints the median and the quartiles of 20 fresh processes, with compiled files present.
"""

import os
import statistics
import subprocess
import sys

from . import measure, peers

PROGRAM = """
import sys, time
import numpy
begin = time.process_time()
exec(sys.argv[1])
print(time.process_time() - begin)
"""


def milliseconds(peer, processes=20):
    """Return the first quartile, the median and the third quartile of the milliseconds beyond `import numpy`."""
    statement = peers.PEERS[peer].import_statement
    _once(statement)  # writes the compiled files
    return statistics.quantiles([_once(statement) * 1e3 for _ in range(processes)], n=4)


def _once(statement):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", PROGRAM, statement]
    return float(subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout)


def _main(names):
    measure.pin_to_cores()
    for name in names:
        first, median, third = milliseconds(name)
        print(f"{peers.PEERS[name].import_statement}: {median:.0f} ms ({first:.0f}–{third:.0f}) more than import numpy")


if __name__ == "__main__":
    _main(sys.argv[1:] or ["legacy"])
