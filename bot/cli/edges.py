"""Cost of a game's bets under a table's options: the answer of `ridotto edges`. Counted, never simulated."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from bot.core.state.plays import PLAYS
from engine.errors import IllegalDeal
from engine.felt import check
from engine.games import ODDS
from engine.odds import BetOdds, Odds

_LARGEST_METER = 10**18


def count_edges(game: str, options: Mapping[str, Any] | None = None, meter: int | None = None) -> dict[str, Any]:
    """Count the edges of a game's bets as one JSON object. `meter`, in minor units, counts for the prize.

    Raises IllegalDeal.
    """
    odds = _find_odds(game)
    parsed = odds.game.parse_options(options or {})
    if meter is not None:
        check(odds.game.meter is not None, "{game} has no jackpot.", None, game=game)
        check(0 <= meter < _LARGEST_METER, "The meter must be an amount in minor units.", "G2")
    bets = {name: _describe(bet) for name, bet in odds.edges(parsed, meter).items()}
    answer: dict[str, Any] = {"game": game, "options": dict(vars(parsed)), "bets": bets}
    return answer | ({"fair_meter": odds.fair_meter(parsed)} if odds.fair_meter else {})


def _find_odds(game: str) -> Odds:
    known = [name for name in PLAYS if name in ODDS]
    if game not in known:
        there = ", ".join(known)
        raise IllegalDeal("There are no odds for a game {game}. Choose one of: {games}.", game=game, games=there)
    return ODDS[game]


def _describe(bet: BetOdds) -> dict[str, Any]:
    described: dict[str, Any] = {"edge": bet.edge, "exact": _write(bet.exact), "strategy": bet.strategy}
    described |= {"win": bet.win, "push": bet.push, "lose": bet.lose}
    return described | ({"why": bet.why} if bet.edge is None else {})


def _write(exact: Fraction | None) -> str | None:
    return None if exact is None else f"{exact.numerator}/{exact.denominator}"
