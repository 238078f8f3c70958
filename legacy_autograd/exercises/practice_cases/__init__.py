"""The short exercises, a file `nNN.py` for each notebook: `case_1`, `case_2`, … are generators of `Case`s."""
