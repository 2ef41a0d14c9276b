"""A finished hand of one's own, step by step: own cards as they were seen then, others' as they were shown."""

import asyncio

from aiohttp import web
from msgspec.structs import replace

from bot.core.casinos.share import Replay, own_hand, read_replay
from bot.core.commands.command import Refused
from bot.core.state.lounge import LOUNGE
from bot.core.state.plays import PLAYS
from bot.core.state.table import Settings, owners_of
from bot.core.state.values import Player
from bot.platforms.web.drawing import page, sentence
from bot.platforms.web.figures import slowly
from bot.platforms.web.kept import sheet_address
from bot.platforms.web.lounge import Lounge, player_of
from bot.platforms.web.table import TableView
from bot.texts import Text
from bot.view.shared_posts import say_moves, step_screen
from engine.errors import Illegal
from storage.rows import HandRow

_OLDER = Text("This hand was played under older rules. Only its record can still be read.")


async def show_step(request: web.Request) -> web.Response:
    """Show one step of a hand, from 1 (GET); the last if there are fewer. 404 if the player did not play it."""
    visitor = await player_of(request)
    player, lounge = visitor.player, visitor.lounge
    assert player is not None
    if not lounge.pages.spend(player.id):
        return slowly(visitor)
    try:
        row, replay = await asyncio.to_thread(_read_hand, lounge, player, int(request.match_info["hand"]))
    except Refused as refused:
        return sentence(visitor, refused.text, status=404)
    except Illegal:
        return sentence(visitor, _OLDER, status=404)
    step = min(max(1, int(request.match_info["step"])), len(replay.steps))
    paid = replay.steps[-1]
    assert paid.last is not None
    own = next(one for one in owners_of(paid.last).values() if one in player.ids)
    shown = replace(step_screen(replay, step - 1, own, lounge.state.books), moves=())
    return page(
        "replay.html",
        visitor,
        at=TableView(shown, "", paid.last.deal.options),
        screen=shown,
        told=say_moves(replay, step - 1),
        row=row,
        step=step,
        steps=len(replay.steps),
        places=sheet_address(row.game),
        seating=PLAYS[row.game].seating.value,
        is_ours=row.casino == LOUNGE,
    )


def _read_hand(lounge: Lounge, player: Player, number: int) -> tuple[HandRow, Replay]:
    with lounge.writer.books.snapshot() as books:
        row, _results = own_hand(books, number, player.ids)
        at = lounge.state.table(row.table_id)
        settings, named = (at.settings, at.number) if at is not None else (Settings(), 0)
        return row, read_replay(books, row, settings, named)
