"""What machines ask: is the house well (`/healthz`), and what has it done (`/metrics`, for Prometheus)."""

import asyncio
from collections.abc import Mapping

from aiohttp import web

from bot.counters import PLATFORMS, Histogram
from bot.floor.command import Command, Who
from bot.on_web.lounge import LOBBY, Lounge, lounge_of, new_key
from bot.pit import BUSY
from engine.hand import GAMES

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
        answer = await asyncio.wait_for(lounge.submit(nobody), PATIENCE_S)
    except TimeoutError:
        return f"the pit has not committed for {lounge.pit.clock() - lounge.pit.last_commit:.0f} s"
    # A pit that takes nothing more answers at once, and says nothing of its commits.
    return "the pit is too busy" if answer == BUSY else ""


async def metrics(request: web.Request) -> web.Response:
    headers = {"Content-Type": "text/plain; version=0.0.4; charset=utf-8"}
    return web.Response(text=describe(lounge_of(request)), headers=headers)


def describe(lounge: Lounge) -> str:
    """The text format of Prometheus. Counts only: no names, no cards, no seeds."""
    pit, tables = lounge.pit, list(lounge.house.tables.values())
    seated = sum(len(table.players()) for table in tables)
    phases = {_label(phase=phase): sum(table.phase == phase for table in tables) for phase in PHASES}
    connected = {_label(platform=name): int(is_up()) for name, is_up in lounge.platforms.items()}
    hands = {_label(game=game): pit.hands[game] for game in GAMES}
    edits = {
        _label(platform=name, result=result): count
        for name, tally in PLATFORMS.items()
        for result, count in (("sent", tally.sent), ("skipped", tally.skipped))
    }
    errors = {_label(platform=name): tally.failed for name, tally in PLATFORMS.items()}
    found = [
        _metric("commands_total", "counter", "Commands that were answered.", {"": pit.commands}),
        _metric("commits_total", "counter", "Durable transactions of the books.", {"": pit.commits}),
        _metric("batch_commands", "histogram", "Commands that were worked out together.", _buckets(pit.batches)),
        _metric("commit_seconds", "histogram", "How long a transaction took.", _buckets(pit.commit_times_us, 6)),
        _metric("hands_total", "counter", "Hands that were played to their end.", hands),
        _metric("edits_total", "counter", "Messages, edits and pushes: sent, or skipped as not needed.", edits),
        _metric("platform_errors_total", "counter", "What a platform refused, or failed to take.", errors),
        _metric("tables", "gauge", "Tables by what goes on there.", phases),
        _metric("open_pages", "gauge", "Pages of the lounge that are being watched.", {"": lounge.live.open_pages}),
        _metric("platform_connected", "gauge", "Platforms that are on: 1 when connected.", connected),
        _metric("players_seated", "gauge", "Players with a seat or a bet.", {"": seated}),
        _metric("last_commit_seconds", "gauge", "When the books were last written.", {"": round(pit.last_commit, 3)}),
    ]
    return "".join(found)


def _label(**labels: str) -> str:
    return "{" + ",".join(f'{name}="{value}"' for name, value in labels.items()) + "}"


def _buckets(found: Histogram, digits: int = 0) -> dict[str, int | str]:
    """A histogram's samples; its whole numbers are said in units of 10 to the power of `digits`."""
    below = {f"_bucket{_label(le=_scaled(bound, digits))}": count for bound, count in found.up_to()}
    # Read once, last: no bucket may hold more than all of them do, whatever is counted meanwhile.
    whole = found.count
    return {**below, f"_bucket{_label(le='+Inf')}": whole, "_sum": _scaled(found.total, digits), "_count": whole}


def _scaled(value: int, digits: int) -> str:
    whole, rest = divmod(value, 10**digits)
    return f"{whole}.{rest:0{digits}}".rstrip("0").rstrip(".") if digits else str(value)


def _metric(name: str, kind: str, sentence: str, values: Mapping[str, float | str]) -> str:
    """`values` by what follows the name: nothing, a suffix, labels."""
    lines = [f"# HELP ridotto_{name} {sentence}", f"# TYPE ridotto_{name} {kind}"]
    lines += [f"ridotto_{name}{after} {value}" for after, value in values.items()]
    return "\n".join(lines) + "\n"
