"""Ultimate Texas Hold'em, the variant of Venice."""

from collections.abc import Mapping, Sequence

from bot.core.commands.company import Guest, bet_little
from bot.core.commands.hand_descriptions import of_poker_seat
from bot.core.rounds.plain import PLAIN
from bot.core.state.plays import FollowUp, MoveHelp, plain_play
from bot.games.plugin import GamePlugin
from bot.games.uth.first_hand import FIRST_HAND
from bot.games.uth.presenter import FELT, PRESENTER, STAGES
from bot.games.uth.words import TEXTS, fold_here
from bot.texts import Text
from engine.cards import Card
from engine.felt import Offers
from engine.games.uth import GAME, has_hidden_pair
from engine.games.uth_strategies import SIMULATION


def play_pairs(seat: str, offers: Offers, cards: Mapping[str, Sequence[Card]]) -> str:
    """UT17: "on the river play 1 with a pair or better that uses a hole card, else fold"; before it, check."""
    if any(offer.word == "check" for offer in offers):
        return "check"
    return "play 1" if has_hidden_pair(list(cards[seat]), list(cards["board"])) else "fold"


ORDERS = {"play-pairs": play_pairs}


PLUGIN = GamePlugin(
    game=GAME,
    rank=20,
    play=plain_play(
        seats=6,
        follow_up=FollowUp("play", 1, "ante"),
        moves={
            "check": MoveHelp(Text("Pass without betting")),
            "play": MoveHelp(Text("Bet 1 to 4 times the ante"), "TIMES"),
            "fold": MoveHelp(Text("Give up the hand"), here=fold_here),
        },
        describe_hand=of_poker_seat,
        orders=ORDERS,
    ),
    hooks=PLAIN,
    texts=TEXTS,
    stages=STAGES,
    guest=Guest(bet=bet_little),
    presenter=PRESENTER,
    felt=FELT,
    simulation=SIMULATION,
    first_hand=FIRST_HAND,
)
