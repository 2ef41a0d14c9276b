"""Acts of inspectors: their effects, confirmations of destructive ones, and entries in the audit log."""

import pytest

from bot.core.casinos.places import internal_command_of
from bot.core.command_list import CHAT_COMMANDS
from bot.core.commands.table_options import options_at, settings_at
from bot.core.state.lounge import LOBBY
from bot.core.state.plays import PLAYS
from bot.texts import say_value
from engine.games import GAMES
from storage.ledger import LARGEST_DEBT, Draft
from tests.core.conftest import BLACKJACK, CARIBBEAN, HAND, PAIJU, STUD

FOR_INSPECTORS = [name for name, verb in CHAT_COMMANDS.items() if verb.group == "inspectors"]


@pytest.mark.parametrize("verb", FOR_INSPECTORS)
def test_nobody_else_may(house, no_errors, verb):
    assert house.says(f"anna {verb} anna 50 why", sure=True) == "Only inspectors can do that."


@pytest.mark.parametrize("verb", FOR_INSPECTORS)
def test_whatever_they_type_is_no_fault_of_the_house(house, no_errors, verb):
    for args in ("", "²", "nobody -5 why", "1 1 1 1"):
        answer = house.do(f"insp {verb} {args}")
        assert answer.texts
        assert "Something went wrong" not in str(answer.texts[0])


def test_an_inspector_by_name_is_one_wherever_they_speak(house):
    house.do("anna balance")
    assert house.says("insp inspector add anna") == (
        "Make anna an inspector of Lounge? Inspectors run tables, move chips, ban players and appoint others."
    )
    assert house.says("anna audit") == "Only inspectors can do that."
    assert house.says("insp inspector add anna", sure=True) == "anna is now an inspector."
    assert house.says("insp inspector add anna") == "anna is already an inspector."
    assert not house.do("anna audit").refused
    house.do("insp inspector remove anna done", sure=True)
    assert house.do("anna audit").refused


def test_G6_an_open_hand_is_voided_by_nobody_who_has_a_stake_in_it(house):
    house.deal("anna bet 50", "insp bet 10")
    assert house.do(f"insp void {HAND} bad cards", sure=True).clause == "G6"
    house.do("anna exchange 1", sure=True)
    asked = house.do(f"inspetta void #{HAND} bad cards")
    assert asked.confirm
    assert (
        house.says(f"inspetta void #{HAND} bad cards", sure=True) == f"Hand {HAND} is void. All stakes were returned."
    )
    assert (house.chips("anna"), house.chips("insp")) == (100_000, 100_000)
    assert house.do(f"inspetta void {HAND} again", sure=True).clause == "G6"
    assert f"inspetta: Hand voided, table {CARIBBEAN} hand {HAND} (bad cards)" in house.says("inspetta audit")
    assert house.do(f"anna verify {HAND}").file is not None


def test_chips_are_granted_and_taken_with_a_reason(house):
    house.do("anna balance")
    assert (
        house.says("insp grant anna 50", sure=True)
        == "Enter the player, the amount and the reason, for example /grant anna 50 prize."
    )
    assert house.says("insp grant anna 50 a prize") == "Give anna 50 chips? 1,000 → 1,050."
    assert house.chips("anna") == 100_000
    assert house.says("insp grant anna 50 a prize", sure=True) == "anna has 1,050 now."
    assert house.says("insp take anna 2000 why", sure=True) == "Only 1,050 can be taken."
    asked = house.do("insp take anna 1k why")
    assert asked.confirm
    assert str(asked.texts[0]) == "Take 1,000 chips from anna? 1,050 → 50."
    assert house.chips("anna") == 105_000
    assert house.says("insp take anna all why", sure=True) == "anna has 0 now."
    assert house.balances()["mint:1"] == -house.chips("insp")


def test_a_table_closes_after_its_hand(house):
    house.deal("anna bet 50")
    assert house.do("insp table close tired").confirm
    house.do("insp table close tired", sure=True)
    house.do("anna fold")
    assert house.table().status == "closed"
    assert house.says("anna bet 50") == "This table is closed."
    assert house.says("insp table close again", sure=True) == "This table is closed already."
    house.restart()
    assert house.table().status == "closed"


