"""A log from a file, or from the address of a casino's log.

An address serves either the file itself, as `/log` sends it, or the parts of the log: its newest head at `/head`, the
entries that this head covers at `/entries`, and older heads at `/heads`, if the server publishes them. A query, such as
`?log=1`, is sent with each request.
"""

import http.client
import json
import os
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from bot.verifier.files import LONGEST_LINE
from engine.fairness.canonical import JSON, Unreadable, parse

_TIMEOUT_S = 30
_CHUNK = 2**16
_PAGE = 1000
_LONGEST_PAGE = 16 * 2**20


@contextmanager
def fetched(source: str) -> Iterator[tuple[str, bool]]:
    """Yield the name of a file with the log, and whether it has only the newest head. Raises Unreadable and OSError."""
    if not source.startswith(("http://", "https://")):
        yield source, False
        return
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "log")
        has_newest_head_only = False
        try:
            with open(file, "wb") as copied:
                head = _ask_for_head(_below(source, "head"))
                if head is None:
                    _copy(source, copied)
                else:
                    size = _copy_entries(source, head, copied)
                    has_newest_head_only = not _copy_older_heads(source, size, copied)
                    copied.write(json.dumps(head).encode() + b"\n")
        except (urllib.error.URLError, http.client.HTTPException, TimeoutError) as fault:
            raise OSError(f"{source}: {getattr(fault, 'reason', fault)}") from None
        yield file, has_newest_head_only


def _below(source: str, what: str, query: str = "") -> str:
    """Return an address below that of the log, with its own query and this one."""
    base, _, own = source.partition("?")
    asked = "&".join(part for part in (own, query) if part)
    return f"{base.rstrip('/')}/{what}{'?' if asked else ''}{asked}"


def _ask_for_head(address: str) -> JSON | None:
    """Fetch the newest head; None where there is none. Raises Unreadable with the server's refusal."""
    try:
        return _fetch_json(address)
    except urllib.error.HTTPError as fault:
        if why := _refusal_of(fault):
            raise Unreadable(why) from None
        return None
    except Unreadable:
        return None


def _refusal_of(answer: urllib.error.HTTPError) -> str:
    """Return a server's refusal, if it is one of ours."""
    try:
        said = parse(answer.read(LONGEST_LINE))
    except Unreadable:
        return ""
    why = said.get("refused") if isinstance(said, dict) else None
    return why if isinstance(why, str) else ""


def _fetch_json(address: str) -> JSON:
    with urllib.request.urlopen(address, timeout=_TIMEOUT_S) as answered:
        data = answered.read(LONGEST_LINE + 1)
    if len(data) > LONGEST_LINE:
        raise Unreadable("the answer is longer than anything that is asked for so")
    return parse(data)


def _copy(address: str, file: IO[bytes]) -> None:
    with urllib.request.urlopen(address, timeout=_TIMEOUT_S) as answered:
        while chunk := answered.read(_CHUNK):
            file.write(chunk)


def _copy_entries(source: str, head: JSON, file: IO[bytes]) -> int:
    """Copy all that the head covers, a page after the other. Return how many entries that is."""
    size, have = _size_of(head), 0
    while have < size:
        page = _get_page(_below(source, "entries", f"from={have}&to={min(size, have + _PAGE)}"))
        try:
            entries = _entries_of(page)
        except Unreadable as refused:
            raise Unreadable(f"the entries from {have} on: {refused}") from None
        if not entries or have + len(entries) > size:
            raise Unreadable(f"entry {have} was asked for, and {len(entries)} came")
        for entry in entries:
            file.write(json.dumps(entry).encode() + b"\n")
        have += len(entries)
    return size


def _copy_older_heads(source: str, size: int, file: IO[bytes]) -> bool:
    """Copy all heads of smaller sizes, a page after the other. Return False where the server does not publish them."""
    begin = 0
    while begin < size:
        try:
            page = parse(_get_page(_below(source, "heads", f"from={begin}&to={size}")))
        except urllib.error.HTTPError:
            return False
        heads = page.get("heads") if isinstance(page, dict) else None
        if not isinstance(heads, list):
            raise Unreadable("the older heads are no list")
        if not heads:
            break
        if _size_of(heads[-1]) < begin:
            raise Unreadable("the older heads do not grow")
        for head in heads:
            file.write(json.dumps(head).encode() + b"\n")
        begin = _size_of(heads[-1]) + 1
    return True


def _size_of(head: JSON) -> int:
    """Return how many entries a published head covers. Raise Unreadable if it does not say."""
    published = head.get("head") if isinstance(head, dict) else None
    size = published.get("size") if isinstance(published, dict) else None
    if not isinstance(size, int):
        raise Unreadable("the head does not say how many entries there are")
    return size


def _get_page(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=_TIMEOUT_S) as answered:
        data: bytes = answered.read(_LONGEST_PAGE)
    return data


def _entries_of(page: bytes) -> list[JSON]:
    """Parse a list of entries, or one entry a line."""
    try:
        value = parse(page)
    except Unreadable:
        return [parse(line) for line in page.splitlines() if line]
    if isinstance(value, dict) and isinstance(value.get("entries"), list):
        entries: list[JSON] = value["entries"]
        return entries
    return value if isinstance(value, list) else [value]
