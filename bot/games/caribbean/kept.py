"""State of a casino for Caribbean Stud: options of the meter set by inspectors, and prizes awaiting confirmation."""

from collections.abc import Mapping

from msgspec import Struct

from bot.core.state.casinos import CasinoMemory
from bot.core.state.values import Casino

Option = int | str | Mapping[str, int]


class PrizeInputs(Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs of a hand's prizes, as `jackpot.settle` takes them."""

    meter: int
    coins: int
    winners: Mapping[str, str]
    coin: int
    contribution: int
    fixed: Mapping[str, int]
    reset: int


class Prize(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A prize in escrow (CS22, CS23): of which seat in which hand, whose, for which rank, and how much.

    suspends             the tables of the meter wait too
    count                what it was counted from
    keys_needed, keys    how many inspectors confirm it, and who has; `against`: who would reject it
    since                when it was won
    fails                its replay failed when it would have confirmed it
    """

    hand: int
    table: int
    seat: str
    player: int
    rank: str
    suspends: bool
    prize: int
    count: PrizeInputs
    keys_needed: int
    keys: tuple[int, ...]
    since: float
    fails: bool = False
    against: tuple[int, ...] = ()


class Jackpot(CasinoMemory, frozen=True):
    """Jackpot of a casino: `meter` holds the options that differ from the game's own, as `parse_options` takes them."""

    meter: Mapping[str, Option] = {}
    prizes: tuple[Prize, ...] = ()


def meter_options(casino: Casino) -> dict[str, Option]:
    """Return the meter options that inspectors have set, by name."""
    return dict(casino.kept(Jackpot).meter)


def prizes_of(casino: Casino) -> tuple[Prize, ...]:
    """Return the waiting prizes, the oldest first."""
    return casino.kept(Jackpot).prizes


def with_prizes(casino: Casino, prizes: tuple[Prize, ...]) -> Casino:
    """Return the casino with these prizes waiting, in place of the former ones."""
    return casino.change_memory(Jackpot(meter=meter_options(casino), prizes=prizes))
