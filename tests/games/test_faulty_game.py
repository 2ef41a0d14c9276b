"""Games that raise, or return a wrong type: only their own tables stop, and no chip is lost."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, cast

import pytest

from bot.core.casinos.places import internal_command_of
from bot.core.commands.hooks import CasinoHooks, Hooks
from bot.core.state.place import Place
from bot.core.state.plays import MoveHelp, Seating
from bot.core.state.table import Table
from bot.games import PLUGINS
from bot.games.check import what_is_wrong
from bot.games.plugin import GamePlugin
from bot.texts import Text
from bot.view.build import screen
from bot.view.pictures.felt import Arc
from engine.felt import Felt, Script
from tests.core.conftest import House
from tests.games.toys import installed

KNOWN, FAULTY = "uth", "faulty"


def fail(*args: object) -> object:
    raise RuntimeError("a fault of the game")


def hooks_that_fail() -> Iterator[tuple[str, Hooks]]:
    """Yield single failing hooks."""
    good = PLUGINS[KNOWN].hooks
    for one in fields(Hooks):
        if one.name != "casino":
            yield one.name, changed(good, **{one.name: fail})
    for one in fields(CasinoHooks):
        yield f"casino {one.name}", replace(good, casino=changed(good.casino, **{one.name: fail}))


def changed(value: Any, **parts: Any) -> Any:
    """Replace parts without type checks, because wrong ones are under test."""
    return replace(value, **parts)


def plugin_with(**parts: Any) -> GamePlugin:
    known = PLUGINS[KNOWN]
    game = replace(known.game, name=FAULTY)
    texts = replace(known.texts, title="Faulty", channel=FAULTY)
    whole = replace(known, game=game, simulation=replace(known.simulation, game=game), texts=texts, rank=99)
    plugin: GamePlugin = changed(whole, **parts)
    return plugin


def plugin_with_script(script: Callable[[Felt], Script]) -> GamePlugin:
    plugin = plugin_with()
    game = replace(plugin.game, script=script)
    return replace(plugin, game=game, simulation=replace(plugin.simulation, game=game))


def table_of(house: House, game: str) -> Table:
    """Return the game's table in the lounge."""
    return next(table for table in house.writer.state.tables.values() if table.game == game)


def everything(house: House) -> int:
    """Return the sum of all accounts, which must not change."""
    return sum(house.balances().values())


@contextmanager
def house_with_bet(folder: Path, script: Callable[[Felt], Script]) -> Iterator[tuple[House, int, int]]:
    """Yield a casino where the game has this script, its table with a bet, and the player's chips before the bet."""
    with installed(plugin_with_script(script)):
        house = House(folder)
        house.is_spoilt = True
        table = table_of(house, FAULTY).id
        house.do("anna balance")
        before = house.chips("anna")
        house.do("anna bet 50", table=table)
        yield house, table, before
        house.close()


def play_here(house: House, table: int) -> None:
    """Play a hand as far as it goes: a bet, its clock, a fold, and all time-outs."""
    for line in ("anna bet 50", "bea bet 10", "anna rules", "anna sit", "anna leave"):
        house.do(line, table=table, sure=True)
    house.wait(25)
    for line in ("anna check", "anna raise", "anna fold", "bea play 4", "anna takeback", "anna cards"):
        house.do(line, table=table, sure=True)
    house.wait(400)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "hooks"), list(hooks_that_fail()), ids=lambda one: one if isinstance(one, str) else ""
)
def test_a_hook_that_raises_stops_nothing_but_its_own_tables(tmp_path, name, hooks):
    with installed(plugin_with(hooks=hooks)):
        house = House(tmp_path)
        house.is_spoilt = True
        faulty = table_of(house, FAULTY).id
        for _hand in range(2):
            play_here(house, faulty)
        house.batch([internal_command_of(f"arrive {name}", Place("discord", "home"), "arrive", "Town", "en")])
        assert house.deal("anna bet 50", "bea bet 10") is not None, "others play on"
        assert not house.do("anna fold").refused
        assert not house.do("bea fold").refused
        house.do("insp table close why", table=faulty, sure=True)
        assert everything(house) == 0
        house.close()
    with installed(plugin_with()):
        house = House(tmp_path)
        assert house.faults() == [], "who mends the game finds its books in order"
        house.close()


@pytest.mark.parametrize("part", ["bank", "result", "describe_hand", "piles", "limits", "notes"])
def test_a_look_that_raises_leaves_a_sentence_and_no_other_screen(tmp_path, part, caplog):
    plugin = plugin_with(presenter=changed(PLUGINS[KNOWN].presenter, **{part: fail}))
    with installed(plugin):
        house = House(tmp_path)
        faulty = table_of(house, FAULTY).id
        house.deal("anna bet 50", table=faulty)
        shown = screen(house.writer.state, house.table(faulty), house.player("anna"), house.clock.now)
        assert shown.headline
        assert "a fault of the game" not in caplog.text
        assert screen(house.writer.state, house.table(), None, house.clock.now).bets
        house.is_spoilt = True
        house.close()


def test_what_lies_about_itself_is_found_before_it_is_taken():
    assert what_is_wrong(plugin_with()) is None
    known = PLUGINS[KNOWN]
    lies = {
        "it names int": 5,
        "rank is str": plugin_with(rank="first"),
        "hooks.sit is no function": plugin_with(hooks=changed(known.hooks, sit=5)),
        "hooks.bet is no function of 1": plugin_with(hooks=changed(known.hooks, bet=lambda: None)),
        "play.seats is str": plugin_with(play=changed(known.play, seats="six")),
        "has room for 7": plugin_with(felt=known.felt._replace(layout=cast(Arc, known.felt.layout)._replace(seats=9))),
        "its name uth is taken by a game": replace(plugin_with(), game=replace(known.game)),
        "its move balance is another command's name": plugin_with(
            play=replace(known.play, moves={**known.play.moves, "balance": known.play.moves["fold"]})
        ),
        "its move fold has no sentence at a table with its usual options": plugin_with(
            play=replace(known.play, moves={**known.play.moves, "fold": MoveHelp(Text("Fold"), here=cast(Any, str))})
        ),
        "its rules have the moves check": plugin_with(play=replace(known.play, moves={})),
        "its simulation is another game's": plugin_with(simulation=known.simulation),
        "its rules, its seating and its cash tables do not agree on stacks": plugin_with(
            play=replace(known.play, seating=Seating.STACKS)
        ),
        "The texts of faulty cannot be taken": plugin_with(texts=replace(plugin_with().texts, options={})),
        "it raises RuntimeError": plugin_with(game=changed(plugin_with().game, options=fail)),
    }
    for told, lie in lies.items():
        assert told in (what_is_wrong(lie) or ""), (told, what_is_wrong(lie))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "its name '' must be one word in lower case, such as duel."),
        ("Bad Name", "its name 'Bad Name' must be one word in lower case, such as duel."),
        ("table", "its name table is taken by a command: choose another one."),
        ("balance", "its name balance is taken by a command: choose another one."),
        (KNOWN, f"its name {KNOWN} is taken by a game: choose another one."),
    ],
)
def test_a_name_that_no_game_can_have_is_refused(name: str, said: str) -> None:
    plugin = plugin_with()
    game = replace(plugin.game, name=name)
    assert what_is_wrong(changed(plugin, game=game, simulation=replace(plugin.simulation, game=game))) == said
