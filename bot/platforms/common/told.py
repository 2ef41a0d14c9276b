"""The last message of a kind at each address, as noted in the store, so that it is sent at most once.

A process that ends between the note and the message has sent nothing.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from bot.platforms.common.context import PlatformContext

V = TypeVar("V")


class SentLog(Generic[V]):
    """Records of sent values. Belongs to the event loop. Notes begin with `name`; `read` decodes one from JSON."""

    def __init__(self, context: PlatformContext, name: str, read: Callable[[Any], V]) -> None:
        self._context, self._name, self._read = context, name, read
        # {address: the last value sent there}.
        self.last: dict[str, V] = {}

    def open(self) -> None:
        """Read what was sent before the last start."""
        addresses = (row.address for row in self._context.places())
        noted = self._context.noted_of(addresses, self._name)
        self.last |= {address: self._read(value) for address, value in noted if value is not None}

    async def note(self, address: str, value: V | None) -> bool:
        """Record a value on disk before it is sent; return whether it was stored. None forgets the address."""
        if value is None:
            self.last.pop(address, None)
        else:
            self.last[address] = value
        return await self._context.store_note(f"{self._name}{address}", value)
