"""Pages of `/settings`: their choices and buttons, and that only inspectors see them."""

import pytest

from bot.core.admin.settings import page_after
from bot.core.command_list import CHAT_COMMANDS
from bot.core.commands.command import Choice
from bot.core.commands.picks import pick_player
from bot.core.commands.registry import CommandFlag
from tests.core.communities import casino_at, do, found, internal_command, says
from tests.core.communities import player as player_at
from tests.core.conftest import BLACKJACK, CARIBBEAN, PAIJU, STUD, TABLES, UTH

PAGES = (
    "",
    "tables",
    *(f"table {table}" for table in TABLES.values()),
    f"options {BLACKJACK}",
    f"option {CARIBBEAN} minimum",
    f"pick {BLACKJACK} 1 table refuse",
    "jackpot",
    "jackpot hand_pay",
    "jackpot history",
    "people",
    "rules",
    "sharing",
    "log",
    "kinds",
)
# A platform's settings message has a button of its own besides these.
MOST_BUTTONS = 19
# Commands whose answer is a page, and the panel's own.
READ_ON_PAGES = {"audit": "log", "table list": "tables", "meter history": "jackpot history"}
PANEL = {"setup", "settings"}


def walk(house, place=None, most=400):
    """Turn every page that an inspector can reach from the first one, and return what all buttons say."""
    waiting, pages, said = [()], set[tuple[str, ...]](), list[Choice]()
    while waiting and len(pages) < most:
        page = waiting.pop(0)
        if page in pages:
            continue
        pages.add(page)
        line = " ".join(("insp settings", *page))
        answer = do(house, line, place) if place else house.do(line)
        assert not answer.refused, (page, answer)
        assert len(answer.choices) <= MOST_BUTTONS, page
        for one in answer.choices:
            if one.verb == "settings":
                waiting += [one.args] if one.asks is None else []
            else:
                said.append(one)
    return {" ".join(page) for page in pages}, said


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
    for page in (*PAGES, f"person {id}", f"hands {id}", f"option {BLACKJACK} decks"):
        for one in house.do(f"insp settings {page}".strip()).choices:
            if one.turns and one.asks is None:
                assert not house.do(" ".join(("insp settings", *one.args)).strip()).refused, one
            elif one.asks is None:
                line = " ".join(("insp", one.verb, *one.args))
                answer = house.do(line, table=one.at or CARIBBEAN)
                assert not answer.refused or answer.confirm, (line, answer)


@pytest.mark.parametrize("house", ["full house"], indirect=True)
def test_every_command_of_inspectors_is_a_button_of_some_page(house):
    """One evening has it all: a settled hand and one in play, a waiting prize, equal highest bets, a ban."""
    for name in ("bea", "cat", "dan"):
        house.do(f"{name} balance")
        house.do(f"insp inspector add {name}", sure=True)
    house.do("insp meter set hand_pay keys why", sure=True)
    house.deal("anna bet 50 jackpot")
    house.do("anna raise")
    house.do("insp ban anna cheating", sure=True)
    pages, said = walk(house)
    house.do("insp unban anna we talked")
    house.do("insp inspector remove bea why", sure=True)
    assert not house.do("insp tournament schedule holdem 20:00 2").refused
    announced = next(table for table in house.writer.state.tables.values() if table.tournament is not None)
    assert not house.do(f"ben tournament join {announced.number}").refused
    house.deal("ben bet 50", table=UTH)
    house.do("insp table private on", table=STUD)
    house.do("insp table set squeeze on why", table=PAIJU)
    house.do("insp table pause why", table=BLACKJACK)
    for line in ("eva bet south 20", "ben bet south 20", "eva squeeze", "ben squeeze"):
        assert not house.do(line, table=PAIJU).refused, line
    house.wait(house.table(PAIJU).round.deadline - house.clock.now)
    more, also = walk(house)
    said += also
    found(house, "discord:1", "caribbean")
    found(house, "discord:2")
    said += [one for place in ("discord:1", "discord:2") for one in walk(house, place)[1]]
    reached = {one.verb for one in said} | {name for name, page in READ_ON_PAGES.items() if page in pages | more}
    wanted = {name for name, verb in CHAT_COMMANDS.items() if verb.group == "inspectors"} - PANEL
    assert wanted - reached == {"house leave"}, "which only a community that has joined is offered"
    assert {one.args[1:] for one in said if one.verb == "void"} == {(), ("1",)}, "the whole hand, and one seat of it"


def test_each_command_of_inspectors_has_a_name_for_its_button():
    unnamed = [name for name, verb in CHAT_COMMANDS.items() if verb.group == "inspectors" and verb.button is None]
    assert unnamed == []


def test_the_options_of_a_table_fit_the_buttons_of_a_message_and_all_are_there(house):
    shown = [
        one.args[2]
        for page in (1, 2)
        for one in house.do(f"insp settings options {BLACKJACK} {page}").choices
        if one.args[:1] == ("option",)
    ]
    assert len(shown) == len(set(shown)) == 20


