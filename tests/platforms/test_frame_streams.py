"""Data sent to a page in a platform's app: no card before its time, and nothing private of others.

Two players and a spectator have the same table open in their apps. They play whole hands by the offers on their own
screens, through the page's requests, and everything that is sent to them is checked against the rules.
"""

import asyncio
import itertools
import json
import logging
import random
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.cli.game_checks.screens import find_known_cards
from bot.core.commands.company import COMPANY
from bot.core.rounds.betting import options_of
from bot.core.state.table import Table
from bot.core.writer import Writer
from bot.platforms.common.context import PlatformContext
from bot.platforms.discord.frames import Activity
from bot.platforms.telegram.frames import MiniApp
from bot.platforms.web.live import PROTOCOL
from bot.texts import say, say_card
from bot.view.build import screen
from bot.view.narration import say_card_in_words
from engine.cards import FRENCH
from tests.frame_hosts import SITE
from tests.platforms.discord.house import opened
from tests.platforms.telegram.house import open_house, people
from tests.platforms.test_frames_browser import serve
from tests.servers.telegram.mini_app import init_data
from tests.some import some

NAMES = ("Bea", "Cara", "Dino")
PLAYERS, LOOKER = NAMES[:2], NAMES[2]
# A stream that is silent for this long has sent everything.
QUIET_S = 0.2


# Spellings of a card in pictures, keys, presses, records and text.
CODE = re.compile(r"""(?<=[/"'=| ])(?:[2-9TJQKA][cdhs]|JK)(?=\.svg|["'&|\\]| [2-9TJQKA?][cdhs?])""")
WRITTEN = {say_card(card): card for card in FRENCH}
SPOKEN = {say(say_card_in_words(card), "en"): card for card in FRENCH}
NAMED = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in (*WRITTEN, *SPOKEN)))


def cards_in(text: str) -> set[str]:
    return {*CODE.findall(text)} | {(WRITTEN | SPOKEN)[name] for name in NAMED.findall(text)}


@dataclass
class Seen:
    """One page: everything sent since the last check, and ever."""

    name: str
    client: aiohttp.ClientSession
    headers: dict[str, str]
    token: str
    go: str
    proofs: set[str]
    player: int = 0
    fresh: list[str] = field(default_factory=list)
    ever: list[str] = field(default_factory=list)
    socket: Any = None
    numbers: "itertools.count[int]" = field(default_factory=itertools.count)

    def take(self, text: str) -> str:
        self.fresh.append(text)
        self.ever.append(text)
        return text

    async def get(self, path: str, *, may_lack: bool = False) -> bool:
        """Fetch a page and check what it shows; it may be missing with `may_lack`."""
        async with self.client.get(path, headers=self.headers, allow_redirects=False) as answer:
            self.take(f"{dict(answer.headers)}\n{await answer.text()}")
        assert answer.status == 200 or (may_lack and answer.status == 404), (path, answer.status)
        return answer.status == 200

    async def press(self, verb: str, *args: str, fresh: str = "") -> dict[str, Any]:
        press = {"key": f"press-{next(self.numbers):06}", "verb": verb, "args": list(args), "fresh": fresh}
        async with self.client.post(f"{self.go}/press", json=press, headers=self.headers) as answer:
            found: dict[str, Any] = json.loads(self.take(await answer.text()))
        return found

    async def watch(self) -> None:
        headers = {name: value for name, value in self.headers.items() if name != "Authorization"}
        self.socket = await self.client.ws_connect(f"{self.go}/live", protocols=(PROTOCOL, self.token), headers=headers)

    async def listen(self) -> None:
        """Read messages until no more come."""
        while True:
            try:
                said = await asyncio.wait_for(self.socket.receive(), QUIET_S)
            except TimeoutError:
                return
            assert said.type is aiohttp.WSMsgType.TEXT, said
            if said.data != "{}":
                self.take(said.data)

    def empty(self) -> str:
        text, self.fresh = "\n".join(self.fresh), []
        return text


