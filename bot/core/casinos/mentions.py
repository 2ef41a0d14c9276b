"""`/mentions`: whether a player is mentioned in chats when it is their turn; a table may turn mentions off.

Law: a player to move is mentioned at most once a hand. Notices on request (`/notify`) come anyway.
"""

from bot.core.commands.command import Answer
from bot.core.commands.registry import Request, command, say
from bot.core.commands.words import parse_switch
from bot.core.state.table import Table
from bot.core.state.transaction import State
from bot.texts import Text


@command("mentions", Text("Mentions when it is your turn"), group="me", usage="on|off")
def mentions(request: Request) -> Answer:
    """Turn mentions on or off, for every table on every platform."""
    is_on = parse_switch(request.args)
    request.transaction.set_player(request.player.change(unmentioned=not is_on))
    if is_on:
        return say("You are mentioned when half of your time for a decision is over, once per hand.")
    return say("You are no longer mentioned when it is your turn. Your clock still runs.")


def may_mention(state: State, table: Table, player: int) -> bool:
    """Check whether a message may mention a player whose turn it is at this table."""
    return table.settings.mentions and not state.players[player].state.unmentioned
