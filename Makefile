# Prompt Inspector. `make` alone lists the targets.

VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip install --no-input --disable-pip-version-check --require-hashes --progress-bar off
# Says what is being fetched, one word a package: a first set-up takes a minute or more.
NAMES := awk '/^Collecting|^Installing/ { printf "  %s\n", $$1 == "Collecting" ? $$2 : "putting all in place …"; fflush() }'
ROUNDS ?= 50
MINUTES ?= 5

.DEFAULT_GOAL := help
.PHONY: help up demo check test kill fuzz bench screenshots locks samples clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

up: $(VENV)/runtime.stamp ## Set up what is missing, then serve at 127.0.0.1:8000 and read turns
	@exec $(PY) manage.py up

demo: $(VENV)/runtime.stamp ## Load the four small demonstration sessions
	@$(PY) manage.py demo

check: $(VENV)/development.stamp ## Format, lint, types, the map of rooms, migrations, Django's checks
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	$(PY) -m tests.run -- $(PY) manage.py makemigrations --check --dry-run
	$(PY) -m tests.run -- $(PY) manage.py check --fail-level WARNING

test: $(VENV)/development.stamp ## Run every test, on SQLite and on Postgres (installs what is missing, if root)
	@.ci/programs
	@$(PY) -m tests.run

kill: $(VENV)/development.stamp ## Kill server and worker under load, ROUNDS times on each database
	@.ci/programs
	@INSPECTOR_TEST_KILL_ROUNDS=$(ROUNDS) $(PY) -m tests.run -- $(PY) -m pytest tests/kill -x

fuzz: $(VENV)/development.stamp ## Look for inputs that break reading or comparing, MINUTES a target (Linux on x86-64)
	@$(PY) -m tests.fuzz $(MINUTES)

bench: $(VENV)/development.stamp ## Print posts/s, readings/s, bytes, times of pages, comparisons and hostile texts (ONLY=section)
	@$(PY) -m tests.run -- $(PY) -m tests.bench $(ONLY)

screenshots: $(VENV)/development.stamp ## Make the README's screenshots again
	@$(PY) -m tests.run -- $(PY) -m tests.browser.screenshots

samples: $(VENV)/development.stamp ## Rewrite the expected side of the samples; read the difference before you commit it
	@$(PY) -m tests.run -- $(PY) -m pytest tests --update-samples

locks: $(VENV)/development.stamp ## Resolve requirements/*.in again
	$(VENV)/bin/uv pip compile $(LOCK) requirements/runtime.in -o requirements/runtime.txt
	$(VENV)/bin/uv pip compile $(LOCK) requirements/development.in -o requirements/development.txt

LOCK := --quiet --universal --python-version 3.12 --generate-hashes --no-emit-index-url --no-emit-find-links \
	--custom-compile-command "make locks"

clean: ## Remove the virtual environment and what tools left behind (never your data)
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache staticfiles

# A virtual environment whose Python has gone (an upgrade, a moved folder) is made again.
$(VENV)/python.stamp: $(if $(shell $(PY) -c "" 2>/dev/null && echo works),,broken)
	@python=$$(.ci/python) && echo "Making .venv with $$python …" && rm -rf $(VENV) && $$python -m venv $(VENV) && touch $@

.PHONY: broken
broken:

$(VENV)/runtime.stamp: $(VENV)/python.stamp requirements/runtime.txt
	@echo "Installing requirements/runtime.txt …"
	@rm -f $@; { $(PIP) -r requirements/runtime.txt && touch $@; } | $(NAMES); test -e $@

$(VENV)/development.stamp: $(VENV)/python.stamp requirements/runtime.txt requirements/development.txt
	@echo "Installing requirements/development.txt …"
	@rm -f $@; { $(PIP) -r requirements/development.txt && touch $@ $(VENV)/runtime.stamp; } | $(NAMES); test -e $@
