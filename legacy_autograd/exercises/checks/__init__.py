"""The checks, one module for each exercise, in the order of `exercises.NAMES`.

A module makes an `Exercise` (exercises/model.py) and adds checks to it. They run in the judge's process, send the
inputs of a probe (`observers/`) to the student's process, and compare the data that come back.
"""
