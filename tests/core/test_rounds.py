"""Hands dealt by rounds of the beacon: bets close, a round is named, and the cards wait for it."""

import json

import pytest

from bot.core.rounds.log_proofs import lines
from bot.core.rounds.waiting import LATE_S, VOID_AFTER_S
from bot.core.rounds.witness import head_of_close, say_closed
from bot.core.state.table import WAITS_S
from bot.verifier.logs import check_log
from bot.verifier.records import verify_record
from bot.view.build import screen
from engine.fairness.beacon import NOTICE_S, PERIOD_S, round_after, time_of
from engine.fairness.log import is_signed
from storage.questions import hands, logs
from tests.core.communities import do, found, internal_command, table_at
from tests.core.conftest import BLACKJACK, CARIBBEAN, STUD, UTH, House
from tests.core.rounds import BEGAN, Rounds, made_up, real
from tests.engine.fairness.writing import ROUNDS
from tests.some import some

HERE = "discord:1"


@pytest.fixture
def chain():
    return Rounds()


@pytest.fixture
def house(tmp_path, stores, chain):
    """A casino with a beacon; at the end `doctor` finds nothing, and the log passes verification."""
    opened = House(tmp_path, stores=stores, beacon=chain, began=BEGAN)
    yield opened
    opened.clock.now += 1.0
    opened.writer.heads.sign()
    opened.writer.round([], [])
    if not opened.is_spoilt:
        assert log_faults(opened, tmp_path) == []
        opened.close()
        assert opened.faults() == []


def log_of(house):
    return [json.loads(line) for line in lines(house.books, some(logs.log(house.books, 1)))]


def log_faults(house, folder):
    """Return a stranger's findings in the log as a file."""
    file = folder / "log.jsonl"
    file.write_text("".join(f"{line}\n" for line in lines(house.books, some(logs.log(house.books, 1)))))
    with check_log(str(file)) as report:
        return report.faults


def entries(house, kind):
    found = [json.loads(entry) for entry in logs.entries(house.books, 1, 1, 0, 10**6)]
    return [entry for entry in found if entry["k"] == kind]


def close(house, table=UTH, *lines):
    """Bet and cut until the clock has run out."""
    for line in lines or ("anna bet 20",):
        assert not (answer := house.do(line, table=table)).refused, answer
    house.do("anna cut x", table=table)
    house.wait(house.table(table).round.deadline - house.clock.now)
    return house.table(table)


def come(house, round=None):
    """Deliver the round for which hands wait, at its time."""
    number = min(house.beacon.wanted)
    house.clock.now = max(house.clock.now, float(time_of(number)))
    house.beacon.come(number, round)
    house.writer.round([], [])


def record_of(house, hand):
    """Return the record from /verify."""
    house.clock.now += 1.0
    house.writer.heads.sign()
    house.writer.round([], [])
    return json.loads(house.do(f"anna verify {hand}").file[1])


def test_fairness_5_a_commitment_says_whether_a_round_is_taken(house):
    assert house.table(UTH).round.commitment["beacon"] is True
    assert not house.do("insp table set beacon off we have no network", table=UTH).refused
    assert house.table(UTH).round.commitment["beacon"] is False
    assert house.do("anna bet 20", table=UTH)
    house.wait(house.table(UTH).round.deadline - house.clock.now)
    assert house.table(UTH).phase == "playing"
    assert entries(house, "close")[-1]["round"] == 0


def test_fairness_5_a_close_names_the_first_round_three_seconds_later_and_a_head_covers_it_before(house):
    table = close(house)
    entry = entries(house, "close")[-1]
    assert (table.phase, table.round.hand, table.round.waits.round) == ("waiting", None, entry["round"])
    assert entry["round"] == round_after(entry["at"])
    assert NOTICE_S <= time_of(entry["round"]) - entry["at"] < NOTICE_S + PERIOD_S
    head = some(logs.newest_head(house.books, 1, 1))
    assert head.size == logs.size_of_log(house.books, 1, 1)
    assert head.at < time_of(entry["round"])
    assert house.beacon.wanted == {entry["round"]}


