"""Files of docs/host and its deploy folder: units that systemd accepts, a container without root, real metrics."""

import asyncio
import json
import os
import re
import runpy
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import yaml  # type: ignore[import-untyped]

from bot.__main__ import parse_arguments
from bot.beacon.follow import BeaconFollower
from bot.config import NAMES, BadSetting, Config, parse_config
from bot.platforms.common.platform import Opening
from bot.platforms.telegram.platform import make_platform
from bot.platforms.web.monitoring import describe
from tests.bot.open_house import open_house
from tests.bot.test_config import run
from tests.bot.test_restart import start
from tests.patience import PATIENCE_S, wait_until

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "host" / "deploy"
TEXT = "\n".join(page.read_text("utf-8") for page in sorted((ROOT / "docs" / "host").glob("*.md")))
MONITORING = (ROOT / "docs" / "host" / "monitoring.md").read_text("utf-8")
UNITS = {file.name: file.read_text("utf-8") for kind in ("service", "timer") for file in FOLDER.glob(f"*.{kind}")}
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
RULES = [
    rule for group in yaml.safe_load((FOLDER / "alerts.yml").read_text("utf-8"))["groups"] for rule in group["rules"]
]
DASHBOARD = json.loads((FOLDER / "dashboard.json").read_text("utf-8"))
HERE = shlex.join([sys.executable, "-m", "bot"])
EVERY_UNIT = pytest.mark.parametrize("name", sorted(UNITS))


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not here")
def test_systemd_takes_the_units_and_finds_little_exposed(tmp_path: Path) -> None:
    for name, unit in UNITS.items():
        (tmp_path / name).write_text(re.sub(r"(?m)^ExecStart=\S+", "ExecStart=/bin/true", unit))
    verified = subprocess.run(["systemd-analyze", "verify", *tmp_path.iterdir()], capture_output=True, text=True)
    assert "ridotto" not in verified.stderr, verified.stderr
    asked = ["systemd-analyze", "security", "--offline=true", str(tmp_path / "ridotto.service")]
    exposed = re.search(
        r"exposure level for ridotto.service: ([0-9.]+)", subprocess.run(asked, capture_output=True, text=True).stdout
    )
    if exposed is None:
        pytest.skip("this systemd-analyze looks at running services only")
    assert float(exposed[1]) < 2.0
    assert exposed[1] in TEXT


def settings_of(unit: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r"(?m)^(\w+)=(.*)$", unit):
        found.setdefault(name, []).append(value)
    return found


@EVERY_UNIT
def test_what_a_unit_runs_are_commands_of_ridotto(name: str) -> None:
    lines = settings_of(UNITS[name]).get("ExecStart", [])
    plain = [re.sub(r"\$\$\(.*\)", "a-file", line) for line in lines]
    called = [found for line in plain for found in re.findall(r"/bin/ridotto\b([^;']*)", line)]
    assert called or name.endswith(".timer")
    for arguments in called:
        parse_arguments(shlex.split(arguments))


def run_unit(name: str, tmp_path: Path) -> list[int]:
    """Run the commands of a unit until one fails, in folders below `tmp_path`; return their statuses."""
    places = {
        "/opt/ridotto/.venv/bin/ridotto": HERE,
        "/var/lib/ridotto-backups": f"{tmp_path}/backups",
        "/var/tmp": f"{tmp_path}/tmp",
        "%%": "%",
        "$$": "$",
    }
    statuses: list[int] = []
    for line in settings_of(UNITS[name])["ExecStart"]:
        for there, here in places.items():
            line = line.replace(there, here)
        env = {"PYTHONPATH": str(ROOT), "RIDOTTO_DATA": f"{tmp_path}/books", "PATH": "/usr/bin:/bin"}
        statuses.append(subprocess.run(shlex.split(line), cwd=tmp_path, env=env, capture_output=True).returncode)
        if statuses[-1]:
            break
    return statuses


@pytest.mark.slow
async def test_the_units_back_up_a_running_house_and_examine_the_backup(tmp_path: Path) -> None:
    backups = tmp_path / "backups"
    backups.mkdir()
    old = backups / "2020-01-01T000000.sqlite3"
    old.touch()
    subprocess.run(["touch", "-d", "40 days ago", old], check=True)
    async with start(tmp_path / "books"):
        assert await asyncio.to_thread(run_unit, "ridotto-backup.service", tmp_path) == [0, 0]
    (made,) = backups.iterdir()
    assert made != old
    assert run_unit("ridotto-doctor.service", tmp_path) == [0, 0]
    shutil.rmtree(tmp_path / "tmp")
    made.write_bytes(made.read_bytes()[:20_000])
    assert run_unit("ridotto-doctor.service", tmp_path)[-1] != 0, "a backup that is cut off is told"


