"""The process to be killed, and the world around it: three platforms on the loopback and the people on them."""

import asyncio
import json
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from bot.core.state.plays import PLAYS, Seating
from bot.texts.games import GAME_TEXTS
from tests.core.conftest import TABLES
from tests.kills.deeds import Deeds
from tests.kills.people import Browser, DiscordPlayer, Person, TelegramPlayer, buttons_on
from tests.patience import PATIENCE_S, until
from tests.servers.discord import Channel, DiscordServer, Interaction
from tests.servers.telegram import BotApiServer, SystemClock

ROOT = Path(__file__).parent.parent.parent
PLATFORMS = 3
GAMES_ON_TELEGRAM = 5
# Share of the runs that begin with their imports.
AS_A_WHOLE = 0.1


def needed_at(game: str) -> int:
    """Return the number of players a game needs: 2 where they win from each other."""
    return 2 if PLAYS[game].seating is Seating.STACKS else 1


class House:
    """One process. `ended` is its exit status, when it has one."""

    def __init__(self, number: int, out: Path, ended: Awaitable[int]) -> None:
        self.number, self.url, self._out = number, "", out
        self.opened, self.died = asyncio.Event(), asyncio.Event()
        self._ended = asyncio.ensure_future(ended)
        self._ended.add_done_callback(lambda _ended: self.died.set())
        self._tasks: set[asyncio.Task[Any]] = set()
        self.keep(self._read())

    def keep(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a task that belongs to the process's life and may break with it."""
        self._tasks.add(asyncio.ensure_future(work))

    async def _read(self) -> None:
        """Read the lounge's address as soon as it is printed."""
        while not (found := re.search(r"lounge is open: (http://[^/\s]+)/", self._out.read_text())):
            await asyncio.sleep(0.02)
        self.url = found[1]
        self.opened.set()

    @property
    def lives(self) -> bool:
        return not self.died.is_set()

    async def dies_within(self, seconds: float) -> bool:
        """Wait for a death, counted from the opening of the lounge.

        A process that dies by itself may hang instead: counting SQLite's writes takes Python's lock, which another
        thread may hold while it waits for SQLite's.
        """
        opened, died = asyncio.ensure_future(self.opened.wait()), asyncio.ensure_future(self.died.wait())
        await asyncio.wait({opened, died}, timeout=PATIENCE_S, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait({died}, timeout=seconds)
        opened.cancel()
        died.cancel()
        return not self.lives

    async def end(self, number: signal.Signals) -> int:
        with suppress(ProcessLookupError):  # it had ended already
            if self.lives:
                os.kill(self.number, number)
        status = await asyncio.wait_for(self._ended, PATIENCE_S)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        return status


class Nursery:
    """`tests.kills.nursery`: starts without imports, which are most of a start and write nothing."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def open(cls) -> "Nursery":
        command = [sys.executable, "-m", "tests.kills.nursery"]
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        return cls(await asyncio.create_subprocess_exec(*command, cwd=ROOT, env=environment, stdin=PIPE, stdout=PIPE))

    async def bear(self, environment: dict[str, str]) -> tuple[int, Awaitable[int]]:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(environment).encode() + b"\n")
        return await self._hear(), self._hear()

    async def _hear(self) -> int:
        assert self._process.stdout is not None
        return int(await self._process.stdout.readline())

    async def close(self) -> None:
        self._process.kill()
        await self._process.communicate()


class Town:
    """`async with Town(folder, seed)`: the servers run until the end, the casino from `start` to its death.

    `settings` are further ones for the casino.
    """

    browser: type[Browser] = Browser

    def __init__(self, folder: Path, seed: int, **settings: str) -> None:
        self.settings, self._houses = settings, 0
        self.folder, self.rng, self.deeds = folder / "books", Random(seed), Deeds()
        self.log = folder / "house.log"
        self.telegram = BotApiServer(clock=SystemClock(), limits=None)
        self.discord = DiscordServer()
        self.people: list[Person] = []
        self.house: House | None = None
        self.on_begin: Callable[[Interaction], None] | None = None
        self._begin, self.discord.begin = self.discord.begin, self._begin_twice  # type: ignore[method-assign]
        self._life: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> "Town":
        await self.telegram.start()
        await self.discord.start()
        self.nursery = await Nursery.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.fall_silent()
        if self.house is not None:
            await self.house.end(signal.SIGKILL)
        await self.nursery.close()
        for person in self.people:
            if isinstance(person, Browser):
                await person.session.close()
        await self.discord.stop()
        await self.telegram._close()

    async def start(self, dies: int = 0) -> House:
        """Start a new process on the same store, which is not open yet."""
        self.house = await self.bear(dies)
        return self.house

    async def bear(self, dies: int = 0, **settings: str) -> House:
        """Start a process like `start`, but do not send people there yet."""
        self._polls, self._visits = self.telegram.updates.polls, len(self.discord.gateway.visits)
        self._houses += 1
        out = self.folder.with_name(f"said-{self._houses}.txt")
        out.write_text("")
        environment = self.environment | {"DIES": str(dies)} | settings
        if self.rng.random() < AS_A_WHOLE:
            born = await self._begin_as_a_whole(environment, out)
        else:
            born = await self.nursery.bear(environment | {"OUT": str(out), "LOG": str(self.log)})
        return House(born[0], out, born[1])

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment of the next process."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith("RIDOTTO_")}
        ours = {
            "RIDOTTO_WEB": "127.0.0.1:0",
            "RIDOTTO_DATA": str(self.folder),
            "RIDOTTO_GUESTS": "0",
            "RIDOTTO_LOG": "warning",
            "RIDOTTO_TELEGRAM_TOKEN": self.telegram.token,
            "RIDOTTO_TELEGRAM_API": self.telegram.base_url,
            "PYTHONPATH": str(ROOT),
            "DEALT": f"{self.rng.getrandbits(64)}",
        }
        return clean | ours | self.discord.env | self.settings

    async def _begin_as_a_whole(self, environment: dict[str, str], out: Path) -> tuple[int, Awaitable[int]]:
        """Start a new process with all of its imports."""
        with open(out, "ab") as said, open(self.log, "ab") as log:
            command = [sys.executable, "-m", "tests.kills.dying"]
            process = await asyncio.create_subprocess_exec(*command, env=environment, stdout=said, stderr=log)
        return process.pid, process.wait()

    async def is_open(self) -> bool:
        """Wait until it is open everywhere; False if it died before."""
        house = self.house
        assert house is not None

        def shut() -> list[str]:
            identified = len(self.discord.gateway.visits) > self._visits and self.discord.is_connected
            polled = self.telegram.updates.polls > self._polls
            platforms = {"the lounge": house.opened.is_set(), "Discord": identified, "Telegram": polled}
            return [platform for platform, is_open in platforms.items() if not is_open]

        try:
            await self.discord.until(lambda: not (shut() and house.lives))
        except AssertionError:
            raise AssertionError(f"{shut()} is not open after {PATIENCE_S} s: {self.log.read_text()[-2000:]}") from None
        return house.lives

    async def fall_silent(self) -> None:
        """Stop all people."""
        for task in self._life:
            task.cancel()
        await asyncio.gather(*self._life, return_exceptions=True)
        self._life.clear()

    def check(self) -> None:
        """Check that no person's task has failed."""
        for life in self._life:
            if life.done():
                life.result()

    def _now(self) -> House | None:
        house = self.house
        return house if house is not None and house.lives and house.opened.is_set() else None

    async def settle(self) -> None:
        """Open tables of all games, each with one player or two where needed; on Telegram people play some of them."""
        house = await self.start()
        assert await self.is_open(), self.log.read_text()
        await self._settle_discord()
        await self._settle_telegram()
        for game, play in PLAYS.items():
            for number in range(1 + play.takes_turns):
                self.people.append(self.browser(f"{game} {number}", *self._share(), table=TABLES[game]))
        self._life = [asyncio.ensure_future(person.live()) for person in self.people]
        assert house.lives

    async def plays_everywhere(self) -> None:
        """Wait until somebody on each platform was told that something was done."""
        await until(lambda: len({deed.account[0] for deed in self.deeds.all if deed.is_acknowledged}) == PLATFORMS)

    async def _settle_discord(self) -> None:
        guild = self.discord.guild("Venezia")
        lobby = guild.text_channel("lobby")
        assert guild.owner is not None
        wanted, channels = {GAME_TEXTS[game].channel for game in PLAYS}, dict[str, Channel]()
        async with asyncio.timeout(PATIENCE_S):
            while not channels.keys() >= wanted:  # repeated, as people do, while the shard was moving to another node
                await guild.owner.slash(lobby, "setup")
                channels = {channel.name: channel for channel in guild.channels}
        asked = await guild.owner.slash(
            lobby, "house set", setting="give_after_hours", value="0", reason="so that everybody may have a stack"
        )
        await guild.owner.presses(asked, "Yes")
        for game in PLAYS:
            for number in range(needed_at(game)):
                channel, member = channels[GAME_TEXTS[game].channel], guild.member(f"{game} {number}")
                share = self._share()
                player = DiscordPlayer(member.name, *share, town=self, member=member, channel=channel, game=game)
                self.people.append(player)

    async def _settle_telegram(self) -> None:
        admin = self.telegram.user("Direttore")
        # A group's limits allow a topic and its table every 8 s: people play before the last ones are there.
        games = [*PLAYS][:GAMES_ON_TELEGRAM]
        players = [(game, self.telegram.user(f"{game} {n}")) for game in games for n in range(needed_at(game))]
        forum = self.telegram.forum("Salotto", [user for _game, user in players], [admin], bot="administrator")
        await admin.says(forum, "/setup")
        await self.telegram.until(lambda: len(forum.topics) >= len(games))
        await admin.says(forum, "/house set give_after_hours 0 so that everybody may have a stack")
        await self._say_yes(admin)
        topics = dict(zip(games, forum.topics.values(), strict=False))
        for game, user in players:
            self.people.append(
                TelegramPlayer(
                    user.first_name, *self._share(), server=self.telegram, user=user, topic=topics[game], game=game
                )
            )

    async def _say_yes(self, person: Any) -> None:
        """Answer yes; the question may wait behind *Read*."""
        async with asyncio.timeout(PATIENCE_S):
            while (question := self._find_button(person, "Yes")) is None:
                if (notice := self._find_button(person, "Read")) is not None:
                    await person.presses(notice, "Read")
                await asyncio.sleep(0.1)
        await person.presses(question, "Yes")

    def _find_button(self, person: Any, label: str) -> Any:
        """Return the newest message with such a button that this person sees, or None."""
        shown = (one.message for one in reversed(self.telegram.shown) if one.message is not None)
        seen = (message for message in shown if person.can_see(message) and not message.deleted)
        return next((message for message in seen if any(button.text == label for button in message.buttons)), None)

    def _share(self) -> tuple[Random, Deeds, Any]:
        return Random(self.rng.getrandbits(64)), self.deeds, self._now

    def _begin_twice(self, interaction: Interaction) -> None:
        """Let the gateway send some events twice, and report the number to the test."""
        if self.on_begin is not None:
            on_begin, self.on_begin = self.on_begin, None
            on_begin(interaction)
        self._begin(interaction)
        if self.rng.random() < 0.15:
            self._say_again(interaction)

    def _say_again(self, interaction: Interaction) -> None:
        payload = interaction.payload()
        self.discord.gateway.publish("INTERACTION_CREATE", payload, interaction.channel.guild, intent=0)

    def repeat(self) -> None:
        """Repeat some of the last updates, as platforms do after a restart."""
        late = self.deeds.all[-60:]
        for deed in self.rng.sample(late, min(12, len(late))):
            if isinstance(deed.source, Interaction):
                self._say_again(deed.source)
            elif deed.account[0] == "telegram" and deed.source is not None:
                self.telegram.updates.repeat(deed.source)

    async def press_old_buttons(self) -> tuple[int, list[str]]:
        """Press buttons from before the last death; return how many were answered, and the errors of the others."""
        house = self.house
        assert house is not None
        discord = [one for one in self.people if isinstance(one, DiscordPlayer)]
        telegram = [one for one in self.people if isinstance(one, TelegramPlayer)]
        tried = [self._press_old_discord(house, one) for one in self.rng.sample(discord, 2)]
        tried += [self._press_old_telegram(house, one) for one in self.rng.sample(telegram, 2)]
        said = [one for one in await asyncio.gather(*tried) if one is not None]
        return len(said), [one for one in said if one]

    async def _press_old_discord(self, house: House, person: DiscordPlayer) -> str | None:
        message = person.panel if self.rng.random() < 0.5 else person.table_message()
        done = await person.press_old(house, message) if message is not None else None
        if done is None:
            return None
        return f"{done}" if done.failure and house.lives else ""

    async def _press_old_telegram(self, house: House, person: TelegramPlayer) -> str | None:
        message = person.table_message()
        choices = buttons_on(message)
        if message is None or not choices:
            return None
        said = await person.press(message, self.rng.choice(choices))
        return "" if said is not None or not house.lives else f"{person.name} pressed {message} and heard nothing"
