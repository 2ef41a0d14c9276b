"""Names stay text: Discord finds no mention, link, time or markup in them."""

import hypothesis
import pytest
from hypothesis import strategies as st

from bot.core.commands.shown_names import trim_name
from bot.platforms.discord.drawing import answer_view, mention_channel, panel_view, safe, table_view
from bot.texts import Text
from engine.felt import Amount
from tests.platforms.discord.house import opened
from tests.servers.discord.markup import read, things_in
from tests.view.example_screens import GAMES as EXAMPLES
from tests.view.example_screens import named, own

# Each of these is markup on Discord.
THINGS = (
    "<@1573990026742595584>", "<@!1>", "<@&22>", "<#333>", "<t:0:R>", "<t:1700000000>", "<:cards:44>", "<a:x:5>",
    "</bet:66>", "<id:browse>", "@everyone", "@here", "https://evil.example/x_y_z", "steam://run/1", "discord.gg/abc",
    "<https://evil.example>", "discord.com/invite/abc", "[free chips](https://a.b)", "[x](<https://a.b>)", "<a@b.cd>",
    "<+1 555 0100>", "# big", "### big", "-# small", "> said", ">>> said", "- one", "* one", "**", "_", "~~", "||", "`",
)  # fmt: skip
PARTS = ("@EVERYONE", "HTTP://a.b", "\\", "\\\\", "\\<@1>", "<", ">", "@", "[", "](", ")", ":", "//", "#", "~", "|")
NASTY = (*THINGS, *PARTS)
names = st.lists(st.sampled_from(NASTY) | st.text(max_size=6), min_size=1, max_size=6).map("".join).map(trim_name)


def words_of(view):
    """Return all text that is read as markup; labels and descriptions of pictures are not."""
    return "\n".join(part["content"] for one in view.parts for part in one["components"] if "content" in part)


def test_the_rules_that_names_are_held_against_find_what_discord_finds():
    assert not [name for name in THINGS if not things_in(name)]
    assert things_in("Anna wins 12.50 (CS9), not 5-4 [west] & more") == []
    assert [what for what, _one in things_in("\\<@1> \\*a")] == ["user"]
    assert read("\\*a <\u200b@1>") == "*a <@1>"


@pytest.mark.parametrize("name", NASTY)
def test_no_name_is_more_than_a_name(name):
    said = safe(Text("{name} gives you {amount}.", name=name, amount=Amount(500)), "en")
    assert things_in(said) == []
    assert read(said) == f"{name} gives you 5."


@pytest.mark.long
@hypothesis.settings(deadline=None)
@hypothesis.given(names)
def test_whatever_a_name_is_made_of_it_is_read_as_it_is(name):
    said = safe(Text("{name} wins", name=name), "en")
    assert things_in(said) == []
    # Trimmed names contain no zero-width spaces of their own.
    assert read(said) == f"{name} wins"


@pytest.mark.long
@pytest.mark.parametrize("game", EXAMPLES)
@hypothesis.settings(deadline=None)
@hypothesis.given(name=names)
def test_at_a_table_in_its_results_and_in_private_a_name_changes_nothing_else(game, name):
    shown = EXAMPLES[game](True)
    lines = [Text("{name}: {what}", name=name, what=Text("wins {net}", net=Amount(100)))]
    plain = [Text("{name}: {what}", name="x", what=Text("wins {net}", net=Amount(100)))]
    for draw in (lambda one: table_view(one, "en"), lambda one: panel_view(own(one), lines[:0], "en")):
        before, after = words_of(draw(named(shown, "x"))), words_of(draw(named(shown, name)))
        assert things_in(after) == things_in(before)
    assert things_in(words_of(answer_view(lines, "en"))) == things_in(words_of(answer_view(plain, "en")))


def test_a_mention_of_our_own_is_one_and_its_copy_in_a_name_is_not():
    said = safe(Text("{name}: {channel}", name="<#12>", channel=mention_channel(34)), "en")
    assert things_in(said) == [("channel", "<#34>")]


