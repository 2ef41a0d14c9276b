"""Failed reads are faults of the books: they pass every handler of bugs, the process ends, and no hand is voided."""

import logging
from collections import defaultdict

import pytest

from bot.core.commands.command import FAULT
from storage.faults import BooksError, BooksGone
from tests.core.conftest import LINKED, House
from tests.disk import ask
from tests.failing_disk import FailingDisk
from tests.simulation.conftest import temporary_folder

# An evening at all five games, with a restart while hands are in play: "table: name command", "wait S" or "restart".
EVENING = """
1: inspector grant anna 5000 to play with
1: anna bet 50 jackpot
1: bea bet 10
2: anna bet 10 trips 5
3: bea bet south 10
4: cat bet 20
5: inspector house set give_after_hours 0 friends
5: anna buyin 320
5: bea buyin 320
linked: cat bet 10 jackpot
wait 21
restart
1: anna cards
1: anna fold
2: anna check
1: bea fold
4: cat stand
wait 31
restart
linked: cat history
5: anna cards
wait 70
wait 200
wait 200
1: anna history
1: anna statement 1
1: anna stats
1: bea give anna 10
1: bea leaderboard
1: inspector audit
1: inspector export 3
1: dan balance
1: dan limit loss 100
1: dan bet 10
1: anna verify 1
1: anna jackpot
1: inspector adjust 1 anna 5 for her trouble
1: inspector meter history
wait 60
restart
wait 90000
1: anna daily
"""


class Evening:
    """An evening, played line by line; after a fault of the books a new process gets the unanswered lines again."""

    def __init__(self, folder, disk):
        self.disk, self.house, self.gone = disk, House(folder), []

    def play(self, fails_at=None):
        self.disk.fail(fails_at)
        for number, line in enumerate(EVENING.strip().splitlines()):
            try:
                self.say(line, number)
            except (BooksGone, BooksError) as gone:
                self.gone.append(gone)
                self.disk.heal()
                self.come_back()
                self.say(line, number)
        self.disk.heal()

    def come_back(self):
        """Restart on the same files, and check that nothing has changed."""
        before = self.holds()
        self.house.restart()
        assert self.holds() == before

    def holds(self):
        """Return the hands and chips on the disk, whatever the process holds."""
        with self.house.stores.of(self.house.folder).reading() as disk:
            return (
                ask(disk, "SELECT name, balance FROM accounts ORDER BY name"),
                ask(disk, "SELECT id, status FROM hands ORDER BY id"),
            )

    def say(self, line, number):
        if line == "restart":
            restart(self.house, self.disk)
        elif line.startswith("wait"):
            self.house.wait(float(line.split()[1]))
        else:
            table, words = line.split(": ")
            answer = self.house.do(
                words, table=LINKED if table == "linked" else int(table), key=f"line {number}", sure=True
            )
            assert answer != FAULT, line


def restart(house, disk):
    """Restart; a closing process ignores failed reads."""
    with disk.spared():
        house.close()
    house.open()


@pytest.fixture
def disk(monkeypatch):
    return FailingDisk(monkeypatch)


def play(disk, fails_at=None):
    """Play the evening and return what the store has of it."""
    with temporary_folder() as folder:
        evening = Evening(folder, disk)
        try:
            evening.play(fails_at)
            asked = list(disk.asked)
            assert [status for _id, status in evening.holds()[1] if status == "void"] == []
            assert evening.house.faults() == []
            assert len(evening.gone) == (fails_at is not None)
            return asked
        finally:
            disk.heal()
            evening.house.close()


@pytest.mark.slow
def test_whatever_question_of_an_evening_fails_nothing_is_given_up(disk, caplog):
    """One query of each kind fails, the last, when most could be lost."""
    caplog.set_level(logging.WARNING)
    kinds = defaultdict(list)
    for number, sql in enumerate(play(disk)):
        kinds[sql].append(number)
    assert len(kinds) > 20
    for numbers in kinds.values():
        play(disk, numbers[-1])
    assert caplog.messages == []


@pytest.mark.slow
def test_whichever_question_of_an_evening_fails_nothing_is_given_up(disk, caplog):
    caplog.set_level(logging.WARNING)
    for number in range(len(play(disk))):
        play(disk, number)
    assert caplog.messages == []


@pytest.mark.parametrize("stores", ["sqlite"], indirect=True)
def test_a_hand_that_cannot_be_read_after_a_restart_waits_for_the_next(house, disk, caplog):
    """The disk did not return the hand, so it does not count as one that fails to replay."""
    house.deal("anna bet 50")
    house.restart()
    disk.fail()
    with pytest.raises(BooksGone, match=r"cannot be read or written \(disk I/O error\): check the disk"):
        _look = house.table().round.hand.events
    disk.heal()
    house.restart()
    assert house.table().phase == "playing"
    assert not house.do("anna fold").refused
    assert house.chips("anna") == 95_000
    assert caplog.messages == []


@pytest.mark.long
def test_what_fails_at_the_start_is_no_reason_to_give_a_hand_up_either(house, disk):
    house.deal("anna bet 50")
    disk.fail(None)
    restart(house, disk)
    starts = len(disk.asked)
    for number in range(starts):
        disk.fail(number)
        with pytest.raises((BooksGone, BooksError)):
            restart(house, disk)
        disk.heal()
    house.restart()
    assert house.table().phase == "playing"
    assert house.chips("anna") == 95_000


def test_what_cannot_be_read_at_the_end_is_there_at_the_next_start(house, disk):
    house.deal("anna bet 50")
    before = house.balances()
    disk.fail(None)
    house.close()
    for number in range(len(disk.asked)):
        disk.heal()
        house.open()
        disk.fail(number)
        house.close()
        assert disk.has_failed
    disk.heal()
    house.open()
    assert house.balances() == before
    assert house.table().phase == "playing"