def test_no_backup_goes_where_none_was_made(tmp_path: Path) -> None:
    (tmp_path / "backups").mkdir()
    (tmp_path / "backups" / "old.sqlite3").touch()
    subprocess.run(["touch", "-d", "40 days ago", tmp_path / "backups" / "old.sqlite3"], check=True)
    assert run_unit("ridotto-backup.service", tmp_path) == [2], "there are no books"
    assert (tmp_path / "backups" / "old.sqlite3").exists()


def lines_of_image(verb: str) -> list[str]:
    whole = DOCKERFILE.replace("\\\n", "")
    return re.findall(rf"(?m)^{verb} (.*)$", whole)


def test_the_container_has_no_root_and_copies_what_is_there() -> None:
    *_build, final = DOCKERFILE.split("FROM ")
    (user,) = re.findall(r"(?m)^USER (\d+):(\d+)$", final)
    assert all(int(number) > 0 for number in user)
    assert f"useradd --system --uid {user[0]} --gid {user[1]} " in final
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")}
    sources = {one for line in lines_of_image("COPY") if "--from" not in line for one in line.split()[:-1]}
    assert sources == let_in, "no books, no settings and no history come into the image"
    assert all((ROOT / source).exists() for source in sources)
    assert "STOPSIGNAL SIGTERM" in final
    assert lines_of_image("ENTRYPOINT") == ['["/opt/ridotto/bin/ridotto"]'], "no shell stands between"


def test_the_container_needs_a_password_and_no_other_setting() -> None:
    told = dict(one.split("=", 1) for line in lines_of_image("ENV") for one in line.split())
    given = {name: value for name, value in told.items() if name.startswith("RIDOTTO_")}
    with pytest.raises(BadSetting, match="RIDOTTO_WEB_PASSWORD"):
        parse_config(given)
    config = parse_config(given | {"RIDOTTO_WEB_PASSWORD": "Bauta"})
    assert config.web is not None
    assert [str(config.web.port)] == lines_of_image("EXPOSE")
    assert [str(config.data)] == lines_of_image("VOLUME")


async def test_the_container_is_well_when_the_house_is(tmp_path: Path) -> None:
    (check,) = lines_of_image("HEALTHCHECK")
    _python, *command = json.loads(check.partition("CMD ")[2])
    async with open_house(tmp_path) as house:
        asked = [sys.executable, *(part.replace("http://127.0.0.1:8080", house.url) for part in command)]
        assert asked[-1] != command[-1]
        assert (await asyncio.to_thread(subprocess.run, asked)).returncode == 0
        house.lounge.is_closing = True
        assert (await asyncio.to_thread(subprocess.run, asked, capture_output=True)).returncode == 1


def test_the_image_has_the_licence_of_each_package_in_it(tmp_path: Path) -> None:
    licences = runpy.run_path(str(ROOT / ".ci" / "licences.py"))
    assert licences["collect"](distributions(), tmp_path) == []
    (aiohttp,) = tmp_path.glob("aiohttp-*")
    assert any("Apache License" in file.read_text("utf-8") for file in aiohttp.rglob("*LICENSE*"))
    (made,) = (line for line in lines_of_image("RUN") if "licences.py" in line)
    assert "COPY --from=build /opt/licences /usr/share/licenses/ridotto" in (ROOT / "Dockerfile").read_text("utf-8")
    assert made.endswith("licences.py /opt/licences")


def test_compose_makes_a_backup_a_day_and_keeps_it_for_a_month(tmp_path: Path) -> None:
    """The shell's own part runs with a fake `ridotto` that writes a file, and without the day's wait."""
    backup = COMPOSE["services"]["backup"]
    shell, option, script = backup["entrypoint"]
    folder, tools, slept = tmp_path / "backups", tmp_path / "bin", tmp_path / "slept"
    folder.mkdir()
    tools.mkdir()
    (tools / "ridotto").write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/called\n: > "$2"\n')
    (tools / "sleep").write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/slept\nexec /bin/sleep 60\n')
    for tool in tools.iterdir():
        tool.chmod(0o755)
    old, young = folder / "ridotto-2026-01-01T000000Z.sqlite3", folder / "ridotto-2026-02-01T000000Z.sqlite3"
    for file, days in ((old, 40), (young, 20)):
        file.touch()
        os.utime(file, (time.time() - 86400 * days,) * 2)
    said = script.replace("$$", "$").replace("/backups", str(folder))
    env = {"PATH": f"{tools}:{os.environ['PATH']}"}
    process = subprocess.Popen([shell, option, said], env=env, start_new_session=True)
    try:
        wait_until(lambda: slept.exists() and slept.read_text())
        process.terminate()
        assert process.wait(PATIENCE_S) == 0
    finally:
        os.killpg(process.pid, signal.SIGKILL)
    (called,) = (tmp_path / "called").read_text().splitlines()
    assert re.fullmatch(rf"backup {folder}/ridotto-\d{{4}}-\d\d-\d\dT\d{{6}}Z\.sqlite3", called)
    assert sorted(folder.iterdir()) == sorted([young, Path(called.split()[1])])
    assert int(slept.read_text()) == 86400


