"""What every part of a screen looks at: the house, the table, who looks, and the hand that lies there.

Reads the house and changes nothing, so that any thread may ask; the pit may publish meanwhile.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.floor.betting import options_of
from bot.floor.house import House
from bot.floor.table import Table
from bot.screens import blackjack, caribbean, paiju, stud, uth
from bot.screens.buttons import Wallet
from bot.screens.payments import Outcome, outcome_of
from bot.screens.sight import Look, Sight, hand_on
from storage import ledger

LOOKS: Mapping[str, Look] = {
    "caribbean": caribbean.LOOK,
    "uth": uth.LOOK,
    "paiju": paiju.LOOK,
    "blackjack": blackjack.LOOK,
    "stud": stud.LOOK,
}


@dataclass(frozen=True)
class Scene:
    """`sight` is the hand that lies there, played now or the last one; `outcome` is there when it is over."""

    house: House
    table: Table
    viewer: int | None
    options: Any
    look: Look
    sight: Sight | None
    outcome: Outcome | None

    @property
    def is_playing(self) -> bool:
        return self.table.play is not None

    def name(self, player: int) -> str:
        known = self.house.find_player(player)
        return known.name if known else "?"

    def balance(self, account: str) -> int:
        """What is looked up in the books is not remembered here: that is for the pit's thread."""
        known = self.house.balances.get(account)
        return self.house.books.balance(account) if known is None else known

    def wallet(self, box: int = 0) -> Wallet:
        """What the viewer can bet with; `box` where he names one, else it is his own or the first (BJ3)."""
        if self.viewer is None:
            return Wallet(None, {}, box)
        at = box or self.table.seat_of(self.viewer)
        bets = self.table.bets_of(self.viewer)
        lying = next((bet.spots for bet in bets if bet.seat == at), bets[0].spots if bets and not box else {})
        return Wallet(self.chips(), lying, box)

    def chips(self) -> int:
        """What the viewer can spend. A stranger's first bet welcomes him with chips: nothing is kept from him."""
        if self.viewer is None or (self.table.casino, self.viewer) not in self.house.members:
            return ledger.LARGEST
        return self.balance(ledger.wallet(self.table.casino, self.viewer))

    @property
    def takes_bets(self) -> bool:
        return not self.is_playing and self.table.status == "open" and self.table.game != "stud"

    @property
    def is_suspended(self) -> bool:
        """CS22: a royal or straight flush stops the tables of the meter."""
        waiting = self.house.casino(self.table.casino).get("prizes", [])
        return self.table.game == "caribbean" and any(prize["suspends"] for prize in waiting)


def scene_of(house: House, table: Table, viewer: int | None) -> Scene:
    sight = hand_on(table, viewer)
    void_seats = table.void_seats(table.last_hand if table.play is None else table.hand_id)
    outcome = outcome_of(sight, void_seats) if sight is not None and sight.is_over else None
    return Scene(house, table, viewer, options_of(house, table), LOOKS[table.game], sight, outcome)
