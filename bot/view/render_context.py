"""The context of a screen: the state, the table, the viewer, and the shown hand.

It reads the state and changes nothing, so it works in any thread; the writer may publish meanwhile.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from msgspec import Struct

from bot.core.commands.hooks import HOOKS
from bot.core.players.self_limits import find_limit
from bot.core.state.casinos import CasinoState
from bot.core.state.people import MemberState, PlayerState
from bot.core.state.plays import Play, Seating
from bot.core.state.table import Table
from bot.core.state.transaction import State, Transaction
from bot.core.state.values import Casino, Member, Player
from bot.texts import Name, Text
from bot.view.player_view import PlayerView
from storage import ledger
from storage.store import ReadableBooks


class HandPayments(NamedTuple):
    """The payments of a hand by key: those of each spot in order, the net result, and the gain of each line."""

    lines: Mapping[str, list[Text]]
    nets: Mapping[str, int]
    gains: Mapping[str, list[int]]


class Wallet(Struct, frozen=True):
    """The viewer's means for bets: `lying` is their bet on `box`, or (`box` 0) on their own seat.

    `chips` None is the public, who may be anyone.
    """

    chips: int | None
    lying: Mapping[str, int]
    box: int = 0

    def can_pay(self, cost: int) -> bool:
        return self.chips is None or cost <= self.chips


class RenderContext(Struct, frozen=True):
    """The context of one screen. `view` is the present or last hand; `outcome` exists when it is over.

    viewer   a player, or None for the public, who may be anyone
    options  those of the table, as the game declares them
    now      seconds since 1970
    plays    the description of the game's tables
    is_playing  whether a hand is under way
    means    how much the viewer can spend, if they are no particular player; None: the wallet
    """

    state: State
    table: Table
    viewer: int | None
    options: Any
    view: PlayerView | None
    outcome: HandPayments | None
    now: float
    plays: Play
    is_playing: bool
    means: int | None = None

    @property
    def is_in_hand(self) -> bool:
        if self.viewer is not None and self.table.round.waits is not None:
            return self.table.is_in_hand(self.viewer)
        return self.is_playing and self.view is not None and bool(self.view.mine)

    @property
    def takes_bets(self) -> bool:
        has_bets = self.plays.seating is not Seating.STACKS
        return has_bets and not self.table.has_closed and self.table.status == "open"

    @property
    def may_stake(self) -> bool:
        """Return whether the viewer may bet: no ban here, and no break or limit of their own."""
        player = self.state.players.find(self.viewer) if self.viewer is not None else None
        if player is None:
            return True
        casino = self.table.casino
        # The viewer's community is unknown: a community's ban only counts if the table is nowhere else.
        homes = {row.home or casino for row in self.state.places_of(self.table.id)} or {casino}
        bans = [player.id in self.state.casinos[home].state.banned for home in homes]
        if player.id in self.state.casinos[casino].state.banned or all(bans) or player.state.paused > self.now:
            return False
        return not player.state.limits or find_limit(Transaction(self.state), player, self.now) is None

    @property
    def has_bet(self) -> bool:
        """Return whether the viewer has a bet; for the public, whether anyone has."""
        return bool(self.table.round.bets if self.viewer is None else self.wallet().lying)

    def name(self, player: int) -> Name:
        return self.state.name_of(self.table.casino, player)

    def balance(self, account: str) -> int:
        return self.state.peek_balance(account)

    def wallet(self, box: int = 0) -> Wallet:
        """Return the viewer's means; for `box` if given, else for their own or first box (BJ3)."""
        if self.viewer is None:
            return Wallet(None, {}, box)
        at = box or self.table.seat_of(self.viewer)
        bets = self.table.bets_of(self.viewer)
        lying = next((bet.spots for bet in bets if bet.seat == at), bets[0].spots if bets and not box else {})
        return Wallet(self.chips(), lying, box)

    def chips(self) -> int:
        """Return what the viewer can spend; no limit for a newcomer, whose first bet brings welcome chips."""
        if self.means is not None:
            return self.means
        if self.viewer is None or self.state.member(self.table.casino, self.viewer) is None:
            return ledger.LARGEST
        return self.balance(ledger.wallet(self.table.casino, self.viewer))


def lone_state(table: Table, names: Mapping[int, str], balances: dict[str, int], books: ReadableBooks) -> State:
    """Return a state with one table and players of these names, to draw a hand that is not in the store."""
    if (meter := HOOKS[table.game].casino.meter(table.casino)) is not None:
        balances = {meter: 0, **balances}
    state = State(books)
    for player, name in names.items():
        state.members[table.casino, player] = Member(table.casino, player, 0.0, MemberState(), name)
        state.players[player] = Player(player, name, "en", PlayerState(), 0.0)
    state.balances.update(balances)
    state.casinos[table.casino] = Casino(table.casino, "", CasinoState(), 0.0)
    return state
