"""What a release tells people is written with each change: changelog.d, a file a change, built by towncrier."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.test_architecture import ROOT

FRAGMENTS = sorted(path for path in (ROOT / "changelog.d").iterdir() if path.name != "README.md")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
KINDS = PROJECT["tool"]["towncrier"]["fragment"]
LONGEST_LINE = 120


def build(folder: Path, *arguments: str) -> str:
    told = subprocess.run(
        [sys.executable, "-m", "towncrier", "build", *arguments], cwd=folder, capture_output=True, text=True
    )
    assert told.returncode == 0, told.stderr
    return told.stdout


@pytest.fixture(scope="module")
def draft() -> str:
    return build(ROOT, "--draft", "--version", "9.9")


@pytest.mark.parametrize("path", FRAGMENTS, ids=lambda path: path.name)
def test_a_fragment_is_of_a_known_kind_and_says_a_sentence(path: Path, draft: str) -> None:
    named = re.fullmatch(r"\+[a-z0-9-]+\.([a-z]+)\.md", path.name)
    assert named, "it is called +WHAT-IT-IS-ABOUT.KIND.md"
    assert named[1] in KINDS
    lines = path.read_text("utf-8").splitlines()
    assert all(0 < len(line.strip()) <= LONGEST_LINE for line in lines)
    assert lines[-1].endswith(".")
    assert " ".join(lines) in " ".join(draft.split())


def test_the_draft_has_each_kind_once(draft: str) -> None:
    heads = re.findall(r"^### (.*)$", draft, re.MULTILINE)
    used = {path.name.split(".")[-2] for path in FRAGMENTS}
    assert heads == [kind["name"] for name, kind in KINDS.items() if name in used]


def test_a_release_takes_the_fragments_into_a_section_above_the_former(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "changelog.d", tmp_path / "changelog.d")
    (tmp_path / "changelog.d" / "+tried.added.md").write_text("Something that is tried.\n")
    build(tmp_path, "--yes", "--version", "9.9", "--date", "2030-01-01")
    text = (tmp_path / "CHANGELOG.md").read_text("utf-8")
    versions = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert versions == [
        "9.9 (2030-01-01)",
        *re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE),
    ]
    assert "Something that is tried." in text
    assert not list((tmp_path / "changelog.d").glob("+*"))


def test_the_version_of_the_package_has_a_section_or_fragments_wait_for_one() -> None:
    version = re.escape(PROJECT["project"]["version"])
    assert FRAGMENTS or re.search(rf"^## {version} ", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)


def test_the_kinds_are_told_beside_the_fragments() -> None:
    told = (ROOT / "changelog.d" / "README.md").read_text("utf-8")
    assert re.findall(r"`([a-z]+)`", told) == sorted(KINDS, key=list(KINDS).index)
