"""The methods of the Bot API: their checks, in Telegram's words, and their effects."""

import re
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.servers.telegram.pictures import Picture
from tests.servers.telegram.refusal import Refusal, retry_after
from tests.servers.telegram.text import formatted, utf16_length
from tests.servers.telegram.updates import Webhook
from tests.servers.telegram.world import (
    ANONYMOUS,
    GONE,
    ICON_COLOR,
    PERMISSIONS,
    Chat,
    Json,
    Member,
    Message,
    Topic,
    User,
)

if TYPE_CHECKING:
    from tests.servers.telegram.server import BotApiServer

Method = Callable[["BotApiServer", Json], Any]
METHODS: dict[str, Method] = {}
EPHEMERAL = {
    "editephemeralmessagetext",
    "editephemeralmessagecaption",
    "editephemeralmessagemedia",
    "editephemeralmessagereplymarkup",
    "deleteephemeralmessage",
}
EPHEMERAL_AFTER_CLICK_S = 15
# Of some seventy that Telegram has for it.
REACTIONS = ("👍", "🔥", "🎉", "👏", "🏆")
DELETABLE_S = 48 * 3600
TEXT_LIMIT, CAPTION_LIMIT, ALERT_LIMIT, EPHEMERAL_EDIT_LIMIT = 4096, 1024, 200, 1024
TOO_OLD = "query is too old and response timeout expired or query ID is invalid"
NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same as a current "
    "content and reply markup of the message"
)
# A button needs one of these; games, payments and the like are not used.
ACTIONS = {
    "callback_data",
    "url",
    "web_app",
    "login_url",
    "switch_inline_query",
    "switch_inline_query_current_chat",
    "switch_inline_query_chosen_chat",
    "copy_text",
    "callback_game",
    "pay",
    "disabled",
}


def method(*names: str) -> Callable[[Method], Method]:
    def register(function: Method) -> Method:
        METHODS.update({name.lower(): function for name in names})
        return function

    return register


def find_chat(server: "BotApiServer", chat_id: Any) -> Chat:
    """Return the chat, if the bot may see it."""
    chat = server.chat_by_id(chat_id)
    if chat is None:
        if (former := server.migrated.get(_number(chat_id))) is not None:
            raise Refusal(400, "group chat was upgraded to a supergroup chat", migrate_to_chat_id=former.id)
        raise Refusal(400, "chat not found")
    if chat.in_group and chat.bot_member.status == "kicked":
        raise Refusal(403, f"bot was kicked from the {chat.type} chat")
    if chat.in_group and chat.bot_member.status == "left":
        raise Refusal(403, f"bot is not a member of the {chat.type} chat")
    return chat


def _number(chat_id: Any) -> int:
    return int(chat_id) if re.fullmatch(r"-?\d+", str(chat_id)) else 0


def writable_chat(server: "BotApiServer", p: Json, what: str) -> Chat:
    chat = find_chat(server, p["chat_id"])
    if chat.user:
        _check_private(chat.user)
    member = chat.bot_member
    if not member.is_admin and (chat.silent or member.muted):
        raise Refusal(400, f"not enough rights to send {what} to the chat")
    return chat


def _check_private(user: User) -> None:
    if user.deactivated:
        raise Refusal(403, "user is deactivated")
    if user.blocked:
        raise Refusal(403, "bot was blocked by the user")
    if not user.started:
        raise Refusal(403, "bot can't initiate conversation with a user")


def topic_of(chat: Chat, p: Json, reply_to: Message | None) -> Topic | None:
    """Return the topic of a message: its thread, or that of the message it replies to."""
    thread = p.get("message_thread_id")
    if thread is None:
        topic = reply_to.topic if reply_to else None
    elif (topic := chat.topics.get(thread)) is None or topic.deleted or not chat.is_forum:
        # The General topic is written to without a thread id; 1 is refused.
        raise Refusal(400, "message thread not found")
    if topic and topic.closed and not _may_manage(chat, topic):
        raise Refusal(400, "TOPIC_CLOSED")
    return topic


