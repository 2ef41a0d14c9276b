"""Place of play: a channel, a topic, a room of the lounge."""

from typing import NamedTuple


class Place(NamedTuple):
    """A channel, a topic, a room of the lounge: `platform` and its own address for it."""

    platform: str
    address: str
