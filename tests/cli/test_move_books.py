"""Moves of a store from a folder to a server and back, wholly or not at all; and other commands with both."""

import re
from contextlib import closing
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.cli.moving import move
from storage import sqlite
from storage.address import ServerAddress
from storage.backups import last_backup
from storage.faults import BooksError
from storage.postgres import PostgresStore
from storage.rows import COLUMNS
from storage.sqlite import FILE, SqliteStore
from storage.store import opened
from tests.core.conftest import House
from tests.postgres_server import LOCKED, PASSWORD, Server
from tests.questions import everything
from tests.stores import Sqlite

pytestmark = pytest.mark.outside


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A store with a finished hand, one in play, and one that takes bets."""
    house = House(tmp_path / "house")
    house.deal("anna bet 50 jackpot", "bea bet 10")
    house.do("anna fold")
    house.do("bea fold")
    house.do("anna bet 20")
    house.do("insp grant anna 7 ‘quoted’ \\ and\ttabbed \U0001f0a1", sure=True)
    house.close()
    return tmp_path / "house"


@pytest.fixture
def address(postgres: Server) -> ServerAddress:
    return postgres.address(postgres.new_schema())


def all_of(store):
    with store.reading() as books:
        return everything(books)


def all_but_notes(store):
    """Return all rows except the note that a restore leaves."""
    return [rows for table, rows in zip(COLUMNS, all_of(store), strict=True) if table != "notes"]


def test_there_and_back_every_row_is_the_same_and_both_are_told_side_by_side(folder, address, tmp_path, capsys):
    there, back = f"{address.text}", f"sqlite:{tmp_path / 'back'}"
    assert main(["move-books", f"sqlite:{folder}", there]) == 0
    said = capsys.readouterr().out
    assert re.search(r"postings +(\d+) +(\d+) +(\d+) +\1 +\2 +\3\n", said)
    told = f"{folder / FILE} was moved to {address.told}. Start the casino there; the old books are unchanged."
    assert said.endswith(f"{told}\n")
    assert main(["move-books", there, back]) == 0
    server = PostgresStore(address, tmp_path)
    before = all_of(SqliteStore(folder))
    assert before == all_of(server) == all_of(SqliteStore(tmp_path / "back"))
    assert any(before)


def test_the_house_plays_on_where_its_books_have_come(folder, address, tmp_path):
    class There(Sqlite):
        def of(self, _folder):
            return PostgresStore(address, tmp_path)

    move(SqliteStore(folder), PostgresStore(address, tmp_path))
    house = House(tmp_path, stores=There())
    house.keys = 100
    assert house.table().phase == "betting"
    assert not house.do("bea bet 10").refused
    house.wait(60)
    assert house.table().round.hand is not None
    house.do("anna fold")
    house.do("bea fold")
    assert house.table().last is not None
    assert house.faults() == []
    house.close()


def test_a_target_that_holds_anything_is_refused_and_stays_as_it_is(folder, address, tmp_path, capsys):
    server = PostgresStore(address, tmp_path)
    with opened(server):
        pass
    assert main(["move-books", f"sqlite:{folder}", address.text]) == 2
    assert f"{address.told} is not empty" in capsys.readouterr().err
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").touch()
    assert main(["move-books", address.text, f"sqlite:{tmp_path / 'full'}"]) == 2
    assert "is not empty" in capsys.readouterr().err
    assert [one.name for one in (tmp_path / "full").iterdir()] == ["mine"]
    assert main(["move-books", f"sqlite:{folder}", f"sqlite:{folder}"]) == 2


@pytest.mark.parametrize("name", ["data", "sqlite:", "mysql://a@b/c", "postgresql://a:se@cret@b/c"])
def test_a_name_that_is_none_is_one_line(folder, name, capsys):
    assert main(["move-books", name, f"sqlite:{folder}"]) == 2
    said = capsys.readouterr().err
    assert "enter a store as" in said
    assert "postgresql://USER@HOST/DATABASE" in said
    assert "cret" not in said
    assert said.count("\n") == 1


def test_where_there_are_no_books_none_are_moved(address, tmp_path, capsys):
    assert main(["move-books", f"sqlite:{tmp_path / 'none'}", address.text]) == 2
    assert "There are no books at" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()
    assert not PostgresStore(address, tmp_path).is_there()


def test_a_house_that_is_open_is_to_be_closed_first(folder, address, tmp_path, capsys):
    with opened(SqliteStore(folder)):
        assert main(["move-books", f"sqlite:{folder}", address.text]) == 2
    assert "in use by another process. Stop it first" in capsys.readouterr().err
    server = PostgresStore(address, tmp_path)
    assert not server.is_there()
    with opened(server):
        assert main(["move-books", address.text, f"sqlite:{tmp_path / 'back'}"]) == 2
    assert "Another process has opened" in capsys.readouterr().err
    assert not (tmp_path / "back").exists()


@pytest.mark.parametrize("way", ["onto a server", "into a folder"])
def test_a_way_that_breaks_off_leaves_nothing_and_can_be_gone_again(folder, address, tmp_path, monkeypatch, way):
    """The failure comes after the last row, before the result becomes final."""
    server, other = PostgresStore(address, tmp_path), SqliteStore(tmp_path / "new")
    source, target = (SqliteStore(folder), server) if way == "onto a server" else (server, other)
    if way == "into a folder":
        move(SqliteStore(folder), server)

    def break_off(_sent, _arrived):
        raise BooksError("the line is cut")

    with monkeypatch.context() as then:
        then.setattr("bot.cli.moving.check_moved", break_off)
        with pytest.raises(BooksError, match="the line is cut"):
            move(source, target)
    assert not target.is_there()
    target.check_empty()
    assert move(source, target) == 0
    assert all_of(source) == all_of(target)


def test_a_row_that_is_lost_on_the_way_is_found_and_nothing_is_there(folder, address, tmp_path, monkeypatch):
    stream = sqlite.SqliteReader._stream

    def lose_one(reader, sql):
        rows = stream(reader, sql)
        return list(rows)[:-1] if "FROM postings" in sql else rows

    monkeypatch.setattr(sqlite.SqliteReader, "_stream", lose_one)
    server = PostgresStore(address, tmp_path)
    with pytest.raises(BooksError, match="postings did not arrive as sent, so nothing was moved"):
        move(SqliteStore(folder), server)
    assert not server.is_there()


def test_what_no_server_keeps_is_named_and_nothing_is_there(folder, address, tmp_path):
    with closing(Sqlite().open(folder)) as books:
        Sqlite().change(books, "INSERT INTO notes VALUES ('web', 'odd', ?)", "a\0b")
    server = PostgresStore(address, tmp_path)
    with pytest.raises(BooksError, match=r"does not accept the rows of notes \(.*NUL.*\), so nothing was moved"):
        move(SqliteStore(folder), server)
    assert not server.is_there()


def test_faults_that_were_there_come_along_and_are_said(folder, address, capsys):
    with closing(Sqlite().open(folder)) as books:
        Sqlite().spoil(books, "UPDATE accounts SET balance = balance + 1 WHERE name = 'jackpot:1'")
    assert main(["move-books", f"sqlite:{folder}", address.text]) == 1
    assert "All accounts together hold 1, which should be 0." in capsys.readouterr().out


def test_doctor_backup_and_restore_know_books_on_a_server(folder, address, postgres, tmp_path, monkeypatch, capsys):
    server = PostgresStore(address, tmp_path)
    move(SqliteStore(folder), server)
    monkeypatch.setenv("RIDOTTO_BOOKS", address.text)
    data, file = str(tmp_path / "data"), str(tmp_path / "backup")
    (tmp_path / "data").mkdir()
    capsys.readouterr()
    assert main(["doctor", "--data", data]) == 0
    assert "No problems found" in capsys.readouterr().out
    with opened(server):
        assert main(["backup", "--data", data, file]) == 0, "while a house is open"
    assert last_backup(Path(data)) > 0
    assert main(["restore", "--data", data, file]) == 2
    assert "is not empty" in capsys.readouterr().err
    another = postgres.address(postgres.new_schema())
    monkeypatch.setenv("RIDOTTO_BOOKS", another.text)
    assert main(["doctor", "--data", data]) == 2
    assert f"There are no books at {another.told}." in capsys.readouterr().err
    assert main(["restore", "--data", data, "--accept-loss", file]) == 2
    assert "`ridotto move-books`" in capsys.readouterr().err
    assert main(["restore", "--data", data, file]) == 0
    assert all_but_notes(PostgresStore(another, tmp_path)) == all_but_notes(server)
    monkeypatch.delenv("RIDOTTO_BOOKS")
    assert main(["restore", "--data", str(tmp_path / "folder"), file]) == 0
    assert all_but_notes(SqliteStore(tmp_path / "folder")) == all_but_notes(server)


def test_a_fault_on_a_server_is_a_line_of_the_doctors(folder, address, postgres, tmp_path, monkeypatch, capsys):
    move(SqliteStore(folder), PostgresStore(address, tmp_path))
    monkeypatch.setenv("RIDOTTO_BOOKS", address.text)
    schema = address.text.rpartition("%3D")[2]
    postgres.ask("UPDATE accounts SET balance = balance + 1 WHERE name = 'jackpot:1'", schema)
    capsys.readouterr()
    assert main(["doctor", "--data", str(tmp_path)]) == 1
    assert "All accounts together hold 1, which should be 0." in capsys.readouterr().out


@pytest.mark.parametrize("command", [["doctor"], ["backup", "copy"], ["restore", "copy"], ["operator"], ["run"]])
def test_a_server_that_lets_nobody_in_is_one_line_without_a_password(postgres, tmp_path, monkeypatch, capsys, command):
    if not postgres.ask(f"SELECT 1 FROM pg_roles WHERE rolname = '{LOCKED}'"):
        postgres.ask(f"CREATE ROLE {LOCKED} LOGIN PASSWORD 'another'")
    address = postgres.address("public", user=LOCKED, password=PASSWORD)
    monkeypatch.setenv("RIDOTTO_BOOKS", address.text)
    assert main([*command, "--data", str(tmp_path)]) == (1 if command == ["run"] else 2)
    said = "".join(capsys.readouterr())
    assert said.startswith(f"ridotto: PostgreSQL at postgresql://{LOCKED}@/postgres refuses the connection (")
    assert said.count("\n") == 1
    assert not [secret for secret in address.secrets if secret in said]


def test_without_the_library_a_sentence_says_what_to_install(address, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("storage.stores.find_spec", lambda name: None)
    monkeypatch.setenv("RIDOTTO_BOOKS", address.text)
    assert main(["doctor", "--data", str(tmp_path)]) == 2
    assert "pip install 'ridotto[postgres]'" in capsys.readouterr().err
