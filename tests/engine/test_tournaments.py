"""Tournaments (TN): from a definition, a seed and events to places and prizes."""

import json
from contextlib import suppress
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.tournaments.definition import (
    STANDARD_PRIZES,
    WHOLE,
    WINNER,
    Definition,
    IllegalTournament,
    parse_definition,
)
from engine.tournaments.play import OVER, RUNNING, Tournament
from engine.tournaments.record import describe, replay_tournament

EXAMPLES = json.loads((Path(__file__).parents[1] / "fixtures" / "tournament-examples.json").read_text("utf-8"))
SEED = "5a" * 32
Answer = dict[str, Any]


def replay(definition: Answer, *events: Any, seed: str = SEED) -> Answer:
    """Return the answer as JSON has it."""
    answer = replay_tournament({"tournament": {"game": "holdem"} | definition, "seed": seed, "events": list(events)})
    read: Answer = json.loads(json.dumps(answer))
    return read


def registered(count: int) -> list[list[str]]:
    return [["register", f"p{number}"] for number in range(1, count + 1)]


def started(count: int) -> list[list[str]]:
    return [*registered(count), ["start"]]


def play_hand(answer: Answer, table: str, *losers: str, to: str = "") -> list[Any]:
    """Return a hand in which the losers lose everything to another player."""
    seats = answer["tables"][table]
    in_hand = [seats[str(seat)] for seat in answer["next"][table]["in"]]
    stacks = {player: answer["stacks"][player] for player in in_hand}
    winner = to or next(player for player in in_hand if player not in losers)
    for player in losers:
        stacks[winner] += stacks[player]
        stacks[player] = 0
    return ["hand", int(table), stacks]


@pytest.mark.parametrize("case", EXAMPLES["cases"], ids=lambda case: str(case["id"]))
def test_the_examples_are_answered(case: Any) -> None:
    answer = json.loads(json.dumps(replay_tournament(case["record"])))
    assert ("refused" in answer) == case["expect"].get("refused", False)
    for key, value in case["expect"].items():
        if key != "refused":
            assert answer[key] == value, key


@pytest.mark.parametrize(
    "definition",
    [
        {"game": "whist"},
        {"game": "holdem", "colour": "red"},
        {"game": "holdem", "kind": "sit & go"},
        {"game": "holdem", "seats": 10},
        {"game": "holdem", "seats": 1},
        {"game": "holdem", "most": 201},
        {"game": "holdem", "least": 9, "most": 8},
        {"game": "holdem", "buy_in": 10.0},
        {"game": "holdem", "buy_in": True},
        {"game": "holdem", "stack": 0},
        {"game": "holdem", "levels": []},
        {"game": "holdem", "levels": [[100, 50, 0]]},
        {"game": "holdem", "levels": [[50, 100, 101]]},
        {"game": "holdem", "level_hands": 1001},
        {"game": "holdem", "late_levels": 21},
        {"game": "holdem", "kind": "sit-and-go", "late_levels": 1},
        {"game": "paiju", "reentries": 1},
        {"game": "holdem", "prizes": "flat"},
        {"game": "holdem", "prizes": [4000, 6000]},
        {"game": "holdem", "prizes": [5000, 4000]},
        {"game": "holdem", "prize_unit": 0},
        {"game": "blackjack", "hands": 0},
    ],
    ids=str,
)
def test_a_wrong_definition_is_refused(definition: Answer) -> None:
    """TN1."""
    assert replay(definition)["event"] is None


def test_amounts_are_limited_so_that_every_sum_can_be_written() -> None:
    """TN1."""
    largest, more = 10**100 - 1, 10**100
    for name in ("buy_in", "added", "stack", "prize_unit"):
        assert "100 digits" in replay({name: more})["refused"]
    assert "100 digits" in replay({"levels": [[1, more, 0]]})["refused"]
    assert replay({"buy_in": largest, "added": largest}, *started(200))["pool"] == 201 * largest


@pytest.mark.parametrize("record", [None, 5, [], {}, {"tournament": {"game": "holdem"}, "seed": "AB" * 32}], ids=str)
def test_other_json_is_refused(record: Any) -> None:
    assert set(replay_tournament(record)) == {"refused", "event"}


def test_standard_prizes_add_up_and_never_rise() -> None:
    """TN20."""
    for most, shares in STANDARD_PRIZES:
        assert sum(shares) == WHOLE
        assert list(shares) == sorted(shares, reverse=True)
        assert len(shares) <= most


