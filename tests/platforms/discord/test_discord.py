"""Discord through the real library: tables in a server, private cards, commands, and everything that was ever sent.

After every test everything sent is checked against Discord's own description, and searched for cards that its reader
may not see.
"""

import asyncio
import copy
import json
import random
import re
import time
from collections import Counter
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from itertools import cycle
from typing import Any

import discord
import pytest
import simcord
from simcord import actors, interactions

from bot.cli.doctor import examine
from bot.core.command_list import CHAT_COMMANDS
from bot.core.commands.stages import STAGES
from bot.core.state.plays import PLAYS
from bot.core.writer import Writer
from bot.platforms.common.budget import Budget
from bot.platforms.discord.bot import Ridotto
from bot.texts import LANGUAGES, say_card
from bot.texts.languages import KNOWN, SOURCE
from bot.verifier import pack
from engine.cards import HIDDEN
from engine.hand import lay_out
from storage.sqlite import FILE, SqliteBooks, reading
from tests.discord_description import request_complaints
from tests.disk import ask
from tests.patience import PATIENCE_S

BEGINNING = 1_767_225_600.0  # where simcord's own clock begins
DAY = 86400.0
LOCALES = [code for name, one in KNOWN.items() for code in one.codes["discord"] if name != SOURCE]
CARD = re.compile(r"(?:10|[2-9JQKA])[♠♥♦♣]|Joker")
PAID = re.compile(r"\b(?:wins \d|loses \d|breaks even)")
CLOCK = re.compile(r"<t:(\d+):R>")
PUBLIC, CALLBACK, WEBHOOK = (
    re.compile(r"/channels/(\d+)/messages"),
    re.compile(r"/interactions/(\d+)/"),
    re.compile(r"/webhooks/\d+/([^/]+)"),
)


class InlineWriter(Writer):
    """A writer that runs each command at once as a batch, because simcord waits for all that the bot has under way."""

    def submit(self, command):
        answer: Future[Any] = Future()
        self.round([command], [answer])
        return answer

    def submit_from_loop(self, command):
        return asyncio.wrap_future(self.submit(command))


class Sent(list[Any]):
    """Every request, checked when it is made: no card may go to anyone who may not see it."""

    def __init__(self, world):
        super().__init__()
        self.world = world

    def append(self, request):
        super().append(request)
        shown = set(CARD.findall(json.dumps(request.json, ensure_ascii=False) if request.json else ""))
        leaked = shown - self.world.may_be_seen_by(self._reader(request.path))
        assert not leaked, f"{leaked} leaked to {request.method} {request.path}: {request.json}"

    def _reader(self, path):
        """Return the only account that sees it; None is everyone."""
        backend = self.world.env.backend
        if found := CALLBACK.search(path):
            return backend.interactions[int(found[1])].user_id
        if (found := WEBHOOK.search(path)) and found[1] in backend.interaction_tokens:
            return backend.interaction_by_token(found[1]).user_id
        return None


class Env(simcord.Env):
    """An environment that waits as long as the machine needs for what is due within its timeout; later things wait for
    `World.wait`.
    """

    async def advance_time(self, seconds):
        horizon, self.settle_timeout = self.settle_timeout, PATIENCE_S
        try:
            await super().advance_time(seconds)
        finally:
            self.settle_timeout = horizon

    async def _settle_internal(self, *, _deadline=None, **options):
        give_up_s = time.monotonic() + PATIENCE_S
        while True:
            try:
                return await super()._settle_internal(_deadline=_deadline, **options)
            except TimeoutError:
                if _deadline is not None or time.monotonic() >= give_up_s:
                    raise


