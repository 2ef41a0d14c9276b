"""The command line as users see it: output, streams and exit status, and never a traceback."""

import hashlib
import json
import os
import pty
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.__main__ import parse_arguments
from bot.core.state.plays import PLAYS
from bot.verifier.pack import FILE, pack
from engine.games import SIMULATIONS
from engine.hand import Hand
from engine.shuffler import commit
from tests.engine.conformance import random_deal
from tests.engine.fairness.writing import an_evening, write_lines
from tests.patience import PATIENCE_S

ROOT = Path(__file__).parent.parent.parent
SERVER = "11" * 32
RECORD: dict[str, Any] = {
    "game": "caribbean",
    "commit": commit(bytes.fromhex(SERVER)),
    "seed": {"server": SERVER, "cuts": ["città"]},
    "stakes": [{"seat": 1, "player": "anna", "bets": {"ante": 1000}}],
    "moves": ["1 raise"],
}
OPEN = RECORD | {"moves": []}
WRONG = RECORD | {"commit": "00" * 32}
REFUSED = RECORD | {"moves": ["1 fly"]}

Ridotto = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def ridotto(tmp_path: Path) -> Ridotto:
    """Run the command line in a separate process, in an empty folder; `json=` is the input of `-`."""

    def run(*arguments: str, stdin: bytes = b"", json: Any = None) -> subprocess.CompletedProcess[bytes]:
        given = stdin if json is None else dumps(json)
        command = [sys.executable, "-m", "bot", *arguments]
        environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"}
        done = subprocess.run(
            command, input=given, capture_output=True, cwd=tmp_path, env=environment, timeout=PATIENCE_S
        )
        assert b"Traceback" not in done.stderr
        assert not list(tmp_path.glob("**/*.sqlite3"))
        return done

    return run


def dumps(value: Any) -> bytes:
    return json.dumps(value).encode()


