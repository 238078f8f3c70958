"""Compare the package with other libraries, as ratios to modern torch measured in one run.

`python -m benchmarks` (or `make bench`) runs it. README.md in this folder describes the rows and the method.
"""
