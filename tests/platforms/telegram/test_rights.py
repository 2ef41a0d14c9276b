"""Rights of the bot in a group, by sender and command: each case ends in its sentence, nothing is half done."""

from collections.abc import Iterable

import pytest

from tests.platforms.telegram.house import House, ask_for_direct_cards, button, people, set_up
from tests.servers.telegram import Chat, Topic, User
from tests.servers.telegram.world import RIGHTS

Place = Chat | Topic
# {typed command: how its answer begins if no right is missing}; "" is the table itself.
MEMBERS = {
    "/balance": "You have 1,000 chips.",
    "/help": "Ridotto uses play chips",
    "/tables": "Table 1: Caribbean Stud",
    "/cards": "Only you see your cards when you press this.",
    "/learn": "I'll deal you a first hand",
    "/rank": "You have not finished a hand here yet.",
    "/invite": "Give this to one person, within a day",
    "/sit": "",
    "/bet 10": "",
    "/takeback": "",
    "/leave": "",
}
INSPECTORS = {
    "/table pause why": "Table 1 is paused",
    "/table resume why": "Table 1 is open for bets again.",
    "/audit": "2026-",
    "/export": "The postings and the audit log",
    "/table close why": "Close table 1 after this hand?",
    "/setup": "The table moves down",
}
OF_A_LOST_TABLE = (
    "/bet 10",
    "/takeback",
    "/sit",
    "/leave",
    "/table resume why",
    "/table open paiju",
    "/setup",
    "/table",
)
NOT_HIS = "Only inspectors can do that."
NO_WALLET = "Write under your own name to play"
NO_CHAT_OF_ITS_OWN = "That is sent as a private message"
MAY_NOT_WRITE = "I can't write in Salotto. Allow it under Group settings > Permissions, or make me an administrator."
WRONG = ("went wrong", "until an inspector resumes it")
# Rights that an administrator may lack without an effect on tables.
DENIED = ("can_delete_messages", "can_pin_messages", "can_manage_topics", "can_invite_users")
STATES: dict[str, str | list[str]] = {
    "administrator": "administrator",
    "member": "member",
    **{denied: [right for right in RIGHTS if right != denied] for denied in DENIED},
}


async def is_told(house: House, who: User, where: Place, line: str, *, anonymous: bool = False) -> str:
    """Send a line and return everything that the sender is told, unread answers included."""
    seen = len(house.server.shown)
    await who.says(where, line, anonymous=anonymous)
    await house.wait(14)
    said = []
    for shown in house.server.shown[seen:]:
        message = shown.message
        if shown.kind not in ("message", "ephemeral") or message is None or not who.can_see(message):
            continue
        read = next((one.data for one in message.buttons if one.text == "Read" and one.data), None)
        if read is not None:
            alert = await who.presses(message, read)
            assert alert is not None
            said.append(alert.text)
        elif not shown.photo:
            said.append(shown.text)
    told = "\n".join(filter(None, said))
    assert not [words for words in WRONG if words in told], told
    return told


async def answers(house: House, who: User, where: Place, lines: Iterable[str], **how: bool) -> dict[str, str]:
    return {line: await is_told(house, who, where, line, **how) for line in lines}


def is_as(answer: str, begins: str) -> bool:
    return begins in answer if begins else not answer


async def a_group(house: House, bot: str | list[str]) -> tuple[Chat, User, User]:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.supergroup("Salotto", members=[bea], admins=[anna], bot=bot)
    await set_up(house, group, anna)
    for who in (anna, bea):
        await who.starts()
    await house.wait(5)
    return group, anna, bea


@pytest.mark.parametrize("state", STATES)
async def test_where_the_bot_may_write_each_command_is_answered_by_its_sentence(house: House, state: str) -> None:
    group, anna, bea = await a_group(house, STATES[state])
    told = await answers(house, bea, group, [*MEMBERS, *INSPECTORS])
    expected = MEMBERS | dict.fromkeys(INSPECTORS, NOT_HIS)
    assert not {line: answer for line, answer in told.items() if not is_as(answer, expected[line])}
    assert house.table_at(group).status == "open"
    told = await answers(house, anna, group, INSPECTORS)
    assert not {line: answer for line, answer in told.items() if not is_as(answer, INSPECTORS[line])}
    assert [message.document for message in anna.private.messages if message.document], "the export has come"


@pytest.mark.parametrize("state", ["administrator", "member"])
async def test_an_anonymous_administrator_is_told_what_a_group_can_be_told(house: House, state: str) -> None:
    group, anna, _bea = await a_group(house, STATES[state])
    files = len(anna.private.messages)
    told = await answers(house, anna, group, [*MEMBERS, *INSPECTORS, "/verify file"], anonymous=True)
    expected = dict.fromkeys(MEMBERS, NO_WALLET) | INSPECTORS
    expected |= {line: MEMBERS[line] for line in ("/help", "/tables", "/learn")}
    expected |= dict.fromkeys(("/invite", "/export", "/verify file"), NO_CHAT_OF_ITS_OWN)
    assert not {line: answer for line, answer in told.items() if not is_as(answer, expected[line])}
    assert len(anna.private.messages) == files, "an anonymous administrator gets no file"
    assert not house.table_at(group).invitations
    assert not house.table_at(group).round.bets


