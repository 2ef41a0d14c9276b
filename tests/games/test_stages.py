"""Stages of every registered game, and of an unknown one, on every platform.

House players' strategies play a hand of three where others have used all spare calls, and every call that the platform
accepts for it is counted.
"""

import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from itertools import count, groupby, pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.core.commands.command import Answer, Command, Who
from bot.core.commands.company import COMPANY
from bot.core.commands.shown_names import GUEST_NAMES
from bot.core.commands.stages import NO_PLACES, STAGES
from bot.core.rounds.betting import options_of
from bot.core.state.place import Place
from bot.core.state.table import Table
from bot.games import PLUGINS
from bot.platforms.common.budget import Budget
from bot.platforms.common.guests import HousePlayer, act, choose
from bot.platforms.discord.tables import TURN_GAP_S as DISCORD_GAP_S
from bot.platforms.telegram.tables import CALLS_A_HAND
from bot.platforms.telegram.tables import TURN_GAP_S as TELEGRAM_GAP_S
from bot.platforms.web.kept import style_sheet
from tests.bot.open_house import open_house as open_lounge
from tests.games.toys import installed
from tests.platforms.discord.test_discord import World, table_calls
from tests.platforms.telegram.house import FIRST_BETS, button, make_busy, people, play_on, set_up
from tests.platforms.telegram.house import House as TelegramHouse
from tests.platforms.telegram.house import open_house as open_telegram

NAMES = ("anna", "bruno", "carla")
# Number of shown states of a game without turns on Discord: while bets are open, and in each stage afterwards.
WHILE_BETS_ARE_OPEN, IN_A_STAGE = 4, 2
KNOWN, UNHEARD_OF = "uth", "toy"


@pytest.fixture
def toy() -> Iterator[str]:
    """A game unknown to all modules: a known one's rules and parts under another name."""
    known = PLUGINS[KNOWN]
    texts = replace(known.texts, title="Toy", channel=UNHEARD_OF)
    game = replace(known.game, name=UNHEARD_OF)
    simulation = replace(known.simulation, game=game)
    with installed(replace(known, game=game, simulation=simulation, rank=99, texts=texts)):
        yield UNHEARD_OF


class Play:
    """Three players at one table; `does` submits a command of theirs, `passes` lets time pass.

    `told` is the game's statement after each change: (what is shown now, how much is still to come).
    """

    def __init__(
        self, table: Callable[[], Table], does: Callable[..., Awaitable[Any]], passes: Callable[[float], Awaitable[Any]]
    ) -> None:
        self.table, self.does, self.passes = table, does, passes
        self.random, self.seconds = Random(1), 0.0
        self.hand, self.told = table().round.hand_id, list[tuple[str, int]]()

    async def wait(self, seconds: float) -> None:
        await self.passes(seconds)
        self.seconds += seconds
        self._note()

    def _note(self) -> None:
        table = self.table()
        stages = STAGES[table.game]
        if table.round.hand_id != self.hand:
            self.told.append(("paid", 0))
        elif table.round.hand is not None:
            self.told.append((f"stage {stages.stage(table).name}", stages.to_come(table)))
        elif table.round.bets:
            self.told.append(("bets", stages.to_come(table)))

    async def out(self, house: Any) -> None:
        """Play from the first bet to the payment."""
        for name in NAMES:
            table = self.table()
            await self.does(name, *COMPANY[table.game].bet(self.random, table, options_of(house, table)))
            await self.wait(3)
        while (table := self.table()).round.hand_id == self.hand:
            if table.round.hand is not None and (seat := next(iter(table.round.hand.asks), "")):
                move, name = choose(table.round.hand, seat), house.players.find(table.owners()[seat]).own_name
                await self.does(name, move.word, *([move.argument] if move.argument else []))
            await self.wait(2)
        await self.wait(4)

    def check(self) -> None:
        """Check that, from the last bet on, never more came than announced."""
        last_bet = max(at for at, (name, _to_come) in enumerate(self.told) if name == "bets")
        shown = [name for name, _to_come in self.told]
        for at, (name, to_come) in enumerate(self.told[last_bet:], start=last_bet):
            came = sum(one != other for one, other in pairwise(shown[at:]))
            assert came <= to_come, (name, to_come, shown[at:])
        assert shown[-1] == "paid"


def speaker(place: Place, submit: Callable[[Command], Awaitable[Answer]]) -> Callable[..., Awaitable[None]]:
    """Return a function that submits commands of people at a place, as its platform would."""
    number = count()

    async def does(name: str, verb: str, *args: str) -> None:
        who = Who(place.platform, str(1000 + NAMES.index(name)), name)
        answer = await submit(Command(f"test {next(number)}", who, place, verb, args))
        assert not answer.refused, (name, verb, args, answer.texts)

    return does


