"""Rules of command handling: an update counts once, answers are on disk first, and a restart changes nothing."""

import logging
from concurrent.futures import Future

import pytest

from bot.core.commands.command import FAULT, Answer
from engine.hand import Hand
from storage.faults import BooksGone
from tests.core.conftest import CARIBBEAN, HAND, LINKED, UTH
from tests.disk import ask


def test_the_same_update_twice_in_a_batch_counts_once(house):
    command = house.command("anna bet 50")
    first, second = house.batch([command, command])
    assert first == second
    assert house.chips("anna") == 95_000


def test_the_same_update_in_a_later_batch_or_after_a_restart_counts_once(house):
    command = house.command("anna bet 50 jackpot")
    (first,) = house.batch([command])
    assert house.batch([command]) == [first]
    house.restart()
    (again,) = house.batch([command])
    assert (
        list(map(str, again.texts))
        == list(map(str, first.texts))
        == ["Bet 51: ante 50 + jackpot 1. 949 left. Cards in 20 s."]
    )
    assert house.chips("anna") == 94_900


def test_a_refused_update_gets_the_same_answer_though_it_would_be_legal_now(house):
    house.do("anna balance")
    command = house.command("anna ready")
    (first,) = house.batch([command])
    house.do("anna bet 50")
    assert house.batch([command]) == [first]
    assert house.table().round.ready == frozenset()


def test_a_question_is_no_answer_yet(house):
    command = house.command("anna bet 400")
    assert house.batch([command])[0].confirm
    assert not house.batch([command._replace(confirmed=True)])[0].refused
    assert house.chips("anna") == 60_000


def test_in_a_batch_each_command_stands_on_those_before_it(house):
    lines = ["anna bet 50", "bea bet 10", "anna takeback", "anna bet 20", "anna bet 1000", "bea ready", "anna ready"]
    answers = house.batch([house.command(line) for line in lines])
    assert [answer.refused for answer in answers] == [False, False, False, False, True, False, False]
    assert (house.chips("anna"), house.chips("bea")) == (98_000, 99_000)
    assert house.writer.commits == 1


@pytest.mark.parametrize(
    "line",
    ["raise", "bet 400", "bet 100000", "give bea 5"],
    ids=["refused", "confirm again", "too dear", "unknown player"],
)
def test_a_newcomer_whose_first_command_is_refused_is_a_member_all_the_same(house, no_errors, line):
    """The newcomer gets chips and a first day; the next refusal writes nothing."""
    assert house.do(f"anna {line}").refused
    assert (house.player("anna"), house.chips("anna"), house.writer.commits) == (1, 100_000, 1)
    house.clock.now += 5
    assert house.do(f"anna {line}").refused
    assert house.writer.commits == 1
    assert house.writer.state.member(1, 1).joined == house.clock.now - 5
    house.restart()
    assert house.chips("anna") == 100_000


def test_what_is_no_command_and_a_name_that_cannot_be_make_no_member(house, no_errors):
    assert house.do("anna dance").refused
    nameless = house.command("anna raise")
    assert house.batch([nameless._replace(who=nameless.who._replace(name="<b>"))])[0].refused
    assert house.player("anna") is None
    assert house.writer.commits == 0


def test_a_place_without_a_table_says_how_to_get_one(house, no_errors):
    command = house.command("anna bet 50")
    answer = house.batch([command._replace(place=command.place._replace(address="99"))])[0]
    assert answer.refused
    assert len(answer.texts) == 1


def test_a_restart_in_the_middle_of_betting_keeps_bets_seats_cuts_and_commit(house):
    house.do("anna bet 50 jackpot")
    house.do("anna cut x")
    house.wait(15)
    before, balances = house.table(), house.balances()
    house.restart()
    after = house.table()
    assert (after.round.bets, after.seats, after.round.cuts) == (before.round.bets, before.seats, before.round.cuts)
    assert (after.round.seed, after.round.commit, after.round.hand_id) == (
        before.round.seed,
        before.round.commit,
        before.round.hand_id,
    )
    assert house.balances() == balances
    house.wait(19)
    assert house.table().phase == "betting"  # the casino was away: the clock starts anew
    house.wait(1)
    assert house.table().phase == "playing"


