"""Results of a finished hand in words: a line for each bet with its amount, one for each player, and a player's own
dearest choice.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from bot.core.guide.coaching import Dearest, Shares
from bot.core.state.plays import PLAYS, Seating
from bot.core.state.table import owners_of
from bot.texts import Text
from bot.view.buttons import say_choice
from bot.view.parts import in_row
from bot.view.player_view import PlayerView
from bot.view.presenter import PRESENTERS, Presenter
from bot.view.render_context import HandPayments
from bot.view.words import Words
from engine.events import Moved, Paid, Won
from engine.felt import TIMEOUT, Amount, Deal, Stake, Word
from engine.games import GAMES
from engine.hand import Hand
from engine.record import spots_of

# Number of lost bets with a line each; more share one line.
MOST_LOST = 3


def signed(amount: int) -> Text:
    """Return an amount with its sign: +50, -50; 0 has none."""
    return Text("+{amount}" if amount > 0 else "{amount}", amount=Amount(amount))


def say_payment(event: Paid, words: Words, paid: Iterable[Paid]) -> Text:
    """Return one of the payments `paid` in words, with its amount: "bet pays 5 to 1 +100"."""
    net = signed(event.amount - event.stake)
    values: dict[str, Any] = {"spot": Word(event.spot), "amount": Amount(event.amount), "net": net}
    pays, to = event.odds or (0, 0)
    alone = "" if any(_shares_pot(event, one) for one in paid) else f"{event.why} alone"
    keys = (alone, f"{event.spot} {event.why}", event.why)
    share = next((words.shares[key] for key in keys if key in words.shares), None)
    if share is not None:
        return Text(share.template, **values, rank=Word(event.hand), pays=pays, to=to)
    if event.odds:
        return Text("{spot} pays {pays} to {to} {net}", **values, pays=pays, to=to)
    if event.amount and event.amount == event.stake:
        return Text("{spot} {amount} returned", **values)
    lost = words.reasons.get(event.why, Text("{spot} lost"))
    return Text("{why} {net}", why=Text(lost.template, spot=Word(event.spot)), net=net)


def _shares_pot(event: Paid, other: Paid) -> bool:
    return (other.pot, other.clause) == (event.pot, event.clause) and other.why != event.why


def outcome_of(view: PlayerView, void_seats: Collection[str] = ()) -> HandPayments:
    """Return the payments of a finished hand. A void seat's stakes are back, and its payments are the bank's (G6).

    The amounts of a seat's lines add up to its net result. In games between players, the lines are the seat's stake and
    its share of each pot; a seat that got nothing back loses its stake.
    """
    presenter, meter = PRESENTERS[view.hand.deal.game], GAMES[view.hand.deal.game].meter
    coin = meter.spot if meter is not None else ""
    wagered, returned = spots_of(view.hand, void_seats)
    nets = {key: sum(returned[key].values()) - sum(wagered[key].values()) for key in wagered}
    lines: dict[str, list[Text]] = {}
    gains: dict[str, list[int]] = {}

    def add_line(seat: str, line: Text, gain: int = 0) -> None:
        lines.setdefault(seat, []).append(line)
        gains.setdefault(seat, []).append(gain)

    paid = [event for event in view.events if isinstance(event, Paid)]
    timed = [event for event in view.events if isinstance(event, Moved) and event.word == TIMEOUT]
    for seat in dict.fromkeys(event.seat for event in timed):
        moves = [Word(move) for move in dict.fromkeys(event.played for event in timed if event.seat == seat) if move]
        add_line(seat, Text("time ran out: {moves}", moves=moves) if moves else Text("ran out of time"))
    if PLAYS[view.hand.deal.game].seating is Seating.STACKS:
        for seat in dict.fromkeys(event.seat for event in paid if event.amount):
            add_line(seat, Text("in for {amount}", amount=Amount(sum(wagered[seat].values()))))
    many_lost = _find_many_lost(paid, presenter.words)
    for seat, lost in many_lost.items():
        net = sum(event.amount - event.stake for event in lost)
        add_line(seat, Text("{n} bets lost {net}", n=len(lost), net=signed(net)), net)
    for event in view.events:
        if isinstance(event, Paid) and event not in many_lost.get(event.seat, ()):
            said = _named(say_payment(event, presenter.words, paid), event, paid)
            add_line(event.seat, said, event.amount - event.stake)
        elif isinstance(event, Won):
            amount = returned[event.seat][coin]
            prize = Text(presenter.meter.won.template, amount=Amount(amount), rank=Word(event.prize))
            gain = amount - wagered[event.seat][coin]
            add_line(event.seat, Text("{prize} {net}", prize=prize, net=signed(gain)), gain)
    for key in void_seats:
        lines[key], gains[key], nets[key] = [Text("void: all bets returned")], [0], 0
    return HandPayments(lines, nets, gains)


def _find_many_lost(paid: Iterable[Paid], words: Words) -> dict[str, list[Paid]]:
    """Return {seat: its bets that lost without a special reason}, where they are too many for a line each."""
    lost: dict[str, list[Paid]] = {}
    for event in paid:
        if not (event.amount or event.on or event.pot or event.why in words.reasons):
            lost.setdefault(event.seat, []).append(event)
    return {seat: events for seat, events in lost.items() if len(events) > MOST_LOST}


def results_of_areas(view: PlayerView) -> Mapping[str, str]:
    """Return {area: win, lose or push} of a finished hand, for areas without a bet too; empty for a void hand, and for
    games whose players move.
    """
    return {} if view.hand.moves or not view.is_over else view.hand.of_deal(_results_of_deal)


def _results_of_deal(deal: Deal) -> Mapping[str, str]:
    """Deal the same cards once more with a bet on every area."""
    game = GAMES[deal.game]
    bets = dict.fromkeys((*game.spots, *game.all_spots), 100_00)
    hand = Hand(deal._replace(stakes=(Stake(1, "", bets),)))
    return {event.spot: result_of(event.amount - event.stake) for event in hand.events if isinstance(event, Paid)}


def result_of(net: int) -> str:
    """Return win, lose or push."""
    return "win" if net > 0 else "lose" if net < 0 else "push"


def _named(said: Text, event: Paid, paid: Iterable[Paid]) -> Text:
    """Prefix a payment with its hand or its pot, where there are several."""
    hands = [*dict.fromkeys(one.on for one in paid if one.seat == event.seat and one.on)]
    if event.on and len(hands) > 1:
        return Text("Hand {n}: {what}", n=hands.index(event.on) + 1, what=said)
    if event.pot:
        return Text("side pot {n}: {what}", n=event.pot, what=said)
    is_of_pot = any(one.pot and one.clause == event.clause for one in paid)
    return Text("main pot: {what}", what=said) if is_of_pot else said


def say_players(
    view: PlayerView, outcome: HandPayments, presenter: Presenter, name: Callable[[int], str]
) -> Iterable[tuple[int, Text]]:
    """Yield (player, their result, hand, and payment of each bet); nothing for a void hand."""
    if view.hand.is_void:
        return
    for player in dict.fromkeys(view.owners.values()):
        # Bets that a box's maximum has cut completely (BJ2) are left out.
        keys = [key for key, owner in view.owners.items() if owner == player and view.wagered.get(key)]
        if not keys:
            continue
        parts = [part for key in keys for part in _parts(view, outcome, presenter, key, len(keys) > 1)]
        head = say_net(name(player), sum(outcome.nets.get(key, 0) for key in keys))
        yield player, Text("{head}: {parts}", head=head, parts=in_row(parts)) if parts else head


def _parts(view: PlayerView, outcome: HandPayments, presenter: Presenter, key: str, has_others: bool) -> Iterable[Text]:
    """Return a seat's cards in words, unless its payments do so, and each payment; its box if a player has several."""
    lines = outcome.lines.get(key, [])
    has_hands = any(isinstance(event, Paid) and event.seat == key and event.on for event in view.events)
    held = None if has_hands else presenter.describe_hand(view, key)
    box = key.partition("/")[0]
    parts = [*([held] if held is not None else []), *lines]
    if parts and has_others:
        parts[0] = Text("Box {seat}: {line}", seat=box, line=parts[0])
    return parts


