"""Presenter of Texas Hold'em: two cards of one's own, the board and the pots between the players (HE10, HE36)."""

from bot.core.commands.stages import Places, Stage, Stages
from bot.core.state.table import Table
from bot.texts import Text
from bot.view import Pile
from bot.view.cash import CASH_STACKS, ahead, pot
from bot.view.parts import NO_BETS, describe_poker, none, nothing, one_hand
from bot.view.pictures.felt import Felt, Ring
from bot.view.pictures.palette import Theme
from bot.view.player_view import PlayerView
from bot.view.presenter import NO_METER, Ahead, Presenter
from bot.view.render_context import RenderContext
from bot.view.words import Call, Words
from engine.felt import Amount
from engine.games.holdem import BOARD, HoldemOptions

FELT = Felt(
    layout=Ring("TEXAS HOLD'EM", seats=9, board=5),
    theme=Theme(felt=(22, 88, 82), line=(112, 178, 168)),
)


def _stage(table: Table) -> Stage:
    assert table.round.hand is not None
    return Stage(str(len(table.round.hand.moves)), for_all=False)


def _to_come(table: Table) -> int:
    return 1


STAGES = Stages(
    stage=_stage,
    to_come=_to_come,
    is_long=True,
    mentions=1,
    moves=Places(("fold fold check call", "bet=raise bet-most=raise-most bet-third=raise-third bet-ask=raise-ask")),
    others=Places(("buyin=topup buyin-ask topup-ask",)),
    aside=Places(("sitout back leave post", "daily share .")),
)

WORDS = Words(
    opening="",
    calls={
        "flop": Call(Text("The flop"), "Il flop"),
        "turn": Call(Text("The turn"), "Il turn"),
        "river": Call(Text("The river"), "Il river"),
    },
    labels={"bet": Text("Bet {argument}"), "raise": Text("Raise to {argument}")},
    states={},
    reasons={},
    shares={
        "uncalled": Text("uncalled {amount} returned"),
        "best hand": Text("won {amount}"),
        "last player": Text("{amount} as the last player"),
        "lose": Text("no share of the pot"),
        "fold": Text("folded"),
    },
)


def bank(view: PlayerView) -> tuple[Pile, ...]:
    """Return the board."""
    board = tuple(view.cards.get(BOARD, ()))
    return (Pile(Text("Board"), board),) if board else ()


def check_or_fold(view: PlayerView, key: str) -> tuple[Ahead, ...]:
    """Offer to check or fold before one's turn, as long as there is nothing to call (HE36)."""
    return tuple(one for one in ahead(view, key) if one.moves == ("check", "fold"))


def result(view: PlayerView) -> Text:
    """Return the size of the pot."""
    return Text("The pot was {pot}.", pot=pot(view))


def limits(context: RenderContext) -> Text:
    """Return the blinds and the ante, for the foot of a screen."""
    options = context.options
    small, big, ante = Amount(options.small_blind), Amount(options.big_blind), Amount(options.ante)
    if not options.ante:
        return Text("Blinds {small}/{big}", small=small, big=big)
    return Text("Blinds {small}/{big}, ante {ante}", small=small, big=big, ante=ante)


def least(options: HoldemOptions) -> int:
    """Return the unit of the chips of this table."""
    return options.big_blind


PRESENTER = Presenter(
    bank=bank,
    piles=one_hand(describe_poker),
    describe_hand=describe_poker,
    result=result,
    holds=nothing,
    notes=nothing,
    ahead=check_or_fold,
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
