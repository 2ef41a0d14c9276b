"""The people, chats, topics and messages of a Telegram test world, and actions of people."""

import asyncio
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.patience import PATIENCE_S
from tests.servers.telegram.pictures import Picture
from tests.servers.telegram.text import Entity, found_entities, utf16_slice

if TYPE_CHECKING:
    from tests.servers.telegram.server import BotApiServer

Json = dict[str, Any]

# Rights of an administrator, and those of a plain member in a group without restrictions.
RIGHTS = (
    "can_manage_chat can_delete_messages can_manage_video_chats can_restrict_members can_promote_members "
    "can_change_info can_invite_users can_post_stories can_edit_stories can_delete_stories "
    "can_send_welcome_messages can_pin_messages can_manage_topics"
).split()
PERMISSIONS = (
    "can_send_messages can_send_audios can_send_documents can_send_photos can_send_videos can_send_video_notes "
    "can_send_voice_notes can_send_polls can_send_other_messages can_add_web_page_previews can_react_to_messages "
    "can_edit_tag can_change_info can_invite_users can_pin_messages can_manage_topics"
).split()
ANONYMOUS = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
# The sender of messages in a channel's name.
CHANNEL = {"id": 136817688, "is_bot": True, "first_name": "Channel", "username": "Channel_Bot"}
GONE = ("left", "kicked")
ICON_COLOR = 7322096


@dataclass(frozen=True)
class Alert:
    """The answer to a press: a notice at the top of the chat, or a window (`show_alert`) that must be closed."""

    text: str
    show_alert: bool


@dataclass(frozen=True)
class Button:
    text: str
    data: str | None = None
    url: str | None = None


@dataclass(frozen=True)
class Shown:
    """Something shown to people: in a chat to all its members, or to `to` alone."""

    time: float
    kind: str  # message, edit, ephemeral, alert, topic
    chat: "Chat"
    to: "User | None"
    text: str
    photo: bytes | None = field(default=None, repr=False)
    buttons: tuple[Button, ...] = ()
    message: "Message | None" = None


@dataclass(eq=False)
class Press:
    """A pressed button: `await press.answered()` is the Alert, or None for an answer without words."""

    id: str
    user: "User"
    chat: "Chat"
    data: str
    time: float
    answer: "asyncio.Future[Alert | None]"

    async def answered(self, timeout: float = PATIENCE_S) -> Alert | None:
        try:
            return await asyncio.wait_for(asyncio.shield(self.answer), timeout)
        except TimeoutError:
            raise AssertionError(f"{self.user} pressed {self.data!r}, and the bot never answered") from None