class World:
    """A server with the bot in it. Its clock only moves when a test moves it."""

    def __init__(self, folder, *, pace=0.0, writer=InlineWriter, **options):
        self.folder, self.pace, self.make_writer, self.options = folder, pace, writer, options
        self.random = random.Random(7)
        self.env: Any = None
        self.was_set = 0.0
        self.locale = self.guild_locale = "en-US"
        self._open()

    def clock(self):
        return BEGINNING + (self.env.backend.clock.elapsed if self.env is not None else 0.0)

    def wall(self):
        """Return the wall clock, including what an operator or time server has changed."""
        return self.clock() + self.was_set

    def _open(self):
        self.books = SqliteBooks(self.folder)
        self.writer = self.make_writer(self.books, clock=self.wall, monotonic=self.clock, entropy=self.random.randbytes)
        self.bot = Ridotto(self.writer, shard_count=1, pace=self.pace)
        self.bot.context.start_notifying()

    async def start(self):
        self.env = Env(self.bot, **self.options)
        self.env.backend.http_requests = Sent(self)
        await self.env.start()
        self.guild = self.env.create_guild("Venezia")
        managing = self.guild.create_role("Direttore", permissions=discord.Permissions(manage_guild=True))
        self.boss = self.member("marco", managing)
        await self.env.settle()

    async def stop(self):
        try:
            await self.env.shutdown()
            self.env._raise_errors_since(self.env._errors_acknowledged)
        finally:
            self.books.close()
        for request in self.sent:
            complaints = request_complaints(request.method, request.path, request.json)
            assert not complaints, (request.method, request.path, complaints, request.json)
        with reading(self.folder / FILE) as books:
            assert not list(examine(books))

    async def restart(self):
        self.books.close()
        self._open()
        await self.env.restart_bot(self.bot)

    @property
    def sent(self):
        return self.env.backend.http_requests

    @property
    def house(self):
        return self.writer.state

    def member(self, name, *roles):
        return Player(self, self.guild.add_member(self.env.create_user(name), roles=list(roles)))

    async def wait(self, seconds):
        """Let time pass as the writer does: run every clock on the way, and at the end."""
        until = self.wall() + seconds
        while (deadline := self.writer.schedule.next_deadline()) is not None and deadline <= until:
            await self._to(deadline)
        await self._to(until)

    async def _to(self, moment):
        if moment > self.wall():
            await self.env.advance_time(moment - self.wall())
        with self.env._bot_scope():
            self.writer.round([], [])
        await self.env.settle()

    async def open(self, game):
        """Open a table in a channel of its own."""
        channel = self.guild.create_text_channel(game)
        await self.boss.says(channel, "table open", game=game)
        assert "is open" in self.boss.told, self.boss.told
        return channel

    async def hand(self, channel):
        """Close the bets and wait for the cards."""
        await self.wait(max(0.0, self.table(channel).round.deadline - self.wall()))
        assert self.table(channel).round.hand is not None

    def table(self, channel):
        return self.house.table(self.house.place("discord", str(channel.id)).table_id)

    def shown(self, channel):
        """Return the text of the channel's newest message."""
        return words(channel.last_message)

    def may_be_seen_by(self, account):
        """Return every card that this account, or everyone, may see at any table now."""
        player = self.house.identities.get(("discord", str(account)))
        cards = set()
        for table in list(self.house.tables.values()):
            for hand in filter(None, (table.round.hand, table.last)):
                owners = {str(stake.seat): int(stake.player[1:]) for stake in hand.deal.stakes}
                mine = [seat for seat, owner in owners.items() if owner == player]
                seen = [lay_out(hand.view(None)), *({seat: hand.cards(seat).get(seat, [])} for seat in mine)]
                cards |= {say_card(card) for one in seen for pile in one.values() for card in pile}
        return cards

    def balances(self):
        return {name: self.books.balance(name) for (name,) in ask(self.books, "SELECT name FROM accounts")}


class Player:
    """A member who types and presses; `told` is the present text of the last private answer."""

    def __init__(self, world, actor):
        self.world, self.actor = world, actor
        self.last: Any = None

    @property
    def told(self):
        return words(self.last.response)

    @property
    def codes(self):
        return codes(self.last.response)

    async def says(self, channel, command, **options):
        self.last = await self.actor.slash(channel, command, **options)
        assert self.last.acknowledged
        assert self.last.ephemeral
        return self.told

    async def presses(self, message, code):
        """Press a button whose custom id contains `code`."""
        found = [one for one in codes(message) if code in one]
        assert found, f"no {code} among {codes(message)}"
        message = message.message if isinstance(message, simcord.ResponseMessage) else message
        self.last = await self.actor.click(message, custom_id=found[0])
        assert self.last.acknowledged
        return self.told if self.last.response is not None else ""

    async def picks(self, message, value):
        """Pick a choice; `value` leaves out its precondition."""
        select, choice = next(
            (part, one["value"])
            for part in parts(message)
            for one in part.get("options", [])
            if f"|{value}|" in one["value"]
        )
        self.last = await self.actor.select(message, [choice], custom_id=select["custom_id"])
        assert self.last.acknowledged
        return self.told

    async def types(self, text):
        """Type into the shown modal."""
        self.last = await self.actor.submit_modal(self.last, {"typed": text})
        return self.told

    async def chooses(self, *wanted):
        """Press the first of these choices that the private answer offers."""
        for one in wanted:
            if any(f"|{one}|" in code for code in self.codes):
                return await self.presses(self.last.response, f"|{one}|")
        raise AssertionError(f"none of {wanted} among {self.codes}")

    def stack(self, table):
        player = self.world.house.identities["discord", str(self.actor.id)]
        return self.world.house.balance(f"stack:{table.id}:{player}")

    @property
    def chips(self):
        player = self.world.house.identities["discord", str(self.actor.id)]
        return self.world.house.balance(f"player:2:{player}")


def parts(message):
    """Return every component of a message, flat, as it was sent."""
    found = []

    def walk(components):
        for component in components:
            found.append(component)
            walk(component.get("components", []))

    if isinstance(message, discord.Message):
        walk([component.to_dict() for component in message.components])
    elif message is not None:
        walk(message.components)
    return found


def words(message):
    return "\n".join(part["content"] for part in parts(message) if "content" in part)


def codes(message):
    return [part["custom_id"] for part in parts(message) if "custom_id" in part]


@pytest.fixture
async def world(tmp_path):
    world = World(tmp_path / "data")
    await world.start()
    yield world
    await world.stop()


# A whole hand of each game, by two members, with commands and buttons


