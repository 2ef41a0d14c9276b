"""Text as Telegram measures and marks it: UTF-16 units, HTML markup, commands and mentions."""

import re
from dataclasses import dataclass, field
from html import unescape
from typing import Any

from tests.servers.telegram.refusal import Refusal

Entity = dict[str, Any]

TAGS = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "tg-spoiler": "spoiler",
    "span": "spoiler",
    "a": "text_link",
    "code": "code",
    "pre": "pre",
    "blockquote": "blockquote",
    "tg-emoji": "custom_emoji",
}
CHARACTER = re.compile(r"&(?:lt|gt|amp|quot|#[0-9]{1,8}|#x[0-9a-fA-F]{1,8});")
TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]*|)([^<>\"']*(?:(?:\"[^\"]*\"|'[^']*')[^<>\"']*)*)>")
ATTRIBUTE = re.compile(r"\s+([a-zA-Z-]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([a-zA-Z0-9.-]+)))?")
COMMAND = re.compile(r"(?<![\w/@<>])/([A-Za-z0-9_]{1,64})(?:@([A-Za-z0-9_]{3,32}))?(?![\w/])")
MENTION = re.compile(r"(?<![\w@/])@[A-Za-z0-9_]{3,32}")
# Other automatic entities of Telegram, as in TDLib's MessageEntity.cpp; a word joiner ends each of them. Telegram knows
# the top-level domains; here any two letters count as one.
MARKS = {
    "hashtag": re.compile(r"(?<![\w#])#(?=\w*[^\W\d])\w+"),
    "cashtag": re.compile(r"(?<![\w$])\$[A-Z]{1,8}(?!\w)"),
    "email": re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    "phone_number": re.compile(r"(?<!\w)\+[0-9][0-9 ()-]{6,}[0-9]"),
    "url": re.compile(
        r"(?<![\w@.])(?:(?:https?|ftp|tg|ton|tonsite)://[^\s\u2060]+"
        r"|(?:[\w-]+\.)+[^\W\d_]{2,}(?![\w@])(?:[/:?#][^\s\u2060]*)?|[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?![\w.]))"
    ),
}


def utf16_length(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def utf16_slice(text: str, offset: int, length: int) -> str:
    return text.encode("utf-16-le")[2 * offset : 2 * (offset + length)].decode("utf-16-le")


def found_entities(text: str) -> list[Entity]:
    """Return the entities that Telegram finds itself: commands (also `/bet@ridotto_bot`), mentions, tags, addresses."""
    found = [("bot_command", match) for match in COMMAND.finditer(text)]
    found += [(kind, match) for kind, mark in MARKS.items() for match in mark.finditer(text)]
    found += [("mention", match) for match in MENTION.finditer(text)]
    return [
        {"type": kind, "offset": utf16_length(text[: match.start()]), "length": utf16_length(match[0])}
        for kind, match in sorted(found, key=lambda pair: pair[1].start())
    ]


def formatted(text: str, parse_mode: str | None, entities: list[Entity] | None) -> tuple[str, list[Entity]]:
    """Return text as it is stored: markup parsed, stripped, entities in UTF-16 units."""
    if parse_mode and parse_mode.upper() != "HTML":
        raise Refusal(400, "unsupported parse_mode")
    if parse_mode:
        text, entities = Html(text).parse()
    return trimmed(text, [*(entities or [])])


def trimmed(text: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    kept = text.strip()
    cut = utf16_length(text[: len(text) - len(text.lstrip())])
    end = utf16_length(kept)
    moved = []
    for entity in entities:
        start = min(max(entity["offset"] - cut, 0), end)
        stop = min(max(entity["offset"] - cut + entity["length"], 0), end)
        if stop > start:
            moved.append(entity | {"offset": start, "length": stop - start})
    covered = {(entity["offset"], entity["length"]) for entity in moved}
    moved += [entity for entity in found_entities(kept) if (entity["offset"], entity["length"]) not in covered]
    return kept, sorted(moved, key=lambda entity: (entity["offset"], -entity["length"]))


@dataclass
class OpenTag:
    name: str
    start: int
    attributes: dict[str, str]


@dataclass
class Html:
    """One text in Telegram's HTML; refuses what Telegram refuses, with the same words."""

    source: str
    plain: str = ""
    open: list[OpenTag] = field(default_factory=list)
    entities: list[Entity] = field(default_factory=list)

    def parse(self) -> tuple[str, list[Entity]]:
        at = 0
        while at < len(self.source):
            at = self._step(at)
        if self.open:
            raise broken(f'Can\'t find end tag corresponding to start tag "{self.open[-1].name}"')
        return self.plain, self.entities

    def _step(self, at: int) -> int:
        character = self.source[at]
        if character == "<":
            return self._tag(at)
        if character == "&" and (match := CHARACTER.match(self.source, at)):
            self.plain += unescape(match[0])
            return match.end()
        self.plain += character
        return at + 1

    def _tag(self, at: int) -> int:
        offset = len(self.source[:at].encode())
        match = TAG.match(self.source, at)
        closing = self.source.startswith("</", at)
        if not match:
            self._refuse_unclosed(at, offset, closing)
        assert match
        name = match[2].lower()
        if closing:
            self._close(name, offset)
        else:
            self._open(name, match[3], offset)
        return match.end()

    def _refuse_unclosed(self, at: int, offset: int, closing: bool) -> None:
        name = re.match(r"</?([a-zA-Z0-9-]*)", self.source[at:])
        if not closing and name and name[1].lower() not in TAGS:
            raise broken(f'Unsupported start tag "{name[1].lower()}" at byte offset {offset}')
        raise broken(f"Unclosed {'end' if closing else 'start'} tag at byte offset {offset}")

    def _open(self, name: str, rest: str, offset: int) -> None:
        attributes = {m[1].lower(): unescape(m[2] or m[3] or m[4] or "") for m in ATTRIBUTE.finditer(rest)}
        if name not in TAGS or (name == "span" and attributes.get("class") != "tg-spoiler"):
            raise broken(f'Unsupported start tag "{name}" at byte offset {offset}')
        if ATTRIBUTE.sub("", rest).strip():
            raise broken(f'Empty attribute name in the tag "{name}" at byte offset {offset}')
        self.open.append(OpenTag(name, utf16_length(self.plain), attributes))

    def _close(self, name: str, offset: int) -> None:
        if not self.open:
            raise broken(f"Unexpected end tag at byte offset {offset}")
        tag = self.open.pop()
        if name and name != tag.name:
            raise broken(f'Unmatched end tag at byte offset {offset}, expected "</{tag.name}>", found "</{name}>"')
        length = utf16_length(self.plain) - tag.start
        if length:
            self._mark(tag, length)

    def _mark(self, tag: OpenTag, length: int) -> None:
        entity: Entity = {"type": TAGS[tag.name], "offset": tag.start, "length": length}
        if tag.name == "a":
            entity |= {"url": tag.attributes.get("href") or utf16_slice(self.plain, tag.start, length)}
        elif tag.name == "tg-emoji":
            entity |= {"custom_emoji_id": tag.attributes.get("emoji-id", "")}
        elif tag.name == "blockquote" and "expandable" in tag.attributes:
            entity["type"] = "expandable_blockquote"
        elif tag.name == "code" and self.open and self.open[-1].name == "pre" and "class" in tag.attributes:
            self.open[-1].attributes["language"] = tag.attributes["class"].removeprefix("language-")
            return
        elif tag.name == "pre" and "language" in tag.attributes:
            entity |= {"language": tag.attributes["language"]}
        self.entities.append(entity)


def broken(why: str) -> Refusal:
    return Refusal(400, f"can't parse entities: {why}")