@pytest.mark.parametrize("game", PLUGINS)
async def test_a_hand_on_telegram_costs_what_its_stages_say(
    tmp_path: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_busy(monkeypatch)
    async with open_telegram(tmp_path) as house:
        spent, play = await play_on_telegram(house, game)
    if STAGES[game].is_long:
        assert spent <= 1 + play.seconds / TELEGRAM_GAP_S
    else:
        play.check()
        assert spent <= CALLS_A_HAND


async def play_on_telegram(house: TelegramHouse, game: str) -> tuple[int, Play]:
    """Play a hand in a group; return its number of calls, and the play."""
    boss = house.server.user("Boss")
    group = house.server.supergroup("Salotto", members=[], admins=[boss])
    await boss.says(group, f"/table open {game}")
    await house.wait(60)

    async def submit(command: Command) -> Answer:
        answer: Answer = house.writer.submit(command).result(0)
        await house.settled()
        return answer

    does = speaker(Place("telegram", house.app.context.notes.chats[group.id].address), submit)
    before, play = house.server.spent_in(group), Play(lambda: house.table_at(group), does, house.wait)
    await play.out(house.writer.state)
    return house.server.spent_in(group) - before, play


@pytest.mark.slow
@pytest.mark.parametrize("game", PLUGINS)
async def test_a_hand_on_discord_costs_what_its_stages_say(
    tmp_path: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Budget, "is_quiet", lambda budget, now: False)
    world = World(tmp_path / "data", pace=1.0, settle_timeout=0.95)
    await world.start()
    try:
        spent, play = await play_on_discord(world, game)
    finally:
        await world.stop()
    if PLUGINS[game].play.takes_turns:
        assert spent <= 1 + play.seconds / DISCORD_GAP_S
    else:
        play.check()
        assert spent <= WHILE_BETS_ARE_OPEN + IN_A_STAGE * play.told[0][1]


async def play_on_discord(world: World, game: str) -> tuple[int, Play]:
    """Play a hand in a channel; return its number of calls, and the play."""
    channel = world.guild.create_text_channel(game)
    await world.boss.says(channel, "table open", game=game)
    await world.wait(10)

    async def submit(command: Command) -> Answer:
        with world.env._bot_scope():
            answer: Answer = world.writer.submit(command).result(0)
        await world.env.settle()
        return answer

    async def passes(seconds: float) -> None:
        for _second in range(round(seconds)):
            await world.wait(1.0)

    does = speaker(Place("discord", str(channel.id)), submit)
    before, play = len(table_calls(world)), Play(lambda: world.table(channel), does, passes)
    await play.out(world.house)
    return len(table_calls(world)) - before, play


@pytest.mark.parametrize("game", PLUGINS)
def test_a_place_is_laid_once(game: str) -> None:
    stages = PLUGINS[game].stages
    for places in (stages.moves, stages.others):
        names = [name for row in places.rows for name, _cells in groupby(row.split()) if name != "."]
        assert len(names) == len(set(names))
        assert len({len(row.split()) for row in places.rows}) <= 1, "a grid has rows of one length"
    assert stages.others != NO_PLACES
    assert f'[data-game="{game}"]' in style_sheet()


async def test_an_unknown_game_is_played_on_telegram(tmp_path: Path, toy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make_busy(monkeypatch)
    async with open_telegram(tmp_path) as house:
        spent, play = await play_on_telegram(house, toy)
        play.check()
        assert spent <= CALLS_A_HAND
        anna, bea = people(house, "Anna", "Bea")
        group = house.server.supergroup("Salotto", members=[bea], admins=[anna])
        await set_up(house, group, anna, toy)
        post = house.post_at(group)
        for user in (anna, bea):
            assert await user.presses(post, button(post, FIRST_BETS[KNOWN]))
        await house.wait(21)
        await play_on(house, group, [anna, bea])
        await anna.starts()
        await house.wait(2)
        await anna.says(anna.private, f"/setup {toy}")
        await house.wait(5)
        assert house.table_at(anna.private).game == toy


@pytest.mark.slow
async def test_an_unknown_game_is_played_on_discord(tmp_path: Path, toy: str) -> None:
    world = World(tmp_path / "data")
    await world.start()
    try:
        await world.boss.says(world.guild.create_text_channel("hall"), "setup")
        channel = world.guild.channels[toy]
        assert world.table(channel).game == toy
        members = [world.member(name) for name in NAMES]
        for member in members:
            await member.presses(channel.last_message, "|bet|ante ")
        await world.hand(channel)
        post = channel.last_message
        while world.table(channel).round.hand is not None:
            for member in members:
                await member.presses(post, "|cards|")
                if any("|check|" in code for code in member.codes):
                    await member.chooses("check")
            await world.wait(5)
        assert re.search(r" (wins|loses|breaks) ", world.shown(channel))
    finally:
        await world.stop()


async def test_an_unknown_game_is_played_in_the_lounge_with_a_guest(tmp_path: Path, toy: str) -> None:
    async with open_lounge(tmp_path) as house:
        anna, guest = await house.enter("Anna"), HousePlayer(Who("guest", "0", GUEST_NAMES[0]), Random(1))
        id = next(table.id for table in house.lounge.tables() if table.game == toy)
        number = house.table(id).round.hand_id
        await anna.press("bet", "50", table=id)
        for now in range(0, 200, 10):
            await act(house.lounge, guest, float(now))
            await house.wait(2)
            if house.table(id).round.hand is not None and anna.id in house.table(id).owners().values():
                await anna.press("check", table=id)
                await anna.press("fold", table=id)
            assert f'data-game="{toy}"' in await anna.page(f"/table/{id}")
        assert house.table(id).last_hand is not None
        for path in ("/", f"/hand/{number}", "/verify", "/history", "/statistics"):
            await anna.page(path)
        assert toy in style_sheet()
