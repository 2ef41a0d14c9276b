"""The table of Punto Banco: two hands side by side, below them the areas, at the foot the road (PB2, PB12)."""

from bot.view.pictures.felt import Areas, Felt
from bot.view.pictures.palette import Theme

FELT = Felt(
    layout=Areas(
        title="PUNTO BANCO",
        hands=("punto", "banco"),
        cards=3,
        rows=(("pair-punto", "egalite", "pair-banco"), ("punto", "banco")),
        road={"punto": "blue", "banco": "red", "egalite": "green"},
    ),
    theme=Theme(felt=(58, 66, 80), line=(150, 178, 192)),
)
