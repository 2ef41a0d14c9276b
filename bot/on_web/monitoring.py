"""What machines ask: is the house well (`/healthz`), and what has it done (`/metrics`, for Prometheus)."""

import asyncio
from collections.abc import Mapping

from aiohttp import web

from bot.floor.command import Command, Who
from bot.on_web.lounge import LOBBY, Lounge, lounge_of, new_key
from storage.rows import HandRow

PATIENCE_S = 1.0
PHASES = ("asleep", "betting", "playing", "paused", "closing", "closed")


async def health(request: web.Request) -> web.Response:
    lounge = lounge_of(request)
    reason = await fault_of(lounge)
    return web.Response(text=f"{reason or 'ok'}\n", status=503 if reason else 200)


async def fault_of(lounge: Lounge) -> str:
    """Why the house is not well; empty when it is.

    A question goes through the pit like any command: its answer comes after the commit of all that came before it.
    """
    if lounge.is_closing:
        return "the house is closing"
    if not lounge.pit.is_alive:
        return "the pit has stopped"
    away = [name for name, is_connected in lounge.platforms.items() if not is_connected()]
    if away:
        return f"not connected: {', '.join(away)}"
    nobody = Command(new_key(), Who("web", "", ""), LOBBY, "tables")
    try:
        await asyncio.wait_for(lounge.submit(nobody), PATIENCE_S)
    except TimeoutError:
        return f"the pit has not committed for {lounge.pit.clock() - lounge.pit.last_commit:.0f} s"
    return ""


async def metrics(request: web.Request) -> web.Response:
    headers = {"Content-Type": "text/plain; version=0.0.4; charset=utf-8"}
    return web.Response(text=describe(lounge_of(request)), headers=headers)


def describe(lounge: Lounge) -> str:
    """The text format of Prometheus. Counts only: no names, no cards, no seeds."""
    pit, tables = lounge.pit, list(lounge.house.tables.values())
    hands = lounge.house.next_ids.get(HandRow, 1) - 1
    seated = sum(len(table.players()) for table in tables)
    phases = {f'{{phase="{phase}"}}': sum(table.phase == phase for table in tables) for phase in PHASES}
    platforms = {f'{{platform="{name}"}}': int(is_up()) for name, is_up in lounge.platforms.items()}
    batches = {"_sum": pit.commands, "_count": pit.batches}
    found = [
        _metric("commands_total", "counter", "Commands that were answered.", {"": pit.commands}),
        _metric("commits_total", "counter", "Durable transactions of the books.", {"": pit.commits}),
        _metric("batch_commands", "summary", "Commands that were worked out together.", batches),
        _metric("hands_total", "counter", "Hands that were opened.", {"": hands}),
        _metric("tables", "gauge", "Tables by what goes on there.", phases),
        _metric("platform_connected", "gauge", "Platforms that are on: 1 when connected.", platforms),
        _metric("players_seated", "gauge", "Players with a seat or a bet.", {"": seated}),
        _metric("last_commit_seconds", "gauge", "When the books were last written.", {"": round(pit.last_commit, 3)}),
    ]
    return "".join(found)


def _metric(name: str, kind: str, sentence: str, values: Mapping[str, float]) -> str:
    """`values` by what follows the name: nothing, a suffix, labels."""
    lines = [f"# HELP ridotto_{name} {sentence}", f"# TYPE ridotto_{name} {kind}"]
    lines += [f"ridotto_{name}{after} {value}" for after, value in values.items()]
    return "\n".join(lines) + "\n"
