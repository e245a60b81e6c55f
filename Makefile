# Everything a fresh machine needs: python3 (>= 3.11) and make.
#   make run    set up, build the web app, migrate, start, print the sign-in link
#   make test   set up, run all fast tests        make check   format, lint, types, imports, build
.DEFAULT_GOAL := help
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
UV := $(BIN)/uv
PORT ?=

# uv does not read pip's settings: hand on the index and trust the system's certificates.
export UV_PYTHON_DOWNLOADS := never
export UV_SYSTEM_CERTS := true
export UV_DEFAULT_INDEX ?= $(shell $(PYTHON) -m pip config get global.index-url 2>/dev/null)
ifeq ($(UV_DEFAULT_INDEX),)
unexport UV_DEFAULT_INDEX
endif

# Without compiled modules every process compiles all that it imports, which takes longer than the imports themselves.
unexport PYTHONDONTWRITEBYTECODE

COMPILE = $(UV) pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --quiet

.PHONY: help setup run web test test-slow coverage check check-server check-web format lock bench screenshots clean

help: ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 12

setup: $(READY) ## the virtual environment, from hash-locked requirements

$(READY): requirements-boot.lock requirements-dev.lock pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-boot.lock
	@$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements-dev.lock
	@SIGNOFF_SKIP_WEB=1 $(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .
	@touch $@

web: setup ## build the web app (only when its source changed)
	@$(BIN)/python hatch_build.py

run: web ## start Signoff on http://127.0.0.1:8400 and print the sign-in link
	@$(BIN)/signoff serve $(if $(PORT),--port $(PORT))

test: web ## all fast tests, on SQLite and PostgreSQL, with a real browser
	@$(BIN)/python -m tests.setup_machine
	@$(BIN)/pytest -n 4
	@$(BIN)/python hatch_build.py --test

test-slow: web ## the long crash and load tests, on PostgreSQL what the fast ones prove on SQLite, and more examples
	@$(BIN)/python -m tests.setup_machine
	@$(BIN)/pytest -m "slow or hypothesis" --hypothesis-profile thorough -n 2 --timeout 900

coverage: web ## how much of the server the fast tests run through; at least 80 %
	@$(BIN)/python -m tests.setup_machine
	@rm -rf .build/coverage && mkdir -p .build/coverage
	@$(BIN)/coverage run -m pytest -n 4
	@$(BIN)/coverage combine --quiet
	@$(BIN)/coverage report --fail-under 80

check: web ## format, lint, types, imports, package, web
	@$(MAKE) --no-print-directory --jobs 2 --output-sync check-server check-web

check-server: web
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/pyright
	@$(BIN)/lint-imports
	@$(BIN)/python -m hatchling build -d .build/dist -t wheel

check-web: web
	@$(BIN)/python hatch_build.py --check

format: setup ## format and mend what ruff can
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

lock: setup ## pin the newest allowed versions, with hashes and without hosts
	@echo "uv" | $(COMPILE) - --upgrade -o requirements-boot.lock
	@$(COMPILE) pyproject.toml --group dev --upgrade -o requirements-dev.lock
	@$(COMPILE) pyproject.toml --group dev --group bench -c requirements-dev.lock -o requirements-bench.lock
	@printf 'prefect<4\nfastapi<0.140\n' | $(COMPILE) - --upgrade -o requirements-bench-prefect.lock

bench: web ## the figures of PRODUCT, next to peers and to the floor
	@test -x .venv-bench/bin/python || $(PYTHON) -m venv .venv-bench
	@$(UV) pip install --quiet --python .venv-bench/bin/python --require-hashes -r requirements-bench.lock
	@SIGNOFF_SKIP_WEB=1 $(UV) pip install --quiet --python .venv-bench/bin/python --no-deps --no-build-isolation -e .
	@test -x .venv-prefect/bin/python || $(PYTHON) -m venv .venv-prefect
	@$(UV) pip install --quiet --python .venv-prefect/bin/python --require-hashes -r requirements-bench-prefect.lock
	@.venv-bench/bin/python -m bench $(if $(ONLY),--only $(ONLY))

screenshots: web ## every page as a picture, into docs/images/screens; ONLY=workflow takes some
	@$(BIN)/python -m tests.setup_machine
	@$(BIN)/python -m tests.e2e.screenshots $(ONLY)
	@test -n "$(ONLY)" || $(BIN)/python -m tests.e2e.screenshots_mail

clean: ## remove what was built; data in .signoff/ stays
	@rm -rf .venv .venv-bench .venv-prefect .build web/node_modules src/signoff/web
