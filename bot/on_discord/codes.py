"""What a button carries: the kind of press, the table, the hand it was made for, the verb and its arguments.

It must fit into the 100 characters of a `custom_id` and be unique in its message; nothing else is remembered of a
button, so that an old one works after a restart.
"""

import re
from typing import NamedTuple

from bot.screens import Button

# press: does it at once; ask: opens a modal first; modal: what was typed there; pick: a select, its values are verbs.
PRESS, ASK, MODAL, PICK, YES, NO = "t", "a", "m", "s", "y", "n"
LONGEST = 100
_CODE = re.compile(r"[tam]:(?P<table>[0-9]+):(?P<fresh>[0-9.]*):(?P<verb>[a-z -]+):(?P<args>.*)", re.DOTALL)


class Code(NamedTuple):
    table: int
    fresh: str
    verb: str
    args: tuple[str, ...] = ()

    def write(self, kind: str = PRESS) -> str:
        return f"{kind}:{self.table}:{self.fresh}:{self.verb}:{','.join(self.args)}"


def code_of(table: int, button: Button) -> Code:
    return Code(table, button.fresh, button.verb, button.args)


def parse_code(text: str) -> Code | None:
    found = _CODE.fullmatch(text)
    if found is None:
        return None
    args = tuple(found["args"].split(",")) if found["args"] else ()
    return Code(int(found["table"]), found["fresh"], found["verb"], args)
