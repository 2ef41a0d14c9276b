"""7 Card Stud Hi/Lo, played from stacks: two cards down, four up, one down (SH3)."""

from collections.abc import Mapping, Sequence

from bot.core.commands.hand_descriptions import describe, of_poker, with_board
from bot.core.commands.stages import stages_of_moves
from bot.core.state.plays import Cash, MoveHelp, Play
from bot.games.building import player_game
from bot.games.stud.words import FIRST_HAND, LIMITS, TEXTS, bet_here, bring_in_here, complete_here, raise_here
from bot.texts import Card as Shown
from bot.texts import Text
from bot.view import Pile
from bot.view.cash import ahead
from bot.view.parts import describe_seen, seat_pile
from bot.view.pictures.felt import FeltDesign, Ring
from bot.view.pictures.palette import Theme
from bot.view.player_view import PlayerView
from bot.view.presenter import Presenter
from bot.view.words import Call, Words
from engine import poker
from engine.cards import HIDDEN, Card
from engine.events import Opened
from engine.felt import Word
from engine.games.stud import spell_low
from engine.games.stud_strategies import SIMULATION

_WHY = {
    "lowest card": Text("Seat {seat} opens with the lowest card, {shows} (SH5)."),
    "highest hand": Text("Seat {seat} acts first: highest hand showing, {shows} (SH5)."),
    "equal hands": Text("Seat {seat} acts first: first of equal hands to the dealer's left, {shows} (SH5)."),
}


def describe_hand(cards: Mapping[str, Sequence[Card]], to: str) -> Text | None:
    """Describe the high hand and any low (SH10), with the shared card if the deck ran out (SH4).

    None where a card is hidden.
    """
    whole = with_board(cards, to)
    high = of_poker(whole)
    low = poker.low(whole) if high is not None and len(whole) >= 5 else None
    return Text("{high}; low {low}", high=high, low=spell_low(low)) if low else high


def bank(view: PlayerView) -> tuple[Pile, ...]:
    """Return the community card as a pile, if the deck ran out (SH4)."""
    board = tuple(view.cards.get("board", ()))
    return (Pile(Text("Card for everybody"), board),) if board else ()


def piles(view: PlayerView, key: str) -> tuple[Pile, ...]:
    """Return a seat's cards with their description for this viewer, or that of the open ones."""
    return seat_pile(view, key, lambda seen, to: describe_seen(seen, to) or _showing(seen.cards[to]))


def _showing(cards: Sequence[Card]) -> Text | None:
    """Describe the open cards, which decide who acts first (SH5)."""
    seen = [card for card in cards if card != HIDDEN]
    return Text("shows {worth}", worth=describe(poker.rank_showing(seen))) if 0 < len(seen) <= 4 else None


def opener(view: PlayerView) -> tuple[Text, ...]:
    """Name the seat that acts first on this street, and why (SH5)."""
    opened = next((event for event in reversed(view.events) if isinstance(event, Opened)), None)
    if opened is None:
        return ()
    shows = Shown(opened.shows) if opened.why == "lowest card" else Word(opened.shows)
    return (Text(_WHY[opened.why].template, seat=opened.seat, shows=shows),)


PLUGIN = player_game(
    SIMULATION,
    Play(
        seats=8,
        moves={
            "bring-in": MoveHelp(
                Text("Post the bring-in"),
                here=bring_in_here,
                done=Text("You posted the bring-in: {cost}."),
                label=Text("Bring in"),
                did="brought in",
            ),
            "complete": MoveHelp(
                Text("Complete the bring-in"),
                here=complete_here,
                done=Text("You completed the bet: {cost}."),
                label=Text("Complete"),
                did="completed",
            ),
            "check": MoveHelp(Text("Pass without betting")),
            "call": MoveHelp(Text("Call the bet")),
            "raise": MoveHelp(Text("Bet twice the ante, or raise"), here=raise_here),
            "bet": MoveHelp(Text("Place a bet"), here=bet_here),
            "fold": MoveHelp(Text("Give up the hand")),
        },
        describe_hand=describe_hand,
        cash=Cash(bet=lambda options: int(options.upper), least=10, most=100, usual=40),
    ),
    TEXTS,
    FIRST_HAND,
    rank=50,
    presenter=Presenter(
        bank=bank,
        piles=piles,
        notes=opener,
        ahead=ahead,
        limits=lambda context: LIMITS(context.options)[0],
        least=lambda options: int(options.lower),
        words=Words(
            calls={
                "third street": Call(Text("Third street"), "Terza strada"),
                "fourth street": Call(Text("Fourth street"), "Quarta strada"),
                "fifth street": Call(Text("Fifth street"), "Quinta strada"),
                "sixth street": Call(Text("Sixth street"), "Sesta strada"),
                "river": Call(Text("The river"), "Il river"),
            },
            shares={
                "high": Text("high {amount}"),
                "high alone": Text("high {amount}, no low hand"),
                "low": Text("low {amount}"),
            },
        ),
    ),
    felt=FeltDesign(Ring("7 CARD STUD HI/LO"), Theme(felt=(66, 50, 112), line=(156, 142, 206))),
    stages=stages_of_moves("fold check call=bring-in bet=complete=raise"),
)
