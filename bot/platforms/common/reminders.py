"""Messages that remind players of the start of a tournament, and are deleted then, also after a restart (TN27)."""

from collections.abc import Callable, Coroutine
from typing import Any

from bot.platforms.common.context import PlatformContext

_NOTE = "reminder:"


class Reminders:
    """Reminders by address. Belongs to the event loop. `delete(address, message)` deletes one."""

    def __init__(self, context: PlatformContext, delete: Callable[[str, int], Coroutine[Any, Any, object]]) -> None:
        self._context, self._delete = context, delete
        self._sent: dict[str, list[int]] = {}

    def open(self) -> None:
        """Read which messages are there, and delete those of tournaments that have started meanwhile."""
        self._sent = {address: messages for address, messages in self._context.noted(_NOTE) if messages}
        for address in list(self._sent):
            self._look_at(address)

    def add(self, address: str, message: int) -> None:
        """Note a reminder that was sent."""
        self._sent.setdefault(address, []).append(message)
        self._context.note(f"{_NOTE}{address}", self._sent[address])

    def handle_change(self, id: int) -> None:
        """Handle a changed table."""
        if self._sent:
            for address in self._context.addresses_of(id):
                self._look_at(address)

    def _look_at(self, address: str) -> None:
        table = self._context.table_at(address)
        is_waiting = table is not None and table.tournament is not None and table.tournament.is_registering
        if is_waiting or address not in self._sent:
            return
        for message in self._sent.pop(address):
            self._context.spawn(self._delete(address, message))
        self._context.note(f"{_NOTE}{address}", None)