def test_a_restart_in_the_middle_of_a_hand_keeps_the_same_cards_and_rearms_the_clock(house):
    hand = house.deal("anna bet 50 jackpot", "bea bet 10")
    house.do("bea exchange 2", sure=True)
    house.wait(45)
    cards, balances, events = hand.cards("1"), house.balances(), house.table().round.hand.events
    house.restart()
    assert house.table().round.hand.cards("1") == cards
    assert house.table().round.hand.events == events
    assert house.balances() == balances
    house.wait(29)
    assert house.table().phase == "playing"
    assert not house.do("anna raise").refused
    assert not house.do("bea fold").refused
    assert house.table().phase == "asleep"


def test_what_is_shown_of_the_last_hand_survives_a_restart(house):
    house.deal("anna bet 50")
    house.do("anna fold")
    events = house.table().last.events
    house.restart()
    assert house.table().last.events == events
    assert house.says("anna rebet").startswith("Bet 50: ante. ")


def look(house):
    assert house.table().round.hand is None
    house.writer.round([], [])


# Unknown rules are noticed at the start; other faults when the hand is read: for display, for a player, or for the
# clock.
PRESENTERS = {
    "a look": look,
    "a player": lambda house: house.do("bea fold"),
    "the clock": lambda house: house.wait(30),
}


@pytest.mark.parametrize("look", PRESENTERS)
@pytest.mark.parametrize(
    "spoil",
    [
        lambda house: house.redeal(HAND, rules=99),
        lambda house: house.redeal(HAND, stakes=[{"seat": "1", "player": "1", "bets": {"ante": 1}}]),
        lambda house: house.change(f"UPDATE hands SET deal = 'no json' WHERE id = {HAND}"),
        lambda house: house.change("UPDATE moves SET move = '1 dance'"),
    ],
    ids=["rules of another version", "an illegal stake", "no record", "an unknown move"],
)
def test_G6_a_hand_that_does_not_replay_any_more_is_void_and_refunded(house, spoil, look):
    house.deal("anna bet 50 jackpot", "bea bet 10 jackpot")
    house.do("anna exchange 1", sure=True)
    house.do("bea raise")
    spoil(house)
    house.restart()
    if house.writer.state.tables[CARIBBEAN].unread is not None:
        PRESENTERS[look](house)
    assert (house.chips("anna"), house.chips("bea")) == (100_000, 100_000)
    assert (house.books.balance("jackpot:1"), house.books.balance("bank:1")) == (1_000_000, -1_000_000)
    assert ask(house.books, f"SELECT status FROM hands WHERE id = {HAND}") == [("void",)]
    assert house.table().phase == "asleep"
    audit = house.says("insp audit")
    assert audit.count("does not replay under these rules") == audit.count("void") == 1
    assert not house.do("anna bet 50").refused
    house.is_spoilt = True


def test_a_command_at_another_table_is_done_though_a_hand_that_it_reads_is_void(house):
    """The player's limit counts what is at stake in all of their hands."""
    house.do("anna pause loss 500")
    house.deal("anna bet 50")
    house.change("INSERT INTO moves VALUES (?, 0, '1 dance', 0)", HAND)
    house.restart()
    assert not house.do("anna bet 60", table=UTH).refused
    assert ask(house.books, f"SELECT status FROM hands WHERE id = {HAND}") == [("void",)]
    assert house.chips("anna") == 100_000 - 12_000
    house.is_spoilt = True


def test_a_last_hand_that_does_not_replay_any_more_is_not_shown(house):
    house.deal("anna bet 50")
    house.do("anna fold")
    house.do("anna bet 10")
    house.change("UPDATE moves SET move = '1 dance'")
    house.restart()
    assert house.table().last is None
    assert house.table().phase == "betting"
    house.is_spoilt = True


