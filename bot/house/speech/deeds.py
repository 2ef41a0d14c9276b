"""What answers a move that was taken: what he did, what it cost, and who is waited for now.

It is part of the floor's answer, so that the same press once more is answered in the same words.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from bot.house.speech.command import Command
from bot.house.stages import waited_for
from bot.house.state.house import Paper
from bot.house.state.table import Table, owners_of
from bot.texts import Text
from engine.events import Staked
from engine.felt import Amount, Word
from engine.hand import Hand

_labels: dict[str, Mapping[str, Text]] = {}
LABELS: Mapping[str, Mapping[str, Text]] = MappingProxyType(_labels)
"""{game: {move: what its button says}}. Who fills it is bot/games."""


def add_labels(game: str, labels: Mapping[str, Text]) -> None:
    """For bot.games: what the buttons of this game's moves say from now on."""
    _labels[game] = labels


def say_taken(paper: Paper, was: Table, player: int, command: Command) -> tuple[Text, ...]:
    """`was`: the table before his move. Nothing where it was none of his."""
    before = was.play
    if before is None:
        return ()
    table = paper.table(was.id)
    hand = table.play if table is not None and table.hand_id == was.hand_id else _last(table, was.hand_id)
    if table is None or hand is None:
        return ()
    mine = [seat for seat, owner in owners_of(hand).items() if owner == player]
    if not [move for move in hand.moves[len(before.moves) :] if move.word == command.verb and move.seat in mine]:
        return ()
    since = hand.events[len(before.events) :]
    cost = sum([event.amount for event in since if isinstance(event, Staked) and event.seat in mine])
    deed = say_deed(table.game, command.verb, command.args, cost)
    if hand is not table.play:
        return (Text("Done: {move}. The hand is over.", "", move=deed),)
    waiting = waited_for(table)
    if not waiting or player in waiting:
        return (Text("Done: {move}.", "", move=deed),)
    names = [paper.name_of(table.casino, one) for one in waiting]
    return (Text("Done: {move}. Waiting for {names}.", "", move=deed, names=names),)


def _last(table: Table | None, hand: int) -> Hand | None:
    return table.last if table is not None and table.last_hand == hand else None


def say_deed(game: str, word: str, args: Sequence[str], cost: int) -> Text:
    """A move that was made, as its button said it; `args` as they were pressed or typed, so that no card is named."""
    label = LABELS.get(game, {}).get(word) or Text("{move}", "", move=Word(word))
    if "{argument}" in label.template:
        numbers = [int(one) for one in args[:1] if one.isascii() and one.isdecimal()]
        label = Text(label.template, "", argument=numbers[0]) if numbers else Text("{move}", "", move=Word(word))
    return priced(label, cost)


def priced(label: Text, cost: int) -> Text:
    """With what it costs, in minor units, where it costs something."""
    return Text("{label} ({cost})", "", label=label, cost=Amount(cost)) if cost else label
