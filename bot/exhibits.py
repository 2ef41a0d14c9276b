"""Example tables of every game in every phase: what the gallery shows and the benchmark draws.

Real hands, played by the engine from a seed, on a house whose books are thrown away afterwards.
"""

import random
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from bot.floor.house import House, Player
from bot.floor.table import Bet, Table
from bot.pit import Pit
from bot.screens import Screen
from bot.screens.build import screen
from engine.felt import Deal, Stake
from engine.hand import GAMES, Hand, check_deal
from engine.strategies import STRATEGIES
from storage import ledger
from storage.database import Books

NAMES = ("Anna", "Bea", "Cleo", "Dora", "Elio", "Furio", "Gino", "Ilia")
_NOW = 1_000_000.0
_MINIMUM = {"caribbean": 1000, "uth": 500, "paiju": 500, "blackjack": 1000}


class Exhibit(NamedTuple):
    """A table as anybody sees it, and the same as the player who decides, or who sits first, sees it."""

    game: str
    phase: str
    screen: Screen
    own: Screen


def exhibits(seed: int = 1, seats: int = 0) -> Iterator[Exhibit]:
    """Every game asleep, with bets, at each choice of one hand, and at its payment. `seats` 0: one is left free."""
    with tempfile.TemporaryDirectory(prefix="ridotto-exhibits-") as folder:
        books = Books(Path(folder))
        try:
            house = Pit(books, clock=lambda: _NOW, entropy=random.Random(seed).randbytes).floor.house
            house.players |= {at: Player(at, name, "en", {}, _NOW) for at, name in enumerate(NAMES, start=1)}
            tables = {table.game: table for table in reversed(house.tables.values())}
            for table in reversed(tables.values()):
                yield from _of_table(house, table, random.Random(f"{seed} {table.game}"), seats)
        finally:
            books.close()


def _of_table(house: House, table: Table, rng: random.Random, seats: int) -> Iterator[Exhibit]:
    deal = _deal(table.game, rng, seats)
    sitting = {stake.seat: int(stake.player[1:]) for stake in reversed(deal.stakes)}
    yield _exhibit(house, table.change(seats={}), "asleep")
    if table.game != "stud":
        bets = tuple(Bet(int(stake.player[1:]), stake.seat, stake.bets, "", stake.follow) for stake in deal.stakes)
        yield _exhibit(house, table.change(seats=sitting, bets=bets, started=_NOW), "betting")
    if table.game == "stud":
        table = table.remember(button=deal.stakes[-1].seat)
        house.balances |= {ledger.stack(table.id, int(stake.player[1:])): stake.stack for stake in deal.stakes}
    if table.game == "caribbean":
        house.balances[ledger.jackpot(table.casino)] = deal.jackpot or 0
    for number, hand in enumerate(_played(deal)):
        if hand.is_over:
            over = table.change(seats=sitting, play=None, last=hand, last_hand=7, hand_id=8)
            yield _exhibit(house, over, "payment")
        else:
            yield _exhibit(house, table.change(seats=sitting, play=hand, hand_id=7), f"choice {number + 1}")


def _exhibit(house: House, table: Table, phase: str) -> Exhibit:
    asked = [key for key in (table.play.asks if table.play else ()) if key in table.owners()]
    viewer = table.owners()[asked[0]] if asked else 1
    return Exhibit(table.game, phase, screen(house, table, None, _NOW), screen(house, table, viewer, _NOW))


def _deal(game: str, rng: random.Random, seats: int) -> Deal:
    options = GAMES[game].options()
    deck = [*GAMES[game].full_deck(options)]
    rng.shuffle(deck)
    dice = (rng.randint(1, 6), rng.randint(1, 6)) if game == "paiju" else None
    meter = 1_234_500 if game == "caribbean" else None
    deal = Deal(game, options, tuple(_stakes(game, rng, seats)), tuple(deck), dice, jackpot=meter)
    check_deal(deal)
    return deal


def _stakes(game: str, rng: random.Random, seats: int) -> Iterator[Stake]:
    most = {"caribbean": 7, "uth": 6, "paiju": 6, "blackjack": 7, "stud": 8}[game]
    free = 0 if seats else rng.randint(3, most - 1)
    for seat in range(1, (seats or most) + 1):
        if seat == free:
            continue
        unit = _MINIMUM.get(game, 0) * rng.choice((1, 2, 5, 10, 25))
        if game == "stud":
            yield Stake(seat, f"p{seat}", {}, stack=rng.choice((8000, 24000, 50000)))
            continue
        yield Stake(seat, f"p{seat}", _bets(game, rng, unit))
        if game == "blackjack" and seat == 2:
            yield Stake(seat, "p8", {"main": 2000}, follow=True)


def _bets(game: str, rng: random.Random, unit: int) -> dict[str, int]:
    if game == "paiju":
        areas = rng.sample(GAMES[game].spots, rng.randint(1, 2))
        return {area: unit for area in GAMES[game].spots if area in areas}
    main, side, amount = {
        "caribbean": ("ante", "jackpot", 100),
        "uth": ("ante", "trips", 1000),
        "blackjack": ("main", "admiral", 1000),
    }[game]
    return {main: unit} | ({side: amount} if rng.random() < 0.6 else {})


def _played(deal: Deal) -> Iterator[Hand]:
    """Every state of the hand, as the game's guests play it."""
    hand = Hand(deal)
    choose = next(iter(STRATEGIES[deal.game].values())) if deal.game != "stud" else STRATEGIES["stud"]["guest"]
    yield hand
    while hand.asks:
        seat, offers = next(iter(hand.asks.items()))
        hand = hand.play(choose(seat, offers, hand.cards(seat)))
        yield hand


def renamed(shown: Screen, names: tuple[str, ...]) -> Screen:
    """The same table with other names on its seats."""
    seats = (seat._replace(name=names[at % len(names)]) if seat.name else seat for at, seat in enumerate(shown.seats))
    return replace(shown, seats=tuple(seats))
