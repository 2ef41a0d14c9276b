"""The changelog: what users notice in each release; changes since the last one are files in changelog.d (towncrier)."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.test_architecture import ROOT

FRAGMENTS = sorted(path for path in (ROOT / "changelog.d").iterdir() if path.name != "README.md")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
KINDS = PROJECT["tool"]["towncrier"]["fragment"]
LONGEST_LINE = 120
MOST_LINES = 40


def build(folder: Path, *arguments: str) -> str:
    told = subprocess.run(
        [sys.executable, "-m", "towncrier", "build", *arguments], cwd=folder, capture_output=True, text=True
    )
    assert told.returncode == 0, told.stderr
    return told.stdout


def test_each_fragment_is_of_a_known_kind_and_is_a_sentence() -> None:
    for path in FRAGMENTS:
        named = re.fullmatch(r"\+[a-z0-9-]+\.([a-z]+)\.md", path.name)
        assert named, f"{path.name}: name it +WHAT-IT-IS-ABOUT.KIND.md"
        assert named[1] in KINDS, f"{path.name}: choose a kind from {', '.join(KINDS)}"
        lines = path.read_text("utf-8").splitlines()
        assert all(0 < len(line.strip()) <= LONGEST_LINE for line in lines), path.name
        assert lines[-1].endswith("."), path.name


def test_a_release_takes_the_fragments_into_a_section_above_the_former(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "changelog.d").mkdir()
    for kind in KINDS:
        (tmp_path / "changelog.d" / f"+tried.{kind}.md").write_text(f"Something {kind} that is tried.\n")
    build(tmp_path, "--yes", "--version", "9.9", "--date", "2030-01-01")
    text = (tmp_path / "CHANGELOG.md").read_text("utf-8")
    before = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == ["9.9 (2030-01-01)", *before]
    newest = text.partition("## 9.9")[2].partition("\n## ")[0]
    assert re.findall(r"^### (.*)$", newest, re.MULTILINE) == [kind["name"] for kind in KINDS.values()]
    assert all(f"Something {kind} that is tried." in newest for kind in KINDS)
    assert not list((tmp_path / "changelog.d").glob("+*"))


def test_each_release_has_a_short_section_and_the_version_of_the_package_is_the_newest() -> None:
    sections = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text("utf-8"), flags=re.MULTILINE)[1:]
    assert sections[0].startswith(f"{PROJECT['project']['version']} ")
    assert all(len(section.splitlines()) <= MOST_LINES for section in sections)


def test_the_kinds_are_told_beside_the_fragments() -> None:
    told = (ROOT / "changelog.d" / "README.md").read_text("utf-8")
    assert re.findall(r"`([a-z]+)`", told) == sorted(KINDS, key=list(KINDS).index)
