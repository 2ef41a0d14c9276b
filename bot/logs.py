"""Logs: one line a record, words on a terminal, JSON for machines. No secret comes into them.

Below warnings only the casino's own records are written: debug records of libraries contain tokens, whole requests, and
other people's cards.
"""

import json
import logging
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

# Secrets in addresses besides the bot's token: tokens of presses, which can answer in the bot's name.
_IN_ADDRESSES = re.compile(r"(/(?:webhooks|interactions)/[0-9]+/|/bot[0-9]+:)[^/\s'\"?]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def set_up_logs(level: str, secrets: Iterable[str | None] = ()) -> None:
    """Set up logging; `secrets` are blotted out of any record that contains one."""
    handler = logging.StreamHandler()
    is_terminal = False
    with suppress(OSError, ValueError):
        is_terminal = sys.stderr.isatty()
    known = [secret for secret in secrets if secret]
    handler.setFormatter(_LineFormatter(known) if is_terminal else _Json(known))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("ridotto").setLevel(level.upper())
    if level == "error":
        logging.getLogger().setLevel(logging.ERROR)
    # A refused or broken request is the client's fault and is not logged.
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)
    logging.getLogger("asyncio").setLevel(logging.ERROR)


class _Formatter(logging.Formatter):
    def __init__(self, secrets: Iterable[str]) -> None:
        super().__init__()
        self._secrets = tuple(secrets)

    def says(self, record: logging.LogRecord) -> str:
        text = record.getMessage()
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return _IN_ADDRESSES.sub(r"\1***", text)


class _LineFormatter(_Formatter):
    def format(self, record: logging.LogRecord) -> str:
        when = datetime.fromtimestamp(record.created, UTC).strftime("%H:%M:%S")
        fault = f" | {_trace(record)}" if record.exc_info and record.exc_info[0] else ""
        # Text that others wrote must not move the cursor or begin a line.
        says = _CONTROL.sub(lambda found: ascii(found[0])[1:-1], self.says(record))
        return f"{when} {record.levelname.lower():8} {record.name}: {says}{fault}"


class _Json(_Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "name": record.name,
            "says": self.says(record),
        }
        if record.exc_info and record.exc_info[0]:
            line["trace"] = _trace(record)
        # ASCII, so that the line can be written to any stream, whatever the names.
        return json.dumps(line)


def _trace(record: logging.LogRecord) -> str:
    """Return the lines of a traceback, innermost last, without values: no seed and no card gets into a log."""
    assert record.exc_info is not None
    fault, frames = record.exc_info[1], []
    trace = record.exc_info[2]
    while trace is not None:
        code = trace.tb_frame.f_code
        frames.append(f"{Path(code.co_filename).name}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return f"{type(fault).__name__} at {' > '.join(frames)}"
