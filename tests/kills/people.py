"""People at the tables: in browsers, on Discord and in Telegram. They press what they see, sometimes twice.

They know no rules. They record their actions, the answers, and what they were shown.
"""

import asyncio
import html
import json
import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar, TypeVar

from aiohttp import ClientError, ClientSession, CookieJar, WSMsgType

from bot.core.state.plays import PLAYS, Seating
from bot.platforms.common.press import load_press
from engine.games import GAMES
from tests.kills.deeds import Choice, Deed, Deeds, LoungeView
from tests.patience import PATIENCE_S
from tests.servers.discord import Channel, Impossible, Interaction, Member
from tests.servers.discord import Message as DiscordMessage
from tests.servers.telegram import BotApiServer, Message, Topic, User
from tests.simulation.behavior import first_bet

T = TypeVar("T")
# Generous, because a busy machine is no fault of the process.
LOST = (ClientError, ConnectionError, TimeoutError)
_BUTTON = re.compile(r"<button[^>]* data-press [^>]*>")
_ATTRIBUTE = re.compile(r"""data-(verb|args|fresh|ask)=(?:"([^"]*)"|'([^']*)')""")
_HAND = re.compile(r'Hand (\d+) is committed.*?class="hash">(\w{64})', re.DOTALL)
_LAST = re.compile(r"/hand/(\d+)\"")
_CARD = re.compile(r"/cards/[0-9a-f]{12}/(\w\w)\.svg")
# Buttons that are pressed for their own sake; cards and rules are opened now and then.
_WEIGHTS = {"bet": 4, "rebet": 4, "ready": 8, "takeback": 1, "buyin": 6, "topup": 1, "back": 4, "cut": 1, "cards": 1}
_AMOUNTS = {"bet": ("20",), "buyin": ("400",), "topup": ("100",), "insure": ("5",)}