async def play_out(world, channel, players, *choices):
    """Let each player in turn choose in their private answer, until the hand is over."""
    for _round in range(200):
        table = world.table(channel)
        if table.round.hand is None:
            return
        owners = table.owners()
        asked = {owners[seat] for seat in table.round.hand.asks}
        for player in players:
            if world.house.identities["discord", str(player.actor.id)] in asked:
                await player.chooses(*choices)
                break
    raise AssertionError("the hand does not end")


async def test_caribbean_stud_bets_cards_raises_and_pays(world):
    channel = await world.open("caribbean")
    anna, bruno = world.member("anna"), world.member("bruno")
    assert "Bet 51: ante 50 + jackpot 1. " in await anna.says(channel, "bet", amount="50 jackpot")
    await bruno.presses(channel.last_message, "|bet|ante 50")
    assert "anna" in world.shown(channel)
    assert "bruno" in world.shown(channel)
    await world.hand(channel)
    assert "You hold" in anna.told  # the answer to anna's bet became the panel with anna's cards by itself
    assert len(CARD.findall(anna.told.split("\n")[0])) == 5
    assert world.shown(channel).count("🂠") == 14
    await anna.chooses("raise")
    assert "· raised ·" in world.shown(channel)
    await bruno.says(channel, "fold")
    assert world.table(channel).round.hand is None
    assert PAID.search(world.shown(channel))
    assert any(word in anna.told for word in ("wins", "loses", "push"))


async def test_paiju_is_bet_on_from_a_select_and_paid(world):
    channel = await world.open("paiju")
    anna, bruno = world.member("anna"), world.member("bruno")
    await anna.says(channel, "bet", amount="50", spot="south-west")
    await bruno.picks(channel.last_message, "bet|south 50")
    await world.wait(21)
    assert world.table(channel).last is not None
    assert PAID.search(world.shown(channel))
    assert "loses" in bruno.told or "wins" in bruno.told


async def test_paiju_cards_in_hand_are_turned_by_who_asked(world):
    channel = await world.open("paiju")
    anna = world.member("anna")
    await anna.says(channel, "bet", amount="50", spot="south")
    await anna.presses(anna.last.response, "|squeeze|")
    await world.wait(21)
    assert world.table(channel).round.turning
    await anna.says(channel, "squeeze")
    assert world.table(channel).round.turning, "what asks for the right turns no cards"
    await anna.says(channel, "squeeze", area="south")
    assert world.table(channel).last is not None


async def test_black_jack_boxes_hit_stand_and_a_co_player(world):
    channel = await world.open("blackjack")
    anna, bruno = world.member("anna"), world.member("bruno")
    await anna.says(channel, "bet", amount="20")
    await bruno.says(channel, "bet", amount="20", box=1)
    await bruno.picks(channel.last_message, "bet|3 main 10")
    await world.hand(channel)
    await play_out(world, channel, [anna, bruno], "decline", "stand", "stay")
    assert PAID.search(world.shown(channel))


@pytest.mark.slow
async def test_stud_is_played_from_stacks_by_turns(world):
    channel = await world.open("stud")
    anna, bruno = world.member("anna"), world.member("bruno")
    for player in (anna, bruno):
        await player.says(channel, "balance")
    await world.wait(DAY)  # SH1
    assert "stack 320. " in await anna.presses(channel.last_message, "|buyin|320")
    await bruno.presses(channel.last_message, f"a{world.table(channel).id}|buyin|")
    assert bruno.last.modal is not None
    assert "stack 400. " in await bruno.types("400")
    await world.hand(channel)
    for player in (anna, bruno):
        await player.says(channel, "cards")
        assert len(CARD.findall(player.told.split("\n")[0])) == 3
    await play_out(world, channel, [anna, bruno], "bet", "call", "bring-in", "check", "fold")
    assert "The pot was" in world.shown(channel)


@pytest.mark.slow
async def test_who_plays_for_a_pot_sees_it_and_the_open_cards_of_the_others_in_their_own_answer(world):
    """Moves of others are told when a player must choose, and to all with the next cards: at most two edits a move."""
    channel = await world.open("stud")
    players = [world.member(name) for name in ("anna", "bruno", "carla", "dora")]
    for player in players:
        await player.says(channel, "balance")
    await world.wait(DAY)
    for player in players:
        await player.presses(channel.last_message, "|buyin|320")
    await world.hand(channel)
    for player in players:
        await player.says(channel, "cards")
    sent, moves = len(world.sent), 0
    while (hand := world.table(channel).round.hand) is not None:
        seat = world.table(channel).owners()[next(iter(hand.asks))]
        asked = next(one for one in players if world.house.identities["discord", str(one.actor.id)] == seat)
        assert "Pot: " in asked.told
        lie_open = {say_card(card) for cards in hand.cards(None).values() for card in cards if card != HIDDEN}
        assert lie_open <= set(CARD.findall(asked.told))
        await asked.chooses("bring-in", "check", "call")
        moves += 1
    private = [one for one in world.sent[sent:] if one.method == "PATCH" and "/webhooks/" in one.path]
    assert moves > 15
    assert len(private) <= 2 * moves, (len(private), moves)