@dataclass
class Salon:
    """One table of a community, with its pages. `table` returns it, `passes` lets time pass.

    For each page: what the rules have let it know by now, what it was sent, and what of that was hidden from the
    spectator.
    """

    writer: Writer
    table: Callable[[], Table]
    passes: Callable[[float], Awaitable[None]]
    pages: dict[str, Seen]
    secrets: set[str]
    known: dict[str, set[str]] = field(default_factory=dict)
    found: dict[str, set[str]] = field(default_factory=dict)
    own: dict[str, set[str]] = field(default_factory=dict)

    async def look(self) -> None:
        """Let everyone's page read its messages and reload; check that no one was sent what they may not see."""
        for page in self.pages.values():
            await page.listen()
            await page.get(page.go)
        self.hold()

    def hold(self, *, is_over: bool = False) -> None:
        table = self.table()
        # Shown when the hand is over, and not before.
        seeds = {table.round.seed.hex()} if table.round.hand_id != table.last_hand else set()
        for name, page in self.pages.items():
            self.known.setdefault(name, set()).update(find_known_cards(table, page.player))
        for name, page in self.pages.items():
            known, text = self.known[name], page.empty()
            found = cards_in(text)
            self.own.setdefault(name, set()).update(found & known - self.known[LOOKER])
            assert is_over or found <= known, (name, found - known)
            self.found.setdefault(name, set()).update(found)
            for secret in self.secrets | seeds:
                assert secret not in text, (name, secret)

    async def bets(self, chance: random.Random) -> None:
        for name in PLAYERS:
            verb, *args = COMPANY[self.table().game].bet(
                chance, self.table(), options_of(self.writer.state, self.table())
            )
            said = await self.pages[name].press(verb, *args)
            assert not said["refused"], said
        await self.look()

    async def plays(self, chance: random.Random) -> None:
        """Let each player in turn choose on their page, until the hand is paid."""
        await self.passes(some(self.table().round.deadline) - self.writer.clock())
        for _ in range(200):
            await self.look()
            if self.table().round.hand is None:
                return
            for name in chance.sample(PLAYERS, len(PLAYERS)):
                page = self.pages[name]
                moves = screen(self.writer.state, self.table(), page.player, self.writer.clock()).moves
                if plain := [button for button in moves if not button.ask and button.verb != "fold"]:
                    button = chance.choice(plain)
                    await page.press(button.verb, *button.args, fresh=button.fresh)
                    break
            else:
                await self.passes(some(self.table().round.deadline) - self.writer.clock())
        raise AssertionError("the hand does not end")

    async def reads(self, seed: str) -> None:
        """Open the pages about the finished hand. Where its record is shown, so is every card; where folded cards stay
        secret for hours, so does the seed.
        """
        for page in self.pages.values():
            base = page.go.partition("/table/")[0]
            for path in ("history", "statement", "leaderboard"):
                await page.get(f"{base}/{path}")
        self.hold()
        for page in self.pages.values():
            base = page.go.partition("/table/")[0]
            is_open = await page.get(f"{base}/hand/{self.table().last_hand}", may_lack=True)
            assert (seed in "".join(page.ever)) is is_open, page.name
        self.hold(is_over=True)


async def come_in(
    client: aiohttp.ClientSession, name: str, host: str, shown: dict[str, str], headers: dict[str, str]
) -> Seen:
    """Sign in with the app's proof of identity."""
    async with client.post(f"/frame/{host}/prove", json=shown, headers=headers) as answer:
        said = await answer.json()
        assert answer.status == 200, said
    proofs = {value for value in shown.values() if value}
    more = {**headers, "Authorization": f"Bearer {said['token']}"}
    return Seen(name, client, more, said["token"], said["go"], proofs)


