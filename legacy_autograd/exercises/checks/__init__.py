"""The checks, one module for each exercise, in the order of `exercises.NAMES`.

A module makes an `Exercise` (exercises/model.py) and adds to it: probes, which run in the student's process, use
the student's classes and answer plain data, and checks, which run in the judge's process, send a probe and compare.
"""
