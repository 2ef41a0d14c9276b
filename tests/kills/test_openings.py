"""Openings of sealed cuts that were acknowledged, after the process was killed."""

import json
import signal
import subprocess
import sys

import pytest

from engine.fairness.seals import OPENING_S, seal
from tests.core.conftest import House
from tests.kills.house import ROOT
from tests.some import some


@pytest.mark.slow
def test_fairness_4a_an_acknowledged_opening_survives_a_kill_and_is_mixed(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.kills.opening", folder], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    with process:
        told = json.loads(some(process.stdout).readline())
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    house = House(folder)
    table = house.table(told["table"])
    assert table.awaits_cuts
    assert table.round.openings == ((seal(told["anna"]), told["anna"]),)
    house.wait(OPENING_S)
    house.wait(table.round.deadline - house.clock.now)
    hand = house.table(told["table"]).round.hand
    assert hand.deal.seed.cuts == (told["anna"],)
    house.close()
