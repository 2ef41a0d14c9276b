"""Texas Hold'em, played from stacks: two cards of one's own, the board and the pots between the players (HE10)."""

from bot.core.commands.hand_descriptions import of_poker_seat
from bot.core.commands.stages import stages_of_moves
from bot.core.state.plays import Cash, MoveHelp, Play
from bot.games.building import player_game
from bot.games.holdem.words import BLINDS, FIRST_HAND, TEXTS
from bot.texts import Text
from bot.view.cash import ahead
from bot.view.pictures.felt import FeltDesign, Ring
from bot.view.pictures.palette import Theme
from bot.view.player_view import PlayerView
from bot.view.presenter import Ahead, Presenter
from bot.view.words import Call, Words
from engine.games.holdem import EACH, HoldemOptions
from engine.games.holdem_strategies import SIMULATION


def _dead(options: HoldemOptions) -> int:
    """Return what a stack must exceed to post a dead small blind (HE7)."""
    return options.small_blind + (options.ante if options.ante_from == EACH else 0)


def check_or_fold(view: PlayerView, key: str) -> tuple[Ahead, ...]:
    """Offer to check or fold before one's turn, as long as there is nothing to call (HE36)."""
    return tuple(one for one in ahead(view, key) if one.moves == ("check", "fold"))


PLUGIN = player_game(
    SIMULATION,
    Play(
        seats=9,
        moves={
            "raise": MoveHelp(
                Text("Raise to an amount: half, pot, all or a number"),
                "AMOUNT",
                "HE17",
                done=Text("You raised to {argument}."),
                label=Text("Raise to {argument}"),
            ),
            "bet": MoveHelp(
                Text("Bet an amount: half, pot, all or a number"), "AMOUNT", "HE14", label=Text("Bet {argument}")
            ),
        },
        describe_hand=of_poker_seat,
        cash=Cash(bet=lambda options: int(options.big_blind), usual=50, dead=_dead, shows="HE25"),
    ),
    TEXTS,
    FIRST_HAND,
    rank=70,
    presenter=Presenter(
        ahead=check_or_fold,
        limits=lambda context: BLINDS(context.options)[0],
        words=Words(
            calls={
                "flop": Call(Text("The flop"), "Il flop"),
                "turn": Call(Text("The turn"), "Il turn"),
                "river": Call(Text("The river"), "Il river"),
            },
        ),
    ),
    felt=FeltDesign(Ring("TEXAS HOLD'EM", seats=9, board=5), Theme(felt=(22, 88, 82), line=(112, 178, 168))),
    stages=stages_of_moves(
        "fold fold check call",
        "bet=raise bet-most=raise-most bet-third=raise-third bet-ask=raise-ask",
        beside="sitout back leave post",
        is_paced=True,
    ),
)