def _may_manage(chat: Chat, topic: Topic) -> bool:
    return chat.bot_member.may("can_manage_topics") or topic.creator is chat.server.bot


def reply_of(server: "BotApiServer", chat: Chat, p: Json) -> Message | None:
    given = p.get("reply_parameters") or {"message_id": p.get("reply_to_message_id")}
    if given.get("message_id") is None:
        return None
    message = server.find_message(chat, given["message_id"])
    lenient = given.get("allow_sending_without_reply") or p.get("allow_sending_without_reply")
    if message is None and not lenient:
        raise Refusal(400, "message to be replied not found")
    return message


def spend(server: "BotApiServer", chat: Chat) -> None:
    """Count one message or edit for the flood limits."""
    if wait := server.flood.admit(chat.id, chat.in_group, server.now):
        raise retry_after(wait)
    server.call.spent = True


def text_of(p: Json, name: str, limit: int, too_long: str) -> tuple[str, list[Json]]:
    given = p.get("entities" if name == "text" else "caption_entities")
    text, entities = formatted(p.get(name) or "", p.get("parse_mode"), given)
    if utf16_length(text) > limit:
        raise Refusal(400, too_long)
    if name == "text" and not text:
        raise Refusal(400, "message text is empty")
    return text, entities


def checked_markup(server: "BotApiServer", chat: Chat, p: Json, *, inline_only: bool = False) -> Json | None:
    markup = p.get("reply_markup")
    if markup is None:
        return None
    rows = markup.get("inline_keyboard")
    if rows is None:
        if inline_only:
            raise Refusal(400, "inline keyboard expected")
        return dict(markup)
    buttons = [button for row in rows for button in row]
    for button in buttons:
        check_button(server, button)
        if "web_app" in button and chat.in_group:
            raise Refusal(400, "BUTTON_TYPE_INVALID")
    if len(buttons) > 100:
        raise Refusal(400, "reply markup is too long")
    if any(len(row) > 8 for row in rows):
        server.complain(f"a keyboard for {chat} has a row of more than 8 buttons")
    # Telegram does not store what it does not know.
    known = ACTIONS | {"text", "style", "icon_custom_emoji_id"}
    kept = [[{k: v for k, v in button.items() if k in known} for button in row] for row in rows if row]
    return {"inline_keyboard": kept} if kept else None


def check_button(server: "BotApiServer", button: Json) -> None:
    actions = ACTIONS & set(button)
    if not actions:
        raise Refusal(400, "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard")
    if len(actions) > 1:
        raise Refusal(400, "can't parse inline keyboard button: exactly one of its optional fields must be used")
    if any(action.startswith("switch_inline") for action in actions):
        raise Refusal(400, "BUTTON_TYPE_INVALID")
    if not button["text"].strip():
        raise Refusal(400, 'can\'t parse inline keyboard button: Field "text" must be non-empty')
    if "callback_data" in button and not 1 <= len(button["callback_data"].encode()) <= 64:
        raise Refusal(400, "BUTTON_DATA_INVALID")
    if "url" in button and not re.match(r"(https?|tg)://\S+$", button["url"]):
        raise Refusal(400, "BUTTON_URL_INVALID")


def picture_of(server: "BotApiServer", value: str, *, uploads: bool = True) -> Picture:
    """Return a file of the request (`attach://name`), or a file id."""
    name = value.removeprefix("attach://")
    if value.startswith("attach://"):
        if not uploads:
            raise Refusal(400, "can't upload files in this method")
        if name not in server.call.uploads:
            raise Refusal(400, "file must be non-empty")
        return server.album.upload(server.call.uploads[name])
    if value.startswith(("http://", "https://")):
        raise Refusal(400, "failed to get HTTP URL content")
    if value.endswith("-s"):
        server.complain(f"a thumbnail's file id was sent as a picture: {value}")
    return server.album.find(value)