async def test_one_private_answer_a_player_stands_at_a_table(world):
    """A new answer replaces the one before."""
    channel = await world.open("caribbean")
    anna = world.member("anna")
    await anna.says(channel, "bet", amount="50")
    first = anna.last
    await anna.presses(channel.last_message, "|bet|ante 10")
    assert first.response is None
    assert "Bet 10 more: ante. " in anna.told


async def test_an_exchange_goes_by_position_and_its_card_is_suggested_to_its_owner(world):
    channel = await world.open("caribbean")
    anna = world.member("anna")
    await anna.says(channel, "bet", amount="50")
    await world.hand(channel)
    suggested = await anna.actor.autocomplete(channel, "exchange", "position", "")
    assert [one["value"] for one in suggested] == [1, 2, 3, 4, 5]
    assert CARD.search(suggested[0]["name"])
    await anna.presses(anna.last.response, "|exchange|3")
    assert "exchange" in anna.told
    assert "|exchange|" not in str(anna.codes)


async def test_a_custom_amount_is_typed_into_a_modal(world):
    channel = await world.open("caribbean")
    anna = world.member("anna")
    await anna.presses(channel.last_message, "|bet||")
    assert anna.last.modal["custom_id"].startswith("t")
    assert "Bet 35: ante. " in await anna.types("35")
    assert anna.chips == 965_00


async def test_a_modal_outlives_a_restart(world):
    channel = await world.open("paiju")
    anna = world.member("anna")
    await anna.presses(channel.last_message, "|bet||")
    assert "west 15" in str(anna.last.modal)
    await world.restart()
    assert "50: west. " in await anna.types("west 50")


@contextmanager
def as_it_was(world, message, code):
    """Restore an earlier state of the message, for a press that is under way while it changes."""
    stored = copy.deepcopy(world.env.backend.get_message(message.channel.id, message.id))
    yield {"custom_id": next(one for one in codes(message) if code in one), "component_type": 2}, stored


@pytest.mark.slow
async def test_a_call_that_still_shows_for_who_was_before_puts_nothing_of_the_next_player_in(world):
    """The public row may be three seconds old: the call of 2 belongs to the player who completed, the next would
    pay 4.
    """
    channel = await world.open("stud")
    players = [world.member(name) for name in ("anna", "bruno", "carla")]
    for player in players:
        await player.says(channel, "balance")
    await world.wait(DAY)  # SH1
    for player in players:
        await player.says(channel, "buyin", amount="320")
    await world.hand(channel)
    table = world.table(channel)
    first, second = (_holder(world, players, table, seat) for seat in _next_two(table))
    before = second.stack(table)
    with as_it_was(world, channel.last_message, "|call|") as (data, stored):
        await first.says(channel, "complete")
        second.last = await actors._component_interaction(second.actor, stored, data)
    assert "another player's" in second.told
    assert second.stack(table) == before
    await second.says(channel, "call")
    assert second.stack(table) == before - 4_00


def _next_two(table):
    (first,) = table.round.hand.asks
    order = [str(stake.seat) for stake in table.round.hand.deal.stakes]
    return first, order[(order.index(first) + 1) % len(order)]


def _holder(world, players, table, seat):
    number = table.owners()[seat]
    return next(one for one in players if world.house.identities["discord", str(one.actor.id)] == number)


async def test_the_same_interaction_delivered_twice_bets_once(world):
    channel = await world.open("caribbean")
    anna = world.member("anna")
    await anna.says(channel, "bet", amount="50")
    payload = next(p for kind, name, p in reversed(world.env.backend.transcript) if name == "INTERACTION_CREATE")
    world.env.backend.emit("INTERACTION_CREATE", payload)
    await world.env.settle()
    assert anna.chips == 950_00


@pytest.mark.slow
@pytest.mark.parametrize("code", ["t:1:2:bet:", "s:1:", "p1||1|12", "#0123456789abcdef", "vote:1", "m|call||"])
async def test_a_button_of_ours_that_nobody_can_read_any_more_says_so(world, code):
    """All presses come from the bot's own messages; without an answer Discord says that the bot did not respond."""
    channel = await world.open("caribbean")
    anna = world.member("anna")
    with as_it_was(world, channel.last_message, "|bet|ante 10") as (data, stored):
        anna.last = await actors._component_interaction(anna.actor, stored, {**data, "custom_id": code})
    assert "This button no longer works." in anna.told
    assert world.table(channel).round.bets == ()


async def test_too_fast_is_told_once_and_politely(world):
    channel = await world.open("caribbean")
    anna = world.member("anna")
    for _press in range(10):
        await anna.presses(channel.last_message, "|bet|ante 10")
    assert "Too fast" in await anna.presses(channel.last_message, "|bet|ante 10")
    assert "fast" not in await anna.presses(channel.last_message, "|bet|ante 10")
    assert anna.chips == 900_00


async def test_a_press_in_the_private_answer_of_before_the_restart(world):
    channel = await world.open("caribbean")
    anna = world.member("anna")
    await anna.says(channel, "bet", amount="50")
    await world.hand(channel)
    await world.restart()
    await anna.chooses("fold")
    assert world.table(channel).round.hand is None


