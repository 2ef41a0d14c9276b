"""Several communities in one casino, one table at two places, and the rules of the economy."""

import pytest

from bot.core.command_list import CHAT_COMMANDS
from bot.core.commands.registry import CommandFlag
from tests.core.communities import (
    casino_at,
    command,
    do,
    found,
    internal_command,
    link,
    minted,
    player,
    says,
    table_at,
    unlink,
    wallet,
)
from tests.disk import ask

HERE, THERE = "discord:1", "telegram:1"
HOUR_S, DAY_S = 3600, 86400


@pytest.fixture
def town(house):
    """A Discord server and a Telegram group, each with a casino, a table and a player with 1,000 chips."""
    for at, name in ((HERE, "anna"), (THERE, "beppe")):
        found(house, at, "caribbean")
        do(house, f"{name} balance", at)
    return house


def code_of(house, at=HERE):
    return says(house, "insp house code", at).split()[3].rstrip(".")


def join(house, at=THERE, to=HERE):
    return do(house, f"insp2 house join {code_of(house, to)}", at, sure=True)


def test_joining_needs_a_code_of_the_one_side_and_a_yes_of_the_other_who_is_told_what_happens(town):
    own, other = casino_at(town, THERE), casino_at(town, HERE)
    code = code_of(town)
    asked = do(town, f"insp2 house join {code}", THERE)
    assert asked.confirm
    parts = ("are frozen", "come back when you leave", "start there", "with the inspectors of", "your inspectors run")
    for part in parts:
        assert part in str(asked.texts[0])
    assert casino_at(town, THERE) == own
    assert says(town, f"insp2 house join {code}", THERE, sure=True) == "Your tables belong to discord:1 now."
    assert casino_at(town, THERE) == other


def test_a_code_lasts_an_hour_and_serves_once(town):
    found(town, "telegram:2")
    code = code_of(town)
    town.wait(HOUR_S + 1)
    assert "older than an hour" in says(town, f"insp2 house join {code}", THERE, sure=True)
    code = code_of(town)
    assert not do(town, f"insp2 house join {code}", THERE, sure=True).refused
    assert "is wrong or older" in says(town, f"insp3 house join {code}", "telegram:2", sure=True)


def test_nobody_joins_their_own_casino_nor_twice_nor_with_others_in_tow(town):
    assert do(town, f"insp house join {code_of(town)}", HERE, sure=True).refused
    join(town)
    found(town, "telegram:2")
    code = code_of(town, "telegram:2")
    assert "already joined a casino" in says(town, f"insp2 house join {code}", THERE, sure=True)
    assert "Other communities have joined" in says(town, f"insp house join {code}", HERE, sure=True)


def test_wallets_stay_behind_frozen_and_come_back(town):
    own = casino_at(town, THERE)
    do(town, "insp2 grant beppe 70 a prize", THERE, sure=True)
    before = town.balances()
    join(town)
    assert says(town, "beppe balance", THERE) == "You have 1,000 chips."
    do(town, "beppe bet 50", THERE)
    do(town, "beppe takeback", THERE)
    frozen = {name: amount for name, amount in before.items() if f":{own}:" in f"{name}:"}
    assert frozen.items() <= town.balances().items()
    assert says(town, "insp2 house leave", THERE, sure=True) == "This community has its own casino again."
    assert says(town, "beppe balance", THERE) == "You have 1,070 chips."
    assert wallet(town, f"beppe@{THERE}", casino_at(town, HERE)) == 100_000


def test_a_private_chat_does_not_reach_a_frozen_wallet(town):
    own = casino_at(town, THERE)
    join(town)
    assert says(town, "beppe balance", "telegram:") == "You have 1,000 chips."
    assert not do(town, "beppe daily", "telegram:").refused
    assert wallet(town, f"beppe@{THERE}", own) == 100_000
    assert wallet(town, f"beppe@{THERE}") == 120_000
    do(town, "insp2 house leave", THERE, sure=True)
    do(town, "beppe balance", THERE)
    assert says(town, "beppe balance", "telegram:") == "You have 1,000 chips."