def lines(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def check_one_line_of_error(done: subprocess.CompletedProcess[bytes], status: int = 2) -> str:
    assert (done.returncode, done.stdout) == (status, b"")
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith("ridotto")
    return line


def test_a_record_is_one_line_of_json(ridotto: Ridotto) -> None:
    done = ridotto("replay", "-", json=RECORD)
    (answer,) = lines(done)
    assert (done.returncode, done.stderr, answer["over"]) == (0, b"", True)
    assert done.stdout.endswith(b"}\n")


def test_an_array_is_one_line_for_each_in_order(ridotto: Ridotto) -> None:
    done = ridotto("replay", "-", json=[RECORD, OPEN, RECORD])
    assert [answer["over"] for answer in lines(done)] == [True, False, True]
    assert done.returncode == 0


def test_a_file_is_read_as_standard_input_is(ridotto: Ridotto, tmp_path: Path) -> None:
    (tmp_path / "hands.json").write_bytes(dumps([RECORD]))
    assert ridotto("replay", "hands.json").stdout == ridotto("replay", "-", json=RECORD).stdout


def test_one_refused_record_stands_in_its_place_and_the_status_is_2(ridotto: Ridotto) -> None:
    done = ridotto("replay", "-", json=[RECORD, REFUSED, 5, None, [RECORD], OPEN])
    assert done.returncode == 2
    assert ["refused" in answer for answer in lines(done)] == [False, True, True, True, True, False]
    assert lines(done)[1] == {"refused": "“fly” is not a move in this game.", "clause": None, "move": 0}


def test_an_empty_array_holds_no_hand(ridotto: Ridotto) -> None:
    done = ridotto("replay", "-", json=[])
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


BAD_JSON = {
    "empty": b"",
    "space": b" \n",
    "cut off": dumps(RECORD)[:-1],
    "two values": dumps(RECORD) * 2,
    "invalid UTF-8": b'{"game": "\xff"}',
    "UTF-16": json.dumps(RECORD).encode("utf-16"),
    "NaN": b'[{"game": NaN}]',
    "a key twice": b'[{"game": "caribbean", "game": "uth"}]',
    "Infinity": b'[{"game": -Infinity}]',
    "single quotes": b"{'game': 'caribbean'}",
    "nested too deeply": b"[" * 200_000,
    "nested too deep and closed": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "control characters": b'{"game": "a\nb"}',
}


@pytest.mark.slow
@pytest.mark.parametrize("data", BAD_JSON.values(), ids=BAD_JSON)
@pytest.mark.parametrize("command", ["replay", "advise"])
def test_bad_json_is_one_refused_line(ridotto: Ridotto, command: str, data: bytes) -> None:
    done = ridotto(command, "-", stdin=data)
    (answer,) = lines(done)
    assert (done.returncode, list(answer)) == (2, ["refused", "clause", "move"])
    assert (answer["clause"], answer["move"]) == (None, None)


def test_a_tournament_is_replayed_line_by_line(ridotto: Ridotto) -> None:
    record = {"tournament": {"game": "holdem", "buy_in": 1000}, "seed": "5a" * 32, "events": [["register", "anna"]]}
    done = ridotto("replay-tournament", "-", json=[record, record | {"seed": "5a"}])
    played, refused = lines(done)
    assert (played["state"], played["pool"], done.returncode) == ("registering", 1000, 2)
    assert refused == {"refused": "seed must be 64 lower-case hex digits.", "event": None}


def test_bad_json_of_a_tournament_is_one_refused_line(ridotto: Ridotto) -> None:
    done = ridotto("replay-tournament", "-", stdin=b"{")
    (answer,) = lines(done)
    assert (done.returncode, list(answer), answer["event"]) == (2, ["refused", "event"], None)


ODD_RECORDS = {
    "a huge integer": dumps(RECORD)[:-1] + b', "rules": ' + b"9" * 10_000 + b"}",
    "a huge negative integer": dumps(RECORD).replace(b"1000", b"-" + b"9" * 10_000),
    "a huge float": dumps(RECORD).replace(b"1000", b"1e999"),
    "a lone surrogate": dumps(RECORD).replace(b"anna", rb"\ud800"),
    "a lone surrogate as a key": dumps(RECORD | {"options": {"\ud800": 1}}),
    "a deep value": dumps(RECORD).replace(b'"1 raise"', b"[" * 500 + b"]" * 500),
}


@pytest.mark.parametrize("record", ODD_RECORDS.values(), ids=ODD_RECORDS)
def test_an_odd_record_spoils_itself_alone(ridotto: Ridotto, record: bytes) -> None:
    done = ridotto("replay", "-", stdin=b"[" + record + b", " + dumps(RECORD) + b"]")
    assert ["refused" in answer for answer in lines(done)] == [True, False]
    assert (done.returncode, done.stderr) == (2, b"")


def test_a_byte_order_mark_does_no_harm(ridotto: Ridotto) -> None:
    assert ridotto("replay", "-", stdin=b"\xef\xbb\xbf" + dumps(RECORD)).returncode == 0


def test_the_same_record_gives_the_same_bytes(ridotto: Ridotto) -> None:
    records = [RECORD, OPEN, REFUSED]
    assert ridotto("replay", "-", json=records).stdout == ridotto("replay", "-", json=records).stdout


def test_the_answer_is_ascii_on_every_terminal(ridotto: Ridotto) -> None:
    co_player = {"seat": 1, "player": "zoë", "bets": {"main": 1000}}
    stakes = [{"seat": 1, "player": "anna", "bets": {"main": 1000}}, co_player]
    record = {"game": "blackjack", "seed": RECORD["seed"], "stakes": stakes, "moves": ["void"]}
    done = ridotto("replay", "-", json=record)
    assert done.stdout.isascii()
    assert "1/zoë" in lines(done)[0]["net"]


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_a_file_that_cannot_be_read_is_one_line_of_error(ridotto: Ridotto, command: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    assert "missing.json: No such file" in check_one_line_of_error(ridotto(command, "missing.json"))
    assert "folder: Is a directory" in check_one_line_of_error(ridotto(command, "folder"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_line_of_error() -> None:
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "bot", "replay", "-"]
        done = subprocess.run(command, input=dumps(RECORD), stdout=full, stderr=subprocess.PIPE, cwd=ROOT)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_a_reader_that_goes_away_is_no_fault() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "replay", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, complaint = process.communicate(dumps([RECORD] * 50))
    assert (process.returncode, complaint) == (141, b"")


@pytest.mark.parametrize(("closed", "status"), [("<&-", 2), (">&-", 0), ("2>&-", 0)])
def test_closed_streams_are_no_fault(closed: str, status: int, tmp_path: Path) -> None:
    (tmp_path / "hand.json").write_bytes(dumps(RECORD))
    file = "-" if closed == "<&-" else str(tmp_path / "hand.json")
    shell = f'"{sys.executable}" -m bot replay {file} {closed}'
    done = subprocess.run(["sh", "-c", shell], stdin=subprocess.DEVNULL, capture_output=True, cwd=ROOT)
    assert (done.returncode, len(done.stderr.splitlines())) == (status, int(status > 0))


def test_a_replay_loads_no_platform_no_database_and_no_network() -> None:
    heavy = {"sqlite3", "sqlite_utils", "aiohttp", "discord", "telegram", "asyncio", "PIL", "storage"}
    code = (
        "import sys; from bot.__main__ import main; main(['replay', '-']);"
        f"print(*({heavy} & {{*sys.modules}}), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], input=dumps(RECORD), capture_output=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, b"\n")


def test_version_1_is_checked_and_never_verified(ridotto: Ridotto) -> None:
    done = ridotto("verify", "-", json=[RECORD, WRONG])
    assert [answer["checks"]["commit"][:5] for answer in lines(done)] == ["ok", "wrong"]
    assert all(answer["note"] == "this proves only that seed and commit fit" for answer in lines(done))
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 2)
    assert done.stderr.splitlines()[1] == b"ridotto: record 1 is not verified"


@pytest.mark.parametrize("records", [[], 5, [WRONG, 5], [WRONG, {"note": None}], "record"])
def test_what_cannot_be_read_is_refused_as_a_whole(ridotto: Ridotto, records: Any) -> None:
    done = ridotto("verify", "-", json=records)
    assert (done.returncode, [list(answer) for answer in lines(done)]) == (2, [["verified", "refused"]])


def test_every_object_has_an_answer(ridotto: Ridotto) -> None:
    done = ridotto("verify", "-", json=[{}, {"v": 3}, RECORD | {"stakes": []}])
    assert (done.returncode, [answer["version"] for answer in lines(done)]) == (1, [1, 3, 1])


def test_a_house_is_named_by_its_key(ridotto: Ridotto) -> None:
    done = ridotto("verify", "--house", "AB" * 32, "-", json=RECORD)
    assert (done.returncode, list(lines(done)[0])) == (2, ["verified", "refused"])


@pytest.mark.slow
@pytest.mark.parametrize("data", BAD_JSON.values(), ids=BAD_JSON)
def test_what_cannot_be_verified_is_refused_whole(ridotto: Ridotto, data: bytes) -> None:
    done = ridotto("verify", "-", stdin=data)
    (answer,) = lines(done)
    assert (done.returncode, list(answer), answer["verified"]) == (2, ["verified", "refused"], False)
    assert "\n" not in answer["refused"]


def test_a_log_is_checked(ridotto: Ridotto, tmp_path: Path) -> None:
    lines_of_file = an_evening().lines_of_file()
    (tmp_path / "log").write_text(write_lines(lines_of_file), "utf-8")
    done = ridotto("log", "check", "log", "--seen", "seen")
    assert "seen: No such file" in check_one_line_of_error(done)
    (tmp_path / "seen").write_text(write_lines([head | {"seen": 5} for head in lines_of_file[-3:]]), "utf-8")
    for arguments, stdin in (
        (["log"], b""),
        (["log", "--seen", "seen"], b""),
        (["-"], (tmp_path / "log").read_bytes()),
    ):
        done = ridotto("log", "check", *arguments, stdin=stdin)
        assert (done.returncode, done.stderr, lines(done)[0]["faults"]) == (0, b"", [])


def test_a_log_with_a_fault_fails_and_one_that_cannot_be_read_is_refused(ridotto: Ridotto) -> None:
    values = an_evening().lines_of_file()
    values[3] |= {"at": 5}
    done = ridotto("log", "check", "-", stdin=write_lines(values).encode())
    faults = len(lines(done)[0]["faults"])
    assert (done.returncode, done.stderr.decode()) == (1, f"ridotto: faults in the log: {faults}\n")
    done = ridotto("log", "check", "-", stdin=write_lines(values).encode()[:-50])
    assert (done.returncode, list(lines(done)[0])) == (2, ["refused"])


@pytest.mark.slow
@pytest.mark.parametrize("game", SIMULATIONS)
def test_a_simulation_is_one_json_object(ridotto: Ridotto, game: str) -> None:
    done = ridotto("simulate", game, "--rounds", "50")
    (answer,) = lines(done)
    assert list(answer) == "game strategy rounds seconds rounds_per_s edge se by_spot".split()
    assert (answer["game"], answer["strategy"], answer["rounds"]) == (
        game,
        next(iter(SIMULATIONS[game].strategies)),
        50,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert sum(spot["edge"] for spot in answer["by_spot"].values()) == pytest.approx(answer["edge"])


@pytest.mark.parametrize(
    ("game", "strategy"), [(game, name) for game, simulation in SIMULATIONS.items() for name in simulation.strategies]
)
def test_every_strategy_plays_legally_on_what_its_seat_sees(game: str, strategy: str) -> None:
    random = Random(f"{game} {strategy}")
    for _ in range(20):
        hand = Hand(random_deal(game, random))
        while not hand.is_over:
            seat, offers = next(iter(hand.asks.items()))
            hand = hand.play(SIMULATIONS[game].strategies[strategy](seat, offers, hand.cards(seat)))


@pytest.mark.slow
def test_the_seed_decides(ridotto: Ridotto) -> None:
    def play(seed: str) -> Any:
        return lines(ridotto("simulate", "caribbean", "--rounds", "200", "--seed", seed))[0]["by_spot"]

    assert play("7") == play("7") != play("8")


def test_options_and_strategy_are_taken(ridotto: Ridotto) -> None:
    options = '{"minimum": 5000, "procedure": "manual"}'
    done = ridotto("simulate", "caribbean", "--rounds", "10", "--strategy", "always-raise", "--options", options)
    spots = lines(done)[0]["by_spot"]
    assert (spots["ante"]["wagered"], spots["bet"]["wagered"]) == (50000, 100000)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["bingo"], "bingo"),
        (["caribbean", "--strategy", "lucky"], "lucky"),
        (["caribbean", "--rounds", "0"], "one round"),
        (["caribbean", "--rounds", "-5"], "one round"),
        (["caribbean", "--rounds", "many"], "--rounds"),
        (["caribbean", "--seed", "1.5"], "--seed"),
        (["caribbean", "--options", "{"], "--options"),
        (["caribbean", "--options", "[]"], "--options"),
        (["caribbean", "--options", '{"a": NaN}'], "NaN"),
        (["caribbean", "--options", '{"stack": 1}'], "stack"),
        (["caribbean", "--options", '{"a\\nb": 1}'], r"a\nb"),
        (["caribbean", "--options", '{"minimum": 0}'], "minimum"),
        (["caribbean", "--options", '{"minimum": 1e3}'], "minimum"),
        (["caribbean", "--options", "[" * 50_000], "deep"),
        (["caribbean", "--exact"], "paiju"),
        (["bingo", "--exact"], "bingo"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_what_cannot_be_simulated_is_one_line_of_error(ridotto: Ridotto, arguments: list[str], named: str) -> None:
    assert named in check_one_line_of_error(ridotto("simulate", *arguments))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ([], "GAME"),
        (["bingo"], "bingo"),
        (["puntobanco", "--options", "{"], "--options"),
        (["puntobanco", "--options", '{"decks": 7}'], "6 or 8"),
        (["puntobanco", "--meter", "much"], "--meter"),
        (["puntobanco", "--meter", "5"], "no jackpot"),
    ],
)
def test_what_cannot_be_counted_is_one_line_of_error(ridotto: Ridotto, arguments: list[str], named: str) -> None:
    assert named in check_one_line_of_error(ridotto("edges", *arguments))


@pytest.mark.slow
def test_a_coin_costs_nothing_where_the_meter_is_fair(ridotto: Ridotto) -> None:
    (usual,) = lines(ridotto("edges", "caribbean"))
    fair = round(usual["fair_meter"])
    (answer,) = lines(ridotto("edges", "caribbean", "--meter", str(fair)))
    assert usual["bets"]["jackpot"]["edge"] > 0.5
    assert answer["bets"]["jackpot"]["edge"] == pytest.approx(0, abs=1e-6)
    assert "minor units" in check_one_line_of_error(ridotto("edges", "caribbean", "--meter", "-1"))


def test_a_decision_is_priced_from_the_line(ridotto: Ridotto) -> None:
    (answer,) = lines(ridotto("advise", "-", json=RECORD))
    (decision,) = answer["decisions"]
    assert (decision["move"], decision["seat"], decision["taken"]) == (0, "1", "raise")
    assert decision["cost"] == max(decision["choices"].values()) - decision["choices"]["raise"]


def test_advice_is_one_line_for_each_record_in_order_and_its_status_is_2_where_one_is_refused(ridotto: Ridotto) -> None:
    area = {
        "game": "puntobanco",
        "seed": RECORD["seed"],
        "stakes": [{"seat": 1, "player": "a", "bets": {"punto": 500}}],
    }
    done = ridotto("advise", "-", json=[area, REFUSED, 5, area])
    assert lines(done) == [
        {"decisions": [], "method": "exact"},
        *lines(ridotto("replay", "-", json=[REFUSED, 5])),
        {"decisions": [], "method": "exact"},
    ]
    assert done.returncode == 2
    assert ridotto("advise", "-", json=area).returncode == 0


def test_a_bar_moves_on_a_terminal_only() -> None:
    watched, terminal = pty.openpty()
    command = [sys.executable, "-m", "bot", "simulate", "caribbean", "--rounds", "200"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=terminal, cwd=ROOT)
    os.close(terminal)
    assert os.read(watched, 10_000).rstrip().endswith(b"100 %")
    os.close(watched)
    assert len(done.stdout.splitlines()) == 1


@pytest.mark.slow
def test_caribbean_edge_of_the_basic_strategy(ridotto: Ridotto) -> None:
    (answer,) = lines(ridotto("simulate", "caribbean", "--rounds", "40000", "--seed", "5"))
    assert answer["edge"] == pytest.approx(0.05316, abs=3 * answer["se"])


@pytest.mark.slow
def test_black_jack_edge_of_the_basic_strategy(ridotto: Ridotto) -> None:
    """Defaults of these rules give 0.4 to 0.7 %."""
    (answer,) = lines(ridotto("simulate", "blackjack", "--rounds", "40000", "--seed", "5"))
    assert 0.004 - 3 * answer["se"] <= answer["edge"] <= 0.007 + 3 * answer["se"]


@pytest.mark.slow
def test_UT9_edge_of_a_simple_strategy_by_the_american_rule(ridotto: Ridotto) -> None:
    """Optimal play gives 2.185 % of the ante: a simple strategy loses more, and less than 3 %."""
    options = '{"nonqualify": "us"}'
    (answer,) = lines(ridotto("simulate", "uth", "--options", options, "--rounds", "40000", "--seed", "5"))
    assert 0.02185 - 3 * answer["se"] <= answer["edge"] <= 0.03 + 3 * answer["se"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        *([command, "--help"] for command in ("run", "replay", "verify", "log", "simulate", "edges", "advise")),
    ],
)
def test_help_is_one_line_per_option(ridotto: Ridotto, arguments: list[str]) -> None:
    done = ridotto(*arguments)
    assert (done.returncode, done.stderr) == (0, b"")
    options = done.stdout.decode().split("options:")[1].splitlines()[1:]
    assert options
    assert all(line.lstrip().startswith("-") for line in options)


@pytest.mark.parametrize("line", ["--data d --guests 3", "run --data d --guests 3", "--data d run --guests 3"])
def test_run_is_the_command_when_none_is_given(line: str) -> None:
    arguments = parse_arguments(line.split())
    assert (arguments.command or "run", arguments.data, arguments.guests) == ("run", "d", 3)


def test_the_version_is_the_packages(ridotto: Ridotto) -> None:
    done = ridotto("--version")
    told = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert (done.returncode, done.stdout, done.stderr) == (0, f"ridotto {told}\n".encode(), b"")


def test_the_hash_of_the_verifier_as_one_file_is_that_of_what_is_packed(ridotto: Ridotto) -> None:
    done = ridotto("verify", "--hash")
    told = f"{hashlib.sha256(pack()).hexdigest()}  {FILE}\n"
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, told, b"")


def test_a_copy_that_is_not_installed_has_no_version(tmp_path: Path) -> None:
    """The copy has this checkout's packages without pip's metadata."""
    for package in ("bot", "engine"):
        (tmp_path / package).symlink_to(ROOT / package)
    command = [sys.executable, "-S", "-m", "bot", "--version"]
    done = subprocess.run(command, capture_output=True, cwd=tmp_path, timeout=PATIENCE_S)
    assert "not installed" in check_one_line_of_error(done)


def test_every_game_is_named_in_the_help(ridotto: Ridotto) -> None:
    text = ridotto("simulate", "--help").stdout.decode()
    assert all(game in text for game in PLAYS)


@pytest.mark.parametrize(
    "arguments",
    [["fly"], ["replay"], ["replay", "a", "b"], ["--fly"], ["simulate"], ["verify", "--x", "-"], ["log", "watch", "x"]],
)
def test_a_wrong_command_is_one_line_of_error(ridotto: Ridotto, arguments: list[str]) -> None:
    check_one_line_of_error(ridotto(*arguments))
