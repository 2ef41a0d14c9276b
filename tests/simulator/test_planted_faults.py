"""The storm can fail: a house with a fault in it does not get through. Each is planted for real, and found soon."""

import re
from contextlib import nullcontext

from sqlite_utils import Database

from bot.floor import betting, stacks
from bot.floor.floor import Floor
from bot.pit import Pit
from bot.simulate_house import endure
from engine.hand import Hand
from storage.database import Books
from storage.ledger import Draft
from storage.rows import MoveRow, PostingRow


def find(folder, steps=3000):
    """What the first seed finds within so many steps."""
    return endure(1, steps, folder).fault or ""


def test_nothing_is_found_where_nothing_is_wrong(folder):
    assert find(folder, 300) == ""


def forget_every(one_in, kind, monkeypatch):
    """One row in so many of this kind is never written."""
    put, count = Draft.put, 0

    def forgetful(draft, row):
        nonlocal count
        count += isinstance(row, kind)
        if not (isinstance(row, kind) and count % one_in == 0):
            put(draft, row)

    monkeypatch.setattr(Draft, "put", forgetful)


def test_a_posting_that_is_lost(folder, monkeypatch):
    forget_every(50, PostingRow, monkeypatch)
    assert "its postings make" in find(folder)


def test_a_move_that_is_lost(folder, monkeypatch):
    forget_every(20, MoveRow, monkeypatch)
    assert find(folder)


def test_an_update_key_that_nobody_looks_up(folder, monkeypatch):
    monkeypatch.setattr(Books, "answers", lambda books, keys: {})
    monkeypatch.setattr(Floor, "_remember", lambda floor, key, answer: None)
    assert find(folder)


def test_a_refund_that_is_forgotten_when_a_place_is_lost(folder, monkeypatch):
    def forget(paper, table, now, why):
        return paper.set_table(betting.wind_clock(table.change(bets=(), ready=frozenset(), cuts=()), now))

    monkeypatch.setattr(betting, "return_all_bets", forget)
    assert re.search("lies on table|and not empty", find(folder))


def test_a_stack_that_is_lost_on_leaving(folder, monkeypatch):
    def forget(paper, table, player, now):
        return table.change(seats={seat: one for seat, one in table.seats.items() if one != player})

    monkeypatch.setattr(stacks, "stand_up", forget)
    assert "has no seat at table" in find(folder)


def test_a_card_that_is_hidden_and_shown(folder, monkeypatch):
    monkeypatch.setattr(Hand, "view", lambda hand, viewer: list(hand.events))
    assert re.search(r"shows \[.*\] to", find(folder))


def test_an_answer_before_the_commit(folder, monkeypatch):
    """Told first, written then: what dies in between was promised."""
    commit = Pit._commit

    def hasty(pit, batch):
        for future, answer in zip(pit.futures, batch.answers, strict=False):
            future.set_result(answer)
        pit.futures = []
        commit(pit, batch)

    write = Pit._write

    def noting(pit, commands, futures, now):
        pit.futures = list(futures)
        return write(pit, commands, futures, now)

    monkeypatch.setattr(Pit, "_commit", hasty)
    monkeypatch.setattr(Pit, "_write", noting)
    monkeypatch.setattr("bot.pit._answer", lambda future, answer: future.done() or future.set_result(answer))
    monkeypatch.setattr("bot.simulate_house.weather.CRASHES", 0.05)
    assert "were answered and are not on disk" in find(folder)


def test_a_meter_that_stands_otherwise_than_its_reset_said(folder, monkeypatch):
    post = Draft.post

    def generous(draft, debit, credit, amount, why, *more):
        post(draft, debit, credit, amount + why.startswith("meter reset") * 100, why, *more)

    monkeypatch.setattr(Draft, "post", generous)
    monkeypatch.setattr("bot.simulate_house.crowd.OFTEN", {"meter reset": 20})
    assert "after a reset" in find(folder)


def test_a_batch_of_which_half_is_written(folder, monkeypatch):
    """Without one transaction around it, what dies in the middle leaves a part."""
    monkeypatch.setattr(Database, "atomic", lambda db: nullcontext())
    monkeypatch.setattr("bot.simulate_house.weather.CRASHES", 0.2)
    assert re.search("of a batch that failed there is|came back otherwise|its postings make", find(folder))


def test_chips_that_are_given_twice(folder, monkeypatch):
    post = Draft.post

    def twice(draft, debit, credit, amount, why, *more):
        for _time in range(1 + (why == "daily")):
            post(draft, debit, credit, amount, why, *more)

    monkeypatch.setattr(Draft, "post", twice)
    assert "2 times “daily” by 1 commands" in find(folder)


def test_a_winner_who_is_paid_twice(folder, monkeypatch):
    post = Draft.post

    def twice(draft, debit, credit, amount, why, at, hand_id=None, event=None):
        post(draft, debit, credit, amount, why, at, hand_id, event)
        if debit.startswith("hand:") and credit.startswith("player:") and why == "main":
            post(draft, f"bank:{credit.split(':')[1]}", credit, amount, why, at, hand_id, f"{event} again")

    monkeypatch.setattr(Draft, "post", twice)
    assert "by the rules and" in find(folder)
