"""Games that misbehave in ways which no author means: each loses its own hand or screen, and nothing else."""

import logging
from collections.abc import Callable
from random import Random

import pytest

from bot.core.rounds.script_budget import WATCHDOG, Escaped, OverBudget
from bot.games import PLUGINS
from bot.texts import say
from bot.view import build
from bot.view.build import screen
from engine.felt import Felt, Offer, Script
from storage.rows import AuditRow
from tests.core.conftest import House
from tests.disk import rows_of
from tests.games.test_faulty_game import changed, everything, house_with_bet, plugin_with, plugin_with_script, table_of
from tests.games.toys import installed

KNOWN = PLUGINS["uth"].game.script
CHANCE = Random(1)


@pytest.fixture
def short_budget(monkeypatch):
    """Shorten the budget, and forget the stopped scripts afterwards."""
    monkeypatch.setattr(WATCHDOG, "budget_s", 0.2)
    yield
    WATCHDOG.stopped.clear()


def after_the_first_move(do: Callable[[Felt], object]) -> Callable[[Felt], Script]:
    """Return a script that does this at the first move."""

    def script(felt: Felt) -> Script:
        known = KNOWN(felt)
        yield next(known)
        do(felt)

    return script


def end_the_process(felt: Felt) -> None:
    raise SystemExit("bye")


def recurse(felt: Felt) -> None:
    recurse(felt)


def flood(felt: Felt) -> None:
    felt.events.extend(felt.events[:1] * 100_001)


def clear_the_table(felt: Felt) -> None:
    felt.staked.clear()
    felt.pay("1", "ante", 5000, "win", "G1")


def pay_by_chance(felt: Felt) -> None:
    for (seat, spot), amount in felt.staked.items():
        felt.pay(seat, spot, CHANCE.randrange(2 * amount), "win", "G1")


MOVES = {
    end_the_process: "its code raised SystemExit",
    recurse: "",
    flood: "100000 at most",
    clear_the_table: "without a stake",
    pay_by_chance: "when they were played again",
}


@pytest.mark.parametrize(("do", "reason"), MOVES.items(), ids=lambda one: getattr(one, "__name__", ""))
def test_a_hand_that_misbehaves_at_a_move_is_void_and_other_tables_go_on(tmp_path, caplog, do, reason):
    with house_with_bet(tmp_path, after_the_first_move(do)) as (house, table, before):
        house.wait(25)
        with caplog.at_level(logging.ERROR):
            assert "The hand is void" in house.says("anna play 4", table=table)
        assert (house.chips("anna"), everything(house)) == (before, 0)
        assert "of faulty is void" in caplog.text
        (act,) = [act for act in rows_of(house.books, AuditRow) if act.act == "void"]
        assert act.reason.startswith("a fault of the house (faulty")
        assert reason in act.reason
        assert house.deal("bea bet 10") is not None
        assert house.faults() == []


def ask_nobody(felt: Felt) -> Script:
    felt.place_all()
    yield {"99": (Offer("fold"),)}


def ask_for_nothing(felt: Felt) -> Script:
    felt.place_all()
    yield {"1": ()}


def ask_with_a_number(felt: Felt) -> Script:
    felt.place_all()
    yield 5  # type: ignore[misc]


def ask_for_a_negative_stake(felt: Felt) -> Script:
    felt.place_all()
    yield from felt.ask_each({"1": (Offer("fold", stake=-5000, spot="play"),)}, timeout="fold")


def answer_no_generator(felt: Felt) -> Script:
    return None  # type: ignore[return-value]


@pytest.mark.parametrize(
    "script",
    [
        ask_nobody,
        ask_for_nothing,
        ask_with_a_number,
        ask_for_a_negative_stake,
        answer_no_generator,
    ],
)
def test_a_script_that_asks_wrongly_loses_its_hand(tmp_path, script):
    with house_with_bet(tmp_path, script) as (house, table, before):
        house.wait(25)
        screen(house.writer.state, house.table(table), house.player("anna"), house.clock.now)
        house.do("anna fold", table=table)
        house.wait(100)
        assert (house.chips("anna"), everything(house)) == (before, 0)
        assert [act.act for act in rows_of(house.books, AuditRow) if act.act == "void"] != []
        assert house.deal("bea bet 10") is not None
        assert house.faults() == []


def loop(*about: object) -> object:
    while True:
        pass


def leave(*about: object) -> object:
    raise SystemExit


@pytest.mark.parametrize("do", [loop, leave])
@pytest.mark.parametrize("part", ["piles", "result"])
@pytest.mark.usefixtures("short_budget")
def test_a_presenter_that_loops_or_ends_the_process_leaves_a_sentence(tmp_path, caplog, monkeypatch, part, do):
    monkeypatch.setattr(build, "_told", set())
    with installed(plugin_with(presenter=changed(PLUGINS["uth"].presenter, **{part: do}))):
        house = House(tmp_path)
        table = table_of(house, "faulty").id
        house.deal("anna bet 50", table=table)
        house.wait(400)
        shown = screen(house.writer.state, house.table(table), house.player("anna"), house.clock.now)
        assert "cannot be shown" in say(shown.headline, "en")
        assert "a screen of faulty failed" in caplog.text
        assert screen(house.writer.state, house.table(), None, house.clock.now).bets
        house.is_spoilt = True
        house.close()


@pytest.mark.parametrize("script", [lambda felt: loop(), after_the_first_move(loop)], ids=["at the deal", "at a move"])
@pytest.mark.usefixtures("short_budget")
def test_a_lesson_whose_script_loops_is_answered(tmp_path, script):
    with installed(plugin_with_script(script)):
        house = House(tmp_path)
        house.is_spoilt = True
        house.do("anna learn faulty ante play 4")
        assert WATCHDOG.stopped == {"faulty": 1}
        assert house.deal("bea bet 10") is not None
        house.close()


def test_a_strategy_that_ends_the_process_is_a_fault_of_its_game():
    with pytest.raises(Escaped, match="its code raised SystemExit"):
        WATCHDOG.run("faulty", leave)


@pytest.mark.usefixtures("short_budget")
def test_a_script_that_catches_its_stops_is_stopped_again():
    caught = list[BaseException]()

    def be_stubborn():
        while len(caught) < 30:
            try:
                loop()
            except BaseException as stop:
                caught.append(stop)
        loop()

    with pytest.raises(OverBudget, match="ran for more than"):
        WATCHDOG.run("faulty", be_stubborn)
    assert len(caught) > 1
    assert WATCHDOG.run("faulty", lambda: sum(range(100_000))) == 4999950000
