"""A Discord of the test suite's own on 127.0.0.1: HTTP API v10 and gateway, for a bot in this process or in another.

server = DiscordServer() await server.start() guild = server.guild("Ridotto", locale="it") channel, anna =
guild.text_channel("paiju"), guild.member("Anna", locale="it")
...                                   # the bot, with server.env in its environment
await server.ready() answer = await anna.slash(channel, "bet", amount="50") assert answer.is_ephemeral await
anna.presses(channel.last, "Deal") server.assert_clean()
"""

from tests.servers.discord.faults import Fault
from tests.servers.discord.log import Call, Delivery
from tests.servers.discord.members import NO_RESPONSE, Impossible, Interaction, Member, Modal
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.things import Channel, Guild, Message, Role, User

__all__ = [
    "NO_RESPONSE",
    "Call",
    "Channel",
    "Delivery",
    "DiscordServer",
    "Fault",
    "Guild",
    "Impossible",
    "Interaction",
    "Member",
    "Message",
    "Modal",
    "Role",
    "User",
]