@method("sendMessage")
def send_message(server: "BotApiServer", p: Json) -> Json:
    if (ephemeral := ephemeral_receiver(server, p)) is not None:
        chat = find_chat(server, p["chat_id"])
    else:
        chat = writable_chat(server, p, "text messages")
    text, entities = text_of(p, "text", TEXT_LIMIT, "message is too long")
    return _send(server, chat, p, ephemeral, text, entities, None)


@method("sendPhoto")
def send_photo(server: "BotApiServer", p: Json) -> Json:
    if (ephemeral := ephemeral_receiver(server, p)) is not None:
        chat = find_chat(server, p["chat_id"])
    else:
        chat = writable_chat(server, p, "photos")
    text, entities = text_of(p, "caption", CAPTION_LIMIT, "message caption is too long")
    return _send(server, chat, p, ephemeral, text, entities, picture_of(server, p["photo"]))


@method("sendAnimation")
def send_animation(server: "BotApiServer", p: Json) -> Json:
    """Send a GIF of the request, if the bot may send animations."""
    data = server.call.uploads.get(p["animation"].removeprefix("attach://"))
    if not data or not data.startswith(b"GIF89a"):
        raise Refusal(400, "file must be non-empty")
    chat = writable_chat(server, p, "gifs")
    text, entities = text_of(p, "caption", CAPTION_LIMIT, "message caption is too long")
    return _send(server, chat, p, None, text, entities, None, data)


@method("sendDocument")
def send_document(server: "BotApiServer", p: Json) -> Json:
    """Send a file of the request."""
    name = p["document"].removeprefix("attach://")
    if not server.call.uploads.get(name):
        raise Refusal(400, "file must be non-empty")
    chat = writable_chat(server, p, "documents")
    text, entities = text_of(p, "caption", CAPTION_LIMIT, "message caption is too long")
    return _send(server, chat, p, None, text, entities, None, server.call.uploads[name])


def _send(
    server: "BotApiServer",
    chat: Chat,
    p: Json,
    ephemeral: Json | None,
    text: str,
    entities: list[Json],
    photo: Picture | None,
    document: bytes | None = None,
) -> Json:
    markup = checked_markup(server, chat, p, inline_only=ephemeral is not None)
    reply_to = reply_of(server, chat, p)
    topic = topic_of(chat, p, reply_to)
    receiver = check_ephemeral(server, chat, ephemeral) if ephemeral else None
    if receiver is None or server.ephemeral_counts:
        spend(server, chat)
    message = Message(chat, 0, server.now, server.bot, text, entities, photo, markup, topic, reply_to)
    message.silent, message.document = bool(p.get("disable_notification")), document
    if receiver:
        message.receiver, message.ephemeral_id = receiver, server.next_ephemeral_id()
        message.delivered = not server.ephemeral_to_lose
        server.ephemeral_to_lose = max(server.ephemeral_to_lose - 1, 0)
    else:
        message.id = server.next_message_id(chat)
    chat.all_messages.append(message)
    server.show(message, "ephemeral" if receiver else "message")
    return message.as_json()


def ephemeral_receiver(server: "BotApiServer", p: Json) -> Json | None:
    """Return the ephemeral parameters that this version knows; otherwise the message is public."""
    if server.version >= (10, 3) and (given := p.get("ephemeral_message_parameters")) is not None:
        return dict(given)
    if server.version >= (10, 2) and "receiver_user_id" in p:
        return {key: p[key] for key in ("receiver_user_id", "callback_query_id") if key in p}
    return None


def check_ephemeral(server: "BotApiServer", chat: Chat, given: Json) -> User:
    """Check the right to send one: administrators at any time, others only shortly after the member's click."""
    if not chat.in_group:
        raise Refusal(400, "ephemeral messages can be sent only to groups and supergroups")
    member = chat.members.get(given["receiver_user_id"])
    if member is None or member.status in GONE:
        raise Refusal(400, "USER_NOT_PARTICIPANT")
    query = given.get("callback_query_id")
    press = server.presses.get(str(query))
    if query is not None and (press is None or press.user is not member.user or press.chat is not chat):
        raise Refusal(400, TOO_OLD)
    if not chat.bot_member.is_admin:
        if press is None:
            raise Refusal(400, "CHAT_ADMIN_REQUIRED")
        if server.now - press.time > EPHEMERAL_AFTER_CLICK_S:
            raise Refusal(400, TOO_OLD)
    return member.user


