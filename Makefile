# `make demo` and `make test` do all of their own set-up; tools/set_up.sh says how.
PYTHON ?= python3
RUN := .venv/bin/python -m
SET_UP := PYTHON='$(PYTHON)' tools/set_up.sh

.PHONY: demo test test-all check mutate lab slides site play playground bench bench-full browser node dist test-oldest clean

demo: .venv/base.stamp
	$(RUN) legacy_autograd demo

# One test process more than there are cores, since some tests wait for a browser or another process. Tests of one
# xdist_group run one after the other in one of them.
IN_PARALLEL = -n $(shell .venv/bin/python -c 'import os; print(os.cpu_count() + 1)') --dist loadgroup

# Without the fast twin (autograd/fast/).
PLAIN := LEGACY_AUTOGRAD_PLAIN=1
# The tests start hundreds of interpreters: compiled modules are kept, even where the environment forbids it.
test test-all check test-oldest: export PYTHONDONTWRITEBYTECODE =
# Large models would leave gigabytes in each test process, which later tests fork: the C library returns large blocks.
test-all: export MALLOC_MMAP_THRESHOLD_ = 1048576

# The hints, as mypy checks them, and beside it the stubs of the book, compared with the book itself.
BOOK := $(addprefix legacy_autograd.autograd.,variable function leaf engine)
CHECK_TYPES = $(PLAIN) $(RUN) mypy.stubtest --concise --mypy-config-file setup.cfg $(BOOK) & stubs=$$!; \
	$(RUN) mypy; types=$$?; wait $$stubs && exit $$types

test: .venv/test.stamp
	$(RUN) ruff check .
	$(CHECK_TYPES)
	$(RUN) pytest $(IN_PARALLEL) --durations=10

# The proofs of size as well: a million nodes, ten thousand random programs, nbgrader's round of every exercise.
test-all: .venv/test.stamp
	$(RUN) ruff check .
	$(CHECK_TYPES)
	RANDOM_PROGRAMS=10000 $(RUN) pytest $(IN_PARALLEL) --durations=10 -m ""
	$(PLAIN) $(RUN) pytest $(IN_PARALLEL) tests/functions tests/later tests/nn tests/drawing tests/notebooks
	.venv/bin/python tools/mutate_answers.py

# For daily work: what a change most likely breaks, in less than a minute.
check: .venv/test.stamp
	$(RUN) ruff check .
	$(CHECK_TYPES)
	.venv/bin/python tools/plain_english.py
	$(RUN) pytest $(IN_PARALLEL) -q tests/core tests/tensor tests/functions tests/properties tests/nn tests/optim \
		tests/drawing/test_dot.py tests/drawing/test_trace.py tests/test_serialization.py

# Break the code in random places and see that the tests notice; tools/mutate.py says what MUTATE='--seed 7' and other options do.
mutate: .venv/test.stamp
	.venv/bin/python tools/mutate.py $(MUTATE)

# The walkthrough, in JupyterLab.
lab: .venv/notebooks.stamp
	.venv/bin/jupyter-trust notebooks/*.ipynb
	$(RUN) jupyterlab notebooks

# A lesson of an hour, one HTML file for each language, in build/slides.
slides: .venv/slides.stamp
	.venv/bin/python notebooks/slides.py

# The pages with the walkthrough, the exercises and the reference: open site/index.html, or serve the folder. With
# Node.js (`make node`) they have the live page as well.
site: .venv/site.stamp
	.venv/bin/python docs/build.py

# The live page alone, which runs the package in a browser: built into build/play, served on this machine, and opened.
play: playground
	$(RUN) legacy_autograd play $(PLAY)

playground: .venv/play.stamp
	.venv/bin/python playground/build.py build/play

# Ratios to modern torch and other libraries; benchmarks/README.md describes them.
bench: .venv/bench.stamp
	$(RUN) benchmarks

bench-full: .venv/bench.stamp
	$(RUN) benchmarks --full

# The tests with the lowest versions of all dependencies that setup.cfg allows.
test-oldest: .venv/base.stamp
	$(SET_UP) oldest
	PATH="$(CURDIR)/build/oldest/bin:$$PATH" build/oldest/bin/python -m pytest $(IN_PARALLEL) -q

# dist/: the wheel and the source distribution, with the slides in the wheel. An old build/lib would get into the wheel.
dist: .venv/slides.stamp
	.venv/bin/python notebooks/slides.py
	.venv/bin/python -m pip install --quiet build 'setuptools>=77'
	rm -rf build/lib build/bdist.* dist
	$(RUN) build --no-isolation --outdir dist --sdist .
	$(RUN) build --no-isolation --outdir dist --wheel .

# Some tests look at pages in a browser and skip, saying so, where there is none.
browser:
	tools/set_up.sh browser

# The live page is built with Node.js.
node:
	tools/set_up.sh node

clean:
	rm -rf .venv build dist *.egg-info

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

.venv/notebooks.stamp .venv/slides.stamp .venv/site.stamp .venv/play.stamp: .venv/%.stamp: .venv/base.stamp
	.venv/bin/python -m pip install --quiet --editable '.[$*]'
	touch $@
