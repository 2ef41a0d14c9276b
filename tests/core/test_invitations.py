"""Private tables: only invited players can bet, and an invitation is for one person and a day."""

import re

import pytest

from tests.core.conftest import BUY_IN, CARIBBEAN, STUD, TABLES, UTH

FIRST = {**BUY_IN, "paiju": "bet south 50", "puntobanco": "bet punto 50", "roulette": "bet red 50"}


def code_in(text):
    (code,) = re.findall(r"/accept (\S+)", text)
    return code


@pytest.mark.parametrize("game", list(TABLES))
def test_only_who_is_invited_plays(house, game):
    table, bet = TABLES[game], FIRST.get(game, "bet 50")
    assert not house.do("insp table private on", table=table).refused
    said = house.says(f"anna {bet}", table=table)
    assert said == "This table is for invited players. Its inspectors invite with /table invite."
    assert house.do("anna sit", table=table).refused
    assert "can now play at this table" in house.says("insp table invite anna", table=table)
    assert not house.do(f"anna {bet}", table=table).refused


def test_who_is_there_already_is_invited_and_plays_on(house):
    house.deal("anna bet 50", "bea bet 50")
    house.do("insp table private on")
    assert not house.do("anna raise").refused
    house.do("bea fold")
    assert not house.do("anna bet 50").refused
    assert house.do("cleo bet 50").refused
    house.do("insp table private off")
    assert not house.do("cleo bet 50").refused


def test_an_invitation_is_for_the_first_who_accepts_it(house):
    house.do("insp table private on")
    code = code_in(house.says("insp table invite"))
    said = house.says(f"anna accept {code.lower()}", table=UTH)
    assert f"You are invited to table {CARIBBEAN} of Lounge, Caribbean Stud" in said
    assert house.says(f"bea accept {code}") == "That invitation has been used or has expired. Ask for a new one."
    assert not house.do("anna bet 50").refused
    assert house.do("bea bet 50").refused


def test_it_lasts_a_day(house):
    house.do("insp table private on")
    code = code_in(house.says("insp table invite"))
    house.wait(25 * 3600)
    assert house.do(f"anna accept {code}").refused


def test_at_a_private_table_inspectors_alone_invite(house):
    house.do("anna bet 50")
    house.do("insp table private on")
    assert house.says("anna invite") == "This table is private. Its inspectors invite with /table invite."
    assert house.do("anna table private off").refused


def test_to_an_open_table_anybody_shows_the_way(house):
    code = code_in(house.says("anna invite"))
    assert f"You are invited to table {CARIBBEAN}" in house.says(f"bea accept {code}", table=STUD)
    assert house.table(CARIBBEAN).invited is None


def test_it_is_kept_over_a_restart_and_stands_in_the_audit(house):
    house.do("insp table private on")
    code = code_in(house.says("insp table invite"))
    house.restart()
    assert house.do("anna bet 50").refused
    house.do(f"anna accept {code}")
    assert not house.do("anna bet 50").refused
    assert "Private table" in house.says("insp audit")


def test_a_code_stands_in_no_error_and_in_nobody_elses_answer(house):
    code = code_in(house.says("insp table invite"))
    assert code not in repr(house.table())
    assert code not in "".join(house.says(f"bea {line}") for line in ("tables", "rules table", "history"))


def test_its_hands_are_shown_nowhere_else(house):
    house.deal("anna bet 50", "bea bet 50")
    number = house.table().round.hand_id
    house.do("insp table private on")
    house.do("anna raise")
    house.do("bea fold")
    assert "is shown only there" in house.says(f"anna share {number}", table=UTH)
    assert house.do(f"anna share {number}").shared_post is not None


def test_there_are_not_endlessly_many(house):
    for _time in range(20):
        assert not house.do("anna invite").refused
    assert "already has 20 open invitations" in house.says("anna invite")
