"""A sheet: a title and rows of figures, independent of platform and language; a shared post without a table."""

from collections.abc import Iterable
from typing import NamedTuple

from bot.core.state.shared_posts import SharedRank, SharedRecap
from bot.texts import Text, say
from bot.view.payments import signed
from engine.felt import Amount, Word


class Row(NamedTuple):
    """A label and a figure; `result` as a seat's: win, lose, push, or empty."""

    label: Text
    value: Text
    result: str = ""


class Sheet(NamedTuple):
    """A sheet. `curve`: a value over time, the oldest first; () draws none."""

    title: Text
    rows: tuple[Row, ...]
    curve: tuple[int, ...] = ()
    foot: Text = Text("")


def describe_sheet(sheet: Sheet, language: str) -> str:
    """Return the sheet as text, a line for each row."""
    rows = (f"{say(row.label, language)}: {say(row.value, language)}" for row in sheet.rows)
    return "\n".join((say(sheet.title, language), *rows))


def rank_sheet(shared_post: SharedRank) -> Sheet:
    """Return chips and place, a row for each game, and the player's biggest win."""
    rows = [Row(Text("Chips"), Text("{chips}", chips=Amount(shared_post.chips)))]
    if shared_post.place is not None:
        rows.append(Row(Text("Place on the leaderboard"), Text("{place}", place=shared_post.place)))
    rows += _games(shared_post)
    game, _hands, _net, best = max(shared_post.games, key=lambda one: one[3])
    if best > 0:
        label = Text("Biggest win, at {game}", game=Word(game))
        rows.append(Row(label, signed(best), "win"))
    return Sheet(
        Text("{name}", name=shared_post.name), tuple(rows), shared_post.curve, Text("{name}", name=shared_post.casino)
    )


def recap_sheet(shared_post: SharedRecap) -> Sheet:
    """Return the number of hands, the biggest win, and the players."""
    title = Text("{game}, table {number}: the day", game=Word(shared_post.game), number=shared_post.number)
    rows = [Row(Text("Hands"), Text("{n}", n=shared_post.hands))]
    if shared_post.best is not None:
        name, amount = shared_post.best
        rows.append(Row(Text("Biggest win: {name}", name=name), signed(amount), "win"))
    for name, hands in shared_post.players:
        rows.append(Row(Text("{name}", name=name), Text("{n} hand", "{n} hands", n=hands)))
    if shared_post.others:
        rows.append(Row(Text("Others who played"), Text("{n}", n=shared_post.others)))
    return Sheet(title, tuple(rows))


def _games(shared_post: SharedRank) -> Iterable[Row]:
    for game, hands, net, _best in shared_post.games:
        label = Text("{game}, {n} hand", "{game}, {n} hands", game=Word(game), n=hands)
        yield Row(label, signed(net), result_of(net))


def result_of(net: int) -> str:
    """Return a net result as a seat's result."""
    return "win" if net > 0 else "lose" if net < 0 else "push"
