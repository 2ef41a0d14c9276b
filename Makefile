PYTHON ?= python3
BIN := .venv/bin
MO := $(patsubst %.po,%.mo,$(shell find bot/texts -name ridotto.po 2>/dev/null))
PYTEST =

# pip builds in an environment of its own, which -c does not reach: this pins setuptools there.
export PIP_BUILD_CONSTRAINT := constraints.txt
INSTALL = $(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt

.PHONY: play test test-all clean
.DELETE_ON_ERROR:

play: .venv/.play $(MO)
	@$(BIN)/ridotto

test: PYTEST = -m "not slow"
test test-all: .venv/.test $(MO)
	$(BIN)/ruff check .
	$(BIN)/mypy engine storage bot
	$(BIN)/python -m pytest $(PYTEST)

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

%.mo: %.po | .venv/.play
	$(BIN)/pybabel --quiet compile -i $< -o $@

clean:
	rm -rf .venv .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist *.egg-info $(MO)
	find . -name __pycache__ -prune -exec rm -rf {} +