def test_after_a_start_no_hand_is_read_before_somebody_looks_at_it(house):
    house.deal("anna bet 50")
    house.do("anna fold")
    cards = house.deal("anna bet 50", "bea bet 10").cards("1")
    house.do("cat bet 50", table=UTH)
    house.restart()
    tables = house.writer.state.tables
    house.writer.round([], [])
    assert (tables[CARIBBEAN].phase, tables[CARIBBEAN].round.hand) == ("playing", None)
    assert house.table().round.hand.cards("1") == cards
    assert tables[CARIBBEAN].unread is not None, "a look leaves the table to the writer"
    assert house.writer.state.table(CARIBBEAN) is house.writer.state.table(CARIBBEAN), "the hand is read once"
    house.do("anna fold")
    assert tables[CARIBBEAN].round.hand.cards("1") == cards


def test_what_has_to_wait_for_no_hand_reads_none(house):
    house.deal("anna bet 50", "bea bet 10")
    house.restart()
    for line in ("cat balance", "cat daily", "cat tables", "cat pause loss 500", "cat stats"):
        house.do(line, table=UTH)
    house.do("cat bet 50", table=LINKED)
    assert house.writer.state.tables[CARIBBEAN].unread is not None
    assert not house.do("anna fold").refused
    assert house.writer.state.tables[CARIBBEAN].unread is None


def test_where_somebody_sits_or_bets_is_known_without_a_look_at_every_table(house):
    def tables_of(name):
        return house.writer.state.presence.tables_of(house.player(name))

    house.do("anna bet 50")
    house.do("bea sit", table=UTH)
    assert (tables_of("anna"), tables_of("bea")) == ({CARIBBEAN}, {UTH})
    house.do("anna bet 20", table=LINKED)
    house.do("bea leave", table=UTH)
    assert (tables_of("anna"), tables_of("bea")) == ({CARIBBEAN, LINKED}, set())
    house.wait(20)
    house.restart()
    assert (tables_of("anna"), tables_of("bea")) == ({CARIBBEAN, LINKED}, set())
    house.do("anna fold")
    house.do("anna leave")
    house.do("anna raise", table=LINKED)
    house.do("anna leave", table=LINKED)
    assert tables_of("anna") == set()


def test_a_refund_gives_nothing_to_who_had_taken_their_bets_back(house):
    house.do("cat bet 300")
    house.do("cat takeback")
    house.deal("anna bet 50")
    house.do("cat give anna 1000")
    house.redeal(house.table().round.hand_id, rules=99)
    house.restart()
    assert (house.chips("cat"), house.chips("anna")) == (0, 200_000)
    house.is_spoilt = True


def test_a_fault_of_the_engine_voids_the_hand_and_serves_on(house, caplog):
    hand = house.deal("anna bet 50 jackpot", "bea bet 10")
    short = Hand(hand.deal._replace(deck=hand.deal.deck[:15]))
    house.writer.state.tables[CARIBBEAN] = house.table().change_round(hand=short)
    house.do("anna raise")
    answers = house.batch(
        [house.command("bea exchange 1", key="fatal", sure=True), house.command("cat bet 50", table=LINKED)]
    )
    assert str(answers[0].texts[0]) == "Something went wrong. The hand is void, and all stakes are returned."
    assert not answers[1].refused
    assert (house.chips("anna"), house.chips("bea")) == (100_000, 100_000)
    assert [record.getMessage() for record in caplog.records] == [f"hand {HAND} of caribbean is void"]
    house.restart()
    assert house.do("bea exchange 1", key="fatal").texts == answers[0].texts


