"""What may be pressed: chips while bets are open, the moves that the rules offer, and the rest.

A viewer is offered what is legal for him and what he can pay; the public, what may be legal for somebody.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bot.floor import betting
from bot.floor.boxes import shoe_goes_on
from bot.floor.table import Table
from bot.screens import Button
from bot.screens.sight import Sight
from bot.texts import Text
from engine.felt import Amount, Offer, Word

# What the three chips are, as multiples of the minimum: the first of these that fits under the maximum.
_CHIPS = ((1, 5, 10), (1, 2, 5), (1, 2, 3), (1, 2), (1,))
# Where chips go by themselves; at paiju on every area.
MAINS = {"caribbean": ("ante",), "uth": ("ante",), "blackjack": ("main",)}


@dataclass(frozen=True)
class Wallet:
    """What the viewer may still bet: `lying` is what he has on `box`, or (`box` 0) on his own seat.

    `chips` None is the public, who may be anybody.
    """

    chips: int | None
    lying: Mapping[str, int]
    box: int = 0

    def can_pay(self, cost: int) -> bool:
        return self.chips is None or cost <= self.chips


def typed(amount: int) -> str:
    """An amount as anybody may type it, in any language: 50, 2.50."""
    whole, cents = divmod(amount, 100)
    return f"{whole}.{cents:02}" if cents else str(whole)


def chip_amounts(minimum: int, maximum: int, lying: int = 0) -> list[int]:
    """Three amounts to add to what lies there, fitted to the limits (G5): the minimum is a multiple of the step."""
    room = maximum - lying
    fitted = next(([n * minimum for n in chips] for chips in _CHIPS if chips[-1] * minimum <= maximum), [minimum])
    return [amount for amount in fitted if amount <= room]


def bet_buttons(table: Table, options: Any, wallet: Wallet) -> list[Button]:
    """Chips on the main spots, then the side bets of the game."""
    mains, lying = MAINS.get(table.game, table.rules.spots), wallet.lying
    wanted = [
        (spot, amount)
        for spot in mains
        for amount in chip_amounts(options.minimum, options.maximum, lying.get(spot, 0))
    ]
    if wallet.chips is None or any(spot in lying for spot in mains):
        wanted += _side_bets(table.game, options, lying)
    paid, fresh, found = cost_of(table, options, lying), str(table.hand_id), []
    for spot, amount in wanted:
        cost = cost_of(table, options, {**lying, spot: lying.get(spot, 0) + amount}) - paid
        if wallet.can_pay(cost):
            found.append(_chip(spot, amount, cost, wallet.box, fresh))
    return found


@lru_cache(maxsize=4096)
def _chip(spot: str, amount: int, cost: int, box: int, fresh: str) -> Button:
    """Made once for a hand: with every bet the table is shown anew, and to each his own panel."""
    at = (str(box),) if box else ()
    args = (*at, spot) if spot == "jackpot" else (*at, spot, typed(amount))
    label = Text("{spot} {amount}", "", spot=Word(spot), amount=Amount(amount))
    if cost != amount:  # UT2: the blind follows the ante
        label = Text("{label} (in all {cost})", "", label=label, cost=Amount(cost))
    return Button(label, "bet", args, "bet", fresh, Amount(cost), spot=spot)


def cost_of(table: Table, options: Any, spots: Mapping[str, int]) -> int:
    """What bets take from the wallet; a side bet is asked for by itself where the public has no main bet."""
    mains = MAINS.get(table.game, ())
    return betting.cost_of(table, options, spots) if all(spot in spots for spot in mains) else sum(spots.values())


def _side_bets(game: str, options: Any, lying: Mapping[str, int]) -> Iterable[tuple[str, int]]:
    """One coin (CS2), Trips within the limits of the ante (UT2), Admiral Jack of one or two minimums (BJ17)."""
    if game == "caribbean" and "jackpot" not in lying:
        yield "jackpot", options.coin
    if game == "uth":
        for amount in chip_amounts(options.minimum, options.maximum, lying.get("trips", 0))[:2]:
            yield "trips", amount
    if game == "blackjack":
        for amount in (options.minimum, 2 * options.minimum):
            if lying.get("admiral", 0) + amount <= 2 * options.minimum:
                yield "admiral", amount


def stud_buttons(table: Table, viewer: int | None, *, is_in_hand: bool) -> list[Button]:
    """Stacks instead of bets (SH1): buy in, add to it, sit out, come back."""
    seated = viewer is not None and table.seat_of(viewer) is not None
    found = []
    if not seated:
        found.append(Button(Text("Buy in for another amount"), "buyin", (), "bet", ask=True))
    if seated or viewer is None:
        if not is_in_hand:
            found.append(Button(Text("Top up"), "topup", (), "bet", ask=True))
        is_out = viewer in table.memory.get("out", [])
        if not is_out or viewer is None:
            found.append(Button(Text("Sit out"), "sitout"))
        if is_out or viewer is None:
            found.append(Button(Text("Deal me in"), "back"))
    return found


def betting_buttons(table: Table, options: Any, viewer: int | None, wallet: Wallet) -> list[Button]:
    """Rebet, take back, ready, another amount, a cut."""
    fresh = str(table.hand_id)
    everybody = viewer is None
    lies = bool(table.bets if everybody else wallet.lying)
    last = table.last_bets if everybody else table.last_bets.get(viewer or 0, ())
    found = [Button(Text("Another amount"), "bet", (), "bet", fresh, ask=True)]
    if last and (everybody or not lies):
        found.append(_rebet(table, options, viewer))
    if lies:
        found.append(Button(Text("Take back"), "takeback", (), "bet", fresh))
        if everybody or viewer not in table.ready:
            found.append(Button(Text("Ready"), "ready", (), "bet", fresh))
    if table.game == "paiju" and options.squeeze:
        found.append(_squeeze(table, viewer))
    if table.game == "blackjack" and lies:
        found.append(_follow(table, viewer))
    if not shoe_goes_on(table) and not any(player == viewer for player, _text in table.cuts):
        found.append(Button(Text("Cut the deck"), "cut", (), "quiet", fresh, ask=True))
    return [button for button in found if wallet.can_pay(button.cost)]


def _rebet(table: Table, options: Any, viewer: int | None) -> Button:
    last = table.last_bets.get(viewer or 0, ())
    cost = Amount(sum(cost_of(table, options, bet.spots) for bet in last))
    label = Text("Rebet {amount}", "", amount=cost) if cost else Text("Rebet")
    return Button(label, "rebet", (), "bet", str(table.hand_id), cost)


def _follow(table: Table, viewer: int | None) -> Button:
    """BJ13: fixed when bets close, for every box that he bets behind."""
    follows = viewer in table.memory.get("follow", [])
    label = Text("Follow no doubles and splits") if follows else Text("Follow doubles and splits")
    return Button(label, "follow", ("off" if follows else "on",), "quiet", str(table.hand_id))


def _squeeze(table: Table, viewer: int | None) -> Button:
    """PJ12: the highest bet on a position may turn its cards."""
    asked = viewer in table.memory.get("squeeze", [])
    label = Text("Let the dealer turn") if asked else Text("Turn my cards myself")
    return Button(label, "squeeze", (), "quiet", str(table.hand_id))


# Moves

_LABELS = {
    "raise": Text("Raise"),
    "fold": Text("Fold"),
    "check": Text("Check"),
    "hit": Text("Hit"),
    "stand": Text("Stand"),
    "double": Text("Double"),
    "split": Text("Split"),
    "decline": Text("No insurance"),
    "insure": Text("Insure"),
    "stay": Text("Follow no more"),
    "call": Text("Call"),
    "bet": Text("Bet"),
    "complete": Text("Complete"),
    "bring-in": Text("Bring in"),
}


def move_buttons(table: Table, sight: Sight, viewer: int | None) -> list[Button]:
    """The offers to the first of the viewer's seats that is asked, which is the one that a bare word moves."""
    count = sum(move.seat in sight.mine for move in sight.hand.moves)
    fresh = f"{table.hand_id}.{count}"
    offers = next((sight.hand.asks[key] for key in sight.mine if key in sight.hand.asks), ())
    found = [button for offer in offers if offer.listed for button in _moves(offer, fresh)]
    if table.game == "blackjack" and any(key in sight.hand.felt.aside for key in sight.mine):
        found += _moves(Offer("stay"), fresh)  # BJ13: he who follows may stop until his box is done
    turning = [position for position, player in table.turning.items() if player and player == viewer]
    return [*found, *(_turn(position, fresh) for position in turning)]