def test_fairness_2_the_round_of_a_close_is_asked_for_once_a_head_covers_it(house):
    with house.refusing("log_heads", "new.size > 0"):
        table = close(house)
        assert (table.phase, house.beacon.wanted) == ("waiting", set())
        assert house.writer.schedule.uncovered_logs == {(1, 1)}
    house.writer.round([], [])
    assert house.beacon.wanted == {table.round.waits.round}
    assert house.writer.schedule.uncovered_logs == set()
    assert some(logs.newest_head(house.books, 1, 1)).at < time_of(table.round.waits.round)
    come(house)
    assert house.table(UTH).round.hand is not None


@pytest.mark.parametrize("away_s", [1, 3600])
def test_fairness_2_a_close_whose_head_was_lost_in_a_kill_is_covered_after_the_start(house, away_s):
    with house.refusing("log_heads", "new.size > 0"):
        table = close(house)
        assert logs.newest_head(house.books, 1, 1) is None
    house.clock.now += away_s
    house.restart()
    house.writer.round([], [])
    head = some(logs.newest_head(house.books, 1, 1))
    assert head.size > table.round.lines[-1]
    assert head.at < time_of(table.round.waits.round)
    come(house)
    assert house.table(UTH).round.hand is not None


@pytest.mark.long
def test_fairness_5_the_hand_is_dealt_when_the_round_is_there_and_by_it(house):
    table = close(house)
    hand, number = table.round.hand_id, table.round.waits.round
    come(house)
    table = house.table(UTH)
    assert (table.phase, table.round.waits, table.round.beacon) == ("playing", None, made_up(number))
    assert table.round.hand.deal.seed.beacon == made_up(number).randomness
    assert table.round.hand.deal.seed.cuts == ("x",)
    house.wait(200)
    record = record_of(house, hand)
    assert record["beacon"] == made_up(number)._asdict()
    answer = verify_record(record)
    assert {name: said for name, said in answer["checks"].items() if said != "ok"}.keys() <= {"beacon"}
    assert house.beacon.wanted == set()


def test_verify_says_of_a_number_with_a_wrong_signature_only_that_it_is_wrong(house):
    hand = close(house).round.hand_id
    come(house)
    house.wait(200)
    record_of(house, hand)
    said = house.says(f"anna verify {hand}", table=UTH)
    assert "Something is wrong with it, and the casino owes you an answer: beacon" in said
    assert "public number" not in said


@pytest.mark.long
def test_fairness_8_a_hand_by_quicknets_own_round_is_verified_whole(tmp_path, stores):
    number = max(ROUNDS)
    chain = Rounds()
    house = House(tmp_path, stores=stores, beacon=chain, began=float(time_of(number) - 25))
    hand = close(house).round.hand_id
    assert chain.wanted == {number}
    come(house, real(number))
    house.wait(200)
    answer = verify_record(record_of(house, hand))
    assert answer["verified"], answer
    assert answer["checks"]["beacon"] == "ok"
    house.close()


def test_G7_while_a_hand_waits_nobody_bets_takes_back_cuts_or_leaves(house):
    close(house, UTH, "anna bet 20", "ben bet 20")
    chips = house.chips("anna")
    for line in ("ben bet 20", "anna takeback", "ben cut y", "cora bet 20", "anna leave", "anna ready", "anna rebet"):
        assert house.do(line, table=UTH).refused, line
    assert house.chips("anna") == chips
    assert "round" in house.says("ben cut y", table=UTH)


def test_fairness_5_another_round_is_never_taken(house):
    number = close(house).round.waits.round
    for other in (number - 1, number + 1):
        house.beacon.come(other)
        house.writer.round([], [])
    assert house.table(UTH).phase == "waiting"
    house.wait(7200)
    assert house.table(UTH).phase == "waiting"
    come(house)
    assert house.table(UTH).round.beacon.round == number


