"""A game that pays wrongly: its hand is void, stakes come back, and inspectors read the game and the reason."""

import logging
from dataclasses import replace

import pytest

from bot.games import FACES
from storage.rows import AuditRow
from tests.core.conftest import House
from tests.disk import rows_of
from tests.games.test_faulty_game import everything, face_with, table_of
from tests.games.toys import installed


def pays_half_a_unit_more(felt):
    script = FACES["uth"].game.script
    pay = felt.pay

    def wrongly(seat, spot, amount, *args, **more):
        pay(seat, spot, amount + 0.5, *args, **more)

    felt.pay = wrongly
    yield from script(felt)


def pays_twice(felt):
    pay = felt.pay

    def again(*args, **more):
        pay(*args, **more)
        pay(*args, **more)

    felt.pay = again
    yield from FACES["uth"].game.script(felt)


@pytest.mark.parametrize(
    ("script", "reason"), [(pays_half_a_unit_more, "no whole number"), (pays_twice, "was paid twice")]
)
def test_a_hand_that_is_paid_wrongly_is_void(tmp_path, caplog, script, reason):
    face = face_with()
    game = replace(face.game, script=script)
    with installed(replace(face, game=game, simulation=replace(face.simulation, game=game))):
        house = House(tmp_path)
        house.is_spoilt = True
        table = table_of(house, "faulty").id
        house.do("anna balance")
        before = house.chips("anna")
        house.do("anna bet 50", table=table)
        house.wait(25)
        with caplog.at_level(logging.ERROR):
            house.do("anna play 4", table=table)
            house.wait(60)
        assert (house.chips("anna"), everything(house)) == (before, 0)
        (act,) = [act for act in rows_of(house.books, AuditRow) if act.act == "void"]
        assert act.reason.startswith("a fault of the house (faulty: ")
        assert reason in act.reason
        assert "of faulty is void" in caplog.text
        house.close()


def play_hand(house):
    table = table_of(house, "faulty").id
    house.do("anna bet 50", table=table)
    house.wait(25)
    house.do("anna play 4", table=table)
    house.wait(60)
    return house.table(table)


def test_a_stored_hand_whose_payments_break_a_law_stays_readable_and_the_doctor_names_it(tmp_path):
    face = face_with()
    with installed(face):
        house = House(tmp_path)
        number = play_hand(house).last_hand
        house.close()
    game = replace(face.game, script=pays_twice)
    with installed(replace(face, game=game, simulation=replace(face.simulation, game=game))):
        house = House(tmp_path)
        house.is_spoilt = True
        assert house.table(table_of(house, "faulty").id).last.is_over
        faults = [fault for fault in house.faults() if "break a law" in fault]
        assert len(faults) == 1
        assert faults[0].startswith(f"Hand {number}: ")
        assert "was paid twice" in faults[0]
        house.close()
