"""The shoe: cards that serve several hands from one shuffle, until their part of it has come out (BJ7).

How many cards of it are gone, and with which cuts it was shuffled, stands at the table. A game that deals every hand
from new cards has none.
"""

from bot.house.state.table import Shoe, Table
from engine.events import Dealt
from engine.hand import Hand
from engine.shuffler import Seed


def seed_of(table: Table, cuts: tuple[str, ...]) -> Seed:
    """A new shoe is shuffled with this hand's cuts; one that goes on keeps its own (fairness, 3)."""
    if table.shoe is None:
        return Seed(table.seed, cuts)
    return Seed(table.seed, table.shoe.cuts, table.shoe.gone)


def goes_on(table: Table) -> bool:
    """The next hand comes from cards that are shuffled already."""
    return table.shoe is not None


def use(table: Table, hand: Hand) -> Table:
    """After a hand: the shoe serves the next while its part has not come out and it has cards enough (BJ7)."""
    shoe, seed = table.rules.shoe, hand.deal.seed
    if shoe is None:
        return table
    assert seed is not None
    gone = seed.start + sum(len(event.cards) for event in hand.events if isinstance(event, Dealt))
    serves = shoe.serves(hand.deal.options, len(table.rules.full_deck(hand.deal.options)), gone)
    return table.change(shoe=Shoe(gone, tuple(seed.cuts)) if serves and not hand.is_void else None)
