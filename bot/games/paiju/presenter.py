"""Paiju's screens: four hands that belong to no one at the table, and six areas to bet on (PJ2, PJ3)."""

from dataclasses import replace

from bot.core.commands.stages import BETS, Places, Stage, Stages, beside_bets
from bot.core.state.table import Table
from bot.games.paiju.hand_description import of_paiju
from bot.texts import Text
from bot.view.parts import bets_on, hands_of, none, nothing, plain_presenter
from bot.view.pictures.felt import Compass, Felt
from bot.view.pictures.palette import Theme
from bot.view.player_view import PlayerView
from bot.view.words import PLAIN_WORDS
from engine.games.paiju import PaijuOptions

FELT = Felt(layout=Compass("PAIJU", "east"), theme=Theme(felt=(122, 28, 44), line=(214, 134, 130)))


_TURNS = "squeeze-south squeeze-west squeeze-north squeeze-east"


def _stage(table: Table) -> Stage:
    """Return the one stage of a hand: cards may be revealed in any order."""
    return Stage("0", for_all=True)


def _to_come(table: Table) -> int:
    return 1 if table.round.hand is not None or not table.wants_to_turn else 2


STAGES = Stages(
    stage=_stage,
    to_come=_to_come,
    is_long=False,
    mentions=1,
    moves=Places((_TURNS,)),
    others=BETS,
    aside=beside_bets("squeeze"),
)


# As they are turned (PJ6).
_ORDER = ("south", "west", "north", "east")


def result(view: PlayerView) -> Text:
    """Describe the bank's hand, which is east's (PJ6)."""
    return Text("Bank: {worth}.", worth=of_paiju(view.cards["east"]) or "")


def prints(options: PaijuOptions) -> tuple[Text, ...]:
    """Lines printed on the felt: ties, and the payout of bets across two positions (PJ10, PJ11)."""
    return (Text("The bank wins ties"), Text("Across two: pays when both win"))


PRESENTER = replace(
    plain_presenter(
        bank=hands_of(_ORDER, of_paiju),
        piles=nothing,
        describe_hand=none,
        result=result,
        words=PLAIN_WORDS,
        bets=bets_on(
            asks=Text("Area and amount, {least} to {most} in steps of {step}, for example west {such}."),
        ),
    ),
    prints=prints,
)
