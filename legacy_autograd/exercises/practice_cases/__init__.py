"""The short exercises: a file for each notebook, `nNN.py`, with `case_1`, `case_2`, …, each a generator of `Case`s."""
