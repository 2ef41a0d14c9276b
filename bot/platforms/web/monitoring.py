"""Endpoints for monitoring: health (`/healthz`) and metrics for Prometheus (`/metrics`)."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Mapping

from aiohttp import web

from bot.core.access import BUSY, Access
from bot.core.commands.command import Command, Who
from bot.core.counters import PLATFORMS, Histogram
from bot.core.rounds.script_budget import WATCHDOG
from bot.core.state.lounge import LOBBY, PLATFORM
from bot.core.state.plays import PLAYS
from bot.platforms.common.context import new_key
from bot.platforms.web.lounge import LOUNGE_KEY, Lounge, lounge_of
from storage import system
from storage.backups import last_backup

PATIENCE_S = 1.0
LOOK_EVERY_S = 0.5
WAITING = "waits for the books, which another process holds"
_PROMETHEUS = {"Content-Type": "text/plain; version=0.0.4; charset=utf-8"}
PHASES = ("asleep", "betting", "waiting", "playing", "paused", "closing", "closed")


async def health(request: web.Request) -> web.Response:
    """Answer 200 and "ok", else 503 and the reason in one line (GET).

    "ok" is followed by games whose code was stopped.
    """
    lounge = lounge_of(request)
    reason = await fault_of(lounge)
    return web.Response(text=f"{reason or _say_ok()}\n", status=503 if reason else 200)


def _say_ok() -> str:
    stopped = ", ".join(f"{game} ({count})" for game, count in sorted(WATCHDOG.stopped.items()))
    return f"ok; code of games that was stopped because it ran too long: {stopped}" if stopped else "ok"


async def fault_of(lounge: Lounge) -> str:
    """Return why the process is unhealthy; "" if it is well.

    The check goes through the writer like any command, so its answer comes after the commit of all earlier ones.
    """
    if lounge.is_closing:
        return "the casino is stopping"
    if not lounge.writer.is_alive:
        return "the writer has stopped"
    contested = [platform.name for platform in lounge.platforms if platform.is_contested()]
    if contested:
        return f"{', '.join(contested)}: another program uses the bot's token; stop it or create a new token"
    away = [platform.name for platform in lounge.platforms if not platform.is_connected()]
    if away:
        return f"not connected: {', '.join(away)}"
    asked = lounge.writer.submit_from_loop(Command(new_key(PLATFORM), Who(PLATFORM, "", ""), LOBBY, "tables"))
    try:
        answer = await asyncio.wait_for(asyncio.shield(asked), PATIENCE_S)
    except TimeoutError:
        return lounge.writer.say_delay()
    # A full writer answers at once, which says nothing about its commits.
    return "the writer is too busy" if answer == BUSY else ""


async def metrics(request: web.Request) -> web.Response:
    """Serve the metrics in the text format of Prometheus (GET)."""
    return web.Response(text=describe(lounge_of(request)), headers=_PROMETHEUS)


async def health_of_waiting(request: web.Request) -> web.Response:
    """Answer 503 from a process that waits for its store (GET).

    The connection closes, because another process may answer next.
    """
    answer = web.Response(text=f"{WAITING}\n", status=503, headers={"Retry-After": "1"})
    answer.force_close()
    return answer


async def metrics_of_waiting(request: web.Request) -> web.Response:
    """Serve the metric of a process that waits for its store, which is no reason for an alarm (GET)."""
    answer = web.Response(text=_of_waiting(is_waiting=True), headers=_PROMETHEUS)
    answer.force_close()
    return answer


def describe(lounge: Lounge) -> str:
    """Return the metrics in the text format of Prometheus: counts only, no names, cards or seeds."""
    of_house = (_of_writer(lounge.writer), _of_tables(lounge), _of_platforms(lounge), _of_beacon(lounge))
    parts = (*of_house, _of_books(lounge), _of_process(lounge))
    return "".join(metric for part in parts for metric in part)


def _of_writer(writer: Access) -> Iterator[str]:
    yield _metric("ridotto_commands_total", "counter", "Commands answered.", {"": writer.commands})
    yield _metric("ridotto_commands_waiting", "gauge", "Commands waiting.", {"": writer.waiting})
    busy = {_label(what="command"): writer.turned_away, _label(what="report"): writer.put_off}
    yield _metric("ridotto_busy_answers_total", "counter", "Commands refused because too many wait.", busy)
    if (figures := writer.figures) is None:
        return
    yield _metric("ridotto_commits_total", "counter", "Transactions committed.", {"": figures.commits})
    yield _metric("ridotto_batch_commands", "histogram", "Commands per transaction.", _buckets(figures.batches))
    took = _buckets(figures.commit_times_us, 6)
    yield _metric("ridotto_commit_seconds", "histogram", "Duration of a transaction.", took)
    hands = {_label(game=game): figures.hands[game] for game in PLAYS}
    yield _metric("ridotto_hands_total", "counter", "Hands finished.", hands)


def _of_tables(lounge: Lounge) -> Iterator[str]:
    tables = list(lounge.state.tables.values())
    phases = {_label(phase=phase): sum(table.phase == phase for table in tables) for phase in PHASES}
    yield _metric("ridotto_tables", "gauge", "Tables by phase.", phases)
    seated = sum(len(table.players()) for table in tables)
    yield _metric("ridotto_players_seated", "gauge", "Players with a seat or a bet.", {"": seated})
    pages = lounge.live.open_pages
    yield _metric("ridotto_open_pages", "gauge", "Lounge pages being watched.", {"": pages})


def _of_platforms(lounge: Lounge) -> Iterator[str]:
    edits = {
        _label(platform=name, result=result): count
        for name, tally in PLATFORMS.items()
        for result, count in (("sent", tally.sent), ("skipped", tally.skipped))
    }
    yield _metric("ridotto_edits_total", "counter", "Messages, edits and pushes, sent or skipped.", edits)
    errors = {_label(platform=name): tally.failed for name, tally in PLATFORMS.items()}
    yield _metric("ridotto_platform_errors_total", "counter", "Calls that a platform refused or failed.", errors)
    limits = {_label(platform=name): tally.limited for name, tally in PLATFORMS.items()}
    yield _metric("ridotto_platform_limits_total", "counter", "Calls answered with 429 (rate limited).", limits)
    connected = {_label(platform=platform.name): int(platform.is_connected()) for platform in lounge.platforms}
    yield _metric("ridotto_platform_connected", "gauge", "Platforms that are on: 1 when connected.", connected)


def _of_beacon(lounge: Lounge) -> Iterator[str]:
    """Yield the beacon's metrics, if there is a beacon."""
    if (beacon := lounge.beacon) is not None:
        sentence = "Beacon rounds fetched and checked."
        yield _metric("ridotto_beacon_rounds_total", "counter", sentence, {"": beacon.rounds})
        failures = {_label(kind=kind): count for kind, count in beacon.failures.items()}
        yield _metric(
            "ridotto_beacon_failures_total", "counter", "Relay answers that were not a valid round.", failures
        )
        sentence = "Time when the newest beacon round arrived; 0 for none."
        yield _metric("ridotto_beacon_newest_round_seconds", "gauge", sentence, {"": beacon.newest_at})


