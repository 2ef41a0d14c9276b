"""Records for tests: each call as it came, each thing as it was seen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.servers.discord.members import Member
    from tests.servers.discord.things import Channel


@dataclass(eq=False)
class Call:
    """One HTTP call of the bot, as it came and as it was answered."""

    at_s: float
    method: str
    path: str
    template: str
    ids: dict[str, str]
    query: dict[str, str]
    json: Any = None
    files: dict[str, bytes] = field(default_factory=dict, repr=False)
    reason: str | None = None
    channel_id: int | None = None
    status: int | None = None
    answer: Any = field(default=None, repr=False)
    took_s: float | None = None

    @property
    def route(self) -> str:
        return f"{self.method} {self.template}"

    @property
    def major(self) -> str:
        majors = ("channel_id", "guild_id", "webhook_token", "interaction_token")
        return "+".join(self.ids[name] for name in majors if name in self.ids)


@dataclass(eq=False)
class Delivery:
    """Something shown to people: a message, an edit, a form or choices. `reader` None: the whole channel."""

    at_s: float
    channel: Channel
    reader: Member | None
    kind: str
    json: Any
    files: dict[str, bytes] = field(default_factory=dict, repr=False)

    @property
    def text(self) -> str:
        return "\n".join(_strings(self.json))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _strings(inner)