async def test_G10_a_deleted_channel_gives_bets_back_that_were_not_dealt(world):
    channel = await world.open("caribbean")
    anna = world.member("anna")
    await anna.says(channel, "bet", amount="50")
    table = world.table(channel)
    with world.env._bot_scope():
        world.env.backend.delete_channel(channel.id)
    await world.env.settle()
    assert anna.chips == 1000_00
    assert world.house.table(table.id).status == "closed"


async def test_G10_a_dealt_hand_waits_for_another_place_and_goes_on_there(world):
    channel = await world.open("caribbean")
    anna = world.member("anna")
    await anna.says(channel, "bet", amount="50")
    await world.hand(channel)
    world.env.backend.delete_channel(channel.id)
    await world.wait(3600)
    other = await world.open("caribbean")
    assert "waiting for anna" in world.shown(other)
    assert "You hold" in await anna.presses(other.last_message, "|cards|")
    await anna.chooses("raise")
    assert PAID.search(world.shown(other))


async def test_G10_a_lost_permission_pauses_the_table_until_it_is_back(world):
    channel = await world.open("caribbean")
    anna = world.member("anna")
    fault = {"status": 403, "code": 50013, "message": "Missing Permissions", "times": None}
    world.env.inject_error("*", "/channels/*/messages*", **fault)
    await anna.says(channel, "bet", amount="50")
    assert anna.chips == 1000_00
    assert world.table(channel).status == "paused"
    world.env.backend.faults.clear()
    await anna.says(channel, "cards")  # it accepts posts again, as an interaction shows
    assert world.table(channel).status == "open"
    assert "Bet 50: ante. " in await anna.says(channel, "bet", amount="50")


async def test_the_bot_leaves_the_server_and_comes_back(world):
    channel = await world.open("caribbean")
    anna = world.member("anna")
    await anna.says(channel, "bet", amount="50")
    table = world.table(channel)
    await world.env.bot.get_guild(world.guild.id).leave()
    await world.env.settle()
    assert anna.chips == 1000_00
    assert world.house.table(table.id).status == "closed"


async def test_setup_makes_a_channel_for_each_game_and_may_be_said_twice(world):
    lobby = world.guild.create_text_channel("lobby")
    await world.boss.says(lobby, "setup")
    channels = {channel.name: channel for channel in world.env.bot.get_guild(world.guild.id).text_channels}
    assert {"caribbean-stud", "paiju", "black-jack", "cashier", "jackpot"} <= channels.keys()
    tables = [table for table in world.house.tables.values() if table.casino == 2]
    assert sorted(table.game for table in tables) == sorted(PLAYS)
    await world.boss.says(lobby, "setup")
    assert world.boss.told.count("<#") == len(PLAYS)
    assert len(world.env.bot.get_guild(world.guild.id).channels) == len(channels) + 1
    cashier = world.guild.channels["cashier"]
    assert "200 chips" in await world.member("anna").presses(cashier.last_message, "|daily|")


async def test_setup_says_which_permission_it_lacks(world):
    role = next(role for role in world.env.backend.get_guild(world.guild.id).roles.values() if role.name == "TestBot")
    role.permissions &= ~(discord.Permissions(manage_channels=True, administrator=True).value)
    await world.restart()
    told = await world.boss.says(world.guild.create_text_channel("lobby"), "setup")
    assert "I'm missing Manage Channels on this server" in told
    assert "Server Settings" in told


async def test_inspectors_commands_are_hidden_from_members_and_checked_again(world):
    channel = await world.open("caribbean")
    anna = world.member("anna")
    assert "table close" not in anna.actor.available_commands(channel)
    assert "table close" in world.boss.actor.available_commands(channel)
    commands = await world.env.bot.tree.fetch_commands()
    grant = next(command for command in commands if command.name == "grant")
    world.guild.set_command_permissions(grant, {anna.actor: True})
    assert "Only inspectors" in await anna.says(channel, "grant", player=anna.actor, amount="50", reason="me")
    await anna.says(channel, "balance")
    asked = await world.boss.says(channel, "grant", player=anna.actor, amount="50", reason="prize")
    assert "Give anna 50 chips? 1,000 → 1,050." in asked
    assert "1,050" in await world.boss.presses(world.boss.last.response, "y|")


async def test_a_chosen_role_inspects(world):
    channel = await world.open("caribbean")
    role = world.guild.create_role("Croupier")
    anna = world.member("anna", role)
    await world.boss.says(channel, "setup", inspectors=role)
    commands = await world.env.bot.tree.fetch_commands()
    world.guild.set_command_permissions(next(c for c in commands if c.name == "audit"), {role: True})
    assert "Inspector role" in await anna.says(channel, "audit")


async def test_whatever_concerns_oneself_may_be_said_in_a_direct_message(world):
    channel = await world.open("caribbean")
    anna = world.member("anna")
    person = simcord.UserHandle(world.env, world.env.backend.get_user(anna.actor.id))
    await anna.says(channel, "bet", amount="50")
    for command, told in {
        "language": "English",
        "link": "Your code is",
        "pause": "limit",
        "history": "Hand",
        "odds caribbean": "%",
    }.items():
        name, *game = command.split()
        said = words((await person.slash(name, **dict(zip(["game"], game, strict=False)))).response)
        assert told in said, (command, said)


