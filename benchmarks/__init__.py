"""Side by side with peers: what forward and backward cost here, as ratios of one run.

`python -m benchmarks` (or `make bench`) runs it; README.md in this folder says what is measured and how.
"""
