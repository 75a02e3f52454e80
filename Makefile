# make demo   installs what it needs and runs an example: a table, two experiments, a fit, their reports
# make lab    installs what it needs and opens the laboratory in a browser
# make test   sets everything up and runs the checks: ruff, mypy, the fast tests
# make test-more      what CI runs after it: a cold compile cache, selected slow tests, the code in the docs, other CPUs
# make test-all       all tests, some of which take minutes, and test-more
# make test-cpus      the numerical tests as other CPUs would run them
# make test-versions  other Pythons and the lowest versions of the dependencies
# make bench  comparison with other packages (about 17 minutes); NAME="adatron lvq" selects, WRITE=1 writes the tables
# make lock   renews .ci/locked.txt: versions and hashes of what make demo, lab and test install
# make release        builds wheel and source archive and tests them in new environments, with each extra
# make gallery  draws the figures of all experiments on one sheet, runs/gallery.png
# make drill  kills, damaged stores and failing tasks in real runs (takes some minutes): one table
# make attack random and degenerate sets against exact arithmetic, with the seeds of the day: one table
# make docs   writes the generated pages and type stubs, and builds docs/_build/html
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# One BLAS thread per process: two on two busy cores are slower than one.
export OPENBLAS_NUM_THREADS ?= 1
export OMP_NUM_THREADS ?= 1
# Tests start hundreds of processes: each would compile the package to bytecode again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo lab gallery test test-more test-all fast warm lint test-cpus test-versions bench drill attack docs release lock clean

demo: $(VENV)/lab-installed
	$(BIN)/python examples/students_and_teacher.py
	@for name in demo_capacity demo_rule; do \
		$(BIN)/markone run $$name && $(BIN)/markone report $$name || exit 1; \
	done
	$(BIN)/markone fit wine --model gmlvq --cv 2x10 --report runs/wine.html --force
	@echo "Now open runs/demo_capacity/report.html, runs/demo_rule/report.html and runs/wine.html in a browser."
	@echo "And see students learn, step by step: make lab"

lab: $(VENV)/web-installed
	$(BIN)/markone lab --open

gallery: $(VENV)/lab-installed
	$(BIN)/python docs/make_gallery.py

# By file: what a file compiles or sets up is done by one of the two workers. mypy uses one core only.
PYTEST := $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

# The type checker runs beside the tests, which wait for the disk and for browsers.
test: $(VENV)/installed
	$(MAKE) --no-print-directory --jobs=2 lint fast

warm: $(VENV)/installed
	$(BIN)/python -m tests.warm_cache

# Slow tests without a fast counterpart, or with a sample only: same bits cold and warm, on two kinds of CPU, after
# kills, scikit-learn's checks of all estimators, all pages and the gallery.
# Tests of the compile cache run once more, on an empty one.
CACHE := tests/numerics/test_compiling.py tests/numerics/test_private_folder.py
CHOSEN := tests/lab/scenarios/test_cold_and_warm.py tests/lab/test_cpu_kinds.py tests/lab/runner/test_killed.py
CHOSEN += tests/lab/runner/test_task_guard.py tests/lab/runner/test_repeat_ranges.py
CHOSEN += tests/lab/test_foreign_code.py tests/lab/test_objects_from_python.py
CHOSEN += tests/test_scikit_learn_checks.py tests/test_structure.py tests/test_docs.py
CHOSEN += tests/perceptron/separable/test_separability.py tests/perceptron/margin/kernel/test_kernel_free_threshold.py
CHOSEN += tests/lvq/models/test_solver_phi_grid.py tests/web/test_protocol.py

test-more: $(VENV)/installed
	folder=$$(mktemp -d) && MARKONE_TEST_CACHE_DIR=$$folder $(BIN)/python -m pytest -q $(CACHE); \
		status=$$?; rm -rf "$$folder"; exit $$status
	$(BIN)/python -m pytest -q -n 2 -m slow $(CHOSEN)
	$(BIN)/python .ci/cpus.py --small
	$(BIN)/python -m drills "a flipped bit"

test-all: $(VENV)/installed lint test-more
	$(PYTEST) --durations=8

fast: warm
	$(PYTEST) -q -m "not slow" --durations=8

lint: $(VENV)/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test-cpus: $(VENV)/installed
	$(BIN)/python .ci/cpus.py

test-versions: $(VENV)/installed
	$(BIN)/python .ci/versions.py

bench: $(VENV)/bench-installed
	$(BIN)/python -m benchmarks $(NAME) $(if $(WRITE),--write)

drill: $(VENV)/installed
	$(BIN)/python -m drills

attack: $(VENV)/installed
	$(BIN)/python -m attack

docs: $(VENV)/docs-installed
	$(BIN)/python docs/make_theory.py
	$(BIN)/python docs/make_reference.py
	$(BIN)/python -m markone.base.stubs
	$(BIN)/python -m sphinx -j auto -b html -W --keep-going -q docs docs/_build/html
	$(BIN)/python docs/check_site.py docs/_build/html
	@echo "Now open docs/_build/html/index.html in a browser."

# VERSION=0.2.0 is written into the files that contain the version; without it the version stays.
release: $(VENV)/installed
	$(BIN)/python .ci/release.py $(if $(VERSION),--version $(VERSION))

lock: $(BIN)/python
	$(BIN)/python .ci/lock.py

# What each target needs and no more: the tests' dependencies are the largest part.
$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/lab-installed: pyproject.toml .ci/locked.txt | $(BIN)/python
	$(BIN)/python .ci/lock.py lab
	touch $@

$(VENV)/web-installed: pyproject.toml .ci/locked.txt | $(BIN)/python
	$(BIN)/python .ci/lock.py web
	touch $@

$(VENV)/installed: pyproject.toml .ci/locked.txt | $(BIN)/python
	$(BIN)/python .ci/lock.py test
	touch $@

$(VENV)/bench-installed: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[bench]"
	touch $@

$(VENV)/docs-installed: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[docs]"
	touch $@

clean:
	rm -rf $(VENV) .cache
