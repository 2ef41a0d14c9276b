"""Actual returns of bets compared with their expectation: hand by hand, in units of the bet, added up without limit.

Three comparisons, each of a mean that the rules give exactly:

    exact    a bet without any choice after it, against its own odds
    most     a bet that is played on, against best play: no strategy has a higher mean
    choices  the same plus what its choices gave away (`engine.advice.weigh`), which has exactly best play's mean for
             every player: mistakes are added back, so that only chance is left. A bet that is made during the hand
             is compared with its value at that moment

Bets of one name in one hand depend on each other through its cards: they count once, at their mean.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from math import cbrt, ceil, copysign, inf, sqrt
from statistics import fmean
from typing import Literal, NamedTuple

from engine.advice import Asked, Weighed, find_decisions, weigh
from engine.events import Exchanged, Placed
from engine.felt import TIMEOUT, Deal, Move, Stake
from engine.games import GAMES
from engine.hand import Hand
from engine.odds import Decision, Odds
from engine.record import settle_jackpot, spots_of

Compared = Literal["exact", "most", "choices"]

# From this number of standard errors on, a bet is out.
OUT = 4.0
# Number of hands from which an unknown variance is estimated.
_FEW = 200
# Sums with more skew are not judged yet: a prize of a thousand units needs its chance to occur.
_LOPSIDED = 2.0

Amounts = Mapping[str, Mapping[str, int]]


class Outcome(NamedTuple):
    """Result of one hand: the mean win or loss of the bets on `spot`, in units of the bet, and its expectation.

    `variance` and `third` are the second and third central moments of a bet, None where they are not counted.
    """

    spot: str
    compared: Compared
    net: float
    expected: float
    variance: float | None = None
    third: float | None = None


@dataclass
class Tally:
    """Sums over hands; `deviations` are of what came from what was expected."""

    hands: int = 0
    net: float = 0.0
    expected: float = 0.0
    squares: float = 0.0
    cubes: float = 0.0
    variance: float = 0.0
    third: float = 0.0
    counted: int = 0
    """Hands with known moments."""

    def add(self, outcome: Outcome) -> None:
        """Add one hand."""
        deviation = outcome.net - outcome.expected
        self.hands += 1
        self.net += outcome.net
        self.expected += outcome.expected
        self.squares += deviation**2
        self.cubes += deviation**3
        if outcome.variance is not None and outcome.third is not None:
            self.variance += outcome.variance
            self.third += outcome.third
            self.counted += 1

    def merge(self, other: "Tally") -> None:
        """Add all hands of another tally."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))

    def moments(self) -> tuple[float, float]:
        """Return variance and third central moment of the sum of all deviations.

        They are counted, or else estimated from the hands themselves.
        """
        if self.counted == self.hands:
            return self.variance, self.third
        mean = (self.net - self.expected) / self.hands
        variance = max(0.0, self.squares - self.hands * mean**2)
        third = self.cubes - 3 * mean * self.squares + 2 * self.hands * mean**3
        return variance, third


class Verdict(NamedTuple):
    """Result of a comparison: `measured` and `exact` are mean returns of a unit, `error` is the first's standard error.

    `z` tells by how many of them they differ. About `needed` hands are needed to say that a bet fits or is out.
    """

    hands: int
    measured: float
    exact: float
    error: float
    z: float
    needed: int
    is_out: bool

    @property
    def is_known(self) -> bool:
        return self.hands >= self.needed


def judge(tally: Tally, compared: Compared) -> Verdict:
    """Judge a sum as out when it differs by more than `OUT` standard errors.

    It must differ by as much when corrected for the skewness of sums of rare large wins. Of a bet that may return less
    on average, only too much is out.
    """
    variance, third = tally.moments()
    spread, off = sqrt(variance), tally.net - tally.expected
    z = off / spread if spread else copysign(inf, off) if abs(off) > 1e-9 else 0.0
    lopsided = third / spread**3 if spread else 0.0
    n = tally.hands
    needed = max(0 if tally.counted == n else _FEW, ceil(n * (lopsided / _LOPSIDED) ** 2), 0 if spread else n + 1)
    is_far = min(abs(z), abs(_as_if_even(z, lopsided))) > OUT
    is_out = n >= needed and is_far and (z > 0 or compared != "most")
    return Verdict(n, 1 + tally.net / n, 1 + tally.expected / n, spread / n, z, needed, is_out)


def _as_if_even(z: float, lopsided: float) -> float:
    """Convert the z of a skewed distribution to that of a normal one, by a gamma distribution (Wilson and Hilferty
    1931).
    """
    if abs(lopsided) < 1e-3:
        return z
    return 6 / lopsided * (cbrt(max(0.0, 1 + lopsided * z / 2)) - 1) + lopsided / 6


def outcomes_of(hand: Hand, odds: Odds, void_seats: Collection[str] = (), *, with_choices: bool) -> Iterator[Outcome]:
    """Yield each comparison that a finished hand allows; choices take time to evaluate.

    A hand that starts inside a shoe must not be passed: exact odds hold for a fresh shoe.
    """
    found: dict[tuple[str, Compared], list[Outcome]] = defaultdict(list)
    for outcome in _each_outcome(hand, odds, void_seats, with_choices):
        found[outcome.spot, outcome.compared].append(outcome)
    for (spot, compared), alike in found.items():
        net, expected = fmean(one.net for one in alike), fmean(one.expected for one in alike)
        yield Outcome(spot, compared, net, expected, alike[0].variance, alike[0].third)