@dataclass(eq=False, repr=False)
class User:
    server: "BotApiServer"
    id: int
    first_name: str
    username: str | None = None
    language_code: str | None = None
    is_bot: bool = False
    started: bool = False
    blocked: bool = False
    deactivated: bool = False

    def __repr__(self) -> str:
        return self.first_name

    def as_json(self) -> Json:
        user: Json = {"id": self.id, "is_bot": self.is_bot, "first_name": self.first_name}
        user |= {"username": self.username} if self.username else {}
        return user | ({"language_code": self.language_code} if self.language_code else {})

    @property
    def private(self) -> "Chat":
        """Return the private chat with the bot, who may write there once the user has started it."""
        return self.server.private_chat(self)

    async def starts(self, payload: str = "") -> "Message":
        """Open the bot, by its Start button or by a deep link; this lifts a block."""
        if self.blocked:
            await self.unblocks()
        self.started = True
        return await self.says(self.private, f"/start {payload}".strip())

    async def blocks(self) -> None:
        self.blocked = True
        self.server.private_membership_changed(self, "member", "kicked")

    async def unblocks(self) -> None:
        self.blocked = False
        self.server.private_membership_changed(self, "kicked", "member")

    async def says(
        self,
        where: "Place",
        text: str,
        *,
        reply_to: "Message | None" = None,
        anonymous: bool = False,
        channel: "Chat | None" = None,
        forwarded_from: "User | None" = None,
        via: "User | None" = None,
        **more: Any,
    ) -> "Message":
        """Write in a chat or topic; `anonymous` as an administrator in the group's name, or as a channel.

        `forwarded_from`: its original author; `via`: the bot whose inline result it is; `more`: further fields
        (`quote`, `external_reply`).
        """
        chat, topic = chat_and_topic(where)
        self._may_write(chat, topic, anonymous)
        message = Message(
            chat, self.server.next_message_id(chat), self.server.now, None if anonymous or channel else self
        )
        message.sender_chat = chat if anonymous else channel
        message.text, message.entities = text, found_entities(text)
        message.topic, message.reply_to = topic or (reply_to.topic if reply_to else None), reply_to
        message.more = more | ({"via_bot": via.as_json()} if via else {})
        if forwarded_from:
            origin = {"type": "user", "date": int(self.server.now), "sender_user": forwarded_from.as_json()}
            message.more["forward_origin"] = origin
        self.server.user_wrote(message)
        return message

    def _may_write(self, chat: "Chat", topic: "Topic | None", anonymous: bool) -> None:
        member = chat.members.get(self.id)
        assert member, f"{self} was never in {chat}"
        assert member.status not in GONE, f"{self} is no longer in {chat}"
        assert not anonymous or member.is_admin, f"{self} is no administrator of {chat}"
        assert not (topic and (topic.deleted or (topic.closed and not member.is_admin))), f"{topic} is closed"
        assert not member.muted, f"{self} may not write in {chat}"
        if chat.type == "private":
            assert not self.blocked, f"{self} has blocked the bot"
            self.started = True

    async def asks(self, where: "Place", text: str, **said: Any) -> "Message":
        """Write, and wait for the bot's next message that this user can see, wherever it comes."""
        before = len(self.server.shown)
        await self.says(where, text, **said)
        answer = await self.server.until(lambda: self._message_since(before), f"an answer to {text!r}")
        assert isinstance(answer, Message)
        return answer

    def _message_since(self, before: int) -> "Message | None":
        fresh = (s.message for s in self.server.shown[before:] if s.kind in ("message", "ephemeral"))
        return next((m for m in fresh if m and m.sender is self.server.bot and self.can_see(m)), None)

    def can_see(self, message: "Message") -> bool:
        if message.receiver is not None:
            return message.receiver is self and message.delivered
        return self.id in message.chat.ever_members

    def press(self, where: "Message | Place", button: str, *, stale: bool = False) -> Press:
        """Press without waiting: by the button's words or its data; `stale` presses data that is gone."""
        message, data = self._button(where, button, stale)
        return self.server.user_pressed(self, message, data)

    async def presses(self, where: "Message | Place", button: str, *, stale: bool = False) -> Alert | None:
        """Press and wait for the bot's answer: an Alert, or None when it answers without words.

        `where` is a message, or a chat or topic: then the newest message there with such a button. A button that is a
        link to the bot starts it in the private chat instead.
        """
        message, data = self._button(where, button, stale)
        if data.startswith("https://"):
            link = re.search(r"[?&]start=([\w-]*)", data)
            assert link, f"{data} is no link to the bot"
            await self.starts(link[1])
            return None
        return await self.server.user_pressed(self, message, data).answered()

    def _button(self, where: "Message | Place", button: str, stale: bool) -> "tuple[Message, str]":
        if isinstance(where, Message):
            assert self.can_see(where), f"{self} does not see {where}"
            if stale:
                return where, button
            assert not where.deleted, f"{where} is deleted"
            return where, where.button(button)
        seen = self.sees(where)
        for message in reversed(seen):
            if any(button in (b.text, b.data) for b in message.buttons):
                return message, message.button(button)
        shown = [[b.text for b in message.buttons] for message in seen if message.buttons]
        raise AssertionError(f"{self} sees no button {button!r} in {where}, but {shown}")

    def sees(self, where: "Place") -> "list[Message]":
        """Return the messages as this user sees them now, oldest first, their own ephemeral ones included."""
        return self.server.what_user_sees(self, where)

    async def edits(self, message: "Message", text: str) -> None:
        assert message.sender is self, f"{self} did not write {message}"
        message.text, message.entities, message.edit_date = text, found_entities(text), self.server.now
        message.edits += 1
        if self.server.bot_receives(message):
            self.server.add_update("edited_message", message.as_json())

    async def deletes(self, message: "Message") -> None:
        """Delete the user's own message, or any as an administrator; the bot is not told."""
        member = message.chat.members[self.id]
        assert message.sender is self or member.is_admin or message.chat.type == "private"
        message.deleted = True

    async def comes_by(self, chat: "Chat", link: str) -> None:
        """Join by an invite link. KeyError for a used or unknown one."""
        chat.links[link] -= 1
        if not chat.links[link]:
            del chat.links[link]
        await self.joins(chat)

    async def joins(self, chat: "Chat") -> None:
        chat.set_member(self, "member")
        self.server.service_message(chat, self, new_chat_members=[self.as_json()])

    async def leaves(self, chat: "Chat") -> None:
        chat.set_member(self, "left")
        self.server.service_message(chat, self, left_chat_member=self.as_json())


