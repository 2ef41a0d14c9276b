"""A poster into screens or a sheet: what everybody is shown, of a hand by nobody's eyes but the public's."""

from collections.abc import Iterator

from msgspec.structs import replace

from bot.house.hooks import HOOKS
from bot.house.posters import HandPoster, Poster, RankPoster, RecapPoster
from bot.house.state.casinos import CasinoState
from bot.house.state.house import Casino, House, Player
from bot.house.state.people import PlayerState
from bot.house.state.table import Table, owners_of
from bot.texts import Text
from bot.view import Screen
from bot.view.build import caught, public_screen
from bot.view.describe import describe
from bot.view.sheets import Sheet, describe_sheet, rank_sheet, recap_sheet
from engine.felt import Word
from storage import ledger
from storage.store import Books


def poster_screens(poster: HandPoster, books: Books) -> tuple[Screen, ...]:
    """A screen for each of its steps; the last is the result. Of `books` nothing is read: all is in the poster."""
    house = _house(poster, books)
    return tuple(_as_public(table, caught(public_screen, house, table, None, 0.0)) for table in poster.steps)


def sheet_of(poster: RankPoster | RecapPoster) -> Sheet:
    """Of one that shows no table."""
    return rank_sheet(poster) if isinstance(poster, RankPoster) else recap_sheet(poster)


def describe_poster(poster: Poster, books: Books, language: str) -> str:
    """What it shows, for who cannot see it."""
    if isinstance(poster, HandPoster):
        return describe(poster_screens(poster, books)[-1], language)
    return describe_sheet(sheet_of(poster), language)


def _as_public(table: Table, shown: Screen) -> Screen:
    """Without what is of today, and nothing to press. While cards are turned nobody is waited for."""
    hand = Text("{game}, hand {hand}", "", game=Word(table.game), hand=str(table.hand_id))
    headline = hand if table.turning or table.last is not None else shown.headline
    if table.last is not None:
        headline = _result(table, shown) or hand
    seats = tuple(seat._replace(buttons=()) for seat in shown.seats)
    unsaid = {"meter": None, "bets": (), "more": (), "moves": (), "road": (), "card": (), "revealed": "", "commit": ""}
    return replace(shown, headline=headline, call=None, deadline=None, seats=seats, **unsaid)


def _result(table: Table, shown: Screen) -> Text | None:
    """What the headline of a table that goes on says of the last hand."""
    result = shown.headline.values.get("result")
    return result if isinstance(result, Text) else None


def _house(poster: HandPoster, books: Books) -> House:
    """With nobody but who played that hand, and what was before them when it was over."""
    table = poster.steps[-1]
    house = House(
        books,
        players={player: Player(player, name, "en", PlayerState(), 0.0) for player, name in poster.names.items()},
        balances=dict(_stacks(table)),
    )
    if (meter := HOOKS[table.game].casino.meter(table.casino)) is not None:
        house.balances[meter] = 0
    house.casinos[table.casino] = Casino(table.casino, "", CasinoState(), 0.0)
    return house


def _stacks(table: Table) -> Iterator[tuple[str, int]]:
    hand = table.last
    assert hand is not None, "it is over"
    owners, wagered, returned = owners_of(hand), hand.wagered(), hand.returned()
    for stake in hand.deal.stakes:
        key = str(stake.seat)
        net = sum(returned.get(key, {}).values()) - sum(wagered.get(key, {}).values())
        yield ledger.stack(table.id, owners[key]), stake.stack + net
