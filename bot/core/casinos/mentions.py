"""`/mentions`: whether a player is mentioned in chats when it is their turn; a table may turn mentions off.

Law: a player to move is mentioned at most once a hand. Notices on request (`/notify`) come anyway.
"""

from bot.core.commands.command import Answer, Choice
from bot.core.commands.registry import Request, command
from bot.core.commands.words import parse_switch
from bot.core.state.table import Table
from bot.core.state.transaction import State
from bot.texts import Text

_MENTIONED = Text("You are mentioned when half of your time for a decision is over, once per hand.")
_UNMENTIONED = Text("You are not mentioned when it is your turn. Your clock still runs.")


@command("mentions", Text("Choose if you are mentioned when it is your turn"), group="me", usage="on|off")
def mentions(request: Request) -> Answer:
    """Turn mentions on or off, for every table on every platform; without an argument, show which it is."""
    if not request.args:
        off = request.player.state.unmentioned
        choice = Choice(Text("Mention me"), "mentions", ("on",), True)
        if not off:
            choice = Choice(Text("Don't mention me"), "mentions", ("off",), True)
        return Answer((_UNMENTIONED if off else _MENTIONED,), choices=(choice,))
    is_on = parse_switch(request.args)
    request.transaction.set_player(request.player.change(unmentioned=not is_on))
    return Answer((_MENTIONED if is_on else _UNMENTIONED,))


def may_mention(state: State, table: Table, player: int) -> bool:
    """Check whether a message may mention a player whose turn it is at this table."""
    return table.settings.mentions and not state.players[player].state.unmentioned