@pytest.mark.slow
async def test_who_is_called_like_a_mention_mentions_nobody_in_any_version_of_any_message(tmp_path, monkeypatch):
    async with opened(tmp_path / "data", monkeypatch) as house:
        server = house.server
        guild = server.guild("Venezia")
        victim = guild.member("Victim")
        anna = guild.member(f"<@{victim.id}><t:0:R>")
        channel = guild.text_channel("caribbean")
        await house.table_in(channel)
        await house.deal(channel, anna)
        await anna.slash(channel, "fold")
        await house.until(lambda: house.table(channel).round.hand is None)
        await anna.slash(channel, "leaderboard")
        await server.quiet()
        versions = [delivery.json for delivery in server.deliveries if delivery.kind in ("message", "edit")]
        assert any(victim.mention in read(delivery.text) for delivery in server.deliveries)
        assert not any(version["mentions"] or version["mention_everyone"] for version in versions)
        written = [body_of(call) for call in server.calls]
        assert all(body["allowed_mentions"] == {"parse": []} for body in written if body)
        server.assert_clean()


def body_of(call):
    """Return the message in a call that writes one."""
    body = call.json if isinstance(call.json, dict) else {}
    body = body["data"] if "interactions" in call.path and isinstance(body.get("data"), dict) else body
    return body if "components" in body and "custom_id" not in body else None


async def test_a_nickname_is_of_its_own_server_alone_and_is_followed(tmp_path, monkeypatch):
    async with opened(tmp_path / "data", monkeypatch) as house:
        server = house.server
        work, clan = server.guild("Work"), server.guild("Clan")
        at_work = work.member("max_1990")
        at_work.nick = "Max Mustermann (HR)"
        in_clan, bea = clan.joins(at_work), clan.member("Bea")
        office, table = work.text_channel("table"), clan.text_channel("table")
        await house.table_in(office)
        await house.table_in(table)
        await at_work.slash(office, "balance")
        await in_clan.slash(table, "bet", amount="50")
        await server.quiet()
        said = (await bea.slash(table, "leaderboard")).text
        assert "max\\_1990" in said
        in_clan.nick = "Shadow"
        await in_clan.slash(in_clan.direct, "balance")
        await in_clan.slash(table, "bet", amount="10")
        said = (await bea.slash(table, "leaderboard")).text
        assert "Shadow" in said
        assert "max" not in said
        assert "Max Mustermann" in (await work.owner.slash(office, "leaderboard")).text
        seen = [delivery.text for delivery in server.deliveries if delivery.channel in (table, in_clan.direct)]
        assert seen
        assert not [text for text in seen if "Mustermann" in text]


async def test_a_player_is_reminded_in_the_server_of_the_table_alone(tmp_path, monkeypatch):
    async with opened(tmp_path / "data", monkeypatch) as house:
        work, clan = house.server.guild("Work"), house.server.guild("Clan")
        anna = work.member("Anna")
        office, elsewhere = work.text_channel("table"), clan.text_channel("table")
        await house.table_in(office)
        await house.table_in(elsewhere)
        await house.deal(office, anna)
        await clan.joins(anna).slash(elsewhere, "balance")
        await house.pass_time(house.left(office) / 2)
        house.client.turn_mentions.handle_change(house.table(office).id)
        await house.until(lambda: any(anna.mention in one.text for one in office.messages))
        assert not [one for one in elsewhere.messages if anna.mention in one.text]


async def test_who_has_not_played_yet_is_made_an_inspector_and_given_chips(tmp_path, monkeypatch):
    async with opened(tmp_path / "data", monkeypatch) as house:
        guild = house.server.guild("Venezia")
        carlo, dora = guild.member("Carlo"), guild.member("Dora")
        carlo.nick = "The helper"
        channel = guild.text_channel("caribbean")
        await house.table_in(channel)
        said = await confirmed(house, guild.owner, await guild.owner.slash(channel, "inspector add", player=carlo))
        assert "The helper is now an inspector." in said
        said = await confirmed(
            house, guild.owner, await guild.owner.slash(channel, "grant", player=dora, amount="5", reason="hi")
        )
        assert "Dora has 1,005 now." in said
        assert house.chips(dora) == 100_500


async def confirmed(house, who, answer):
    """Say yes if asked, and return the final text."""
    if any(one.get("label") == "Yes" for one in answer.message.buttons):
        answer = await who.presses(answer, "Yes")
    await house.server.quiet()
    return answer.text
