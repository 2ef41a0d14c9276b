"""`python -m tests.dealt ...` is `ridotto ...` with its chance fixed: a test of the real process knows its cards.

A house that is started again on the same books needs another `DEALT`: no two hands have the same seed.
"""

import os
import random
import sys
from functools import partial

import bot.pit

if __name__ == "__main__":
    chance = random.Random(os.environ.get("DEALT", "first"))
    bot.pit.Pit = partial(bot.pit.Pit, entropy=chance.randbytes)  # type: ignore[misc,assignment]
    from bot.__main__ import main

    sys.exit(main())
