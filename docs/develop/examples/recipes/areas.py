from bot.core.state.plays import Play, Seating
from bot.texts import Text
from bot.view.pictures.felt import Areas, FeltDesign
from bot.view.pictures.palette import Theme
from bot.view.presenter import Bets

AREAS = ("red", "black")


PLAY = Play(seats=60, seating=Seating.AREAS, private_cards=False)
BETS = Bets(Text("Area and amount, {least} to {most} in steps of {step}, for example red {such}."))
FELT = FeltDesign(
    Areas("RED AND BLACK", ("Cards",), 3, (AREAS,), road={}), Theme(felt=(58, 66, 80), line=(150, 178, 192))
)
