"""A face: all that the house asks of a game beside its rules. Frozen, and without holes: mypy names what is missing.

Each part is declared in the room that reads it, and is handed to it when the games are loaded; no room looks into
another's part.
"""

from dataclasses import dataclass

from bot.core.commands.company import Guest
from bot.core.commands.first_hand import FirstHand
from bot.core.commands.hooks import Hooks
from bot.core.commands.registry import CommandSpec
from bot.core.commands.stages import Stages
from bot.core.state.plays import Play
from bot.texts.games import GameTexts
from bot.view.pictures.felt import Felt
from bot.view.presenter import Presenter
from engine.felt import Game
from engine.simulation import Simulation


@dataclass(frozen=True)
class GamePlugin:
    """`rank` is the place among the games wherever they are listed; equal ones stand by name. `commands` are those that
    only this game has, its moves aside.
    """

    game: Game
    rank: int
    play: Play
    hooks: Hooks
    texts: GameTexts
    stages: Stages
    guest: Guest
    presenter: Presenter
    felt: Felt
    simulation: Simulation
    first_hand: FirstHand
    commands: tuple[CommandSpec, ...] = ()
