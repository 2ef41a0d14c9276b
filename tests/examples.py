"""Example tables for screens, pictures and the gallery: derived from the game, with extras for some."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from bot.core.state.plays import PLAYS, Seating
from bot.core.state.table import Table, owners_of
from bot.core.state.transaction import State
from bot.games import PLUGINS
from bot.games.plugin import GamePlugin
from engine.felt import Deal, Game, Limits, Stake
from engine.hand import Hand

# There are names for this many players.
MOST_PEOPLE = 8
# Players on areas need no seat; more than this many would add nothing to a picture.
MOST_ON_AREAS = 6
# Bets of players, as multiples of the minimum.
TIMES = (1, 2, 5, 10, 25)
_OFTEN = 0.6

Lay = Callable[[Random, Game, int, int], Sequence[Stake]]
"""(chance, game, seat, times): the stakes of one seat, `times` as much as the least."""


def main_and_side(least: int, **sides: int) -> Lay:
    """Return the first spot of the game with `times` the minimum, and sometimes these amounts on side bets."""

    def lay(random: Random, game: Game, seat: int, times: int) -> Sequence[Stake]:
        bets = {game.spots[0]: least * times}
        bets |= {spot: amount for spot, amount in sides.items() if random.random() < _OFTEN}
        return (Stake(seat, f"p{seat}", bets),)

    return lay


def some_areas(least: int) -> Lay:
    """Return one or two of the game's spots, with the same amount on each."""

    def lay(random: Random, game: Game, seat: int, times: int) -> Sequence[Stake]:
        areas = random.sample(game.spots, random.randint(1, 2))
        return (Stake(seat, f"p{seat}", {area: least * times for area in game.spots if area in areas}),)

    return lay


def as_it_is(house: State, table: Table, deal: Deal) -> Table:
    """Return the table unchanged, for games without memory."""
    return table


def nothing_more(house: State, table: Table) -> Iterable[tuple[str, Table]]:
    """Return no further phases."""
    return ()


@dataclass(frozen=True)
class Examples:
    """The example tables of a game; all amounts in minor units, within the default limits.

    lay      the stakes of one seat, the holder's first; players are "p1" to "p8", each at most once.
             `main_and_side` and `some_areas` make the usual ones
    meter    the amount of the casino's meter; 0 where the game has none
    furnish  the table with the game's memory (the dealer button), before the deal; `house` may be changed, it is a copy
    more     further phases: (name, table) of a dealt hand, such as reveals of cards; `table.round.hand` is the hand
             before its first move
    """

    lay: Lay
    meter: int = 0
    furnish: Callable[[State, Table, Deal], Table] = as_it_is
    more: Callable[[State, Table], Iterable[tuple[str, Table]]] = nothing_more


def derive(plugin: GamePlugin) -> Examples:
    """Return the examples of a game that defines none here."""
    game, options = plugin.game, plugin.game.parse_options({})
    least = options.minimum if isinstance(options, Limits) else max(plugin.first_hand.bets[0].values(), default=0)
    meter = 1_234_500 if game.meter is not None else 0
    if plugin.play.seating is Seating.STACKS:
        return Examples(some_stacks(plugin.first_hand.stack), meter)
    if plugin.play.seating is Seating.AREAS:
        return Examples(some_areas(least), meter)
    sides = {spot: plugin.hooks.prices(options).get(spot, least) for spot in game.spots[1:]}
    return Examples(main_and_side(least, **sides), meter)


def some_stacks(usual: int) -> Lay:
    """Return a small, a common or a large stack."""

    def lay(random: Random, game: Game, seat: int, times: int) -> Sequence[Stake]:
        return (Stake(seat, f"p{seat}", {}, stack=random.choice((usual // 3, usual, 2 * usual))),)

    return lay


# Punto Banco: a road of past hands, and once cards that the highest bettors turn (PB10).

_HANDS = ("punto", "banco")
_PAST_HANDS = 40


def _lay_both(random: Random, game: Game, seat: int, times: int) -> Sequence[Stake]:
    """Bet on punto and banco by turns, and on one more area."""
    bets = {_HANDS[seat % 2]: 500 * times}
    bets.setdefault(random.choice(game.spots), 500)
    return (Stake(seat, f"p{seat}", {area: bets[area] for area in game.spots if area in bets}),)


def _draw_road(house: State, table: Table, deal: Deal) -> Table:
    """Return the same road for every table."""
    chance = Random(_PAST_HANDS)
    return table.keep(results=tuple(chance.choices((*_HANDS, "egalite"), (45, 46, 9), k=_PAST_HANDS)))


def _turn(house: State, table: Table) -> Iterable[tuple[str, Table]]:
    """Yield all reveals, one after the other."""
    assert table.round.hand is not None
    cards = table.round.hand.cards(None)
    turns = [one for one in table.plays.reveals.in_order if one.of(cards)]
    for at, one in enumerate(turns):
        left = {later.position: _highest_on(table.round.hand, later.spot) for later in turns[at:]}
        yield f"squeeze {one.position}", table.change_round(turning=left)


def _highest_on(hand: Hand, area: str) -> int:
    owners, wagered = owners_of(hand), hand.wagered()
    return owners[max(wagered, key=lambda key: wagered[key].get(area, 0))]


_lay_box = main_and_side(1000, admiral=1000)


def _lay_behind(random: Random, game: Game, seat: int, times: int) -> Sequence[Stake]:
    behind = (Stake(seat, "p8", {"main": 2000}, follow=True),) if seat == 2 else ()
    return (*_lay_box(random, game, seat, times), *behind)


def _lay_stack(random: Random, game: Game, seat: int, times: int) -> Sequence[Stake]:
    return (Stake(seat, f"p{seat}", {}, stack=random.choice((8000, 24000, 50000))),)


def _place_button(house: State, table: Table, deal: Deal) -> Table:
    """Put the button on the last stake's seat: the deal begins at the dealer's left (SH15)."""
    return table.keep(button=deal.stakes[-1].seat)


_FURNISHED = {
    "uth": Examples(main_and_side(500, trips=1000)),
    "blackjack": Examples(_lay_behind),
    "stud": Examples(_lay_stack, furnish=_place_button),
    "puntobanco": Examples(_lay_both, furnish=_draw_road, more=_turn),
}


class _Derived(Mapping[str, Examples]):
    def __getitem__(self, game: str) -> Examples:
        return _FURNISHED.get(game) or derive(PLUGINS[game])

    def __iter__(self) -> Iterator[str]:
        return iter(PLUGINS)

    def __len__(self) -> int:
        return len(PLUGINS)


EXAMPLES: Mapping[str, Examples] = _Derived()
"""{game: its examples} of all installed games, in order."""


def people_at(game: str) -> int:
    """Return the number of players at a full example table."""
    play = PLAYS[game]
    return min(play.seats, MOST_ON_AREAS if play.seating is Seating.AREAS else MOST_PEOPLE)
