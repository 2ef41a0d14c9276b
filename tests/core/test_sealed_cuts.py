"""Sealed cuts, from the seal to the record: opened, missed, forged, late, doubled, foreign; and nothing leaks."""

import json

import pytest

from bot.cli.log_faults import examine_logs
from bot.core.rounds.log_proofs import lines
from bot.verifier.logs import check_log
from bot.verifier.records import verify_record
from engine.fairness.beacon import GENESIS, PERIOD_S, ChainInfo, round_after, time_of
from engine.fairness.seals import OPENING_S, seal
from storage.questions import logs
from tests.beacon import chain, signed
from tests.core.conftest import BLACKJACK, CARIBBEAN, STUD, UTH, House
from tests.core.rounds import BEGAN, Rounds
from tests.some import some

ANNAS, BEAS, ANOTHER = (number.to_bytes(32, "big").hex() for number in (1, 2, 3))
CHAIN = ChainInfo(chain().key, PERIOD_S, GENESIS)


def do(house, line, table=CARIBBEAN):
    answer = house.do(line, table=table)
    assert not answer.refused, (line, answer)


def seal_cut(house, name, cut, table=CARIBBEAN):
    return house.do(f"{name} seal {seal(cut)} {house.table(table).round.commit}", table=table)


def open_cut(house, name, cut, table=CARIBBEAN, commit=""):
    return house.do(f"{name} open-cut {cut} {commit or house.table(table).round.commit}", table=table)


def close(house, table=CARIBBEAN, *, bea=True, bet="bet 10"):
    """Anna and Bea bet and seal, and the clock of the bets runs out."""
    for name, cut in [("anna", ANNAS), ("bea", BEAS)][: 1 + bea]:
        do(house, f"{name} {bet}", table)
        assert not seal_cut(house, name, cut, table).refused
    house.wait(house.table(table).round.deadline - house.clock.now)
    return house.table(table)


def entries(house, kind):
    rows = (json.loads(row.entry) for row in logs.entry_rows(house.books, 1, 1))
    return [entry for entry in rows if entry["k"] == kind]


def play_out(house, table=CARIBBEAN):
    hand = house.table(table).round.hand_id
    house.wait(200)
    house.writer.heads.sign()
    house.writer.round([], [])
    return json.loads(house.do(f"anna verify {hand}").file[1])


def check_whole_log(house, tmp_path, named=None):
    file = tmp_path / "sealed.jsonl"
    file.write_text("".join(f"{line}\n" for line in lines(house.books, some(logs.log(house.books, 1)))))
    with check_log(str(file), chain=named) as report:
        assert report.faults == []
        return report.seals


def test_fairness_4a_opened_cuts_are_mixed_and_the_cards_come_with_the_last(house, tmp_path):
    table = close(house)
    assert (table.phase, table.awaits_cuts, table.round.hand) == ("waiting", True, None)
    (closed,) = entries(house, "close")
    assert closed["seals"] == sorted([seal(ANNAS), seal(BEAS)])
    assert closed["round"] == 0
    head = some(logs.newest_head(house.books, 1, 1))
    assert head.size > table.round.lines[-1], "a head covers the close at once"
    assert not open_cut(house, "anna", ANNAS).refused
    assert house.table().round.hand is None
    assert not open_cut(house, "bea", BEAS).refused
    assert house.table().round.hand is not None
    (settled,) = entries(house, "cuts")
    assert settled["unopened"] == []
    record = play_out(house)
    assert record["seed"]["cuts"] == sorted([ANNAS, BEAS])
    assert record["seals"] == closed["seals"]
    assert "unopened" not in record
    assert verify_record(record)["verified"]
    assert check_whole_log(house, tmp_path) == {str(CARIBBEAN): [2, 0, 0]}
    assert list(examine_logs(house.books)) == []


def test_fairness_4a_a_cut_that_nobody_opens_costs_five_seconds_and_is_named(house, tmp_path):
    closed_at = house.clock.now
    close(house)
    closed_at = house.clock.now
    do(house, f"bea open-cut {BEAS} {house.table().round.commit}")
    house.wait(OPENING_S - 0.5)
    assert house.table().awaits_cuts
    house.wait(0.5)
    assert house.table().round.hand is not None
    assert house.clock.now - closed_at <= OPENING_S
    assert open_cut(house, "anna", ANNAS).refused, "too late"
    record = play_out(house)
    assert (record["seed"]["cuts"], record["unopened"]) == ([BEAS], [seal(ANNAS)])
    assert verify_record(record)["verified"]
    assert check_whole_log(house, tmp_path)[str(CARIBBEAN)][:2] == [2, 1]


