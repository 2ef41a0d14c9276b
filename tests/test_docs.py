"""Names in docs/ exist: files, names in the code, commands of the shell and of the casino, links."""

import re
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from itertools import takewhile
from pathlib import Path

import pytest

from bot.__main__ import COMMANDS
from bot.config import NAMES
from bot.core.command_list import CHAT_COMMANDS
from bot.core.commands.registry import command
from tests.pages import blocks_of

ROOT = Path(__file__).parents[1]
PAGES = sorted((*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"))
PACKAGES = ("engine", "storage", "bot", "tests")
EVERY_PAGE = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)

# Parts of addresses, a page that adds a setting, Telegram's BotFather, one platform's commands.
NOT_THE_HOUSES = {
    *"data healthz live metrics".split(),
    "timebank",
    *"newbot revoke setjoingroups setprivacy".split(),
    "bot",
    "setup",
}
# Names that a page creates, or tells others to create.
NOT_THERE = {block.path for page in PAGES for block in blocks_of(page)} | {
    "tests/fixtures/books-of-1.0.0.tar.gz",
    "bot/texts/vec",
}


def text_of(page: Path) -> str:
    """Return the page without code blocks, which other tests run."""
    return re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)


def is_there(dotted: str) -> bool:
    """Return whether the name is a module, or something in one."""
    parts = dotted.split(".")
    for count in range(len(parts), 0, -1):
        try:
            known = find_spec(".".join(parts[:count]))
        except ModuleNotFoundError:
            continue
        if known is not None:
            return count == len(parts) or has(import_module(".".join(parts[:count])), parts[count:])
    return False


def has(value: object, names: list[str]) -> bool:
    """Return whether an object has the attribute; fields without a default are known by their types."""
    for name in names:
        if not hasattr(value, name):
            return name == names[-1] and name in getattr(value, "__annotations__", {})
        value = getattr(value, name)
    return True


@EVERY_PAGE
def test_names_of_the_code_are_there(page: Path) -> None:
    named = re.findall(rf"(?<![\w./-])((?:{'|'.join(PACKAGES)})(?:\.\w+)+)", text_of(page))
    assert not {name for name in named if not is_there(name)}


@EVERY_PAGE
def test_paths_are_there(page: Path) -> None:
    named = re.findall(rf"(?<![\w./-])((?:docs|{'|'.join(PACKAGES)})/[\w./-]*\w)", text_of(page))
    assert not {name for name in named if "NAME" not in name and not (ROOT / name).exists()} - NOT_THERE


@EVERY_PAGE
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text("utf-8")
    anchors = {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in re.findall(r"^#+ (.*)$", text, re.M)}
    for target in re.findall(r"\]\(([^)]+)\)", text):
        if target.startswith("#"):
            assert target[1:] in anchors, target
        elif "://" not in target:
            assert (page.parent / target.partition("#")[0]).exists(), target


@EVERY_PAGE
def test_commands_of_the_line_are_there(page: Path) -> None:
    named = re.findall(r"(?:^ {4}(?:\S*/)?|`)ridotto ([a-z][a-z-]+)", text_of(page), re.MULTILINE)
    assert {*named} <= {*COMMANDS}


@EVERY_PAGE
def test_commands_of_the_house_are_there(page: Path) -> None:
    assert not {line for line in said_to_the_house(page) if not is_command(line)}


def said_to_the_house(page: Path) -> Iterator[str]:
    yield from re.findall(r"(?:`|^ {4})/([a-z]+(?: [a-z]+)?)(?=[^/\w.-])", text_of(page), re.MULTILINE)


def is_command(line: str) -> bool:
    """Return whether a line begins with a verb of one or two words."""
    first = line.split()[0]
    known = NOT_THE_HOUSES | CHAT_COMMANDS.keys()
    return (
        line in known
        or first in known
        or (line == first and any(verb.startswith(f"{first} ") for verb in CHAT_COMMANDS))
    )


@EVERY_PAGE
def test_settings_are_there(page: Path) -> None:
    """Settings of the product, and those that the page itself adds to the README."""
    added = re.findall(r"^\+\| `(RIDOTTO_\w+)`", page.read_text("utf-8"), re.MULTILINE)
    assert {*re.findall(r"\b(RIDOTTO_[A-Z_]+)\b", text_of(page))} <= {*NAMES, *added}


@EVERY_PAGE
def test_tests_that_hold_something_are_there(page: Path) -> None:
    named = set(re.findall(r"`(test_\w+)`", text_of(page)))
    written = "\n".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py")) if named else ""
    assert named <= {*re.findall(r"def (test_\w+)\(", written)}


def test_the_tree_of_the_architecture_is_the_tree() -> None:
    drawn = set(drawn_rooms())
    rooms = {
        str(one.parent.relative_to(ROOT))
        for depth in ("*", "core/*", "platforms/*")
        for one in ROOT.glob(f"bot/{depth}/__init__.py")
    }
    assert not {room for room in drawn if not (ROOT / room).is_dir()}
    assert rooms <= drawn


def drawn_rooms() -> Iterator[str]:
    """Yield the folders of the drawing, by their indentation; several on a line are siblings."""
    above: list[str] = []
    for line in re.findall(r"^ {4}( *\w+/.*)$", text_of(ROOT / "docs" / "develop" / "architecture.md"), re.MULTILINE):
        depth = (len(line) - len(line.lstrip())) // 2
        for name in takewhile(lambda word: word.endswith("/"), line.split()):
            above = [*above[:depth], name.rstrip("/")]
            yield "/".join(above)


def test_the_glossary_has_each_word_once() -> None:
    rows = re.findall(
        r"^\| ([\w -]+) \| (.*)$", (ROOT / "docs" / "develop" / "glossary.md").read_text("utf-8"), re.MULTILINE
    )
    words = [word for word, rest in rows if not rest.startswith("meaning |")]
    assert sorted(words) == sorted({*words})
    assert 50 < len(words) < 100


def test_the_page_of_commands_tells_every_argument_and_every_group() -> None:
    page = text_of(ROOT / "docs" / "develop" / "add-a-command.md")
    rows = dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", page, re.MULTILINE))
    assert [*rows] == [*signature(command).parameters]
    assert set(re.findall(r"`(\w+)`", rows["group"])) == {one.group for one in CHAT_COMMANDS.values()}
