"""A digest of random hands of a game, which two processes with different hash seeds must agree on.

`python -m bot.cli.game_checks.hash_seeds GAME` prints it. Sets of words have another order under each seed, which no
check inside one process would notice.
"""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from random import Random

_HANDS = 100
_SEEDS = ("1", "2")
_MOST_S = 120


def check_hash_seeds(name: str) -> Iterator[str]:
    """Check that a game's records are the same in two processes whose sets are ordered differently."""
    digests = set()
    for seed in _SEEDS:
        command = [sys.executable, "-m", __name__, name]
        done = subprocess.run(
            command, env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, text=True, timeout=_MOST_S
        )
        digests.add(done.stdout.strip() or f"status {done.returncode}")
    if len(digests) > 1:
        yield (
            "The same seed and moves give another record in another process: sort sets before their order matters "
            "in the rule script."
        )


def digest_hands(name: str) -> str:
    """Return the SHA-256 of the answers to random hands."""
    from bot.cli.game_checks.random_hands import deal_at_random, play_at_random
    from engine.record import play_record, write_record

    random, digest = Random(name), hashlib.sha256()
    for _ in range(_HANDS):
        *_before, hand = play_at_random(deal_at_random(name, random), random)
        digest.update(json.dumps(play_record(write_record(hand.deal, hand.moves))).encode())
    return digest.hexdigest()


if __name__ == "__main__":
    from bot.games import load

    load()
    print(digest_hands(sys.argv[1]))
