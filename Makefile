# Everything a fresh machine needs is Python 3.11, pip and the package registries.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# What the first look needs, and what everything else needs besides.
EXTRAS := local,embed,world
MORE := $(EXTRAS),corpora,mcp,inspect,ray,env,dev
STAMP := $(VENV)/.installed
ALL := $(VENV)/.installed-all
# Training has an environment of its own, so that everything else is tried without torch.
TRAIN := .venv-train
# The wheels behind the guests want packages that do not fit ours, so they stand apart.
GUESTS := $(VENV)/guests
# A command compiles a module once, not at every start.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run weights test test-quick test-train check docs build audit bench help clean

help:            ## what each target does
	@grep -E '^[a-z-]+: .*##|^[a-z-]+:  *##' $(MAKEFILE_LIST) | sed 's/:.*##/  /'

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "toolyard needs Python 3.11 or newer: make PYTHON=python3.11 ...")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -c constraints.txt -e '.[$(EXTRAS)]'
	touch $@

$(ALL): $(STAMP) pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[$(MORE)]'
	touch $@

weights: $(STAMP)
	$(BIN)/toolyard fetch model
	$(BIN)/toolyard fetch embedder

run: weights     ## environment, install, stored answers of two models scored now, the bundled model live, one page
	@$(BIN)/python recipes/first_look.py --runs runs

$(GUESTS)/.installed: guests/requirements.txt $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --upgrade --target $(GUESTS) -r guests/requirements.txt
	touch $@

test: $(ALL) weights $(GUESTS)/.installed  ## environment, install, all tests
	command -v chromium >/dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; }
	PYTHONPATH=$(GUESTS) $(BIN)/python -m pytest -n 2 --dist loadfile

test-quick: $(ALL)  ## unit tests alone, for the loop while you change something
	$(BIN)/python -m pytest -n 2 --dist loadfile tests --quick

$(TRAIN)/.installed: pyproject.toml constraints.txt
	test -x $(TRAIN)/bin/python || $(PYTHON) -m venv $(TRAIN)
	$(TRAIN)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[local,train]' pytest pytest-timeout pytest-xdist
	touch $@

test-train: weights $(TRAIN)/.installed  ## environment with torch, tests of training on the processor
	@# without these the tests would be passed over
	$(TRAIN)/bin/python -c 'import gguf, peft, safetensors, torch, transformers, xllamacpp'
	OMP_NUM_THREADS=1 $(TRAIN)/bin/python -m pytest -n 2 tests/train tests/models/test_hf.py tests/models/test_hf_slots.py

check: $(ALL)    ## ruff and mypy
	$(BIN)/ruff check src tests bench recipes guests
	$(BIN)/ruff format --check src tests bench recipes guests
	$(BIN)/mypy

docs: $(ALL) weights  ## the documentation as a static site with a gallery of reports; dead links stop it
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[docs]'
	$(BIN)/python recipes/docs_site.py

build: $(STAMP)  ## wheel and source distribution, checked
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[release]'
	rm -rf dist
	$(BIN)/python -m build
	$(BIN)/python -m twine check --strict dist/*

audit: $(ALL)    ## versions, damaged files and known vulnerabilities of what is installed
	test -x $(VENV)/audit/bin/pip-audit || { $(PYTHON) -m venv $(VENV)/audit && $(VENV)/audit/bin/pip install --quiet pip-audit==2.10.1; }
	$(BIN)/python bench/audit.py --advisories $(VENV)/audit/bin/pip-audit

bench: $(ALL) weights  ## tables of speed and memory, under ten minutes; --full and --write: see bench/everything.py
	$(BIN)/python bench/everything.py

clean:           ## remove the environment and all caches of tools
	rm -rf $(VENV) $(TRAIN) .pytest_cache .mypy_cache .ruff_cache .hypothesis
