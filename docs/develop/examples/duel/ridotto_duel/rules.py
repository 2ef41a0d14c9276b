"""Duel: one card each against the bank's. Raise or fold; a side bet that both cards are of one suit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.felt import Felt, Game, Limits, Move, Offer, Offers, Script, Stake, check, check_seats
from engine.poker import value
from engine.simulation import Cards, Simulation, Strategy, least_on, move

SEATS = 6


@dataclass(frozen=True)
class DuelOptions(Limits):
    minimum: int = 500
    step: int = 100
    maximum: int = 50000
    qualifies: int = 4

    def __post_init__(self) -> None:
        super().__post_init__()
        check(3 <= self.qualifies <= 7, "The bank qualifies with a card from 3 to 7.", "DU5")


def check_stakes(options: DuelOptions, stakes: Sequence[Stake]) -> None:
    check_seats(stakes, SEATS, "DU1")
    for stake in stakes:
        check("ante" in stake.bets, "An ante comes first; nobody plays the suit alone.", "DU2")
        for spot, amount in stake.bets.items():
            options.check_limits(spot, amount)


def play(felt: Felt) -> Script:
    bets = felt.place_all()
    felt.call("no more bets")
    felt.deal_each([*bets, "dealer"], up=False)  # DU3
    felt.facts |= {"cards": felt.cards}
    felt.call("go ahead")

    # DU4: everyone chooses at the same time; a player whose time runs out folds.
    moves = yield from felt.ask_each({seat: offers(bets[seat]["ante"]) for seat in bets}, timeout="fold")

    for to in ("dealer", *bets):
        felt.show(to)
    for seat in bets:
        settle(felt, seat, bets[seat], moves[seat].word)


def offers(ante: int) -> Offers:
    return Offer("fold"), Offer("raise", stake=ante, spot="raise")


def settle(felt: Felt, seat: str, bets: Mapping[str, int], word: str) -> None:
    ante, own, banks = bets["ante"], felt.cards[seat][0], felt.cards["dealer"][0]
    if word == "fold":
        felt.pay(seat, "ante", 0, "fold", "DU4")
    elif value(banks) < felt.options.qualifies:
        felt.pay(seat, "ante", 2 * ante, "unqualified", "DU5", odds=(1, 1))
        felt.pay(seat, "raise", ante, "unqualified", "DU5")
    elif value(own) > value(banks):
        for spot in ("ante", "raise"):
            felt.pay(seat, spot, 2 * ante, "win", "DU6", odds=(1, 1))
    else:
        for spot in ("ante", "raise"):
            felt.pay(seat, spot, 0, "lose", "DU6")
    if "suit" in bets:  # DU7: it pays after a fold, too
        wins = own[1] == banks[1]
        felt.pay(seat, "suit", 4 * bets["suit"] if wins else 0, "suit", "DU7", odds=(3, 1) if wins else None)


GAME = Game(
    name="duel",
    script=play,
    options=DuelOptions,
    check=check_stakes,
    words={"raise": "DU4", "fold": "DU4"},
    spots=("ante", "suit"),
    all_spots=("ante", "raise", "suit"),
    turn="DU4",
)


def raise_from(least: int) -> Strategy:
    """Raise with this card or a higher one."""

    def choose(seat: str, offers: Offers, cards: Cards) -> Move:
        return move(seat, "raise" if value(cards[seat][0]) >= least else "fold")

    return choose


SIMULATION = Simulation(
    game=GAME,
    strategies={"basic": raise_from(6), "guest": raise_from(9)},
    lay=least_on("ante"),
    cards=2,
)
