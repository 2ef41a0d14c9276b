"""Installation from a wheel, built from the same files as the image, in a separate environment and folder."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from aiohttp import ClientSession

from tests.bot.open_house import TABLE
from tests.bot.test_restart import browser_of_anna, deal, press, start, text

__all__ = ["browser_of_anna"]
ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PINS = str(ROOT / "constraints.txt")
PACKAGES = ("engine", "storage", "bot")
# An installation may take a package index as long as it takes.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]


def copied_into_the_image() -> set[str]:
    """Return the files that the Dockerfile copies from a checkout."""
    lines = re.findall(r"(?m)^COPY (?!--from)(.*) \S+$", (ROOT / "Dockerfile").read_text("utf-8"))
    return {source for line in lines for source in line.split()}


def call(*command: str | Path, folder: Path) -> str:
    """Run a command in a folder that is no checkout, and return its output."""
    ours = ("RIDOTTO_", "PYTHON", "VIRTUAL_ENV")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    env = {**clean, "PIP_BUILD_CONSTRAINT": PINS, "UV_CACHE_DIR": str(folder / "uv")}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    for name in copied_into_the_image():
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, source)
    call(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, source, folder=folder)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command, in an environment with nothing else installed."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / "bin" / "python"
    call(python, "-m", "pip", "install", "-qq", "-c", PINS, wheel, folder=folder)
    call(python, "-m", "pip", "check", folder=folder)
    return python.with_name("ridotto")


def test_the_wheel_has_every_file_of_the_packages_and_no_other(wheel: Path) -> None:
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *PACKAGES]
    named = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    # The mapping for extracting sentences is useless where nothing is translated.
    kept = {name for name in named if (ROOT / name).exists() and not name.endswith("babel.cfg")}
    with zipfile.ZipFile(wheel) as opened:
        held = {name for name in opened.namelist() if ".dist-info/" not in name}
        (told,) = (name for name in opened.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = opened.read(told).decode()
    assert held == kept
    assert {Path(name).suffix for name in held} >= {".po", ".ttf", ".css", ".js", ".html", ".svg", ".txt", ".typed"}
    for line in (f"Version: {PROJECT['version']}", "License-Expression: MIT", "Requires-Python: >=3.11"):
        assert line in metadata
    assert metadata.rstrip().endswith((ROOT / "README.md").read_text("utf-8").rstrip())


async def play(ridotto: Sequence[str], books: Path, anna: ClientSession) -> None:
    """Play a hand from the bet to its end, by http and a websocket, in Italian; and end politely."""
    async with start(books, ridotto, PYTHONPATH="") as house:
        async with anna.post(house.operator, data={"name": "Anna"}) as answer:
            table = house.url + answer.url.path.removesuffix("/operator") + TABLE
        async with anna.ws_connect(f"{table}/live") as socket:
            await socket.receive_json()
            assert "of" in await deal(anna, table)
            assert not (await press(anna, table, "fold-0001", "/fold"))["refused"]
            await socket.receive_json()
        assert not (await press(anna, table, "lang-0001", "/language it"))["refused"]
        (said,) = (await press(anna, table, "bal-00001", "/balance"))["texts"]
        assert re.fullmatch(r"Hai [0-9.,]+ fiches\.", said), "a coin may have won"
        assert 'ridotto_hands_total{game="caribbean"} 1' in await text(anna, f"{house.url}/metrics")
        house.process.terminate()
        assert await house.process.wait() == 0


async def test_a_hand_is_played_in_a_house_installed_by_pip(
    installed: Path, tmp_path: Path, browser_of_anna: ClientSession
) -> None:
    assert call(installed, "--version", folder=tmp_path) == f"ridotto {PROJECT['version']}\n"
    await play([str(installed)], tmp_path / "books", browser_of_anna)
    assert "No problems found" in call(installed, "--data", "books", "doctor", folder=tmp_path)
    call(installed, "--data", "books", "backup", "copy.sqlite3", folder=tmp_path)


# Fonts and cards come with the wheel.
DRAWS = """
import random, tempfile
from pathlib import Path
from bot.games import load
load()
from bot.core.writer import Writer
from bot.view.build import screen
from bot.view.pictures import picture
from storage.sqlite import SqliteBooks
books = SqliteBooks(Path(tempfile.mkdtemp()))
house = Writer(books, clock=lambda: 1e6, entropy=random.Random(1).randbytes, secret=bytes(32)).state
table = next(iter(house.tables.values()))
Path("table.png").write_bytes(picture(screen(house, table, None, 1e6), "en"))
books.close()
"""


def test_pictures_are_drawn_with_what_is_in_the_wheel(installed: Path, tmp_path: Path) -> None:
    call(installed.with_name("python"), "-c", DRAWS, folder=tmp_path)
    assert (tmp_path / "table.png").read_bytes().startswith(b"\x89PNG")


async def test_a_hand_is_played_in_a_house_that_uvx_runs(
    wheel: Path, tmp_path: Path, browser_of_anna: ClientSession
) -> None:
    """`uvx` is `uv tool run`: nothing is installed permanently, and pins apply."""
    uv = Path(sys.executable).with_name("uv")
    given: list[str | Path] = ["--no-python-downloads", "--python", sys.executable, "-c", PINS, "--from", wheel]
    uvx: list[str | Path] = [uv, "tool", "run", *given, "ridotto"]
    assert call(*uvx, "--version", folder=tmp_path) == f"ridotto {PROJECT['version']}\n"
    await play([str(one) for one in uvx], tmp_path / "books", browser_of_anna)
