"""Files and addresses: arrays, inputs refused as a whole, logs larger than memory, and the one file for strangers."""

import json
import subprocess
import sys
import threading
import tracemalloc
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.verifier.commands import check_log_at, verify
from bot.verifier.fetch import fetched
from bot.verifier.files import LONGEST_RECORD, read_records
from bot.verifier.logs import check_log
from bot.verifier.pack import FILE, pack
from engine.fairness import log
from engine.fairness.canonical import Unreadable
from engine.fairness.commitment import commit_to, make_commitment
from engine.games import GAMES
from tests.engine.fairness.growing_log import GrowingLog
from tests.engine.fairness.writing import CHAIN, SECRET, an_evening, write_lines

Printed = pytest.CaptureFixture[str]


def proven() -> list[dict[str, Any]]:
    written = an_evening()
    return [written.proven(hand) for hand in [*written.records][:5]]


@pytest.mark.parametrize("text", ["[]", " [ ] ", "[1]", '[1, {"a": []}]\n', ' [ "[" , [] ]', "5", '{"a": [1]}'])
def test_a_file_is_a_record_or_an_array_of_them(text: str) -> None:
    value = json.loads(text)
    assert [*read_records(text)] == (value if isinstance(value, list) else [value])


@pytest.mark.parametrize(
    "text", ["", "[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1]]", "[1] 2", "1 2", "{} {}", "[1, nul]", '[{"a": 1.5}]']
)
def test_what_is_neither_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        [*read_records(text)]


def test_a_record_is_refused_by_its_number_and_beyond_all_reason() -> None:
    with pytest.raises(Unreadable, match=r"^record 2: an object has a duplicate key$"):
        [*read_records('[1, {}, {"a": 1, "a": 2}]')]
    long = '"' + "x" * (LONGEST_RECORD - 2) + '"'
    assert len([*read_records(f"[{long}, 1]")]) == 2
    with pytest.raises(Unreadable, match="record 0 is not valid JSON, or longer than"):
        [*read_records(f'["x{long[1:]}, 1]')]


@pytest.mark.long
def test_many_records_take_the_memory_of_one() -> None:
    text = json.dumps([{"a": [number, number]} for number in range(20_000)])
    tracemalloc.start()
    assert sum(1 for _ in read_records(text)) == 20_000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2**20


@pytest.mark.long
def test_one_record_that_cannot_be_read_refuses_all(tmp_path: Path, capsys: Printed) -> None:
    good = json.dumps(proven()[0])
    for bad in (good.replace('"v": 2', '"v": 2, "v": 2', 1), good[:-1], good.replace('"log": 1', '"log": 1.0', 1), "5"):
        (tmp_path / "records").write_text(f"[{good}, {bad}]")
        assert verify(str(tmp_path / "records")) == 2
        (answer,) = map(json.loads, capsys.readouterr().out.splitlines())
        assert list(answer) == ["verified", "refused"]


@pytest.mark.long
def test_each_record_has_its_line_and_the_worst_its_status(tmp_path: Path, capsys: Printed) -> None:
    records = proven()
    (tmp_path / "records").write_text(json.dumps(records))
    house = records[0]["promise"]["house"]
    assert verify(str(tmp_path / "records"), house) == 0
    assert [json.loads(line)["verified"] for line in capsys.readouterr().out.splitlines()] == [True] * 5
    records[3]["paid"]["net"] = {}
    (tmp_path / "records").write_text(json.dumps(records))
    assert verify(str(tmp_path / "records"), house) == 1
    told = capsys.readouterr()
    assert [json.loads(line)["verified"] for line in told.out.splitlines()] == [True, True, True, False, True]
    assert told.err == "ridotto: record 3 is not verified\n"
    assert verify(str(tmp_path / "records"), "ab" * 32) == 1
    assert verify(str(tmp_path / "records"), "AB" * 32) == 2


@pytest.mark.long
def test_a_game_that_is_not_known_yet_is_looked_for_once(tmp_path: Path, capsys: Printed) -> None:
    record = proven()[0]
    record["promise"]["game"] = "duel"
    (tmp_path / "records").write_text(json.dumps([record]))
    asked: list[str] = []
    assert verify(str(tmp_path / "records"), load_games=lambda: asked.append("games")) == 1
    assert asked == ["games"]
    assert "there is no game 'duel' here" in capsys.readouterr().out


