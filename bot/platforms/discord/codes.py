"""Custom ids of buttons, select choices and modals, and the presses they encode."""

from collections.abc import Sequence

from bot.platforms.common.press import Press, dump_press, load_press

# Longest custom id, and longest value of a choice.
LONGEST_CODE = 100


def write_press(press: Press) -> str:
    """Encode a press as a custom id, for `read_press`."""
    return dump_press(press, LONGEST_CODE)


def read_press(custom_id: str, picked: Sequence[str] = ()) -> Press | None:
    """Decode a custom id with the values `picked` in a select; None for a foreign one."""
    press = load_press(custom_id)
    if press is not None and press.kind == "pick":
        return load_press(picked[0]) if picked else None
    if press is not None and press.kind == "setup":
        return press._replace(args=tuple(picked))
    return press
