"""Are pinned packages known to be vulnerable? Asks pip-audit, and says so where nobody could be asked.

Exit status 1 when a pin is vulnerable. No network, or a mirror that knows no advisories, is one line and no failure:
pip-audit itself calls that "no known vulnerabilities".
"""

import json
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

PINS = Path(__file__).parent.parent / "constraints.txt"
FOLDER = Path(sys.prefix) / "audit"
PATIENCE_S = 300


def main(given: list[str]) -> int:
    try:
        tool = Path(given[0]) if given else install()
        asked: list[str | Path] = [
            tool,
            "-r",
            PINS,
            "--no-deps",
            "--disable-pip",
            "--progress-spinner",
            "off",
            "--timeout",
            "15",
            "-f",
            "json",
        ]
        said = subprocess.run(asked, capture_output=True, text=True, timeout=PATIENCE_S)
    except (OSError, subprocess.SubprocessError) as fault:
        return tell(f"Nothing was audited: pip-audit does not run here ({type(fault).__name__}).")
    try:
        found = json.loads(said.stdout)["dependencies"]
    except (ValueError, KeyError, TypeError):
        reason = (said.stderr.strip().splitlines() or ["it said nothing"])[-1]
        return tell(f"Nothing was audited: the vulnerability service cannot be reached ({reason[:160]}).")
    return judge(found)


def install() -> Path:
    """Apart from what it audits."""
    tool = FOLDER / "bin" / "pip-audit"
    if not tool.exists():
        venv.create(FOLDER, with_pip=True)
        pip: list[str | Path] = [
            FOLDER / "bin" / "python",
            "-m",
            "pip",
            "install",
            "-qq",
            "--disable-pip-version-check",
            "-c",
            PINS,
        ]
        subprocess.run([*pip, "pip-audit"], check=True, capture_output=True, timeout=PATIENCE_S)
    return tool


def judge(found: list[dict[str, Any]]) -> int:
    known = [package for package in found if "skip_reason" not in package]
    if not known:
        return tell("Nothing was audited: the vulnerability service knows none of the pinned packages.")
    flaws = [(package, flaw) for package in known for flaw in package["vulns"]]
    for package, flaw in flaws:
        mended = ", ".join(flaw["fix_versions"]) or "no version yet"
        print(f"{package['name']} {package['version']}: {flaw['id']}, mended in {mended}")
    unknown = [package["name"] for package in found if "skip_reason" in package]
    if unknown:
        print(f"Not audited: {', '.join(unknown)}")
    tell(f"{len(known)} pinned packages were audited: {len(flaws)} known vulnerabilities.")
    return int(bool(flaws))


def tell(sentence: str) -> int:
    print(sentence, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
