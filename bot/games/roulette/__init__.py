"""French roulette: one pocket of 37, and bets on a layout (RO2), with the last numbers on its screens (RO13)."""

from bot.core.commands.stages import Stages
from bot.core.state.plays import Play, Seating
from bot.games.building import bank_game
from bot.games.roulette.layout import BOARD
from bot.games.roulette.words import FIRST_HAND, TEXTS, describe_number
from bot.texts import Text
from bot.view.pictures.felt import FeltDesign
from bot.view.pictures.palette import Theme
from bot.view.player_view import PlayerView
from bot.view.presenter import Bets, Presenter
from bot.view.words import Call, Words
from engine.cards import number_of
from engine.games.roulette import ANNOUNCED, EVEN_CHANCES
from engine.games.roulette_strategies import SIMULATION


def result(view: PlayerView) -> Text:
    """Return the number with the even chances that it wins."""
    number = number_of(view.cards["ball"][0])
    return Text("{n}: {worth}.", n=number, worth=describe_number(number))


PLUGIN = bank_game(
    SIMULATION,
    Play(
        seats=60,
        seating=Seating.AREAS,
        private_cards=False,
        announced=ANNOUNCED,
        describe_hand=lambda cards, to: describe_number(number_of(cards[to][0])) if to == "ball" else None,
    ),
    TEXTS,
    FIRST_HAND,
    rank=70,
    presenter=Presenter(
        result=result,
        words=Words(
            opening="Faites vos jeux",
            calls={"no more bets": Call(Text("No more bets please"), "Rien ne va plus")},
            reasons={"la partage": Text("{spot} loses half (la partage)")},
        ),
        bets=Bets(
            Text("Bet and amount, {limits}, for example 17 {such}, red {such}."),
            mains=tuple(EVEN_CHANCES),
            announced=("voisins", "tiers", "orphelins"),
        ),
    ),
    felt=FeltDesign(BOARD, Theme(felt=(14, 84, 52), line=(176, 206, 150))),
    stages=Stages(mentions=0),
    results="number",
)
