"""Punto Banco as it is shown: with a road of past hands, and once with cards that the highest bettors turn (PB10)."""

from collections.abc import Iterable, Sequence
from random import Random

from bot.house.state.house import House
from bot.house.state.table import Table, owners_of
from bot.tools.examples import Examples
from engine.felt import Deal, Game, Stake
from engine.games.puntobanco import HANDS
from engine.hand import Hand

_LEAST = 500
_PAST_HANDS = 40


def lay(random: Random, game: Game, seat: int, times: int) -> Sequence[Stake]:
    """On punto and banco by turns, and on one area more."""
    bets = {HANDS[seat % 2]: _LEAST * times}
    bets.setdefault(random.choice(game.spots), _LEAST)
    return (Stake(seat, f"p{seat}", {area: bets[area] for area in game.spots if area in bets}),)


def furnish(house: House, table: Table, deal: Deal) -> Table:
    """A road of past hands, the same at every table."""
    chance = Random(_PAST_HANDS)
    return table.keep(results=tuple(chance.choices((*HANDS, "egalite"), (45, 46, 9), k=_PAST_HANDS)))


def turn(house: House, table: Table) -> Iterable[tuple[str, Table]]:
    """Whatever cards there are, one turn after the other."""
    assert table.play is not None
    cards = table.play.cards(None)
    turns = [one for one in table.plays.turned.turns if one.of(cards)]
    for at, one in enumerate(turns):
        left = {later.position: _highest_on(table.play, later.spot) for later in turns[at:]}
        yield f"squeeze {one.position}", table.change(turning=left)


def _highest_on(hand: Hand, area: str) -> int:
    owners, wagered = owners_of(hand), hand.wagered()
    return owners[max(wagered, key=lambda key: wagered[key].get(area, 0))]


EXAMPLES = Examples(lay, furnish=furnish, more=turn)