async def test_a_thread_may_be_a_table(world):
    channel = world.guild.create_text_channel("sale")
    thread = await world.env.bot.get_channel(channel.id).create_thread(
        name="sala", type=discord.ChannelType.public_thread
    )
    handle = next(one for one in channel.threads if one.id == thread.id)
    await world.boss.says(handle, "table open", game="paiju")
    assert "Place your bets" in world.shown(handle)


async def test_amounts_and_seats_are_suggested(world):
    channel = await world.open("blackjack")
    anna = world.member("anna")
    amounts = await anna.actor.autocomplete(channel, "bet", "amount", "")
    assert {"10", "half", "max"} <= {one["value"] for one in amounts}
    seats = await anna.actor.autocomplete(channel, "sit", "seat", "")
    assert [one["value"] for one in seats] == [1, 2, 3, 4, 5, 6, 7]
    settings = await world.boss.actor.autocomplete(channel, "table set", "setting", "mini")
    assert [one["value"] for one in settings] == ["minimum"]


async def test_the_record_of_a_hand_comes_as_a_file(world):
    channel = await world.open("paiju")
    anna = world.member("anna")
    await anna.says(channel, "bet", amount="50", spot="south")
    await world.wait(21)
    hand = world.table(channel).last_hand
    await anna.says(channel, "verify", hand=hand)
    assert anna.last.response.attachments[0].filename == f"hand-{hand}.json"
    await anna.says(channel, "verify", download="file")
    sent = anna.last.response.attachments[0]
    assert (sent.filename, sent.size) == (pack.FILE, len(pack.packed()[0]))


async def test_every_verb_is_a_command_within_discords_limits(world):
    sent = next(request for request in world.sent if request.method == "PUT").json
    assert len(sent) <= 100
    leaves = {}
    for command in sent:
        subcommands = [option for option in command.get("options", []) if option["type"] == 1]
        assert len(subcommands) <= 25
        for one in subcommands or [command]:
            leaves[f"{command['name']} {one['name']}" if subcommands else command["name"]] = one
        assert sum(map(len, texts_of(command))) <= 8000
    assert {name.replace(" ", "-") for name in leaves} == {name.replace(" ", "-") for name in CHAT_COMMANDS}
    for name, one in leaves.items():
        for text in (one["name"], *(one.get("name_localizations") or {}).values()):
            assert re.fullmatch(r"[-_'\w]{1,32}", text), name
            assert text == text.lower(), name
        for text in (one["description"], *(one.get("description_localizations") or {}).values()):
            assert 1 <= len(text) <= 100, name
        assert len(one.get("options", [])) <= 25


@pytest.mark.parametrize("locale", LOCALES)
async def test_no_two_commands_or_options_share_a_name_in_any_language(world, locale):
    def check(entries):
        names = [(one.get("name_localizations") or {}).get(locale, one["name"]) for one in entries]
        assert len(names) == len(set(names)), names
        for one in entries:
            check(one.get("options", []))

    check(next(request for request in world.sent if request.method == "PUT").json)


def texts_of(command):
    found = [command["name"], command.get("description", "")]
    for option in [*command.get("options", []), *command.get("choices", [])]:
        found += texts_of(option)
    return found


async def test_inspectors_verbs_carry_the_permission_and_players_do_not(world):
    sent = {one["name"]: one for one in next(request for request in world.sent if request.method == "PUT").json}
    for verb in CHAT_COMMANDS.values():
        first, apart = verb.name.partition(" ")[0], verb.name.replace(" ", "-")
        hidden = sent[apart if apart in sent else first]["default_member_permissions"]
        assert (hidden == 32) == (verb.group == "inspectors"), verb.name


async def test_italian_for_the_table_by_the_server_and_for_answers_by_the_member(world, monkeypatch):
    base = interactions.base_payload

    def italian(*args, **kwargs):
        record, payload = base(*args, **kwargs)
        payload["locale"] = payload["guild_locale"] = "it"
        return record, payload

    monkeypatch.setattr(interactions, "base_payload", italian)
    channel = world.guild.create_text_channel("sala")
    await world.boss.says(channel, "table open", game="caribbean")
    assert "aperto" in world.boss.told
    assert world.table(channel).settings.language == "it"
    anna = world.member("anna")
    await anna.says(channel, "bet", amount="1.5")
    assert "50" in await anna.says(channel, "bet", amount="50")
    await world.hand(channel)
    assert "Rilancia" in str([part.get("label") for part in parts(anna.last.response)])


@pytest.mark.parametrize("locale", LOCALES)
async def test_commands_have_names_and_descriptions_in_every_language(world, locale):
    sent = {one["name"]: one for one in next(request for request in world.sent if request.method == "PUT").json}
    assert sent["bet"]["name_localizations"][locale] != "bet"
    untranslated = [name for name, one in sent.items() if not (one.get("description_localizations") or {}).get(locale)]
    assert not untranslated


async def test_no_description_is_a_form_to_be_read(world):
    """Arguments are described in words; “[NUMBER|NAME]” means nothing to players."""
    sent = next(request for request in world.sent if request.method == "PUT").json
    told = [(one["name"], option["description"]) for one in sent for option in leaves(one)]
    assert len(told) > 50
    assert not [one for one in told if re.search(r"\[|[A-Z]{3,}", one[1])]


