"""A process killed at each single change of its files, one after another: the result is complete or absent.

The start of a casino, an upgrade, a bet, a backup and a restore are repeated until one survives.
"""

import json
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bot.cli.log_faults import examine_logs
from storage import restored
from storage.faults import BooksError
from storage.integrity import WITNESS
from storage.questions import logs
from storage.rows import TABLES, CasinoRow, HandRow
from storage.sqlite import FILE, PARTIAL, SqliteBooks, copy, reading, restore
from tests.disk import ask, rows_of
from tests.kills.dying import can_die
from tests.kills.evidence import faults_of
from tests.kills.steps import LOGGED
from tests.some import some
from tests.storage.drafts import write

pytestmark = pytest.mark.skipif(not can_die(), reason="this Python's SQLite is no library of its own")
ROOT = Path(__file__).parent.parent.parent
KILLED, DONE = -9, 0


class Steps:
    """Work that dies at its first change, then again at its second, and so on until it survives."""

    def __init__(self):
        command = [sys.executable, "-m", "tests.kills.steps"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, cwd=ROOT
        )

    def does(self, number, work, *arguments):
        """Run the work until its step `number`; return how it ended."""
        print(json.dumps([number, work, *map(str, arguments)]), file=self.process.stdin, flush=True)
        return int(some(self.process.stdout).readline())

    def deaths(self, work, prepare, most=1000):
        """Yield (number, result of `prepare(number)`) of each death; `prepare` returns the arguments of the work."""
        for number in range(1, most):
            arguments = prepare(number)
            ended = self.does(number, work, *arguments)
            if ended == DONE:
                assert number > 3, "nothing was changed: the deaths are not counted"
                return
            assert ended == KILLED
            yield number, arguments
        raise AssertionError(f"{work} changes its files more than {most} times")

    def close(self):
        some(self.process.stdin).close()
        self.process.wait(10)
        some(self.process.stdout).close()


@pytest.fixture(scope="module")
def steps():
    steps = Steps()
    yield steps
    steps.close()


@pytest.fixture(scope="module")
def played(steps, tmp_path_factory):
    """A store with a bet."""
    folder = tmp_path_factory.mktemp("played") / "books"
    assert steps.does(0, "bet", folder, "the first bet") == DONE
    return folder


def content(path):
    """Return all rows of the store."""
    with reading(path) as books:
        return {table: ask(books, f"SELECT * FROM {table}") for table, _keys in TABLES.values()} | {
            "accounts": ask(books, "SELECT * FROM accounts ORDER BY name"),
            # Except for the note of a restore.
            "notes": ask(books, f"SELECT * FROM notes WHERE platform <> '{restored.PLATFORM}'"),
        }


def postings(path):
    return content(path)["postings"]


def schema_of(folder):
    with closing(SqliteBooks(folder)) as books:
        assert ask(books, "PRAGMA journal_mode") == [("wal",)]
        return ask(books, "SELECT type, name, sql FROM sqlite_master ORDER BY type, name")


@pytest.mark.slow
def test_new_books_open_again_wherever_their_making_was_cut(steps, room):
    wanted = schema_of(room / "undisturbed")
    for number, (folder,) in steps.deaths("open", lambda number: (room / str(number),)):
        assert schema_of(folder) == wanted, number
        assert not faults_of(folder / FILE)


@pytest.mark.slow
def test_a_bet_is_whole_or_absent_and_is_placed_once_when_it_is_sent_again(steps, played, room):
    """The key is the same; the stake is taken once, whether the first try got through or not."""
    before, whole = len(postings(played / FILE)), 0

    def prepare(number):
        shutil.copytree(played, room / str(number))
        return room / str(number), "the second bet"

    for number, (folder, key) in steps.deaths("bet", prepare):
        assert not faults_of(folder / FILE), number
        with reading(folder / FILE) as books:
            is_known = ask(books, "SELECT count(*) FROM answers WHERE key = ?", key) == [(1,)]
        after = len(postings(folder / FILE))
        assert after == before + is_known, number
        whole += is_known
        assert steps.does(0, "bet", folder, key) == DONE
        assert len(postings(folder / FILE)) == before + 1
        assert not faults_of(folder / FILE)
    assert whole, "no death fell behind the commit"


@pytest.mark.slow
def test_a_tournament_goes_on_wherever_it_was_cut_and_pays_once(steps, room):
    """Registration, start, hands, level, elimination and prizes: each is whole or absent, and no chip is lost."""

    assert steps.does(0, "found", room / "new") == DONE

    def prepare(number):
        shutil.copytree(room / "new", room / str(number))
        return room / str(number), 1_000_000.0

    for number, (folder, _began) in steps.deaths("tournament", prepare):
        assert not faults_of(folder / FILE), number
        assert steps.does(0, "tournament", folder, 1_000_000.0 + 3600) == DONE, number
        assert not faults_of(folder / FILE), number
        with reading(folder / FILE) as books:
            wallets = ask(books, "SELECT balance FROM accounts WHERE name LIKE 'player:1:%' ORDER BY balance")
            prizes = ask(books, "SELECT amount FROM postings WHERE why = 'tournament prize'")
        assert (wallets, prizes) == ([(900_00,), (1100_00,)], [(200_00,)]), number


