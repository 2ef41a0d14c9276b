"""The platform context: tables and places, accounts and language, and the way to submit commands."""

import asyncio
import json
import secrets
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from bot.core.access import Access
from bot.core.admin.invitations import Invitation
from bot.core.casinos.places import founding_casino_of, internal_command_of
from bot.core.command_list import moves_chips
from bot.core.commands.command import Answer, Choice, Command, Where
from bot.core.state.lounge import LOUNGE
from bot.core.state.place import Place
from bot.core.state.table import Table
from bot.core.state.transaction import State
from bot.texts import Text
from bot.texts.languages import SOURCE, language_of_code
from bot.view import Screen
from bot.view.build import private_screen, screen
from bot.view.payments import say_dearest
from storage.questions import people
from storage.questions.notes import notes_of_platform
from storage.rows import PlaceRow

CONTESTED = Text(
    "No bets for now: another program is using this bot's token. The host must stop that program or create a new token."
)


def new_key(platform: str) -> str:
    """Return a unique key for a command of the platform itself, so that it runs once."""
    return f"{platform}:{secrets.token_hex(16)}"


def language_of(code: str | None, otherwise: str = SOURCE) -> str:
    """Return our language for a platform's code, such as `en-GB`."""
    return language_of_code(code) or otherwise


class PlatformContext:
    """The context of one platform. Belongs to the event loop."""

    def __init__(self, writer: Access, platform: str) -> None:
        self.writer, self.platform = writer, platform
        self.state: State = writer.state
        self._accounts: dict[int, str] = {}
        # Called for each changed table.
        self.subscribers: list[Callable[[int], None]] = []
        self._tasks: set[asyncio.Task[Any]] = set()
        # Whether another program uses the bot's token with another store. Then no chips move here, because the stores
        # would diverge.
        self.is_contested = False

    def place(self, address: str) -> Place:
        return Place(self.platform, address)

    def row_at(self, address: str) -> PlaceRow | None:
        """Return the place at an address, or None."""
        return self.state.place(self.platform, address)

    def table_at(self, address: str) -> Table | None:
        row = self.row_at(address)
        return self.state.table(row.table_id) if row is not None and row.table_id else None

    def places(self) -> list[PlaceRow]:
        """Return all places of this platform."""
        return [row for row in list(self.state.places.values()) if row.platform == self.platform]

    def places_beside(self, address: str) -> list[PlaceRow]:
        """Return the places of the same community on this platform, this one included; empty if the place is
        unknown.
        """
        row = self.row_at(address)
        if row is None:
            return []
        rows = self.state.places.under("home" if row.home else "casino", founding_casino_of(row))
        return [
            one for one in rows if one.platform == self.platform and founding_casino_of(one) == founding_casino_of(row)
        ]

    def addresses_of(self, table: int) -> list[str]:
        """Return the addresses on this platform that show a table."""
        return [row.address for row in self.state.places_of(table) if row.platform == self.platform]

    def tables(self, casino: int = LOUNGE) -> list[Table]:
        """Return the open tables of a casino, by number."""
        here = (table for table in self.state.tables_in(casino) if table.status != "closed")
        return sorted(here, key=lambda table: table.number)

    def screen(self, table: Table, viewer: int | None = None) -> Screen:
        """Return the screen of a table for a player, or for everyone (None)."""
        shown = screen(self.state, table, viewer, self.writer.clock())
        return replace(shown, lines=(CONTESTED, *shown.lines)) if self.is_contested else shown

    def show_contest(self, is_contested: bool) -> None:
        """Note whether another program uses the bot's token, and show it at each table."""
        if is_contested != self.is_contested:
            self.is_contested = is_contested
            self.notify_subscribers(
                {table.id for table in list(self.state.tables.values()) if table.status != "closed"}
            )

    def own_screen(self, table: Table, viewer: int) -> Screen:
        """Return the player's private screen of a table, without what others do."""
        shown = private_screen(self.state, table, viewer, self.writer.clock())
        return replace(shown, dearest=self.dearest(table, viewer))

    def player_of(self, account: str | int) -> int | None:
        """Return the player behind an account, or None; accounts unseen since the start are looked up."""
        return self.state.identity(self.platform, str(account))

    def account_of(self, player: int) -> str | None:
        """Return a player's account on this platform, or None."""
        if player not in self._accounts:
            name = people.account_on(self.state.books, self.platform, player)
            if name is None:
                return None
            self._accounts[player] = name
        return self._accounts[player]

    def language_of(self, account: str | int, code: str | None) -> str:
        """Return the language that a player chose; before the first command, that of their platform."""
        player = self.player_of(account)
        return self.state.players[player].language if player is not None else language_of(code)

    def dearest(self, table: Table, player: int) -> Text | None:
        """Return the player's dearest choice of the last hand, privately. None until it is counted; then the table
        changes.
        """
        found = self.writer.coaching.dearest(table, player)
        return say_dearest(found, table.last, player) if found is not None and table.last is not None else None

    def start_notifying(self) -> Callable[[], None]:
        """Notify `subscribers` of changed tables on this event loop from now on. Return a function that ends it."""
        loop = asyncio.get_running_loop()

        def pass_on(tables: set[int]) -> None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self.notify_subscribers, tables)

        return self.writer.subscribe(pass_on)

    def notify_subscribers(self, tables: set[int]) -> None:
        """Notify `subscribers` that these tables changed."""
        for id in sorted(tables):
            for subscriber in self.subscribers:
                subscriber(id)

    async def tell_awake(self) -> None:
        """Show at once what is to be seen on tables of this platform, in portions: other tasks run in between."""
        mine = {
            row.table_id for row in list(self.state.places.values()) if row.platform == self.platform and row.table_id
        }
        for id in sorted(mine & self.state.tables.keys()):
            if self.state.tables[id].is_awake:
                self.notify_subscribers({id})
                await asyncio.sleep(0)

    async def submit(self, command: Command) -> Answer:
        """Submit a command and wait for its answer. Cancelling the wait does not cancel the command."""
        if self.is_contested and moves_chips(command.verb):
            return Answer((CONTESTED,), refused=True)
        return self._with_links(await asyncio.shield(self.writer.submit_from_loop(command)))

    def link_to(self, table: int) -> str:
        """Return a link to a table on this platform as text, or "" if there is none."""
        return ""

    def url_to(self, table: int) -> str:
        """Return a link to a table for a button, or ""."""
        return ""

    def link_for(self, code: str) -> str:
        """Return an invitation as people pass it on; by default the code as it is typed."""
        return str(Invitation(code))

    def _with_links(self, answer: Answer) -> Answer:
        """Return the answer with links to the tables and invitations that it names."""
        if any(isinstance(text.values.get("where"), Where) for text in answer.texts):
            answer = answer._replace(texts=tuple(map(self._linked, answer.texts)))
        return answer._replace(choices=tuple(self._led(answer.choices))) if answer.choices else answer

    def _led(self, choices: Iterable[Choice]) -> Iterator[Choice]:
        """Yield choices with links resolved, without those that have no link on this platform."""
        for one in choices:
            if not isinstance(one.where, Where):
                yield one
            elif url := self.url_to(one.where.table):
                yield one._replace(where=url)

    def _linked(self, text: Text) -> Text:
        where = text.values.get("where")
        if not isinstance(where, Where):
            return text
        values = {**text.values, "where": self.link_to(where.table)}
        if isinstance(invitation := text.values.get("invitation"), Invitation):
            values["invitation"] = self.link_for(invitation.code)
        return Text(text.template, text.plural, **values)

    def internal_command(self, verb: str, address: str, *args: str) -> Command:
        """Return an internal command of the platform, which people cannot type."""
        return internal_command_of(new_key(self.platform), self.place(address), verb, *args)

    def note(self, name: str, value: object) -> None:
        """Store a value as JSON in this platform's notes, without waiting."""
        self.writer.submit(self.internal_command("note", "", name, json.dumps(value)))

    async def store_note(self, name: str, value: object) -> bool:
        """Store a value like `note` and wait; return whether it was stored."""
        return not (await self.tend("note", "", name, json.dumps(value))).refused

    def noted_of(self, wanted: Iterable[str], begins: str) -> Iterator[tuple[str, Any]]:
        """Yield what `noted` yields, only for names that end with one of `wanted`."""
        ends = {*wanted}
        for row in notes_of_platform(self.state.books, self.platform, begins) if ends else ():
            if (end := row.name.removeprefix(begins)) in ends:
                yield end, json.loads(row.value)

    def noted(self, begins: str = "") -> Iterator[tuple[str, Any]]:
        """Yield the notes whose names begin with `begins`: (rest of the name, value)."""
        for row in notes_of_platform(self.state.books, self.platform, begins):
            yield row.name.removeprefix(begins), json.loads(row.value)

    async def tend(self, verb: str, address: str, *args: str) -> Answer:
        return await self.submit(self.internal_command(verb, address, *args))

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Run a coroutine in the background and keep a reference until it is done."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._forget)

    def _forget(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            self.note_fault(fault)

    def note_fault(self, fault: BaseException) -> None:
        """Report an exception of a background task."""
        asyncio.get_running_loop().call_exception_handler({"message": self.platform, "exception": fault})

    async def close(self) -> None:
        """Cancel the background tasks."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
