"""Games whose rule scripts loop: each loop is stopped, its hand is void, and other tables play on."""

import logging
from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.core.commands.command import FAULT
from bot.core.rounds.script_budget import WATCHDOG
from bot.games import PLUGINS
from engine.felt import Felt, Script
from storage.rows import AuditRow
from tests.core.conftest import House
from tests.disk import rows_of
from tests.games.test_faulty_game import changed, everything, house_with_bet, plugin_with, table_of
from tests.games.toys import installed

KNOWN = PLUGINS["uth"].game.script


@pytest.fixture(autouse=True)
def budget(monkeypatch):
    """Shorten the budget, and forget the stopped scripts afterwards."""
    monkeypatch.setattr(WATCHDOG, "budget_s", 0.2)
    yield
    WATCHDOG.stopped.clear()


class Loop:
    """A rule script that loops as soon as `is_due` says so of the last move, or of "" before the first."""

    def __init__(self, is_due: Callable[[str], bool]) -> None:
        self.is_due = is_due

    def __call__(self, felt: Felt) -> Script:
        script = KNOWN(felt)
        asks = next(script)
        self.loop("")
        while True:
            move = yield asks
            self.loop(move.word)
            try:
                asks = script.send(move)
            except StopIteration:
                return

    def loop(self, word: str) -> None:
        while self.is_due(word):
            pass


def check_void(house, before, caplog):
    """Check that the only hand of the game is void and named, and that another table deals."""
    assert (house.chips("anna"), everything(house)) == (before, 0)
    assert "of faulty is void" in caplog.text
    assert WATCHDOG.stopped == {"faulty": 1}
    (act,) = [act for act in rows_of(house.books, AuditRow) if act.act == "void"]
    assert act.reason.endswith("(faulty: its code ran for more than 0.2 s)")
    assert house.deal("bea bet 10") is not None
    assert table_of(house, "faulty").status == "open"


@pytest.mark.parametrize(
    ("word", "line"),
    [("", None), ("play", "anna play 4"), ("timeout", None)],
    ids=["at the deal", "at a move", "at a time-out"],
)
def test_a_script_that_loops_is_stopped_and_its_hand_is_void(tmp_path, caplog, word, line):
    with house_with_bet(tmp_path, Loop(word.__eq__)) as (house, table, before):
        with caplog.at_level(logging.ERROR):
            house.wait(25)
            if line is not None:
                assert "The hand is void" in house.says(line, table=table)
            house.wait(100)
        check_void(house, before, caplog)
        assert house.faults() == []


def test_a_stored_hand_whose_script_loops_at_a_look_is_void(tmp_path, caplog):
    loop = Loop(lambda word: False)
    with house_with_bet(tmp_path, loop) as (house, table, before):
        house.wait(25)
        assert house.table(table).round.hand is not None
        loop.is_due = "".__eq__
        with caplog.at_level(logging.ERROR):
            house.restart()
            assert house.table(table).round.hand is None
            house.batch([house.command("bea balance")])
        assert (house.chips("anna"), everything(house)) == (before, 0)
        assert house.deal("bea bet 10") is not None
        assert "no longer replays: OverBudget" in caplog.text
        assert "restored from the books" not in caplog.text
        assert house.faults() == []


@pytest.mark.parametrize("part", ["check", "place"])
def test_a_bet_at_which_the_rules_loop_is_not_placed(tmp_path, caplog, part):
    plugin, loops = plugin_with(), list[bool]()
    known = getattr(plugin.game, part)

    def loop_or(*given):
        while loops:
            pass
        return known(*given)

    game = changed(plugin.game, **{part: loop_or})
    with installed(replace(plugin, game=game, simulation=replace(plugin.simulation, game=game))):
        house = House(tmp_path)
        house.is_spoilt = True
        table = table_of(house, "faulty").id
        house.do("anna balance")
        before = house.chips("anna")
        loops.append(True)
        assert house.do("anna bet 50", table=table) == FAULT
        assert (house.chips("anna"), everything(house)) == (before, 0)
        assert "command bet failed: OverBudget" in caplog.text
        assert house.deal("bea bet 10") is not None
        house.close()
