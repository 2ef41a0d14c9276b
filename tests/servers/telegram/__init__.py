"""A Telegram Bot API server for tests: strict, on loopback, with a virtual clock and scripted faults.

    async with BotApiServer(clock=VirtualClock()) as server:
        anna, bea = server.user("Anna", language="it"), server.user("Bea")
        group = server.group("Salotto", members=[bea], admins=[anna])
        ...  # start the bot with base_url=server.base_url, token=server.token
        table = await anna.asks(group, "/setup")
        assert await bea.presses(table, "My cards") == Alert("You are not in this hand.", show_alert=True)
        await server.until(lambda: "Place your bets" in table.caption)
        assert server.spent_in(group) <= 6

It is Telegram as the bot sees it: it refuses what Telegram refuses, with Telegram's words; and the bot's calls are
checked against aiogram's models of the Bot API 10.3, so that an unknown parameter fails the test at the end.

There are two kinds of time. Dates, flood limits, the age of a press and `slow` follow the server's clock. If it is
virtual it moves only by `await server.advance(seconds)` and for the 20 to 150 ms that each call takes: while calls are
under way and nothing else is to do it moves by itself. Long polls, retries of a webhook and the waiting of the test
itself (`asks`, `presses`, `until`) use real time. A bot in a process of its own needs `SystemClock()`.
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