def test_fairness_4a_public_and_sealed_cuts_are_mixed_together(house):
    do(house, "anna bet 10")
    assert not seal_cut(house, "anna", ANNAS).refused
    assert house.do("anna cut hearts").refused, "who has sealed cannot cut openly"
    do(house, "bea bet 10")
    do(house, "bea cut hearts")
    assert seal_cut(house, "bea", BEAS).refused, "who has cut openly cannot seal"
    house.wait(house.table().round.deadline - house.clock.now)
    do(house, f"anna open-cut {ANNAS} {house.table().round.commit}")
    record = play_out(house)
    assert record["seed"]["cuts"] == sorted(["hearts", ANNAS])
    assert verify_record(record)["verified"]


def test_fairness_4a_the_same_seal_is_acknowledged_again_and_another_is_not(house):
    do(house, "anna bet 10")
    assert seal_cut(house, "bea", BEAS).refused, "without a bet"
    for _ in range(2):
        assert not seal_cut(house, "anna", ANNAS).refused
    assert seal_cut(house, "anna", ANOTHER).refused, "the first device's stands"
    do(house, "bea bet 10")
    assert seal_cut(house, "bea", ANNAS).refused, "another player has it"
    assert not seal_cut(house, "bea", BEAS).refused
    assert len(house.table().round.seals) == 2


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("anna", ANOTHER),  # forged
        ("bea", ANNAS),  # foreign
        ("anna", ANNAS.upper().replace("0", "F")),
        ("anna", ANNAS + "00"),  # oversized
        ("anna", "ab" * 400),
        ("anna", ""),
        ("carlo", ANNAS),
    ],
)
def test_fairness_4a_no_other_opening_is_taken(house, name, words):
    table = close(house)
    assert house.do(f"{name} open-cut {words} {table.round.commit}").refused
    assert house.do(f"anna open-cut {ANNAS} {'ab' * 32}").refused, "of another commitment"
    assert house.table().round.openings == ()


def test_fairness_4a_an_opening_comes_after_the_close_and_counts_once(house):
    do(house, "anna bet 10")
    assert not seal_cut(house, "anna", ANNAS).refused
    assert open_cut(house, "anna", ANNAS).refused, "bets are open"
    assert house.table().round.openings == ()
    do(house, "bea bet 10")
    seal_cut(house, "bea", BEAS)
    house.wait(house.table().round.deadline - house.clock.now)
    for _ in range(2):
        assert not open_cut(house, "anna", ANNAS).refused
    assert house.table().round.openings == ((seal(ANNAS), ANNAS),)


def test_fairness_4a_an_acknowledged_opening_survives_a_kill(house, tmp_path):
    close(house)
    assert not open_cut(house, "anna", ANNAS).refused
    house.restart()
    restarted_at = house.clock.now
    table = house.table()
    assert table.awaits_cuts
    assert table.round.openings == ((seal(ANNAS), ANNAS),)
    house.wait(OPENING_S)
    assert house.table().round.hand is not None
    assert house.clock.now == restarted_at + OPENING_S
    record = play_out(house)
    assert (record["seed"]["cuts"], record["unopened"]) == ([ANNAS], [seal(BEAS)])
    assert verify_record(record)["verified"]
    house.restart()
    assert check_whole_log(house, tmp_path)[str(CARIBBEAN)][:2] == [2, 1]


def test_fairness_4a_who_takes_the_bet_back_takes_the_seal_back(house):
    do(house, "anna bet 10")
    seal_cut(house, "anna", ANNAS)
    do(house, "bea bet 10")
    do(house, "anna takeback")
    house.wait(house.table().round.deadline - house.clock.now)
    assert house.table().round.hand is not None
    assert "seals" not in entries(house, "close")[-1]
    assert entries(house, "cuts") == []


def test_fairness_4a_a_shoe_is_sealed_before_its_first_hand(house, tmp_path):
    do(house, "insp table set penetration 50 why", BLACKJACK)
    close(house, BLACKJACK, bea=False, bet="bet 20")
    do(house, f"anna open-cut {ANNAS} {house.table(BLACKJACK).round.commit}", BLACKJACK)
    first_hand = house.table(BLACKJACK).round.hand_id
    house.wait(200)
    assert house.table(BLACKJACK).shoe.cuts == (ANNAS,)
    do(house, "anna bet 20", BLACKJACK)
    assert seal_cut(house, "anna", ANOTHER, BLACKJACK).refused
    house.wait(house.table(BLACKJACK).round.deadline - house.clock.now)
    later_hand = house.table(BLACKJACK).round.hand_id
    first, later = entries(house, "close")
    assert later["cuts"] == entries(house, "cuts")[0]["cuts"] != first["cuts"]
    assert "seals" not in later
    house.wait(25 * 3600)
    house.writer.heads.sign()
    house.writer.round([], [])
    for hand in (first_hand, later_hand):
        assert verify_record(json.loads(house.do(f"anna verify {hand}").file[1]))["verified"]
    check_whole_log(house, tmp_path)


