"""The probes, one module for each exercise, named like it: what runs beside a student's code, in the student's process.

A probe is `probe(answer, **inputs)`: it takes the student's classes from `answer`, by name, and returns plain data, a
dictionary of named numbers, lists and texts. No module here knows what is correct: it imports nothing of `checks`.
"""
