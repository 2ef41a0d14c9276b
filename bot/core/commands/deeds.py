"""Answer to a move: what the player did, what it cost, and who is to act now.

It is part of the command's answer, so that the same press again is answered in the same words.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from bot.core.commands.command import Command
from bot.core.commands.stages import waited_for
from bot.core.state.plays import PLAYS
from bot.core.state.table import Table, owners_of
from bot.core.state.transaction import Transaction
from bot.texts import Text
from engine.events import Staked
from engine.felt import Amount, Move, Offer, Word
from engine.hand import Hand

_labels: dict[str, Mapping[str, Text]] = {}
LABELS: Mapping[str, Mapping[str, Text]] = MappingProxyType(_labels)
"""{game: {move: its label}}, filled by bot/games."""


def add_labels(game: str, labels: Mapping[str, Text]) -> None:
    """Register the labels of a game's move buttons. For bot.games."""
    _labels[game] = labels


def say_taken(transaction: Transaction, was: Table, player: int, command: Command) -> tuple[Text, ...]:
    """Describe a move from the table before it (`was`); nothing for a move of someone else."""
    before = was.round.hand
    if before is None:
        return ()
    table = transaction.table(was.id)
    hand = (
        table.round.hand
        if table is not None and table.round.hand_id == was.round.hand_id
        else _last(table, was.round.hand_id)
    )
    if table is None or hand is None:
        return ()
    mine = [seat for seat, owner in owners_of(hand).items() if owner == player]
    if not [move for move in hand.moves[len(before.moves) :] if move.word == command.verb and move.seat in mine]:
        return ()
    since = hand.events[len(before.events) :]
    cost = sum([event.amount for event in since if isinstance(event, Staked) and event.seat in mine])
    deed = _say_done(table.game, command, cost)
    lost = find_given_up(before, next(move for move in hand.moves[len(before.moves) :] if move.word == command.verb))
    if lost is not None:
        deed = Text("{done} {more}", done=deed, more=lost)
    if hand is not table.round.hand:
        return (Text("{done} The hand is over.", done=deed),)
    waiting = waited_for(table)
    if not waiting or player in waiting:
        return (deed,)
    names = [transaction.name_of(table.casino, one) for one in waiting]
    return (Text("{done} Waiting for {names}.", done=deed, names=names),)


def find_given_up(hand: Hand, move: Move) -> Text | None:
    """Return what a move in this hand gives up besides its price, as a sentence, or None."""
    told = PLAYS[hand.deal.game].moves.get(move.word)
    return told.gives_up(hand, move.seat) if told is not None and told.gives_up is not None else None


def _say_done(game: str, command: Command, cost: int) -> Text:
    """The sentence that a move was made."""
    told, label = PLAYS[game].moves.get(command.verb), say_deed(game, command.verb, command.args, cost)
    numbers = _numbers_of(command.args)
    if told is None or told.done is None or ("{argument}" in told.done.template and not numbers):
        return Text("Done: {move}.", move=label)
    return Text(told.done.template, argument=next(iter(numbers), 0), cost=Amount(cost))


def say_offer(game: str, offer: Offer) -> Text:
    """An offer as its button says it, with what it costs; a range from its least to its most."""
    args = (offer.public if offer.public is not None else offer.argument,)
    if not offer.most:
        return say_deed(game, offer.word, args, offer.stake)
    label = say_deed(game, offer.word, (), 0)
    if offer.least == offer.most:
        return priced(label, offer.most)
    least, most = Amount(offer.least), Amount(offer.most)
    return Text("{label} {least} to {most}", label=label, least=least, most=most)


def _numbers_of(args: Sequence[str]) -> list[int]:
    return [int(one) for one in args[:1] if one.isascii() and one.isdecimal()]


def _last(table: Table | None, hand: int) -> Hand | None:
    return table.last if table is not None and table.last_hand == hand else None


def say_deed(game: str, word: str, args: Sequence[str], cost: int) -> Text:
    """A move that was made, as its button said it; `args` as they were pressed or typed, so that no card is named."""
    label = LABELS.get(game, {}).get(word) or Text("{move}", move=Word(word))
    if "{argument}" in label.template:
        numbers = _numbers_of(args)
        label = Text(label.template, argument=numbers[0]) if numbers else Text("{move}", move=Word(word))
    return priced(label, cost)


def priced(label: Text, cost: int) -> Text:
    """Add the price in minor units to a label, unless it is 0."""
    return Text("{label} ({cost})", label=label, cost=Amount(cost)) if cost else label