def test_a_table_that_closes_between_hands_returns_its_bets(house):
    house.do("anna bet 50")
    house.do("insp table close tired", sure=True)
    assert (house.chips("anna"), house.table().status) == (100_000, "closed")


def test_a_new_table_has_a_number_and_the_games_own_options(house):
    tables = set(house.writer.state.tables)
    assert house.says("insp table open caribbean").startswith(f"Table {len(tables) + 1} is open")
    (new,) = set(house.writer.state.tables) - tables
    assert not house.do("anna bet 50", table=new).refused
    house.restart()
    assert house.table(new).round.bets


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("minimum 20", "Minimum: 10 → 20."),
        ("pace slow", "Time to decide: normal → slow."),
        ("pace never", "Time to decide must be one of: fast, normal, slow, correspondence."),
        ("betting_s 4", "Betting time must be a number from 5 to 300."),
        (f"betting_s {'9' * 900}", "Betting time must be a number from 5 to 300."),
        ("seats 2", "Seats: 7 → 2."),
        ("minimum 2000", "The minimum must not be above the maximum."),
        ("minimum 12", "The minimum must be a multiple of the step."),
        ("coin 5", "This table has no option called coin."),
        ("colour red", "This table has no option called colour."),
        ("procedure manual", "Dealing: all at once → card by card."),
        ("procedure magic", "Dealing must be one of: shuffler, manual."),
        ("procedure shuffler why", "Dealing is already all at once."),
    ],
)
def test_options_are_checked_as_a_whole_before_they_stand(house, no_errors, line, answer):
    assert " | ".join(map(str, house.do(f"insp table set {line} why").texts)) == answer


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("penetration 50% why", "Penetration: 0 % → 50 %."),
        ("penetration 50 % why", "Penetration: 0 % → 50 %."),
        ("penetration 50 why", "Penetration: 0 % → 50 %."),
        ("penetration 5000 why", "Penetration: 0 % → 50 %."),
        ("penetration 12.5% why", "Penetration: 0 % → 12.50 %."),
        ("penetration abc why", "Penetration must be from 0 % to 75 %, for example 50 %."),
        ("penetration 80% why", "Penetration must be from 0 % to 75 %, for example 50 %."),
        ("minimum abc why", "Enter an amount like 50, 2.5, 1k, all, half or max."),
        ("decks 9 why", "Decks must be a number from 1 to 8."),
        ("double_soft on why", "Double on soft totals: off → on."),
        ("double_soft maybe why", "Double on soft totals must be on or off."),
        ("dealer_blackjack_takes some why", "Dealer's Black Jack wins must be one of: all, original."),
        ("blackjack_pays 6:5 why", "Black Jack pays: 3:2 → 6:5."),
        ("blackjack_pays six why", "Black Jack pays must be odds, for example 3:2."),
        ("DECKS 4 why", "Decks: 6 → 4."),
        ("decks", "Enter the option and its value, for example: minimum 20."),
        ("decks 4", "Add a reason. It goes into the audit log."),
        ("reveal_after 3 why", "This table has no option called reveal_after."),
    ],
)
def test_each_option_is_named_in_its_unit(house, no_errors, line, answer):
    assert " | ".join(map(str, house.do(f"insp table set {line}", table=BLACKJACK).texts)) == answer


def test_a_share_stands_as_basis_points_and_is_listed_as_percent_with_what_it_means(house):
    house.do("insp table set penetration 5000 why", table=BLACKJACK)
    assert house.table(BLACKJACK).options == {"penetration": 5000}
    listed = [str(text) for text in house.do("insp rules table", table=BLACKJACK).texts]
    means = "Share of the shoe dealt before a new one; 0 % means a new shoe for every hand (BJ7)."
    assert f"● Penetration: 50 % (default 0 %) · {means}" in listed
    assert "Seats: 7 · Seats at this table." in listed
    assert "Minimum: 10 · The minimum bet on a spot (G5)." in listed


def test_what_the_casino_keeps_is_listed_at_the_table_and_set_elsewhere(house):
    listed = [str(text) for text in house.do("insp rules table").texts]
    assert "Fixed prizes: four 500, full 100, flush 50 · The fixed prizes of the jackpot (CS19)." in listed
    assert house.says("insp table set fixed 5 why") == "This table has no option called fixed."


