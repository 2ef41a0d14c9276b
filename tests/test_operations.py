"""docs/operations.md is kept: its unit is one that systemd takes, its container has no root, its metrics exist."""

import re
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from bot.config import NAMES
from bot.on_web.monitoring import describe
from tests.bot.open_house import open_house
from tests.bot.test_config import run
from tests.bot.test_restart import start

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "operations.md").read_text("utf-8")


def block(first: str, last: str) -> str:
    """What stands indented from the line that begins so to the line that begins so."""
    lines = TEXT.splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith(f"    {first}"))
    end = next(i for i, line in enumerate(lines) if i > begin and line.startswith(f"    {last}"))
    return "\n".join(line[4:] for line in lines[begin : end + 1]) + "\n"


UNIT = block("[Unit]", "WantedBy")
DOCKERFILE = block("FROM", "ENTRYPOINT")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not here")
def test_systemd_takes_the_unit_and_finds_little_exposed(tmp_path: Path) -> None:
    unit = tmp_path / "ridotto.service"
    unit.write_text(re.sub(r"(?m)^ExecStart=.*$", "ExecStart=/bin/true", UNIT))
    verified = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    assert "ridotto.service" not in verified.stderr, verified.stderr
    asked = ["systemd-analyze", "security", "--offline=true", unit]
    exposed = re.search(
        r"exposure level for ridotto.service: ([0-9.]+)", subprocess.run(asked, capture_output=True, text=True).stdout
    )
    if exposed is None:
        pytest.skip("this systemd-analyze looks at running services only")
    assert float(exposed[1]) < 2.0
    assert exposed[1] in TEXT


def test_the_unit_has_no_root_and_one_folder_to_write_to() -> None:
    settings = re.findall(r"(?m)^(\w+)=(.*)$", UNIT)
    given = dict(settings)
    assert given["User"] == "ridotto"
    assert given["ProtectSystem"] == "strict"
    assert given["StateDirectory"] == "ridotto"
    assert "ReadWritePaths" not in given
    assert float(given["TimeoutStopSec"]) > 5, "SIGTERM is given its five seconds"
    assert given["RestartPreventExitStatus"] == "2", "a wrong setting does not mend itself"


def test_the_container_has_no_root_and_copies_what_is_there() -> None:
    *_build, final = DOCKERFILE.split("FROM ")
    (user,) = re.findall(r"(?m)^USER (\d+):(\d+)$", final)
    assert all(int(number) > 0 for number in user)
    assert f"--uid {user[0]} " in final
    for sources in re.findall(r"(?m)^COPY (?!--from)(.*) \S+$", DOCKERFILE):
        assert all((ROOT / source).exists() for source in sources.split()), sources
    assert "COPY . " not in DOCKERFILE, "no books, no settings and no history come into the image"
    assert "STOPSIGNAL SIGTERM" in final
    assert final.splitlines()[-1] == 'ENTRYPOINT ["/opt/ridotto/bin/ridotto"]', "no shell stands between"


def test_every_setting_named_there_is_one() -> None:
    assert set(re.findall(r"RIDOTTO_[A-Z_]+", TEXT)) <= set(NAMES)


async def test_every_metric_named_there_is_one(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        shown = set(re.findall(r"(?m)^# TYPE (\w+)", describe(house.lounge)))
    named = set(re.findall(r"ridotto_[a-z_]+", TEXT))
    assert {name.removesuffix("_bucket") for name in named} == shown


async def test_nobody_else_on_the_machine_reads_the_books(tmp_path: Path) -> None:
    async with start(tmp_path / "books"):
        files = [tmp_path / "books", *(tmp_path / "books").iterdir()]
        assert len(files) > 2
        for file in files:
            assert not file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO), file.name
    copy = tmp_path / "copy.sqlite3"
    assert run(tmp_path, "backup", str(copy), "--data", str(tmp_path / "books")).returncode == 0
    assert not copy.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)
