"""Real houses that share the wings of the books, with one token on each platform: what is said in a chat is done by the
house that keeps it, once, whichever fetched it.
"""

import re
import signal
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import pytest

from storage.postgres import PostgresStore
from storage.rows import WINGS, wing_of
from tests.bot.test_many_houses import Town
from tests.bot.test_take_over import (
    SECRET,
    House,
    books,
    house,  # noqa: F401  (a fixture)
    in_order,
    schema,  # noqa: F401  (a fixture)
)
from tests.discord_server import Channel, DiscordServer, Interaction, Member
from tests.disk import ask
from tests.some import some
from tests.telegram_server import BotApiServer, Chat, SystemClock, User

pytestmark = [pytest.mark.outside, pytest.mark.slow]

COMMUNITIES = 4


class Chats(NamedTuple):
    """Communities of both platforms, each with a table and somebody at it."""

    telegram: BotApiServer
    discord: DiscordServer
    groups: list[tuple[User, Chat]]
    channels: list[tuple[Member, Channel]]
    store: PostgresStore

    async def settle(self) -> None:
        for number in range(COMMUNITIES):
            admin = self.telegram.user(f"Anna {number}")
            group = self.telegram.supergroup(f"Salotto {number}", admins=[admin])
            await admin.asks(group, "/setup")
            self.groups.append((admin, group))
            guild = self.discord.guild(f"Venezia {number}")
            channel = guild.text_channel("caribbean")
            await some(guild.owner).slash(channel, "table open", game="caribbean")
            self.channels.append((some(guild.owner), channel))

    async def play_everywhere(self) -> None:
        """Everybody bets at his table, and takes it back."""
        await self.play_in_groups()
        await self.play_in_channels()

    async def play_in_channels(self) -> None:
        """Those of Discord."""
        for owner, channel in self.channels:
            await self._hears(owner, channel, await owner.slash(channel, "bet", amount="10"), 990)
            await self._hears(owner, channel, await owner.slash(channel, "takeback"), 1000)

    async def play_in_groups(self) -> None:
        """Those of Telegram."""
        for admin, group in self.groups:
            for line, chips in (("/bet 10", 990), ("/takeback", 1000)):
                await admin.says(group, line)
                await self.has(admin, chips)

    async def _hears(self, owner: Member, channel: Channel, done: Interaction, chips: int) -> None:
        assert done.failure is None, done
        told = await owner.slash(channel, "balance")
        assert f"You have {chips:,} chips" in told.text, (done, told)

    async def has(self, admin: User, chips: int) -> None:
        """As the books have it: what a group is told is other people's affair."""
        await self.telegram.until(lambda: self.wallet(admin) == chips, "he has them")

    def wallet(self, admin: User) -> int:
        with self.store.reading() as reader:
            rows = ask(
                reader,
                "SELECT balance FROM accounts JOIN identities ON accounts.name = 'player:' ||"
                " (SELECT casino FROM members WHERE members.player = identities.player) || ':' || identities.player"
                " WHERE identities.platform = 'telegram' AND identities.name = ?",
                str(admin.id),
            )
        return int(rows[0][0]) // 100 if rows else -1


@pytest.fixture
async def chats(postgres, schema, tmp_path) -> AsyncIterator[Chats]:  # noqa: F811
    async with BotApiServer(clock=SystemClock(), limits=None) as telegram, DiscordServer() as discord:
        yield Chats(telegram, discord, [], [], books(postgres, schema, tmp_path))


@pytest.fixture
def make(house, chats):  # noqa: F811
    """A house with both tokens."""
    tokens = {"RIDOTTO_TELEGRAM_TOKEN": chats.telegram.token, "RIDOTTO_TELEGRAM_API": chats.telegram.base_url}
    return lambda **more: house(RIDOTTO_SECRET=SECRET, **tokens, **chats.discord.env, **more)


async def open_one_more(make: Any) -> House:
    opened: House = await make().start()
    await opened.plays()
    return opened


async def open_with_a_webhook(make: Any, telegram: BotApiServer) -> House:
    """A house to which Telegram brings the updates, without TLS: a proxy would have that."""
    opened: House = make()
    opened.set(RIDOTTO_TELEGRAM_WEBHOOK=opened.url.replace("http:", "https:"))
    await opened.start()
    await opened.plays()
    await telegram.until(lambda: brought_to(telegram).startswith(opened.url.replace("http:", "https:")))
    bring_to(telegram, opened)
    return opened


def brought_to(telegram: BotApiServer) -> str:
    return telegram.updates.webhook.url if telegram.updates.webhook else ""


def bring_to(telegram: BotApiServer, house: House) -> None:  # noqa: F811
    """As a balancer at the one address that Telegram knows would."""
    some(telegram.updates.webhook).url = f"{house.url}/telegram"
    telegram.updates.wake("news")


