"""The table of 7 Card Stud: eight seats round the pot (SH15)."""

from bot.view.pictures.felt import Felt, Ring
from bot.view.pictures.palette import Theme

FELT = Felt(layout=Ring("7 CARD STUD HI/LO"), theme=Theme(felt=(66, 50, 112), line=(156, 142, 206)))
