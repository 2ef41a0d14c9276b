"""Reset offensive names: an inspector does so for this casino, and the player is told why with their next answer."""

from bot.core.commands.command import Answer, Refused
from bot.core.commands.naming import take_player
from bot.core.commands.registry import CommandFlag, Request, answer_with, command
from bot.core.players.names import name_member
from bot.core.state.lounge import PLATFORM
from bot.texts import Name, Text
from bot.texts import say as write


@command(
    "name reset",
    Text("Replace an offensive name with “Player” and a number"),
    group="inspectors",
    flags=CommandFlag.HARMS,
    usage="PLAYER REASON",
    button=Text("Reset the name"),
)
def reset_name(request: Request) -> Answer:
    """Replace a player's name with a neutral one: `PLAYER REASON`.

    It lasts until the platform reports another name or the player chooses one in the lounge.
    """
    request.argument(0, "Enter the player and the reason.")
    player, rest = take_player(request, 0)
    transaction, casino, reason = request.transaction, request.casino, request.reason(rest)
    member, known, before = transaction.member(casino.id, player), transaction.players[player], request.name_of(player)
    if member is None:
        raise Refused("That person has not played here yet.")
    after = write(Text("Player {number}", number=str(player)), casino.state.language)
    if before == after:
        raise Refused("{name} has no name of their own here.", name=before)
    template = "Show {name} as {after} here until they change their name?"
    request.confirm(template, about=player, name=before, after=after)
    heard = {PLATFORM: member.name, **known.state.called, **member.state.heard}
    transaction.set_member(name_member(transaction, member.change(heard=heard, reset=reason), after))
    # Show the player's tables again.
    for table in transaction.tables_of(player):
        if table.casino == casino.id:
            transaction.set_table(table.change())
    subject = f"player {player}"
    transaction.audit(request.now, casino.id, request.player.id, "name reset", subject, reason, before, after)
    return answer_with("{name} is shown as {after} now.", name=before, after=Name(after))


def tell_reset(request: Request, answer: Answer) -> Answer:
    """Tell a person once, in a private answer, that an inspector has taken their name away."""
    member = request.transaction.member(request.casino.id, request.player.id)
    if member is None or member.state.reset is None or CommandFlag.POSTS in request.verb.flags:
        return answer
    request.transaction.set_member(member.change(reset=None))
    told = Text(
        "An inspector reset your name here: {reason}. You are shown as {name} until you change it.",
        reason=member.state.reset,
        name=request.own_name,
    )
    return answer._replace(texts=(*answer.texts, told))