def choose(rng: Random, choices: Sequence[Choice]) -> Choice | None:
    """Return a move if there is one, else mostly a bet or what ends the betting."""
    moves = [choice for choice in choices if choice.is_move and (not choice.asks or choice.verb in _AMOUNTS)]
    if moves:
        return rng.choice(moves)
    verbs = sorted({choice.verb for choice in choices} & _WEIGHTS.keys())
    if not verbs:
        return None
    (verb,) = rng.choices(verbs, [_WEIGHTS[verb] for verb in verbs])
    cheapest = sorted((choice for choice in choices if choice.verb == verb), key=_price)
    return rng.choice(cheapest[: 1 + len(cheapest) // 3])


def _price(choice: Choice) -> float:
    """Return the price of a choice; cheap ones leave everyone chips to the end."""
    amount = choice.args[-1] if choice.args else ""
    return float(amount) if amount.replace(".", "").isdigit() else 0.0


def filled(rng: Random, choice: Choice) -> tuple[str, ...]:
    """Return the arguments, with those that the button asks for."""
    more = (f"cut {rng.getrandbits(20)}",) if choice.verb == "cut" else _AMOUNTS.get(choice.verb, ())
    return (*choice.args, *more) if choice.asks else choice.args


@dataclass
class Person:
    """A person; `house` returns the present process, None while there is none."""

    name: str
    rng: Random
    deeds: Deeds
    house: Callable[[], "Any | None"]
    # Shortest and longest pause between two actions of a person.
    pause_s: ClassVar[tuple[float, float]] = (0.02, 0.12)

    async def live(self) -> None:
        """Play for ever, whatever happens to the process."""
        while True:
            await asyncio.sleep(self.rng.uniform(*self.pause_s))
            if (house := self.house()) is not None:
                await until_death(house, self.act(house))

    async def act(self, house: Any) -> None:
        raise NotImplementedError


async def until_death(house: Any, work: Awaitable[T]) -> T | None:
    """Await the work while the process lives; None after its death."""
    task, death = asyncio.ensure_future(work), asyncio.ensure_future(house.died.wait())
    try:
        await asyncio.wait({task, death}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            task.cancel()
        return await task
    except (asyncio.CancelledError, *LOST):
        if asyncio.current_task().cancelling():  # type: ignore[union-attr]
            raise
        return None
    finally:
        task.cancel()
        death.cancel()


@dataclass
class Browser(Person):
    """One tab of a browser: a websocket that shows the table, and presses as separate requests."""

    table: int = 1
    base: str = ""
    parts: dict[str, str] = field(default_factory=dict)
    before: list[Choice] = field(default_factory=list)
    number: int = 0
    shows: Any = None

    def __post_init__(self) -> None:
        self.session = ClientSession(cookie_jar=CookieJar(unsafe=True))

    async def act(self, house: Any) -> None:
        if not self.base:
            await self._sign_in(house)
        elif self.shows is not house:
            self.shows = house
            house.keep(self._watch(house))
            await self._repeat_last(house)
        elif (choice := choose(self.rng, self._choices())) is not None:
            # Now and then an old button is pressed.
            self.before = [*self.before[-40:], choice]
            await self._press(house, self.rng.choice(self.before) if self.rng.random() < 0.05 else choice)

    async def _sign_in(self, house: Any) -> None:
        async with self.session.post(f"{house.url}/sign-in", data={"name": self.name}) as answer:
            if answer.url.path.startswith("/p/"):
                self.base = answer.url.path.rstrip("/")

    @property
    def player(self) -> int:
        return int(self.base.rpartition("-")[2])

    async def _watch(self, house: Any) -> None:
        """Follow the table until the connection breaks; views are recorded and compared with the store at the end."""
        async with self.session.ws_connect(f"{house.url}{self.base}/table/{self.table}/live") as socket:
            async for message in socket:
                if message.type is WSMsgType.TEXT and "parts" in (said := json.loads(message.data)):
                    self.parts |= said["parts"]
                    self._note()

    def _note(self) -> None:
        found = _HAND.search(self.parts["fair"])
        assert found is not None, self.parts["fair"]
        last = _LAST.search(self.parts["fair"])
        cards = tuple(_CARD.findall(self.parts["mine"]))
        view = LoungeView(self.table, int(found[1]), found[2], self.player, cards, int(last[1]) if last else None)
        self.deeds.views.add(view)

    def _choices(self) -> list[Choice]:
        shown = self.parts.get("mine", "") + self.parts.get("felt", "")
        return [_read_button(found) for found in _BUTTON.findall(shown)]

    async def _press(self, house: Any, choice: Choice) -> None:
        self.number += 1
        key = f"press-{self.number:06}"
        body = {"key": key, "verb": choice.verb, "args": list(filled(self.rng, choice)), "fresh": choice.fresh}
        deed = self.deeds.add(Deed(f"web:{self.player}:{key}", ("web", str(self.player)), choice, source=body))
        twice = self.rng.random() < 0.15
        await asyncio.gather(*(self._send(house, deed) for _time in range(1 + twice)))

    async def _send(self, house: Any, deed: Deed) -> None:
        async with self.session.post(f"{house.url}{self.base}/table/{self.table}/press", json=deed.source) as answer:
            said = await answer.json()
        if answer.status in (429, 503):  # too fast, or the lounge is closing
            return
        assert answer.status == 200, (answer.status, said)
        deed.note("\n".join(said["texts"]), said["refused"])

    async def _repeat_last(self, house: Any) -> None:
        """Press the last few buttons again after a restart, answered or not."""
        mine = [deed for deed in self.deeds.all[-400:] if deed.account == ("web", str(self.player))]
        for deed in mine[-3:]:
            await self._send(house, deed)


def _read_button(tag: str) -> Choice:
    found = {name: html.unescape(one or other) for name, one, other in _ATTRIBUTE.findall(tag)}
    return Choice(found["verb"], tuple(json.loads(found["args"])), found["fresh"], "ask" in found)


@dataclass
class DiscordPlayer(Person):
    """A person who presses buttons of the channel's table and of the last private answer."""

    town: Any = field(kw_only=True)
    member: Member = field(kw_only=True)
    channel: Channel = field(kw_only=True)
    game: str = field(kw_only=True)
    panel: DiscordMessage | None = None

    async def act(self, house: Any) -> None:
        if self.rng.random() < 0.1:
            await self._do(house, Choice("cards"), lambda: self.member.slash(self.channel, "cards"))
            return
        if PLAYS[self.game].seating is Seating.STACKS and self.rng.random() < 0.1:
            buy = Choice("buyin", ("400",))
            await self._do(house, buy, lambda: self.member.slash(self.channel, "buyin", amount="400"))
            return
        message = self.table_message() if self.panel is None or self.rng.random() < 0.3 else self.panel
        choice = choose(self.rng, choices_on(message))
        if message is not None and choice is not None:
            await self._do(house, choice, lambda: self.member.presses(message, choice.source))

    def table_message(self) -> DiscordMessage | None:
        return next((one for one in reversed(self.channel.messages) if one.buttons), None)

    async def press_old(self, house: Any, message: DiscordMessage) -> Interaction | None:
        """Press a random button of an earlier message; None if it has none."""
        known = choices_on(message)
        if not known:
            return None
        choice = self.rng.choice(known)
        return await self._do(house, choice, lambda: self.member.presses(message, choice.source))

    async def _do(self, house: Any, choice: Choice, work: Callable[[], Awaitable[Interaction]]) -> Interaction | None:
        """Do one action; the interaction's number is its key, known from its beginning."""
        begun: list[Deed] = []
        self.town.on_begin = lambda one: begun.append(self._note(choice, one))
        try:
            done = await work()  # awaited at once: it begins before anyone does anything else
        except Impossible:
            return None
        finally:
            self.town.on_begin = None
        begun[0].said = done.told[0] if done.told else None
        if done.is_ephemeral and done.message is not None and done.message.buttons:
            self.panel = done.message
        return done

    def _note(self, choice: Choice, begun: Interaction) -> Deed:
        return self.deeds.add(Deed(f"discord:{begun.id}", ("discord", str(self.member.id)), choice, source=begun))


def choices_on(message: DiscordMessage | None) -> list[Choice]:
    buttons = message.buttons if message is not None and not message.is_deleted else []
    return _read_codes(button.get("custom_id") for button in buttons if not button.get("disabled"))


@dataclass
class TelegramPlayer(Person):
    """A person who presses the buttons of the topic's table, and types what the table does not show yet."""

    server: BotApiServer = field(kw_only=True)
    user: User = field(kw_only=True)
    topic: Topic = field(kw_only=True)
    game: str = field(kw_only=True)

    async def act(self, house: Any) -> None:
        message = self.table_message()
        choice = choose(self.rng, buttons_on(message))
        if self.rng.random() < 0.15 or message is None or choice is None:
            await self._type()
        else:
            await self.press(message, choice)

    def table_message(self) -> Message | None:
        return next((one for one in reversed(self.topic.messages) if one.buttons), None)

    async def press(self, message: Message, choice: Choice) -> str | None:
        """Press and return the answer's text."""
        double = self.rng.random() < 0.15
        if double:
            self.server.double_updates()
        press = self.user.press(message, choice.source)
        deed = self.deeds.add(Deed(f"tg:press:{press.id}", ("telegram", str(self.user.id)), choice))
        deed.source = self.server.updates.queue[-1] if self.server.updates.queue else None
        press.answer.add_done_callback(lambda answer: deed.hear((answer.result() or _SILENT).text))
        await asyncio.wait({press.answer}, timeout=PATIENCE_S)
        return deed.said

    async def _type(self) -> None:
        """Type a command; a successful one has no answer, because the table shows it."""
        moves = [word for word in GAMES[self.game].words if word != "bet"]
        verb, *args = self.rng.choice((first_bet(self.game), "ready", "rebet", *moves)).split()
        said = await self.user.says(self.topic, " ".join((f"/{verb.replace('-', '')}", *args)))
        key = f"tg:message:{said.chat.id}:{said.id}"
        deed = self.deeds.add(Deed(key, ("telegram", str(self.user.id)), Choice(verb, tuple(args))))
        deed.source = self.server.updates.queue[-1] if self.server.updates.queue else None
        await asyncio.sleep(0.5)


@dataclass(frozen=True)
class _Silent:
    text: str = ""


_SILENT = _Silent()


def buttons_on(message: Message | None) -> list[Choice]:
    buttons = message.buttons if message is not None and not message.deleted else []
    return _read_codes(button.data for button in buttons)


def _read_codes(codes: Iterable[str | None]) -> list[Choice]:
    """Return the choices of buttons that need no input, with the code as their source."""
    pressed = {code: load_press(code) for code in codes if code}
    return [
        Choice(press.verb, press.args, press.fresh, source=code)
        for code, press in pressed.items()
        if press is not None and press.kind in ("verb", "move", "bet")
    ]
