PYTHON ?= python3
BIN := .venv/bin
PYTEST =

# pip builds in an environment of its own, which -c does not reach: this pins setuptools there.
export PIP_BUILD_CONSTRAINT := constraints.txt
INSTALL = $(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt

# Hundreds of processes of the tests would each compile everything anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: bench docs play check test test-all exhaustive fmt style audit pins playthroughs texts verifier clean
.DELETE_ON_ERROR:

play: .venv/.play
	@$(BIN)/ridotto

# Under a minute: no test starts a process, opens a socket or simulates a house (tests/outside.py). The others share what a
# module keeps for its tests, in the order of tests/conftest.py.
check: PYTEST = -m fast --dist worksteal
test: PYTEST = -m "not slow" --dist loadscope --no-loadscope-reorder
test-all: PYTEST = --timeout 240 -m "not exhaustive" --dist loadscope --no-loadscope-reorder
exhaustive: PYTEST = -m exhaustive --dist worksteal
check test test-all exhaustive: style
	$(BIN)/mypy
	$(BIN)/python -m pytest -q -n auto $(PYTEST)

style: .venv/.test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

fmt: .venv/.test
	$(BIN)/ruff check -q --fix-only .
	$(BIN)/ruff format .

.venv/.play: pyproject.toml constraints.txt
	$(if $(shell $(PYTHON) -c 'import sys; print("ok" * (sys.version_info >= (3, 11)))' 2>/dev/null),,\
	  $(error Ridotto needs Python 3.11 or newer; name one with: make PYTHON=/path/to/python3))
	$(PYTHON) -m venv .venv
	$(INSTALL) pip
	$(INSTALL) -e .
	@touch $@

.venv/.test: .venv/.play
	$(INSTALL) -e '.[test]'
	@touch $@

# The site of docs/ in build/site; a broken link, a page outside the menu, or anything fetched from elsewhere fails.
docs: .venv/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@! grep -rnoE '(src|<link[^>]* href)="?https?://[^" >]+' build/site --include=*.html

.venv/.docs: .venv/.play
	$(INSTALL) -e '.[docs]'
	@touch $@

# Takes 45 minutes; leave the machine alone meanwhile. BOOKS: the address of a PostgreSQL server to measure as well.
bench: .venv/.bench
	$(BIN)/python -W ignore -m benchmarks $(if $(BOOKS),--books $(BOOKS)) --write docs/benchmarks.md

.venv/.bench: .venv/.test
	$(INSTALL) -e '.[bench]'
	@touch $@

# Are pins known to be vulnerable? Where nobody can be asked it says so.
audit: .venv/.play
	@$(BIN)/python .ci/audit.py

# The newest digests of the images that the container is built from and stands beside; put them into the files by hand.
pins:
	@for image in $$(sed -nE 's/^(FROM|    image:) ([^ @]+:[^ @]+)@.*/\2/p' Dockerfile compose.postgres.yaml compose.growing.yaml | sort -u); do \
	  docker buildx imagetools inspect $$image --format "$$image@{{.Manifest.Digest}}"; done

# What the source says goes into the catalogues; what is new there waits for its translation.
texts: .venv/.play
	$(BIN)/pybabel -q extract -F bot/texts/babel.cfg --no-location --sort-output --project Ridotto --version 1 \
	  --msgid-bugs-address "" -o .venv/ridotto.pot .
	$(BIN)/pybabel -q update -i .venv/ridotto.pot -d bot/texts -D ridotto -w 120 --no-fuzzy-matching \
	  --ignore-obsolete --ignore-pot-creation-date

# A short evening of each of our games as text; the diff shows what a change means to players.
playthroughs: .venv/.play
	@for game in $(patsubst bot/games/%/__init__.py,%,$(wildcard bot/games/*/__init__.py)); do \
	  $(BIN)/ridotto playthrough $$game > tests/playthroughs/$$game.txt || exit 1; done

# The verifier as one file for strangers, the same byte for byte whoever makes it, and its hash.
verifier: .venv/.play
	@$(BIN)/python -m bot.verifier.pack ridotto-verify.pyz

clean:
	rm -rf ridotto-verify.pyz .venv .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist *.egg-info
	find . -name __pycache__ -prune -exec rm -rf {} +