def test_levels_double_after_the_last() -> None:
    """TN8."""
    definition = parse_definition({"game": "holdem", "levels": [[10, 20, 0], [20, 40, 5]]})
    assert [definition.blinds(level) for level in (2, 3, 4)] == [(20, 40, 5), (40, 80, 10), (80, 160, 20)]
    assert parse_definition({"game": "stud"}).stakes(2) == {"lower": 150, "upper": 300, "ante": 19}


def test_levels_that_nobody_can_pay_any_more_stay_writable() -> None:
    answer = replay({"game": "holdem", "level_hands": 0}, *started(2), *[["level"]] * 15_000)
    assert answer["level"] == 15_001
    assert json.dumps(answer)


def test_a_buy_in_is_returned_before_the_start() -> None:
    """TN5."""
    answer = replay({"buy_in": 500}, ["register", "anna"], ["register", "bo"], ["unregister", "anna"])
    assert (answer["entries"], answer["pool"], answer["paid"]) == (1, 500, {"anna": 500})


@pytest.mark.parametrize(
    ("event", "clause"),
    [
        (["register", "zoe"], "TN5"),
        (["unregister", "p1"], "TN5"),
        (["late", "zoe"], "TN11"),
        (["reenter", "p1"], "TN12"),
        (["level"], "TN8"),
        (["cancel"], "TN23"),
        (["start"], "TN2"),
        (["hand", 2, {"p1": 1}], "TN10"),
        (["hand", 1, {"p1": 10_000}], "TN15"),
        (["hand", 1, {"p1": 10_000, "p2": 10_000, "p3": 1}], "TN22"),
        (["remove", "zoe"], "TN23"),
        (["dance"], ""),
        (["abandon", 1], ""),
    ],
    ids=str,
)
def test_an_event_that_does_not_fit_is_refused_with_its_clause(event: Any, clause: str) -> None:
    events = started(3)
    refused = replay({}, *events, event)
    assert refused["event"] == len(events)
    assert refused["refused"].endswith(f" ({clause})." if clause else ".")


def test_a_copy_goes_on_by_itself_with_the_same_draws() -> None:
    """TN9."""
    rules = {"game": "holdem", "seats": 2, "late_levels": 5}
    one = Tournament(parse_definition(rules), bytes(32))
    for player in ("anna", "bo", "carl", "dora", "eve"):
        one.register(player)
    one.start()
    two, before = one.copy(), describe(one)
    two.enter_late("fay")
    assert describe(one) == before
    one.enter_late("fay")
    assert describe(one) == describe(two)


def test_a_name_has_no_space_and_no_slash() -> None:
    assert [replay({}, ["register", name])["event"] for name in ("", "a b", "a/b", 5)] == [0] * 4


def test_a_full_tournament_takes_no_more() -> None:
    """TN2."""
    assert replay({"kind": "sit-and-go", "seats": 2}, *registered(3))["event"] == 2


def test_late_entry_ends_with_its_level() -> None:
    """TN11."""
    late = {"late_levels": 1, "level_hands": 0, "seats": 4}
    assert replay(late, *started(2), ["late", "zoe"])["entries"] == 3
    assert replay(late, *started(2), ["level"], ["late", "zoe"])["event"] == 4


def test_re_entries_are_counted() -> None:
    """TN12."""
    events: list[Any] = started(3)
    rules = {"late_levels": 20, "reentries": 1, "buy_in": 1000}
    for _time in range(2):
        events.append(play_hand(replay(rules, *events), "1", "p1"))
        events.append(["reenter", "p1"])
    assert replay(rules, *events[:-1])["pool"] == 4000
    assert replay(rules, *events)["event"] == len(events) - 1


def test_a_place_is_behind_those_who_entered_later() -> None:
    """TN19: the player who was out first is last of all entries."""
    rules = {"late_levels": 1}
    events: list[Any] = started(3)
    events.append(play_hand(replay(rules, *events), "1", "p1"))
    assert replay(rules, *events, ["late", "zoe"])["places"] == {"p1": 4}


def test_no_hand_is_played_while_others_finish_theirs() -> None:
    """TN18."""
    rules = {"seats": 4, "prizes": [3000, 2000, 2000, 1500, 1500]}
    events: list[Any] = started(8)
    for table in ("1", "2"):
        answer = replay(rules, *events)
        events.append(play_hand(answer, table, answer["tables"][table]["1"]))
    answer = replay(rules, *events)
    assert (answer["hand_for_hand"], list(answer["next"])) == (True, ["1"])
    assert replay(rules, *events, play_hand(replay(rules, *events[:-1]), "2"))["event"] == len(events)


