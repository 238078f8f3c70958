# `make demo` and `make test` do all of their own set-up; tools/set_up.sh says how.
PYTHON ?= python3
RUN := .venv/bin/python -m
SET_UP := PYTHON='$(PYTHON)' tools/set_up.sh

.PHONY: demo test test-all lab bench bench-full browser clean

demo: .venv/base.stamp
	$(RUN) legacy_autograd demo

test: .venv/test.stamp
	$(RUN) ruff check .
	$(RUN) pytest

test-all: .venv/test.stamp
	$(RUN) ruff check .
	$(RUN) pytest -m ""

# The walkthrough, in JupyterLab.
lab: .venv/notebooks.stamp
	$(RUN) jupyterlab notebooks

# Ratios to hand-written numpy and to other libraries; benchmarks/README.md says what is measured.
bench: .venv/bench.stamp
	$(RUN) benchmarks

bench-full: .venv/bench.stamp
	$(RUN) benchmarks --full

# Some tests look at pages in a browser and skip, saying so, where there is none.
browser:
	tools/set_up.sh browser

clean:
	rm -rf .venv build *.egg-info

# An environment whose Python has gone, as after an upgrade, is made again.
ifneq ($(shell .venv/bin/python -c 'print("works")' 2>/dev/null),works)
.PHONY: .venv/base.stamp
endif

.venv/base.stamp: setup.cfg pyproject.toml tools/set_up.sh
	$(SET_UP) base

.venv/test.stamp: .venv/base.stamp
	$(SET_UP) test

.venv/bench.stamp: .venv/base.stamp
	$(SET_UP) bench

.venv/notebooks.stamp: .venv/base.stamp
	.venv/bin/python -m pip install --quiet --editable '.[notebooks]'
	touch $@
