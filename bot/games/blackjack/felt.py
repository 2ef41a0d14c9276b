"""The table of Black Jack: seven boxes with a circle each, room for splits, for small bets and for who bets behind."""

from bot.view.pictures.felt import Arc, Felt, in_the_middle
from bot.view.pictures.palette import Theme

FELT = Felt(
    layout=Arc(
        title=("BLACK", "JACK"),
        seats=7,
        bank=(in_the_middle("Dealer", 2),),
        card=(52, 72),
        spots=(("main", ""),),
        round_spots=frozenset({"main"}),
        small_spots=("admiral", "insurance"),
        light="",
        boxes=True,
        top=208,
        bend=12,
        spots_at=128,
        plate_at=236,
    ),
    theme=Theme(felt=(22, 102, 48), line=(118, 184, 128)),
)