def test_left_counts_those_who_are_out_until_the_round_ends() -> None:
    """TN18."""
    rules = {"seats": 4, "prizes": [3000, 2000, 2000, 1500, 1500]}
    events: list[Any] = started(8)
    for table in ("1", "2"):
        answer = replay(rules, *events)
        events.append(play_hand(answer, table, answer["tables"][table]["1"]))
    events.append(play_hand(replay(rules, *events), "1"))
    before = replay(rules, *events)
    events.append(play_hand(before, "1", before["tables"]["1"]["2"]))
    within = replay(rules, *events)
    assert (within["left"], len(within["stacks"]), len(within["places"])) == (6, 5, 2)
    events.append(play_hand(within, "2"))
    after = replay(rules, *events)
    assert (after["left"], len(after["places"]), after["hand_for_hand"]) == (5, 3, False)


def test_a_removed_player_leaves_the_pool_and_no_place() -> None:
    """TN23."""
    answer = replay({"buy_in": 1000}, *started(2), ["remove", "p1"])
    assert (answer["state"], answer["places"], answer["paid"]) == ("over", {"p2": 1}, {"p2": 2000})


def test_a_game_without_ranked_players_is_cancelled() -> None:
    """TN23."""
    answer = replay({"game": "paiju", "buy_in": 1000}, *started(2), ["remove", "p1"], ["remove", "p2"])
    assert (answer["state"], answer["paid"]) == ("cancelled", {"p1": 1000, "p2": 1000})


def test_abandoned_with_few_left_each_gets_the_lowest_open_prize() -> None:
    """TN25."""
    rules = {"buy_in": 1000, "prizes": [5000, 3000, 2000], "prize_unit": 1}
    events: list[Any] = started(3)
    events.append(play_hand(replay(rules, *events), "1", "p1", to="p2"))
    answer = replay(rules, *events, ["abandon"])
    assert (answer["state"], answer["places"]) == ("abandoned", {"p1": 3})
    assert answer["paid"] == {"p1": 600, "p2": 900 + 400, "p3": 900 + 200}


def test_a_bank_game_ranks_by_stack_and_ties() -> None:
    """TN17, TN21."""
    rules = {"game": "blackjack", "hands": 1, "buy_in": 1000}
    answer = replay(rules, *started(3), ["hand", 1, {"p1": 9000, "p2": 12_000, "p3": 12_000}])
    assert answer["places"] == {"p2": 1, "p3": 1, "p1": 3}
    assert answer["paid"] == {"p2": 1500, "p3": 1500}


def test_a_bank_game_drops_players_below_the_minimum() -> None:
    """TN17."""
    rules = {"game": "blackjack", "hands": 4}
    answer = replay(rules, *started(3), ["hand", 1, {"p1": 199, "p2": 200, "p3": 100}])
    assert (answer["left"], answer["next"]) == (1, {"1": {"hand": 2, "minimum": 200}})
    assert answer["places"] == {"p1": 2, "p3": 2}


def test_players_who_lose_everything_in_the_last_bank_hand_are_ranked_by_their_stacks_before() -> None:
    """TN17, TN19."""
    hands = [["hand", 1, {"p1": 9000, "p2": 11_000, "p3": 10_000}], ["hand", 1, {"p1": 0, "p2": 0, "p3": 10_000}]]
    answer = replay({"game": "paiju", "hands": 2}, *started(3), *hands)
    assert answer["places"] == {"p3": 1, "p2": 2, "p1": 3}


def play_at_random(rules: Answer, count: int, random: Random) -> list[Answer]:
    """Play a whole tournament and return its answers after each hand."""
    events: list[Any] = started(count)
    answers = [replay(rules, *events)]
    while answers[-1]["state"] == "running":
        answer = answers[-1]
        table = random.choice(list(answer["next"]))
        seats = answer["tables"][table]
        in_hand = [seats[str(seat)] for seat in answer["next"][table]["in"]]
        events.append(play_hand(answer, table, *random.sample(in_hand, random.choice([0, 1, 1, len(in_hand) - 1]))))
        if random.random() < 0.05:
            events.append(["remove", random.choice(list(answer["stacks"]))])
            if "refused" in replay(rules, *events):
                events.pop()
        answers.append(replay(rules, *events))
    return answers