def ephemeral_to_edit(server: "BotApiServer", p: Json, missing: str = "message to edit not found") -> Message:
    chat = find_chat(server, p["chat_id"])
    for message in chat.all_messages:
        if message.ephemeral_id == p["ephemeral_message_id"] and not message.deleted:
            assert message.receiver
            if message.receiver.id == p["receiver_user_id"]:
                return message
    raise Refusal(400, missing)


@method("editEphemeralMessageText")
def edit_ephemeral_text(server: "BotApiServer", p: Json) -> bool:
    message = ephemeral_to_edit(server, p)
    if message.photo:
        raise Refusal(400, "there is no text in the message to edit")
    text, entities = text_of(p, "text", EPHEMERAL_EDIT_LIMIT, "MESSAGE_TOO_LONG")
    return _edit_ephemeral(server, message, p, text, entities, None)


@method("editEphemeralMessageCaption")
def edit_ephemeral_caption(server: "BotApiServer", p: Json) -> bool:
    message = ephemeral_to_edit(server, p)
    if not message.photo:
        raise Refusal(400, "there is no caption in the message to edit")
    text, entities = text_of(p, "caption", CAPTION_LIMIT, "message caption is too long")
    return _edit_ephemeral(server, message, p, text, entities, message.photo)


@method("editEphemeralMessageMedia")
def edit_ephemeral_media(server: "BotApiServer", p: Json) -> bool:
    message = ephemeral_to_edit(server, p)
    photo, text, entities = _media(server, p, uploads=False)
    return _edit_ephemeral(server, message, p, text, entities, photo)


@method("editEphemeralMessageReplyMarkup")
def edit_ephemeral_markup(server: "BotApiServer", p: Json) -> bool:
    message = ephemeral_to_edit(server, p)
    return _edit_ephemeral(server, message, p, message.text, message.entities, message.photo)


def _edit_ephemeral(
    server: "BotApiServer", message: Message, p: Json, text: str, entities: list[Json], photo: Picture | None
) -> bool:
    markup = checked_markup(server, message.chat, p, inline_only=True)
    if server.ephemeral_counts:
        spend(server, message.chat)
    _apply(server, message, text, entities, photo, markup)
    return True


@method("deleteEphemeralMessage")
def delete_ephemeral(server: "BotApiServer", p: Json) -> bool:
    ephemeral_to_edit(server, p, "message to delete not found").deleted = True
    return True


def message_to_edit(server: "BotApiServer", p: Json) -> Message:
    chat = find_chat(server, p.get("chat_id", ""))
    if "message_id" not in p:
        raise Refusal(400, "message identifier is not specified")
    if chat.user:
        _check_private(chat.user)
    message = server.find_message(chat, p["message_id"])
    if message is None:
        raise Refusal(400, "message to edit not found")
    plain_markup = message.markup is not None and "inline_keyboard" not in message.markup
    # A reply keyboard or a forced reply makes a message that can never be edited.
    if message.sender is not server.bot or message.service or plain_markup:
        raise Refusal(400, "message can't be edited")
    if not chat.bot_member.is_admin and (chat.silent or chat.bot_member.muted):
        raise Refusal(400, "CHAT_WRITE_FORBIDDEN")
    return message


@method("editMessageText")
def edit_text(server: "BotApiServer", p: Json) -> Json:
    message = message_to_edit(server, p)
    if message.photo:
        raise Refusal(400, "there is no text in the message to edit")
    text, entities = text_of(p, "text", TEXT_LIMIT, "MESSAGE_TOO_LONG")
    return _edit(server, message, p, text, entities, None)


@method("editMessageCaption")
def edit_caption(server: "BotApiServer", p: Json) -> Json:
    message = message_to_edit(server, p)
    if not message.photo:
        raise Refusal(400, "there is no caption in the message to edit")
    text, entities = text_of(p, "caption", CAPTION_LIMIT, "message caption is too long")
    return _edit(server, message, p, text, entities, message.photo)


