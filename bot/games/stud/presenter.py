"""Seven Card Stud Hi/Lo on its screens: two cards down, four up, one down; the pot between the players (SH3)."""

from collections.abc import Sequence

from bot.core.commands.hand_descriptions import describe
from bot.core.commands.stages import Places, Stage, Stages
from bot.core.state.table import Table
from bot.games.stud.hand_description import of_hi_lo
from bot.texts import Card as Shown
from bot.texts import Text
from bot.view import Pile
from bot.view.cash import CASH_STACKS, ahead, pot
from bot.view.parts import NO_BETS, none, nothing, seat_pile
from bot.view.pictures.felt import Felt, Ring
from bot.view.pictures.palette import Theme
from bot.view.player_view import PlayerView
from bot.view.presenter import NO_METER, Presenter
from bot.view.render_context import RenderContext
from bot.view.words import Call, Words
from engine import poker
from engine.cards import HIDDEN, Card
from engine.events import Opened
from engine.felt import Amount, Word
from engine.games.stud import StudOptions

FELT = Felt(layout=Ring("7 CARD STUD HI/LO"), theme=Theme(felt=(66, 50, 112), line=(156, 142, 206)))


def _stage(table: Table) -> Stage:
    assert table.round.hand is not None
    return Stage(str(len(table.round.hand.moves)), for_all=False)


def _to_come(table: Table) -> int:
    """Return the number of stages that are certain to follow: the payment alone."""
    return 1


STAGES = Stages(
    stage=_stage,
    to_come=_to_come,
    is_long=True,
    mentions=1,
    moves=Places(("fold check call=bring-in bet=complete=raise",)),
    others=Places(("buyin=topup buyin-ask topup-ask",)),
    aside=Places(("sitout back leave", "daily share .")),
)


WORDS = Words(
    opening="",
    calls={
        "third street": Call(Text("Third street"), "Terza strada"),
        "fourth street": Call(Text("Fourth street"), "Quarta strada"),
        "fifth street": Call(Text("Fifth street"), "Quinta strada"),
        "sixth street": Call(Text("Sixth street"), "Sesta strada"),
        "river": Call(Text("The river"), "Il river"),
    },
    labels={"complete": Text("Complete"), "bring-in": Text("Bring in")},
    states={"complete": "completed", "bring-in": "brought in"},
    reasons={},
    shares={
        "uncalled": Text("uncalled {amount} returned"),
        "high": Text("high {amount}"),
        "high alone": Text("high {amount}, no low hand"),
        "low": Text("low {amount}"),
        "last player": Text("{amount} as the last player"),
        "lose": Text("no share of the pot"),
        "fold": Text("folded"),
    },
)
_WHY = {
    "lowest card": Text("Seat {seat} opens with the lowest card, {shows} (SH5)."),
    "highest hand": Text("Seat {seat} acts first: highest hand showing, {shows} (SH5)."),
    "equal hands": Text("Seat {seat} acts first: first of equal hands to the dealer's left, {shows} (SH5)."),
}


def bank(view: PlayerView) -> tuple[Pile, ...]:
    """A community card, where the deck ran out (SH4)."""
    board = tuple(view.cards.get("board", ()))
    return (Pile(Text("Card for everybody"), board),) if board else ()


def piles(view: PlayerView, key: str) -> tuple[Pile, ...]:
    """A seat's cards with their description for this viewer, or what they show to everybody."""
    return seat_pile(view, key, lambda seen, to: describe_hand(seen, to) or _showing(seen.cards[to]))


def describe_hand(view: PlayerView, key: str) -> Text | None:
    """High and low of a seat, with the card for everybody; None where a card is hidden."""
    cards: list[Card] = [*view.cards.get(key, ()), *view.cards.get("board", ())]
    return of_hi_lo(cards)


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


def result(view: PlayerView) -> Text:
    """Describe the pot."""
    return Text("The pot was {pot}.", pot=pot(view))


def limits(context: RenderContext) -> Text:
    """Lower and upper limit and the ante (SH2, SH6), for the foot of a screen."""
    options = context.options
    lower, upper, ante = Amount(options.lower), Amount(options.upper), Amount(options.ante)
    return Text("Limits {lower}/{upper}, ante {ante}", lower=lower, upper=upper, ante=ante)


def least(options: StudOptions) -> int:
    """Return the amount from which the chips offered at this table are derived."""
    return options.lower


PRESENTER = Presenter(
    bank=bank,
    piles=piles,
    describe_hand=describe_hand,
    result=result,
    holds=nothing,
    notes=opener,
    ahead=ahead,
    prints=nothing,
    pot=pot,
    limits=limits,
    least=least,
    waits=none,
    road=nothing,
    words=WORDS,
    bets=NO_BETS,
    stacks=CASH_STACKS,
    meter=NO_METER,
)