def test_fairness_5_a_house_whose_clock_is_behind_closes_nothing(house):
    house.do("anna bet 20", table=UTH)
    deadline = house.table(UTH).round.deadline
    house.beacon.newest = round_after(int(deadline)) - 1
    house.wait(deadline - house.clock.now)
    table = house.table(UTH)
    assert (table.phase, entries(house, "close")) == ("betting", [])
    assert "clock" in str(table.told(house.clock.now))
    assert not house.do("anna takeback", table=UTH).refused
    house.do("anna bet 20", table=UTH)
    house.beacon.newest = 0
    house.wait(60)
    assert house.table(UTH).phase == "waiting"


def test_fairness_5_who_waits_is_told_for_what_and_since_when(house):
    table = close(house)
    due = time_of(table.round.waits.round)

    def said():
        return str(screen(house.writer.state, house.table(UTH), None, house.clock.now).headline)

    assert str(table.round.waits.round) in said()
    assert "quicknet" in said()
    house.wait(due + LATE_S - house.clock.now)
    assert "was due at" in said()
    assert "/void" not in said()
    house.changed.clear()
    house.wait(VOID_AFTER_S)
    assert f"/void {table.round.hand_id}" in said()
    assert any(UTH in changed for changed in house.changed)


def test_fairness_5_after_an_hour_an_inspector_may_void_it_and_everybody_has_their_stakes_back(house, tmp_path):
    house.do("anna balance")
    house.do("ben balance")
    before = house.chips("anna"), house.chips("ben")
    table = close(house, UTH, "anna bet 20", "ben bet 40")
    hand, number = table.round.hand_id, table.round.waits.round
    house.wait(time_of(number) + VOID_AFTER_S - 1 - house.clock.now)
    assert house.do(f"insp void {hand} no network", table=UTH, sure=True).refused
    house.wait(1)
    assert house.do(f"anna void {hand} please", table=UTH, sure=True).refused
    assert not house.do(f"insp void {hand} no network", table=UTH, sure=True).refused
    assert (house.chips("anna"), house.chips("ben")) == before
    table = house.table(UTH)
    assert (table.phase, table.round.waits, table.round.bets) == ("asleep", None, ())
    record = record_of(house, hand)
    assert record["void"]
    assert "beacon" not in record
    answer = verify_record(record)
    assert answer["verified"], answer
    file = tmp_path / "voided.jsonl"
    file.write_text("".join(f"{line}\n" for line in lines(house.books, some(logs.log(house.books, 1)))))
    with check_log(str(file)) as report:
        (voided,) = (json.loads(one) for one in report.voided)
    assert voided["round"] == number
    house.beacon.come(number)
    house.writer.round([], [])
    assert house.table(UTH).phase == "asleep"


@pytest.mark.parametrize("table", [CARIBBEAN, BLACKJACK, STUD])
def test_fairness_5_every_kind_of_table_waits_and_gives_back(house, table):
    lines = ("anna sit", "ben sit") if table == STUD else ("anna bet 20", "ben bet 20")
    if table == CARIBBEAN:
        lines = ("anna bet 20 jackpot", "ben bet 20")
    for name in ("anna", "ben"):
        house.do(f"{name} balance")
    hand = close(house, table, *lines).round.hand_id
    assert house.table(table).phase == "waiting"
    house.do("ben leave", table=table)
    house.restart()
    house.wait(VOID_AFTER_S + 10)
    assert house.table(table).phase == "waiting"
    assert not (answer := house.do(f"insp void {hand} no network", table=table, sure=True)).refused, answer
    if table == STUD:
        assert list(house.table(table).seats) == [1]
    else:
        close(house, table, *lines)
        come(house)
        house.wait(200)


