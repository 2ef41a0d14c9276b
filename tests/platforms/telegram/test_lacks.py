"""Rights that a group can deny the bot: each has its sentence, and only required ones stop anything."""

import pytest
from telegram import ChatFullInfo, ChatMember

from bot.platforms.telegram.setup import lacks_of
from tests.servers.telegram.world import PERMISSIONS, RIGHTS

ME = {"id": 1, "is_bot": True, "first_name": "Ridotto"}
CHAT = {"id": -1001, "title": "Salotto", "accent_color_id": 0, "max_reaction_count": 11}
GIFTS = "unlimited_gifts limited_gifts unique_gifts premium_subscription gifts_from_channels".split()


def chat(kind: str = "supergroup", *, is_forum: bool = True, denied: str = "") -> ChatFullInfo:
    permissions = {right: right != denied for right in PERMISSIONS}
    accepted = {"accepted_gift_types": dict.fromkeys(GIFTS, False)}
    found = ChatFullInfo.de_json(
        {**CHAT, **accepted, "type": kind, "is_forum": is_forum, "permissions": permissions}, None
    )
    assert found is not None
    return found


def member(status: str, denied: str = "") -> ChatMember:
    rights = {right: right != denied for right in (*RIGHTS, *PERMISSIONS)}
    told = {**rights, "status": status, "user": ME, "can_be_edited": False, "is_anonymous": False, "is_member": True}
    found = ChatMember.de_json({**told, "until_date": 0}, None)
    assert found is not None
    return found


def told(group: ChatFullInfo, me: ChatMember, *, hears_all: bool = False) -> dict[str, bool]:
    """Return {the first words of a sentence: whether it stops the setup}."""
    lacks = lacks_of(group, me, makes_topics=True, hears_all=hears_all)
    return {str(lack.says).partition(" in ")[0].partition(" of ")[0]: lack.is_needed for lack in lacks}


def test_an_administrator_with_every_right_lacks_nothing() -> None:
    assert told(chat(), member("administrator")) == {}


@pytest.mark.parametrize(
    ("denied", "said"),
    [
        ("can_manage_topics", {"I need the permission Manage topics": True}),
        ("can_delete_messages", {"I can't delete messages": False}),
        ("can_pin_messages", {}),
    ],
)
def test_an_administrator_is_told_of_the_one_right_that_is_missing(denied: str, said: dict[str, bool]) -> None:
    assert told(chat(), member("administrator", denied)) == said


@pytest.mark.parametrize("status", ["member", "restricted"])
@pytest.mark.parametrize(
    ("denied", "said"),
    [("can_send_messages", {"I can't write": True}), ("can_send_photos", {"I can't send photos": False}), ("", {})],
)
def test_who_is_no_administrator_is_told_of_what_everybody_or_they_alone_is_denied(
    status: str, denied: str, said: dict[str, bool]
) -> None:
    group = chat(denied=denied if status == "member" else "", is_forum=False)
    me = member(status, denied if status == "restricted" else "")
    always = {"Topics are off": False, "I'm not an administrator": False}
    assert told(group, me) == said | always


def test_privacy_mode_is_told_where_messages_are_not_numbered_one_by_one() -> None:
    me = member("member")
    in_forum = {str(lack.says) for lack in lacks_of(chat(), me, makes_topics=False, hears_all=False)}
    assert any("privacy mode" in line for line in in_forum)
    for group, hears_all in ((chat(), True), (chat(is_forum=False), False)):
        lines = {str(lack.says) for lack in lacks_of(group, me, makes_topics=False, hears_all=hears_all)}
        assert not any("privacy mode" in line for line in lines)


def test_the_right_to_manage_topics_is_needed_only_while_some_are_to_be_made() -> None:
    me = member("administrator", "can_manage_topics")
    assert [lack.is_needed for lack in lacks_of(chat(), me, makes_topics=False, hears_all=False)] == [False]
