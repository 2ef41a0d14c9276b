"""Files that a page of docs/ builds, for the tests that follow it: its blocks that begin with a file's name.

```python PATH      a file; a second block of the same name continues it
```diff PATH        changes of an existing file: ` ` is context, `-` is removed, `+` is added; `@@` separates two
```po PATH          translations that are missing in a catalogue
"""

import re
import shutil
from pathlib import Path
from typing import NamedTuple

from tests.test_architecture import ROOT

_LEFT = (".git", ".venv", ".*_cache", ".hypothesis", "__pycache__", "*.egg-info", "data", "build", "dist")


class Block(NamedTuple):
    kind: str
    path: str
    text: str


def blocks_of(page: Path) -> list[Block]:
    found = re.findall(r"^```(\w+) (\S+)\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return [Block(*one) for one in found]


def copy_of_the_tree(folder: Path) -> Path:
    """Copy the tree without generated files."""
    return Path(shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*_LEFT)))


def build(page: Path, folder: Path) -> None:
    """Write the page's files and changes; translations come when the catalogues ask for them."""
    written: set[Path] = set()
    for block in blocks_of(page):
        file = folder / block.path
        if block.kind == "diff":
            change(file, block.text)
        elif block.kind != "po":
            file.parent.mkdir(parents=True, exist_ok=True)
            before = (
                file.read_text("utf-8") + ("\n" if block.text.startswith("    ") else "\n\n") if file in written else ""
            )
            file.write_text(before + block.text, "utf-8")
            written.add(file)


def change(file: Path, text: str) -> None:
    for part in text.split("@@\n"):
        lines = part.splitlines()
        old = "\n".join(line[1:] for line in lines if line[:1] != "+")
        new = "\n".join(line[1:] for line in lines if line[:1] != "-")
        before = file.read_text("utf-8")
        assert before.count(f"{old}\n") == 1, f"{file} has not once:\n{old}"
        file.write_text(before.replace(f"{old}\n", f"{new}\n"), "utf-8")


def translate(page: Path, folder: Path) -> None:
    """Fill the missing translations."""
    for block in blocks_of(page):
        if block.kind == "po":
            for said, translated in re.findall(r'^msgid (".*")\nmsgstr (".*")$', block.text, re.MULTILINE):
                catalogue = (folder / block.path).read_text("utf-8")
                asked = f'msgid {said}\nmsgstr ""\n'
                assert asked in catalogue, said
                (folder / block.path).write_text(
                    catalogue.replace(asked, f"msgid {said}\nmsgstr {translated}\n"), "utf-8"
                )
