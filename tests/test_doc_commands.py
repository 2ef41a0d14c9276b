"""Commands in the docs are run here: in a casino with a store, in a copy of the checkout, or by other tests.

A command is in a block, or in a sentence. Lines of one block run one after another in one folder, unless each is
followed by its explanation. A command that is neither run nor in one of the lists below fails this module, and so does
a list entry that no page names.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.verifier.pack import FILE as FILE_OF_THE_VERIFIER
from bot.verifier.pack import pack
from storage.sqlite import FILE, copy
from tests.core.conftest import House
from tests.engine.fairness.writing import an_evening
from tests.games.test_added_game import installed, package  # noqa: F401
from tests.pages import copy_of_the_tree
from tests.patience import PATIENCE_S
from tests.test_architecture import ROOT

PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "changelog.d" / "README.md",
    *(ROOT / "docs").rglob("*.md"),
]
PROGRAMS = "cd cp curl docker echo git journalctl make mkdir mv mypy pip pybabel pytest python python3 ridotto rm ruff"
PROGRAMS += " sed sudo systemctl systemd-analyze tar towncrier uvx"

# Sentences may contain these words without telling readers to type them.
LEAST_WORDS = {"ridotto": 99, "pip": 2, "docker": 3, "git": 2, "journalctl": 3, "pybabel": 2, "systemctl": 2}
LEAST_WORDS |= {"systemd-analyze": 2}

# Commands that run until a signal, which is sent after they have printed their address.
OPENS = {"ridotto", "make play"}

# Commands of the fast tests; slower ones are in another test.
QUICK = ("echo ", "ridotto replay ", "ridotto verify ", "python3 ridotto-verify.pyz ", "towncrier ")

# Pages whose commands are one sequence from the first line to the last.
ONE_AFTER_THE_OTHER = {"release"}

# Placeholders for the reader's own values, and their values here.
MEANT = {
    "verify FILE|-": "verify proven.json",
    "log check FILE|URL": "log check log.jsonl",
    "ridotto-verify.pyz verify record.json": "ridotto-verify.pyz verify proven.json",
    "replay-tournament FILE|-": "replay-tournament tournament.json",
    "FILE|-": "record.json",
    # Another version in pyproject.toml is none of the Python that runs this test.
    "make verifier": "make --old-file .venv/.play verifier",
    "OUT.html": "out.html",
    "check LANGUAGE": "check it",
    "GAME": "caribbean",
    "restore FILE": "restore copy.sqlite3",
    "backup FILE": "backup another.sqlite3",
    "NEW-FOLDER": "new",
    ".../saved-1.sqlite3": "copy.sqlite3",
    "/safe/place/": "",
    "/tmp/proof": "proof",
}

# Commands with tests of their own, which need something that this module lacks.
ELSEWHERE = {
    "RIDOTTO_DISCORD_TOKEN=the-token ridotto": "tests.platforms.discord.test_alone",
    "RIDOTTO_TELEGRAM_TOKEN=the-token ridotto": "tests.platforms.telegram.test_outage",
    "RIDOTTO_BEACON=https://api.drand.sh,https://drand.cloudflare.com ridotto": "tests.beacon.test_beacon",
    "ridotto emojis": "tests.platforms.discord.test_emojis",
    "python3 -m venv /opt/ridotto/.venv": "tests.test_install",
    "/opt/ridotto/.venv/bin/pip install -c constraints.txt ridotto-1.0.0-py3-none-any.whl": "tests.test_install",
    "/opt/ridotto/.venv/bin/ridotto --version": "tests.test_install",
    "uvx -c constraints.txt --from ./ridotto-1.0.0-py3-none-any.whl ridotto": "tests.test_install",
    "pip wheel --no-deps .": "tests.test_install",
    "python -m tests.counted.blackjack_counter": "tests.core.test_effects",
    "ridotto nodes": "tests.bot.test_take_over",
    "RIDOTTO_ROLE=front RIDOTTO_WEB=0.0.0.0:8080 ridotto": "tests.bot.test_fronts",
    "ridotto move-books FROM TO": "tests.cli.test_move_books",
    "ridotto move-books sqlite:data postgresql://ridotto@db.example.org/ridotto": "tests.cli.test_move_books",
    "ridotto move-books postgresql://ridotto@db.example.org/ridotto sqlite:books-again": "tests.cli.test_move_books",
    "mkdir -p bot/texts/vec": "tests.test_add_a_language",
    "ridotto texts check vec": "tests.test_add_a_language",
    "RIDOTTO_LANGUAGE=vec ridotto": "tests.test_add_a_language",
    "ridotto simulate duel": "tests.games.test_added_game",
    "pip install -e duel": "tests.games.test_added_game",
    "ridotto playthrough NAME": "tests.games.test_playthroughs",
    "make playthroughs": "tests.games.test_playthroughs",
    "python -m tests.games_reference": "tests.games.test_added_game",
    "ridotto new-game duel": "tests.cli.test_check_game",
    "ridotto check-game duel": "tests.cli.test_check_game",
    "ridotto check-game NAME": "tests.cli.test_check_game",
    "ridotto new-game NAME": "tests.cli.test_check_game",
    "python -m tests.gallery gallery.html": "tests.games.test_added_game",
    "python -m tests.gallery tables.html": "tests.games.test_added_game",
    "python -m benchmarks NAME": "tests.benchmarks.test_benchmarks",
    "python -m benchmarks commands --books ADDRESS": "tests.benchmarks.test_benchmarks",
    "python -m tests.simulation --steps 5000": "tests.games.test_added_game",
    "python -m pytest tests/core/test_timebank.py tests/core/test_knowing.py tests/bot/test_texts.py": (
        "tests.test_added_command"
    ),
    "python -m pytest tests/core/test_permissions.py -k timebank": "tests.test_added_command",
    "python -m pytest tests/platforms/test_wire.py tests/test_architecture.py": "tests.test_added_platform",
    "python -m pytest tests/bot/test_texts.py tests/test_reference.py tests/test_docstrings.py": (
        "tests.test_added_platform"
    ),
    "RIDOTTO_WIRE=127.0.0.1:7000 ridotto": "tests.test_added_platform",
    "python -m pytest tests/games tests/engine/test_conformance.py tests/engine/test_quick.py -k duel": (
        "tests.games.test_added_game"
    ),
    "MYPYPATH=../ridotto mypy --strict ridotto_duel": "tests.games.test_added_game",
    "pip uninstall ridotto-duel": "tests.games.test_added_game",
}

NO_CONTAINERS = "it needs what builds and runs containers; tests/test_operations.py reads the recipe"
NO_SERVICES = "it needs root, and a system that systemd runs; tests/test_operations.py has systemd read the units"

# Commands that are not run here, with the reason.
NOT_RUN = {
    "make check": "it runs this test",
    "docker compose up --detach": NO_CONTAINERS,
    "docker compose -f compose.yaml -f compose.postgres.yaml up --detach": NO_CONTAINERS,
    "docker compose -f compose.growing.yaml up --detach": NO_CONTAINERS,
    "pip install -c constraints.txt 'ridotto-1.0.0-py3-none-any.whl[postgres]'": (
        "the wheel is not on the network yet; tests/test_install.py installs it without the extra"
    ),
    "pip install -c constraints.txt 'ridotto-1.0.0-py3-none-any.whl[push]'": "as that one",
    "docker compose exec ridotto ridotto operator": NO_CONTAINERS,
    "docker compose cp ridotto:/backups .": NO_CONTAINERS,
    "cp docs/host/deploy/*.service docs/host/deploy/*.timer /etc/systemd/system/": NO_SERVICES,
    "systemctl daemon-reload": NO_SERVICES,
    "systemctl enable --now ridotto.service ridotto-backup.timer ridotto-doctor.timer": NO_SERVICES,
    "make test": "it runs this test",
    "make test-all": "it runs this test",
    "make exhaustive": "it takes an hour",
    "make docs": "it would install into the Python that runs this test; .ci/run runs it",
    "make bench": "it takes 45 minutes; tests/benchmarks/test_benchmarks.py runs its quick size",
    "make .venv/.test": "it has made the Python that runs this test",
    "make pins": NO_CONTAINERS,
    "make audit": "it asks a service of the network; tests/test_audit.py has what it makes of the answer",
    "pytest tests/fuzz": "the suite has it",
    "python -m tests.nemesis --faults 1000 --seed 7": "it takes hours; tests/nemesis/test_nemesis.py has three",
    "python -m tests.view.test_pictures": "it writes over the pictures that tests compare with",
    "docker build --tag registry.example.org/ridotto:1.1.0 .": NO_CONTAINERS,
    "docker run --rm registry.example.org/ridotto:1.1.0 --version": NO_CONTAINERS,
    "docker push registry.example.org/ridotto:1.1.0": NO_CONTAINERS,
    "git push origin HEAD v1.1.0": "there is no other repository to push to",
}


class Unit(NamedTuple):
    """Commands of a page that are typed one after the other."""

    page: Path
    commands: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}: {self.commands[0]}"


def units_of(page: Path) -> Iterator[Unit]:
    blocks = list(blocks_of(page.read_text("utf-8")))
    if page.stem in ONE_AFTER_THE_OTHER:
        blocks = [[line for block in blocks for line in block]]
    for block in blocks:
        commands = [command for line in block for command in [command_of(line)] if command]
        if any(is_explained(line) for line in block):
            yield from (Unit(page, (command,)) for command in commands)
        elif commands:
            yield Unit(page, tuple(commands))


def blocks_of(text: str) -> Iterator[list[str]]:
    """Yield indented lines, and fences of `sh`, with continuation lines."""
    fences = re.findall(r"^```sh\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    rest = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    indented = re.findall(r"(?:^ {4}.*\n)+", rest, re.MULTILINE)
    for block in (*fences, *(re.sub(r"(?m)^ {4}", "", one) for one in indented)):
        yield joined(block.splitlines())


def joined(lines: list[str]) -> list[str]:
    """Join lines that end in a backslash or within a quotation with the next."""
    whole: list[str] = []
    for line in lines:
        if whole and whole[-1].endswith("\\"):
            line = whole.pop()[:-1] + line.strip()
        elif whole and not is_explained(whole[-1]) and whole[-1].count("'") % 2:
            line = f"{whole.pop()}\n{line}"
        whole.append(line)
    return whole


def is_explained(line: str) -> bool:
    return bool(re.search(r"\S {2,}\S", line))


def command_of(line: str) -> str:
    """Return the command as typed, without prompt, explanation and the virtual environment's folder; "" if there is
    none.
    """
    text = re.sub(r"(?<=\S) {2,}\S.*", "", line.removeprefix("$ ")).strip()
    text = re.sub(r"(?:(?<=^)|(?<=\s))(?:\.\./ridotto/)?\.venv/bin/(?=\w)", "", text)
    first = next((word for word in text.split() if not re.fullmatch(r"[A-Z_]+=\S*", word)), "")
    return text if "=" not in first and first.rpartition("/")[2] in PROGRAMS.split() else ""


def in_sentences(page: Path) -> set[str]:
    """Return complete commands in sentences; bare names such as `ridotto verify` are checked elsewhere."""
    text = re.sub(r"^```.*?^```$|^ {4}[^\n]*$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    found = {command_of(code) for code in re.findall(r"`([^`\n]+)`", text)}
    return {
        command for command in found if command and len(command.split()) > LEAST_WORDS.get(command.split(" ")[0], 1)
    }


UNITS = [unit for page in PAGES for unit in units_of(page)]
NAMED = {(str(page.relative_to(ROOT)), command) for page in PAGES for command in in_sentences(page)}
TOLD = {command for unit in UNITS for command in unit.commands} | {command for _page, command in NAMED}


def is_run(command: str) -> bool:
    return command not in ELSEWHERE and command not in NOT_RUN


def test_the_lists_speak_of_commands_that_a_page_names() -> None:
    assert not {*ELSEWHERE, *NOT_RUN} - TOLD


def test_what_is_named_in_a_sentence_is_run_somewhere() -> None:
    blocks = {command for unit in UNITS for command in unit.commands}
    assert not {(page, command) for page, command in NAMED if is_run(command) and command not in blocks}


@pytest.mark.parametrize("module", sorted({*ELSEWHERE.values()}))
def test_who_is_said_to_run_it_is_there(module: str) -> None:
    assert import_module(module).__doc__ is not None


@pytest.mark.parametrize("command", [command for command in NOT_RUN if command.startswith("make ")])
def test_make_knows_what_is_not_made_here(command: str) -> None:
    asked = subprocess.run([*command.split(), "--dry-run"], cwd=ROOT, capture_output=True, text=True)
    assert asked.returncode == 0, asked.stderr


# A commit needs an author, whom the tester need not have configured in git.
WHOSE = {f"GIT_{who}_{what}": "ridotto@localhost" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store in `data` with a hand, a backup of it, the record of that hand; a log and the verifier."""
    folder = tmp_path_factory.mktemp("house")
    opened = House(folder / "data")
    opened.deal("anna bet 50")
    hand = opened.table().round.hand_id
    opened.do("anna raise")
    answer = opened.do(f"anna verify {hand}")
    (folder / "record.json").write_text(answer.file[1], "utf-8")
    events = [["register", "anna"], ["register", "bo"], ["start"]]
    tournament = {"tournament": {"game": "holdem", "buy_in": 1000}, "seed": "5a" * 32, "events": events}
    (folder / "tournament.json").write_text(json.dumps(tournament), "utf-8")
    opened.close()
    written = an_evening()
    (folder / "proven.json").write_text(json.dumps(written.proven("1")), "utf-8")
    (folder / "log.jsonl").write_text(written.text(), "utf-8")
    (folder / FILE_OF_THE_VERIFIER).write_bytes(pack())
    copy(folder / "data" / FILE, folder / "copy.sqlite3")
    return folder


