"""The head in a table's page, which covers the close before its round comes, and the browser's memory of its time."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.core.rounds.log_proofs import lines
from bot.core.state.lounge import LOUNGE
from bot.verifier.logs import check_log
from engine.fairness.beacon import time_of
from storage.questions import logs
from tests.bot.open_house import OpenHouse, open_house
from tests.core.rounds import BEGAN, Rounds
from tests.platforms.web.test_heads_browser import remembers, sign
from tests.platforms.web.test_lounge_browser import Visit, visit
from tests.platforms.web.test_mark_browser import set_option
from tests.some import some

pytestmark = [pytest.mark.browser, pytest.mark.slow]
__all__ = ["visit"]
# By the clock of the browsers, a second after bets were closed.
CLOSES_AT = int(BEGAN) + 21
SEEN = f"heads.recall('{LOUNGE}').seen"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[OpenHouse]:
    """A lounge whose beacon's rounds never come, and whose clock does not move by itself."""
    async with open_house(tmp_path, beacon=Rounds(), began=BEGAN) as opened:
        yield opened


async def bet(anna: Visit) -> None:
    """Bet after a cut in words, so that the page seals none and the close names the round."""
    await anna.page.evaluate("send({ key: newKey(), line: '/cut hearts' })")
    before = await anna.page.locator(".wallet b").inner_text()
    await anna.press("bet ante 10")
    await anna.page.locator(".wallet b", has_not_text=before).wait_for()


async def bets_close(anna: Visit, house: OpenHouse) -> int:
    """Bet and wait until bets are closed; return how many entries the head must cover."""
    await bet(anna)
    await house.wait(some(house.table().round.deadline) - house.writer.clock())
    assert house.table().phase == "waiting"
    return house.table().round.lines[-1] + 1


async def test_fairness_3_every_page_of_the_table_has_the_head_in_its_memory_before_the_round(
    visit: Any, house: OpenHouse, tmp_path: Path
) -> None:
    anna, bea = await visit(), await visit()
    for one, name in ((anna, "Anna"), (bea, "Bea")):
        await one.page.clock.set_fixed_time(CLOSES_AT)
        await one.enter(name)
    size = await bets_close(anna, house)
    waits = some(house.table().round.waits)
    books = house.writer.books
    log_number = some(logs.log(books, LOUNGE)).number
    for one in (anna, bea):
        await one.page.wait_for_function(
            f"(size) => typeof heads !== 'undefined' && {SEEN}.at(-1)?.head.size >= size", arg=size
        )
        kept = (await one.page.evaluate(SEEN))[-1]
        signed = {head.size: head.root.hex() for head in logs.heads(books, LOUNGE, log_number)}
        assert signed[kept["head"]["size"]] == kept["head"]["root"]
        assert kept["seen"] == CLOSES_AT < time_of(waits.round)
    told = tmp_path / "seen.jsonl"
    told.write_text(await bea.page.evaluate(f"heads.lines('{LOUNGE}')"))
    log = tmp_path / "log.jsonl"
    log.write_text("".join(f"{line}\n" for line in lines(books, some(logs.log(books, LOUNGE)))))
    with check_log(str(log), str(told)) as report:
        assert report.faults == []


async def test_fairness_3_it_counts_when_the_head_came_and_not_when_it_was_proven(visit: Any, house: OpenHouse) -> None:
    first = await sign(house)
    anna: Visit = await visit()
    await anna.page.clock.set_fixed_time(CLOSES_AT)
    await anna.enter("Anna")
    await bet(anna)
    await remembers(anna, first)

    async def prove_late(route: Any) -> None:
        await anna.page.clock.set_fixed_time(CLOSES_AT + 100)
        await route.continue_()

    await anna.page.route("**/consistency*", prove_late)
    size = await bets_close(anna, house)
    await anna.page.wait_for_function(
        f"(size) => typeof heads !== 'undefined' && {SEEN}.at(-1)?.head.size >= size", arg=size
    )
    assert [one["seen"] for one in await anna.page.evaluate(SEEN)][1:] == [CLOSES_AT]
    assert await anna.page.evaluate("Date.now()") == (CLOSES_AT + 100) * 1000


async def test_fairness_3_without_the_beacon_no_head_comes_with_a_table(visit: Any, house: OpenHouse) -> None:
    await set_option(house, 1, "beacon", "off")
    anna: Visit = await visit()
    await anna.enter("Anna")
    await bet(anna)
    await house.wait(21)
    await anna.page.locator('.mine [data-key="fold "]').wait_for()
    assert await anna.page.locator("#fair[data-head]").count() == 0