def test_fairness_5_a_shoe_takes_the_round_of_its_first_hand(house):
    assert not house.do("insp table set penetration 60 fewer shuffles", table=BLACKJACK).refused
    close(house, BLACKJACK)
    come(house)
    first = house.table(BLACKJACK).round.beacon
    house.wait(200)
    shoe = house.table(BLACKJACK).shoe
    assert shoe.beacon == first
    house.restart()
    house.do("anna bet 20", table=BLACKJACK)
    house.wait(house.table(BLACKJACK).round.deadline - house.clock.now)
    table = house.table(BLACKJACK)
    assert (table.phase, table.round.beacon) == ("playing", first)
    assert table.round.hand.deal.seed.start == shoe.gone > 0
    assert [entry["round"] for entry in entries(house, "close")] == [first.round] * 2
    house.restart()
    house.wait(200)
    assert len(entries(house, "paid")) == 2


def test_SH14_who_sits_out_after_a_hand_that_waits_keeps_their_seat_in_it(house):
    """No hand has ended here yet, however long ago it began, and someone wants a seat."""
    for number in range(8):
        assert not house.do(f"p{number} buyin 80", table=STUD).refused
    house.wait(house.table(STUD).round.deadline - house.clock.now)
    assert house.table(STUD).phase == "waiting"
    assert not house.do("p0 sitout", table=STUD).refused
    assert "waiting list" in house.says("anna buyin 80", table=STUD)
    come(house)
    assert house.player("p0") in house.table(STUD).owners().values()
    assert house.table(STUD).seat_of(house.player("p0")) == 1


def test_a_restart_while_a_hand_waits_goes_on(house):
    table = close(house)
    house.restart()
    house.writer.round([], [])
    again = house.table(UTH)
    assert (again.phase, again.round.waits, again.round.bets, again.round.lines) == (
        "waiting",
        table.round.waits,
        table.round.bets,
        table.round.lines,
    )
    assert house.beacon.wanted == {table.round.waits.round}
    come(house)
    assert house.table(UTH).phase == "playing"
    house.restart()
    assert house.table(UTH).round.beacon == made_up(table.round.waits.round)
    house.wait(200)
    assert len(entries(house, "paid")) == 1


def test_a_house_that_follows_no_beacon_any_more_leaves_a_waiting_hand_waiting_and_gives_bets_back(house):
    close(house)
    house.do("anna bet 20", table=CARIBBEAN)
    chips = house.chips("anna")
    house.beacon, beacon = None, house.beacon
    house.restart()
    assert house.table(UTH).phase == "waiting"
    assert (house.table(CARIBBEAN).round.bets, house.table(CARIBBEAN).round.commitment["beacon"]) == ((), False)
    assert house.chips("anna") == chips + 20_00
    house.beacon = beacon
    house.restart()
    house.writer.round([], [])
    come(house)
    assert house.table(UTH).phase == "playing"


def test_a_table_that_closes_or_pauses_while_it_waits_deals_its_hand_first(house):
    hand = close(house).round.hand_id
    house.do("insp table pause quiet", table=UTH)
    assert (house.table(UTH).phase, len(house.table(UTH).round.bets)) == ("waiting", 1)
    house.do("insp table close quiet", table=UTH, sure=True)
    come(house)
    assert house.table(UTH).phase == "playing"
    house.wait(200)
    assert house.table(UTH).phase == "closed"
    assert some(hands.hand(house.books, hand)).status == "over"


def test_many_hands_wait_for_one_round_and_each_is_dealt(house):
    for table in (UTH, CARIBBEAN, BLACKJACK):
        house.do("anna bet 20", table=table)
    house.wait(20)
    assert {house.table(table).phase for table in (UTH, CARIBBEAN, BLACKJACK)} == {"waiting"}
    assert len(house.beacon.wanted) == 1
    come(house)
    dealt = [house.table(table).round.hand or house.table(table).last for table in (UTH, CARIBBEAN, BLACKJACK)]
    assert all(hand is not None and hand.events for hand in dealt), "an Admiral Jack may end a hand at once"


def test_no_seed_stands_anywhere_while_a_hand_waits(house):
    table = close(house)
    seed = table.round.seed.hex()
    told = house.do(f"anna verify {table.round.hand_id}")
    assert told.file is None
    everything = json.dumps(log_of(house)) + str(told) + repr(table)
    assert seed not in everything