def test_fairness_4a_stud_is_sealed_by_who_sits_with_a_stack(house, tmp_path):
    for name, cut in (("anna", ANNAS), ("bea", BEAS)):
        do(house, f"{name} buyin 200", STUD)
        assert not seal_cut(house, name, cut, STUD).refused
    house.wait(house.table(STUD).round.deadline - house.clock.now)
    assert house.table(STUD).awaits_cuts
    assert len(entries(house, "close")[-1]["seals"]) == 2
    for name, cut in (("anna", ANNAS), ("bea", BEAS)):
        do(house, f"{name} open-cut {cut} {house.table(STUD).round.commit}", STUD)
    assert house.table(STUD).round.hand is not None
    assert house.table(STUD).round.hand.deal.seed.cuts == tuple(sorted([ANNAS, BEAS]))


@pytest.fixture
def beacon_house(tmp_path, stores):
    opened = House(tmp_path, stores=stores, beacon=Rounds(), began=BEGAN)
    yield opened
    opened.close()


def test_fairness_4a_with_the_beacon_the_cuts_entry_names_the_round(beacon_house, tmp_path):
    house = beacon_house
    close(house, UTH, bea=False)
    (closed,) = entries(house, "close")
    assert (closed["round"], house.beacon.wanted) == (0, set())
    do(house, f"anna open-cut {ANNAS} {house.table(UTH).round.commit}", UTH)
    (settled,) = entries(house, "cuts")
    assert house.table(UTH).round.waits.round == settled["round"] > 0
    head = some(logs.newest_head(house.books, 1, 1))
    assert head.size == house.table(UTH).round.lines[-1] + 1
    assert head.at < time_of(settled["round"])
    house.restart()
    house.clock.now = float(time_of(settled["round"]))
    house.beacon.come(settled["round"], signed(settled["round"]))
    house.writer.round([], [])
    assert house.table(UTH).round.hand is not None
    answer = verify_record(play_out(house, UTH), chain=CHAIN)
    assert answer["verified"], answer
    check_whole_log(house, tmp_path, CHAIN)


def test_fairness_4a_a_clock_that_was_put_back_names_the_round_of_the_entrys_own_time(beacon_house):
    house = beacon_house
    close(house, UTH, bea=False)
    house.clock.now -= PERIOD_S
    house.restart()
    house.wait(OPENING_S)
    (settled,) = entries(house, "cuts")
    assert settled["unopened"] == [seal(ANNAS)]
    assert settled["round"] == round_after(settled["at"])


def test_fairness_4a_the_round_of_a_sealed_hand_may_not_come_for_an_hour(beacon_house, tmp_path):
    house = beacon_house
    table = close(house, UTH, bea=False)
    hand = table.round.hand_id
    assert house.do(f"insp void {hand} now", table=UTH, sure=True).refused
    house.wait(OPENING_S)
    settled = entries(house, "cuts")[0]
    assert settled["unopened"] == [seal(ANNAS)]
    house.wait(time_of(settled["round"]) + 3600 - house.clock.now)
    assert not house.do(f"insp void {hand} no network", table=UTH, sure=True).refused
    house.clock.now += 1.0
    house.writer.heads.sign()
    house.writer.round([], [])
    record = json.loads(house.do(f"anna verify {hand}").file[1])
    assert verify_record(record)["verified"]
    check_whole_log(house, tmp_path)


def test_fairness_4a_nothing_shows_an_opened_cut_before_all_of_them_count(house, caplog):
    table = close(house)
    assert not open_cut(house, "anna", ANNAS).refused
    seen = [repr(house.table()), repr(house.table().round)]
    hand = table.round.hand_id
    for line in (
        f"bea verify {hand}",
        "bea table",
        "bea history",
        "bea tables",
        "bea cards",
        "bea log",
        "bea help table",
    ):
        answer = house.do(line)
        seen += [*map(str, answer.texts + answer.found), str(answer.file)]
    seen += lines(house.books, some(logs.log(house.books, 1)))
    seen += [record.getMessage() for record in caplog.records]
    seed = house.table().round.seed.hex()
    assert not [one for one in seen if ANNAS in one or seed in one]
