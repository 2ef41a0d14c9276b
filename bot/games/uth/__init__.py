"""Ultimate Texas Hold'em, the variant of Venice."""

from bot.core.commands.company import Guest, bet_little
from bot.core.commands.worth import of_poker_seat
from bot.core.rounds.plain import PLAIN
from bot.core.state.plays import FollowUp, MoveHelp, plain_play
from bot.games.plugin import Face
from bot.games.uth.felt import FELT
from bot.games.uth.first_hand import FIRST_HAND
from bot.games.uth.look import LOOK
from bot.games.uth.orders import ORDERS
from bot.games.uth.stages import STAGES
from bot.games.uth.words import TEXTS, fold_here
from bot.texts import Text
from engine.games.uth import GAME
from engine.games.uth_strategies import SIMULATION

FACE = Face(
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
        worth=of_poker_seat,
        orders=ORDERS,
    ),
    hooks=PLAIN,
    texts=TEXTS,
    stages=STAGES,
    guest=Guest(bet=bet_little),
    look=LOOK,
    felt=FELT,
    simulation=SIMULATION,
    first_hand=FIRST_HAND,
)