@method("editMessageMedia")
def edit_media(server: "BotApiServer", p: Json) -> Json:
    message = message_to_edit(server, p)
    photo, text, entities = _media(server, p)
    return _edit(server, message, p, text, entities, photo)


@method("editMessageReplyMarkup")
def edit_markup(server: "BotApiServer", p: Json) -> Json:
    message = message_to_edit(server, p)
    return _edit(server, message, p, message.text, message.entities, message.photo)


def _media(server: "BotApiServer", p: Json, *, uploads: bool = True) -> tuple[Picture, str, list[Json]]:
    """Return the new picture with its own caption; the old caption is gone."""
    media = p["media"]
    if media.get("type") != "photo":
        raise Refusal(400, "the test server takes photos only")
    text, entities = text_of(media, "caption", CAPTION_LIMIT, "message caption is too long")
    return picture_of(server, media["media"], uploads=uploads), text, entities


def _edit(
    server: "BotApiServer", message: Message, p: Json, text: str, entities: list[Json], photo: Picture | None
) -> Json:
    markup = checked_markup(server, message.chat, p, inline_only=True)
    spend(server, message.chat)
    _apply(server, message, text, entities, photo, markup)
    return message.as_json()


def _apply(
    server: "BotApiServer",
    message: Message,
    text: str,
    entities: list[Json],
    photo: Picture | None,
    markup: Json | None,
) -> None:
    """Apply the new state. An edit without `reply_markup` removes the keyboard."""
    old_photo = message.photo.unique_id if message.photo else None
    new_photo = photo.unique_id if photo else None
    if (message.text, message.entities, old_photo, message.markup) == (text, entities, new_photo, markup):
        raise Refusal(400, NOT_MODIFIED)
    message.text, message.entities, message.photo, message.markup = text, entities, photo, markup
    message.edits += 1
    message.edit_date = server.now
    server.show(message, "ephemeral" if message.receiver else "edit")


@method("setMessageReaction")
def set_reaction(server: "BotApiServer", p: Json) -> bool:
    """Set a bot's reaction, with an allowed emoji; none removes it."""
    chat = find_chat(server, p["chat_id"])
    message = server.find_message(chat, p["message_id"])
    if message is None:
        raise Refusal(400, "message to react not found")
    given = p.get("reaction", [])
    if len(given) > 1 or any(one["emoji"] not in REACTIONS for one in given):
        raise Refusal(400, "REACTION_INVALID")
    message.reactions = [one["emoji"] for one in given]
    return True


@method("deleteMessage")
def delete_message(server: "BotApiServer", p: Json) -> bool:
    chat = find_chat(server, p["chat_id"])
    message = server.find_message(chat, p["message_id"])
    if message is None:
        raise Refusal(400, "message to delete not found")
    mine = message.sender is server.bot or chat.type == "private"
    fresh = server.now - message.date < DELETABLE_S
    if not chat.bot_member.may("can_delete_messages") and not (mine and fresh):
        raise Refusal(400, "message can't be deleted")
    message.deleted = True
    return True


@method("answerCallbackQuery")
def answer_callback_query(server: "BotApiServer", p: Json) -> bool:
    press = server.presses.get(p["callback_query_id"])
    expired = press is None or press.answer.done() or server.now - press.time > server.query_lifetime_s
    if expired:
        raise Refusal(400, TOO_OLD)
    assert press
    text = p.get("text") or ""
    if utf16_length(text) > ALERT_LIMIT:
        raise Refusal(400, "MESSAGE_TOO_LONG")
    if p.get("url") and not re.match(r"(https://t\.me/|tg://)", p["url"]):
        raise Refusal(400, "URL_INVALID")
    server.answer_press(press, text, bool(p.get("show_alert")))
    return True


SCOPES = {
    "default": (),
    "all_private_chats": (),
    "all_group_chats": (),
    "all_chat_administrators": (),
    "chat": ("chat_id",),
    "chat_administrators": ("chat_id",),
    "chat_member": ("chat_id", "user_id"),
}


