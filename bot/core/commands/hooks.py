"""Hooks of a game in the course of a round, beside its rules.

A game that does nothing at some point names the plain function of bot/core/rounds/plain.py there, so that every hook
exists. A hook changes the transaction and the table that it is given, and nothing else; what it raises voids the hand
(G6), except `Refused`, which is shown to the player.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from bot.core.commands.command import Answer
from bot.core.commands.registry import Request
from bot.core.state.table import Table
from bot.core.state.transaction import Transaction
from bot.core.state.values import Casino
from engine.felt import Move, Options
from engine.hand import Hand

T = TypeVar("T")
Entropy = Callable[[int], bytes]


class Escrow(NamedTuple):
    """A player's money in the escrow account of a hand and seat (`ledger.escrow`)."""

    hand: int
    seat: str
    player: int


@dataclass(frozen=True)
class CasinoHooks:
    """State of a game for a whole casino rather than one table, such as a meter and waiting prizes.

    found         a new casino begins: post its first amounts
    options       the table's options, with those that the casino sets for all tables of the game
    runs_out      when something of the casino's is due, or None
    tick          that time has come
    shift_clocks  the wall clock was set by that many seconds: waiting times stay the same
    waits         what is in escrow until something is decided
    meter         the account of the casino's meter; None without one
    reading       the meter without the coins of hands that are being played; None without one
    """

    found: Callable[[Transaction, Casino, float], None]
    options: Callable[[Casino, Options], Options]
    runs_out: Callable[[Casino], float | None]
    tick: Callable[[Transaction, Casino, float], None]
    shift_clocks: Callable[[Transaction, Casino, float], None]
    waits: Callable[[Casino], Sequence[Escrow]]
    meter: Callable[[int], str | None]
    reading: Callable[[Transaction, int], int | None]


@dataclass(frozen=True)
class Hooks:
    """Hooks in the order of a round.

    sit, leave      /sit and /leave; the table may be in a hand
    bet, rebet, take_back_bets, ready  these commands before the deal
    send_away       a banned player leaves; their chips outside the hand go back
    keep_out        a paused player is dealt into no further hand
    prices          {spot: minor units} of spots with a fixed price that are bet on by name alone, by options
    seat_of_bet     the seat or box of a bet, taken off the front of the words if it is named; None is the player's own
    check_seat      raises Refused if a player may not bet on a seat
    may_deal        False while the tables of the game have to wait
    bets_s          seconds of the clock before the deal
    run_out         the clock of the bets has run out: deal, or sleep
    before_deal     bets are closed: who holds what, and the stakes
    after_deal      the cards are dealt and the stakes are posted
    before_move     moves that come with a move, to be played before it
    before_payment  all cards are out: what is counted and paid beside the hand; returns the hand to settle
    payee           the account that takes a seat's payments, or None for its player's
    take_back       the hand is void: what it put anywhere but on the felt is returned; returns the hand to store
    after_hand      the hand is paid or void
    wake            the table may begin another hand by itself
    close           the table closes for good
    shift_clocks    the wall clock was set by that many seconds: waiting times of the game's memory stay the same
    dues            {event: minor units} of postings that a finished hand has beside its events, for the doctor
    casino          state of the game for a whole casino
    """

    sit: Callable[[Request], Answer]
    leave: Callable[[Request], Answer]
    bet: Callable[[Request], Answer]
    rebet: Callable[[Request], Answer]
    take_back_bets: Callable[[Request], Answer]
    ready: Callable[[Request], Answer]
    send_away: Callable[[Transaction, Table, int, float], Table]
    keep_out: Callable[[Transaction, Table, int, float], Table]
    prices: Callable[[Any], Mapping[str, int]]
    seat_of_bet: Callable[[Request, Table, list[str]], int | None]
    check_seat: Callable[[Request, Table, int], None]
    may_deal: Callable[[Transaction, Table], bool]
    bets_s: Callable[[Table], float]
    run_out: Callable[[Transaction, Table, float, Entropy], Table]
    before_deal: Callable[[Transaction, Table, float], Table]
    after_deal: Callable[[Transaction, Table, float], None]
    before_move: Callable[[Transaction, Table, Move, float], list[Move]]
    before_payment: Callable[[Transaction, Table, float], Table]
    payee: Callable[[Transaction, Table, str], str | None]
    take_back: Callable[[Transaction, Table, float], Table]
    after_hand: Callable[[Transaction, Table, Hand, float], Table]
    wake: Callable[[Transaction, Table, float], Table]
    close: Callable[[Transaction, Table, float], Table]
    shift_clocks: Callable[[Table, float], Table]
    dues: Callable[[Hand, frozenset[str]], Mapping[str, int]]
    casino: CasinoHooks


_log = logging.getLogger("ridotto.hooks")
_hooks: dict[str, Hooks] = {}
_tournament_hooks: dict[str, Hooks] = {}
HOOKS: Mapping[str, Hooks] = MappingProxyType(_hooks)
"""{game: its hooks}, in the order in which games are offered."""


def add_hooks(game: str, hooks: Hooks, in_tournaments: Hooks) -> None:
    """Register the hooks of a game, and those of its tournament tables. For bot.games."""
    _hooks[game] = hooks
    _tournament_hooks[game] = in_tournaments


def of_each_game(ask: Callable[[CasinoHooks], T], transaction: Transaction | None = None) -> list[T]:
    """Collect what each game answers for a casino. A game that fails is left out and its changes are undone: the
    casino goes on without it, and the log says so."""
    answers = []
    for game, hooks in HOOKS.items():
        mark = transaction.mark if transaction is not None else 0
        try:
            answers.append(ask(hooks.casino))
        except Exception as fault:
            _log.error("%s failed for a casino: %s", game, type(fault).__name__, exc_info=fault)
            if transaction is not None:
                transaction.undo(mark)
    return answers


def waiting_in(casino: Casino) -> list[Escrow]:
    """Return what is in escrow in a casino, of all games."""
    return [one for waiting in of_each_game(lambda game: game.waits(casino)) for one in waiting]


def hooks_of(table: Table) -> Hooks:
    """Return the hooks of the table's game, or of its tournaments. Raises KeyError if the game is not installed."""
    return HOOKS[table.game] if table.tournament is None else _tournament_hooks[table.game]
