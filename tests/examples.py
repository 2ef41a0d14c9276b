"""Example tables for screens, pictures and the gallery: derived from the game, with extras for some."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from bot.cli.game_checks.random_hands import Lay, find_lay, main_and_side
from bot.core.state.table import Table, owners_of
from bot.core.state.transaction import State
from bot.games import PLUGINS
from bot.games.plugin import GamePlugin
from engine.felt import Deal, Game, Stake
from engine.hand import Hand

# Bets of players, as multiples of the minimum.
TIMES = (1, 2, 5, 10, 25)


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
    return Examples(find_lay(plugin, plugin.game.options()), 1_234_500 if plugin.game.meter is not None else 0)


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
    return table.change_memory(results=tuple(chance.choices((*_HANDS, "egalite"), (45, 46, 9), k=_PAST_HANDS)))


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
    return table.change_memory(button=deal.stakes[-1].seat)


# French roulette: past numbers, and bets of every kind.

_KINDS = ("red", "17", "17-20", "16-18", "25-29", "31-36", "second-dozen", "third-column", "0-2-3", "first-four")


def _lay_kinds(random: Random, game: Game, seat: int, times: int) -> Sequence[Stake]:
    bets = {random.choice(_KINDS): 500 * times, random.choice(_KINDS): 500, random.choice(game.spots): 500}
    return (Stake(seat, f"p{seat}", {spot: bets[spot] for spot in game.spots if spot in bets}),)


def _draw_numbers(house: State, table: Table, deal: Deal) -> Table:
    chance = Random(_PAST_HANDS)
    return table.change_memory(results=tuple(str(chance.randrange(37)) for _ in range(_PAST_HANDS)))


_FURNISHED = {
    "uth": Examples(main_and_side(500, trips=1000)),
    "blackjack": Examples(_lay_behind),
    "stud": Examples(_lay_stack, furnish=_place_button),
    "roulette": Examples(_lay_kinds, furnish=_draw_numbers),
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
