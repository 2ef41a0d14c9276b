"""The settings on any platform: one private message with a page of buttons, which is edited in place.

A button is a command that can also be typed; checks, confirmations and the audit log are the same. A platform draws a
page and asks for the text that a button still needs.
"""

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from bot.core.admin.settings import SETTINGS, page_after
from bot.core.commands.command import Answer, Choice, Command
from bot.platforms.common.press import Press
from bot.texts import Text

MORE_SETTINGS = Text("Tables, jackpot, people, audit log »")
_SETTINGS = Choice(Text("Settings"), SETTINGS)
Submit = Callable[[Command], Awaitable[Answer]]


class SettingsPage(NamedTuple):
    """Content of the settings message. `asks` is the command at this `table` that a yes would confirm, `file` a record
    that is handed over with it, as (name, content).
    """

    lines: tuple[Text, ...]
    choices: tuple[Choice, ...] = ()
    asks: Command | None = None
    table: int = 0
    file: tuple[str, str] | None = None


async def turn_page(submit: Submit, command: Command, table: int = 0) -> SettingsPage:
    """Submit the command of a button and return the next page; `table` is the one at which it was given."""
    answer = await submit(command)
    if command.verb == SETTINGS:
        return SettingsPage(answer.said, answer.choices)
    if answer.confirm:
        return SettingsPage(answer.said, asks=command._replace(confirmed=answer.confirm), table=table)
    after = page_after(command.verb, command.args, table)
    again = command._replace(key=f"{command.key}:page", verb=SETTINGS, args=after, confirmed=False)
    page = await submit(again)
    if page.refused:  # a closed table has no page
        page = await submit(again._replace(key=f"{command.key}:home", args=()))
    return SettingsPage((*answer.said, *page.said), page.choices, file=answer.file)


def press_in_settings(choice: Choice, place: str = "") -> Press:
    """Return the press of a button of a page; `place` is the platform's key of the community."""
    kind = "fill" if choice.asks is not None else "admin"
    return Press(kind, choice.verb, choice.args, "", choice.at, place)


def with_settings(verb: str, answer: Answer) -> Answer:
    """Add a button to the settings to an answer that offers the inspectors' page."""
    is_for_inspectors = verb == "help" and any(one.args[:1] == ("inspectors",) for one in answer.choices)
    return answer._replace(choices=(*answer.choices, _SETTINGS)) if is_for_inspectors else answer