def test_a_private_chat_speaks_for_the_casino_that_was_chosen_until_another_is_used(town):
    """The private chat uses the casino that the player used last, or the one of `/casino choose`."""
    link(town, f"anna@{HERE}", f"beppe@{THERE}")
    do(town, "insp grant anna 70 a prize", HERE, sure=True)
    do(town, "beppe balance", THERE)
    private = "telegram:"
    assert says(town, "beppe balance", private) == "You have 1,000 chips."
    listed = says(town, "beppe casino choose", private)
    assert listed.startswith("1. discord:1 | 2. telegram:1 | ")
    for line in ("0", "3", "nowhere", "²", "9" * 400):
        assert do(town, f"beppe casino choose {line}", private).refused
    assert says(town, "beppe casino choose 1", private) == "Your private chats now belong to discord:1."
    assert says(town, "beppe balance", private) == "You have 1,070 chips."
    assert says(town, "beppe casino choose “telegram:1”", private) == "Your private chats now belong to telegram:1."
    assert says(town, "beppe balance", private) == "You have 1,000 chips."
    do(town, "anna balance", HERE)
    assert says(town, "beppe casino show", private).startswith("discord:1 is the casino here.")


def test_members_of_a_community_that_has_left_stay_on_no_leaderboard(town):
    link(town, f"anna@{HERE}", f"carla@{THERE}")
    join(town)
    for name in ("beppe", "carla"):
        do(town, f"{name} balance", THERE)
    assert {"anna", "beppe"} <= set(board(town))
    do(town, "insp2 house leave", THERE, sure=True)
    assert "anna" in board(town), "they play in the founding community too"
    assert not {"beppe", "insp2"} & set(board(town))
    join(town)
    assert "beppe" in board(town)


def board(town, at=HERE):
    return [
        line.split(": ")[0].split(". ")[1] for line in says(town, "insp leaderboard", at).split(" | ") if ". " in line
    ]


def test_who_has_been_nowhere_has_no_casino_to_choose(town):
    assert "Play at a table in a server or group first" in says(town, "cat casino choose", "web:1")


def test_a_joined_casino_is_shown_with_who_shares_it_and_its_tables_say_whose_they_are_now(town):
    join(town)
    assert "It is shared with telegram:1." in says(town, "anna casino show", HERE)
    told = table_at(town, THERE).told(town.clock.now)
    assert str(told) == "This table belongs to discord:1 now. You play from your wallet there."
    do(town, "insp2 house leave", THERE, sure=True)
    assert "telegram:1 now" in str(table_at(town, THERE).told(town.clock.now))
    assert "shared" not in says(town, "anna casino show", HERE)


def test_join_and_leave_move_no_chip_however_often(town):
    before = town.balances()
    for _ in range(3):
        assert not join(town).refused
        assert not do(town, "insp2 house leave", THERE, sure=True).refused
    added = {name: amount for name, amount in town.balances().items() if before.get(name) != amount}
    starts = ask(town.books, "SELECT count(*) FROM postings WHERE why = 'start'")[0][0]
    assert sum(added.values()) - sum(before.get(name, 0) for name in added) == 0
    assert starts == 6  # anna, beppe, and both inspectors: insp2 in both casinos and insp for the code


def test_a_join_whose_commit_fails_changes_nothing_and_succeeds_when_it_is_said_again(town):
    code, before, own = code_of(town), town.balances(), casino_at(town, THERE)
    with town.refusing("audit", "new.act = 'house join'"):
        assert do(town, f"insp2 house join {code}", THERE, sure=True).refused
    assert (town.balances(), casino_at(town, THERE)) == (before, own)
    town.restart()
    assert not do(town, f"insp2 house join {code}", THERE, sure=True).refused


def test_a_table_that_is_played_at_keeps_its_community_where_it_is(town):
    do(town, "beppe bet 50", THERE)
    assert "is in play" in str(join(town).texts[0])
    town.wait(20)
    assert join(town).refused
    do(town, "beppe fold", THERE)
    assert not join(town).refused
    do(town, "beppe bet 50", THERE)
    assert "Wait until it is empty, or close it" in says(town, "insp2 house leave", THERE, sure=True)


