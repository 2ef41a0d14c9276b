"""Pages of `/settings`: what they offer, what their buttons say, and that nobody else is shown them."""

import pytest

from bot.core.admin.settings import page_after
from bot.core.commands.picks import pick_player
from tests.core.communities import casino_at, do, errand, found, says
from tests.core.conftest import BLACKJACK, CARIBBEAN

PAGES = ("", "tables", f"table {CARIBBEAN}", f"option {CARIBBEAN} minimum", "jackpot", "people", "rules", "log")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_for_inspectors_and_changes_nothing(house, page):
    house.do("anna balance")
    assert house.says(f"anna settings {page}".strip()) == "Only inspectors can do that."
    before = house.writer.state.table(CARIBBEAN)
    answer = house.do(f"insp settings {page}".strip())
    assert not answer.refused
    assert answer.choices
    assert house.writer.state.table(CARIBBEAN) == before


def test_every_button_of_a_page_leads_on_or_says_what_it_lacks(house):
    house.do("anna balance")
    id = house.player("anna")
    for page in (*PAGES, f"person {id}", f"table {BLACKJACK}", f"option {BLACKJACK} decks", "jackpot history"):
        for one in house.do(f"insp settings {page}".strip()).choices:
            if one.turns and one.asks is None:
                assert not house.do(" ".join(("insp settings", *one.args)).strip()).refused, one
            elif one.asks is None:
                line = " ".join(("insp", one.verb, *one.args))
                answer = house.do(line, table=one.at or CARIBBEAN)
                assert not answer.refused or answer.confirm, (line, answer)


def test_many_people_are_paged_and_found_by_a_part_of_their_names(house):
    for number in range(11):
        house.do(f"player{number} balance")
    first = house.do("insp settings people")
    labels = [str(one.label) for one in first.choices]
    assert len([label for label in labels if label.endswith("chips")]) == 8
    assert "More ›" in labels
    second = [str(one.label) for one in house.do("insp settings people 2").choices]
    assert len([label for label in second if label.endswith("chips")]) == 4
    assert "‹ Back" in second
    found_ones = [str(one.label) for one in house.do("insp settings people 1 ER1").choices]
    assert [label for label in found_ones if label.endswith("chips")] == [
        "player1, 1,000 chips",
        "player10, 1,000 chips",
    ]


def test_an_act_comes_back_to_its_page():
    assert page_after("table set", ("minimum", "20", "why"), 3) == ("option", "3", "minimum")
    assert page_after("table close", ("why",), 3) == ("table", "3")
    assert page_after("grant", (pick_player(7), "50", "why"), 0) == ("person", "7")
    assert page_after("meter reset", ("why",), 0) == ("jackpot",)
    assert page_after("house set", ("daily", "100", "why"), 0) == ("rules",)


def test_who_joined_another_casino_is_shown_its_own_tables_and_no_chips(house):
    found(house, "discord:1", "caribbean")
    found(house, "telegram:2", "paiju")
    code = says(house, "insp house code friends", "discord:1").split("The code is ")[1].split(".")[0]
    assert not do(house, f"guest house join {code} friends", "telegram:2", sure=True, inspector=True).refused
    assert casino_at(house, "telegram:2") == casino_at(house, "discord:1")
    errand(house, "telegram:2", "back")
    labels = [str(one.label) for one in do(house, "guest settings", "telegram:2", inspector=True).choices]
    assert labels == ["Tables", "Audit log"]
    tables = [str(one.label) for one in do(house, "guest settings tables", "telegram:2", inspector=True).choices]
    assert "Paiju" in " ".join(tables)
    assert "Caribbean" not in " ".join(tables)
    for page in ("people", "person 1", "rules", "jackpot"):
        assert do(house, f"guest settings {page}", "telegram:2", inspector=True).refused