@pytest.mark.slow
def test_a_bank_game_tournament_ends_once_wherever_its_last_hand_was_cut(steps, room):
    """Sealed bets, the turned bets, the payout, the eliminations and the prizes: each is whole or absent."""
    assert steps.does(0, "night", room / "new", 1_000_000.0, 20) == DONE

    def prepare(number):
        shutil.copytree(room / "new", room / str(number))
        return room / str(number), 1_003_600.0, 1000

    for number, (folder, *_more) in steps.deaths("night", prepare):
        assert not faults_of(folder / FILE), number
        assert steps.does(0, "night", folder, 1_007_200.0, 1000) == DONE, number
        assert not faults_of(folder / FILE), number
        with reading(folder / FILE) as books:
            wallets = ask(books, "SELECT sum(balance) FROM accounts WHERE name LIKE 'player:1:%'")
            prizes = ask(books, "SELECT sum(amount) FROM postings WHERE why = 'tournament prize'")
        assert (wallets, prizes) == ([(2000_00,)], [(200_00,)]), number


@pytest.mark.slow
def test_a_player_is_at_one_table_wherever_a_move_between_two_was_cut(steps, room):
    """Both tables end their hands all-in: eliminations, a broken table, the move, the last hand and the prizes."""
    assert steps.does(0, "tables", room / "new", 1_000_000.0, 2) == DONE

    def prepare(number):
        shutil.copytree(room / "new", room / str(number))
        return room / str(number), 1_003_600.0, 10_000

    for number, (folder, *_more) in steps.deaths("tables", prepare):
        assert not faults_of(folder / FILE), number
        assert steps.does(0, "tables", folder, 1_007_200.0, 10_000) == DONE, number
        assert not faults_of(folder / FILE), number
        with reading(folder / FILE) as books:
            wallets = ask(books, "SELECT sum(balance) FROM accounts WHERE name LIKE 'player:1:%'")
            prizes = ask(books, "SELECT sum(amount) FROM postings WHERE why = 'tournament prize'")
            hands = ask(books, "SELECT count(DISTINCT table_id) FROM hands WHERE status = 'over'")
        assert (wallets, prizes, hands) == ([(4000_00,)], [(400_00,)], [(2,)]), number


@pytest.mark.slow
def test_a_press_in_the_deal_of_the_day_is_once_in_the_books_wherever_it_was_cut(steps, room):
    assert steps.does(0, "found", room / "new") == DONE
    seen = set()

    def prepare(number):
        shutil.copytree(room / "new", room / str(number))
        return (room / str(number),)

    for number, (folder,) in steps.deaths("deal", prepare):
        assert not faults_of(folder / FILE), number
        with reading(folder / FILE) as books:
            seen.update(ask(books, "SELECT moves FROM daily_plays"))
            decks = ask(books, "SELECT day, game, seed FROM daily_deals")
        assert steps.does(0, "deal", folder) == DONE, number
        with reading(folder / FILE) as books:
            assert ask(books, "SELECT moves FROM daily_plays") == [('["5000","fold"]',)], number
            assert ask(books, "SELECT day, game, seed FROM daily_deals") == decks, number
    assert seen == {('["5000"]',), ('["5000","fold"]',)}


@pytest.mark.slow
def test_an_entry_stands_in_the_log_with_what_it_tells_of_or_neither_does(steps, played, room):
    """Each number is there once, the tree continues from the rest, and every signed head is valid."""
    with closing(SqliteBooks(played)) as opened:
        write(opened, CasinoRow(LOGGED, "Venice", "{}", 0.0))
    grown = set()

    def prepare(number):
        shutil.copytree(played, room / str(number))
        return (room / str(number),)

    for number, (folder,) in steps.deaths("append", prepare):
        with reading(folder / FILE) as books:
            assert not list(examine_logs(books)), number
            entries, hands = (
                logs.size_of_log(books, LOGGED, 1),
                len(rows_of(books, HandRow, f"WHERE casino = {LOGGED}")),
            )
        assert entries == (hands + 1 if hands else 0)
        grown.add(hands)
        assert steps.does(0, "append", folder) == DONE
        with reading(folder / FILE) as books:
            assert not list(examine_logs(books))
            assert logs.size_of_log(books, LOGGED, 1) == hands + 3 + 1
    assert grown >= {0, 1, 2}


@pytest.mark.slow
def test_a_backup_that_was_cut_is_none_and_is_made_when_it_is_begun_again(steps, played, room):
    wanted = content(played / FILE)
    for number, (_folder, target) in steps.deaths("backup", lambda number: (played, room / f"copy {number}")):
        assert not target.exists(), number
        half = target.with_name(target.name + PARTIAL)
        if half.exists():
            assert_is_none_or_whole(half, room / f"carried {number}", wanted)
        copy(played / FILE, target)
        assert content(target) == wanted
        assert [one.name for one in room.glob(f"copy {number}*")] == [target.name]
    assert content(played / FILE) == wanted


def assert_is_none_or_whole(half, carried, wanted):
    """Check that a copy without the journal cannot be restored unless it is complete."""
    carried.mkdir()
    shutil.copy(half, carried / half.name)
    try:
        restore(carried / half.name, carried / "books")
    except BooksError:
        assert not list((carried / "books").glob("*"))
        return
    assert content(carried / "books" / FILE) == wanted


@pytest.mark.slow
def test_a_restore_that_was_cut_leaves_no_books_and_can_be_run_again(steps, played, room):
    copy(played / FILE, room / "backup")
    wanted = content(played / FILE)
    to_restore = steps.deaths("restore", lambda number: (room / "backup", room / str(number)))
    for number, (backup, folder) in to_restore:
        assert not (folder / FILE).exists(), number
        with pytest.raises(BooksError, match="There are no books"), reading(folder / FILE):
            pass
        if list(folder.iterdir()):
            with pytest.raises(BooksError, match=r"A restore into .* was interrupted\. Run it again\."):
                SqliteBooks(folder)
        restore(backup, folder)
        assert content(folder / FILE) == wanted
        schema_of(folder)
        assert sorted(one.name for one in folder.iterdir()) == ["lock", FILE, WITNESS]