@pytest.mark.parametrize(
    ("line", "options", "settings", "reason"),
    [
        ("caribbean", {}, {}, ""),
        ("caribbean for the two of us", {}, {}, "for the two of us"),
        ("caribbean seats 5", {}, {"seats": 5}, ""),
        ("caribbean minimum 20 pace slow a quiet one", {"minimum": 2000}, {"pace": "slow"}, "a quiet one"),
        ("caribbean minimum 2k maximum 5k", {"minimum": 200_000, "maximum": 500_000}, {}, ""),
        ("blackjack penetration 50 % decks 8", {"penetration": 5000, "decks": 8}, {}, ""),
    ],
)
def test_a_table_opens_with_the_options_that_are_named(house, line, options, settings, reason):
    new = max(house.writer.state.tables) + 1
    assert house.says(f"insp table open {line}").startswith(f"Table {new} is open")
    assert house.table(new).options == options
    assert {name: vars(house.table(new).settings)[name] for name in settings} == settings
    told = str(house.do("insp audit").texts[0])
    assert f"Table opened, table {new}" in told
    assert told.endswith(f"({reason})") is bool(reason)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("caribbean seats 9", "Seats must be a number from 1 to 7."),
        ("caribbean pace slow seats 9 why", "Seats must be a number from 1 to 7."),
        ("caribbean seats", "Enter the option and its value, for example: minimum 20."),
        ("caribbean minimum 2000", "The minimum must not be above the maximum."),
        ("caribbean decks 4", "This table has no option called decks."),
        ("caribbean coin 5", "This table has no option called coin."),
        ("caribbean minimun 50 why", "This table has no option called minimun."),
    ],
)
def test_a_table_opens_as_it_was_asked_for_or_not_at_all(house, no_errors, line, answer):
    tables = dict(house.writer.state.tables)
    assert house.says(f"insp table open {line}") == answer
    assert house.writer.state.tables == tables


def test_a_reason_is_no_option_of_whatever_other_game_has_it_in_its_own_unit(house):
    own = {**options_at("caribbean"), **settings_at("caribbean")}
    for game in PLAYS:
        for name, option in options_at(game).items():
            value = say_value(option.unit.write(vars(GAMES[game].options())[name]), "en")
            answer = house.says(f"insp table open caribbean {name} {value}")
            assert name in own or answer == f"This table has no option called {name}.", (game, name, value)


def test_options_stand_while_bets_lie(house):
    house.do("anna bet 50")
    commit = house.table().round.commit
    assert house.says("insp table set minimum 20 why").startswith(
        "Minimum: 10 → 20. This applies from the next hand or shoe"
    )
    assert str(house.table().told(house.clock.now)) == (
        "An inspector changed a setting, from the next hand or shoe on: Minimum: 10 → 20."
    )
    assert not house.do("bea bet 10").refused
    house.wait(20)
    assert (house.table().round.commit, house.table().round.hand.deal.options.minimum) == (commit, 1000)
    house.do("anna fold")
    house.do("bea fold")
    assert house.do("bea bet 10").refused
    assert not house.do("bea bet 20").refused
    assert house.says("insp table set seats 3 why") == "Bets are already placed. Change this between hands."


MOST = 10**10  # chips that can be named
COUNTED = "That is more than the largest balance. Enter less, or ask an inspector to take some back with /take."


def test_chips_are_granted_as_long_as_they_can_be_counted(house, no_errors):
    house.do("anna balance")
    while not (answer := house.do("insp grant anna all again", sure=True)).refused:
        held = house.chips("anna")
    assert str(answer.texts[0]) == COUNTED
    assert house.chips("anna") == held > 2**60
    assert house.says("bea balance") == "You have 1,000 chips."
    assert not house.do("insp casino show").refused
    house.restart()
    assert not house.do("insp take anna all too much", sure=True).refused
    assert house.chips("anna") == 0


