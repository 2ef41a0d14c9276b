"""Accounts and transactions: no chips are created or lost, and only the bank and the mint can be negative."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage import ledger
from storage.ledger import LARGEST, LARGEST_DEBT, Draft, NotEnoughChips, TooManyChips
from storage.rows import AuditRow, PlayerRow, PostingRow

ANNA, BEA, HAND = "player:1:1", "player:1:2", "hand:7"


class Shelf:
    """Fixed balances, like those of a store while a batch is handled."""

    def __init__(self, **balances):
        self.balances = {name.replace("_", ":"): amount for name, amount in balances.items()}

    def balance(self, account):
        return self.balances.get(account, 0)


def draft_of(**balances):
    return Draft(Shelf(**balances))


@pytest.mark.parametrize(
    ("name", "account"),
    [
        (ledger.wallet(1, 2), "player:1:2"),
        (ledger.stack(3, 2), "stack:3:2"),
        (ledger.hand(7), "hand:7"),
        (ledger.escrow(7, "1"), "escrow:7:1"),
        (ledger.bank(1), "bank:1"),
        (ledger.jackpot(1), "jackpot:1"),
        (ledger.mint(1), "mint:1"),
    ],
)
def test_accounts_are_named_by_kind_and_owner(name, account):
    assert name == account


@pytest.mark.parametrize(
    ("debit", "credit", "amount", "balances"),
    [
        (ANNA, HAND, 30, {ANNA: 70, HAND: 30}),
        (ANNA, HAND, 100, {ANNA: 0, HAND: 100}),
        (ANNA, BEA, 1, {ANNA: 99, BEA: 1}),
        ("bank:1", ANNA, 500, {"bank:1": -500, ANNA: 600}),
        ("mint:1", ANNA, 500, {"mint:1": -500, ANNA: 600}),
        (ANNA, HAND, 0, {}),
    ],
)
def test_a_posting_takes_from_one_and_gives_to_the_other(debit, credit, amount, balances):
    draft = draft_of(player_1_1=100)
    draft.post(debit, credit, amount, "why", 1.0)
    assert draft.balances == balances
    assert len(draft.rows[PostingRow]) == (1 if amount else 0)


@pytest.mark.parametrize("account", [ANNA, "stack:1:1", HAND, "escrow:7:1", "jackpot:1", "banker:1", "minted"])
def test_nobody_but_the_bank_and_the_mint_owes(account):
    draft = Draft(Shelf(**{account.replace(":", "_"): 10}))
    with pytest.raises(NotEnoughChips) as lack:
        draft.post(account, BEA, 11, "why", 1.0)
    assert (lack.value.account, lack.value.has, lack.value.wanted) == (account, 10, 11)
    assert draft.is_empty
    assert not draft.balances


@pytest.mark.parametrize("amount", [-1, -(10**9), 1.5, 0.0, True, "100", None])
def test_what_is_no_amount_is_the_callers_bug(amount):
    draft = draft_of(player_1_1=100)
    with pytest.raises(ValueError, match="cannot be posted"):
        draft.post("bank:1", ANNA, amount, "why", 1.0)
    assert draft.is_empty


@pytest.mark.parametrize(
    ("debit", "owes", "credit", "holds", "amount", "fits"),
    [
        ("mint:1", 0, ANNA, 0, LARGEST_DEBT, True),
        ("mint:1", 0, ANNA, 0, LARGEST_DEBT + 1, False),
        ("bank:1", LARGEST_DEBT - 7, HAND, 0, 7, True),
        ("bank:1", LARGEST_DEBT - 7, HAND, 0, 8, False),
        ("mint:1", 0, ANNA, LARGEST - 7, 7, True),
        ("mint:1", 0, ANNA, LARGEST - 7, 8, False),
        ("mint:1", 0, ANNA, 2**63 - 1, 1, False),
        ("bank:1", 0, ANNA, 0, 2**80, False),
    ],
)
def test_nobody_owes_or_holds_more_than_the_books_count(debit, owes, credit, holds, amount, fits):
    shelf = Shelf()
    shelf.balances = {debit: -owes, credit: holds}
    draft = Draft(shelf)
    if fits:
        draft.post(debit, credit, amount, "why", 1.0)
        assert draft.balances == {debit: -owes - amount, credit: holds + amount}
        return
    with pytest.raises(TooManyChips):
        draft.post(debit, credit, amount, "why", 1.0)
    assert draft.is_empty
    assert not draft.balances


def test_a_stake_goes_back_however_much_was_given_meanwhile():
    """All chips come from the bank and the mint, so they fit even if both owe as much as possible."""
    assert LARGEST == 2 * LARGEST_DEBT < 2**63
    draft = Draft(Shelf())
    draft.post("mint:1", ANNA, LARGEST_DEBT, "grant", 1.0)
    draft.post(ANNA, HAND, LARGEST_DEBT, "bet", 1.0)
    draft.post("bank:1", ANNA, LARGEST_DEBT, "adjust", 1.0)
    draft.post(HAND, ANNA, LARGEST_DEBT, "void", 1.0)
    assert draft.balance(ANNA) == LARGEST


def test_a_draft_sees_through_to_what_it_has_not_touched():
    draft = draft_of(player_1_1=100, player_1_2=5)
    draft.post(ANNA, HAND, 40, "bet", 1.0)
    assert (draft.balance(ANNA), draft.balance(BEA), draft.balance(HAND)) == (60, 5, 40)


def test_what_is_undone_leaves_no_trace():
    draft = draft_of(player_1_1=100)
    draft.post(ANNA, HAND, 100, "bet", 1.0)
    draft.put(PlayerRow(1, "anna", "en", "{}", 0.0))
    draft.undo()
    assert draft.is_empty
    assert draft.balances == {}
    assert draft.balance(ANNA) == 100


def test_what_is_kept_stays_in_order_and_only_the_last_step_is_undone():
    draft = draft_of(player_1_1=100)
    draft.post(ANNA, HAND, 10, "first", 1.0)
    draft.keep_changes()
    draft.post(ANNA, HAND, 20, "undone", 2.0)
    assert draft.has_news
    draft.undo()
    assert not draft.has_news
    draft.post(HAND, BEA, 5, "second", 3.0)
    draft.keep_changes()
    assert [row.why for row in draft.rows[PostingRow].values()] == ["first", "second"]
    assert draft.balances == {ANNA: 90, HAND: 5, BEA: 5}


def test_a_row_with_a_key_lies_on_top_of_the_one_before_and_others_are_appended():
    draft = draft_of()
    draft.put(PlayerRow(1, "anna", "en", "{}", 0.0))
    draft.keep_changes()
    draft.put(PlayerRow(1, "Anna", "it", "{}", 0.0))
    assert draft.get(PlayerRow, 1).name == "Anna"
    draft.undo()
    assert draft.get(PlayerRow, 1).name == "anna"
    for _ in range(2):
        draft.put(AuditRow(1.0, 1, 0, "void", "hand 1", "why", "", ""))
    assert len(draft.rows[AuditRow]) == 2
    assert draft.get(PlayerRow, 2) is None


ACCOUNTS = st.sampled_from([ANNA, BEA, HAND, "bank:1", "mint:1", "jackpot:1", "stack:1:1", "escrow:7:1"])


@pytest.mark.long
@given(st.lists(st.tuples(ACCOUNTS, ACCOUNTS, st.integers(0, 500), st.booleans())))
def test_any_sequence_of_postings_sums_to_zero(postings):
    draft = Draft(Shelf())
    for debit, credit, amount, is_dropped in postings:
        if debit == credit:
            continue
        try:
            draft.post(debit, credit, amount, "why", 1.0)
        except NotEnoughChips:
            assert not draft.has_news
            continue
        if is_dropped:
            draft.undo()
        draft.keep_changes()
    assert sum(draft.balances.values()) == 0
    assert all(amount >= 0 for name, amount in draft.balances.items() if not name.startswith(("bank:", "mint:")))
    by_postings = dict.fromkeys(draft.balances, 0)
    for row in draft.rows[PostingRow].values():
        assert isinstance(row, PostingRow)
        by_postings[row.debit] -= row.amount
        by_postings[row.credit] += row.amount
    assert by_postings == draft.balances