def test_meter_chips_rules_and_season_stay_with_the_founders_inspectors(town):
    join(town)
    do(town, "beppe balance", THERE)
    for verb in (name for name, verb in CHAT_COMMANDS.items() if CommandFlag.FOUNDERS in verb.flags):
        line = f"{verb} beppe 5 why"
        assert "founded this casino" in says(town, f"insp2 {line}", THERE, sure=True), verb
        assert "founded this casino" not in says(town, f"insp {line}", HERE), verb
    for line in ("table set pace fast", "table pause a storm", "table resume", "audit", "ban beppe cheating"):
        assert not do(town, f"insp2 {line}", THERE, sure=True).refused, line


def test_a_ban_of_a_joined_community_holds_in_its_own_places_and_goes_with_it_when_it_leaves(town):
    """Issue 7, 4: each community's own bans do not apply in the other's places."""
    join(town)
    for at in (HERE, THERE):
        do(town, "beppe balance", at)
    link(town, f"beppe@{HERE}", f"beppe@{THERE}")
    do(town, "insp2 table mirror off", THERE)
    assert not do(town, "beppe bet 50", THERE).refused
    assert not do(town, "insp2 ban beppe cheating", THERE, sure=True).refused
    assert wallet(town, f"beppe@{HERE}") == 100_000  # the bets at the community's own table came back
    assert says(town, "beppe bet 10", THERE) == "The inspectors of this community have banned you here: cheating"
    assert do(town, "beppe daily", THERE).refused
    assert not do(town, "beppe bet 10", HERE).refused
    assert "player beppe" not in says(town, "insp audit", HERE)
    assert "Player banned, beppe (2) in telegram:1 (cheating)" in says(town, "insp audit", HERE)
    do(town, "beppe takeback", HERE)
    do(town, "insp2 house leave", THERE, sure=True)
    assert "has banned you from this casino" in says(town, "beppe bet 10", THERE)
    assert not do(town, "insp2 unban beppe we talked", THERE).refused
    assert not do(town, "beppe bet 10", THERE).refused


def test_a_ban_of_the_founders_holds_everywhere_and_only_they_lift_it(town):
    join(town)
    do(town, "beppe balance", THERE)
    assert not do(town, "insp ban beppe cheating", HERE, sure=True).refused
    assert "has banned you from this casino" in says(town, "beppe bet 10", THERE)
    told = "beppe is banned by the inspectors of the community that founded this casino."
    assert says(town, "insp2 unban beppe he is nice", THERE) == told
    assert not do(town, "insp unban beppe we talked", HERE).refused
    assert says(town, "insp2 unban beppe he is nice", THERE) == "beppe is not banned."
    assert not do(town, "beppe bet 10", THERE).refused


def test_a_founders_named_inspector_bans_from_the_whole_casino_wherever_they_speak(town):
    join(town)
    for name in ("beppe", "carla"):
        do(town, f"{name} balance", THERE)
    do(town, "insp inspector add carla she helps", HERE, sure=True)
    assert not do(town, "carla ban beppe cheating", THERE, sure=True).refused
    do(town, "beppe balance", THERE)
    assert "has banned you from this casino" in says(town, "beppe bet 10", THERE)


def test_a_ban_of_a_joined_community_follows_a_person_through_link_and_unlink(town):
    join(town)
    for name, at in (("old", HERE), ("beppe", THERE)):
        do(town, f"{name} balance", at)
        town.wait(1)
    do(town, "insp2 ban beppe cheating", THERE, sure=True)
    link(town, f"old@{HERE}", f"beppe@{THERE}")
    told = "The inspectors of this community have banned you here: cheating"
    assert says(town, "beppe bet 10", THERE) == told
    unlink(town, f"beppe@{THERE}")
    assert says(town, "beppe bet 10", THERE) == told


def test_a_joined_community_voids_no_hand_that_is_played_in_the_founders_places(town):
    join(town)
    do(town, "anna bet 50", HERE)
    do(town, "beppe bet 50", THERE)
    town.wait(20)
    here, there = table_at(town, HERE).round.hand_id, table_at(town, THERE).round.hand_id
    answer = do(town, f"insp2 void {here} I do not like it", THERE, sure=True)
    assert (answer.refused, answer.clause) == (True, "G6")
    assert "in another community of this casino" in str(answer.texts[0])
    assert not do(town, f"insp2 void {there} bad cards", THERE, sure=True).refused
    assert not do(town, f"insp void {here} bad cards", HERE, sure=True).refused