async def gather_at(writer: Writer, platform: str, accounts: dict[str, str], pages: dict[str, Seen]) -> None:
    for name, page in pages.items():
        page.player = some(writer.state.identity(platform, accounts[name]))
        await page.watch()


@asynccontextmanager
async def telegrams(folder: Path, game: str) -> AsyncIterator[Salon]:
    async with AsyncExitStack() as stack:
        house = await stack.enter_async_context(open_house(folder, main_web_app=True, of={"public_url": SITE}))
        app = MiniApp(
            house.server.token, PlatformContext(house.writer, "telegram"), house.clock.now, lambda: house.app.context
        )
        address = await stack.enter_async_context(serve(house.writer, [app.host]))
        client = await stack.enter_async_context(aiohttp.ClientSession(address))
        anna, *others = people(house, "Anna", *NAMES)
        group = house.server.supergroup("Salotto", members=others, admins=[anna])
        await anna.says(group, f"/table open {game}")
        await house.wait(5)
        pages = {}
        for user in others:
            start = f"t{house.table_at(group).id}"
            data = init_data(house.server.token, user.id, user.first_name, at_s=house.clock.now(), start=start)
            pages[user.first_name] = await come_in(client, user.first_name, "telegram", {"data": data}, {})
            pages[user.first_name].proofs.add(data.rpartition("hash=")[2])
        await gather_at(house.writer, "telegram", {user.first_name: str(user.id) for user in others}, pages)
        yield Salon(house.writer, lambda: house.table_at(group), house.wait, pages, {house.server.token})


@asynccontextmanager
async def discords(folder: Path, game: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Salon]:
    async with AsyncExitStack() as stack:
        house = await stack.enter_async_context(opened(folder, monkeypatch, unset=None))
        house.server.enable_activities()
        await house.restart()
        activity = Activity(house.client, house.server.client_secret)
        stack.push_async_callback(activity.close)
        address = await stack.enter_async_context(serve(house.writer, [activity.host]))
        client = await stack.enter_async_context(aiohttp.ClientSession(address))
        channel = house.server.guild("Venezia").text_channel("tables")
        await channel.guild.owner.slash(channel, "table open", game=game)
        members = {name: channel.guild.member(name) for name in NAMES}
        origin = {"Origin": f"https://{house.server.application_id}.discordsays.com", "Host": "casino.example"}
        pages = {}
        for name, member in members.items():
            shown = {"code": member.authorizes(), "instance": member.opens(channel)}
            pages[name] = await come_in(client, name, "discord", shown, origin)
        await gather_at(house.writer, "discord", {name: str(member.id) for name, member in members.items()}, pages)
        secrets = {house.server.client_secret, house.server.token, *house.server.user_tokens}
        yield Salon(house.writer, lambda: house.table(channel), house.pass_time, pages, secrets)


@pytest.fixture(params=[("telegram", "caribbean"), ("discord", "stud")], ids="-".join)
async def salon(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Salon]:
    platform, game = request.param
    opening = telegrams(tmp_path, game) if platform == "telegram" else discords(tmp_path, game, monkeypatch)
    async with opening as made:
        yield made


@pytest.mark.slow
async def test_G8_no_page_in_an_app_is_sent_what_its_viewer_may_not_see(
    salon: Salon, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "ridotto")
    pages, game = salon.pages, salon.table().game
    salon.secrets |= {secret for page in pages.values() for secret in (page.token, *page.proofs)}
    chance, seed = random.Random(game), salon.table().round.seed.hex()
    await salon.look()
    await salon.bets(chance)
    await salon.plays(chance)
    await salon.reads(seed)
    # Each page got its player's own cards and all open ones, so those of others would have been found.
    for name, page in pages.items():
        assert salon.found[name] >= find_known_cards(salon.table(), page.player), name
    assert all(salon.own[name] for name in PLAYERS)
    for secret in (*salon.secrets, seed, salon.table().round.seed.hex()):
        assert secret not in caplog.text
    assert not cards_in(caplog.text)
