"""Buttons, selects and modals: all of them find their way by their codes, so that they outlive a restart.

The library could find them too (`DynamicItem`), but makes objects of all that is in the message first: two thirds of
what a press costs it then. It reports errors to nobody, so each is caught here.
"""

import logging
import re
from collections.abc import Awaitable, Callable
from typing import Any

import discord
from discord import ui

from bot.floor.command import FAULT
from bot.on_discord.answers import Answers
from bot.on_discord.codes import ASK, MODAL, NO, PICK, PRESS, YES, Code, parse_code
from bot.on_discord.panels import Interaction
from bot.texts import Text, say

# A modal dies with the process all the same; nobody types for longer.
MODAL_LASTS_S = 600.0
TYPED = "typed"
_PRESSED = tuple(f"{kind}:" for kind in (PRESS, ASK, YES, NO))
_PICKED = re.compile(f"{PICK}:(?P<table>[0-9]+):(?P<fresh>[0-9.]*):[0-9]+")
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


async def take(answers: Answers, interaction: Interaction) -> None:
    """Whatever was pressed, picked or typed; what is no code of ours is not for us, nor are commands."""
    data: Any = interaction.data or {}
    if interaction.type is discord.InteractionType.modal_submit:
        await submit_modal(answers, interaction, data)
    elif interaction.type is discord.InteractionType.component:
        code = str(data.get("custom_id", ""))
        if (picked := _PICKED.fullmatch(code)) is not None:
            # A select: what is picked is one press.
            code = f"{PRESS}:{picked['table']}:{picked['fresh']}:{data['values'][0]}"
        if code[:2] in _PRESSED:
            await guarded(answers, interaction, lambda: press(answers, interaction, code))


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


async def submit_modal(answers: Answers, interaction: Interaction, data: dict[str, Any]) -> None:
    """What was typed into a modal of ours; others are not for us."""
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
        await answers.say(interaction, *FAULT.texts)