def say_net(name: str, net: int) -> Text:
    """Return a player's result in a hand in words."""
    values: dict[str, Any] = {"name": name, "net": Amount(abs(net))}
    if not net:
        return Text("{name} breaks even", **values)
    return Text("{name} wins {net}", **values) if net > 0 else Text("{name} loses {net}", **values)


def say_dearest(dearest: Dearest | Shares, hand: Hand, player: int) -> Text:
    """Return the sentence about the dearest choice, for that player only, because it contains their cards."""
    if isinstance(dearest, Shares):
        steps = [Text("{share} % with {n} cards", n=n, share=round(100 * share)) for n, share in dearest.steps]
        return Text("Your estimated share of the pot: {steps}.", steps=steps)
    (best, taken), game = (dearest.best, dearest.taken), hand.deal.game
    values = {
        "best": say_choice(game, best.offer, best.said),
        "net": signed(round(best.worth)),
        "taken": say_choice(game, taken.offer, taken.said),
        "cost": signed(round(taken.worth)),
    }
    chose = Text("On average, {best} is worth {net}; your {taken} is worth {cost}.")
    if dearest.is_timed_out:
        chose = Text("On average, {best} is worth {net}; the time-out's {taken} is worth {cost}.")
    line = Text(chose.template, **values)
    if list(owners_of(hand).values()).count(player) > 1:
        return Text("Box {seat}: {line}", seat=dearest.seat.partition("/")[0].partition(".")[0], line=line)
    return line