def test_players_of_a_joined_place_play_and_take_their_bets_back(town):
    """`takeback` is no `take`."""
    join(town)
    do(town, "beppe bet 50", THERE)
    assert says(town, "beppe takeback", THERE) == "50 returned. You have 1,000."


def test_a_named_inspector_of_the_joined_community_still_runs_its_tables(town):
    do(town, "insp2 inspector add beppe", THERE, sure=True)
    join(town)
    assert not do(town, "beppe table set pace fast", THERE).refused
    assert do(town, "beppe table set pace fast", HERE).refused
    assert "founded this casino" in says(town, "beppe grant beppe 5 why", THERE, sure=True)


def test_a_place_that_enters_later_belongs_to_the_casino_that_was_joined_and_leaves_with_it(town):
    own, other = casino_at(town, THERE), casino_at(town, HERE)
    join(town)
    internal_command(town, "telegram:17", "enter", "1")
    assert casino_at(town, "telegram:17") == other
    assert not do(town, "insp2 table open uth", "telegram:17").refused
    assert not do(town, "beppe bet 20", "telegram:17").refused
    do(town, "beppe takeback", "telegram:17")
    do(town, "insp2 house leave", THERE, sure=True)
    assert casino_at(town, "telegram:17") == own
    assert table_at(town, "telegram:17").casino == own


def test_who_is_on_both_sides_starts_once_and_has_one_wallet(town):
    link(town, f"anna@{HERE}", f"beppe@{THERE}")
    before = minted(town, casino_at(town, HERE))
    join(town)
    assert says(town, "beppe balance", THERE) == "You have 1,000 chips."
    assert minted(town, casino_at(town, HERE)) == before


def test_everything_of_a_joined_casino_survives_a_restart(town):
    join(town)
    do(town, "beppe bet 50", THERE)
    before = town.balances()
    town.restart()
    assert town.balances() == before
    assert casino_at(town, THERE) == casino_at(town, HERE)
    do(town, "beppe takeback", THERE)
    assert not do(town, "insp2 house leave", THERE, sure=True).refused


def test_the_last_hand_of_a_table_stays_behind_though_nobody_has_read_it_since_the_start(town):
    yard = "telegram:17"
    internal_command(town, yard, "enter", "1")
    do(town, "insp2 table open puntobanco", yard)
    do(town, "beppe bet punto 10", yard)
    town.wait(60)
    assert table_at(town, yard).last is not None
    town.restart()
    join(town)
    assert table_at(town, yard).last is None


def mirrored(town, game):
    join(town)
    do(town, "insp table close another game", HERE, sure=True)
    do(town, f"insp table open {game}", HERE)
    do(town, "insp2 table close another game", THERE, sure=True)
    number = table_at(town, HERE).number
    assert says(town, f"insp2 table mirror {number}", THERE) == f"Table {number} is now shown here too."
    assert table_at(town, HERE) is table_at(town, THERE)


def test_a_coup_of_paiju_is_played_across_discord_and_telegram(town):
    mirrored(town, "paiju")
    assert not do(town, "anna bet south 20", HERE).refused
    assert not do(town, "beppe bet south-west 10 north 5", THERE).refused
    table = table_at(town, HERE)
    town.wait(20)
    hand = table_at(town, THERE).last
    assert hand is not None
    assert len(hand.deal.stakes) == 2
    returned = hand.returned()
    assert wallet(town, f"anna@{HERE}") == 100_000 - 2000 + sum(returned["1"].values())
    assert wallet(town, f"beppe@{THERE}") == 100_000 - 1500 + sum(returned["2"].values())
    assert says(town, "beppe history", THERE).partition(" · ")[2].startswith(f"hand {table.round.hand_id} · Paiju")
    assert do(town, "anna verify " + str(table.round.hand_id), HERE).file is not None