def test_compose_gives_settings_that_are_some_and_asks_for_the_password() -> None:
    service = COMPOSE["services"]["ridotto"]
    given = service["environment"]
    assert set(given) - {"PGPASSWORD"} <= set(NAMES)
    assert {name for name, value in given.items() if ":?" in value} == {"RIDOTTO_WEB_PASSWORD"}
    assert all(value == f"${{{name}:-}}" for name, value in given.items() if name != "RIDOTTO_WEB_PASSWORD")
    left_open = dict.fromkeys({*given} & {*NAMES}, "")
    listens = {"RIDOTTO_WEB": "0.0.0.0:8080", "RIDOTTO_WEB_PASSWORD": "Bauta"}
    assert parse_config(left_open | listens).language == "en", "an empty setting is none"


def test_compose_with_a_server_keeps_its_password_out_of_the_address() -> None:
    both = yaml.safe_load((ROOT / "compose.postgres.yaml").read_text("utf-8"))["services"]
    address = parse_config({"RIDOTTO_BOOKS": both["ridotto"]["environment"]["RIDOTTO_BOOKS"]}).books
    assert address is not None
    assert address.secrets == ()
    assert address.told.partition("@")[2].partition("/")[0] in both
    asked = {both["ridotto"]["environment"]["PGPASSWORD"], both["server"]["environment"]["POSTGRES_PASSWORD"]}
    assert len(asked) == 1
    assert ":?" in asked.pop()
    assert "'.[postgres,push]'" in "\n".join(lines_of_image("RUN"))


GROWING = yaml.safe_load((ROOT / "compose.growing.yaml").read_text("utf-8"))


@pytest.mark.skipif(shutil.which("haproxy", path=os.defpath + ":/usr/sbin") is None, reason="haproxy is not here")
def test_haproxy_takes_the_configuration_of_the_compose_file(tmp_path: Path) -> None:
    (tmp_path / "haproxy.cfg").write_text(GROWING["configs"]["balancer"]["content"], "utf-8")
    program = shutil.which("haproxy", path=os.defpath + ":/usr/sbin")
    assert program is not None
    subprocess.run([program, "-c", "-q", "-f", tmp_path / "haproxy.cfg"], check=True)


def test_each_image_of_others_is_pinned_by_its_digest() -> None:
    composed = [yaml.safe_load(file.read_text("utf-8")) for file in sorted(ROOT.glob("compose*.yaml"))]
    images = {one["image"] for file in composed for one in file["services"].values() if "image" in one}
    images |= {line.split()[0] for line in lines_of_image("FROM")}
    assert [one for one in images - {"ridotto"} if not re.search("@sha256:[0-9a-f]{64}$", one)] == []


def test_compose_gives_bot_tokens_to_the_fronts_alone() -> None:
    services = GROWING["services"]
    told = {name: one["environment"] for name, one in services.items() if one["image"] == "ridotto"}
    assert all(set(given) - {"PGPASSWORD"} <= set(NAMES) for given in told.values())
    fronts = {name for name, given in told.items() if given.get("RIDOTTO_ROLE") == "front"}
    assert fronts == {"front-one", "front-two"}
    assert {name for name, given in told.items() if any("TOKEN" in one for one in given)} == fronts


@pytest.mark.skipif(
    shutil.which("docker") is None
    or subprocess.run(["docker", "compose", "version"], capture_output=True).returncode != 0,
    reason="docker compose is not here",
)
def test_compose_itself_takes_the_file(tmp_path: Path) -> None:
    asked = ["docker", "compose", "-f", str(ROOT / "compose.yaml"), "config", "--quiet"]
    env = {"PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": str(tmp_path)}
    refused = subprocess.run(asked, env=env, capture_output=True, text=True)
    assert refused.returncode
    assert "RIDOTTO_WEB_PASSWORD" in refused.stderr
    subprocess.run(asked, env=env | {"RIDOTTO_WEB_PASSWORD": "Bauta"}, check=True)