def leaves(command):
    """Yield the options of a command or of all its subcommands."""
    for option in command.get("options", ()):
        yield from leaves(option) if option["type"] <= 2 else [option]


async def test_a_language_is_chosen_by_its_own_name(world):
    sent = {one["name"]: one for one in next(request for request in world.sent if request.method == "PUT").json}
    (option,) = sent["language"]["options"]
    assert [choice["value"] for choice in option["choices"]] == [*LANGUAGES.values()]
    channel = await world.open("caribbean")
    assert "Deutsch" in await world.member("anna").says(channel, "language", language="Deutsch")


@pytest.fixture
async def paced(tmp_path):
    """A world with the real gaps between edits, of a second and more, whose timers `wait` runs."""
    world = World(tmp_path / "data", pace=1.0, settle_timeout=0.95)
    await world.start()
    yield world
    await world.stop()


async def seconds(world, count):
    for _second in range(count):
        await world.wait(1.0)


def table_calls(world):
    """Return messages and edits; reads of the channel do not count."""
    return [request for request in world.sent if PUBLIC.search(request.path) and request.method != "GET"]


@pytest.fixture
def busy(monkeypatch):
    """Let other tables use all spare calls."""
    monkeypatch.setattr(Budget, "is_quiet", lambda budget, now: False)


async def test_what_is_pressed_is_seen_within_a_second_and_a_half_while_there_are_calls_to_spare(paced):
    world = paced
    channel = await world.open("caribbean")
    await seconds(world, 2)
    players = {name: world.member(name) for name in ("anna", "bruno", "carla", "dora", "elio")}
    for name, player in players.items():
        await player.says(channel, "bet", amount="20")
        await world.wait(1.2)
        assert name in world.shown(channel)
    await world.hand(channel)
    for name in ("anna", "bruno"):
        await world.wait(1.2)
        await players[name].says(channel, "raise")
        await world.wait(1.2)
        assert any(name in line and "raised" in line for line in world.shown(channel).split("\n"))


# The longest words are German.
BY_LANGUAGE: dict[str, Any] = {SOURCE: (), "de": pytest.mark.slow}
IN_EVERY_LANGUAGE = [
    pytest.param(game, language, marks=BY_LANGUAGE.get(language, pytest.mark.exhaustive))
    for game in STAGES
    for language in LANGUAGES
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "language"), IN_EVERY_LANGUAGE)
async def test_two_hands_are_played_and_nobody_scrolls(world, game, language):
    """All is pressed at the table or in a private answer: below the table there is nothing but a mention."""
    channel = await world.open(game)
    await world.boss.says(channel, "table set", setting="language", value=language, reason="for the channel")
    players = [world.member(name) for name in ("anna", "bruno", "carla")]
    first, hand, ended, below = channel.last_message.id, world.table(channel).round.hand_id, 0, []
    for _press in range(300):
        if world.table(channel).round.hand is None:
            for player in players:
                if world.table(channel).round.hand is None:
                    await press_a_bet(channel, player)
        for player in players:
            with suppress(AssertionError):  # the player is not in turn, or has no cards
                await player.presses(table_in(channel), "|cards|")
                await player.chooses("decline", "check", "call", "raise", "stand", "play", "bring-in", "fold")
        await world.wait(3)
        below.append(len([one for one in channel.history() if one.id > first]))
        ended += world.table(channel).round.hand_id != hand
        hand = world.table(channel).round.hand_id
        if ended == 2:
            break
    assert ended == 2
    assert max(below) <= 1, below


@pytest.mark.slow
@pytest.mark.parametrize("game", STAGES)
async def test_where_people_chat_the_table_is_in_sight_whenever_somebody_chooses(world, game):
    """Twelve messages before the hand, three during it; each player to move has their cards in a private answer."""
    channel = await world.open(game)
    players = [world.member(name) for name in ("anna", "bruno", "carla")]
    first, hand = channel.last_message.id, world.table(channel).round.hand_id
    for _line in range(12):
        await players[0].actor.send(channel, "ciao")
    await world.wait(610)
    for look in range(60):
        if world.table(channel).round.hand is None:
            for player in players:
                if world.table(channel).round.hand is None:
                    await press_a_bet(channel, player)
        if world.table(channel).round.hand is not None:
            assert below(channel) < 8
        for player in players:
            with suppress(AssertionError):  # the player is not in turn, or has no cards
                await player.presses(table_in(channel), "|cards|")
                await player.chooses("decline", "check", "call", "raise", "stand", "play", "bring-in", "fold")
        await world.wait(3)
        if look in (0, 2, 4):
            await players[2].actor.send(channel, "and now?")
        if world.table(channel).last_hand == hand:
            break
    assert world.table(channel).last_hand == hand
    assert table_in(channel).id > first
    assert below(channel) < 8


def below(channel):
    return len([one for one in channel.history() if one.id > table_in(channel).id])