def test_a_hand_is_corrected_from_the_page_of_who_played_it(house):
    house.deal("anna bet 50")
    house.do("anna fold")
    id = house.player("anna")
    (one,) = [one for one in house.do(f"insp settings hands {id}").choices if one.verb == "adjust"]
    assert str(one.label) == f"Hand {CARIBBEAN}, Caribbean Stud: -50"
    assert "With a minus, the player pays the bank." in str(one.asks)
    line = " ".join(("insp", one.verb, *one.args, "50 wrong limit"))
    assert house.says(line, sure=True) == "anna has 1,000 now."
    assert page_after(one.verb, one.args, 0) == ("person", str(id))


def test_the_seat_of_a_co_player_is_picked_whatever_their_name_is(house):
    house.deal("anna bet 50", "bea bet 1 50", table=BLACKJACK)
    hand = house.table(BLACKJACK).round.hand_id
    choices = house.do(f"insp settings void {BLACKJACK}").choices
    (one,) = [one for one in choices if str(one.label) == "Void seat 1: bea"]
    assert one.args == (str(hand), f"1/{pick_player(house.player('bea'))}")
    line = " ".join(("insp", one.verb, *one.args, "a card fell"))
    asked = str(house.do(line).texts[0])
    assert asked.startswith(f"Void seat 1 of hand {hand}? The bank returns 50 to bea")
    assert not house.do(line, sure=True).refused
    assert house.chips("bea") == 100_000


def test_the_log_is_read_by_person_and_by_kind(house):
    for name in ("anna", "bea"):
        house.do(f"{name} balance")
        house.do(f"insp grant {name} 5 a prize", sure=True)
    house.do("insp ban bea shouting", sure=True)
    by_kind = next(one for one in house.do("insp settings kinds").choices if str(one.label) == "Player banned")
    assert house.says(" ".join(("insp", by_kind.verb, *by_kind.args))).count("(") == 1
    told = house.says(f"insp settings log 1 {house.player('anna')}")
    assert "anna, 1,000 → 1,005" in told
    assert "bea" not in told


def test_many_people_are_paged_and_found_by_a_part_of_their_names(house):
    for number in range(11):
        house.do(f"player{number} balance")
    first = house.do("insp settings people")
    labels = [str(one.label) for one in first.choices]
    assert len([label for label in labels if label.endswith("chips")]) == 8
    assert "More ›" in labels
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


def test_who_joined_another_casino_runs_its_own_tables_and_moves_no_chips(house):
    found(house, "discord:1", "caribbean")
    found(house, "telegram:2", "paiju")
    code = says(house, "insp house code friends", "discord:1").split("The code is ")[1].split(".")[0]
    assert not do(house, f"guest house join {code} friends", "telegram:2", sure=True, inspector=True).refused
    assert casino_at(house, "telegram:2") == casino_at(house, "discord:1")
    internal_command(house, "telegram:2", "back")
    labels = [str(one.label) for one in do(house, "guest settings", "telegram:2", inspector=True).choices]
    assert labels == ["Tables", "People", "Shared casino", "Audit log"]
    do(house, "anna balance", "telegram:2")
    anna = player_at(house, "anna@telegram:2")
    said = {
        one.verb
        for page in ("sharing", "log", f"person {anna}")
        for one in do(house, f"guest settings {page}", "telegram:2", inspector=True).choices
    }
    assert {"ban", "name reset", "house leave"} <= said
    assert not any(CommandFlag.FOUNDERS in CHAT_COMMANDS[verb].flags for verb in said)
    tables = [str(one.label) for one in do(house, "guest settings tables", "telegram:2", inspector=True).choices]
    assert "Paiju" in " ".join(tables)
    assert "Caribbean" not in " ".join(tables)
    for page in (f"hands {anna}", "rules", "jackpot"):
        assert do(house, f"guest settings {page}", "telegram:2", inspector=True).refused


def test_an_option_that_needs_another_one_is_offered_and_accepted_only_with_it(house):
    table = TABLES["holdem"]

    def offered():
        pages = [house.do(f"insp settings options {table} {page}") for page in (1, 2)]
        return [choice.args[-1:] for page in pages for choice in page.choices]

    assert ("ante_from",) not in offered()
    told = "Ante from has no effect without Ante. Set Ante first."
    assert house.says("insp table set ante_from big-blind why", table=table) == told
    assert not house.do("insp table set ante 1 why", table=table).refused
    assert ("ante_from",) in offered()
    assert not house.do("insp table set ante_from big-blind why", table=table).refused
    assert house.says("insp table open holdem ante_from big-blind why", table=table) == told
    assert not house.do("insp table open holdem ante_from big-blind ante 1 why", table=table).refused
