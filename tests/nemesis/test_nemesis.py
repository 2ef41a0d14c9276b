"""Random faults on three nodes with a store on two servers, while people play on all platforms.

Three faults of one seed each time, forty before a release (NEMESIS, NEMESIS_SEED); `python -m tests.nemesis` reports
its progress.
"""

import os

import pytest

from tests.nemesis.campaign import Campaign
from tests.nemesis.faults import FAULTS
from tests.postgres_server import lacking

NEMESIS = int(os.environ.get("NEMESIS", "40"))
SEED = int(os.environ.get("NEMESIS_SEED", "1638"))


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_three_faults_lose_nothing(room):
    await endure(room, 3)


@pytest.mark.exhaustive
@pytest.mark.timeout(1800)
async def test_nothing_is_lost_whatever_befalls_machines_networks_and_servers(room):
    await endure(room, NEMESIS)


async def endure(room, times):
    lacking()
    report = await Campaign(room, SEED, 3, print).run(times)
    print(report)
    assert not report.wrong, f"{report}"
    assert len(FAULTS) > times or report.faults.keys() >= FAULTS.keys(), report.faults
    assert all(report.counts[name] for name in ("acknowledged", "over")), report.counts
