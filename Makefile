# What a contributor types. Needs only Python 3.10 or later, make and git; everything else goes into $(VENV).
#   make test PYTHON=python3.12 VENV=.venv-3.12      for another Python beside the first

PYTHON ?= python3
VENV ?= .venv
BENCH_RUNS ?= 5
# make bench BENCH_TREES=all BENCH_PEERS=all takes an hour or more; tests/bench/trees.py names the trees.
BENCH_TREES ?= sglang-0.5.16 generated-1000
BENCH_PEERS ?= import-linter tach ruff
# make mutants PACKAGES=project SAMPLE=50 SEED=2 changes 50 places of one package, other ones than SEED=1.
PACKAGES ?= extract project checks moves
SAMPLE ?= 150
SEED ?= 1
# Tests run in as many processes as PYTEST_WORKERS says; 0 runs them in one, for a debugger.
PYTEST_WORKERS ?= 2
PYTEST_ARGS ?=
FUZZ_SECONDS ?= 300

BIN := $(VENV)/bin
EXAMPLE := docs/example
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: help check test test-all docs bench fuzz mutants clean
.DEFAULT_GOAL := help

help: ## say what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

check: $(VENV)/.installed ## install layercheck, show what it says of the example, then check this repository
	@echo "== $(EXAMPLE): a module half-way through being split, with one of every finding =="
	@$(BIN)/layercheck check $(EXAMPLE); status=$$?; \
	if [ $$status -ne 1 ]; then echo "make check: expected exit status 1 on $(EXAMPLE), got $$status" >&2; exit 1; fi
	@echo
	@echo "== those findings are meant; here is this repository, which must be clean =="
	@$(BIN)/layercheck check . --rules rules/layercheck.toml

test: $(VENV)/.installed-test ## install what the tests need; run ruff, mypy and pytest
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n $(PYTEST_WORKERS) --dist loadfile $(PYTEST_ARGS)

test-all: $(VENV)/.installed-test ## the same on every Python of this machine from 3.10 on
	$(BIN)/python -m tests.pythons

docs: $(VENV)/.installed-docs ## build the docs into a site, build/docs; a broken link fails
	$(BIN)/mkdocs build --strict

bench: $(VENV)/.installed-test ## time layercheck beside other tools
	$(BIN)/python -m tests.bench --runs $(BENCH_RUNS) --trees $(BENCH_TREES) --peers $(BENCH_PEERS)

fuzz: $(VENV)/.installed-test ## hand odd input to layercheck for FUZZ_SECONDS, and keep in build/fuzz what it does not bear
	$(BIN)/python -m tests.fuzz --seconds $(FUZZ_SECONDS)

mutants: $(VENV)/.installed-mutants ## change the code in small ways, and say which changes no test notices
	nice -n 15 $(BIN)/python -m tests.mutants $(PACKAGES) --sample $(SAMPLE) --seed $(SEED)

clean: ## take away what make has made
	rm -rf $(VENV) .venv-* build/docs build/fuzz .mypy_cache .ruff_cache .pytest_cache .hypothesis

# The stamps are redone when the dependencies change; the code itself is installed in place.
$(VENV)/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; v = sys.version_info; \
	v >= (3, 10) or sys.exit(f"make: layercheck needs Python 3.10 or later, {sys.executable} is {v[0]}.{v[1]}; say make PYTHON=...")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) --editable .
	@touch $@

$(VENV)/.installed-test: pyproject.toml $(VENV)/.installed
	$(PIP) --editable '.[test]'
	@touch $@

$(VENV)/.installed-docs: pyproject.toml $(VENV)/.installed
	$(PIP) --editable '.[docs]'
	@touch $@

$(VENV)/.installed-mutants: pyproject.toml $(VENV)/.installed-test
	$(PIP) --editable '.[mutants]'
	@touch $@
