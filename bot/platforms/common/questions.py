"""Confirmations: costly commands wait here until the person who gave them says yes."""

from collections.abc import Hashable

from bot.core.commands.command import Command
from bot.platforms.common.recent import Recent

MOST_WAITING = 2000


class Questions:
    """Waiting commands by key, with the account that was asked. The key links a yes to its question.

    A command that is `confirmed` with a question's mark confirms that question alone.
    """

    def __init__(self, most: int = MOST_WAITING) -> None:
        self._waiting: Recent[Hashable, Command] = Recent(most)

    def ask(self, key: Hashable, command: Command) -> None:
        self._waiting[key] = command

    def confirm(self, key: Hashable, account: str, again: str) -> Command | None:
        """Return the confirmed command under the key `again`; None if it is another account's or has expired."""
        command = self._waiting.get(key)
        if command is None or command.who.account != account:
            return None
        del self._waiting[key]
        return command._replace(key=again, confirmed=command.confirmed or True)

    def decline(self, key: Hashable, account: str) -> bool:
        """Drop the command; return whether it was still waiting and belongs to this account."""
        command = self._waiting.get(key)
        if command is None or command.who.account != account:
            return False
        del self._waiting[key]
        return True