def _each_outcome(hand: Hand, odds: Odds, void_seats: Collection[str], with_choices: bool) -> Iterator[Outcome]:
    bets = odds.edges(hand.deal.options, _meter_of(hand.deal))
    wagered, returned = spots_of(hand, void_seats)
    _add_prizes_given_up(hand, returned)
    given_up = _count_choices(hand, odds, wagered, returned) if with_choices else _Choices({}, [])
    for seat, spot, amount in _bets_before_the_cards(hand):
        unit = odds.units.get(spot)
        if unit is None or seat in void_seats or (bet := bets[unit.bet]).edge is None:
            continue
        if bet.outcomes is not None:
            net = (returned[seat][spot] - amount) / amount
            yield Outcome(spot, "exact", net, *_moments_of(bet.outcomes, amount))
            continue
        spots = (spot, *unit.adds)
        net = sum(returned[seat].get(one, 0) - wagered[seat].get(one, 0) for one in spots) / amount
        yield Outcome(spot, "most", net, -bet.edge)
        cost = given_up.costs.get((seat, spot))
        if cost is not None:
            yield Outcome(spot, "choices", net + cost / amount, -bet.edge)
    yield from (outcome for seat, outcome in given_up.made if seat not in void_seats)


def _bets_before_the_cards(hand: Hand) -> Iterator[tuple[str, str, int]]:
    """Yield (seat, spot, amount) of bets before the cards; what a game adds to a bet (`Game.place`) has no unit."""
    for event in hand.events:
        if isinstance(event, Placed):
            yield event.seat, event.spot, event.amount


def _meter_of(deal: Deal) -> int | None:
    """Return the meter that counts for the prizes of this hand, with all its coins in it."""
    rules = GAMES[deal.game].meter
    if rules is None:
        return None
    coins = sum(rules.spot in stake.bets for stake in deal.stakes)
    return rules.settle(deal.options, deal.jackpot, coins, {}).meter


def _moments_of(outcomes: Mapping[Fraction, Fraction], amount: int) -> tuple[float, float, float]:
    """Return mean, variance and third central moment of a unit when `amount` is bet and winnings are rounded down."""
    nets = [(net.numerator * amount // net.denominator / amount, float(chance)) for net, chance in outcomes.items()]
    mean = sum(net * chance for net, chance in nets)
    return (
        mean,
        sum((net - mean) ** 2 * chance for net, chance in nets),
        sum((net - mean) ** 3 * chance for net, chance in nets),
    )


def _add_prizes_given_up(hand: Hand, returned: dict[str, dict[str, int]]) -> None:
    """Add the prizes that players gave up by exchanging a card: the coin had won them, and its odds count them."""
    rules = GAMES[hand.deal.game].meter
    exchanged = {event.seat for event in hand.events if isinstance(event, Exchanged)}
    if rules is None or not exchanged & {str(one.seat) for one in hand.deal.stakes if rules.spot in one.bets}:
        return
    idle = Hand(hand.deal)
    while idle.asks:
        idle = idle.play(Move(next(iter(idle.asks)), TIMEOUT))
    for seat, prize in settle_jackpot(idle).prizes.items():
        if seat in exchanged:
            returned[seat][rules.spot] = prize


class _Choices(NamedTuple):
    """Costs of choices. `costs`: {(seat, spot): the loss by choices about that bet, in minor units}, None if unknown.
    `made`: bets that were made by a choice, with their seats.
    """

    costs: Mapping[tuple[str, str], float | None]
    made: list[tuple[str, Outcome]]


def _count_choices(hand: Hand, odds: Odds, wagered: Amounts, returned: Amounts) -> _Choices:
    """Add up what choices gave away, for players who decide on their bets themselves."""
    own = [(seat, spot) for seat, spot, _amount in _bets_before_the_cards(hand) if "/" not in seat]
    costs: dict[tuple[str, str], float | None] = dict.fromkeys(own, 0.0)
    made: list[tuple[str, Outcome]] = []
    for asked in find_decisions(hand.deal, list(hand.moves)):
        seat, spot = asked.decision.seat, _spot_of(asked.decision, odds)
        if (seat, spot) in costs:
            weighed = weigh(odds.values, replace(asked, decision=_alone(asked.decision, spot)))
            before = costs[seat, spot]
            costs[seat, spot] = None if before is None or weighed.cost is None else before + weighed.cost
        elif amount := wagered[seat].get(spot, 0):
            expected = _worth_of_bet(asked, weigh(odds.values, asked))
            if expected is not None:
                net = (returned[seat][spot] - amount) / amount
                made.append((seat, Outcome(spot, "choices", net, expected / amount)))
    return _Choices(costs, made)


def _spot_of(decision: Decision, odds: Odds) -> str:
    """Return the spot that a choice is about: the one that it adds to, else the one that is played."""
    staked = next((offer.spot for offer in decision.offers if offer.spot), None)
    played = next(iter(odds.units))
    return next((spot for spot, unit in odds.units.items() if staked in (spot, *unit.adds)), played)


def _alone(decision: Decision, spot: str) -> Decision:
    """Return the decision as if the seat had no other bet."""
    return replace(decision, stakes=tuple(_bare(decision.stakes, decision.seat, spot)))


def _bare(stakes: Iterable[Stake], seat: str, spot: str) -> Iterator[Stake]:
    """Yield the stakes whose owner is the seat alone, the first one where several are on it."""
    wanted = True
    for stake in stakes:
        if wanted and str(stake.seat) == seat:
            wanted, stake = False, replace(stake, bets={spot: stake.bets[spot]})
        yield stake


def _worth_of_bet(asked: Asked, weighed: Weighed) -> float | None:
    """Return what a bet made during the hand added to the seat's expectation, in minor units."""
    without = next((str(offer) for offer in asked.decision.offers if not (offer.stake or offer.most)), None)
    if weighed.cost is None or without is None:
        return None
    return weighed.values[weighed.best] - weighed.cost - weighed.values[without]
