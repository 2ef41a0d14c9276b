"""Commands of people at the tables of a game, and checks there, derived from the game's offers.

Spots, moves, standing orders, commands and options come from the game itself, so that a new game needs nothing here.
Only the open cards are written down for the games of this repository: a check must not ask the code that it checks.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from bot.core.state.plays import Reveal, Seating
from bot.core.state.table import Table
from bot.core.state.transaction import Transaction
from bot.games import PLUGINS
from bot.games.plugin import GamePlugin
from bot.texts.options import BasisPoints, Chips, Count, Flag, OneOf, Option
from engine.errors import IllegalDeal
from tests.simulation.crowd import Crowd
from tests.simulation.following import bet_behind
from tests.simulation.jackpots import METER, win_jackpot
from tests.simulation.turning import bet_alike
from tests.simulation.world import Plan, World

# {game: {whose: how many cards may lie open while anyone must choose}}; "" is everyone else.
OPEN_CARDS: Mapping[str, Mapping[str, int]] = {
    "caribbean": {"dealer": 1, "": 0},  # CS3: "the dealer's last one open"
    "uth": {"dealer": 0, "board": 5, "burn": 0, "": 0},
    "paiju": {"": 0},  # PJ4: no player has a choice
    "blackjack": {"dealer": 1, "": 99},  # BJ8: the dealer draws when all players are done
    "stud": {"board": 1, "": 4},  # SH3: two down, four up, one down
    "puntobanco": {"": 0},
    "holdem": {"board": 5, "": 0},  # HE10, HE23: hands are shown when there is no more action
}
UNKNOWN: Mapping[str, int] = {"": 99}
STACKS = (
    *("buyin 80", "buyin 200", "buyin 200", "buyin 400", "buyin 400", "buyin max"),
    *("topup 100", "sit", "sitout", "back", "back", "refill on", "refill off", "post"),
)
# What may be typed for the words of a command's usage.
ARGUMENTS = {
    "AMOUNT": "{amount}",
    "HAND": "{hand}",
    "PLAYER": "{player}",
    "REASON": "test",
    "SEAT": "{seat}",
    "VALUE": "{amount}",
}
_ALTERNATIVES = re.compile(r"[a-z_]+(?:\|[a-z_]+)+")


@dataclass(frozen=True)
class Behavior:
    """Lines typed at a table of a game, without the slash; a line that is listed twice is typed twice as often.
    Placeholders filled at random: {amount} such as "20", "min" or "half"; {seat} a number; {player} a name; {hand}
    {last} the table's hands.

    bets        lines that bet before the deal; the first one, with {amount} 20, is for a newcomer at an empty table
    open_cards  {whose: how many cards may lie open} while anyone must choose
    says        other lines of players: a command of the game's own, a standing order
    inspects    lines of inspectors: options to set, an act of the game's own
    plans       {plan: weight}: sequences of commands, weighed against the plans of the others (2 to 6 each)
    waves       the order in which players reveal cards themselves
    elsewhere   spots whose stakes leave the hand's account with the deal
    """

    bets: tuple[str, ...]
    open_cards: Mapping[str, int] = field(default_factory=dict)
    says: tuple[str, ...] = ()
    inspects: tuple[str, ...] = ()
    plans: Mapping[Callable[[World], Plan], int] = field(default_factory=dict)
    steps: tuple[tuple[Reveal, ...], ...] = ()
    elsewhere: tuple[str, ...] = ()

    def most_open(self, whose: str) -> int:
        return self.open_cards.get(whose, self.open_cards.get("", 0))

    def covers(self, table: Table, to: str, position: int, viewer: int | None) -> bool:
        """Return whether a shown card (counted from 1) is hidden from `viewer`, None for the public: its reveal step is
        to come, or another player is revealing it now (PJ12, PB10).
        """
        waiting = [
            number for number, step in enumerate(self.steps) for one in step if one.position in table.round.turning
        ]
        if not waiting:
            return False
        for number, step in enumerate(self.steps):
            for turn in step:
                if turn.to == to and turn.first <= position and (not turn.size or position < turn.first + turn.size):
                    is_turned = turn.position not in table.round.turning
                    is_mine = table.round.turning.get(turn.position) == viewer
                    return number > waiting[0] or (number == waiting[0] and not is_turned and not is_mine)
        return False


def derive(plugin: GamePlugin) -> Behavior:
    """Return the commands and checks at the tables of a game."""
    game, play = plugin.game, plugin.play
    commands = {command.name: command for command in plugin.commands}
    own = {name: list(_typed(name, command.usage)) for name, command in commands.items()}
    positions = [turn.position for turn in play.reveals.in_order]
    turned = [turn.spot for turn in play.reveals.in_order if turn.spot]
    plans: dict[Callable[[World], Plan], int] = {bet_alike(game.name, turned[-1]): 6} if turned else {}
    if play.seating is Seating.BOXES:
        plans[bet_behind(game.name)] = 6
    if game.meter is not None and game.name in OPEN_CARDS:
        plans[win_jackpot] = 2
    return Behavior(
        bets=tuple(_bets(plugin)),
        open_cards=OPEN_CARDS.get(game.name, UNKNOWN),
        says=(
            *(f"standing {name}" for name in play.orders),
            *(line for name, lines in own.items() if commands[name].group != "inspectors" for line in lines),
            *(("squeeze", "squeeze off", *(f"squeeze {spot}" for spot in dict.fromkeys(turned))) if turned else ()),
        ),
        inspects=(
            *(f"table set {name} {value} test" for name, value in _values(plugin)),
            *(line for name, lines in own.items() if commands[name].group == "inspectors" for line in lines),
            *(f"table turner {position} {{player}} test" for position in positions),
            *(METER if game.meter is not None else ()),
        ),
        plans=plans,
        steps=play.reveals.steps,
        elsewhere=(game.meter.spot,) if game.meter is not None else (),
    )


def _bets(plugin: GamePlugin) -> Iterator[str]:
    """Yield bets on each spot alone, or beside the first one."""
    game, seating = plugin.game, plugin.play.seating
    first, *others = game.spots or ("",)
    if seating is Seating.STACKS:
        yield from STACKS
    elif seating is Seating.AREAS:
        yield from (f"bet {spot} {{amount}}" for spot in game.spots)
        # Equal bets: one of these players is chosen to reveal the cards.
        yield from (f"bet {turn.spot} 20" for turn in plugin.play.reveals.in_order if turn.spot)
    else:
        if seating is Seating.BOXES:
            yield from ("bet {seat} {amount}", "bet {seat} 10")
        yield from ("bet {amount}", f"bet {first} {{amount}}")
        fixed = plugin.hooks.prices(game.parse_options({}))
        for spot in others:
            beside = spot if spot in fixed else f"{spot} 10"
            yield from (f"bet {first} {{amount}} {beside}", f"bet {beside}")


def _typed(name: str, usage: str) -> Iterator[str]:
    """Yield a command with each of the words that its usage allows, without optional ones."""
    for way in usage.split(" | "):
        for words in dict.fromkeys((re.sub(r"[\[\]]", "", way), re.sub(r"\[[^]]*\] ?", "", way))):
            filled = " ".join(ARGUMENTS.get(word, word) for word in words.split())
            choices = _ALTERNATIVES.search(filled)
            for choice in choices[0].split("|") if choices else ("",):
                line = filled.replace(choices[0], choice) if choices else filled
                yield f"{name} {line}".rstrip()


def _values(plugin: GamePlugin) -> Iterator[tuple[str, object]]:
    """Yield (option or setting, its typed value) of a table: values that the rules accept, the defaults last."""
    usual = vars(plugin.game.parse_options({}))
    for name, option in plugin.texts.options.items():
        if name in plugin.texts.kept_by_casino:
            continue
        others = [(value, typed) for value, typed in _candidates(option, usual[name]) if value != usual[name]]
        legal = [typed for value, typed in others if _is_legal(plugin, name, value)]
        yield from ((name, typed) for typed in legal)
        if legal:
            yield name, _write(option, usual[name])
    for name, option in plugin.texts.settings.items():
        yield from ((name, typed) for _value, typed in _candidates(option, None))


def _write(option: Option, value: object) -> object:
    """Write a value as it is typed."""
    match option.unit:
        case Flag():
            return "on" if value else "off"
        case Chips() | BasisPoints():
            assert isinstance(value, int)
            return f"{value / 100:g}"
    return value


def _candidates(option: Option, usual: object) -> Iterable[tuple[object, object]]:
    """Yield (value, its typed form) of an option."""
    values: Iterable[object] = ()
    match option.unit:
        case Flag():
            values = (True, False)
        case OneOf(values=named):
            values = named
        case Count(least=least, most=most):
            values = (least, most)
        case BasisPoints(least=least, most=most):
            values = (least, (least + most) // 200 * 100, most)
        case Chips() if isinstance(usual, int) and usual:
            values = (usual // 2, 2 * usual)
    return ((value, _write(option, value)) for value in values)


def _is_legal(plugin: GamePlugin, name: str, value: object) -> bool:
    try:
        plugin.game.parse_options({name: value})
    except IllegalDeal:
        return False
    return True


class _Derived(Mapping[str, Behavior]):
    def __init__(self) -> None:
        self._known: dict[str, tuple[GamePlugin, Behavior]] = {}

    def __getitem__(self, game: str) -> Behavior:
        plugin = PLUGINS[game]
        known = self._known.get(game)
        if known is None or known[0] is not plugin:
            known = self._known[game] = plugin, derive(plugin)
        return known[1]

    def __iter__(self) -> Iterator[str]:
        return iter(PLUGINS)

    def __len__(self) -> int:
        return len(PLUGINS)


BEHAVIORS: Mapping[str, Behavior] = _Derived()
"""{game: its behavior} of all installed games, in order."""


def first_bet(game: str) -> str:
    """Return a newcomer's line at an empty table."""
    return BEHAVIORS[game].bets[0].format(amount=20, seat=1)


def learn(crowd: Crowd, draft: Transaction) -> None:
    """Note the identities, places and waiting hands of a committed transaction."""
    for (platform, account), player in draft.identities.items():
        crowd.meet(platform, account, player)
    for place in draft.places.values():
        crowd.find(place)
    for table in draft.tables.values():
        # For an inspector to choose which of equal bettors reveals the cards.
        crowd.notice(table, waits=not all(table.round.turning.values()))