@pytest.mark.long
def test_a_log_of_a_game_that_is_not_known_yet_has_it_looked_for_once(tmp_path: Path, capsys: Printed) -> None:
    values = an_evening().lines_of_file()
    (tmp_path / "log").write_text(write_lines(values))
    asked: list[str] = []
    assert check_log_at(str(tmp_path / "log"), load_games=lambda: asked.append("games")) == 0
    assert asked == []
    for value in values:
        if value.get("k") == "commit":
            value["promise"] = value["promise"] | {"game": "duel"}
    (tmp_path / "log").write_text(write_lines(values))
    assert check_log_at(str(tmp_path / "log"), load_games=lambda: asked.append("games")) == 1
    assert asked == ["games"]
    assert "there is no game 'duel' here" in capsys.readouterr().out


def write_long_log(path: Path, hands: int, *, wrong: int | None = None) -> None:
    """Write a log of this many hands at twenty tables, with a head for every hundred entries; `wrong` has one wrong
    digit.
    """
    kept, at, previous = GrowingLog(SECRET, "17", 1), 1_790_000_000, dict[str, str]()
    random, options, heads = Random(1), GAMES["uth"].options(), []
    with path.open("wb") as file:

        def append(entry: dict[str, Any]) -> None:
            file.write(kept.append(entry).leaf + b"\n")
            if kept.tree.size % 100 == 0:
                heads.append(kept.head(at))

        append(log.begin(1, {}, "first", at))
        for hand in range(hands):
            table, server = f"t{hand % 20}", random.randbytes(32)
            commitment = make_commitment(
                house=kept.house,
                casino="17",
                log=1,
                table=table,
                hand=str(hand),
                game="uth",
                options=options,
                previous=previous.get(table, ""),
                server=server,
            )
            commit = previous[table] = commit_to(commitment)
            append(log.committed(commitment, at))
            append(log.closed(commit, start=0, cuts=[], salt="0" * 32, stakes=[], round=0, at=at))
            paid = {"k": "paid", "commit": commit, "start": 0, "next": 0, "void": "", "record": "ab" * 32, "meter": {}}
            append(paid | {"at": at})
            shown = server if hand != wrong else bytes([server[0] ^ 1]) + server[1:]
            append(log.opened(commit, shown, "", at))
            at += hand % 2
        heads.append(kept.head(at))
        file.write(write_lines(heads).encode())


@pytest.mark.slow
def test_a_long_log_with_one_wrong_byte_is_told_by_its_line_in_little_memory(tmp_path: Path) -> None:
    write_long_log(tmp_path / "short", 50)
    write_long_log(tmp_path / "long", 800, wrong=600)
    peaks = []
    for name in ("short", "short", "long"):
        tracemalloc.start()
        with check_log(str(tmp_path / name)) as report:
            faults = report.faults
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert [(fault["check"], fault["index"]) for fault in faults] == [("opening", 4 * 601)]
    assert faults[0]["why"] == "the seed does not match the commitment"
    # Reading the file a piece at a time is most of it.
    assert peaks[2] < peaks[1] + 2**18


def test_a_log_through_a_pipe_is_checked_as_well(tmp_path: Path) -> None:
    write_long_log(tmp_path / "log", 30)
    command = [sys.executable, "-m", "bot.verifier", "log", "check", "/dev/stdin"]
    with (tmp_path / "log").open("rb") as file:
        text = file.read()
    done = subprocess.run(command, input=text, capture_output=True, cwd=Path(__file__).parents[2])
    assert (done.returncode, json.loads(done.stdout)["faults"]) == (0, [])