def scope_key(server: "BotApiServer", p: Json) -> tuple[str, int, int, str]:
    """Return (kind, chat, user, language), the key of a menu."""
    scope = p.get("scope") or {"type": "default"}
    if scope.get("type") not in SCOPES:
        raise Refusal(400, "can't parse BotCommandScope: Unsupported type specified")
    if any(name not in scope for name in SCOPES[scope["type"]]):
        raise Refusal(400, "chat_id is empty")
    chat_id = find_chat(server, scope["chat_id"]).id if "chat_id" in scope else 0
    language = p.get("language_code") or ""
    if not re.fullmatch(r"([a-z]{2})?", language):
        raise Refusal(400, "LANG_CODE_INVALID")
    return scope["type"], chat_id, int(scope.get("user_id", 0)), language


@method("setMyCommands")
def set_my_commands(server: "BotApiServer", p: Json) -> bool:
    if len(p["commands"]) > 100:
        raise Refusal(400, "BOT_COMMANDS_TOO_MUCH")
    for command in p["commands"]:
        if not re.fullmatch(r"[a-z0-9_]{1,32}", command["command"].removeprefix("/")):
            raise Refusal(400, "BOT_COMMAND_INVALID")
        if not 1 <= utf16_length(command["description"].strip()) <= 256:
            raise Refusal(400, "BOT_COMMAND_DESCRIPTION_INVALID")
    commands = [c | {"command": c["command"].removeprefix("/")} for c in p["commands"]]
    server.menus[scope_key(server, p)] = commands
    return True


@method("getMe")
def get_me(server: "BotApiServer", p: Json) -> Json:
    abilities = {"can_join_groups": True, "can_read_all_group_messages": not server.privacy}
    abilities["has_main_web_app"] = server.main_web_app
    return server.bot.as_json() | abilities | {"supports_inline_queries": False}


@method("setChatMenuButton")
def set_chat_menu_button(server: "BotApiServer", p: Json) -> bool:
    button = p.get("menu_button") or {"type": "default"}
    if button["type"] == "web_app" and not button["web_app"]["url"].startswith("https://"):
        raise Refusal(400, "BUTTON_URL_INVALID")
    server.menu_button = dict(button)
    return True


@method("getChatMenuButton")
def get_chat_menu_button(server: "BotApiServer", p: Json) -> Json:
    return server.menu_button


@method("getChat")
def get_chat(server: "BotApiServer", p: Json) -> Json:
    chat = find_chat(server, p["chat_id"])
    gifts = "unlimited_gifts limited_gifts unique_gifts premium_subscription gifts_from_channels".split()
    info: Json = {"accent_color_id": 0, "max_reaction_count": 11, "accepted_gift_types": dict.fromkeys(gifts, False)}
    if chat.in_group:
        info |= {"permissions": dict.fromkeys(PERMISSIONS, not chat.silent) | {"can_invite_users": chat.invites}}
    return chat.as_json() | info


@method("getChatMember")
def get_chat_member(server: "BotApiServer", p: Json) -> Json:
    chat = find_chat(server, p["chat_id"])
    if p["user_id"] == ANONYMOUS["id"]:
        return {"status": "left", "user": dict(ANONYMOUS)}
    if (member := chat.members.get(p["user_id"])) is not None:
        return member.as_json()
    if (user := server.users.get(p["user_id"])) is None:
        raise Refusal(400, "PARTICIPANT_ID_INVALID")
    return Member(user, "left").as_json()


@method("createChatInviteLink")
def create_chat_invite_link(server: "BotApiServer", p: Json) -> Json:
    chat = find_chat(server, p["chat_id"])
    if not chat.in_group or not chat.bot_member.may("can_invite_users"):
        raise Refusal(400, "not enough rights to manage chat invite link")
    link = f"https://t.me/+{secrets.token_urlsafe(12)}"
    chat.links[link] = p.get("member_limit") or 99999
    told = {"creates_join_request": False, "is_primary": False, "is_revoked": False}
    limits = {name: p[name] for name in ("member_limit",) if p.get(name)}
    return told | limits | {"invite_link": link, "creator": server.bot.as_json()}


