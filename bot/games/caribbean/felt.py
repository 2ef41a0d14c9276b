"""The table of Caribbean Stud: seven seats with ante and bet, five cards before the dealer, the light of the coin."""

from bot.view.pictures.felt import Arc, Felt, in_the_middle
from bot.view.pictures.palette import Theme

FELT = Felt(
    layout=Arc(
        title=("CARIBBEAN", "STUD POKER"),
        seats=7,
        bank=(in_the_middle("Dealer", 5),),
        card=(48, 66),
        spots=(("bet", "ante"),),
        round_spots=frozenset(),
        small_spots=(),
        light="jackpot",
        boxes=False,
        top=226,
        bend=40,
        spots_at=74,
        plate_at=160,
    ),
    theme=Theme(felt=(10, 96, 88), line=(108, 178, 166)),
)
