"""A progress bar on standard error, if that is a terminal."""

import sys
from collections.abc import Callable

_STEPS = 100
_BAR = 30


def bar_of(total: int) -> Callable[[int], None]:
    """Return a function to call with the number of finished steps. Without a terminal it does nothing."""
    if not sys.stderr.isatty():
        return lambda done: None
    shown = -1

    def draw_bar(done: int) -> None:
        nonlocal shown
        part = min(done * _STEPS // max(total, 1), _STEPS)
        if part > shown:
            shown = part
            bar = "#" * (_BAR * part // _STEPS)
            end = "\n" if part == _STEPS else ""
            print(f"\r[{bar:<{_BAR}}] {part} %", end=end, file=sys.stderr, flush=True)

    return draw_bar
