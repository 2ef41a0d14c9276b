"""What a finished hand paid and why, with its clauses: a line for each spot, and one for each player; and a player's
own dearest choice in it.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from typing import Any

from bot.house.guide.coaching import Dearest, Shares
from bot.house.state.table import owners_of
from bot.texts import Text
from bot.view.buttons import say_choice
from bot.view.look import LOOKS, Look
from bot.view.scene import Outcome
from bot.view.sight import Sight
from bot.view.words import Words
from engine.events import Moved, Paid, Won
from engine.felt import TIMEOUT, Amount, Word
from engine.games import GAMES
from engine.hand import Hand
from engine.record import spots_of


def signed(amount: int) -> Text:
    """With its sign: +50, -50; 0 has none."""
    return Text("+{amount}" if amount > 0 else "{amount}", "", amount=Amount(amount))


def say_payment(event: Paid, words: Words) -> Text:
    """One payment: bet pays 5 to 1 (CS15)."""
    values = {"spot": Word(event.spot), "clause": event.clause, "amount": Amount(event.amount)}
    if event.why in words.shares:
        return Text(words.shares[event.why].template, "", **values, rank=Word(event.hand))
    if event.odds:
        pays, to = event.odds
        return Text("{spot} pays {pays} to {to} ({clause})", "", **values, pays=pays, to=to)
    usual = Text("{spot} comes back ({clause})") if event.amount else Text("{spot} lost ({clause})")
    return Text(words.reasons.get(event.why, usual).template, "", **values)


def outcome_of(sight: Sight, void_seats: Collection[str] = ()) -> Outcome:
    """Of a hand that is over. What a void seat put down is back, and what it was paid is the bank's (G6).

    Where several spots made what a player is up or down, the last line of each tells its sum: they add up to it.
    """
    look, meter = LOOKS[sight.hand.deal.game], GAMES[sight.hand.deal.game].meter
    coin = meter.spot if meter is not None else ""
    wagered, returned = spots_of(sight.hand, void_seats)
    nets = {key: sum(returned[key].values()) - sum(wagered[key].values()) for key in wagered}
    lines: dict[str, list[Text]] = {}
    # Where the last line of each spot of each seat stands.
    last: dict[tuple[str, str], int] = {}

    def tell(seat: str, line: Text, spot: str) -> None:
        told = lines.setdefault(seat, [])
        last[seat, spot] = len(told)
        told.append(line)

    for event in sight.events:
        if isinstance(event, Moved) and event.word == TIMEOUT:
            chosen = Text("the clock chose {move}", "", move=Word(event.played))
            if chosen not in (told := lines.setdefault(event.seat, [])):
                told.append(chosen)
        elif isinstance(event, Paid):
            tell(event.seat, say_payment(event, look.words), event.spot)
        elif isinstance(event, Won):
            amount = Amount(returned[event.seat][coin])
            prize = Text(look.meter.won.template, "", amount=amount, rank=Word(event.prize))
            tell(event.seat, prize, coin)
    sums = {(seat, spot): returned[seat][spot] - wagered[seat][spot] for seat, spot in last}
    of_player = Counter(sight.owners[seat] for (seat, _spot), net in sums.items() if net)
    for (seat, spot), net in sums.items():
        if net and of_player[sight.owners[seat]] > 1:
            at = last[seat, spot]
            lines[seat][at] = Text("{line} {net}", "", line=lines[seat][at], net=signed(net))
    for key in void_seats:
        lines[key], nets[key] = [Text("void, the stakes are back (G6)")], 0
    return Outcome(lines, nets)


def say_players(sight: Sight, outcome: Outcome, look: Look, name: Callable[[int], str]) -> Iterable[Text]:
    """One line a player: what he had, what it paid and why, what he is up or down."""
    if sight.hand.is_void:
        yield Text("The hand is void: every stake is back (G6).")
        return
    for player in dict.fromkeys(sight.owners.values()):
        keys = [key for key, owner in sight.owners.items() if owner == player]
        if not any(sight.wagered.get(key) for key in keys):
            continue  # cut whole by the maximum of the box (BJ2)
        held = [worth for key in keys if (worth := look.worth(sight, key)) is not None]
        values: dict[str, Any] = {
            "name": name(player),
            "why": [line for key in keys for line in outcome.lines.get(key, [])],
            "net": signed(sum(outcome.nets.get(key, 0) for key in keys)),
        }
        if held:
            yield Text("{name}: {held}: {why}: {net}", "", held=held, **values)
        else:
            yield Text("{name}: {why}: {net}", "", **values)


def say_dearest(dearest: Dearest | Shares, hand: Hand, player: int) -> Text:
    """For him alone: his cards are in it."""
    if isinstance(dearest, Shares):
        steps = [Text("{n} cards: {share} %", "", n=n, share=round(100 * share)) for n, share in dearest.steps]
        return Text("Your share of the pot at a showdown, sampled from what you saw then: {steps}.", "", steps=steps)
    (best, taken), game = (dearest.best, dearest.taken), hand.deal.game
    values = {
        "best": say_choice(game, best.offer, best.said),
        "net": signed(round(best.worth)),
        "taken": say_choice(game, taken.offer, taken.said),
        "cost": signed(round(taken.worth)),
    }
    chose = Text("Best was {best}: {net}. You chose {taken}: {cost}.")
    if dearest.is_timed_out:
        chose = Text("Best was {best}: {net}. The clock chose {taken}: {cost}.")
    line = Text(chose.template, "", **values)
    if list(owners_of(hand).values()).count(player) > 1:
        return Text("Box {seat}: {line}", "", seat=dearest.seat.partition("/")[0].partition(".")[0], line=line)
    return line
