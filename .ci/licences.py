"""Collect the licence texts of the Python packages that an image brings: `python licences.py TARGET`.

A folder for each package, with what its *.dist-info holds of licences, notices and authors. A package without such a
text has what its metadata declare. Exit status 1, and a line for each, where a package says nothing at all.
"""

import re
import shutil
import sys
from collections.abc import Iterable
from importlib.metadata import Distribution, distributions
from pathlib import Path

_TEXT = re.compile(r"(licen[cs]e|copying|copyright|notice|authors)", re.IGNORECASE)
_DECLARED = ("License-Expression", "License")
DECLARED_IN = "declared.txt"


def main(given: list[str]) -> int:
    """Collect those of the Python that runs this."""
    (target,) = given
    silent = collect(distributions(), Path(target))
    for name in silent:
        print(f"{name} comes without a licence.", file=sys.stderr)
    return int(bool(silent))


def collect(packages: Iterable[Distribution], target: Path) -> list[str]:
    """Copy the texts into `target`; the names of packages that say nothing."""
    silent = []
    for package in packages:
        name = f"{package.metadata['Name']}-{package.version}"
        folder = target / name
        folder.mkdir(parents=True, exist_ok=True)
        texts = [file for file in package.files or () if _is_licence(file.parts)]
        for text in texts:
            to = folder.joinpath(*text.parts[1:])
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(str(package.locate_file(text)), to)
        declared = _declared_by(package)
        if declared:
            (folder / DECLARED_IN).write_text(f"{declared}\n", "utf-8")
        if not texts and not declared:
            silent.append(name)
    return silent


def _is_licence(parts: tuple[str, ...]) -> bool:
    return parts[0].endswith(".dist-info") and any(_TEXT.match(part) for part in parts[1:])


def _declared_by(package: Distribution) -> str:
    told = package.metadata
    said = [str(told[name]).strip() for name in _DECLARED if told.get(name)]
    classified = [one for one in told.get_all("Classifier") or () if one.startswith("License ::")]
    return "\n".join([*said, *classified])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
