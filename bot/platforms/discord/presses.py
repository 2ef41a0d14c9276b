"""Buttons, selects and modals, dispatched by their custom ids so that they outlive a restart.

The library could do this (`DynamicItem`), but first makes objects of everything in the message, two thirds of the cost
of a press. It also drops errors, so each is caught here.
"""

import logging
from collections.abc import Awaitable, Callable
from typing import Any

from discord import InteractionType, ui

from bot.core.commands.command import FAULT
from bot.core.commands.picks import without_picks
from bot.platforms.common.press import Press
from bot.platforms.common.sentences import UNKNOWN_BUTTON
from bot.platforms.discord.answers import Answers
from bot.platforms.discord.codes import read_press, write_press
from bot.platforms.discord.replies import Interaction
from bot.texts import Text, say
from bot.view import Button

_PRESSES = (InteractionType.component, InteractionType.modal_submit)
# A modal is lost with the process anyway, and no one types longer.
MODAL_LASTS_S = 600.0
TYPED = "typed"
_log = logging.getLogger("ridotto.discord")

LONGEST_LABEL, LONGEST_DESCRIPTION = 45, 100
# Used if the button has gone meanwhile: the typed text is refused with the reason.
_GONE = Button(Text("Amount, for example 50"), "")


Open = Callable[[Interaction], Awaitable[None]]


def is_press(interaction: Interaction) -> bool:
    """Return whether the interaction is a component or a modal; commands are handled by the library."""
    return interaction.type in _PRESSES


async def handle_press(answers: Answers, interaction: Interaction, open_app: Open) -> None:
    """Handle an interaction for which `is_press` is true."""
    data: Any = interaction.data or {}
    press = read_press(str(data.get("custom_id", "")), data.get("values", ())) or Press("")
    await guarded(answers, interaction, lambda: _dispatch_press(answers, interaction, press, open_app))


async def _dispatch_press(answers: Answers, interaction: Interaction, press: Press, open_app: Open) -> None:
    if press.kind == "yes":
        await answers.confirm(interaction, press.verb)
    elif press.kind == "no":
        await answers.decline(interaction, press.verb)
    elif press.kind == "app":
        await open_app(interaction)
    elif press.kind == "setup":
        await answers.set_up(interaction, press)
    elif press.kind in ("admin", "fill"):
        await answers.turn_settings(interaction, press)
    elif press.kind == "remove":
        await answers.remove_post(interaction, press.verb)
    elif press.kind == "ask":
        await _open_modal(answers, interaction, press)
    elif press.kind == "typed":
        await answers.handle_press(
            interaction, press._replace(args=(*press.args, *_words_typed(interaction, press.verb)))
        )
    elif press.kind in ("verb", "turn"):
        await answers.handle_press(interaction, press)
    elif await answers.admit(interaction):
        # Without any answer Discord would say that the bot is broken.
        await answers.send_texts(interaction, UNKNOWN_BUTTON)


async def _open_modal(answers: Answers, interaction: Interaction, press: Press) -> None:
    """Ask for the amount or text of a press in a modal, whose id holds the press."""
    if not await answers.admit(interaction):
        return
    language, button = answers.language(interaction), _button_of(answers, interaction, press) or _GONE
    label = say(button.label, language)[:LONGEST_LABEL]
    how = say(button.ask, language)[:LONGEST_DESCRIPTION] if button.ask else None
    modal = ui.Modal(title="Ridotto", timeout=MODAL_LASTS_S, custom_id=write_press(press._replace(kind="typed")))
    field: ui.TextInput[Any] = ui.TextInput(custom_id=TYPED, max_length=64)
    modal.add_item(ui.Label(text=label, description=how, component=field))
    # Submits come by on_interaction, after a restart too: the library need not keep it.
    modal.stop()
    await interaction.response.send_modal(modal)


def _button_of(answers: Answers, interaction: Interaction, press: Press) -> Button | None:
    """Return the button that asks for a typed value, as this person or everyone sees it."""
    table = answers.state.table(press.table)
    if table is None:
        return None
    for viewer in (answers.player_of(interaction), None):
        shown = answers.context.screen(table, viewer)
        for button in (*shown.bets, *shown.moves):
            if button.ask and button.verb == press.verb:
                return button
    return None


def words_typed(interaction: Interaction) -> list[str]:
    """Return what was typed into a modal, as words."""
    data: Any = interaction.data
    return without_picks(_typed(data.get("components", []))).split()


def _words_typed(interaction: Interaction, verb: str) -> list[str]:
    """Return the typed words; a cut is a single text."""
    data: Any = interaction.data
    typed = _typed(data.get("components", []))
    return [typed] if verb == "cut" else words_typed(interaction)


def _typed(components: list[dict[str, Any]]) -> str:
    for component in components:
        if component.get("custom_id") == TYPED:
            return str(component.get("value", ""))
        inner = component.get("components") or ([component["component"]] if "component" in component else [])
        if found := _typed(inner):
            return found
    return ""


async def guarded(answers: Answers, interaction: Interaction, work: Callable[[], Awaitable[None]]) -> None:
    """Run the handler of a press; log a fault and tell the person, because the library would drop it."""
    try:
        await work()
    except Exception as fault:
        _log.error("a press failed: %s", type(fault).__name__, exc_info=fault)
        await answers.send_texts(interaction, *FAULT.texts)