@method("sendChatAction")
def send_chat_action(server: "BotApiServer", p: Json) -> bool:
    topic_of(writable_chat(server, p, "text messages"), p, None)
    return True


def forum_of(server: "BotApiServer", p: Json) -> Chat:
    chat = find_chat(server, p["chat_id"])
    if not chat.is_forum:
        raise Refusal(400, "the chat is not a forum")
    return chat


@method("createForumTopic")
def create_forum_topic(server: "BotApiServer", p: Json) -> Json:
    chat = forum_of(server, p)
    if not chat.bot_member.may("can_manage_topics"):
        raise Refusal(400, "not enough rights to create a topic")
    if not 1 <= utf16_length(p["name"].strip()) <= 128:
        raise Refusal(400, "topic name is invalid")
    topic = server.create_topic(chat, server.bot, p["name"].strip())
    return {"message_thread_id": topic.id, "name": topic.name, "icon_color": ICON_COLOR}


@method("setWebhook")
def set_webhook(server: "BotApiServer", p: Json) -> bool:
    """Set the webhook. Plain http is accepted, as by a local Bot API server."""
    url, secret = p.get("url") or "", p.get("secret_token")
    if secret is not None and not re.fullmatch(r"[A-Za-z0-9_-]{1,256}", secret):
        raise Refusal(400, "secret token contains unallowed characters")
    if not 1 <= p.get("max_connections", 40) <= 100:
        raise Refusal(400, "bad webhook: max_connections is out of range")
    if url and not re.match(r"https?://(127\.0\.0\.1|localhost)[:/]", url):
        raise Refusal(400, "bad webhook: An HTTPS URL must be provided for webhook")
    if p.get("drop_pending_updates"):
        server.updates.drop_pending()
    server.allow(p.get("allowed_updates"))
    server.set_webhook(Webhook(url, secret, p.get("max_connections", 40)) if url else None)
    return True


@method("deleteWebhook")
def delete_webhook(server: "BotApiServer", p: Json) -> bool:
    if p.get("drop_pending_updates"):
        server.updates.drop_pending()
    server.set_webhook(None)
    return True


@method("getWebhookInfo")
def get_webhook_info(server: "BotApiServer", p: Json) -> Json:
    webhook, updates = server.updates.webhook, server.updates
    info: Json = {"url": webhook.url if webhook else "", "has_custom_certificate": False}
    info |= {"pending_update_count": len(updates.queue)}
    if webhook:
        info |= {"max_connections": webhook.max_connections}
        if webhook.last_error:
            info |= {"last_error_date": webhook.last_error[0], "last_error_message": webhook.last_error[1]}
    return info | ({"allowed_updates": updates.allowed} if updates.allowed else {})


@method(
    "setMyDescription",
    "setMyShortDescription",
    "setMyName",
    "setMyDefaultAdministratorRights",
    "close",
    "logOut",
)
def succeed(server: "BotApiServer", p: Json) -> bool:
    return True


def menu_of(server: "BotApiServer", user: User, chat: Chat) -> list[str]:
    """Return the commands that Telegram offers this user in this chat: the narrowest scope that is set, their language
    first.
    """
    member = chat.members.get(user.id)
    admin = bool(member and member.is_admin)
    narrow = [("chat_member", chat.id, user.id)]
    if not chat.in_group:
        scopes = [("chat", chat.id, 0), ("all_private_chats", 0, 0)]
    else:
        of_chat = [("chat_administrators", chat.id, 0)] * admin + [("chat", chat.id, 0)]
        of_all = [("all_chat_administrators", 0, 0)] * admin + [("all_group_chats", 0, 0)]
        scopes = narrow + of_chat + of_all
    for scope in [*scopes, ("default", 0, 0)]:
        for language in (user.language_code or "", ""):
            if commands := server.menus.get((*scope, language)):
                return [command["command"] for command in commands]
    return []
