"""Names stay text on Telegram: no mention, no link, no command."""

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.platforms.telegram.drawing import CAPTION, escape, fit_alert, length
from bot.platforms.telegram.saying import JOINER, as_typed, inert, say
from bot.platforms.telegram.updates import parse_command
from bot.texts import LANGUAGES, Text
from engine.felt import Amount, Word
from tests.platforms.telegram.house import House, asks, people, place_bets, play_on, set_up
from tests.servers.telegram.text import formatted, found_entities
from tests.servers.telegram.world import Chat, Message, User

LIVE = [
    "@durov",
    "Anna @durov",
    "t.me/joinchat",
    "https://example.org/x?y",
    "tg://resolve?domain=durov",
    "example.com",
    "www.example.co.uk",
    "пример.рф",
    "127.0.0.1",
    "/fold",
    "/bet@ridotto_test_bot 5",
    "#tag",
    "$USD",
    "anna@example.org",
    "+39 333 1234567",
    "<b>Anna</b> & <a href='tg://user?id=1'>Bea</a>",
]
PIECES = st.sampled_from(
    ["@", "/", ".", "#", "$", "+", ":", "//", "a", "Anna", "com", "t.me", "7", " ", "<b>", "&", "é"]
)
NAMES = st.one_of(st.text(max_size=40), st.lists(PIECES, max_size=12).map("".join))
SENTENCES = [
    Text("{name}, this is only for you.", name="?"),
    Text("{name}: {why}", name="?", why=[Text("{spot} lost ({clause})", spot=Word("ante"), clause="CS13")]),
    Text("You gave {amount} to {name}. You have {chips}.", amount=Amount(500), name="?", chips=Amount(100)),
    Text("Cut with “{text}”", text="?"),
]  # fmt: skip


@pytest.mark.parametrize("name", LIVE[:-1])
def test_the_server_marks_what_telegram_would(name: str) -> None:
    assert found_entities(name)


@pytest.mark.parametrize("name", ["Anna", "St. Mary", "7 Card Stud Hi/Lo", "1,234.50", "A. B.", "C#", "50 $"])
def test_a_plain_name_stays_as_it_is(name: str) -> None:
    assert inert(name) == name


@pytest.mark.long
@settings(max_examples=200, deadline=None)
@given(name=NAMES)
@example(name="@durov")
def test_nothing_in_a_name_is_live_and_it_reads_the_same(name: str) -> None:
    said = inert(name)
    assert found_entities(said) == []
    assert as_typed(said) == as_typed(name)
    assert inert(said) == said


@settings(max_examples=50, deadline=None)
@given(name=NAMES)
@pytest.mark.parametrize("sentence", SENTENCES, ids=lambda text: text.template)
def test_a_sentence_is_marked_as_it_is_with_a_plain_name(sentence: Text, name: str) -> None:
    named = Text(sentence.template, **{k: name if v == "?" else v for k, v in sentence.values.items()})
    for language in LANGUAGES:
        said = say(named, language)
        for text, entities in (formatted(said, None, None), formatted(escape(said), "HTML", None)):
            assert entities == [], (text, entities)
        assert length(fit_alert([said])) <= 200


def test_our_own_commands_stay_commands() -> None:
    said = say(Text("You have a seat; /topup adds to your stack between hands."), "en")
    assert [entity["type"] for entity in found_entities(said)] == ["bot_command"]


def test_what_is_copied_from_the_table_is_read_as_it_was_written() -> None:
    line = parse_command(f"/give @{JOINER}durov 5", "ridotto_test_bot")
    assert line is not None
    assert line.args == ("@durov", "5")


def _marked(text: str, entity: dict[str, Any]) -> str:
    """Return the marked part; Telegram counts in UTF-16."""
    units = text.encode("utf-16-le")
    return units[2 * entity["offset"] : 2 * (entity["offset"] + entity["length"])].decode("utf-16-le")


