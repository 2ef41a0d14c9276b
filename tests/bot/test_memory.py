"""Python's garbage collector must not stop the process that serves people."""

import subprocess
import sys

from bot.memory import YOUNG

SETTLED = """
import gc
from bot.memory import settle
settle()
runs = []
gc.callbacks.append(lambda phase, info: runs.append(info["generation"]))
kept = [[number] for number in range({many})]
print(len(runs), gc.get_freeze_count() > 1000)
"""


def test_what_a_thousand_presses_make_is_not_looked_through() -> None:
    said = subprocess.run([sys.executable, "-c", SETTLED.format(many=YOUNG[0] // 2)], capture_output=True, check=True)
    assert said.stdout.split() == [b"0", b"True"]


def test_garbage_is_still_looked_for() -> None:
    said = subprocess.run([sys.executable, "-c", SETTLED.format(many=2 * YOUNG[0])], capture_output=True, check=True)
    assert int(said.stdout.split()[0]) > 0
