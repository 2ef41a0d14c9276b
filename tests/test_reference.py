"""Completeness of the reference pages: settings, command line, commands."""

import re
from pathlib import Path

from bot.__main__ import COMMANDS
from bot.config import NAMES
from bot.core.command_list import CHAT_COMMANDS

DOCS = Path(__file__).parents[1] / "docs"


def read_page(*parts: str) -> str:
    return DOCS.joinpath(*parts).read_text("utf-8")


def test_the_table_of_settings_is_complete() -> None:
    rows = [line for line in read_page("reference", "settings.md").splitlines() if line.startswith("| `RIDOTTO_")]
    assert sorted(re.findall(r"`(RIDOTTO_\w+)`", " ".join(row.split("|")[1] for row in rows))) == sorted(NAMES)


def test_the_command_line_has_every_command() -> None:
    page = read_page("reference", "command-line.md")
    assert [name for name in COMMANDS if f"ridotto {name}" not in page] == []


def test_the_page_of_commands_has_every_command() -> None:
    page = read_page("play", "commands.md")
    assert [name for name in CHAT_COMMANDS if not re.search(rf"`/{name}[ `]", page)] == []


def test_the_index_links_to_every_page() -> None:
    linked = set(re.findall(r"\]\(([^)#]+)\)", read_page("index.md")))
    pages = {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")} - {"index.md"}
    assert linked == pages