def _turn(position: str, fresh: str) -> Button:
    return Button(Text("Turn {position}", "", position=Word(position)), "squeeze", (position,), "move", fresh)


def _moves(offer: Offer, fresh: str) -> Iterable[Button]:
    if offer.most:
        for amount in dict.fromkeys((offer.least, offer.most)):
            label = _priced(_LABELS[offer.word], amount)
            yield Button(label, offer.word, (typed(amount),), "move", fresh, Amount(amount))
        if offer.least < offer.most:
            least, most = Amount(offer.least), Amount(offer.most)
            asking = Text("Insure {least} to {most}", "", least=least, most=most)
            yield Button(asking, offer.word, (), "move", fresh, ask=True)
    elif offer.word == "exchange":
        # By position, never by face (CS6): what is pressed in public tells nothing.
        position = int(offer.public or 0)
        label = Text("Exchange card {position} ({cost})", "", position=position, cost=Amount(offer.stake))
        yield Button(label, offer.word, (str(position),), "move", fresh, Amount(offer.stake), card=position)
    elif offer.argument:
        label = Text("Play {times} × ({cost})", "", times=int(offer.argument), cost=Amount(offer.stake))
        yield Button(label, offer.word, (offer.argument,), "move", fresh, Amount(offer.stake))
    else:
        label = _priced(_LABELS[offer.word], offer.stake)
        yield Button(label, offer.word, (), "move", fresh, Amount(offer.stake))


def _priced(label: Text, cost: int) -> Text:
    return Text("{label} ({cost})", "", label=label, cost=Amount(cost)) if cost else label
