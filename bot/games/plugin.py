"""The plugin of a game: everything that Ridotto needs besides its rules. bot/games/building.py makes one from defaults.

Each part is declared by the package that reads it, and is registered there when the games are loaded.
"""

from dataclasses import dataclass

from bot.core.commands.company import Guest
from bot.core.commands.first_hand import FirstHand
from bot.core.commands.hooks import Hooks
from bot.core.commands.registry import CommandSpec
from bot.core.commands.stages import Stages
from bot.core.state.plays import Play
from bot.texts.games import GameTexts
from bot.view.pictures.felt import FeltDesign
from bot.view.presenter import Presenter
from engine.felt import Game
from engine.simulation import Simulation


@dataclass(frozen=True)
class GamePlugin:
    """All parts of a game, as its entry point names them.

    game        its rules
    rank        its place among the games wherever they are listed (ours are below 100); equal ones are sorted by name
    play        its tables
    hooks       what happens beside the rules in the course of a round
    texts       what is said of it
    stages      the pace of a hand in a chat, and the places of its buttons
    guest       how house players bet
    presenter   what its screens show
    felt        the layout of its pictures
    simulation  automatic play
    first_hand  the hand that teaches it
    commands    commands that only this game has, its moves aside
    """

    game: Game
    rank: int
    play: Play
    hooks: Hooks
    texts: GameTexts
    stages: Stages
    guest: Guest
    presenter: Presenter
    felt: FeltDesign
    simulation: Simulation
    first_hand: FirstHand
    commands: tuple[CommandSpec, ...] = ()
