"""What stands behind a button, a choice of a select or a modal, and what comes back of it as the press it was made for.

Those of older messages have a form of their own, and go on working.
"""

import re
from collections.abc import Sequence

from bot.doors.kit.press import Press, dump_press, load_press
from bot.house.speech.fresh import PATTERN

# Of a code, and of the value of a choice.
LONGEST_CODE = 100

_OLD_KINDS = {"t": "verb", "a": "ask", "m": "typed"}
_FRESH = f"(?P<fresh>{PATTERN})"
_OLD = re.compile(rf"(?P<kind>[tam]):(?P<table>[0-9]+):{_FRESH}:(?P<verb>[a-z -]+):(?P<args>.*)", re.DOTALL)
_OLD_ANSWER = re.compile("(?P<kind>[yn]):(?P<key>.*)", re.DOTALL)
# The oldest say for all their choices what they were made for.
_OLD_SELECT = re.compile(rf"s:(?P<table>[0-9]+):{_FRESH}:[0-9]+")
_OLD_CHOICE = re.compile(rf"{PATTERN}:[a-z -]+:.*", re.DOTALL)


def write_press(press: Press) -> str:
    """What `read_press` reads."""
    return dump_press(press, LONGEST_CODE)


def read_press(custom_id: str, picked: Sequence[str] = ()) -> Press | None:
    """`picked` in a select. None for what is none of ours."""
    press = load_press(custom_id)
    if press is not None and press.kind == "pick":
        return load_press(picked[0]) if picked else None
    if press is not None and press.kind == "setup":
        return press._replace(args=tuple(picked))
    return press or _read_old(custom_id, picked)


def _read_old(custom_id: str, picked: Sequence[str]) -> Press | None:
    if picked and (select := _OLD_SELECT.fullmatch(custom_id)):
        fresh = "" if _OLD_CHOICE.fullmatch(picked[0]) else f"{select['fresh']}:"
        return _read_old(f"t:{select['table']}:{fresh}{picked[0]}", ())
    if answer := _OLD_ANSWER.fullmatch(custom_id):
        return Press("yes" if answer["kind"] == "y" else "no", answer["key"])
    if (code := _OLD.fullmatch(custom_id)) is None:
        return None
    args = tuple(code["args"].split(",")) if code["args"] else ()
    return Press(_OLD_KINDS[code["kind"]], code["verb"], args, code["fresh"], int(code["table"]))