@dataclass
class Member:
    user: User
    status: str
    rights: frozenset[str] = frozenset()
    muted: bool = False

    @property
    def is_admin(self) -> bool:
        return self.status in ("creator", "administrator")

    def may(self, right: str) -> bool:
        return self.status == "creator" or (self.status == "administrator" and right in self.rights)

    def as_json(self) -> Json:
        member: Json = {"status": self.status, "user": self.user.as_json()}
        if self.status == "creator":
            return member | {"is_anonymous": False}
        if self.status == "administrator":
            return member | {"can_be_edited": False, "is_anonymous": False} | {r: r in self.rights for r in RIGHTS}
        if self.status == "restricted":
            return member | {"is_member": True, "until_date": 0} | dict.fromkeys(PERMISSIONS, not self.muted)
        return member | ({"until_date": 0} if self.status == "kicked" else {})


@dataclass(eq=False, repr=False)
class Chat:
    server: "BotApiServer"
    id: int
    type: str
    title: str
    user: User | None = None
    username: str | None = None
    is_forum: bool = False
    # Whether every member may invite people; and the links into it, with how many may still come by each.
    invites: bool = True
    links: dict[str, int] = field(default_factory=dict)
    silent: bool = False
    members: dict[int, Member] = field(default_factory=dict)
    ever_members: set[int] = field(default_factory=set)
    topics: "dict[int, Topic]" = field(default_factory=dict)
    all_messages: "list[Message]" = field(default_factory=list)
    last_id: int = 0

    def __repr__(self) -> str:
        return f"{self.type} {self.title!r}"

    @property
    def chat(self) -> "Chat":
        return self

    @property
    def in_group(self) -> bool:
        return self.type != "private"

    @property
    def bot_member(self) -> Member:
        return self.members.get(self.server.bot.id) or Member(self.server.bot, "left")

    @property
    def messages(self) -> "list[Message]":
        """Return the messages that everyone sees now: not deleted, ephemeral or service messages, oldest first."""
        return [m for m in self.all_messages if not m.deleted and m.receiver is None and not m.service]

    @property
    def last_message(self) -> "Message":
        """Return the bot's newest message that everyone sees."""
        return last_of_bot(self.messages, self.server.bot, self)

    def as_json(self) -> Json:
        chat: Json = {"id": self.id, "type": self.type}
        if self.user:
            chat |= {"first_name": self.user.first_name}
            return chat | ({"username": self.user.username} if self.user.username else {})
        chat |= {"title": self.title} | ({"username": self.username} if self.username else {})
        return chat | ({"is_forum": True} if self.is_forum else {})

    def set_member(self, user: User, status: str, rights: frozenset[str] = frozenset(), muted: bool = False) -> None:
        self.members[user.id] = Member(user, status, rights, muted)
        if status not in GONE:
            self.ever_members.add(user.id)

    async def adds_bot(self, by: User, status: str = "member") -> None:
        """Add the bot as a member, or in one step as an administrator (`status`), as an invitation link can."""
        self.server.bot_membership_changed(self, by, status, frozenset(RIGHTS))
        self.server.service_message(self, by, new_chat_members=[self.server.bot.as_json()])

    async def removes_bot(self, by: User) -> None:
        self.server.bot_membership_changed(self, by, "kicked")

    async def promotes_bot(self, by: User, *rights: str) -> None:
        """Make the bot an administrator with these rights; with all of them if none is named."""
        assert set(rights) <= set(RIGHTS), f"no such right: {set(rights) - set(RIGHTS)}"
        self.server.bot_membership_changed(self, by, "administrator", frozenset(rights or RIGHTS))

    async def mutes_bot(self, by: User) -> None:
        """Restrict the bot in a supergroup, which is told. A plain group can only mute all its members, without an
        update.
        """
        if self.type == "group":
            self.silent = True
        else:
            self.server.bot_membership_changed(self, by, "restricted", muted=True)

    async def mutes(self, user: User) -> None:
        """Mute a member, who can still press buttons; the bot is only told if it is an administrator."""
        assert self.type == "supergroup", f"{self} restricts nobody by name"
        self.set_member(user, "restricted", muted=True)

    async def unmutes_bot(self, by: User) -> None:
        if self.type == "group":
            self.silent = False
        else:
            self.server.bot_membership_changed(self, by, "member")

    async def demotes(self, user: User, by: User) -> None:
        self.server.member_changed(self, by, user, "member")

    async def becomes_supergroup(self, by: User, *, forum: bool = False) -> int:
        """Turn the group into a supergroup with a new id and no messages; return the old id, which is invalid now."""
        assert self.type == "group", f"{self} is no plain group"
        return self.server.migrate(self, by, forum)

    async def switches_topics(self, on: bool) -> None:
        """Switch topics on or off; the bot is not told. Their messages stay, in the plain group, and come back with
        them.
        """
        assert self.type == "supergroup", f"{self} has no topics"
        self.is_forum = on

    async def topic(self, name: str, by: User | None = None) -> "Topic":
        """Create a topic, by the first administrator if no one is named."""
        assert self.is_forum, f"{self} is no forum"
        maker = by or next(m.user for m in self.members.values() if m.is_admin and m.user is not self.server.bot)
        return self.server.create_topic(self, maker, name)


