"""The suite's own Discord, through the real discord.py: what the library reads of it, and what it refuses."""

from __future__ import annotations

import asyncio
import io
import os
import sys
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import discord
import pytest
import yarl
from discord import app_commands, ui
from discord.ext import commands

from tests import discord_description
from tests.patience import PATIENCE_S
from tests.servers.discord import NO_RESPONSE, Channel, DiscordServer, Guild, Impossible, Member
from tests.servers.discord.server import CREATE_MESSAGE, EDIT_MESSAGE
from tests.servers.discord.things import INVITED, bits
from tests.some import some

PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
CALLBACK = "POST /interactions/{interaction_id}/{interaction_token}/callback"
ORIGINAL = "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original"


class Press(ui.DynamicItem[ui.Button[Any]], template=r"press:(?P<what>\w+)"):
    def __init__(self, what: str) -> None:
        super().__init__(ui.Button(label=what.title(), custom_id=f"press:{what}"))
        self.what = what

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction, item: Any, match: Any) -> Press:
        return cls(match["what"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await PRESSES[self.what](interaction)


class Table(ui.LayoutView):
    def __init__(self, text: str, *presses: str, picture: str | None = None) -> None:
        super().__init__(timeout=None)
        inside: list[ui.Item[Any]] = [ui.TextDisplay(text)]
        if picture is not None:
            inside.append(ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{picture}")))
        inside += [ui.ActionRow(*(Press(what) for what in presses))] if presses else []
        self.add_item(ui.Container(*inside, accent_colour=0x107C10))


class BetForm(ui.Modal, title="Your bet"):
    amount: ui.Label[Any] = ui.Label(text="Amount", component=ui.TextInput(custom_id="amount", max_length=6))

    def __init__(self) -> None:
        super().__init__(custom_id="form:bet", timeout=60)

    async def on_submit(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message(f"You bet {self.amount.component.value}", ephemeral=True)  # type: ignore[attr-defined]


async def show_cards(interaction: discord.Interaction[Any]) -> None:
    await interaction.response.send_message(view=Table(f"As Kd for {interaction.user.name}", "fold"), ephemeral=True)


async def fold(interaction: discord.Interaction[Any]) -> None:
    await interaction.response.edit_message(view=Table("Folded"))


async def think(interaction: discord.Interaction[Any]) -> None:
    await interaction.response.defer(ephemeral=True, thinking=True)
    await asyncio.sleep(0.05)
    await interaction.edit_original_response(content="Done", attachments=[_picture("cards.png")])


async def quietly(interaction: discord.Interaction[Any]) -> None:
    await interaction.response.defer()


async def ask(interaction: discord.Interaction[Any]) -> None:
    await interaction.response.send_modal(BetForm())


async def nothing(interaction: discord.Interaction[Any]) -> None:
    return None


async def choose(interaction: discord.Interaction[Any]) -> None:
    options = [discord.SelectOption(label=f"Card {number}", value=str(number)) for number in range(1, 5)]
    view = ui.View(timeout=5)
    select: ui.Select[Any] = ui.Select(custom_id="exchange", max_values=2, options=options)
    view.add_item(select)

    async def chosen(inner: discord.Interaction[Any]) -> None:
        await inner.response.edit_message(content=f"Out go {select.values}", view=None)

    select.callback = chosen  # type: ignore[method-assign, assignment]
    await interaction.response.send_message("Which?", view=view, ephemeral=True)


async def twice(interaction: discord.Interaction[Any]) -> None:
    await interaction.response.defer(thinking=True)
    await interaction.followup.send("first")
    await interaction.followup.send("second", ephemeral=True)


PRESSES = {
    "choose": choose,
    "twice": twice,
    "cards": show_cards,
    "fold": fold,
    "think": think,
    "quietly": quietly,
    "ask": ask,
    "nothing": nothing,
}


def _picture(name: str) -> discord.File:
    return discord.File(io.BytesIO(PICTURE), name)


class Italian(app_commands.Translator):
    async def translate(self, string: app_commands.locale_str, locale: discord.Locale, context: Any) -> str | None:
        return {"bet": "punta"}.get(string.message) if locale is discord.Locale.italian else None


class House(commands.AutoShardedBot):
    def __init__(self, **options: Any) -> None:
        super().__init__(
            commands.when_mentioned,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            guild_ready_timeout=0.05,
            **options,
        )
        self.heard: list[Any] = []

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Press)
        self.tree.add_command(bet)
        self.tree.add_command(desk)
        self.tree.add_command(whose)
        await self.tree.set_translator(Italian())
        await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """The library's own waits five seconds before each IDENTIFY but the first."""

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        self.heard.append(("left", guild.name))

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        self.heard.append(("deleted", channel.name))

    async def on_resumed(self) -> None:
        self.heard.append("resumed")


@app_commands.command(description="Puts chips down")
@app_commands.guild_only()
async def bet(
    interaction: discord.Interaction[Any], amount: app_commands.Range[int, 1, 500], spot: str | None = None
) -> None:
    said = f"{amount} on {spot} ({interaction.locale}, {interaction.guild_locale})"
    await interaction.response.send_message(said, ephemeral=True)


@bet.autocomplete("spot")
async def spots(interaction: discord.Interaction[Any], current: str) -> list[app_commands.Choice[str]]:
    names = [name for name in ("ante", "bonus") if name.startswith(current)]
    return [app_commands.Choice(name=name.title(), value=name) for name in names]


desk = app_commands.Group(
    name="desk", description="For inspectors", default_permissions=discord.Permissions(manage_guild=True)
)


@desk.command(name="open", description="Opens a table")
async def open_desk(interaction: discord.Interaction[Any], channel: discord.TextChannel) -> None:
    await interaction.response.send_message(f"Open in {channel.mention}")


@app_commands.command(description="Names somebody")
async def whose(interaction: discord.Interaction[Any], member: discord.Member) -> None:
    await interaction.response.send_message(f"{member.name} may manage: {member.guild_permissions.manage_guild}")


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[DiscordServer]:
    async with DiscordServer() as server:
        monkeypatch.setattr(discord.http.Route, "BASE", server.api)
        monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(server.gateway_url))
        yield server


@pytest.fixture
def guild(server: DiscordServer) -> Guild:
    return server.guild("Ridotto", locale="it")


@pytest.fixture
def paiju(guild: Guild) -> Channel:
    return guild.text_channel("paiju")


@pytest.fixture
def anna(guild: Guild) -> Member:
    return guild.member("Anna", locale="it")


@pytest.fixture
def bea(guild: Guild) -> Member:
    return guild.member("Bea")


@pytest.fixture
async def house(server: DiscordServer, paiju: Channel) -> AsyncIterator[House]:
    house = House()
    running = asyncio.create_task(house.start(server.token))
    await server.ready()
    await asyncio.wait_for(house.wait_until_ready(), PATIENCE_S)
    yield house
    await house.close()
    await running


def channel_of(house: House, channel: Channel) -> discord.TextChannel:
    """As the library knows it."""
    found = house.get_channel(channel.id)
    assert isinstance(found, discord.TextChannel)
    return found


async def deal(house: House, channel: Channel, *presses: str, **options: Any) -> discord.Message:
    return await channel_of(house, channel).send(view=Table("Place your bets", *presses), **options)


# What the library reads


async def test_the_library_knows_guild_channels_roles_and_its_own_rights(
    house: House, server: DiscordServer, guild: Guild, paiju: Channel
):
    guild.text_channel("cassa", guild.category("Ridotto"))
    ours = some(house.get_guild(guild.id))
    assert (ours.name, ours.preferred_locale, ours.me.name) == ("Ridotto", discord.Locale.italian, "ridotto")
    await server.until(lambda: len(ours.text_channels) == 2)
    assert [(c.name, getattr(c.category, "name", None)) for c in ours.text_channels] == [
        ("paiju", None),
        ("cassa", "Ridotto"),
    ]
    assert (
        channel_of(house, paiju).permissions_for(ours.me).value == bits(INVITED) | ours.default_role.permissions.value
    )


async def test_what_the_server_answers_is_what_discord_describes(
    house: House, server: DiscordServer, guild: Guild, paiju: Channel, anna: Member
):
    """Every answer of a varied session, against the same description as the bot's calls."""
    message = await deal(house, paiju, "cards", "think", "ask")
    await message.edit(view=Table("Cards", "cards", "think", picture="table.png"), attachments=[_picture("table.png")])
    await anna.presses(paiju.last, "Cards")
    await anna.presses(paiju.last, "Think")
    shown = await anna.presses(paiju.last, "press:ask", stale=True)
    await server.answered()
    await anna.submits_modal(shown, amount="50")
    await house.application_info()
    await house.create_application_emoji(name="card_as", image=PICTURE)
    await house.fetch_application_emojis()
    seen = await house.fetch_guild(guild.id)
    category = await seen.create_category(
        "Ridotto", overwrites={seen.default_role: discord.PermissionOverwrite(send_messages=False)}
    )
    made = await category.create_text_channel("Black Jack", topic="21")
    await made.edit(topic="21!")
    await made.set_permissions(seen.default_role, send_messages=False, view_channel=True)
    await (await made.create_thread(name="side", type=discord.ChannelType.public_thread)).send("hello")
    await (await house.fetch_user(anna.id)).send("hello")
    await channel_of(house, paiju).fetch_message(message.id)
    assert [m.id async for m in channel_of(house, paiju).history(limit=5)] == [message.id]
    wrong = {
        c.route: discord_description.answer_complaints(c.method, c.template, c.status or 0, c.answer)
        for c in server.calls
    }
    assert {route: w for route, w in wrong.items() if w} == {}
    assert len({call.route for call in server.calls}) >= 18
    server.assert_clean()


async def test_commands_are_registered_with_their_localised_names(house: House, server: DiscordServer):
    registered = {command["name"]: command for command in server.commands}
    assert sorted(registered) == ["bet", "desk", "whose"]
    assert registered["bet"]["name_localizations"] == {"it": "punta"}
    assert registered["desk"]["default_member_permissions"] == "32"
    first = {name: command["id"] for name, command in registered.items()}
    await house.tree.sync()
    assert {command["name"]: command["id"] for command in server.commands} == first


async def test_a_command_answers_in_private_and_knows_both_languages(
    house: House, paiju: Channel, anna: Member, bea: Member
):
    answer = await anna.slash(paiju, "bet", amount=50, spot="ante")
    assert (answer.text, answer.is_ephemeral, answer.failure) == ("50 on ante (it, it)", True, None)
    assert some(answer.message).reader is anna
    assert paiju.messages == []
    assert (await bea.slash(paiju, "bet", amount=1)).text == "1 on None (en-US, it)"


async def test_a_client_lets_nobody_send_what_its_command_does_not_take(house: House, paiju: Channel, anna: Member):
    for options in ({"amount": 501}, {"amount": "fifty"}, {}, {"amount": 5, "colour": "red"}):
        with pytest.raises(Impossible):
            await anna.slash(paiju, "bet", **options)
    with pytest.raises(Impossible, match="not registered"):
        await anna.slash(paiju, "fold")


async def test_inspectors_commands_are_listed_for_inspectors(house: House, guild: Guild, paiju: Channel, anna: Member):
    carla = guild.member("Carla", permissions="manage_guild")
    with pytest.raises(Impossible, match="does not see"):
        await anna.slash(paiju, "desk open", channel=paiju)
    answer = await carla.slash(paiju, "desk open", channel=paiju)
    assert (answer.text, answer.is_ephemeral) == (f"Open in {paiju.mention}", False)
    assert paiju.last is answer.message
    assert (await anna.slash(paiju, "desk open", channel=paiju, unseen=True)).failure is None
    assert (await anna.slash(paiju, "whose", member=carla)).text == "carla may manage: True"


async def test_autocomplete_offers_what_the_bot_offers(house: House, paiju: Channel, anna: Member):
    assert await anna.autocomplete(paiju, "bet", "spot", "b", amount=5) == [{"name": "Bonus", "value": "bonus"}]
    with pytest.raises(Impossible, match="no autocomplete"):
        await anna.autocomplete(paiju, "bet", "amount")


# Messages


async def test_a_table_is_seen_with_its_picture_and_edited_in_place(
    house: House, paiju: Channel, server: DiscordServer
):
    sent = await deal(house, paiju, "cards")
    table = paiju.last
    assert (table.text, table.labels, table.is_layout, table.id) == ("Place your bets", ["Cards"], True, sent.id)
    await sent.edit(view=Table("No more bets", picture="table.png"), attachments=[_picture("table.png")])
    assert (table.text, table.labels, table.edits, table.files) == ("No more bets", [], 1, {"table.png": PICTURE})
    async with aiohttp.ClientSession() as session, session.get(table.parts[2]["items"][0]["media"]["url"]) as found:
        assert await found.read() == PICTURE
    await sent.edit(view=Table("Shuffling"), attachments=[])
    assert table.files == {}
    assert [call.method for call in server.calls_of(paiju)] == ["POST", "PATCH", "PATCH"]
    assert server.calls_of(EDIT_MESSAGE)[0].files == {"files[0]": PICTURE}


async def test_the_same_nonce_posts_once(house: House, paiju: Channel, server: DiscordServer):
    server.cut(CREATE_MESSAGE, after=True)
    with pytest.raises(aiohttp.ClientError):
        await deal(house, paiju, nonce="hand-7")
    again = await deal(house, paiju, nonce="hand-7")
    assert [message.id for message in paiju.messages] == [again.id]
    assert len(server.calls_of(paiju)) == 2


async def test_only_who_may_be_mentioned_is_pinged(house: House, paiju: Channel, anna: Member, bea: Member):
    both = f"{anna.mention} and {bea.mention}"
    channel = channel_of(house, paiju)
    await channel.send(both)
    assert paiju.last.pinged == []
    await channel.send(both, allowed_mentions=discord.AllowedMentions(users=[discord.Object(bea.id)]))
    assert paiju.last.pinged == [bea.user]


@pytest.mark.parametrize(
    ("sent", "complaint"),
    [
        ({"content": "x" * 2001}, "2000 or fewer"),
        ({"view": Table("x" * 4001)}, "too long"),
        (
            {"view": ui.LayoutView().add_item(ui.TextDisplay("x" * 3000)).add_item(ui.TextDisplay("y" * 1001))},
            "4000 or",
        ),
        ({"view": Table("twice", "fold", "fold")}, "cannot be duplicated: press:fold"),
        ({"view": Table("picture", picture="missing.png")}, "attachment was not found: missing.png"),
        ({"view": ui.View(timeout=None).add_item(ui.Button(custom_id="no label"))}, "neither a label nor an emoji"),
    ],
)
async def test_what_discord_refuses_is_refused(
    house: House, paiju: Channel, server: DiscordServer, sent: dict[str, Any], complaint: str
):
    with pytest.raises(discord.HTTPException, match="50035") as refused:
        await channel_of(house, paiju).send(**sent)
    assert complaint in str(refused.value)
    assert complaint in server.complaints[0]
    with pytest.raises(AssertionError, match="complaints"):
        server.assert_clean()


async def test_empty_messages_unknown_messages_and_other_peoples_are_refused(
    house: House, paiju: Channel, anna: Member
):
    channel = channel_of(house, paiju)
    for doing, code in (
        (channel.send(""), 50006),
        (channel.get_partial_message(5).edit(content="x"), 10008),
        (channel.get_partial_message(anna.says(paiju, "Hello").id).edit(content="x"), 50005),
    ):
        with pytest.raises(discord.HTTPException) as refused:
            await doing
        assert refused.value.code == code


# Presses and forms


async def test_private_cards_are_seen_by_their_owner_only(
    house: House, server: DiscordServer, paiju: Channel, anna: Member, bea: Member
):
    await deal(house, paiju, "cards")
    mine, hers = await anna.presses(paiju.last, "Cards"), await bea.presses(paiju.last, "press:cards")
    assert (mine.text, hers.text) == ("As Kd for anna", "As Kd for bea")
    with pytest.raises(Impossible, match="does not see"):
        await bea.presses(mine, "Fold")
    folded = await anna.presses(mine, "Fold")
    assert (folded.message is mine.message, mine.text) == (True, "Folded")
    read = "".join(sight.text for sight in server.everything_sent_to(bea))
    assert "for bea" in read
    assert "for anna" not in read
    assert "Place your bets" in read


async def test_a_deferred_answer_is_what_it_becomes(house: House, paiju: Channel, anna: Member, server: DiscordServer):
    await deal(house, paiju, "think", "quietly")
    answer = await anna.presses(paiju.last, "Think")
    assert (answer.answer, answer.text, answer.is_ephemeral, answer.is_thinking) == (5, "Done", True, False)
    assert some(answer.message).files == {"cards.png": PICTURE}
    assert some(answer.answered_after_s) < 1
    quiet = await anna.presses(paiju.last, "Quietly")
    assert (quiet.answer, quiet.message) == (6, paiju.last)
    server.assert_clean()


async def test_a_form_is_filled_and_sent(house: House, paiju: Channel, anna: Member, bea: Member):
    await deal(house, paiju, "ask")
    shown = await anna.presses(paiju.last, "Ask")
    await shown.server.answered()
    assert (some(shown.modal).title, list(some(shown.modal).fields)) == ("Your bet", ["amount"])
    for values in ({}, {"amount": "1234567"}, {"sum": "5"}):
        with pytest.raises(Impossible):
            await anna.submits_modal(shown, values)
    with pytest.raises(Impossible, match="shown to Anna"):
        await bea.submits_modal(shown, amount="50")
    assert (await anna.submits_modal(shown, amount="50")).text == "You bet 50"


async def test_choices_are_made_from_what_is_offered(house: House, paiju: Channel, anna: Member):
    await deal(house, paiju, "choose")
    offered = await anna.presses(paiju.last, "Choose")
    await offered.server.answered()
    for values in ((), ("1", "2", "3"), ("5",)):
        with pytest.raises(Impossible):
            await anna.selects(offered, "exchange", *values)
    assert (await anna.selects(offered, "exchange", "Card 1", "3")).text == "Out go ['1', '3']"
    assert some(offered.message).selects == []
    with pytest.raises(Impossible, match="no select"):
        await anna.selects(offered, "exchange", "1")
    assert (await anna.selects(offered, "exchange", "1", stale=True)).text == "Out go ['1']"


async def test_the_first_follow_up_takes_the_place_of_thinking(house: House, paiju: Channel, anna: Member):
    await deal(house, paiju, "twice")
    answer = await anna.presses(paiju.last, "Twice")
    assert answer.text == "first"
    await answer.server.until(lambda: answer.follow_ups)
    assert [message.text for message in paiju.messages] == ["Place your bets", "first"]
    assert (answer.follow_ups[0].text, answer.follow_ups[0].reader) == ("second", anna)


async def test_an_answer_that_does_not_come_is_noted(house: House, paiju: Channel, anna: Member, server: DiscordServer):
    server.answer_within_s = 0.2
    await deal(house, paiju, "nothing")
    answer = await anna.presses(paiju.last, "Nothing")
    assert answer.text == answer.failure == NO_RESPONSE
    with pytest.raises(AssertionError, match="unanswered"):
        server.assert_clean()


async def test_late_second_and_expired_answers_are_refused(
    house: House, paiju: Channel, anna: Member, server: DiscordServer
):
    codes: list[int] = []

    async def answer_badly(interaction: discord.Interaction[Any]) -> None:
        for doing in (interaction.response.send_message("one"), _again(interaction), _expired(interaction)):
            try:
                await doing
            except discord.HTTPException as refused:
                codes.append(refused.code)

    async def _again(interaction: discord.Interaction[Any]) -> None:
        interaction.response._response_type = None
        await interaction.response.send_message("two")

    async def _expired(interaction: discord.Interaction[Any]) -> None:
        server.pass_time(901)
        await interaction.edit_original_response(content="three")

    PRESSES["badly"] = answer_badly
    await deal(house, paiju, "badly")
    table = paiju.last
    assert (await anna.presses(table, "Badly")).text == "one"
    await server.until(lambda: len(codes) == 2)
    server.answer_within_s = 0.0
    await anna.presses(table, "Badly")
    await server.until(lambda: len(codes) >= 3)
    assert codes[:3] == [40060, 50027, 10062]
    await server.until(lambda: len(codes) == 5)


async def test_two_press_at_the_same_instant(house: House, paiju: Channel, anna: Member, bea: Member):
    both: list[discord.Interaction[Any]] = []

    async def meet(interaction: discord.Interaction[Any]) -> None:
        both.append(interaction)
        while len(both) < 2:
            await asyncio.sleep(0)
        await interaction.response.send_message(f"{len(both)} here", ephemeral=True)

    PRESSES["meet"] = meet
    await deal(house, paiju, "meet")
    answers = await asyncio.gather(anna.presses(paiju.last, "Meet"), bea.presses(paiju.last, "Meet"))
    assert [answer.text for answer in answers] == ["2 here", "2 here"]


async def test_a_button_that_is_gone_can_only_be_pressed_by_who_was_just_doing_it(
    house: House, paiju: Channel, anna: Member
):
    message = await deal(house, paiju, "cards")
    await message.edit(view=Table("Over"))
    with pytest.raises(Impossible, match="no button"):
        await anna.presses(paiju.last, "Cards")
    assert (await anna.presses(paiju.last, "Cards", stale=True)).text == "As Kd for anna"


# What people do to the bot


async def test_deleted_messages_and_channels_are_unknown(
    house: House, guild: Guild, paiju: Channel, server: DiscordServer
):
    message = await deal(house, paiju)
    paiju.last.delete()
    with pytest.raises(discord.NotFound, match="10008"):
        await message.edit(view=Table("again"))
    channel = channel_of(house, paiju)
    paiju.delete()
    with pytest.raises(discord.NotFound, match="10003"):
        await channel.send("again")
    await server.until(lambda: ("deleted", "paiju") in house.heard)


async def test_permissions_are_missed_where_they_were_taken(
    house: House, server: DiscordServer, guild: Guild, paiju: Channel
):
    channel = channel_of(house, paiju)
    paiju.take("attach_files")
    with pytest.raises(discord.Forbidden, match="50013"):
        await channel.send(file=_picture("table.png"))
    paiju.take("view_channel")
    with pytest.raises(discord.Forbidden, match="50001"):
        await channel.send("hello")
    paiju.give("view_channel attach_files")
    await channel.send(file=_picture("table.png"))
    guild.take("manage_channels")
    with pytest.raises(discord.Forbidden, match="50013"):
        await channel.guild.create_text_channel("cassa")
    await server.until(lambda: not channel.guild.me.guild_permissions.manage_channels)


async def test_a_guild_can_send_the_bot_away_and_ask_it_back(
    house: House, guild: Guild, paiju: Channel, server: DiscordServer
):
    channel = channel_of(house, paiju)
    guild.remove_bot()
    await server.until(lambda: ("left", "Ridotto") in house.heard)
    with pytest.raises(discord.Forbidden, match="50001"):
        await channel.send("hello")
    with pytest.raises(discord.NotFound, match="10004"):
        await house.fetch_guild(guild.id)
    guild.add_bot()
    await server.until(lambda: house.get_channel(paiju.id) is not None)


async def test_direct_messages_reach_who_takes_them(house: House, anna: Member, bea: Member):
    await (await house.fetch_user(anna.id)).send("Your statement")
    assert anna.direct.last.text == "Your statement"
    bea.user.accepts_direct_messages = False
    with pytest.raises(discord.Forbidden, match="50007"):
        await (await house.fetch_user(bea.id)).send("Your statement")
    with pytest.raises(Impossible, match="does not see"):
        await anna.slash(anna.direct, "bet", amount=5)


async def test_a_thread_is_a_place_like_a_channel(house: House, paiju: Channel, anna: Member, server: DiscordServer):
    thread = paiju.thread("side table", anna.user)
    await server.until(lambda: some(house.get_guild(some(paiju.guild).id)).get_thread(thread.id))
    await some(some(house.get_guild(some(paiju.guild).id)).get_thread(thread.id)).send(view=Table("Bets", "cards"))
    assert (await anna.presses(thread.last, "Cards")).text == "As Kd for anna"
    assert (await anna.slash(thread, "bet", amount=7)).text.startswith("7 on")
    paiju.take("send_messages_in_threads")
    with pytest.raises(discord.Forbidden, match="50013"):
        await some(some(house.get_guild(some(paiju.guild).id)).get_thread(thread.id)).send("closed")


async def test_commands_beyond_what_discord_takes_are_refused(house: House, server: DiscordServer):
    many = [{"name": f"c{number}", "description": "x"} for number in range(101)]
    late = {"name": "o", "type": 3, "description": "x"}
    for commands_, complaint in (
        (many, "More than 100"),
        ([{"name": "Loud", "description": "x"}], "'Loud' is not"),
        ([{"name": "a", "description": "x"}] * 2, "is there 2 times"),
        ([{"name": "a", "description": "x", "name_localizations": {"it-IT": "b"}}], "does not know: .'it-IT'"),
        ([{"name": "a", "description": "x", "options": [late, late | {"name": "p", "required": True}]}], "before non-"),
        ([{"name": "a", "description": "x" * 101}], "too long"),
    ):
        with pytest.raises(discord.HTTPException, match=complaint):
            await house.http.bulk_upsert_global_commands(house.application_id, commands_)  # type: ignore[arg-type]
    assert len(server.commands) == 3


# Trouble


async def test_rate_limits_are_waited_for_with_via_and_raised_without(
    house: House, paiju: Channel, server: DiscordServer
):
    server.rate_limit(CREATE_MESSAGE, 0.2)
    await deal(house, paiju)
    calls = server.calls_of(CREATE_MESSAGE)
    assert [call.status for call in calls] == [429, 200]
    assert calls[1].at_s - calls[0].at_s >= 0.2
    server.rate_limit("*", 0.1, is_global=True)
    await deal(house, paiju)
    server.rate_limit(CREATE_MESSAGE, 60, via=False)
    with pytest.raises(discord.HTTPException, match="429"):
        await deal(house, paiju)


async def test_windows_are_enforced_per_channel(house: House, guild: Guild, paiju: Channel, server: DiscordServer):
    server.limit(CREATE_MESSAGE, 2, 0.4)
    channel = channel_of(house, paiju)
    await asyncio.gather(*(channel.send(str(number)) for number in range(4)))
    calls = server.calls_of(CREATE_MESSAGE)
    assert [call.status for call in calls].count(200) == 4
    assert calls[-1].at_s - calls[0].at_s >= 0.4
    other = guild.text_channel("other")
    await server.until(lambda: house.get_channel(other.id))
    server.limits.clear()
    server.limit(CREATE_MESSAGE, 2, 10 * PATIENCE_S)
    # The library waits until the window ends before it says that the second is sent.
    sending = [asyncio.create_task(channel.send(text)) for text in "45"]
    await server.until(lambda: len(server.calls_of(CREATE_MESSAGE)) == len(calls) + 2)
    await asyncio.wait_for(channel_of(house, other).send("free"), PATIENCE_S)
    for one in sending:
        one.cancel()
    await asyncio.gather(*sending, return_exceptions=True)


async def test_old_messages_take_few_edits(house: House, paiju: Channel, server: DiscordServer):
    server.old_edits.calls, server.old_edits.per_s = 1, 0.3
    message = await deal(house, paiju)
    server.pass_time(3601)
    await message.edit(view=Table("one"))
    await message.edit(view=Table("two"))
    statuses = [(call.status, (call.answer or {}).get("code")) for call in server.calls_of(EDIT_MESSAGE)]
    assert statuses == [(200, None), (429, 30046), (200, None)]


async def test_failures_before_and_after_the_deed(house: House, paiju: Channel, server: DiscordServer):
    server.fail(CREATE_MESSAGE, 503)
    with pytest.raises(discord.DiscordServerError):
        await deal(house, paiju)
    assert paiju.messages == []
    server.fail(CREATE_MESSAGE, 403, after=True, body={"message": "Missing Access", "code": 50001})
    with pytest.raises(discord.Forbidden, match="50001"):
        await deal(house, paiju)
    assert len(paiju.messages) == 1


async def test_slow_answers_are_slow_on_their_route_only(house: House, paiju: Channel, server: DiscordServer):
    slow = server.slow(CREATE_MESSAGE, 0.3)
    await deal(house, paiju)
    assert some(server.calls_of(CREATE_MESSAGE)[0].took_s) >= 0.3
    slow.stop()
    held = server.hold(CREATE_MESSAGE)
    dealing = asyncio.create_task(deal(house, paiju))
    await server.until(lambda: held.struck)
    await house.fetch_channel(paiju.id)
    assert not dealing.done()
    held.stop()
    await dealing


async def test_what_the_server_does_not_know_is_noted(house: House, server: DiscordServer, guild: Guild):
    with pytest.raises(discord.NotFound):
        await house.fetch_invite("abc")
    assert server.unhandled == ["GET /api/v10/invites/abc"]


# The gateway


@pytest.mark.parametrize("code", [None, 4000, 1006])
async def test_what_happened_while_away_is_heard_on_resume(
    house: House, server: DiscordServer, paiju: Channel, anna: Member, code: int | None
):
    await deal(house, paiju, "cards")
    await server.disconnect(code=code)
    answer = await anna.presses(paiju.last, "Cards")
    assert answer.text == "As Kd for anna"
    assert [what for what, _ in server.gateway.visits] == ["identify", "resume"]
    await server.until(lambda: "resumed" in house.heard)


async def test_an_invalid_session_is_begun_anew(house: House, server: DiscordServer, paiju: Channel, anna: Member):
    await deal(house, paiju, "cards")
    await server.disconnect(resume=False)
    await server.until(lambda: [what for what, _ in server.gateway.visits] == ["identify", "identify"])
    await server.until(lambda: server.is_connected)
    assert (await anna.presses(paiju.last, "Cards")).text == "As Kd for anna"


@pytest.mark.slow
async def test_heartbeats_are_answered(server: DiscordServer, guild: Guild):
    server.heartbeat_s = 0.1
    house = House(heartbeat_timeout=2.0)
    running = asyncio.create_task(house.start(server.token))
    await server.ready()
    await asyncio.sleep(2.5)
    assert 0 < house.latency < 2.0
    assert [what for what, _ in server.gateway.visits] == ["identify"]
    await house.close()
    await running


async def test_each_shard_hears_of_its_own_guilds(server: DiscordServer):
    server.shards = 2
    guilds = [server.guild(f"Guild {number}") for number in range(6)]
    channels = [guild.text_channel("paiju") for guild in guilds]
    house = House()
    running = asyncio.create_task(house.start(server.token))
    await server.ready()
    await asyncio.wait_for(house.wait_until_ready(), PATIENCE_S)
    assert {guild.id: some(house.get_guild(guild.id)).shard_id for guild in guilds} == {
        g.id: (g.id >> 22) % 2 for g in guilds
    }
    for channel, guild in zip(channels, guilds, strict=True):
        assert (await guild.member("Anna").slash(channel, "bet", amount=5)).text == "5 on None (en-US, en-US)"
    await house.close()
    await running


async def test_wrong_tokens_and_privileged_intents_are_refused(server: DiscordServer):
    stranger = House()
    with pytest.raises(discord.LoginFailure):
        await stranger.start("wrong")
    await stranger.close()
    curious = commands.Bot((), intents=discord.Intents(guilds=True, message_content=True))
    with pytest.raises(discord.PrivilegedIntentsRequired):
        await curious.start(server.token)
    await curious.close()


# A process of its own

BOT = """
import asyncio, os, sys
import discord
discord.http.Route.BASE = os.environ["RIDOTTO_DISCORD_API"]
bot = discord.AutoShardedClient(intents=discord.Intents(guilds=True))
tree = discord.app_commands.CommandTree(bot)
@bot.event
async def on_interaction(interaction):
    if interaction.type is discord.InteractionType.component:
        await interaction.response.send_message(f"{interaction.data['custom_id']} in {os.getpid()}", ephemeral=True)
@bot.event
async def setup_hook():
    await tree.sync()
bot.run(os.environ["RIDOTTO_DISCORD_TOKEN"], log_handler=None)
"""


async def _spawn(server: DiscordServer) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(sys.executable, "-c", BOT, env=os.environ | server.env)


@pytest.mark.slow
async def test_a_bot_in_its_own_process_is_killed_and_started_again(
    server: DiscordServer, paiju: Channel, anna: Member
):
    server.answer_within_s = 1.0
    first = await _spawn(server)
    await server.ready()
    view = [{"type": 1, "components": [{"type": 2, "style": 1, "label": "Hit", "custom_id": "hit"}]}]
    async with aiohttp.ClientSession(headers={"Authorization": f"Bot {server.token}"}) as session:
        await session.post(f"{server.api}/channels/{paiju.id}/messages", json={"content": "21", "components": view})
    assert (await anna.presses(paiju.last, "Hit")).text == f"hit in {first.pid}"
    first.kill()
    await first.wait()
    assert (await anna.presses(paiju.last, "Hit")).failure == NO_RESPONSE
    second = await _spawn(server)
    await server.until(lambda: server.is_connected)
    assert (await anna.presses(paiju.last, "Hit")).text == f"hit in {second.pid}"
    second.kill()
    await second.wait()