async def press_a_bet(channel, player):
    """Press the first bet on offer: an amount, a stack, or the first area or box of a select."""
    post = table_in(channel)
    for verb in ("|bet|", "|buyin|"):
        if found := [code for code in codes(post) if verb in code and not code.startswith("a")]:
            await player.presses(post, found[0])
            return
    options = [one["value"] for part in parts(post) for one in part.get("options", [])]
    await player.picks(post, options[0].split("|", 1)[1].rsplit("|", 1)[0])


def table_in(channel):
    return next(one for one in reversed(channel.history()) if codes(one))


async def test_who_is_waited_for_is_mentioned_once_at_half_their_clock_and_it_is_deleted(world):
    channel = await world.open("caribbean")
    anna, bruno = world.member("anna"), world.member("bruno")
    await anna.says(channel, "bet", amount="20")
    await bruno.says(channel, "bet", amount="20")
    await world.hand(channel)
    await bruno.chooses("raise")
    await world.wait(14)
    assert "<@" not in channel.last_message.content
    await world.wait(2)
    assert channel.last_message.content.startswith(f"<@{anna.actor.id}>:")
    mentions = [
        request.json["allowed_mentions"] for request in world.sent if request.json and "<@" in str(request.json)
    ]
    assert [(one["parse"], one["users"]) for one in mentions] == [([], [anna.actor.id])]
    await anna.chooses("raise")
    assert "<@" not in channel.last_message.content


@pytest.mark.slow
@pytest.mark.parametrize("game", STAGES)
async def test_who_never_answers_is_mentioned_once_a_hand(world, game):
    channel = await world.open(game)
    await world.boss.says(channel, "table set", setting="pace", value="slow")
    players = {str(player.actor.id): player for player in map(world.member, ("anna", "bruno", "carla"))}
    for player in players.values():
        await press_a_bet(channel, player)
    before, hand = len(world.sent), world.table(channel).round.hand_id
    await world.wait(31)  # bets are taken for twenty seconds, stacks for ten
    is_asked = world.table(channel).round.hand is not None
    while world.table(channel).round.hand is not None and world.table(channel).round.hand_id == hand:
        await world.wait(20)
    assert world.table(channel).last is not None
    said = [one.json for one in world.sent[before:] if one.json and "<@" in json.dumps(one.json)]
    mentioned = Counter(str(user) for one in said for user in one["allowed_mentions"].get("users", ()))
    assert bool(mentioned) is is_asked
    assert set(mentioned) <= set(players)
    assert set(mentioned.values()) <= {1}, mentioned
    assert not [one for one in said if one["allowed_mentions"]["parse"]]


async def test_each_street_is_shown_at_once(paced):
    world = paced
    channel = await world.open("uth")
    anna, bruno = world.member("anna"), world.member("bruno")
    await anna.says(channel, "bet", amount="20")
    await bruno.says(channel, "bet", amount="20")
    await world.hand(channel)
    await anna.chooses("check")
    await bruno.chooses("check")
    await seconds(world, 2)
    board = next(line for line in world.shown(channel).split("\n") if line.startswith("Board"))
    assert len(CARD.findall(board)) == 3


async def test_stud_and_black_jack_show_the_newest_state_every_three_seconds_at_most(paced, busy):
    world = paced
    channel = await world.open("blackjack")
    anna, bruno = world.member("anna"), world.member("bruno")
    await seconds(world, 4)
    before = len(table_calls(world))
    for player in (anna, bruno, anna, bruno):
        await player.says(channel, "bet", amount="10")
        await seconds(world, 1)
    assert len(table_calls(world)) - before <= 2
    await seconds(world, 3)
    assert "main 20" in world.shown(channel)


async def test_a_hand_of_six_at_holdem_costs_at_most_twelve_edits_its_deal_included(paced):
    world = paced
    channel = await world.open("holdem")
    players = {name: world.member(name) for name in ("anna", "bruno", "carla", "dora", "elio", "fede")}
    for player in players.values():
        await player.says(channel, "buyin", amount="100")
    await world.hand(channel)
    await seconds(world, 2)
    hand, before, decided = world.table(channel).round.hand_id, len(table_calls(world)), 0
    thinking = cycle((4, 2, 6, 3, 5))
    while (table := world.table(channel)).round.hand is not None and table.round.hand_id == hand:
        await seconds(world, next(thinking))
        (clock,) = CLOCK.findall(world.shown(channel))
        assert int(clock) > world.wall()
        ((seat, offers),) = world.table(channel).round.hand.asks.items()
        asked = table.owners()[seat]
        player = next(one for one in players.values() if world.house.identities["discord", str(one.actor.id)] == asked)
        await player.says(channel, "call" if "call" in [offer.word for offer in offers] else "check")
        decided += 1
    await seconds(world, 4)
    assert decided == 24
    assert len(table_calls(world)) - before <= 11


async def test_an_hour_later_the_table_stands_in_a_new_message_and_the_old_buttons_are_gone(world):
    channel = await world.open("caribbean")
    old = channel.last_message
    anna = world.member("anna")
    await world.wait(3700)
    await anna.says(channel, "bet", amount="20")
    assert channel.last_message.id != old.id
    assert codes(await world.env.bot.get_channel(channel.id).fetch_message(old.id)) == []
    assert codes(channel.last_message)