def test_fairness_what_a_table_proves_is_said_by_its_help_and_by_verify(house):
    hand = close(house).round.hand_id
    assert "cannot choose the deck" in house.says("anna help table", table=UTH)
    assert "cannot choose the deck" in house.says(f"anna verify {hand}", table=UTH)
    come(house)
    house.do("insp table set beacon off why", table=CARIBBEAN)
    said = house.says("anna help table", table=CARIBBEAN)
    assert "The host could choose it, unless an honest player's sealed cut went in" in said


def test_a_close_and_the_head_that_covers_it_are_one_transaction(house):
    """A process that dies after any transaction leaves no close without its signature."""
    found = []

    def look(_changed):
        closes = [entry for entry in entries(house, "close") if entry["round"]]
        head = logs.newest_head(house.books, 1, 1)
        found.append((len(closes), head is not None and head.size == logs.size_of_log(house.books, 1, 1)))

    house.writer.subscribe(look)
    close(house)
    assert found[-1] == (1, True)


@pytest.mark.parametrize("dies_after", range(5))
def test_a_house_that_ends_between_any_two_entries_goes_on(house, dies_after):
    steps = [
        lambda: house.do("anna bet 20", table=UTH),
        lambda: house.do("anna cut x", table=UTH),
        lambda: house.wait(20),
        lambda: come(house),
        lambda: house.wait(200),
    ]
    for number, step in enumerate(steps):
        step()
        if number == dies_after:
            house.restart()
            house.writer.round([], [])
            house.wait(20 if number < 2 else 0)
    kinds = [entry["k"] for entry in map(json.loads, logs.entries(house.books, 1, 1, 0, 10**6))]
    assert [kinds.count(kind) for kind in ("close", "paid", "open")] == [1, 1, 1]


def test_fairness_3_the_head_that_covers_a_close_is_shown_as_long_as_the_hand_waits(house):
    assert head_of_close(house.writer.state, house.table(UTH)) is None
    table = close(house)
    shown = some(head_of_close(house.writer.state, table))
    assert shown["head"]["size"] > table.round.lines[-1]
    assert shown["head"]["at"] < time_of(table.round.waits.round)
    assert is_signed(shown["head"], shown["signature"])
    said, digits = say_closed(table, shown)
    assert digits == shown["head"]["root"][:32]
    assert str(said).startswith(
        f"No more bets on hand {table.round.hand_id}. The cards wait for round {table.round.waits.round} of "
    )
    come(house)
    assert head_of_close(house.writer.state, house.table(UTH)) is None


def test_fairness_3_a_head_from_after_the_round_shows_nothing(house):
    table = close(house)
    house.clock.now = float(time_of(table.round.waits.round))
    assert not house.do("insp table set beacon off the log grows", table=CARIBBEAN).refused
    house.writer.heads.sign()
    house.writer.round([], [])
    assert house.table(UTH).phase == "waiting"
    assert head_of_close(house.writer.state, house.table(UTH)) is None


def test_fairness_3_the_option_witness_is_on_until_an_inspector_turns_it_off(house):
    assert house.table(UTH).settings.witness is True
    assert "reason" in house.says("insp table set witness off", table=UTH)
    assert not house.do("insp table set witness off too many messages", table=UTH).refused
    assert house.table(UTH).settings.witness is False


def test_G10_who_turns_cards_is_waited_for_where_the_place_was_lost_before_the_round_came(house):
    found(house, HERE, "paiju")
    for line in ("anna bet south 500", "anna squeeze"):
        assert not do(house, line, HERE).refused
    house.wait(table_at(house, HERE).round.deadline - house.clock.now)
    assert table_at(house, HERE).phase == "waiting"
    internal_command(house, HERE, "lose")
    come(house)
    table = table_at(house, HERE)
    assert table.round.turning
    assert table.round.deadline == table.lost.at + WAITS_S
