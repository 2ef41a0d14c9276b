"""The real process, killed at random moments while people play on all three platforms, and started again each time.

Some deaths fall on the start itself, some within a commit (`tests.kills.dying`), some on a process that has been open
for a while. After each, before the store is opened again, every chip must be there (`tests.kills.evidence`).

Six deaths of one seed each time, forty before a release: KILLS is the number, KILLS_SEED the seed. A failure names its
seed.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from random import Random

import pytest

from engine.record import terms_of
from tests.kills.evidence import STOPPED, Evidence, bugs, faults_of, find_false_views, records, unverified
from tests.kills.house import ROOT, Town
from tests.patience import PATIENCE_S
from tests.some import some

KILLS = int(os.environ.get("KILLS", "40"))
SEED = int(os.environ.get("KILLS_SEED", "1638"))


async def die(town: Town, rng: Random, counts: Counter[str]) -> None:
    """Run one process from its start to its death."""
    way = rng.choices(("young", "within", "old"), (30, 35, 35))[0]
    counts[way] += 1
    house = await town.start(int(2 ** rng.uniform(3, 11)) if way == "within" else 0)
    town.repeat()
    if way == "young":
        await asyncio.sleep(rng.uniform(0.05, 1.3))
    elif way == "within":
        counts["in a commit"] += await house.dies_within(4)
    elif await town.is_open():
        pressed, wrong = await town.press_old_buttons()
        assert not wrong, wrong
        counts["old buttons"] += pressed
        await asyncio.gather(asyncio.sleep(rng.uniform(0.05, 1.2)), back_up(town, rng, counts))
    assert await house.end(signal.SIGKILL) == -signal.SIGKILL, town.log.read_text()[-2000:]


async def back_up(town: Town, rng: Random, counts: Counter[str]) -> None:
    """Make a backup while people play, sometimes interrupted: a file with a backup's name is complete, or missing."""
    if rng.random() > 0.2:
        return
    file = town.folder.with_name(f"backup {counts['backups']}")
    command = [sys.executable, "-m", "bot", "backup", "--data", str(town.folder), str(file)]
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=subprocess.DEVNULL)
    try:
        await asyncio.wait_for(process.wait(), rng.choice((rng.uniform(0.3, 1.5), PATIENCE_S)))
    except TimeoutError:
        with suppress(ProcessLookupError):  # it ended at the same moment
            process.kill()
        await process.wait()
    counts["backups"] += 1
    counts["whole backups"] += file.exists()
    assert file.exists() or process.returncode != 0
    assert not file.exists() or not faults_of(file)
    file.unlink(missing_ok=True)


async def kill_often(folder, times, seed):
    counts: Counter[str] = Counter()
    rng, began = Random(seed), time.monotonic()
    async with Town(folder, seed) as town:
        evidence = Evidence(town.folder, town.deeds)
        for _death in range(3):  # nothing has been played yet
            await town.start()
            await asyncio.sleep(rng.uniform(0.3, 0.9))
            await some(town.house).end(signal.SIGKILL)
        await town.settle()
        await town.plays_everywhere()
        await asyncio.sleep(2)
        await some(town.house).end(signal.SIGKILL)
        for death in range(times):
            town.check()
            wrong = evidence.look()
            assert not wrong, f"seed {seed}, after death {death}: {wrong[:5]}"
            if death % 20 == 5 and evidence.age_a_hand():
                counts["aged"] += 1
            await die(town, rng, counts)
        await town.fall_silent()
        wrong = evidence.look(anew=True)
        assert not wrong, f"seed {seed}, at the end: {wrong[:5]}"
        house = await town.start()
        assert await town.is_open()
        assert await house.end(signal.SIGTERM) == 0
        counts["seconds"] = int(time.monotonic() - began)
        check_the_end(town, evidence, counts)
        return counts


def check_the_end(town, evidence, counts, meant=(STOPPED,)):
    run = [sys.executable, "-m", "bot"]
    doctor = subprocess.run(
        [*run, "doctor", "--data", town.folder],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=os.environ | town.settings,
    )
    # A hand that was made to look old is voided at the next read: the last process may have ended before that.
    aged = tuple(f"Hand {id} does not replay:" for id in evidence.given_up)
    found = doctor.stdout.splitlines()
    is_aged = bool(found) and all(line.startswith(aged) for line in found) and not doctor.stderr
    assert doctor.returncode == 0 or is_aged, doctor.stdout + doctor.stderr
    with evidence.books() as books:
        played = records(books)
        false = list(find_false_views(books, town.deeds.views))
    assert not list(unverified(played))
    file = town.folder.parent / "records.json"
    file.write_text(json.dumps(list(played.values())))
    verify = subprocess.run([*run, "verify", file], cwd=ROOT, capture_output=True, text=True)
    told = [json.loads(line)["checks"] for line in verify.stdout.splitlines()]
    assert len(told) == len(played)
    checked = ("promise", "commit", "deck", "moves", "payments")
    assert all(one[name] == "ok" for one in told for name in checked), verify.stderr
    assert all(one["log"] in ("ok", "absent") for one in told), "a hand may have come after the newest head"
    assert not false, false[:3]
    logged = list(bugs(town.log, evidence.given_up, meant))
    assert not logged, logged[:30]
    counts["deeds"] = len(town.deeds.all)
    told_on = Counter(deed.account[0] for deed in town.deeds.all if deed.is_acknowledged)
    assert told_on.keys() == {"web", "telegram", "discord"}, f"somebody has looked on all the time: {told_on}"
    counts["acknowledged"] = told_on.total()
    counts |= Counter({f"told on {platform}": number for platform, number in told_on.items()})
    counts["views"] = len(town.deeds.views)
    counts["over"], counts["resumed"] = len(played), evidence.resumed.total()
    counts |= Counter({f"over: {game}": n for game, n in Counter(terms_of(r)["game"] for r in played.values()).items()})
    counts |= Counter({f"resumed: {game}": n for game, n in evidence.resumed.items()})
    print(town.folder, doctor.stdout, dict(counts), sep="\n")


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_six_deaths_of_the_house_lose_nothing(room):
    counts = await kill_often(room, 6, SEED)
    assert counts["over"], counts


@pytest.mark.exhaustive
@pytest.mark.timeout(1800)
async def test_nothing_is_lost_however_often_the_house_is_killed(room):
    counts = await kill_often(room, KILLS, SEED)
    assert all(counts[name] for name in ("over", "resumed", "in a commit", "old buttons")), counts