async def test_two_houses_with_the_same_tokens_answer_everybody_once_and_one_goes_on_for_both(
    make,
    chats,
    postgres,
    schema,  # noqa: F811
    tmp_path,
    monkeypatch,
):
    town = Town(chats.store)
    first = await open_one_more(make)
    await chats.settle()
    second = await open_one_more(make)
    await town.are_kept(WINGS // 2, WINGS // 2)
    with town.store.reading() as reader:
        casinos = [casino for (casino,) in ask(reader, "SELECT id FROM casinos WHERE id > 1")]
    for one in town.houses():
        assert {wing_of(casino) for casino in casinos} & one.wings, "each keeps some"
    await chats.play_everywhere()
    # Presses, too: each is answered, and by one house.
    for admin, group in chats.groups:
        alert = await admin.presses(group, "ante 10")
        assert alert is not None
        assert not alert.show_alert, alert
        await admin.says(group, "/takeback")
        await chats.has(admin, 1000)
    with town.store.reading() as reader:
        assert ask(reader, "SELECT count(*) FROM postings WHERE why = 'bet'") == [(3 * COMMUNITIES,)]
    chats.discord.assert_clean()
    # A community that arrives while there are two is of one of them.
    guest = chats.discord.guild("Late")
    channel = guest.text_channel("caribbean")
    told = await some(guest.owner).slash(channel, "table open", game="caribbean")
    assert told.failure is None
    chats.discord.assert_clean()
    # The house that fetches Telegram's updates ends without a word.
    assert await first.end(signal.SIGKILL) == -signal.SIGKILL
    await town.are_kept(WINGS)
    await chats.play_everywhere()
    # Another one comes, and the one that plays hands it what it has.
    third = await open_one_more(make)
    await town.are_kept(WINGS // 2, WINGS // 2)
    assert await second.end(signal.SIGTERM) == 0
    await town.are_kept(WINGS)
    await chats.play_everywhere()
    with town.store.reading() as reader:
        assert ask(reader, "SELECT count(*) FROM postings WHERE why = 'bet'") == [(7 * COMMUNITIES,)]
        tables = ask(reader, "SELECT count(*) FROM tables WHERE casino > 1")
    assert tables == [(2 * COMMUNITIES + 1,)]
    for _admin, group in chats.groups:
        ours = [message for message in group.messages if message.sender is chats.telegram.bot]
        shown = [message for message in ours if "Place your bets" in (message.caption or message.text or "")]
        assert len(shown) == 1, "one message shows each table"
    assert await third.end(signal.SIGTERM) == 0
    assert not re.findall(r'"level": "(?:error|critical)"', second.log.read_text() + third.log.read_text())
    assert in_order(monkeypatch, postgres, schema, tmp_path)


async def test_updates_that_a_webhook_brings_to_either_house_are_done_once_by_the_keeper_and_answered_when_they_are(
    make,
    chats,
    postgres,
    schema,  # noqa: F811
    tmp_path,
    monkeypatch,
):
    town, telegram = Town(chats.store), chats.telegram
    first = await open_with_a_webhook(make, telegram)
    await chats.settle()
    second = await open_with_a_webhook(make, telegram)
    await town.are_kept(WINGS // 2, WINGS // 2)
    for one in (first, second):
        bring_to(telegram, one)
        # Each comes twice, as what Telegram took for lost.
        telegram.updates.to_double = 2 * COMMUNITIES
        await chats.play_in_groups()
        await telegram.until(lambda: telegram.updates.is_taken and not telegram.updates.to_double, "all are taken")
    assert bets(town) == 2 * COMMUNITIES
    # The one that keeps the other half is killed while the first hands on to it: nothing is taken that is not done.
    bring_to(telegram, first)
    for admin, group in chats.groups:
        await admin.says(group, "/bet 10")
    assert await second.end(signal.SIGKILL) == -signal.SIGKILL
    for admin, _group in chats.groups:
        await chats.has(admin, 990)
    await town.are_kept(WINGS)
    await telegram.until(lambda: telegram.updates.is_taken, "all are taken")
    assert bets(town) == 3 * COMMUNITIES
    assert await first.end(signal.SIGTERM) == 0
    assert in_order(monkeypatch, postgres, schema, tmp_path)


async def test_presses_that_discord_brings_to_either_house_are_answered_once_by_the_keeper(
    make,
    chats,
    postgres,
    schema,  # noqa: F811
    tmp_path,
    monkeypatch,
):
    town, discord, key = Town(chats.store), chats.discord, chats.discord.public_key.hex()
    first = make(RIDOTTO_DISCORD_PUBLIC_KEY=key)
    discord.endpoint = f"{first.url}/discord"
    await (await first.start()).plays()
    await chats.settle()
    second = await make(RIDOTTO_DISCORD_PUBLIC_KEY=key).start()
    await second.plays()
    await town.are_kept(WINGS // 2, WINGS // 2)
    for one in (first, second):
        discord.endpoint = f"{one.url}/discord"
        await chats.play_in_channels()
    assert bets(town) == 2 * COMMUNITIES
    assert await first.end(signal.SIGTERM) == 0
    await town.are_kept(WINGS)
    await chats.play_in_channels()
    discord.assert_clean()
    assert await second.end(signal.SIGTERM) == 0
    assert not re.findall(r'"level": "(?:error|critical)"', first.log.read_text() + second.log.read_text())
    assert in_order(monkeypatch, postgres, schema, tmp_path)


def bets(town: Town) -> int:
    with town.store.reading() as reader:
        ((count,),) = ask(reader, "SELECT count(*) FROM postings WHERE why = 'bet'")
    return int(count)
