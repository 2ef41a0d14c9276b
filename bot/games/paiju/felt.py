"""The table of Paiju: four hands at the points of the compass, the bank's in the east (PJ2)."""

from bot.view.pictures.felt import Compass, Felt
from bot.view.pictures.palette import Theme

FELT = Felt(layout=Compass("PAIJU", "east"), theme=Theme(felt=(122, 28, 44), line=(214, 134, 130)))
