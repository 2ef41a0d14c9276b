"""Rule scripts at full speed for simulations: players are asked at once, and only the money is recorded.

No second copy of the rules: the scripts deal, stake, pay and fill `facts` as for a `Hand` that receives the same moves,
but leave no events. Nothing is checked: neither the deal nor the moves.
"""

from collections.abc import Callable, Generator, Mapping, Sequence

from engine.cards import Card
from engine.events import Event
from engine.felt import Asks, ChosenMove, Deal, Felt, Game, Move, Offers
from engine.games import GAMES

Choose = Callable[[str, Offers, Mapping[str, list[Card]]], Move]


class _EventSink(list[Event]):
    """List of events that stores nothing, for hands without viewers."""

    def append(self, event: Event) -> None:
        pass


_UNHEARD = _EventSink()


class QuickFelt(Felt):
    """A fast driver. `choose(seat, offers, cards)` answers each ask, so the script never stops; `cards` include hidden
    ones.

    Offers outside of the turn are never taken. `returned` sums the payments by seat and spot; `won` names the prizes of
    the progressive, by seat; `moves` are all choices. `gone` is for deals from a shoe: the cards that had left it
    before.
    """

    def __init__(self, deal: Deal, game: Game, choose: Choose) -> None:
        super().__init__(deal, game)
        self.events = _UNHEARD
        self.returned: dict[tuple[str, str], int] = {}
        self.won: dict[str, str] = {}
        self.moves: list[Move] = []
        self.gone: Sequence[Card] = ()
        self._choose = choose

    # Frequent actions are repeated here without their events.

    place = Felt._put_down
    deal_to = Felt._take_cards
    deal_each = Felt._take_each

    def call(self, words: str) -> None:
        pass

    def show(self, to: str) -> None:
        pass

    def turn(self, to: str, position: int, count: int) -> None:
        pass

    def open(self, seat: str, why: str, shows: str, instead_of: str = "") -> None:
        pass

    def ask_each(
        self, asks: Asks, *, timeout: str | None = None, forbidden: Mapping[str, str] | None = None
    ) -> Generator[Asks, Move, dict[str, ChosenMove]]:
        return {
            seat: self._enter(self._choose(seat, offers, self.cards), offers, timeout) for seat, offers in asks.items()
        }
        yield {}  # unreachable: makes this a generator, to which scripts delegate

    def ask_one(
        self, seat: str, offers: Offers, *, timeout: str | None = None, forbidden: Mapping[str, str] | None = None
    ) -> Generator[Asks, Move, ChosenMove]:
        return self._enter(self._choose(seat, offers, self.cards), offers, timeout)
        yield {}  # unreachable, as above

    def _tell_move(self, move: Move, played: str, public: str | None) -> None:
        self.moves.append(move)

    def stake(self, seat: str, spot: str, amount: int) -> None:
        self.staked[seat, spot] = self.staked.get((seat, spot), 0) + amount

    def pay(
        self,
        seat: str,
        spot: str,
        amount: int,
        why: str,
        clause: str,
        *,
        hand: str = "",
        odds: tuple[int, int] | None = None,
        on: str = "",
        stake: int | None = None,
        pot: int = 0,
    ) -> None:
        at = seat, spot
        self.returned[at] = self.returned.get(at, 0) + amount

    def win(self, seat: str, prize: str) -> None:
        self.won[seat] = prize


def play(deal: Deal, choose: Choose) -> QuickFelt:
    """Play a whole hand; the answer is the table after it."""
    game = GAMES[deal.game]
    felt = QuickFelt(deal, game, choose)
    for _ in game.script(felt):
        raise AssertionError("Who is asked has answered already.")
    return felt
