"""The picture of a player's own cards: only in their private answer, and never waited for."""

import asyncio

import pytest

from bot.platforms.discord.drawing import HAND_PICTURE
from bot.view.pictures import Renderer
from tests.platforms.discord.house import CALLBACK, EDIT, ORIGINAL, opened
from tests.servers.discord.checks import GALLERY, walk

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def renderer():
    renderer = Renderer(late_s=20.0)
    yield renderer
    renderer.close()


@pytest.fixture
async def house(tmp_path, monkeypatch, renderer):
    # However slow the machine is: late pictures have tests of their own.
    monkeypatch.setattr("bot.platforms.discord.panels.SOON_S", 20.0)
    paint = {"paint": renderer.render, "paint_hand": renderer.render_hand}
    async with opened(tmp_path / "data", monkeypatch, **paint) as house:
        yield house
        house.server.assert_clean()


@pytest.fixture
def venezia(house):
    return house.server.guild("Venezia")


async def room(house, guild, game="caribbean"):
    channel = guild.text_channel(game)
    await house.table_in(channel, game)
    return channel


def galleries(message):
    """Return (file name, alternative text) of each picture in the message."""
    shown = [part for part in walk(message.components) if part["type"] == GALLERY]
    return [(item["media"]["url"].rpartition("/")[2], item["description"]) for part in shown for item in part["items"]]


@pytest.mark.slow
async def test_the_answer_to_a_bet_becomes_the_cards_with_their_picture_in_one_edit(house, venezia):
    channel = await room(house, venezia)
    anna = venezia.member("Anna")
    answer = await anna.slash(channel, "bet", amount="50")
    assert answer.message.files == {}  # no cards yet
    await house.server.quiet()
    await house.pass_time(house.left(channel))
    await house.until(lambda: HAND_PICTURE in answer.message.files)
    ((name, words),) = galleries(answer.message)
    assert name == HAND_PICTURE
    assert words.startswith("Your cards\nCards ")
    assert "Options: Fold, Raise (100)" in words
    assert all(card in words for card in answer.text.split("\n")[0].split()[1:])
    assert answer.message.files[HAND_PICTURE].startswith(PNG)
    assert len([call for call in house.server.calls if call.route == ORIGINAL]) == 1


@pytest.mark.slow
async def test_my_cards_is_one_call_with_its_picture(house, venezia):
    channel = await room(house, venezia)
    anna = venezia.member("Anna")
    await house.deal(channel, anna)
    await house.server.quiet()
    since = len(house.server.calls)
    answer = await anna.presses(channel.last, "My cards")
    await house.server.quiet()
    mine = [call for call in house.server.calls[since:] if call.route in (CALLBACK, ORIGINAL)]
    assert [call.route for call in mine] == [CALLBACK]
    assert HAND_PICTURE in answer.message.files


async def test_the_picture_follows_the_hand_and_goes_with_it(house, venezia):
    channel = await room(house, venezia, "uth")
    anna = venezia.member("Anna")
    await anna.slash(channel, "bet", amount="20")
    await house.pass_time(house.left(channel))
    await house.shown(channel, "waiting for")
    answer = await anna.presses(channel.last, "My cards")
    first = answer.message.files[HAND_PICTURE]
    await anna.presses(answer.message, "Check")  # the private answer itself shows the flop then
    await house.until(lambda: answer.message.files[HAND_PICTURE] != first)
    assert "Board" in galleries(answer.message)[0][1]
    assert [name for name, _words in galleries(answer.message)] == [HAND_PICTURE]
    assert list(answer.message.files) == [HAND_PICTURE]


