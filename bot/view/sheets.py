"""A sheet: a title and rows of figures, independent of platform and language; a shared post without a table."""

from collections.abc import Iterable
from typing import NamedTuple

from bot.core.state.posters import RankPoster, RecapPoster
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


def rank_sheet(poster: RankPoster) -> Sheet:
    """Return chips and place, a row for each game, and the player's biggest win."""
    rows = [Row(Text("Chips"), Text("{chips}", chips=Amount(poster.chips)))]
    if poster.place is not None:
        rows.append(Row(Text("Place on the leaderboard"), Text("{place}", place=poster.place)))
    rows += _games(poster)
    game, _hands, _net, best = max(poster.games, key=lambda one: one[3])
    if best > 0:
        label = Text("Biggest win, at {game}", game=Word(game))
        rows.append(Row(label, signed(best), "win"))
    return Sheet(Text("{name}", name=poster.name), tuple(rows), poster.curve, Text("{name}", name=poster.casino))


def recap_sheet(poster: RecapPoster) -> Sheet:
    """Return the number of hands, the biggest win, and the players."""
    title = Text("{game}, table {number}: the day", game=Word(poster.game), number=poster.number)
    rows = [Row(Text("Hands"), Text("{n}", n=poster.hands))]
    if poster.best is not None:
        name, amount = poster.best
        rows.append(Row(Text("Biggest win: {name}", name=name), signed(amount), "win"))
    for name, hands in poster.players:
        rows.append(Row(Text("{name}", name=name), Text("{n} hand", "{n} hands", n=hands)))
    if poster.others:
        rows.append(Row(Text("Others who played"), Text("{n}", n=poster.others)))
    return Sheet(title, tuple(rows))


def _games(poster: RankPoster) -> Iterable[Row]:
    for game, hands, net, _best in poster.games:
        label = Text("{game}, {n} hand", "{game}, {n} hands", game=Word(game), n=hands)
        yield Row(label, signed(net), result_of(net))


def result_of(net: int) -> str:
    """Return a net result as a seat's result."""
    return "win" if net > 0 else "lose" if net < 0 else "push"