async def test_no_message_about_players_mentions_or_links_anything_but_who_is_waited_for(house: House) -> None:
    durov = house.server.user("Pavel", username="durov")
    names = ("@durov", "t.me/joinchat", "https://example.org/x?y", "/fold", "#tag", "anna@example.org", LIVE[-1])
    players = people(house, *names)
    group = house.server.supergroup("Salotto", members=[durov, *players[1:]], admins=players[:1])
    await set_up(house, group, players[0])
    await place_bets(house, group, players, "caribbean")
    await asks(house, players[0], group, "/balance")
    await house.wait(21)
    await house.wait(16)  # half of the time is over
    await play_on(house, group, players)
    await asks(house, players[1], group, "/leaderboard")
    ours = [message for message in group.all_messages if message.sender is house.server.bot]
    assert any("joinchat" in message.text for message in ours)
    assert any(message.mentions for message in ours)
    for message in ours:
        assert durov not in message.mentions
        # Our own /verify links to the whole commit; a name that looks like a command does not.
        entities = [entity for entity in message.entities if _marked(message.text, entity) != "/verify"]
        kinds = {entity["type"] for entity in entities}
        assert kinds <= {"bold", "italic", "code", "text_link"}, (message.text, message.entities)
        assert length(message.text) <= CAPTION


async def test_people_are_named_by_username_by_mention_by_answer_and_by_a_button(house: House) -> None:
    gina, anna, other, new = people(house, "Gina", "Anna", "Anna", "Newcomer")
    anna.username = "anna_banana"
    group = house.server.supergroup("Salotto", members=[anna, other, new], admins=[gina], bot="administrator")
    await set_up(house, group, gina)
    for who in (anna, other, gina):
        await asks(house, who, group, "/balance")
    assert "Anna leaves every table" in (await asks(house, gina, group, "/ban @anna_banana spam")).text
    hello = await new.says(group, "hello")
    assert "Newcomer leaves every table" in (await _says(house, gina, group, "/ban spam", reply_to=hello)).text
    mention = {"type": "text_mention", "offset": 5, "length": 3, "user": other.as_json()}
    assert "Anna (2) leaves every" in (await _says(house, gina, group, "/ban Her 😀 spam", entities=[mention])).text
    asked = await asks(house, gina, group, "/ban Anna spam")
    assert "Several players here are called Anna" in asked.text
    assert [one.text for one in asked.buttons] == ["Anna, 1,000 chips", "Anna (2), 1,000 chips"]
    seen = len(house.server.shown)
    alert = await gina.presses(asked, str(asked.buttons[1].data))
    await house.wait(5)
    later = [one.message.text for one in house.server.shown[seen:] if one.message is not None]
    assert "Anna (2) leaves every table" in " ".join([alert.text if alert else "", *later])


async def _says(house: House, who: User, where: Chat, line: str, **more: Any) -> Message:
    seen = len(house.server.shown)
    await who.says(where, line, **more)
    await house.wait(5)
    fresh = [shown.message for shown in house.server.shown[seen:] if shown.kind in ("message", "ephemeral")]
    return next(message for message in fresh if message is not None and who.can_see(message))


async def test_a_notice_calls_people_as_the_casino_does(house: House) -> None:
    gina, anna, other = people(house, "Gina", "\u202eAnna\u0336\u0336\u0336\u0336", "Anna\u0336\u0336\u0336")
    group = house.server.supergroup("Salotto", members=[anna, other], admins=[gina])
    await set_up(house, group, gina)
    assert (await asks(house, anna, group, "/balance")).text == "Anna\u0336\u0336\u0336, this is only for you."
    assert (await asks(house, other, group, "/balance")).text == "Anna\u0336\u0336\u0336 (2), this is only for you."
    await other.presses(house.post_at(group), "Other amount")
    await house.wait(3)
    assert group.last_message.text == "Anna\u0336\u0336\u0336 (2), how much?"


async def test_a_deleted_account_has_no_name_and_is_banned_all_the_same(house: House) -> None:
    gina, gone = people(house, "Gina", "Gone")
    group = house.server.supergroup("Salotto", members=[gone], admins=[gina], bot="administrator")
    await set_up(house, group, gina)
    advert = await gone.says(group, "buy gold")
    gone.first_name = ""
    assert "? leaves every table" in (await _says(house, gina, group, "/ban spam", reply_to=advert)).text