@pytest.mark.slow
async def test_an_answer_that_another_has_replaced_is_not_changed_any_more(tmp_path, monkeypatch):
    """The replaced answer is deleted, and a picture still being drawn for it is dropped."""
    monkeypatch.setattr("bot.platforms.discord.panels.SOON_S", 20.0)
    is_asked, is_drawn = asyncio.Event(), asyncio.Event()

    async def paint_hand(_shown, _language):
        if not is_asked.is_set():
            is_asked.set()
            await is_drawn.wait()

    async with opened(tmp_path / "data", monkeypatch, paint_hand=paint_hand) as house:
        venezia = house.server.guild("Venezia")
        channel = await room(house, venezia)
        anna = venezia.member("Anna")
        answer = await anna.slash(channel, "bet", amount="50")
        await house.server.quiet()
        await house.pass_time(house.left(channel))
        await house.until(is_asked.is_set)
        since = len(house.server.calls)
        await anna.presses(channel.last, "My cards")
        await house.server.quiet()
        is_drawn.set()
        await house.until(lambda: answer.message.is_deleted)
        await anna.slash(channel, "balance")  # everything queued was sent by then
        await house.server.quiet()
        assert [call.route for call in house.server.calls[since:] if call.status >= 400] == []
        house.server.assert_clean()


@pytest.mark.slow
async def test_a_private_picture_goes_to_its_owner_alone(house, venezia):
    channel = await room(house, venezia)
    anna, bruno, carla = (venezia.member(name) for name in ("Anna", "Bruno", "Carla"))
    await house.deal(channel, anna, bruno)
    for member in (anna, bruno, carla):
        await member.presses(channel.last, "My cards")
    await house.server.quiet()
    own = {
        member: {
            content for delivery in house.server.deliveries if delivery.reader is member for content in files(delivery)
        }
        for member in (anna, bruno, carla)
    }
    public = {content for delivery in house.server.deliveries if delivery.reader is None for content in files(delivery)}
    assert own[anna]
    assert own[bruno]
    assert own[carla] == set()
    assert not own[anna] & own[bruno]
    assert not public & (own[anna] | own[bruno])
    assert all(HAND_PICTURE not in delivery.files for delivery in house.server.deliveries if delivery.reader is None)
    for edit in (call for call in house.server.calls if call.route == EDIT):
        assert HAND_PICTURE not in str(edit.json)


def files(delivery):
    return delivery.files.values()


@pytest.mark.slow
async def test_a_late_picture_leaves_the_words_and_follows(tmp_path, monkeypatch, renderer):
    drawn = asyncio.Event()

    async def late(shown, language):
        await drawn.wait()
        return await renderer.render_hand(shown, language)

    async with opened(tmp_path / "data", monkeypatch, paint_hand=late) as house:
        venezia = house.server.guild("Venezia")
        channel = await room(house, venezia)
        anna = venezia.member("Anna")
        await house.deal(channel, anna)
        await house.server.quiet()
        answer = await anna.slash(channel, "cards")
        assert "You hold" in answer.text
        assert answer.answered_after_s < 3.0
        assert answer.message.files == {}
        drawn.set()
        await house.until(lambda: HAND_PICTURE in answer.message.files)
        assert "You hold" in answer.text
        house.server.assert_clean()


async def test_a_table_whose_picture_was_late_has_it_though_nobody_bets(tmp_path, monkeypatch, renderer):
    monkeypatch.setattr("bot.platforms.discord.tables.LATE_PICTURE_S", 0.1)
    asked = 0

    async def late_at_first(shown, language):
        nonlocal asked
        asked += 1
        return None if asked == 1 else await renderer.render(shown, language)

    async with opened(tmp_path / "data", monkeypatch, paint=late_at_first) as house:
        channel = await room(house, house.server.guild("Venezia"))
        await house.until(lambda: channel.messages and galleries(channel.messages[-1]))
        assert len(channel.messages) == 1
        assert house.table(channel).round.bets == ()
        house.server.assert_clean()


@pytest.mark.slow
async def test_a_picture_that_fails_leaves_the_words(tmp_path, monkeypatch, renderer):
    renderer.close()  # no picture is being drawn
    async with opened(tmp_path / "data", monkeypatch, paint_hand=renderer.render_hand) as house:
        venezia = house.server.guild("Venezia")
        channel = await room(house, venezia)
        anna = venezia.member("Anna")
        await house.deal(channel, anna)
        answer = await anna.slash(channel, "cards")
        assert "You hold" in answer.text
        await anna.presses(answer.message, "Fold")
        await house.until(lambda: house.table(channel).round.hand is None)
        await house.server.quiet()
        assert answer.message.files == {}
        house.server.assert_clean()