def _of_books(lounge: Lounge) -> Iterator[str]:
    yield _of_waiting(is_waiting=False)
    if (figures := lounge.writer.figures) is None:
        return
    written, size = round(figures.last_commit, 3), figures.size
    yield _metric("ridotto_last_commit_seconds", "gauge", "Time of the last write to the books.", {"": written})
    yield _metric("ridotto_books_bytes", "gauge", "Size of the books without their log.", {"": size.books})
    if size.log is not None:
        yield _metric("ridotto_books_log_bytes", "gauge", "Size of the write-ahead log.", {"": size.log})
    backup = round(last_backup(lounge.folder), 3)
    yield _metric("ridotto_last_backup_seconds", "gauge", "Time of the last backup; 0 for never.", {"": backup})


def _of_waiting(*, is_waiting: bool) -> str:
    sentence = "1 while another process holds the books and this one waits for them."
    return _metric("ridotto_waits_for_books", "gauge", sentence, {"": int(is_waiting)})


def _of_process(lounge: Lounge) -> Iterator[str]:
    """Yield process metrics under their usual names, leaving out those that the system does not provide."""
    lag = _buckets(lounge.loop_lag_us, 6)
    yield _metric("ridotto_loop_lag_seconds", "histogram", "Lag of the event loop.", lag)
    started, cpu = round(system.STARTED, 3), round(time.process_time(), 3)
    yield _metric("process_start_time_seconds", "gauge", "Start time of the process.", {"": started})
    yield _metric("process_cpu_seconds_total", "counter", "CPU time used.", {"": cpu})
    if (memory := system.resident_bytes()) is not None:
        yield _metric("process_resident_memory_bytes", "gauge", "Resident memory.", {"": memory})
    if (files := system.count_open()) is not None:
        yield _metric("process_open_fds", "gauge", "Open files and sockets.", {"": files})


async def watch_loop(app: web.Application) -> AsyncIterator[None]:
    """Measure the lag of the event loop twice a second while the lounge is open."""
    watching = asyncio.create_task(_note_lags(app[LOUNGE_KEY].loop_lag_us))
    yield
    watching.cancel()
    await asyncio.wait([watching])


async def _note_lags(lags_us: Histogram) -> None:
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + LOOK_EVERY_S
        await asyncio.sleep(LOOK_EVERY_S)
        lags_us.note(max(0, round((loop.time() - due) * 1e6)))


def _label(**labels: str) -> str:
    return "{" + ",".join(f'{name}="{value}"' for name, value in labels.items()) + "}"


def _buckets(found: Histogram, digits: int = 0) -> dict[str, int | str]:
    """Return a histogram's samples; its integers are in units of 10 to the power of -`digits`."""
    below = {f"_bucket{_label(le=_scaled(bound, digits))}": count for bound, count in found.up_to()}
    # Read once, last: no bucket may exceed the total, whatever is counted meanwhile.
    whole = found.count
    return {**below, f"_bucket{_label(le='+Inf')}": whole, "_sum": _scaled(found.total, digits), "_count": whole}


def _scaled(value: int, digits: int) -> str:
    whole, rest = divmod(value, 10**digits)
    return f"{whole}.{rest:0{digits}}".rstrip("0").rstrip(".") if digits else str(value)


def _metric(name: str, kind: str, sentence: str, values: Mapping[str, float | str]) -> str:
    """Format a metric; `values` are keyed by what follows the name: "", a suffix, or labels."""
    lines = [f"# HELP {name} {sentence}", f"# TYPE {name} {kind}"]
    lines += [f"{name}{after} {value}" for after, value in values.items()]
    return "\n".join(lines) + "\n"
