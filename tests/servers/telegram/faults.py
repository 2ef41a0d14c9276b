"""Scripted faults: errors, delays, broken connections."""

from dataclasses import dataclass
from typing import Any

from tests.servers.telegram.world import Chat


@dataclass
class Fault:
    """A fault of the next `times` calls: of one method or of all except getUpdates, in one chat or in all."""

    kind: str  # fail, slow, drop, drop_after, cut
    method: str | None
    times: int
    chat: Chat | None = None
    error_code: int = 500
    description: str | None = None
    parameters: dict[str, Any] | None = None
    seconds: float = 0.0

    def strikes(self, method: str, chat: Chat | None) -> bool:
        of_method = method != "getUpdates" if self.method is None else self.method.lower() == method.lower()
        return self.times > 0 and of_method and (self.chat is None or self.chat is chat)


class Faults(list[Fault]):
    def next(self, method: str, chat: Chat | None, *kinds: str) -> Fault | None:
        """Use up the first scripted fault of these kinds that applies to this call."""
        fault = next((f for f in self if f.kind in kinds and f.strikes(method, chat)), None)
        if fault:
            fault.times -= 1
        return fault