@pytest.mark.parametrize("kind", ["restricted", "silent"])
async def test_where_the_bot_may_not_write_all_is_said_in_the_private_chat(house: House, kind: str) -> None:
    anna, bea, carla = people(house, "Anna", "Bea", "Carla")
    make = house.server.supergroup if kind == "restricted" else house.server.group
    group = make("Salotto", members=[bea, carla], admins=[anna])
    post = await set_up(house, group, anna)
    for who in (anna, bea):
        await who.starts()
    await house.wait(5)
    seen = len(group.messages)
    await group.mutes_bot(anna)
    await house.wait(5)
    told = await answers(house, bea, group, [*MEMBERS, "/table", *INSPECTORS])
    expected = MEMBERS | dict.fromkeys(OF_A_LOST_TABLE, MAY_NOT_WRITE) | dict.fromkeys(INSPECTORS, NOT_HIS)
    # A muted plain group is noticed at the first refusal, when the player already has a seat.
    expected |= {"/leave": "You left the table."} if kind == "silent" else {}
    assert not {line: answer for line, answer in told.items() if not is_as(answer, expected[line])}
    told = await answers(house, anna, group, OF_A_LOST_TABLE)
    assert not {line: answer for line, answer in told.items() if not is_as(answer, MAY_NOT_WRITE)}
    assert house.table_at(group).game == "caribbean"
    # Users without a private chat are answered by the buttons, which are always there.
    assert not await is_told(house, carla, group, "/balance")
    alert = await carla.presses(post, button(post, "ante 10"))
    assert alert is not None
    assert alert.text == MAY_NOT_WRITE
    # Confirmations work there too.
    assert "Close table 1 after this hand?" in await is_told(house, anna, group, "/table close why")
    await anna.presses(anna.private, "Yes")
    await house.wait(5)
    assert house.table_at(group).status == "closed"
    assert not [message for message in group.messages[seen:] if message.sender is house.server.bot]


async def test_a_hand_is_played_on_by_who_has_its_cards_where_the_bot_may_write_no_more(house: House) -> None:
    group, anna, bea = await a_group(house, "member")
    await ask_for_direct_cards(house, bea)
    await bea.presses(house.post_at(group), button(house.post_at(group), "ante 10"))
    await house.wait(21)
    await group.mutes_bot(anna)
    await house.wait(5)
    assert "Only you see your cards when you press this." in await is_told(house, bea, group, "/cards")
    alert = await bea.presses(bea.private, "My cards")
    assert alert is not None
    assert any(suit in alert.text for suit in "♠♥♦♣"), alert
    assert "fold" in (await is_told(house, bea, group, "/fold")).lower()
    assert house.table_at(group).round.hand is None


async def test_who_may_not_write_plays_by_the_buttons_and_asks_in_private(house: House) -> None:
    group, _anna, bea = await a_group(house, "administrator")
    await group.mutes(bea)
    post = house.post_at(group)
    assert "ante" in str(await bea.presses(post, button(post, "ante 10")))
    await house.wait(21)
    alert = await bea.presses(house.post_at(group), button(house.post_at(group), "My cards"))
    assert alert is not None
    assert any(suit in alert.text for suit in "♠♥♦♣"), alert
    assert "You raised: " in str(await bea.presses(house.post_at(group), button(house.post_at(group), "Raise")))
    assert "You have" in await is_told(house, bea, bea.private, "/balance")
    assert house.table_at(group).round.hand is None


@pytest.mark.parametrize("state", ["administrator", "member"])
async def test_a_channel_that_speaks_in_the_group_is_nobody(house: House, state: str) -> None:
    group, anna, _bea = await a_group(house, STATES[state])
    channel = Chat(house.server, -1002000000000, "channel", "Notizie")
    seen = len(house.server.shown)
    for line in (*MEMBERS, *INSPECTORS, "50"):
        await anna.says(group, line, channel=channel)
    await house.wait(14)
    assert not [one for one in house.server.shown[seen:] if one.kind in ("message", "ephemeral")]
    assert not house.table_at(group).round.bets
    assert house.table_at(group).status == "open"


async def test_in_a_topic_that_is_closed_all_is_said_in_the_private_chat(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    forum = house.server.forum("Salotto", members=[bea], admins=[anna], bot="administrator")
    topic = await forum.topic("Tavoli")
    await anna.says(topic, "/table open caribbean")
    await anna.starts()
    await house.wait(10)
    await forum.promotes_bot(anna, "can_delete_messages")
    await topic.closes(anna)
    await house.wait(5)
    told = await answers(house, anna, topic, ["/balance", "/cards", "/learn", "/invite", "/table close why"])
    expected = MEMBERS | INSPECTORS
    assert not {line: answer for line, answer in told.items() if not is_as(answer, expected[line])}
    assert "I need the permission Manage topics in Salotto" in await is_told(house, anna, topic, "/setup")


async def test_who_is_not_in_the_group_is_led_nowhere(house: House) -> None:
    group, anna, _bea = await a_group(house, "member")
    (zoe,) = people(house, "Zoe")
    number = house.app.context.notes.chats[group.id].number
    for payload in (f"setup_{number}", "audit", "export"):
        before = len(zoe.private.messages) if zoe.started else 0
        await zoe.starts(payload)
        await house.wait(5)
        said = "\n".join(one.text for one in zoe.private.messages[before:] if one.sender is house.server.bot)
        assert said.startswith((NOT_HIS, "Welcome to Ridotto")), (payload, said)
    post = house.post_at(group)
    await group.removes_bot(anna)
    await house.wait(2)
    alert = await anna.presses(post, button(post, "ante 10"))
    assert alert is not None
    assert not [words for words in WRONG if words in alert.text], alert
    assert alert.text
