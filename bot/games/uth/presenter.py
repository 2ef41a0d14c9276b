"""Ultimate Texas Hold'em on its screens: two cards of one's own and the board (UT3)."""

from collections.abc import Mapping
from dataclasses import replace

from bot.core.commands.hand_descriptions import of_poker, with_board
from bot.core.commands.stages import BETS, Places, Stage, Stages, beside_bets
from bot.core.state.table import Table
from bot.texts import Text
from bot.view import Pile
from bot.view.parts import bank_pile, chip_amounts, describe_poker, nothing, one_hand, plain_presenter
from bot.view.pictures.felt import Felt, Slots, arc
from bot.view.pictures.palette import Theme
from bot.view.player_view import PlayerView
from bot.view.presenter import Bets, SideBet
from bot.view.words import Words
from engine import poker
from engine.cards import HIDDEN
from engine.games.uth import UltimateOptions
from engine.hand import lay_out

FELT = Felt(
    layout=arc(
        "ULTIMATE",
        "TEXAS",
        "HOLD'EM",
        seats=6,
        bank=(Slots("Board", 40, 5), Slots("Dealer", 480, 2)),
        spots=(("trips", "play"), ("blind", "ante")),
        round_spots=frozenset({"trips", "play", "blind", "ante"}),
    ),
    theme=Theme(felt=(30, 68, 122), line=(120, 158, 208)),
)


# By the cards of the board that lie open.
_TO_COME = {0: 3, 3: 2, 5: 1}


def _open_cards(table: Table) -> int:
    assert table.round.hand is not None
    return sum(card != HIDDEN for card in lay_out(table.round.hand.view(None)).get("board", ()))


def _stage(table: Table) -> Stage:
    return Stage(str(_open_cards(table)), for_all=True)


def _to_come(table: Table) -> int:
    return 4 if table.round.hand is None else _TO_COME[_open_cards(table)]


STAGES = Stages(
    stage=_stage,
    to_come=_to_come,
    is_long=False,
    mentions=0,
    moves=Places(("fold check play-3=play-2=play-1 play-4",)),
    others=BETS,
    aside=beside_bets(),
    spots=("trips", "blind", "ante", "play"),
)


WORDS = Words(
    opening="Messieurs faites vos jeux",
    calls={},
    labels={"play": Text("Play {argument}×")},
    states={"play": "played"},
    reasons={},
    shares={},
)


def bank(view: PlayerView) -> tuple[Pile, ...]:
    """The board, of which each seat's worth speaks already, and the dealer."""
    board = tuple(view.cards.get("board", ()))
    piles = (Pile(Text("Board"), board),) if board else ()
    return piles + bank_pile(view, "dealer", Text("Dealer"), describe_poker)


def result(view: PlayerView) -> Text:
    """Describe the bank's hand, or that the bank does not qualify (UT8)."""
    dealer = with_board(view.cards, "dealer")
    if poker.category(poker.rank(dealer)) < poker.PAIR:
        return Text("The bank does not qualify (UT8): {worth}.", worth=of_poker(dealer) or "")
    return Text("Bank: {worth}.", worth=of_poker(dealer) or "")


def trips(options: UltimateOptions, lying: Mapping[str, int]) -> tuple[SideBet, ...]:
    """Within the limits of the ante (UT2)."""
    amounts = chip_amounts(options.minimum, options.maximum, lying.get("trips", 0))
    return tuple(SideBet("trips", amount) for amount in amounts[:2])


def prints(options: UltimateOptions) -> tuple[Text, ...]:
    """Line printed on the felt: the hand with which the bank qualifies (UT8)."""
    return (Text("The bank plays with a pair or better"),)


PRESENTER = replace(
    plain_presenter(
        bank=bank,
        piles=one_hand(describe_poker),
        describe_hand=describe_poker,
        result=result,
        words=WORDS,
        bets=Bets(
            mains=("ante",),
            sides=trips,
            asks=Text("Ante and Blind, each {least} to {most} in steps of {step}, for example {such}."),
            beside=nothing,
        ),
    ),
    prints=prints,
)
