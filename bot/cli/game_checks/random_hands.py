"""Random legal deals and moves of any game, derived from its declarations. No rule of a game is known here."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from bot.core.state.plays import PLAYS, Seating
from bot.games import PLUGINS
from bot.games.plugin import GamePlugin
from bot.texts.options import BasisPoints, Chips, ChipsEach, Count, Flag, OneOf, Pays, Unit
from engine.errors import Illegal, IllegalDeal
from engine.felt import TIMEOUT, Deal, Game, Limits, Move, Offer, Options, Stake
from engine.games import GAMES
from engine.hand import Hand, check_deal

# There are names for this many players.
MOST_PEOPLE = 8
# Players on areas need no seat; more than this many would add nothing.
MOST_ON_AREAS = 6
# More moves than any hand of any game takes: eight players with five rounds of four bets, seven boxes of splits.
LONGEST = 400
_OFTEN = 0.6
_SELDOM = 0.3

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
        areas = random.sample(game.spots, min(random.randint(1, 2), len(game.spots)))
        return (Stake(seat, f"p{seat}", {area: least * times for area in game.spots if area in areas}),)

    return lay


def some_stacks(usual: int) -> Lay:
    """Return a small, a common or a large stack."""

    def lay(random: Random, game: Game, seat: int, times: int) -> Sequence[Stake]:
        return (Stake(seat, f"p{seat}", {}, stack=random.choice((usual // 3, usual, 2 * usual))),)

    return lay


def find_lay(plugin: GamePlugin, options: Options) -> Lay:
    """Return how a seat of the game bets at a table with these options."""
    game = plugin.game
    least = options.minimum if isinstance(options, Limits) else max(plugin.first_hand.bets[0].values(), default=0)
    if plugin.play.seating is Seating.STACKS:
        return some_stacks(plugin.first_hand.stack)
    if plugin.play.seating is Seating.AREAS:
        return some_areas(least)
    return main_and_side(least, **{spot: find_price(plugin, options, spot) for spot in game.spots[1:]})


def find_price(plugin: GamePlugin, options: Options, spot: str) -> int:
    """Return the least bet on a spot: its one price, or the table's minimum."""
    least = options.minimum if isinstance(options, Limits) else 0
    return plugin.hooks.prices(options).get(spot, least)


def count_people(game: str) -> int:
    """Return the number of players at a full table of a trial."""
    play = PLAYS[game]
    return min(play.seats, MOST_ON_AREAS if play.seating is Seating.AREAS else MOST_PEOPLE)