@pytest.fixture
async def shown(tmp_path: Path) -> dict[str, set[str]]:
    """Return {sample: names of its labels} of a casino with a beacon, and with a platform that is not connected yet."""
    async with open_house(tmp_path) as house:
        config = Config(telegram_token="1:a")
        house.lounge.platforms = [make_platform(Opening(config, house.writer, house.lounge.renderer))]
        house.lounge.beacon = BeaconFollower("00" * 32, ("http://127.0.0.1:1",))
        samples = re.findall(r"(?m)^(\w+)(?:\{(.*)\})? \S+$", describe(house.lounge))
    found: dict[str, set[str]] = {}
    for name, labels in samples:
        found.setdefault(name, set()).update(re.findall(r"(\w+)=", labels))
    return found


def selectors(expression: Any) -> Iterator[Any]:
    """Yield every series that a Prometheus expression reads, at any depth."""
    if isinstance(expression, promql_parser.VectorSelector):
        yield expression
    for name in ("expr", "lhs", "rhs", "vector_selector"):
        if (inner := getattr(expression, name, None)) is not None:
            yield from selectors(inner)
    for argument in getattr(expression, "args", ()):
        yield from selectors(argument)


def check_expression(text: str, shown: dict[str, set[str]]) -> None:
    read = list(selectors(promql_parser.parse(text)))
    assert read, text
    for one in read:
        if one.name == "up":
            continue
        assert one.name in shown, one.name
        assert {matcher.name for matcher in one.matchers.matchers} <= shown[one.name] | {"job", "instance"}, text
    by = {name.strip() for names in re.findall(r"by \(([^)]*)\)", text) for name in names.split(",")}
    assert by <= set().union(*(shown.get(one.name, set()) for one in read)) | {"instance"}, text


async def test_every_metric_named_there_is_one(shown: dict[str, set[str]]) -> None:
    named = set(re.findall(r"\b(?:ridotto|process)_[a-z_]+", MONITORING))
    families = {re.sub(r"_(bucket|sum|count)$", "", name) for name in shown}
    assert {name.removesuffix("_bucket") for name in named} == families


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["alert"])
async def test_a_rule_asks_what_the_house_tells_and_says_what_to_do(
    rule: dict[str, Any], shown: dict[str, set[str]]
) -> None:
    check_expression(rule["expr"], shown)
    assert rule["labels"]["severity"] in ("page", "look")
    assert set(rule["annotations"]) == {"summary", "description"}
    for label in re.findall(r"\$labels\.(\w+)", str(rule["annotations"])):
        assert label in rule["expr"] or label == "instance" or label in set().union(*shown.values())
    assert [one["alert"] for one in RULES].count(rule["alert"]) == 1


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not here")
def test_prometheus_takes_the_rules() -> None:
    subprocess.run(["promtool", "check", "rules", FOLDER / "alerts.yml"], check=True)


async def test_every_curve_of_the_dashboard_is_of_the_house(shown: dict[str, set[str]]) -> None:
    curves = [(panel, target["expr"]) for panel in DASHBOARD["panels"] for target in panel.get("targets", ())]
    assert len(curves) > 15
    for panel, expression in curves:
        check_expression(expression, shown)
        assert panel["datasource"]["uid"] == "${datasource}", "it is chosen when the page is looked at"
    read = {one.name for _panel, text in curves for one in selectors(promql_parser.parse(text))}
    families = {re.sub(r"_(bucket|sum|count)$", "", name) for name in shown}
    assert {re.sub(r"_(bucket|sum|count)$", "", name) for name in read} == families, "what is told is drawn"


def test_every_setting_named_there_is_one() -> None:
    assert set(re.findall(r"RIDOTTO_[A-Z_]+", TEXT)) <= set(NAMES)


def test_everything_beside_the_page_is_told_in_it() -> None:
    assert not {file.name for file in FOLDER.iterdir() if f"deploy/{file.name}" not in TEXT}
    assert {"compose.yaml", "compose.postgres.yaml", "Dockerfile"} <= set(re.findall(r"`([\w.]+)`", TEXT))


@pytest.mark.slow
async def test_nobody_else_on_the_machine_reads_the_books(tmp_path: Path) -> None:
    async with start(tmp_path / "books"):
        files = [tmp_path / "books", *(tmp_path / "books").iterdir()]
        assert len(files) > 2
        for file in files:
            assert not file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO), file.name
    copy = tmp_path / "copy.sqlite3"
    assert run(tmp_path, "backup", str(copy), "--data", str(tmp_path / "books")).returncode == 0
    for file in (copy, tmp_path / "books" / "last-backup"):
        assert not file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)
