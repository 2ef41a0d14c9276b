"""The table of Ultimate Texas Hold'em: six seats with four circles, the board and the bank's two cards beside it."""

from bot.view.pictures.felt import Felt, Slots, arc
from bot.view.pictures.palette import Theme

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
