"""A description of the present state, for finding out why nothing goes on: machines, servers, people, last log
lines.
"""

import asyncio
import re
import signal
from collections.abc import Iterator
from pathlib import Path

from aiohttp import ClientError, ClientSession, ClientTimeout
from psycopg import Error

from tests.nemesis.city import City
from tests.nemesis.machines import Machine

# A node that hangs logs nothing.
HEALTH_S = 3.0
LAST_WORDS, LONGEST = 400, 160
# Time to dump what each of its threads does.
STACKS_S = 1.0
_ASKED = {
    "the lease": "SELECT backend, epoch, until - clock_timestamp() FROM lease",
    "the sessions": "SELECT pid, application_name, state, wait_event_type, wait_event, now() - state_change,"
    " left(query, 90) FROM pg_stat_activity WHERE backend_type = 'client backend' ORDER BY pid",
    "who waits for whom": "SELECT pid, pg_blocking_pids(pid) FROM pg_stat_activity"
    " WHERE cardinality(pg_blocking_pids(pid)) > 0",
    "the standby": "SELECT state, sync_state, sent_lsn, flush_lsn, pg_current_wal_lsn() FROM pg_stat_replication",
}


async def describe(city: City) -> list[str]:
    """Yield lines, the most telling last."""
    for machine in city.machines:
        if machine.is_alive and _tells_stacks(machine):
            machine.signal(signal.SIGUSR1)
            await asyncio.sleep(STACKS_S)
    said = [line[:LONGEST] for line in city.log.read_text().splitlines()[-LAST_WORDS:]]
    said += [line[:LONGEST] for line in _of_people(city)]
    said += await asyncio.to_thread(lambda: [*_of_servers(city)])
    return [*said, *[await _of_machine(machine) for machine in city.machines]]


async def _of_machine(machine: Machine) -> str:
    state = "open" if machine.is_open else "coming" if machine.is_alive else "gone"
    number = machine.life.number if machine.life is not None else None
    try:
        async with (
            ClientSession(timeout=ClientTimeout(total=HEALTH_S)) as session,
            session.get(f"{machine.url}/healthz") as answer,
        ):
            health = f"{answer.status} {await answer.text()}".strip()
    except (ClientError, TimeoutError) as fault:
        health = repr(fault)
    return f"machine {machine.number}: {state}, {number}, {machine.ahead_s:+} s: {health}"


def _tells_stacks(machine: Machine) -> bool:
    """Return whether the process handles SIGUSR1 (tests.kills.nursery)."""
    assert machine.life is not None
    heard = re.search(r"SigCgt:\s*(\w+)", Path(f"/proc/{machine.life.number}/status").read_text())
    return heard is not None and bool(int(heard[1], 16) >> (signal.SIGUSR1 - 1) & 1)


def _of_servers(city: City) -> Iterator[str]:
    for name, sql in _ASKED.items():
        try:
            yield from (f"{name}: {', '.join(map(str, row))}" for row in city.pair.primary.ask(sql))
        except Error as fault:
            yield f"{name}: {fault!r}"


def _of_people(city: City) -> Iterator[str]:
    """Yield each person's last action and answer."""
    for account, deed in {deed.account: deed for deed in city.deeds.all}.items():
        yield f"{' '.join(account)}: {deed.key}, {deed.choice.verb} {deed.choice.args}: {deed.said!r}"
