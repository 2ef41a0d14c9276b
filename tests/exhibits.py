"""Example tables of every game in every phase, for the gallery and the benchmark.

Real hands, played by the engine from a seed, on a temporary store.
"""

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from msgspec import structs
from msgspec.structs import replace

from bot.cli.game_checks.random_hands import MOST_PEOPLE, count_people
from bot.core.state.lounge import LOUNGE
from bot.core.state.people import MemberState, PlayerState
from bot.core.state.plays import PLAYS, Seating
from bot.core.state.table import Bet, Table
from bot.core.state.transaction import State
from bot.core.state.values import Member, Player
from bot.core.writer import Writer
from bot.view import Screen
from bot.view.build import screen
from engine.felt import Deal, Game, Stake
from engine.games import GAMES, SIMULATIONS
from engine.hand import Hand, check_deal
from storage import ledger
from storage.sqlite import SqliteBooks
from tests.examples import EXAMPLES, TIMES

NAMES = ("Anna", "Bea", "Cleo", "Dora", "Elio", "Furio", "Gino", "Ilia")
assert len(NAMES) == MOST_PEOPLE
# Number of deals tried to find one with a choice.
DEALS_TRIED = 50
_NOW = 1_000_000.0
_WALLET = 1_000_00


class Exhibit(NamedTuple):
    """A table as anyone sees it, and as the player to move, or the first one, sees it."""

    game: str
    phase: str
    screen: Screen
    own: Screen


def exhibits(seed: int = 1, seats: int = 0) -> Iterator[Exhibit]:
    """Yield every game asleep, with bets, at each choice of one hand, and at its payment. `seats` 0: one is left
    free.
    """
    with tempfile.TemporaryDirectory(prefix="ridotto-exhibits-") as folder:
        books = SqliteBooks(Path(folder))
        try:
            house = Writer(books, clock=lambda: _NOW, entropy=random.Random(seed).randbytes, secret=bytes(32)).state
            house.players |= {at: Player(at, name, "en", PlayerState(), _NOW) for at, name in enumerate(NAMES, start=1)}
            house.members |= {
                (LOUNGE, at): Member(LOUNGE, at, _NOW, MemberState(), name) for at, name in enumerate(NAMES, start=1)
            }
            house.balances |= {ledger.wallet(LOUNGE, at): _WALLET for at, _name in enumerate(NAMES, start=1)}
            tables = {table.game: table for table in reversed(house.tables.values())}
            for game in PLAYS:
                yield from _of_table(house, tables[game], random.Random(f"{seed} {game}"), seats)
        finally:
            books.close()


def _of_table(house: State, table: Table, rng: random.Random, seats: int) -> Iterator[Exhibit]:
    deal = _deal(table.game, rng, seats)
    table, hands = _furnished(house, table, deal), list(_played(deal))
    yield _exhibit(house, table.change(seats={}), "asleep")
    sitting = {stake.seat: int(stake.player[1:]) for stake in reversed(deal.stakes)}
    table = table.change(seats=sitting)
    if table.plays.seating is not Seating.STACKS:
        bets = tuple(Bet(int(stake.player[1:]), stake.seat, stake.bets, "", stake.follow) for stake in deal.stakes)
        yield _exhibit(house, table.change_round(bets=bets, started=_NOW), "betting")
    dealt = table.change_round(hand=hands[0], hand_id=7)
    for phase, more in EXAMPLES[table.game].more(house, dealt):
        yield _exhibit(house, more, phase)
    for number, hand in enumerate(hands, start=1):
        if hand.is_over:
            yield _exhibit(
                house,
                table.change(last=hand, last_hand=7, round=structs.replace(table.round, hand=None, hand_id=8)),
                "payment",
            )
        else:
            yield _exhibit(house, dealt.change_round(hand=hand), f"choice {number}")


def _furnished(house: State, table: Table, deal: Deal) -> Table:
    """Return the table with everything beside the bets: stacks, the meter, the game's memory."""
    if table.plays.seating is Seating.STACKS:
        house.balances |= {ledger.stack(table.id, int(stake.player[1:])): stake.stack for stake in deal.stakes}
    if deal.jackpot is not None:
        house.balances[ledger.jackpot(table.casino)] = deal.jackpot
    return EXAMPLES[table.game].furnish(house, table, deal)


def _exhibit(house: State, table: Table, phase: str) -> Exhibit:
    asked = [key for key in (table.round.hand.asks if table.round.hand else ()) if key in table.owners()]
    viewer = table.owners()[asked[0]] if asked else 1
    return Exhibit(table.game, phase, screen(house, table, None, _NOW), screen(house, table, viewer, _NOW))


def _deal(name: str, rng: random.Random, seats: int) -> Deal:
    game = GAMES[name]
    options = game.options()
    deck = [*game.full_deck(options)]
    rng.shuffle(deck)
    dice = (rng.randint(1, 6), rng.randint(1, 6)) if game.dice else None
    stakes = tuple(_stakes(game, rng, seats))
    deal = Deal(name, options, stakes, tuple(deck), dice, jackpot=EXAMPLES[name].meter or None)
    check_deal(deal)
    for _again in range(DEALS_TRIED if game.words else 0):
        if Hand(deal).asks:
            break
        rng.shuffle(deck)  # this deal has no choice, and choices are to be shown
        deal = deal._replace(deck=tuple(deck))
    return deal


def _stakes(game: Game, rng: random.Random, seats: int) -> Iterator[Stake]:
    most = count_people(game.name)
    free = 0 if seats or most < 4 else rng.randint(3, most - 1)
    for seat in range(1, (seats or most) + 1):
        if seat != free:
            yield from EXAMPLES[game.name].lay(rng, game, seat, rng.choice(TIMES))


def _played(deal: Deal) -> Iterator[Hand]:
    """Yield every state of the hand, as played by the game's first strategy."""
    hand = Hand(deal)
    choose = next(iter(SIMULATIONS[deal.game].strategies.values()))
    yield hand
    while hand.asks:
        seat, offers = next(iter(hand.asks.items()))
        hand = hand.play(choose(seat, offers, hand.cards(seat)))
        yield hand


def renamed(shown: Screen, names: tuple[str, ...]) -> Screen:
    """Return the same table with other names on its seats."""
    seats = (seat._replace(name=names[at % len(names)]) if seat.name else seat for at, seat in enumerate(shown.seats))
    return replace(shown, seats=tuple(seats))
