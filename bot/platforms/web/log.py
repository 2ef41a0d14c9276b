"""A casino's fairness log for verifiers: its latest head, its entries, and proofs that it has only grown.

A log has no secrets and is public. An answer is JSON, and so is a refusal: {"refused": why}.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from aiohttp import web

from bot.core.rounds import log_proofs
from bot.platforms.web.lounge import lounge_of
from storage.questions import logs
from storage.rows import LogRow
from storage.store import Reader

MOST_ENTRIES = 1000
_LARGEST = 2**53
# Answers in a thread: takes the store, the requested log, and the query.
_Answers = Callable[[Reader, LogRow, Mapping[str, str]], str]


class _LogRefusal(Exception):
    """A refusal with its sentence and status."""

    def __init__(self, why: str, status: int = 400) -> None:
        super().__init__(why)
        self.status = status


def _answering(answer: _Answers) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def handle(request: web.Request) -> web.Response:
        casino, books = int(request.match_info["casino"]), lounge_of(request).writer.books
        try:
            text = await asyncio.to_thread(_answer, answer, books, casino, request.query)
        except _LogRefusal as refused:
            return web.json_response({"refused": str(refused)}, status=refused.status)
        return web.Response(text=text, content_type="application/json")

    return handle


def _answer(answer: _Answers, books: Reader, casino: int, query: Mapping[str, str]) -> str:
    number = _number(query, "log", least=1) if "log" in query else None
    log = logs.log(books, casino, number)
    if log is None:
        raise _LogRefusal("There is no such log here.", 404)
    return answer(books, log, query)


def _number(query: Mapping[str, str], name: str, least: int = 0) -> int:
    said = query.get(name, "")
    if not (said.isascii() and said.isdigit() and len(said) <= 16 and least <= int(said) <= _LARGEST):
        raise _LogRefusal(f"{name} must be a whole number from {least}.")
    return int(said)


def _range(books: Reader, log: LogRow, query: Mapping[str, str]) -> tuple[int, int]:
    begin, end = _number(query, "from"), _number(query, "to")
    if begin > end:
        raise _LogRefusal("The range must not end before it begins.")
    if end > (size := logs.size_of_log(books, log.casino, log.number)):
        raise _LogRefusal(f"This log has {size} entries.")
    return begin, end


def _head(books: Reader, log: LogRow, _query: Mapping[str, str]) -> str:
    head: Any = log_proofs.newest_head(books, log)
    if head is None:
        raise _LogRefusal("No tree head of this log is signed yet. Try again in ten seconds.", 404)
    return json.dumps(head)


def _entries(books: Reader, log: LogRow, query: Mapping[str, str]) -> str:
    begin, end = _range(books, log, query)
    if end - begin > MOST_ENTRIES:
        raise _LogRefusal(f"Ask for at most {MOST_ENTRIES} entries at once.")
    # As they are hashed: each is JSON already.
    return f'{{"entries": [{", ".join(logs.entries(books, log.casino, log.number, begin, end))}]}}'


def _heads(books: Reader, log: LogRow, query: Mapping[str, str]) -> str:
    begin, end = _number(query, "from"), _number(query, "to")
    rows = logs.heads_of_sizes(books, log.casino, log.number, begin, end, MOST_ENTRIES)
    return json.dumps({"heads": [log_proofs.published(log.house, row) for row in rows]})


def _inclusion(books: Reader, log: LogRow, query: Mapping[str, str]) -> str:
    index, size = _number(query, "index"), _number(query, "size", least=1)
    if index >= size or size > logs.size_of_log(books, log.casino, log.number):
        raise _LogRefusal("There is no such entry in a tree of that size.")
    (entry,) = logs.entries(books, log.casino, log.number, index, index + 1)
    proof = log_proofs.inclusion(books, log, [index], size)[index]
    return f'{{"entry": {entry}, "proof": {json.dumps(proof)}}}'


def _consistency(books: Reader, log: LogRow, query: Mapping[str, str]) -> str:
    return json.dumps({"proof": log_proofs.consistency(books, log, *_range(books, log, query))})


# GET, of /log/CASINO; `log` names an older log by its number.
head = _answering(_head)
# ?from=&to=, `to` not among them.
entries = _answering(_entries)
# ?from=&to=, sizes of heads, `to` not among them: the first MOST_ENTRIES of them.
heads = _answering(_heads)
# ?index=&size=: an entry, proven in the tree of that size.
inclusion = _answering(_inclusion)
# ?from=&to=, sizes of heads.
consistency = _answering(_consistency)