def test_a_hand_of_black_jack_is_played_across_discord_and_telegram(town):
    mirrored(town, "blackjack")
    do(town, "anna bet 1 20", HERE)
    do(town, "beppe bet 2 30", THERE)
    do(town, "beppe bet 1 10", THERE)  # behind anna
    town.wait(20)
    names = {"1": ("anna", HERE), "2": ("beppe", THERE)}
    while (table := table_at(town, HERE)).round.hand is not None:
        (seat, offers), *_others = table.round.hand.asks.items()
        name, at = names.get(seat, ("beppe", THERE))
        other, away = names["2" if name == "anna" else "1"]
        word = "decline" if any(offer.word == "decline" for offer in offers) else "stand"
        if word == "stand":
            assert do(town, f"{other} stand", away).refused
        assert not do(town, f"{name} {word}", at).refused
    returned = {seat: sum(spots.values()) for seat, spots in table.last.returned().items()}
    assert wallet(town, f"anna@{HERE}") == 100_000 - 2000 + returned["1"]
    behind = next(amount for seat, amount in returned.items() if "/" in seat)
    assert wallet(town, f"beppe@{THERE}") == 100_000 - 4000 + returned["2"] + behind


def test_a_mirror_ends_without_the_table(town):
    mirrored(town, "paiju")
    assert says(town, "insp2 table mirror off", THERE).endswith("is no longer shown here.")
    assert "There is no table here" in says(town, "beppe bet south 5", THERE)
    assert not do(town, "anna bet south 5", HERE).refused
    assert "the only place" in says(town, "insp table mirror off", HERE)


@pytest.mark.parametrize("line", ["table mirror", "table mirror 99", "table mirror 1", "table mirror x"])
def test_a_mirror_shows_a_table_of_this_casino_where_there_is_none(town, line):
    assert do(town, f"insp {line}", HERE).refused


def test_who_leaves_takes_their_own_tables_along_and_no_mirror_of_anothers(town):
    mirrored(town, "paiju")
    do(town, "insp2 house leave", THERE, sure=True)
    assert "There is no table here" in says(town, "beppe bet south 5", THERE)
    assert table_at(town, HERE).casino == casino_at(town, HERE)


@pytest.mark.parametrize(
    ("rule", "line", "answer"),
    [
        ("start 500", "cat balance", "You have 500 chips."),
        ("start 0", "cat balance", "You have 0 chips."),
        ("daily 30", "cat daily", "30 chips for today. You have 1,030."),
        ("daily_below 1000", "cat daily", "Daily chips are for players with less than 1,000."),
        ("give_after_hours 0", "cat give anna 5", "You gave 5 to anna. You have 995."),
        ("give_after_hours 48", "cat give anna 5", "New players can't send gifts yet. You can in"),
        ("most_percent 10", "cat bet 150", "You can bet at most 10 % of your wallet here: 100."),
        ('name "The Ridotto"', "cat casino show", "The Ridotto is the casino here."),
    ],
)
def test_every_rule_of_the_house_acts(town, rule, line, answer):
    assert not do(town, f"insp house set {rule} why", HERE, sure=True).refused
    assert says(town, line, HERE).startswith(answer)


def test_the_gift_limit_acts_and_can_be_nothing(town):
    do(town, "insp house set give_after_hours 0 why", HERE, sure=True)
    do(town, "insp house set give_a_day 30 why", HERE, sure=True)
    do(town, "cat balance", HERE)
    assert not do(town, "cat give anna 20", HERE).refused
    assert says(town, "cat give anna 20", HERE) == "You can still give 10 chips today."
    do(town, "insp house set give_a_day 0 why", HERE, sure=True)
    assert says(town, "anna give cat 5", HERE) == "You can still give 0 chips today."
    do(town, "insp house set give_a_day 30 why", HERE, sure=True)
    do(town, "insp house set take_a_day 25 why", HERE, sure=True)
    assert says(town, "cat give anna 10", HERE) == "anna can still receive 5 chips today."
    assert "Gifts a player may receive in a day: 25" in says(town, "cat casino show", HERE)


def test_most_percent_counts_what_lies_there_already(town):
    do(town, "insp house set most_percent 10 why", HERE, sure=True)
    assert not do(town, "anna bet 60", HERE).refused
    assert says(town, "anna bet 50", HERE) == "You can bet at most 10 % of your wallet here: 100."
    assert not do(town, "anna bet 40", HERE).refused


@pytest.mark.parametrize(
    "rule",
    [
        *("", "start", "colour red why", "start -5 why", "give_after_hours x why", "most_percent 0 why"),
        *("most_percent 101 why", "name", "name The Ridotto why", 'name "The Ridotto"', 'name "" why', "start 500"),
    ],
)
def test_a_rule_that_cannot_be_is_refused(town, rule):
    assert do(town, f"insp house set {rule}", HERE, sure=True).refused