def test_a_fault_at_a_clock_voids_the_hand_and_stops_nothing(house, caplog):
    hand = house.deal("anna bet 50", "bea bet 10")
    short = Hand(hand.deal._replace(deck=hand.deal.deck[:15]))
    house.writer.state.tables[CARIBBEAN] = house.table().change_round(hand=short)
    house.do("anna exchange 1", sure=True)
    house.wait(60)  # bea's time-out ends the choices, and there is no card for anna
    assert (house.chips("anna"), house.chips("bea")) == (100_000, 100_000)
    assert [record.getMessage() for record in caplog.records] == [f"hand {HAND} of caribbean is void"]
    assert not house.do("anna bet 50").refused


def test_a_command_that_the_schema_refuses_is_found_and_the_others_are_served(house, caplog):
    house.do("bea balance")
    commands = [house.command("anna bet 50"), house.command("bea bet 50", key="culprit"), house.command("cat bet 50")]
    with house.refusing("answers", "new.key = 'culprit'"):
        answers = house.batch(commands)
    assert [answer == FAULT for answer in answers] == [False, True, False]
    assert (house.chips("anna"), house.chips("bea"), house.chips("cat")) == (95_000, 100_000, 95_000)
    assert [bet.player for bet in house.table().round.bets] == [house.player("anna"), house.player("cat")]
    assert [record.levelno for record in caplog.records] == [logging.ERROR] * 2


def test_a_clock_that_the_schema_refuses_is_tried_again_and_holds_nobody_up(house, caplog):
    house.do("anna bet 50")
    house.do("bea bet 50", table=LINKED)
    with house.refusing("hands", f"new.status = 'playing' AND new.table_id = {CARIBBEAN}"):
        house.wait(20)
    assert (house.table().phase, house.table(LINKED).phase) == ("betting", "playing")
    assert house.writer.schedule.next_deadline() > house.clock.now  # no busy loop
    house.wait(60)
    assert house.table().round.hand is not None or house.table().last_hand
    assert caplog.records


def test_a_commit_that_fails_changes_nothing_and_nothing_is_said(house):
    for name in ("anna", "bea"):
        house.do(f"{name} balance")
    before, table = house.balances(), house.table()
    house.changed.clear()
    sentence = house.stores.stop_writes(house.books)
    commands = [house.command(f"p{number} bet 50", table=LINKED) for number in range(7)] + [
        house.command("anna bet 50")
    ]
    commands += [house.command(f"anna cut {'long ' * 8}{number}", key=f"{number} {'k' * 500}") for number in range(200)]
    commands += [house.command(f"q{number} balance", key=f"q{number} {'k' * 500}") for number in range(200)]
    said = len(house.answers)
    with pytest.raises(BooksGone, match=sentence):
        house.batch(commands)
    assert len(house.answers) == said
    assert house.changed == []
    with house.stores.of(house.folder).reading() as stored:
        assert {account: stored.balance(account) for account in before} == before
    assert house.table() is table
    house.restart()
    assert house.balances() == before
    assert not house.do("anna bet 50").refused


def test_an_adapter_that_fails_stops_nothing(house, caplog):
    def fail(tables):
        raise RuntimeError("the platform is away")

    told: list[set[int]] = []
    house.writer.subscribe(told.append)
    end = house.writer.subscribe(fail)
    house.writer.subscribe(told.append)
    assert not house.do("anna bet 50").refused
    assert [record.getMessage() for record in caplog.records] == ["a change could not be published"]
    assert told == [{CARIBBEAN}, {CARIBBEAN}], "the others hear of it all the same"
    end()
    house.do("bea bet 50")
    assert (len(caplog.records), len(told)) == (1, 4)


def test_who_does_not_wait_any_more_is_not_told_and_their_bet_stands(house):
    gone: Future[Answer] = Future()
    gone.cancel()
    house.writer.round([house.command("anna bet 50")], [gone])
    assert house.chips("anna") == 95_000


def test_what_changed_is_told_by_table(house):
    house.changed.clear()
    house.batch([house.command("anna bet 50"), house.command("bea bet 50", table=LINKED), house.command("cat help")])
    assert house.changed == [{CARIBBEAN, LINKED}]
