"""A game that pays wrongly: its hand is void, stakes come back, and inspectors read the game and the reason."""

import logging

import pytest

from bot.games import PLUGINS
from bot.texts import say
from bot.view.build import screen
from storage.rows import AuditRow
from tests.core.conftest import House
from tests.disk import rows_of
from tests.games.test_faulty_game import everything, house_with_bet, plugin_with, plugin_with_script, table_of
from tests.games.toys import installed


def pays_half_a_unit_more(felt):
    script = PLUGINS["uth"].game.script
    pay = felt.pay

    def wrongly(seat, spot, amount, *args, **more):
        pay(seat, spot, amount + 0.5, *args, **more)

    felt.pay = wrongly
    yield from script(felt)


def pays_nothing(felt):
    felt.pay = lambda *args, **more: None
    yield from PLUGINS["uth"].game.script(felt)


def pays_twice(felt):
    pay = felt.pay

    def again(*args, **more):
        pay(*args, **more)
        pay(*args, **more)

    felt.pay = again
    yield from PLUGINS["uth"].game.script(felt)


@pytest.mark.parametrize(
    ("script", "reason"), [(pays_half_a_unit_more, "no whole number"), (pays_twice, "was paid twice")]
)
def test_a_hand_that_is_paid_wrongly_is_void(tmp_path, caplog, script, reason):
    with house_with_bet(tmp_path, script) as (house, table, before):
        house.wait(25)
        with caplog.at_level(logging.ERROR):
            house.do("anna play 4", table=table)
            house.wait(60)
        assert (house.chips("anna"), everything(house)) == (before, 0)
        (act,) = [act for act in rows_of(house.books, AuditRow) if act.act == "void"]
        assert act.reason.startswith("a fault of the house (faulty: ")
        assert reason in act.reason
        assert "of faulty is void" in caplog.text
        shown = screen(house.writer.state, house.table(table), None, house.clock.now)
        assert "is void because of an error in Faulty" in say(shown.lines[0], "en")


def play_hand(house):
    table = table_of(house, "faulty").id
    house.do("anna bet 50", table=table)
    house.wait(25)
    house.do("anna play 4", table=table)
    house.wait(60)
    return house.table(table)


@pytest.mark.parametrize(("script", "reason"), [(pays_nothing, "was not paid"), (pays_twice, "was paid twice")])
def test_a_stored_hand_whose_payments_break_a_law_stays_readable_and_the_doctor_names_it(tmp_path, script, reason):
    with installed(plugin_with()):
        house = House(tmp_path)
        number = play_hand(house).last_hand
        house.close()
    with installed(plugin_with_script(script)):
        house = House(tmp_path)
        house.is_spoilt = True
        assert house.table(table_of(house, "faulty").id).last.is_over
        faults = [fault for fault in house.faults() if "break a law" in fault]
        assert len(faults) == 1
        assert faults[0].startswith(f"Hand {number}: ")
        assert reason in faults[0]
        house.close()


class Flaw:
    """Make a game pay every spot twice while `is_on`."""

    is_on = True

    def __call__(self, felt):
        return pays_twice(felt) if self.is_on else PLUGINS["uth"].game.script(felt)


def tables_of(house):
    return [table for table in house.writer.state.tables.values() if table.game == "faulty"]


def test_three_faulty_hands_in_a_row_close_the_tables_of_their_game_until_an_inspector_resumes_one(tmp_path):
    flaw = Flaw()
    with installed(plugin_with_script(flaw)):
        house = House(tmp_path)
        house.is_spoilt = True
        house.do("insp table open faulty")
        first, second = tables_of(house)
        for is_on in (True, True, False, True, True):
            flaw.is_on = is_on
            assert play_hand(house).status == "open"
        house.do("anna bet 50", table=first.id)
        house.wait(25)
        assert not house.do("bea bet 20", table=second.id).refused
        before = house.chips("bea")
        house.do("anna play 4", table=first.id)
        assert [house.table(one.id).status for one in (first, second)] == ["paused", "paused"]
        assert (house.chips("bea") - before, everything(house)) == (4000, 0)
        for table in (first, second):
            shown = screen(house.writer.state, house.table(table.id), None, house.clock.now + 3600)
            assert say(shown.lines[0], "en").startswith("Three Faulty hands in a row failed")
        assert house.deal("anna bet 50", "bea bet 10") is not None, "other games play on"
        acts = [act.subject for act in rows_of(house.books, AuditRow) if act.act == "table pause"]
        assert acts == [f"table {first.number}", f"table {second.number}"]
        flaw.is_on = False
        assert "paused until an inspector resumes it" in house.says("anna bet 50", table=first.id)
        assert not house.do("insp table resume", table=first.id).refused
        assert play_hand(house).last.is_over
        house.close()
