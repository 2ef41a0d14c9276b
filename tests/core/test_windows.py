"""The lounge as a window on a community's tables: for linked people only, with the community's chips and rights.

Its tables can be those of Discord and Telegram; its players are then linked people. A name picked in a browser gets no
wallet in a community.
"""

import pytest

from tests.core.communities import casino_at, do, found, internal_command, link, says, table_at, unlink, wallet
from tests.disk import ask

HERE, THERE = "discord:1", "telegram:1"
STRANGER = "There is no table here. An inspector opens one with /table open."


@pytest.fixture
def town(house):
    """A Discord server with a table; anna plays there and has linked the lounge's "annina"."""
    found(house, HERE, "caribbean")
    do(house, "anna balance", HERE)
    house.wait(1)
    do(house, "annina balance", "web:1")
    assert not link(house, f"anna@{HERE}", "annina@web:1").refused
    return house


def window(house, at=HERE):
    return f"web:{table_at(house, at).id}"


def test_a_linked_person_bets_in_the_lounge_at_the_communitys_table_from_the_communitys_wallet(town):
    assert says(town, "annina bet 50", window(town)) == "Bet 50: ante. 950 left. Cards in 20 s."
    assert [bet.total for bet in table_at(town, HERE).round.bets] == [5000]
    assert wallet(town, f"anna@{HERE}") == 95_000
    assert says(town, "anna takeback", HERE) == "50 returned. You have 1,000."
    # The wallet of the lounge's own casino is a different one.
    do(town, "annina daily", "web:1")
    assert wallet(town, f"anna@{HERE}") == 100_000


def test_a_hand_is_played_and_verified_through_the_window(town):
    do(town, "annina bet 50", window(town))
    town.wait(20)
    hand = table_at(town, HERE).round.hand_id
    assert "Your cards" in says(town, "annina cards", window(town))
    assert not do(town, "annina fold", window(town)).refused
    assert do(town, f"annina verify {hand}", "web:lobby").file is not None
    assert "There is no hand" in says(town, f"bob verify {hand}", "web:lobby")


@pytest.mark.parametrize("line", ["bet 50", "sit", "balance", "cards", "tables", "leave", "table close why"])
def test_a_name_picked_in_a_browser_is_no_wallet_in_a_community(town, line):
    assert says(town, f"bob {line}", window(town)) == STRANGER
    casino = casino_at(town, HERE)
    assert ask(town.books, "SELECT count(*) FROM members WHERE casino = ?", casino)[0][0] == 2


@pytest.mark.parametrize("address", ["999", "x", "-1", "²", "9" * 30, "@1"])
def test_a_window_on_nothing_is_no_place(town, no_errors, address):
    assert do(town, "annina bet 50", f"web:{address}").refused


def test_the_lounges_operator_has_no_rights_in_a_community_and_its_named_inspectors_keep_theirs(town):
    assert says(town, "annina grant anna 5 why", window(town), inspector=True) == "Only inspectors can do that."
    assert says(town, "annina table set pace fast", window(town), inspector=True) == "Only inspectors can do that."
    assert not do(town, "insp inspector add anna she helps", HERE, sure=True).refused
    assert not do(town, "annina table set pace fast", window(town)).refused


def test_who_unlinks_looks_through_no_window_any_more(town):
    assert not unlink(town, "annina@web:1").refused
    assert says(town, "annina bet 50", window(town)) == STRANGER


def test_where_the_lounges_account_is_the_older_its_person_still_finds_their_communities(house):
    found(house, HERE, "caribbean")
    do(house, "annina balance", "web:1")
    house.wait(1)
    do(house, "anna balance", HERE)
    link(house, "annina@web:1", f"anna@{HERE}")
    assert not do(house, "annina bet 50", window(house)).refused
    assert says(house, "anna balance", "discord:") == "You have 950 chips."


def test_a_communitys_ban_and_its_founders_hold_at_the_window_too(town):
    found(town, THERE, "caribbean")
    do(town, "anna balance", THERE)
    do(town, "annina balance", "web:1")
    link(town, f"anna@{HERE}", f"anna@{THERE}")
    code = says(town, "insp house code", HERE).split()[3].rstrip(".")
    do(town, f"insp2 house join {code}", THERE, sure=True)
    do(town, "anna balance", THERE)
    assert not do(town, "annina bet 10", window(town, THERE)).refused
    do(town, "annina takeback", window(town, THERE))
    do(town, "insp2 inspector add anna she helps", THERE, sure=True)
    assert not do(town, "insp2 ban anna cheating", THERE, sure=True).refused
    assert "of this community" in says(town, "annina bet 10", window(town, THERE))
    assert not do(town, "annina bet 10", window(town)).refused


def test_a_hand_whose_place_is_gone_is_finished_in_the_lounge(town):
    """A hand may be finished in a direct message or in the lounge (G10)."""
    do(town, "anna bet 50", HERE)
    town.wait(20)
    at = window(town)
    table = table_at(town, HERE).id
    internal_command(town, HERE, "lose", "gone")
    assert not do(town, "annina raise", at).refused
    assert town.table(table).round.hand is None
