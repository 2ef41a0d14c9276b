"""Answer to a move: what the player did, what it cost, and who is to act now.

It is part of the command's answer, so that the same press again is answered in the same words.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from bot.core.commands.command import Command
from bot.core.commands.stages import waited_for
from bot.core.state.plays import PLAYS, Seating
from bot.core.state.table import Table, owners_of
from bot.core.state.transaction import Transaction
from bot.texts import Text
from engine.events import Staked
from engine.felt import Amount, Move, Offer, Word, find_offer
from engine.hand import Hand

_labels: dict[str, Mapping[str, Text]] = {}
LABELS: Mapping[str, Mapping[str, Text]] = MappingProxyType(_labels)
"""{game: {move: its label}}, filled by bot/games."""


# Labels of moves that games have in common, and sentences for them.
COMMON_LABELS = {
    "raise": Text("Raise"),
    "fold": Text("Fold"),
    "check": Text("Check"),
    "call": Text("Call"),
    "bet": Text("Bet"),
}
_DONE = {
    "fold": Text("You folded."),
    "check": Text("You checked."),
    "call": Text("You called: {cost}."),
    "bet": Text("You bet {cost}."),
    "raise": Text("You raised: {cost}."),
}


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
    new = hand.moves[len(before.moves) :]
    made = next((move for move in new if move.word == command.verb and move.seat in mine), None)
    if made is None:
        return ()
    since = hand.events[len(before.events) :]
    cost = sum([event.amount for event in since if isinstance(event, Staked) and event.seat in mine])
    deed = _say_done(table.game, command, cost, amount_of(before, made))
    more = find_given_up(before, made) or (Text("You are all-in.") if cost and _is_all_in(hand, made.seat) else None)
    if more is not None:
        deed = Text("{done} {more}", done=deed, more=more)
    if hand is not table.round.hand:
        return (Text("{done} The hand is over.", done=deed),)
    waiting = waited_for(table)
    if player in waiting and table.plays.seating is Seating.STACKS:
        return (Text("{done} It's your turn again.", done=deed),)
    if not waiting or player in waiting:
        return (deed,)
    names = [transaction.name_of(table.casino, one) for one in waiting]
    return (Text("{done} Waiting for {names}.", done=deed, names=names),)


def find_given_up(hand: Hand, move: Move) -> Text | None:
    """Return what a move in this hand gives up besides its price, as a sentence, or None."""
    told = PLAYS[hand.deal.game].moves.get(move.word)
    return told.gives_up(hand, move.seat) if told is not None and told.gives_up is not None else None


def amount_of(hand: Hand, move: Move) -> Amount:
    """Return the amount that a move in this hand names out of a range, in minor units; 0 if it names none."""
    offer = find_offer(hand.asks.get(move.seat, ()), move)
    return Amount(move.argument) if offer is not None and offer.most else Amount(0)


def warn_of_stake(hand: Hand, seat: str, cost: int) -> Text | None:
    """Return what is confirmed before a move that puts in more than half of a stack (HE36), or None."""
    stack = _stack_of(hand, seat)
    if not stack or 2 * cost <= stack:
        return None
    is_all_in = sum(hand.wagered().get(seat, {}).values()) + cost == stack
    return Text("You would be all-in.") if is_all_in else Text("That is more than half of your stack.")


def _is_all_in(hand: Hand, seat: str) -> bool:
    stack = _stack_of(hand, seat)
    return bool(stack) and sum(hand.wagered()[seat].values()) == stack


def _stack_of(hand: Hand, seat: str) -> int:
    """Return what a seat had before the hand; 0 in games without stacks."""
    return next((stake.stack for stake in hand.deal.stakes if str(stake.seat) == seat), 0)


def _say_done(game: str, command: Command, cost: int, amount: Amount) -> Text:
    """Say that a move was made; `amount` is what it named out of a range."""
    told = PLAYS[game].moves.get(command.verb)
    arguments: list[int] = [amount] if amount else _numbers_of(command.args)
    for done in (told.done if told is not None else None, _DONE.get(command.verb)):
        if done is not None and (arguments or "{argument}" not in done.template):
            return Text(done.template, argument=next(iter(arguments), 0), cost=Amount(cost))
    return Text("Done: {move}.", move=say_deed(game, command.verb, command.args, cost))


def say_offer(game: str, offer: Offer) -> Text:
    """Write an offer as its button says it, with its cost; a range from its least to its most."""
    args = (offer.public if offer.public is not None else offer.argument,)
    if not offer.most:
        return say_deed(game, offer.word, args, offer.stake)
    least, most = Amount(offer.least), Amount(offer.most)
    if offer.least == offer.most:
        return say_deed(game, offer.word, (), most, most)
    label = _label_of(game, offer.word)
    if "{argument}" in label.template:
        return Text(label.template, argument=Text("{least}–{most}", least=least, most=most))
    return Text("{label} {least} to {most}", label=label, least=least, most=most)


def _numbers_of(args: Sequence[str]) -> list[int]:
    return [int(one) for one in args[:1] if one.isascii() and one.isdecimal()]


def _last(table: Table | None, hand: int) -> Hand | None:
    return table.last if table is not None and table.last_hand == hand else None


def _label_of(game: str, word: str) -> Text:
    return LABELS.get(game, {}).get(word) or Text("{move}", move=Word(word))


def say_deed(game: str, word: str, args: Sequence[str], cost: int, amount: int = 0) -> Text:
    """Name a move that was made as its button did; `args` are those pressed or typed, so that no card is named.

    `amount` is what it names out of a range, in minor units: with it in the label there is no price besides.
    """
    label = _label_of(game, word)
    if "{argument}" in label.template:
        if amount:
            return Text(label.template, argument=Amount(amount))
        numbers = _numbers_of(args)
        label = Text(label.template, argument=numbers[0]) if numbers else label_without_argument(word)
    return priced(label, cost)


def label_without_argument(word: str) -> Text:
    """Return the label of a move whose label names an argument, where it has none: a bet at fixed limits."""
    return COMMON_LABELS.get(word) or Text("{move}", move=Word(word))


def priced(label: Text, cost: int) -> Text:
    """Add the price in minor units to a label, unless it is 0."""
    return Text("{label} ({cost})", label=label, cost=Amount(cost)) if cost else label
