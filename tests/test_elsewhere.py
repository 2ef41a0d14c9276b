"""A system without `fcntl`, `resource` and `pwd`, such as Windows: the casino opens, plays and closes."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from aiohttp import ClientSession

from tests.bot.open_house import TABLE
from tests.bot.test_restart import browser_of_anna, deal, press, start
from tests.elsewhere import MISSING
from tests.test_architecture import MAY_IMPORT, imported_by, modules_of

__all__ = ["browser_of_anna"]
ROOT = Path(__file__).parent.parent
ELSEWHERE = (sys.executable, "-m", "tests.elsewhere")


def ridotto(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("RIDOTTO_")}
    return subprocess.run(
        [*ELSEWHERE, *arguments, "--data", str(folder)],
        env={**clean, "PYTHONPATH": str(ROOT), "RIDOTTO_WEB": "127.0.0.1:0"},
        cwd=folder.parent,
        capture_output=True,
        text=True,
    )


@pytest.mark.slow
@pytest.mark.timeout(240)
async def test_a_house_opens_plays_a_hand_and_closes(tmp_path: Path, browser_of_anna: ClientSession) -> None:
    anna, books = browser_of_anna, tmp_path / "books"
    async with start(books, ELSEWHERE) as house:
        async with anna.post(house.operator, data={"name": "Anna"}) as answer:
            base = answer.url.path.removesuffix("/operator")
        await deal(anna, f"{house.url}{base}{TABLE}")
        assert not (await press(anna, f"{house.url}{base}{TABLE}", "fold-0001", "/fold"))["refused"]
        async with anna.get(f"{house.url}/metrics") as answer:
            told = await answer.text()
        assert 'ridotto_hands_total{game="caribbean"} 1\n' in told
        assert "\nprocess_cpu_seconds_total " in told
        assert "process_resident_memory_bytes" not in told, "nobody tells it there"
        second = await asyncio.to_thread(ridotto, books, "run")
        assert (second.returncode, second.stdout) == (1, "")
        assert "in use by another process" in second.stderr
        assert await house.end(signal.SIGTERM) == 0
    examined = await asyncio.to_thread(ridotto, books, "doctor")
    assert examined.returncode == 0, examined.stdout
    assert examined.stdout.startswith("No problems found")


@pytest.mark.slow
def test_one_module_imports_what_not_every_system_has() -> None:
    own = {*MISSING, "grp", "msvcrt", "signal", "termios", "winreg"}
    importing = {
        str(path.relative_to(ROOT))
        for package in MAY_IMPORT
        for path in modules_of(package)
        for name, _line in imported_by(path)
        if name in own and "bench" not in path.parts  # a bench may measure on Linux
    }
    assert importing == {"storage/system.py"}


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_what_windows_has_not_is_asked_for_in_one_module(tmp_path: Path) -> None:
    """The type checker knows what the standard library lacks there."""
    checked = [sys.executable, "-m", "mypy", "--platform", "win32", "--cache-dir", str(tmp_path), *MAY_IMPORT]
    said = subprocess.run(checked, cwd=ROOT, capture_output=True, text=True).stdout
    lacking = {line.partition(":")[0] for line in said.splitlines() if "Module has no attribute" in line}
    assert lacking == {"storage/system.py"}