def test_where_the_mint_has_given_all_it_can_a_newcomer_is_told_so_and_comes_in_later(house, no_errors):
    exhaust(house, "mint:1", "bank:1")
    for line in ("anna balance", "anna daily", "anna bet 50", "insp grant anna 5 why"):
        assert house.says(line) == COUNTED
    back = Draft(house.books)
    back.post("bank:1", "mint:1", 10**6, "take", house.clock.now)
    house.books.write(back)
    house.restart()
    assert house.says("anna balance") == "You have 1,000 chips."


def exhaust(house, owing, credit):
    """Let the bank or the mint owe its maximum, which no play can reach."""
    draft = Draft(house.books)
    draft.post(owing, credit, LARGEST_DEBT + house.books.balance(owing), "spoilt", house.clock.now)
    house.books.write(draft)
    house.restart()


def test_a_win_that_the_bank_cannot_owe_voids_its_hand_and_every_stake_comes_back(house):
    for hand in range(20):
        exhaust(house, "bank:1", "mint:1")
        name = f"anna{hand}"
        assert not house.do(f"{name} bet south 500 west 500", table=PAIJU, sure=True).refused
        house.wait(60)
        if "void" in house.says(f"{name} statement"):
            assert house.chips(name) == 100_000
            assert not house.do(f"{name} bet south 10", table=PAIJU).refused
            return
    raise AssertionError("no win in twenty hands")


@pytest.mark.parametrize(
    ("line", "table"),
    [
        *((f"table set {option} {MOST} why", 1) for option in ("minimum", "maximum", "step")),
        *((f"table set {option} {MOST} why", 5) for option in ("lower", "upper", "ante", "unit")),
        *((f"meter set {name} {MOST} why", 1) for name in ("coin", "four", "full", "flush", "reset", "contribution")),
        *(
            (f"{line} {MOST} why", 1)
            for line in ("meter reset", "meter set", "grant anna", "take anna", f"adjust {HAND} anna")
        ),
        *(
            (f"house set {rule} {MOST} why", 1)
            for rule in ("start", "daily", "daily_below", "give_a_day", "take_a_day")
        ),
    ],
)
def test_whatever_amount_an_inspector_names_play_goes_on(house, no_errors, line, table):
    house.deal("anna bet 50")
    house.do("anna fold")
    house.do("anna leave")
    house.do(f"insp {line}", table=table, sure=True)
    for name in ("anna", "bea"):
        house.do(f"insp grant {name} {MOST} to play with", sure=True)
        house.do(f"{name} daily")
        house.do(f"{name} bet {MOST} jackpot", sure=True)
        house.do(f"{name} sit", table=STUD)
    house.wait(2000)
    assert not house.do("insp table close the season ends", table=STUD, sure=True).refused
    assert not house.do("insp house reset a new season", sure=True).refused
    assert house.says(f"insp grant anna {MOST}.01 why", sure=True).startswith("The largest amount is")
    assert sum(house.balances().values()) == 0


def test_a_yes_is_to_what_was_asked_and_to_nothing_else(house):
    house.do("anna balance")
    command = house.command("insp take anna half why")
    asked = house.batch([command])[0]
    assert str(asked.texts[0]) == "Take 500 chips from anna? 1,000 → 500."
    house.do("insp grant anna 1000 prize", sure=True)
    again = house.batch([command._replace(key="yes", confirmed=asked.confirm)])[0]
    assert str(again.texts[0]) == "Take 1,000 chips from anna? 2,000 → 1,000."
    assert again.confirm not in ("", asked.confirm)
    assert house.chips("anna") == 2000_00
    done = house.batch([command._replace(key="yes again", confirmed=again.confirm)])[0]
    assert str(done.texts[0]) == "anna has 1,000 now."


def test_a_yes_about_somebody_is_none_about_another_who_has_taken_the_name(house):
    for name in ("anna", "bea"):
        house.do(f"{name} balance")
    command = house.command("insp inspector add anna")
    asked = house.batch([command])[0]
    rename(house, "anna", "carla")
    rename(house, "bea", "anna")
    again = house.batch([command._replace(key="yes", confirmed=asked.confirm)])[0]
    assert (asked.texts, bool(again.confirm)) == (again.texts, True)
    assert house.do("bea audit").refused


def rename(house, account, name):
    answer = house.batch([internal_command_of(f"{account} {name}", LOBBY, "rename", account, name)])[0]
    assert not answer.refused, answer