def test_the_audit_log_has_a_rule_before_and_after(town):
    do(town, "insp house set start 500 fewer", HERE, sure=True)
    assert "insp: Rule changed, Chips for a new player, 1,000 → 500 (fewer)" in says(town, "insp audit", HERE)


def test_inspectors_see_where_every_chip_is(town):
    do(town, "anna bet 50 jackpot", HERE)
    casino = casino_at(town, HERE)
    said = says(town, "insp casino show", HERE)
    assert said.endswith(
        "Total chips: 2,000 | In wallets: 1,949 | In the bank: -10,000 | In the jackpot meter: 10,000 | "
        "On the tables: 51"
    )
    assert minted(town, casino) == 200_000
    assert "created" not in says(town, "anna casino show", HERE)


def test_a_season_ends_with_a_frozen_leaderboard_and_everybody_starts_anew(town):
    do(town, "insp grant anna 500 luck", HERE, sure=True)
    do(town, "cat balance", HERE)
    asked = do(town, "insp house reset spring is over", HERE)
    assert asked.confirm
    assert "3 wallets return to 1,000" in str(asked.texts[0])
    assert says(town, "insp house reset spring is over", HERE, sure=True).endswith("with /leaderboard 1.")
    assert says(town, "cat leaderboard", HERE).startswith("1. ")
    assert "anna: 1,000" in says(town, "cat leaderboard", HERE)
    assert says(town, "cat leaderboard 1", HERE).startswith("1. anna: 1,500")
    town.restart()
    assert says(town, "cat leaderboard 1", HERE).startswith("1. anna: 1,500")
    assert do(town, "cat leaderboard 2", HERE).refused
    assert minted(town, casino_at(town, HERE)) == 300_000


def test_a_season_waits_for_bets_and_gives_a_linked_person_one_start(town):
    do(town, "anna bet 50", HERE)
    assert "is in play" in says(town, "insp house reset why", HERE, sure=True)
    do(town, "anna takeback", HERE)
    join(town)
    do(town, "beppe balance", THERE)
    link(town, f"anna@{HERE}", f"beppe@{THERE}")
    do(town, "insp house reset why", HERE, sure=True)
    assert wallet(town, f"anna@{HERE}") == 100_000
    held = [name for name in town.balances() if name.startswith(f"player:{casino_at(town, HERE)}:")]
    assert f"player:{casino_at(town, HERE)}:{player(town, f'beppe@{THERE}')}" in held
    assert len(held) == 2  # hers and the inspector's


def test_a_hand_that_goes_on_elsewhere_stays_with_the_community_that_has_joined(town):
    """The new place belongs to that community: its inspectors run it, and its messages are deleted with the others."""
    join(town)
    do(town, "beppe bet 50", THERE)
    town.wait(20)
    internal_command(town, THERE, "lose", "gone")
    internal_command(town, "telegram:9", "enter", "1")
    home = town.writer.state.place("telegram", "9").home
    assert home
    assert not do(town, "insp2 table open caribbean", "telegram:9").refused
    row = town.writer.state.place("telegram", "9")
    assert (row.home, row.table_id) == (home, table_at(town, "telegram:9").id)
    assert table_at(town, "telegram:9").round.hand is not None


def test_a_nickname_of_one_community_is_not_shown_to_another_that_joins(town):
    """The nickname comes back when they part."""

    def name_after(line, nick="Max Mustermann (HR)"):
        made = command(town, line, HERE)
        assert not town.batch([made._replace(who=made.who._replace(here=nick))])[0].refused
        return town.writer.state.name_of(casino_at(town, HERE), player(town, f"max@{HERE}"))

    assert name_after("max balance") == "Max Mustermann (HR)"
    assert not join(town).refused
    assert "Mustermann" not in says(town, "beppe leaderboard", THERE)
    assert name_after("max balance") == "max"
    assert name_after("max balance", "Another (HR)") == "max"
    assert not do(town, "insp2 house leave", THERE, sure=True).refused
    assert name_after("max balance") == "Max Mustermann (HR)"
