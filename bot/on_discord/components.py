"""Discord's components (V2) as the JSON that it takes. The library's objects for them cost many times as much.

Only this module knows how they are written, and how the library is handed what is written already.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from discord import ButtonStyle, ComponentType, ui

MOST_COMPONENTS = 40
# Buttons in a row; a select has one for itself.
WIDEST = 5
LONGEST_LABEL, LONGEST_CHOICE = 80, 100
Part = dict[str, Any]

_BUTTON, _SELECT, _ROW = ComponentType.button.value, ComponentType.select.value, ComponentType.action_row.value
_WORDS, _GALLERY, _FILE = ComponentType.text_display.value, ComponentType.media_gallery.value, ComponentType.file.value
_CONTAINER = ComponentType.container.value
PLAIN, BLUE, RED = ButtonStyle.secondary.value, ButtonStyle.primary.value, ButtonStyle.danger.value


class View(ui.LayoutView):
    """Finished parts, which the library sends as they are. It keeps none: presses find their way by their codes."""

    def __init__(self, parts: Sequence[Part]) -> None:
        super().__init__(timeout=None)
        self.parts = list(parts)

    def to_components(self) -> list[Part]:
        return self.parts

    def has_components_v2(self) -> bool:
        return True

    def is_finished(self) -> bool:
        return True


def words(text: str) -> Part:
    return {"type": _WORDS, "content": text}


def button(label: str, code: str, style: int = PLAIN) -> Part:
    return {"type": _BUTTON, "style": style, "label": label[:LONGEST_LABEL], "custom_id": code}


def select(says: str, code: str, choices: Iterable[tuple[str, str]]) -> Part:
    """One of `choices` is picked: (label, value) of each."""
    options = [{"label": label[:LONGEST_CHOICE], "value": value} for label, value in choices]
    return {"type": _SELECT, "custom_id": code, "placeholder": says, "options": options}


def rows(buttons: Sequence[Part]) -> list[Part]:
    """Buttons side by side, as many as go into a row."""
    return [row(*buttons[start : start + WIDEST]) for start in range(0, len(buttons), WIDEST)]


def row(*parts: Part) -> Part:
    return {"type": _ROW, "components": list(parts)}


def picture(name: str, description: str) -> Part:
    """A file that is sent along; `description` is for who cannot see it."""
    return {"type": _GALLERY, "items": [{"media": _attached(name), "description": description}]}


def attachment(name: str) -> Part:
    return {"type": _FILE, "file": _attached(name)}


def container(parts: Sequence[Part], colour: int) -> Part:
    return {"type": _CONTAINER, "accent_color": colour, "components": list(parts)}


def count(part: Part) -> int:
    """How many components a row is, with what is in it."""
    return 1 + len(part["components"])


def _attached(name: str) -> Part:
    return {"url": f"attachment://{name}"}
