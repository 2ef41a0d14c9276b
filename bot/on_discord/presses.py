"""Buttons, selects and modals: all of them find their way by their codes, so that they outlive a restart.

The library reports errors in such callbacks to nobody, so each is caught here.
"""

import logging
import re
from collections.abc import Awaitable, Callable
from typing import Any

from discord import ui

from bot.on_discord.answers import FAULT, Answers
from bot.on_discord.codes import ASK, MODAL, NO, YES, Code, parse_code
from bot.on_discord.panels import Interaction
from bot.texts import Text, say

# A modal dies with the process all the same; nobody types for longer.
MODAL_LASTS_S = 600.0
TYPED = "typed"
_log = logging.getLogger("ridotto.discord")

_ASKS = {
    "cut": Text("Any text of yours"),
    "bet": Text("How much, such as 50"),
    "buyin": Text("How much, such as 320"),
}
# Where an amount alone would not say enough.
_WHERE = {
    "paiju": Text("Where and how much, such as: west 50"),
    "blackjack": Text("How much, or box and amount: 3 20"),
}
_AMOUNT = Text("How much, such as 50")


class Press(ui.DynamicItem[ui.Button[Any]], template=r"(?P<kind>[tayn]):(?P<rest>.*)"):
    """Any button of ours, on whatever message."""

    def __init__(self, item: ui.Button[Any]) -> None:
        super().__init__(item)

    @classmethod
    async def from_custom_id(cls, interaction: Interaction, item: ui.Item[Any], match: re.Match[str], /) -> "Press":
        assert isinstance(item, ui.Button)
        return cls(item)

    async def callback(self, interaction: Interaction) -> None:
        answers: Answers = interaction.client.answers
        await guarded(answers, interaction, lambda: press(answers, interaction, self.custom_id))


class Pick(ui.DynamicItem[ui.Select[Any]], template=r"s:(?P<table>[0-9]+):(?P<fresh>[0-9.]*):(?P<number>[0-9]+)"):
    """A select: what is picked is one press."""

    def __init__(self, item: ui.Select[Any], table: str, fresh: str) -> None:
        super().__init__(item)
        self.code = f"t:{table}:{fresh}"

    @classmethod
    async def from_custom_id(cls, interaction: Interaction, item: ui.Item[Any], match: re.Match[str], /) -> "Pick":
        assert isinstance(item, ui.Select)
        return cls(item, match["table"], match["fresh"])

    async def callback(self, interaction: Interaction) -> None:
        answers: Answers = interaction.client.answers
        picked = self.item.values[0]
        await guarded(answers, interaction, lambda: press(answers, interaction, f"{self.code}:{picked}"))


async def press(answers: Answers, interaction: Interaction, custom_id: str) -> None:
    kind, _colon, rest = custom_id.partition(":")
    if kind == YES:
        await answers.confirm(interaction, rest)
        return
    if kind == NO:
        await answers.decline(interaction, rest)
        return
    code = parse_code(custom_id)
    if code is None:
        await answers.say(interaction, Text("That button is of an older version."))
    elif kind == ASK:
        await ask(answers, interaction, code)
    else:
        await answers.take(interaction, code.verb, code.args, fresh=code.fresh, table=code.table)


async def ask(answers: Answers, interaction: Interaction, code: Code) -> None:
    """The amount or the text that the press needs, typed into a modal whose id says all that it is for."""
    if not await answers.admit(interaction):
        return
    language = answers.language(interaction)
    table = answers.house.table(code.table)
    where = _WHERE.get(table.game) if table is not None and code.verb == "bet" else None
    question = say(where or _ASKS.get(code.verb, _AMOUNT), language)
    modal = ui.Modal(title="Ridotto", timeout=MODAL_LASTS_S, custom_id=code.write(MODAL))
    field: ui.TextInput[Any] = ui.TextInput(custom_id=TYPED, max_length=64)
    modal.add_item(ui.Label(text=question[:45], component=field))
    # Submits come by on_interaction, after a restart too: the library need not keep it.
    modal.stop()
    await interaction.response.send_modal(modal)


async def submit_modal(answers: Answers, interaction: Interaction) -> None:
    """What was typed into a modal of ours; others are not for us."""
    data: Any = interaction.data or {}
    code = parse_code(str(data.get("custom_id", "")))
    if code is None or not str(data["custom_id"]).startswith(f"{MODAL}:"):
        return
    typed = _typed(data.get("components", []))
    args = (*code.args, *([typed] if code.verb == "cut" else typed.split()))
    await guarded(
        answers, interaction, lambda: answers.take(interaction, code.verb, args, fresh=code.fresh, table=code.table)
    )


def _typed(components: list[dict[str, Any]]) -> str:
    for component in components:
        if component.get("custom_id") == TYPED:
            return str(component.get("value", ""))
        inner = component.get("components") or ([component["component"]] if "component" in component else [])
        if found := _typed(inner):
            return found
    return ""


async def guarded(answers: Answers, interaction: Interaction, work: Callable[[], Awaitable[None]]) -> None:
    """A fault here voids nothing and is not passed over in silence."""
    try:
        await work()
    except Exception as fault:
        _log.error("a press failed: %s", type(fault).__name__, exc_info=fault)
        await answers.say(interaction, FAULT)
