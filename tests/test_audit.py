"""`make audit`: a vulnerable pin fails; without a network it says so and passes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S

AUDIT = Path(__file__).parent.parent / ".ci" / "audit.py"
SOUND = {"name": "aiohttp", "version": "3.14.5", "vulns": []}
FLAW = {"id": "PYSEC-2026-1", "fix_versions": ["9.9"], "aliases": ["CVE-2026-1"], "description": "..."}
UNKNOWN = {"name": "simcord", "skip_reason": "Dependency not found on PyPI and could not be audited: simcord (3.2.1)"}


def audit(tool: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, AUDIT, tool], capture_output=True, text=True, timeout=PATIENCE_S)


def tool_that_says(folder: Path, *, out: str = "", err: str = "", status: int = 0) -> Path:
    """Create a fake pip-audit with this output."""
    tool = folder / "pip-audit"
    tool.write_text(
        f"#!{sys.executable}\nimport sys\nprint({out!r}, end='')\nprint({err!r}, file=sys.stderr)\nsys.exit({status})"
    )
    tool.chmod(0o755)
    return tool


@pytest.mark.parametrize(
    ("found", "status", "said"),
    [
        ([SOUND], 0, "1 pinned packages were audited: 0 known vulnerabilities."),
        ([SOUND, UNKNOWN], 0, "Not audited: simcord\n1 pinned packages were audited: 0 known vulnerabilities."),
        (
            [SOUND | {"vulns": [FLAW]}],
            1,
            "aiohttp 3.14.5: PYSEC-2026-1, mended in 9.9\n1 pinned packages were audited: 1 known vulnerabilities.",
        ),
        ([UNKNOWN], 0, "Nothing was audited: the vulnerability service knows none of the pinned packages."),
        ([], 0, "Nothing was audited: the vulnerability service knows none of the pinned packages."),
    ],
)
def test_what_the_service_knows_decides(tmp_path: Path, found: list[object], status: int, said: str) -> None:
    report = json.dumps({"dependencies": found, "fixes": []})
    ended = audit(tool_that_says(tmp_path, out=report, err="No known vulnerabilities found", status=status))
    assert (ended.returncode, ended.stdout, ended.stderr) == (status, said + "\n", "")


@pytest.mark.parametrize("out", ["", "[]", "{}", "Traceback"])
def test_without_an_answer_it_says_so_in_one_line_and_goes_on(tmp_path: Path, out: str) -> None:
    fault = "Traceback ...\nrequests.exceptions.ConnectionError: Failed to resolve 'pypi.org'"
    ended = audit(tool_that_says(tmp_path, out=out, err=fault, status=1))
    assert ended.returncode == 0
    assert ended.stdout.startswith("Nothing was audited: the vulnerability service cannot be reached (requests")
    assert ended.stdout.count("\n") == 1


def test_without_pip_audit_it_says_so_in_one_line(tmp_path: Path) -> None:
    ended = audit(tmp_path / "nothing")
    assert (ended.returncode, ended.stdout.count("\n")) == (0, 1)
    assert "does not run here" in ended.stdout
