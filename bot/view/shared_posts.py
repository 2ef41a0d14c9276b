"""Build the screens or the sheet of a shared post, a hand always in its public view."""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from bot.core.casinos.share import Replay
from bot.core.state.shared_posts import SharedHand, SharedPost, SharedRank, SharedRecap
from bot.core.state.table import Table, owners_of
from bot.core.state.transaction import State
from bot.texts import Name, Text
from bot.view import Screen
from bot.view.build import caught, public_screen
from bot.view.describe import describe
from bot.view.render_context import lone_state
from bot.view.sheets import Sheet, describe_sheet, rank_sheet, recap_sheet
from engine.events import Moved
from engine.felt import TIMEOUT, Word
from storage import ledger
from storage.store import ReadableBooks


def shared_hand_screens(shared_post: SharedHand, books: ReadableBooks) -> tuple[Screen, ...]:
    """Return a screen for each step, the last with the result. Nothing is read from `books`; all is in the post."""
    state = _build_state(shared_post.steps[-1], shared_post.names, books)
    return tuple(_seen(state, table, None) for table in shared_post.steps)


def step_screen(replay: Replay, step: int, viewer: int, books: ReadableBooks) -> Screen:
    """Return one step of a finished hand as that player saw it: their own cards, and those that others showed."""
    state = _build_state(replay.steps[-1], replay.names, books)
    return _seen(state, replay.steps[step], viewer)


def say_moves(replay: Replay, step: int) -> tuple[Text, ...]:
    """Return the moves since the step before, including those that a clock made."""
    (before, _owners), (now, owners) = (_moves_at(replay.steps[at]) for at in (max(0, step - 1), step))
    told = now[len(before) :] if step else now
    return tuple(_say_move(Name(replay.names.get(owners[move.seat], "?")), move) for move in told if move.seat)


def _moves_at(table: Table) -> tuple[list[Moved], Mapping[str, int]]:
    hand = table.round.hand or table.last
    assert hand is not None
    return [event for event in hand.view(None) if isinstance(event, Moved)], owners_of(hand)


def _say_move(name: str, move: Moved) -> Text:
    if move.word == TIMEOUT:
        return Text("{name}: time ran out, {move}.", name=name, move=Word(move.played))
    return Text("{name}: {move}.", name=name, move=Word(move.word))


def _seen(state: State, table: Table, viewer: int | None) -> Screen:
    return _at_rest(table, caught(public_screen, state, table, viewer, 0.0))


def sheet_of(shared_post: SharedRank | SharedRecap) -> Sheet:
    """Return the sheet of a post that shows no table."""
    return rank_sheet(shared_post) if isinstance(shared_post, SharedRank) else recap_sheet(shared_post)


def describe_shared_post(shared_post: SharedPost, books: ReadableBooks, language: str) -> str:
    """Return the alternative text of a shared post."""
    if isinstance(shared_post, SharedHand):
        return describe(shared_hand_screens(shared_post, books)[-1], language)
    return describe_sheet(sheet_of(shared_post), language)


def _at_rest(table: Table, shown: Screen) -> Screen:
    """Return a screen without present-day details and buttons. While cards are revealed no one is in turn."""
    hand = Text("{game}, hand {hand}", game=Word(table.game), hand=str(table.round.hand_id))
    headline = hand if table.round.turning or table.last is not None else shown.headline
    if table.last is not None:
        headline = _result(table, shown) or hand
    seats = tuple(seat._replace(buttons=()) for seat in shown.seats)
    unsaid = {"meter": None, "bets": (), "more": (), "moves": (), "road": (), "revealed": "", "commit": ""}
    return replace(shown, headline=headline, call=None, deadline=None, seats=seats, **unsaid)


def _result(table: Table, shown: Screen) -> Text | None:
    """Return the last hand's result from the headline of a table that goes on."""
    result = shown.headline.values.get("result")
    return result if isinstance(result, Text) else None


def _build_state(table: Table, names: Mapping[int, str], books: ReadableBooks) -> State:
    """Return a state before the hand that was paid at this table."""
    return lone_state(table, names, dict(_stacks(table)), books)


def _stacks(table: Table) -> Iterator[tuple[str, int]]:
    hand = table.last
    assert hand is not None, "it is over"
    owners, wagered, returned = owners_of(hand), hand.wagered(), hand.returned()
    for stake in hand.deal.stakes:
        key = str(stake.seat)
        net = sum(returned.get(key, {}).values()) - sum(wagered.get(key, {}).values())
        yield ledger.stack(table.id, owners[key]), stake.stack + net
