"""A Telegram Bot API server for tests: strict, on loopback, with a virtual clock and scripted faults.

    async with BotApiServer(clock=VirtualClock()) as server:
        anna, bea = server.user("Anna", language="it"), server.user("Bea")
        group = server.group("Salotto", members=[bea], admins=[anna])
        ...  # start the bot with base_url=server.base_url, token=server.token
        table = await anna.asks(group, "/setup")
        assert await bea.presses(table, "My cards") == Alert("You are not in this hand.", show_alert=True)
        await server.until(lambda: "Place your bets" in table.caption)
        assert server.spent_in(group) <= 6

It is Telegram as the bot sees it: what Telegram refuses is refused, with Telegram's words; and what the bot sends is
held against aiogram's models of the Bot API 10.3, so that a parameter that does not exist fails the test at the end.

Two kinds of time: dates, flood limits, the age of a press and `slow` follow the server's clock, which stands still
until `await server.advance(seconds)` if it is virtual, except for the 20 to 150 ms that each call takes: while calls
are on their way and nobody has anything else to do it moves by itself. Long polls, retries of a webhook and the waiting
of the test itself (`asks`, `presses`, `until`) are real. A bot in a process of its own needs `SystemClock()`.
"""

from tests.servers.telegram.clock import SystemClock, VirtualClock
from tests.servers.telegram.limits import Limits
from tests.servers.telegram.server import TOKEN, BotApiServer, Call
from tests.servers.telegram.world import Alert, Button, Chat, Message, Press, Shown, Topic, User

__all__ = [
    "TOKEN",
    "Alert",
    "BotApiServer",
    "Button",
    "Call",
    "Chat",
    "Limits",
    "Message",
    "Press",
    "Shown",
    "SystemClock",
    "Topic",
    "User",
    "VirtualClock",
]