@pytest.mark.parametrize("game", ["holdem", "stud"])
@pytest.mark.parametrize("number", range(6))
def test_a_whole_tournament_keeps_its_sums(game: str, number: int) -> None:
    """TN14, TN21, TN22."""
    random = Random(number)
    count, rules = random.randint(2, 40), {"game": game, "seats": random.randint(2, 8), "buy_in": 1050}
    answers = play_at_random(rules, count, random)
    end = answers[-1]
    assert end["state"] == "over"
    assert sum(end["paid"].values()) == end["pool"] == count * 1050
    assert min(end["places"].values()) == 1
    for answer in answers[:-1]:
        seated = [player for seats in answer["tables"].values() for player in seats.values()]
        assert sorted(seated) == sorted(answer["stacks"])
        assert len(set(seated)) == len(seated)
        assert all(player in answer["stacks"] for player in seated)
        assert answer["next"], "a table can always play"


def test_two_hundred_players_are_seated() -> None:
    """TN2, TN10."""
    full = replay({}, *started(200))
    assert (len(full["tables"]), full["left"]) == (23, 200)
    assert {len(seats) for seats in full["tables"].values()} == {8, 9}


def lose_hand(tournament: Tournament, number: int, losers: int) -> None:
    """Record a hand at a table in which the last `losers` players lose everything to the first."""
    positions = tournament.tables.positions(number)
    assert positions is not None
    players = [tournament.tables.by_number[number].seats[seat] for seat in positions.dealt]
    stacks = {player: tournament.stacks[player] for player in players}
    for player in players[max(1, len(players) - losers) :]:
        stacks[players[0]] += stacks[player]
        stacks[player] = 0
    tournament.record_hand(number, stacks)


@given(
    game=st.sampled_from(["holdem", "stud"]),
    seats=st.integers(2, 8),
    count=st.integers(2, 40),
    acts=st.lists(st.tuples(st.integers(0, 7), st.integers(0, 10**6), st.integers(0, 3)), max_size=40),
)
def test_chips_seats_and_prizes_add_up(game: str, seats: int, count: int, acts: list[tuple[int, int, int]]) -> None:
    """TN11 to TN14, TN19, TN21 to TN23: with re-entries and removals, to the end."""
    rules = {"game": game, "seats": seats, "buy_in": 1050, "late_levels": 20, "reentries": 2, "prize_unit": 7}
    tournament = Tournament(parse_definition(rules), bytes(32))
    for number in range(count):
        tournament.register(f"p{number}")
    tournament.start()
    removed = 0
    for kind, pick, losers in [*acts, *[(0, pick, 7) for pick in range(1000)]]:
        if tournament.state != RUNNING:
            break
        tables = tournament.playing_tables()
        if kind == 7:
            player = sorted(tournament.stacks)[pick % len(tournament.stacks)]
            removed += tournament.stacks[player]
            tournament.remove(player)
        elif kind == 6 and tournament.out and not tournament.is_hand_for_hand:
            player = tournament.out[pick % len(tournament.out)].player
            with suppress(IllegalTournament):
                tournament.enter_again(player)
        else:
            number = tables[pick % len(tables)]
            lose_hand(tournament, number, losers)
            if not tournament.is_hand_for_hand and tournament.state == RUNNING:
                check_balance(tournament, number)
        seated = [player for table in tournament.tables.by_number.values() for player in table.seats.values()]
        assert sorted(seated) == sorted(tournament.stacks)
        assert sum(tournament.stacks.values()) == tournament.entries * 10_000 - removed
    assert tournament.state == OVER
    assert sum(tournament.paid.values()) == tournament.pool
    assert len(tournament.places) == tournament.ranked
    assert all(place <= 1 + rank for rank, place in enumerate(sorted(tournament.places.values())))


def check_balance(tournament: Tournament, number: int) -> None:
    """Check that a table whose hand is over has at most one player more than any other that stays."""
    tables, breaking = tournament.tables.by_number, tournament.tables.breaking
    if number in tables and number != breaking:
        smallest = min(len(table.seats) for other, table in tables.items() if other != breaking)
        assert len(tables[number].seats) <= smallest + 1


def test_a_thousand_players_finish_at_125_tables() -> None:
    """TN8, TN13: neither a broken table nor a new level takes long."""
    tournament = Tournament(Definition("holdem", seats=8, most=1000, buy_in=100, prizes=WINNER), bytes(32))
    for number in range(1000):
        tournament.register(f"p{number}")
    tournament.start()
    assert len(tournament.tables) == 125
    slowest = 0.0
    while tournament.state == RUNNING:
        for number in tournament.playing_tables():
            if number in tournament.tables.by_number and number in tournament.playing_tables():
                began = process_time()
                lose_hand(tournament, number, 1)
                slowest = max(slowest, process_time() - began)
                assert sum(tournament.stacks.values()) == 10_000_000
    assert tournament.paid.total() == 100_000
    assert slowest < 0.05