def list_values(unit: Unit, default: Any) -> Iterator[object]:
    """Yield all values, or the ends of the range and those near the default."""
    match unit:
        case Flag():
            yield from (False, True)
        case OneOf(values):
            yield from values
        case Count(least, most) | BasisPoints(least, most):
            yield from dict.fromkeys((least, least + 1, (least + most) // 2, most - 1, most))
        case Pays():
            yield from ("1:1", "3:2", "6:5", "2:1", "99:1", "1:99")
        case ChipsEach(names=names):
            yield dict(default)
            yield from ({**default, name: default[name] - 1} for name in names)
        case Chips():
            yield from dict.fromkeys((0, 1, 2, default // 2, default, default + 2, 2 * default, 10 * default))


def _values_of(plugin: GamePlugin, option: str) -> Iterator[object]:
    return list_values(plugin.texts.options[option].unit, vars(plugin.game.options())[option])


def list_tables(game: str, option: str) -> list[Any]:
    """Return options of tables that differ in this one, as far as the rules allow; what it needs is set."""
    plugin = PLUGINS[game]
    needed, found = plugin.texts.options[option].needs, dict[str, Any]()
    given = {needed: next(filter(None, _values_of(plugin, needed)))} if needed else {}
    for value in _values_of(plugin, option):
        try:
            options = plugin.game.parse_options({**given, option: value})
        except Illegal:
            continue
        found[repr(vars(options)[option])] = options
    return list(found.values())


def _choose_options(plugin: GamePlugin, random: Random) -> Options:
    """Return a table's options, some of them changed, as far as the rules allow."""
    usual, changed = vars(plugin.game.options()), dict[str, object]()
    for name, option in plugin.texts.options.items():
        if random.random() < _SELDOM:
            more = changed | {name: random.choice(list(list_values(option.unit, usual[name])))}
            try:
                plugin.game.parse_options(more)
            except Illegal:
                continue
            changed = more
    return plugin.game.parse_options(changed)


def deal_at_random(name: str, random: Random) -> Deal:
    """Return a legal deal with random options, seats and stakes. Raises IllegalDeal if least stakes are refused."""
    plugin = PLUGINS[name]
    try:
        return _deal(plugin, _choose_options(plugin, random), random)
    except IllegalDeal:  # these options allow no such stakes
        return _deal(plugin, plugin.game.options(), random)


def _deal(plugin: GamePlugin, options: Options, random: Random) -> Deal:
    game, lay, most = plugin.game, find_lay(plugin, options), count_people(plugin.game.name)
    seats = sorted(random.sample(range(1, most + 1), random.randint(min(2, most), most)))
    stakes = [stake for seat in seats for stake in lay(random, game, seat, random.randint(1, 5))]
    return shuffle_deal(game, options, stakes, random)


def shuffle_deal(game: Game, options: Options, stakes: Sequence[Stake], random: Random) -> Deal:
    """Return a deal of these stakes with a shuffled deck. Raises IllegalDeal."""
    full = game.full_deck(options)
    dice = (random.randint(1, 6), random.randint(1, 6)) if game.dice else None
    meter = random.randrange(10**7) if game.meter else None
    deal = Deal(game.name, options, tuple(stakes), tuple(random.sample(full, len(full))), dice, jackpot=meter)
    check_deal(deal)
    return deal


def take_offer(seat: str, offer: Offer, random: Random) -> Move:
    """Return a move of the offer; with an open amount, some amount, often a limit."""
    if not offer.most:
        return Move(seat, offer.word, offer.argument)
    most = min(offer.most, 10**6)
    some = random.randint(offer.least, most)
    amount = random.choice([offer.least, most, max(offer.least, some - some % offer.unit)])
    return Move(seat, offer.word, str(amount))


def choose_move(hand: Hand, random: Random) -> Move:
    """Return any legal move of an open hand, sometimes a time-out or one outside of the turn."""
    aside = [take_offer(seat, offer, random) for seat, offers in hand.aside.items() for offer in offers]
    if aside and random.random() < 0.1:
        return random.choice(aside)
    seat = random.choice(list(hand.asks))
    if random.random() < 0.05:
        return Move(seat, TIMEOUT)
    return take_offer(seat, random.choice(list(hand.asks[seat])), random)


def play_at_random(deal: Deal, random: Random) -> Iterator[Hand]:
    """Yield the hand before its first move and after each, to its end."""
    hand = Hand(deal)
    yield hand
    while not hand.is_over:
        if len(hand.moves) >= LONGEST:
            raise RuntimeError(f"a hand of {deal.game} has not ended after {LONGEST} moves")
        hand = hand.play(choose_move(hand, random))
        yield hand


def list_viewers(deal: Deal) -> list[str | None]:
    """Return every player's key, and the public."""
    seats = [str(stake.seat) for stake in deal.stakes]
    behind = [f"{stake.seat}/{stake.player}" for stake in deal.stakes if seats.count(str(stake.seat)) > 1]
    return [None, *dict.fromkeys(seats), *behind]


def make_illegal_moves(hand: Hand, random: Random) -> Iterator[Move]:
    """Yield moves that nobody was offered."""
    game = GAMES[hand.deal.game]
    seats: list[str] = [key for key in list_viewers(hand.deal) if key] + ["99", "0", "", "1/nobody"]
    arguments = ["", "0", "1", "-1", "01", "٣", "As", "5", "99999999999999999999", " "]
    offered = {seat: {(o.word, o.argument) for o in offers if not o.most} for seat, offers in hand.asks.items()}
    ranges = {(seat, o.word) for seat, offers in hand.asks.items() for o in offers if o.most}
    aside = {(seat, o.word) for seat, offers in hand.aside.items() for o in offers}
    for _ in range(12):
        seat, word, argument = random.choice(seats), random.choice([*game.words, TIMEOUT]), random.choice(arguments)
        if word == TIMEOUT and not argument and seat in hand.asks:
            continue
        if (word, argument) not in offered.get(seat, ()) and not {(seat, word)} & (ranges | aside):
            yield Move(seat, word, argument)
    yield Move(random.choice(seats), "fly")
