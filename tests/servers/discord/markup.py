"""Markup that Discord finds in a text: mentions, links, and styles.

Follows the message formatting page of its documentation and its client's parser. Mentions and links are also found by
the server, for which a backslash is an ordinary character.
"""

from __future__ import annotations

import re

FOUND = {
    "user": r"<@!?\d+>",
    "role": r"<@&\d+>",
    "channel": r"<#\d+>",
    "time": r"<t:-?\d+(?::[tTdDfFsSR])?>",
    "emoji": r"<a?:\w+:\d+>",
    "command": r"</[^>]+:\d+>",
    "navigation": r"<id:\w+>",
    "everybody": r"@(?:everyone|here)",
    "link": r"(?:https?|steam|discord)://[^\s<]+",
    "bare link": r"<[^: >]+:/[^ >]+>",
    "address": r"<(?:[\w.+-]+@[\w.-]+|\+?[\d -]{3,})>",
    "invitation": r"(?:discord\.gg|discord(?:app)?\.com/invite)/\w+",
}
MARKED = {
    "strong or slanted": r"[*_]",
    "struck": r"~~",
    "spoiler": r"\|\|",
    "code": r"`",
    "named link": r"\[[^\]]*\]\([^)]*\)",
    "heading": r"(?m)^\s*#{1,3} ",
    "small": r"(?m)^\s*-# ",
    "quotation": r"(?m)^\s*>(?:>>)? ",
    "list": r"(?m)^\s*[-*] ",
}
ESCAPED = re.compile(r"\\[^0-9A-Za-z\s]")
# Invisible characters.
NOTHING = "\u200b"


def things_in(text: str) -> list[tuple[str, str]]:
    """Return (kind, text) of everything that is more than words."""
    found = [(name, one) for name, pattern in FOUND.items() for one in re.findall(pattern, text)]
    # An escaped character is a letter without a kind, which still interrupts a mark.
    plain = ESCAPED.sub("\x00", text)
    return found + [(name, one) for name, pattern in MARKED.items() for one in re.findall(pattern, plain)]


def read(text: str) -> str:
    """Return the words that a reader sees, without markup."""
    return ESCAPED.sub(lambda found: found[0][1], text).replace(NOTHING, "")
