"""What a finished hand paid and why, with its clauses: a line for each spot, and one for each player."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple

from bot.screens.sight import Look, Sight
from bot.texts import Text
from engine.events import Paid, Won
from engine.felt import Amount, Word
from engine.record import spots_of

# Why a spot is lost, where more is to be said than that; and why it comes back.
_LOST = {
    "fold": Text("{spot} lost by folding ({clause})"),
    "fee": Text("{spot} paid ({clause})"),
    "exchanged": Text("{spot} given up by the exchange ({clause})"),
    "no prize": Text("no {spot} prize ({clause})"),
    "bust": Text("{spot} lost, over 21 ({clause})"),
    "dealer blackjack": Text("{spot} lost to Black Jack ({clause})"),
}
_BACK = {
    "tie": Text("tie, {spot} stays ({clause})"),
    "unqualified": Text("{spot} stays, no qualification ({clause})"),
    "original bet": Text("{spot}: only the first bet is lost ({clause})"),
    "uncalled": Text("uncalled {amount} back ({clause})"),
}
# Stud: who takes how much of a pot.
_TAKEN = {
    "high": Text("{amount} for the high, {rank} ({clause})"),
    "low": Text("{amount} for the low, {rank} ({clause})"),
    "last player": Text("{amount} as the last player ({clause})"),
    "three sevens": Text("three sevens pay the first bet once more, {amount} ({clause})"),
}


class Outcome(NamedTuple):
    """By key: what each spot paid, in the order of payment; and what came back less what was put down."""

    lines: Mapping[str, list[Text]]
    nets: Mapping[str, int]


def signed(amount: int) -> Text:
    """+50, -50, 0."""
    return Text("+{amount}" if amount > 0 else "{amount}", "", amount=Amount(amount))


def say_payment(event: Paid) -> Text:
    """One payment: bet pays 5 to 1 (CS15)."""
    values = {"spot": Word(event.spot), "clause": event.clause, "amount": Amount(event.amount)}
    if event.why in _TAKEN:
        return Text(_TAKEN[event.why].template, "", **values, rank=Word(event.hand))
    if event.odds:
        pays, to = event.odds
        return Text("{spot} pays {pays} to {to} ({clause})", "", **values, pays=pays, to=to)
    if event.amount:
        template = _BACK.get(event.why, Text("{spot} comes back ({clause})")).template
    else:
        template = _LOST.get(event.why, Text("{spot} lost ({clause})")).template
    return Text(template, "", **values)


def outcome_of(sight: Sight, void_seats: Collection[str] = ()) -> Outcome:
    """Of a hand that is over. What a void seat put down is back, and what it was paid is the bank's (G6)."""
    wagered, returned = spots_of(sight.hand, void_seats)
    nets = {key: sum(returned[key].values()) - sum(wagered[key].values()) for key in wagered}
    lines: dict[str, list[Text]] = {}
    for event in sight.events:
        if isinstance(event, Paid):
            lines.setdefault(event.seat, []).append(say_payment(event))
        elif isinstance(event, Won):
            prize = Text(
                "the jackpot pays {amount} for {rank} (CS19)",
                "",
                amount=Amount(returned[event.seat]["jackpot"]),
                rank=Word(event.prize),
            )
            lines.setdefault(event.seat, []).append(prize)
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
