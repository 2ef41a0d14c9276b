"""Generated bad input.

The examples are the same every time. `FUZZ=20` makes twenty times as many, different each time.
"""

import os

from hypothesis import HealthCheck, settings

TIMES = int(os.environ.get("FUZZ", "0"))


def examples(number: int) -> settings:
    return settings(
        max_examples=number * (TIMES or 1),
        derandomize=not TIMES,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
    )
