"""What a developer's tools are told: the targets of make, the hooks before a commit, the editor."""

import configparser
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
# A stranger's game that comes before ours has the first table.
BY_NUMBER = re.compile(r"/table/[1-9]\b|\btable=[1-9]\b|\btables\[[1-9]\]|\.table\([1-9]\)")
HOOKS = re.findall(r"^ +entry: (.*)$", (ROOT / ".pre-commit-config.yaml").read_text(), re.MULTILINE)


def steps_of(target: str) -> str:
    """What make would do where everything is installed."""
    installed = ("-o", ".venv/.play", "-o", ".venv/.test")
    asked = ["make", "--no-print-directory", "-n", *installed, target]  # it may be asked by a make of its own
    return subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True, timeout=PATIENCE_S).stdout


@pytest.mark.parametrize(("target", "chosen"), [("check", "-m fast"), ("test", '-m "not slow"'), ("test-all", "auto")])
def test_every_way_to_test_looks_at_format_style_and_types_first(target: str, chosen: str) -> None:
    steps = steps_of(target).splitlines()
    tools = [step.removeprefix(".venv/bin/") for step in steps]
    assert tools[:3] == ["ruff format --check .", "ruff check .", "mypy"]
    assert len(tools) == 4
    assert chosen in tools[3]


def test_fmt_writes() -> None:
    assert "ruff format ." in steps_of("fmt")


def test_there_are_hooks() -> None:
    assert len(HOOKS) == 3


@pytest.mark.parametrize("hook", HOOKS)
def test_a_hook_names_a_command_that_takes_its_words(hook: str) -> None:
    program, *words = hook.split()
    assert program.startswith(".venv/bin/")
    found = shutil.which(BIN / Path(program).name)
    assert found is not None
    subprocess.run([found, *words, "--help"], check=True, capture_output=True, timeout=PATIENCE_S)


def test_the_editor_breaks_lines_where_the_formatter_does() -> None:
    told = configparser.ConfigParser()
    told.read_string("[root]\n" + (ROOT / ".editorconfig").read_text())
    ruff = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["ruff"]
    assert int(told["*"]["max_line_length"]) == ruff["line-length"]
    assert told["Makefile"]["indent_style"] == "tab"


def test_no_test_finds_a_table_by_its_number() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): numbers
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if (numbers := BY_NUMBER.findall(path.read_text()))
    }
    assert not found, found
