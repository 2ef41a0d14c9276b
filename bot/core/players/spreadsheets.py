"""Columns of files for a spreadsheet: times with their zone, amounts in chips, accounts in words."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from bot.core.players.reasons import say_reason
from bot.core.state.values import load_member, load_player
from bot.texts import Name, Text, say
from bot.texts.times import write_moment
from storage.questions import people
from storage.rows import PostingRow
from storage.store import Reader

TIME, CHIPS, REASON, HAND = Text("Time"), Text("Chips"), Text("Reason"), Text("Hand")
FROM, TO = Text("From"), Text("To")
COMMITMENT, IN_RECORD = Text("Commitment"), Text("You in the record")
_YOU = Text("your chips")
_WHOSE = {
    "player": Text("chips of {name}"),
    "stack": Text("stack of {name}"),
    "chips": Text("tournament chips of {name}"),
}
_OF_HAND = {"hand": Text("bets of hand {hand}"), "escrow": Text("prize of hand {hand}")}
_OF_TOURNAMENT = {"pool": Text("buy-ins of a tournament"), "issue": Text("tournament chips not in play")}
_OF_CASINO = {"bank": Text("the bank"), "jackpot": Text("the jackpot"), "mint": Text("new chips")}


def write_chips(minor: int) -> str:
    """Write an amount as every spreadsheet reads it."""
    return f"{'-' * (minor < 0)}{abs(minor) // 100}.{abs(minor) % 100:02}"


def name_reader(books: Reader, casino: int) -> Callable[[int], str]:
    """Return a function that says what a player is called in a casino."""

    @cache
    def name_of(id: int) -> str:
        member = people.member(books, casino, id)
        if member is not None and (known := load_member(member)).name:
            return str(known.shown)
        player = people.player(books, id)
        return load_player(player).own_name if player is not None else "?"

    return name_of


def write_movement(
    row: PostingRow,
    wallets: Sequence[str],
    language: str,
    name_of: Callable[[int], str],
    commits: Mapping[int, str],
) -> list[str]:
    """Write a posting as its player reads it: what came is above 0, what went below.

    `commits` are those of hands: with what the player is called in it, they name the record.
    """
    amount = write_chips(row.amount if row.credit in wallets else -row.amount)
    proof = ["", ""] if row.hand is None else [commits.get(row.hand, ""), name_in_record(row, wallets)]
    return [write_moment(row.at), amount, *_about(row, wallets, language, name_of), *proof]


def name_in_record(row: PostingRow, wallets: Sequence[str]) -> str:
    """Return what the owner of the wallet in a posting is called in records."""
    wallet = row.credit if row.credit in wallets else row.debit
    return f"p{wallet.rpartition(':')[2]}"


def write_posting(row: PostingRow, language: str, name_of: Callable[[int], str]) -> list[str]:
    """Write a posting as an auditor reads it."""
    return [write_moment(row.at), write_chips(row.amount), *_about(row, (), language, name_of)]


def _about(row: PostingRow, wallets: Sequence[str], language: str, name_of: Callable[[int], str]) -> list[str]:
    accounts = (_say_account(account, wallets, language, name_of) for account in (row.debit, row.credit))
    return [say(say_reason(row), language), "" if row.hand is None else str(row.hand), *accounts]


def _say_account(account: str, wallets: Sequence[str], language: str, name_of: Callable[[int], str]) -> str:
    if account in wallets:
        return say(_YOU, language)
    kind, *owner = account.split(":")
    if (whose := _WHOSE.get(kind)) is not None:
        return say(Text(whose.template, name=Name(name_of(int(owner[1])))), language)
    if (of_hand := _OF_HAND.get(kind)) is not None:
        return say(Text(of_hand.template, hand=owner[0]), language)
    return say(_OF_TOURNAMENT.get(kind) or _OF_CASINO[kind], language)
