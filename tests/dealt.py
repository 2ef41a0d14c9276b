"""`python -m tests.dealt ...` is `ridotto ...` with its chance fixed: the same said in the same order brings the same
cards. In real time the order may change, so a test takes whatever is dealt.

A house that is started again on the same books needs another `DEALT`: no two hands have the same seed.
"""

import os
import random
import sys
from functools import partial

import bot.house.pit


def fix_chance() -> None:
    """Every pit of this process has its entropy from `DEALT`."""
    chance = random.Random(os.environ.get("DEALT", "first"))
    dealt = partial(bot.house.pit.Pit, entropy=chance.randbytes)
    for name in ("bot.house.pit", "bot.run"):
        if name in sys.modules:
            sys.modules[name].Pit = dealt  # type: ignore[attr-defined]


if __name__ == "__main__":
    fix_chance()
    from bot.__main__ import main

    sys.exit(main())
