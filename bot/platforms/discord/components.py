"""Discord's components (V2) as JSON, many times cheaper than the library's objects.

Only this module knows their format, and how to hand finished JSON to the library.
"""

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any

from discord import AllowedMentions, ButtonStyle, ComponentType, ui

from bot.platforms.common.button_rows import pack_buttons

MOST_COMPONENTS = 40
# Buttons in a row; a select takes a whole row.
WIDEST = 5
LONGEST_LABEL, LONGEST_CHOICE = 80, 100
Part = dict[str, Any]
# The library adds this to posts but not to edits: an edit without it would mention everyone named.
NOBODY = AllowedMentions.none()

_BUTTON, _SELECT, _ROW = ComponentType.button.value, ComponentType.select.value, ComponentType.action_row.value
_WORDS, _GALLERY, _FILE = ComponentType.text_display.value, ComponentType.media_gallery.value, ComponentType.file.value
_CONTAINER, _ROLES = ComponentType.container.value, ComponentType.role_select.value
PLAIN, BLUE, RED = ButtonStyle.secondary.value, ButtonStyle.primary.value, ButtonStyle.danger.value
GREEN = ButtonStyle.success.value
LINK = ButtonStyle.link.value


class View(ui.LayoutView):
    """A finished view, which the library sends as it is and does not store; presses are dispatched by custom ids.

    The library needs no more of a finished view, and preparing its own costs as much as a row.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = list(parts)

    def to_components(self) -> list[Part]:
        return self.parts

    def has_components_v2(self) -> bool:
        return True

    def is_finished(self) -> bool:
        return True


def words(text: str) -> Part:
    """Make a text display with Discord's markup; foreign text must be escaped already."""
    return {"type": _WORDS, "content": text}


def heading(text: str) -> Part:
    """Make a bold line above a row; `text` is ours and needs no escaping."""
    return words(f"**{text}**")


def button(label: str, code: str, style: int = PLAIN) -> Part:
    """Make a button; a long label is cut."""
    return {"type": _BUTTON, "style": style, "label": label[:LONGEST_LABEL], "custom_id": code}


def way(label: str, url: str) -> Part:
    """Make a link button, which sends no press."""
    return {"type": _BUTTON, "style": LINK, "label": label[:LONGEST_LABEL], "url": url}


def select(says: str, code: str, choices: Iterable[tuple[str, str]]) -> Part:
    """Make a select for one of `choices`: (label, value) of each."""
    options = [{"label": label[:LONGEST_CHOICE], "value": value} for label, value in choices]
    return {"type": _SELECT, "custom_id": code, "placeholder": says, "options": options}


def many(says: str, code: str, choices: Iterable[tuple[str, str, bool]], *, is_one: bool = False) -> Part:
    """Make a select for several of `choices`: (label, value, whether it is selected) of each."""
    options = [
        {"label": label[:LONGEST_CHOICE], "value": value, "default": is_picked} for label, value, is_picked in choices
    ]
    most = 1 if is_one else len(options)
    return {
        "type": _SELECT,
        "custom_id": code,
        "placeholder": says,
        "options": options,
        "min_values": 1,
        "max_values": most,
    }


def roles(says: str, code: str, role: str = "") -> Part:
    """Make a select for at most one role of the server; `role` is the present one."""
    picked = [{"id": role, "type": "role"}] if role else []
    return {
        "type": _ROLES,
        "custom_id": code,
        "placeholder": says,
        "min_values": 0,
        "max_values": 1,
        "default_values": picked,
    }


def rows(buttons: Sequence[Part]) -> list[Part]:
    """Pack buttons into rows that fit a phone."""
    return [row(*packed) for packed in pack_buttons(buttons, WIDEST, itemgetter("label"))]


def row(*parts: Part) -> Part:
    """Make a row of at most five buttons, or one select."""
    return {"type": _ROW, "components": list(parts)}


def picture(name: str, description: str) -> Part:
    """Make a gallery of one attached picture; `description` is its alternative text."""
    return {"type": _GALLERY, "items": [{"media": _attached(name), "description": description}]}


def attachment(name: str) -> Part:
    """Show a file attached to the same message."""
    return {"type": _FILE, "file": _attached(name)}


def container(parts: Sequence[Part], colour: int) -> Part:
    """Frame parts with a line of this colour, as 0xRRGGBB."""
    return {"type": _CONTAINER, "accent_color": colour, "components": list(parts)}


def count(part: Part) -> int:
    """Count the components in a part, itself included."""
    return 1 + len(part.get("components", ()))


def _attached(name: str) -> Part:
    return {"url": f"attachment://{name}"}
