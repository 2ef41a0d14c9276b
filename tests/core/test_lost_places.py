"""Tables whose place is lost: they wait a day for it or another (G10), whatever starts, moves or resumes meanwhile."""

import pytest

from bot.core.state.table import WAITS_S
from tests.core.communities import do, found, internal_command, table_at

HERE = "discord:1"


@pytest.fixture
def town(house):
    """A Discord server with a table of Ultimate Texas Hold'em, where two players have cards."""
    found(house, HERE, "uth")
    for name in ("anna", "beppe"):
        assert not do(house, f"{name} bet 50", HERE).refused
    house.wait(table_at(house, HERE).round.deadline - house.clock.now)
    assert table_at(house, HERE).phase == "playing"
    return house


def left(house):
    return table_at(house, HERE).round.deadline - house.clock.now


def test_G10_a_dealt_hand_waits_for_its_place_through_a_restart(town):
    internal_command(town, HERE, "lose")
    town.clock.now += 100
    town.restart()
    assert left(town) == WAITS_S - 100
    internal_command(town, HERE, "regain")
    assert left(town) == 30


def test_G10_a_restart_at_the_end_of_the_wait_gives_everybody_their_time(town):
    internal_command(town, HERE, "lose")
    town.clock.now += WAITS_S - 5
    town.restart()
    assert left(town) == 30


def test_G10_what_is_not_lost_is_not_found_again(town, no_errors):
    town.clock.now += 10
    internal_command(town, HERE, "regain")
    internal_command(town, "discord:99", "regain")
    assert left(town) == 20


@pytest.mark.parametrize("first", ["close", "lose"])
@pytest.mark.parametrize("comes_back", [True, False])
def test_a_table_that_is_closed_and_lost_closes_with_its_hand(town, no_errors, first, comes_back):
    """The order does not matter, nor whether its place is found again or the hand ends by time-outs."""
    steps = {
        "close": lambda: do(town, "insp table close tidying up", HERE, sure=True),
        "lose": lambda: internal_command(town, HERE, "lose"),
    }
    for step in sorted(steps, key=lambda step: step != first):
        assert not steps[step]().refused
    # The table keeps its place, so another table of the game is new.
    internal_command(town, "discord:2", "enter", "1")
    assert not do(town, "insp table open uth", "discord:2").refused
    assert table_at(town, "discord:2").id != table_at(town, HERE).id
    if comes_back:
        internal_command(town, HERE, "regain")
        assert left(town) == 30
    town.wait(WAITS_S + 100)
    assert table_at(town, HERE).status == "closed"
    internal_command(town, HERE, "regain")
    assert not do(town, "insp table open paiju", HERE).refused


def test_a_table_of_older_books_that_waits_for_no_hand_to_close_can_be_closed(town):
    do(town, f"insp void {table_at(town, HERE).round.hand_id} a test", HERE, sure=True)
    table = table_at(town, HERE)
    town.writer.state.tables[table.id] = table.change(status="closing")
    assert not do(town, "insp table close tidying up", HERE, sure=True).refused
    assert table_at(town, HERE).status == "closed"


def test_G10_who_gets_through_plays_and_hurries_nobody(town):
    """A new round of choices sets the clock; a player who cannot see the table still has the day."""
    internal_command(town, HERE, "lose")
    for name in ("anna", "beppe"):
        assert not do(town, f"{name} check", HERE).refused
    assert table_at(town, HERE).round.hand.asks
    assert left(town) == WAITS_S


def test_G10_a_private_chat_leads_to_a_held_hand_though_nobody_has_read_it_since_the_start(town):
    internal_command(town, HERE, "lose")
    town.restart()
    assert not do(town, "anna check", "discord:").refused


def test_G10_an_inspector_who_decides_about_paijus_cards_hurries_nobody(house):
    """The time to reveal (PJ12) begins when the table is found again."""
    found(house, HERE, "paiju")
    for line in ("anna bet south 20", "beppe bet south 20", "anna squeeze", "beppe squeeze"):
        assert not do(house, line, HERE).refused
    house.wait(left(house))
    internal_command(house, HERE, "lose")
    assert not do(house, "insp table turner south anna", HERE).refused
    assert table_at(house, HERE).round.turning["south"]
    assert left(house) == WAITS_S


def test_G10_an_inspector_who_resumes_a_lost_table_has_found_it(town):
    internal_command(town, HERE, "lose")
    assert not do(town, "insp table resume", HERE).refused
    assert table_at(town, HERE).status == "open"
    assert left(town) == 30


def test_G10_a_resumed_table_whose_place_is_lost_again_returns_its_bets(town):
    internal_command(town, HERE, "lose")
    do(town, "insp table resume", HERE)
    town.wait(200)
    assert not do(town, "anna bet 50", HERE).refused
    internal_command(town, HERE, "lose")
    assert table_at(town, HERE).status == "paused"
    assert table_at(town, HERE).round.bets == ()
