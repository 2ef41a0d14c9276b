"""Expected and actual returns on the operator's page: computed in the background and kept for an hour."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from itertools import groupby
from math import isfinite
from typing import NamedTuple

from aiohttp import web

from bot.core.admin.returns import BetComparison, Group, Returns, compare_returns
from bot.core.commands.counting import CountFault
from bot.core.state.lounge import LOUNGE
from bot.platforms.web.lounge import Lounge
from bot.texts import Text
from bot.texts.games import GAME_TEXTS
from engine.felt import Amount
from storage.faults import BooksGone

# Cached results may be this old.
KEPT_S = 3600.0
# The latest hands, and for each table this many with their choices: half a minute of the computing process.
MOST_HANDS, MOST_CHOICES = 5_000, 200
_log = logging.getLogger("ridotto.web")


class TableReturns(NamedTuple):
    """The options that a table was played with and the returns of its bets; `table` is its number, None if it is
    gone.
    """

    table: int | None
    game: str
    options: list[Text]
    lines: list[BetComparison]


@dataclass
class KeptReturns:
    """The last computed returns, and when; `counting` is the present task. For the loop's thread only."""

    found: Returns | None = None
    at: float = 0.0
    has_failed: bool = False
    is_over: bool = False
    counting: asyncio.Task[None] | None = None

    def latest(self, lounge: Lounge) -> Returns | None:
        """Return the last result, and start computing if it is missing or old."""
        is_counting = self.counting is not None and not self.counting.done()
        if not is_counting and (self.found is None or lounge.writer.clock() - self.at > KEPT_S):
            self.counting = asyncio.ensure_future(self._count(lounge))
        return self.found

    async def _count(self, lounge: Lounge) -> None:
        try:
            self.found = await asyncio.to_thread(self._compare, lounge)
            self.at, self.has_failed = lounge.writer.clock(), False
        except (CountFault, BooksGone) as fault:  # the writer reports the second one itself
            _log.warning("the returns could not be calculated: %s", fault)
            self.has_failed = True

    def _compare(self, lounge: Lounge) -> Returns:
        """Compute the returns in a thread, a page of hands at a time, until the lounge closes."""

        def stop_if_over(done: int) -> None:
            if self.is_over or lounge.is_closing:
                raise CountFault("the house closes")

        books, count = lounge.writer.books, lounge.writer.count
        return compare_returns(
            books.snapshot, count, casino=LOUNGE, most=MOST_HANDS, choices=MOST_CHOICES, tell=stop_if_over
        )


RETURNS_KEY = web.AppKey("returns", KeptReturns)


async def keep_returns(app: web.Application) -> AsyncIterator[None]:
    """Keep computed returns while the application lives."""
    kept = app[RETURNS_KEY] = KeptReturns()
    yield
    kept.is_over = True
    if kept.counting is not None:
        kept.counting.cancel()


def list_results(lounge: Lounge, returns: Returns) -> list[TableReturns]:
    """Return the results by table and options."""
    by_group = groupby(returns.lines, key=lambda line: line.group)
    return [
        TableReturns(_number(lounge, group), group.game, list(_options(group)), list(lines))
        for group, lines in by_group
    ]


def _number(lounge: Lounge, group: Group) -> int | None:
    table = lounge.state.table(group.table)
    return table.number if table is not None else None


def _options(group: Group) -> Iterator[Text]:
    """Yield the options that differ from the game's defaults."""
    known = GAME_TEXTS[group.game].options if group.game in GAME_TEXTS else {}
    for name, value in json.loads(group.options).items():
        said = known[name].unit.write(value) if name in known else str(value)
        yield Text("{option}: {value}", option=name, value=said)


def percent(share: float) -> Text:
    """Return a share as percent of the stakes, with two decimals."""
    return Text("{percent} %", percent=Amount(round(share * 10_000)))


def errors(z: float) -> Amount | str:
    """Return standard errors with two decimals."""
    return Amount(round(z * 100)) if isfinite(z) else "–"
