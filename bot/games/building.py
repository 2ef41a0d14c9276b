"""Plugins from what differs: `bank_game` for a game against the bank, `player_game` for one between players.

    PLUGIN = bank_game(SIMULATION, Play(...), GameTexts(...), FirstHand(...))

What is left out follows from the rules and the first hand. Every part can be given instead.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from bot.core.commands.company import Guest, bet_little, bet_on, sit_down
from bot.core.commands.first_hand import KEY, FirstHand
from bot.core.commands.hooks import Hooks
from bot.core.commands.registry import CommandSpec
from bot.core.commands.stages import Places, Stages, stages_of_moves
from bot.core.rounds.cash_table import CASH_HOOKS, CashMemory
from bot.core.rounds.past_results import PastResults, past_results, remember
from bot.core.rounds.plain import PLAIN
from bot.core.rounds.script_budget import WATCHDOG
from bot.core.state.plays import GameMemory, MoveHelp, Play, Seating
from bot.games.plugin import GamePlugin
from bot.texts import Text
from bot.texts.games import GameTexts, complete_texts
from bot.view.cash import complete_presenter
from bot.view.parts import NAMES_OF_PILES, nothing
from bot.view.pictures.felt import FeltDesign, Layout, Ring
from bot.view.pictures.plain_felt import plain_arc, plain_areas, theme_of
from bot.view.presenter import Bets, Presenter, SideBet
from bot.view.words import with_common
from engine.felt import TIMEOUT, Game, Move
from engine.felt import Felt as Table
from engine.simulation import Simulation

_COMMON_MOVES = {
    "fold": MoveHelp(Text("Give up the hand")),
    "check": MoveHelp(Text("Pass without betting")),
    "call": MoveHelp(Text("Call the bet")),
}


def bank_game(
    simulation: Simulation,
    play: Play,
    texts: GameTexts,
    first_hand: FirstHand,
    *,
    rank: int = 100,
    presenter: Presenter | None = None,
    felt: FeltDesign | None = None,
    stages: Stages | None = None,
    guest: Guest | None = None,
    hooks: Hooks = PLAIN,
    commands: tuple[CommandSpec, ...] = (),
    short: Mapping[str, str] = MappingProxyType({}),
    results: str = "",
) -> GamePlugin:
    """Return the plugin of a game against the bank.

    presenter  the hands as they are dealt, chips for the first spot, side bets on the others; with areas for all spots
    felt       an arc of seats, or areas, with places for the cards that the first hand deals; the colour follows from
               the game's name. `short` has labels of spots whose words are too long for it; ValueError asks for one
    stages     those of a game with one choice, its moves in the order of `play.moves`
    guest      a small bet on the first spot, or on any area
    results    the fact of a hand that its tables remember and show as past results; "" for none
    """
    game, has_areas = simulation.game, play.seating is Seating.AREAS
    play = _complete_moves(game, play)
    shown = presenter or Presenter()
    if results:
        play, shown = replace(play, memory=PastResults), replace(shown, road=past_results)
        hooks = replace(hooks, after_hand=remember(results))
    if not has_areas:
        shown = replace(shown, bets=_complete_bets(shown.bets, game, hooks))
    return _plugin(
        simulation,
        play,
        texts,
        presenter=shown,
        first_hand=first_hand,
        rank=rank,
        felt=felt or FeltDesign(_layout(game, play, texts, first_hand, short), theme_of(game.name)),
        stages=stages or Stages(moves=Places((" ".join(play.moves),) if play.moves else ())),
        guest=guest or Guest(bet_on(*game.spots) if has_areas else bet_little),
        hooks=hooks,
        commands=commands,
    )


def player_game(
    simulation: Simulation,
    play: Play,
    texts: GameTexts,
    first_hand: FirstHand,
    *,
    presenter: Presenter | None = None,
    rank: int = 100,
    felt: FeltDesign | None = None,
    stages: Stages | None = None,
    guest: Guest | None = None,
    hooks: Hooks = CASH_HOOKS,
    commands: tuple[CommandSpec, ...] = (),
) -> GamePlugin:
    """Return the plugin of a game between players, who take turns and play from stacks.

    play       needs its `cash`
    presenter  the pot, its shares and the stacks; as the limits the first line of the pay table
    felt       a ring of seats; the colour follows from the game's name
    stages     one a move, the moves in the order of `play.moves`
    guest      sits down
    """
    memory = CashMemory if play.memory is GameMemory else play.memory
    play = _complete_moves(simulation.game, replace(play, seating=Seating.STACKS, takes_turns=True, memory=memory))
    shown = complete_presenter(presenter or Presenter())
    if shown.limits is Presenter.limits:
        shown = replace(shown, limits=lambda context: texts.paytable(context.options)[0])
    if shown.least is Presenter.least and play.cash is not None:
        shown = replace(shown, least=play.cash.bet)
    return _plugin(
        simulation,
        play,
        texts,
        presenter=shown,
        first_hand=first_hand,
        rank=rank,
        felt=felt or FeltDesign(Ring(texts.title.upper(), play.seats), theme_of(simulation.game.name)),
        stages=stages or stages_of_moves(" ".join(play.moves)),
        guest=guest or Guest(sit_down),
        hooks=hooks,
        commands=commands,
    )


def _complete_moves(game: Game, play: Play) -> Play:
    """Return the play with the help of moves that games have in common, where it leaves them out, as the first."""
    common = {word: told for word, told in _COMMON_MOVES.items() if word in game.words and word not in play.moves}
    return replace(play, moves={**common, **play.moves})


def _plugin(simulation: Simulation, play: Play, texts: GameTexts, *, presenter: Presenter, **parts: Any) -> GamePlugin:
    """Return the plugin, with the words of its moves among those of its screens and of its texts."""
    game, words = simulation.game, presenter.words
    labels = {word: move.label for word, move in play.moves.items() if move.label is not None}
    states = {word: move.did for word, move in play.moves.items() if move.did}
    words = replace(words, labels={**labels, **words.labels}, states={**states, **words.states})
    known = with_common(words).states
    return GamePlugin(
        game=game,
        simulation=simulation,
        play=play,
        texts=complete_texts(game, texts, tuple(known[word] for word in game.words if word in known)),
        presenter=replace(presenter, words=words),
        **parts,
    )


def _complete_bets(bets: Bets, game: Game, hooks: Hooks) -> Bets:
    """Return chips for the first spot, and one bet on each of the others: its price, or the minimum."""

    def sides(options: Any, lying: Mapping[str, int]) -> tuple[SideBet, ...]:
        prices = hooks.prices(options)
        spots = [spot for spot in game.spots if spot not in (*mains, *lying)]
        return tuple(SideBet(spot, prices.get(spot, options.minimum), spot in prices) for spot in spots)

    mains = bets.mains or game.spots[:1]
    return replace(bets, mains=mains, sides=sides if bets.sides is nothing else bets.sides)


def _layout(game: Game, play: Play, texts: GameTexts, first_hand: FirstHand, short: Mapping[str, str]) -> Layout:
    dealt = WATCHDOG.run(game.name, _count_cards, game, first_hand)
    bank = {NAMES_OF_PILES.get(to, to): n for to, n in dealt.items() if not to[:1].isdigit() and to != "burn"}
    if play.seating is Seating.AREAS:
        return plain_areas(texts.title, game.spots, bank)
    labels = {spot: short.get(spot, texts.labels.get(spot, spot)) for spot in game.all_spots or game.spots}
    return plain_arc(texts.title, play.seats, labels, dealt.get(KEY, 0), bank, short)


def _count_cards(game: Game, first_hand: FirstHand) -> dict[str, int]:
    """Return {owner: cards} of the first hand, in which every question is left to the clock."""
    table = Table(first_hand.deal(game, next(iter(first_hand.starts().values()))), game)
    script = game.script(table)
    try:
        asks = next(script)
        while True:
            asks = script.send(Move(next(iter(asks)), TIMEOUT))
    except StopIteration:
        return {to: len(cards) for to, cards in table.cards.items()}
