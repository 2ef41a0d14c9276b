"""Tables whose channel or thread is lost: their hands, and messages to their players."""

from contextlib import suppress

import discord

from bot.core.state.table import Table
from bot.platforms.common.budget import Rank
from bot.platforms.common.press import Press
from bot.platforms.discord.context import DiscordContext
from bot.platforms.discord.drawing import answer_view, code_rows
from bot.platforms.discord.trouble import TROUBLE, LockedThread
from bot.texts import Text


async def refuse_locked(client: discord.Client, channel: int) -> None:
    """Raise LockedThread if a moderator locked the thread, because a message would open an archived one again.

    The thread is fetched, because the library keeps no archived ones and may have missed the lock. Raises what the
    library raises.
    """
    known = client.get_channel(channel)
    if known is None or isinstance(known, discord.Thread):
        now = await client.fetch_channel(channel)
        if isinstance(now, discord.Thread) and now.locked:
            raise LockedThread


async def lose(context: DiscordContext, address: str, *gone: str) -> None:
    """Mark a table as lost: bets without a deal come back; a dealt hand waits and its players are told where to finish
    it.
    """
    before = context.table_at(address)
    await context.tend("lose", address, *gone)
    table = context.state.table(before.id) if before is not None else None
    if before is not None and before.lost is None and table is not None and table.lost is not None and table.round.hand:
        context.spawn(_tell_players(context, table))


async def _tell_players(context: DiscordContext, table: Table) -> None:
    """Tell the players in direct messages, where they accept them."""
    for player in sorted({*table.owners().values()}):
        if (account := context.account_of(player)) is None:
            continue
        language = context.state.players[player].language
        view = answer_view([_FINISH_HERE], language, code_rows([(Text("My cards"), Press("verb", "cards"))], language))
        with suppress(*TROUBLE):
            async with context.calls.turn(Rank.TURN):
                direct = await context.client.create_dm(discord.Object(int(account)))
                await direct.send(view=view, nonce=context.contest.new_nonce())


_FINISH_HERE = Text("Your table can no longer be shown in its channel. Finish your hand here.")
