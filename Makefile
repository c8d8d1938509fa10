# On a fresh machine with Python 3.11+ and make:
#   make demo   sets everything up and shows the product at work
#   make test   sets everything up and passes all tests
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: install demo test pytest test-fast torture lint docs docs-check site bench campaign lock clean

install: $(READY)

# A pip that reads the index in half the time of the one that Python brings. PySpark comes as
# sources: its jars are packed into a wheel without being compressed once more. Modules are compiled
# where they are imported, which few of them ever are.
$(READY): requirements.lock requirements-pip.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) --require-hashes -r requirements-pip.lock
	printf '[bdist_wheel]\ncompression = stored\n' > $(VENV)/packing.cfg
	DIST_EXTRA_CONFIG=$(CURDIR)/$(VENV)/packing.cfg $(PIP) --no-compile --require-hashes -r requirements.lock
	$(PIP) --no-deps --no-build-isolation -e .
	touch $@

demo: install
	@sh examples/demo.sh

# Tests start hundreds of processes: their modules stay compiled, whatever the environment says.
test pytest test-fast: export PYTHONDONTWRITEBYTECODE :=

# Lint beside the tests. Among these is that the generated docs are up to date.
test: install
	@$(MAKE) --no-print-directory -j 2 lint pytest

# Two workers, each with a Spark session of its own: most tests wait for one thread of it. They
# take files in the order of tests/conftest.py.
pytest: install
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder --durations 15 --durations-min 10

# What needs neither Spark nor a server nor another process.
test-fast: install
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder -m "not slow and not spark and not postgres and not mariadb"

lint: install
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: install
	$(BIN)/python tools/generate_docs.py

docs-check: install
	$(BIN)/python tools/generate_docs.py --check

# The documentation as a site, in site/: open site/index.html, or serve the folder.
site: docs-check
	$(PIP) --require-hashes -r requirements-docs.lock
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# Measures and prints; `make bench BENCH=close` for one of them alone. Without --print a benchmark
# also renews its part of docs/performance.md.
BENCH ?= validate scenarios start latency close plans stars wide overhead sources seals
BENCH_close := --print --rows 1000000 3000000
BENCH_plans := --print --repetitions 1
BENCH_stars := --print --repetitions 1
BENCH_wide := --print --repetitions 1 --files 1000
BENCH_start := --print
BENCH_latency := --print
BENCH_overhead := --print --repetitions 3
BENCH_sources := --print --repetitions 3

bench: install
	$(foreach name,$(BENCH),$(BIN)/python -m benchmarks.$(name) $(BENCH_$(name)) &&) true

# Disturbs runs at random and checks what must hold: `make torture SEED=7 MINUTES=60`.
MINUTES ?= 10
torture: install
	$(BIN)/python -m tests.torture --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

# Also the tests that `make test` takes a part of, all with compiled code, and random ones for long.
campaign: install
	$(BIN)/python -m tests.torture --minutes 60
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder --campaign
	$(BIN)/python -m pytest -m fuzz --timeout 3600 --hypothesis-profile=campaign
	$(BIN)/python -m pytest -m cluster --clusters
	$(BIN)/python -m pytest --campaign tests/engine/compile/test_compiler.py tests/engine/test_random_projects.py --seeds 150
	$(BIN)/python -m pytest --campaign tests/engine/compare/test_compare_tables.py tests/engine/counting/test_by_group.py tests/engine/test_dropped_columns.py tests/engine/execution/joining/test_rule_lookup.py tests/engine/execution/test_summary.py --seeds 40
	$(BIN)/python -m pytest --campaign tests/engine/strategy/test_options.py --seeds 1
	$(BIN)/python -m pytest --campaign tests/proof --seeds 300
	$(BIN)/python -m pytest --campaign tests/runs/execute/test_dead_runs.py tests/runs/execute/test_side_by_side.py --seeds 60
	$(BIN)/python -m pytest --campaign tests/sources/test_killed_writes.py tests/sources/delta/test_read.py --seeds 40
	$(BIN)/python -m pytest --campaign tests/sources/test_polling.py --seeds 100 --timeout 3600

lock: install
	$(PIP) uv
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --extra dev pyproject.toml -o requirements.lock
	echo pip | $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --no-annotate - -o requirements-pip.lock

clean:
	rm -rf $(VENV) site .mypy_cache .ruff_cache .pytest_cache