@dataclass(eq=False, repr=False)
class Topic:
    chat: Chat
    id: int
    name: str
    creator: User
    first: "Message"
    closed: bool = False
    deleted: bool = False

    def __repr__(self) -> str:
        return f"topic {self.name!r} of {self.chat}"

    @property
    def messages(self) -> "list[Message]":
        return [m for m in self.chat.messages if m.topic is self]

    @property
    def last_message(self) -> "Message":
        return last_of_bot(self.messages, self.chat.server.bot, self)

    async def closes(self, by: User) -> None:
        self.closed = True
        self.chat.server.service_message(self.chat, by, topic=self, forum_topic_closed={})

    async def reopens(self, by: User) -> None:
        self.closed = False
        self.chat.server.service_message(self.chat, by, topic=self, forum_topic_reopened={})

    async def is_deleted(self) -> None:
        """Delete the topic with all its messages; the bot is not told."""
        self.vanish()

    def vanish(self) -> None:
        self.deleted = True
        for message in self.chat.all_messages:
            message.deleted = message.deleted or message.topic is self


Place = Chat | Topic


def chat_and_topic(where: Place) -> tuple[Chat, Topic | None]:
    return (where.chat, where) if isinstance(where, Topic) else (where, None)


@dataclass(eq=False, repr=False)
class Message:
    chat: Chat
    id: int
    date: float
    sender: User | None
    text: str = ""  # the caption, if there is a picture
    entities: list[Entity] = field(default_factory=list)
    photo: Picture | None = None
    markup: Json | None = None
    topic: Topic | None = None
    reply_to: "Message | None" = None
    sender_chat: Chat | None = None
    service: Json = field(default_factory=dict)
    more: Json = field(default_factory=dict)
    receiver: User | None = None
    ephemeral_id: int | None = None
    delivered: bool = True
    silent: bool = False
    deleted: bool = False
    edits: int = 0
    edit_date: float | None = None
    document: bytes | None = None

    def __repr__(self) -> str:
        return f"message {self.id or self.ephemeral_id} of {self.topic or self.chat}: {self.text[:60]!r}"

    reactions: list[str] = field(default_factory=list)

    @property
    def caption(self) -> str:
        return self.text if self.photo else ""

    @property
    def rows(self) -> list[list[Button]]:
        """Return the present inline keyboard."""
        keyboard = (self.markup or {}).get("inline_keyboard", [])
        actions = ("callback_data", "url")
        return [[Button(b["text"], *map(b.get, actions)) for b in row] for row in keyboard]

    @property
    def buttons(self) -> list[Button]:
        return [button for row in self.rows for button in row]

    @property
    def mentions(self) -> list[User]:
        """Return the users that the text notifies, by name or by a link to the user."""
        return [user for e in self.entities if (user := self.chat.server.mentioned(self.text, e))]

    def button(self, name: str) -> str:
        """Return the data (or the link) of the button with these words or this data."""
        found = [b for b in self.buttons if name in (b.text, b.data)]
        assert found, f"no button {name!r} in {[[b.text for b in row] for row in self.rows]}"
        value = found[0].data or found[0].url
        assert value, f"nothing to press in {found[0]}"
        return value

    def entity_texts(self, kind: str) -> list[str]:
        return [utf16_slice(self.text, e["offset"], e["length"]) for e in self.entities if e["type"] == kind]

    def as_json(self, deep: bool = True) -> Json:
        message: Json = {"message_id": self.id, "date": int(self.date), "chat": self.chat.as_json()}
        message |= self._sender_json() | self._place_json(deep) | self._content_json()
        if self.edit_date is not None:
            message |= {"edit_date": int(self.edit_date)}
        if self.receiver:
            message |= {"receiver_user": self.receiver.as_json(), "ephemeral_message_id": self.ephemeral_id}
        return message | self.service | self.more

    def _sender_json(self) -> Json:
        if self.sender_chat:
            speaker = ANONYMOUS if self.sender_chat is self.chat else CHANNEL
            return {"from": speaker, "sender_chat": self.sender_chat.as_json()}
        assert self.sender
        return {"from": self.sender.as_json()}

    def _place_json(self, deep: bool) -> Json:
        place: Json = {}
        if self.topic and self.chat.is_forum:
            place = {"message_thread_id": self.topic.id, "is_topic_message": True}
        # In a topic, a message without a reply replies to the topic's first one.
        topic = self.topic if self.chat.is_forum else None
        answered = self.reply_to or (topic.first if topic and topic.first is not self else None)
        if deep and answered and not answered.deleted:
            place |= {"reply_to_message": answered.as_json(deep=False)}
        return place

    def _content_json(self) -> Json:
        content: Json = {}
        if self.photo:
            content |= {"photo": self.photo.sizes()}
        if self.document:
            about = {"file_id": f"document {self.id}", "file_unique_id": f"{self.id}", "file_size": len(self.document)}
            content |= {"document": about}
        text, entities = ("caption", "caption_entities") if self.photo else ("text", "entities")
        content |= {text: self.text} if self.text else {}
        content |= {entities: self.server_entities()} if self.entities else {}
        return content | ({"reply_markup": self.markup} if "inline_keyboard" in (self.markup or {}) else {})

    def server_entities(self) -> list[Entity]:
        """Return the entities as Telegram stores them: a link to a known user becomes a mention."""
        return [self._stored(entity) for entity in self.entities]

    def _stored(self, entity: Entity) -> Entity:
        user = self.chat.server.mentioned(self.text, entity)
        if entity["type"] != "text_link" or user is None:
            return entity
        place = {key: entity[key] for key in ("offset", "length")}
        return {"type": "text_mention", "user": user.as_json()} | place


def last_of_bot(messages: list[Message], bot: User, where: Place) -> Message:
    own = [message for message in messages if message.sender is bot]
    assert own, f"the bot has no message in {where}"
    return own[-1]