@pytest.fixture(scope="module")
def checkout(house: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of this tree whose `.venv` is the Python of this test, with a store."""
    folder = copy_of_the_tree(tmp_path_factory.mktemp("copy") / "ridotto")
    (folder / ".venv").mkdir()
    for part in ("bin", "lib", "lib64", "include", "pyvenv.cfg"):
        if (Path(sys.prefix) / part).exists():
            (folder / ".venv" / part).symlink_to(Path(sys.prefix) / part)
    for stamp in (".play", ".test"):
        (folder / ".venv" / stamp).touch()
    shutil.copytree(house / "data", folder / "data")
    shutil.copy(house / "record.json", folder)
    subprocess.run(["git", "init", "--quiet", "--initial-branch=main"], cwd=folder, check=True)
    return folder


def folder_of(unit: Unit, request: pytest.FixtureRequest, own: Path) -> Path:
    """Return a folder for this unit alone, like the one on its page."""
    kind = "installed" if unit.page.stem == "add-a-game" else "checkout" if is_of_the_tree(unit) else "house"
    source: Path = request.getfixturevalue(kind)
    return shutil.copytree(source, own / source.name, symlinks=True)


def is_of_the_tree(unit: Unit) -> bool:
    return any(command.split()[0] in ("make", "git", "towncrier", "python") for command in unit.commands)


def type_(folder: Path, command: str) -> str:
    for told, here in MEANT.items():
        command = command.replace(told, here)
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment(folder, command),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def environment(folder: Path, command: str) -> dict[str, str]:
    """Return the environment of a clean shell with the project's programs. Another Python only has its own packages."""
    dropped = ("RIDOTTO_", "PYTEST_", "PYTHONPATH", "COV_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
    programs = os.pathsep.join((str(Path(sys.executable).parent), kept.get("PATH", os.defpath)))
    own = {} if "/bin/" in command else {"PYTHONPATH": str(folder)}
    return kept | WHOSE | own | {"PATH": programs, "RIDOTTO_WEB": "127.0.0.1:0", "RIDOTTO_GUESTS": "0"}


def open_and_end(folder: Path, command: str, says: str = "http://") -> None:
    """Run the command until it says that it is open."""
    with subprocess.Popen(
        ["bash", "-c", f"exec env {command}"],
        cwd=folder,
        env=environment(folder, command),
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as house:
        assert house.stdout is not None
        lines = iter(house.stdout.readline, "")
        assert any(says in line for line in lines), "it ended before it opened"
        os.killpg(house.pid, signal.SIGTERM)
        house.communicate(timeout=PATIENCE_S)


def is_quick(unit: Unit) -> bool:
    return all(command.startswith(QUICK) for command in unit.commands)


def follow(unit: Unit, folder: Path) -> None:
    for command in filter(is_run, unit.commands):
        if command in OPENS:
            open_and_end(folder, command)
        else:
            type_(folder, command)


RUN = list({unit.commands: unit for unit in UNITS if any(map(is_run, unit.commands))}.values())


@pytest.mark.slow
@pytest.mark.parametrize("unit", [unit for unit in RUN if is_quick(unit)], ids=str)
def test_what_a_page_tells_to_type_does_what_it_should(
    unit: Unit, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    follow(unit, folder_of(unit, request, tmp_path))


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("unit", [unit for unit in RUN if not is_quick(unit)], ids=str)
def test_what_takes_longer_does_what_it_should(unit: Unit, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    follow(unit, folder_of(unit, request, tmp_path))