class Served(BaseHTTPRequestHandler):
    """A casino's log as served, or as a file, by path."""

    def __init__(self, lines: list[dict[str, Any]], *arguments: Any) -> None:
        self.lines = lines
        super().__init__(*arguments)

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        entries = [line for line in self.lines if "head" not in line]
        asked = dict(part.split("=") for part in query.split("&") if part)
        answer: bytes | None = None
        if path == "/file":
            answer = write_lines(self.lines).encode()
        elif path in ("/log/17/head", "/lines/17/head", "/short/17/head"):
            answer = json.dumps(self.lines[-1]).encode()
        elif path == "/log/17/entries":
            answer = json.dumps(entries[int(asked["from"]) : int(asked["to"])]).encode()
        elif path == "/log/17/heads":
            sizes = range(int(asked["from"]), int(asked["to"]))
            heads = [line for line in self.lines if "head" in line and line["head"]["size"] in sizes]
            answer = json.dumps({"heads": heads[:7]}).encode()
        elif path == "/lines/17/entries":
            answer = write_lines(entries[int(asked["from"]) : int(asked["to"])]).encode()
        elif path == "/short/17/entries":
            answer = b"[]"
        elif path == "/half/17/head":
            answer = json.dumps(self.lines[-1]).encode()
        elif path == "/half/17/entries":
            answer = json.dumps(entries[: int(asked["to"])]).encode()[:-9]
        elif path == "/new/17/head":
            self.send_response(404)
            self.end_headers()
            self.wfile.write(b'{"refused": "No head of this log is signed yet."}')
            return
        self.send_response(404 if answer is None else 200)
        self.end_headers()
        self.wfile.write(answer or b"")

    def log_message(self, *_arguments: Any) -> None:
        """Log nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Served, an_evening().lines_of_file()))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.slow
@pytest.mark.outside
@pytest.mark.parametrize(
    ("path", "heads"), [("/file", 41), ("/log/17", 41), ("/log/17/", 41), ("/lines/17", 1), ("/log/17?log=1", 41)]
)
def test_a_log_at_an_address(address: str, path: str, heads: int, capsys: Printed) -> None:
    assert check_log_at(address + path) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["entries"], report["heads"], report["faults"]) == (208, heads, [])


@pytest.mark.outside
def test_an_address_without_a_log_is_told_in_a_sentence(address: str) -> None:
    with pytest.raises(OSError, match=f"{address}/nothing: Not Found"), fetched(f"{address}/nothing"):
        pass
    with pytest.raises(Unreadable, match="entry 0 was asked for, and 0 came"), fetched(f"{address}/short/17"):
        pass
    with pytest.raises(Unreadable, match="the entries from 0 on: it is not valid JSON"), fetched(f"{address}/half/17"):
        pass
    with pytest.raises(Unreadable, match="No head of this log is signed yet"), fetched(f"{address}/new/17"):
        pass
    with pytest.raises(OSError, match="refused"), fetched("http://127.0.0.1:1/log/17"):
        pass


def test_it_is_the_same_byte_for_byte(tmp_path: Path) -> None:
    data = pack()
    assert data == pack()
    assert data.startswith(b"#!/usr/bin/env python3\n")
    (tmp_path / FILE).write_bytes(data)
    with zipfile.ZipFile(tmp_path / FILE) as archive:
        infos = archive.infolist()
        assert [info.filename for info in infos] == sorted(info.filename for info in infos)
        assert {info.date_time for info in infos} == {(1980, 1, 1, 0, 0, 0)}
        assert {info.compress_type for info in infos} == {zipfile.ZIP_STORED}
        assert {info.filename.partition("/")[0] for info in infos} == {"__main__.py", "engine", "bot"}
        assert archive.testzip() is None


@pytest.mark.slow
@pytest.mark.outside
def test_it_runs_by_itself_in_a_python_that_knows_nothing_else(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(pack())
    written = an_evening()
    (tmp_path / "record.json").write_text(json.dumps(written.proven("1")))
    public = next(hand for hand, record in written.records.items() if "beacon" in record and "seals" in record)
    (tmp_path / "public.json").write_text(json.dumps([written.proven(public)]))
    chain = json.dumps({"public_key": CHAIN.key.hex(), "period": 3, "genesis_time": CHAIN.genesis, "hash": "any"})
    (tmp_path / "log").write_text(written.text())

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        # -I and -S: no environment, no folder of the reader's own, no packages.
        command = [sys.executable, "-I", "-S", FILE, *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    verified = run("verify", "record.json", "--house", written.log.house)
    assert (verified.returncode, verified.stderr) == (0, "")
    assert json.loads(verified.stdout)["verified"] is True
    answer = json.loads(run("verify", "public.json").stdout)
    assert answer["checks"]["beacon"].startswith("wrong: this is not quicknet's signature")
    named = run("verify", "public.json", "--chain", chain)
    assert (named.returncode, json.loads(named.stdout)["chain"]) == (0, CHAIN.key.hex())
    (tmp_path / "chain.json").write_text(chain)
    assert run("log", "check", "log", "--chain", "chain.json").returncode == 0
    for bad in ("{}", chain.replace("3", "0"), chain.replace('"any"', '"any", "schemeID": "another"')):
        for call in (["verify", "public.json"], ["log", "check", "log"]):
            refused = run(*call, "--chain", bad)
            assert (refused.returncode, "refused" in json.loads(refused.stdout)) == (2, True)
    checked = run("log", "check", "log")
    assert (checked.returncode, json.loads(checked.stdout)["faults"]) == (0, [])
    assert run("verify", "record.json", "--house", "ab" * 32).returncode == 1
    assert run("fly").returncode == run("verify", "none.json").returncode == 2
    assert run("verify", "none.json").stderr == "ridotto-verify: none.json: No such file or directory\n"
