"""Tree heads that a browser remembers of a casino's log, against a server that shows another history later."""

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.core.rounds.log_proofs import newest_head
from bot.core.state.lounge import LOUNGE
from bot.verifier.logs import check_log
from engine.fairness import ed25519, log
from engine.fairness.canonical import encode
from storage import restored
from storage.questions import logs
from storage.rows import HandRow, LogRow, TableRow
from storage.sqlite import SqliteBooks
from tests.bot.open_house import OpenHouse, open_house
from tests.engine.fairness.trees import GrowingTree
from tests.patience import PATIENCE_S
from tests.platforms.web.test_lounge_browser import DESK, PHONE, Visit, visit
from tests.platforms.web.test_mark_browser import mark_of, play_a_hand
from tests.platforms.web.test_verify_browser import PAINTED
from tests.some import some
from tests.storage.drafts import write

pytestmark = [pytest.mark.browser, pytest.mark.slow]
__all__ = ["visit"]
Published = dict[str, Any]
SECRET, OTHER_SECRET = bytes(32), bytes([1]) * 32
CASINO = str(LOUNGE)
AWAITED = """() => {
  const { house, player } = document.getElementById("checked").dataset;
  return seen.awaited(house, player);
}"""


async def sign(house: OpenHouse) -> Published:
    """Wait for a head of the present log, and return it as published."""
    books = house.writer.books
    async with asyncio.timeout(PATIENCE_S):
        while True:
            await asyncio.to_thread(house.writer.heads.sign)
            await house.submit("tables")
            # The signing thread may hold it now: then it comes with a later batch.
            if published := newest_head(books, some(logs.log(books, LOUNGE))):
                return published


def leaves_of(house: OpenHouse) -> list[bytes]:
    """Return the log's present entries."""
    size = logs.size_of_log(house.writer.books, LOUNGE, 1)
    return [entry.encode() for entry in logs.entries(house.writer.books, LOUNGE, 1, 0, size)]


def changed(leaves: Sequence[bytes]) -> list[bytes]:
    """Return the leaves with another second entry, and one more."""
    return [leaves[0], b'{"k":"open"}', *leaves[2:], b"{}"]


def tree_of(leaves: Sequence[bytes]) -> GrowingTree:
    tree = GrowingTree()
    for leaf in leaves:
        tree.append(leaf)
    return tree


def publish(seen: Published, secret: bytes = SECRET, **other: Any) -> Published:
    """Return a signed head that differs from one that was seen."""
    head = {**seen["head"], **other}
    return {"head": head, "signature": ed25519.sign(secret, encode(head)).hex()}


def head_over(seen: Published, leaves: Sequence[bytes], secret: bytes = SECRET, **other: Any) -> Published:
    tree = tree_of(leaves)
    at = seen["head"]["at"] + 1000
    return publish(seen, secret, **{"size": tree.size, "root": tree.root().hex(), "at": at, **other})


class Liar:
    """A server that lies to a browser at the addresses of the log whose head it has seen."""

    def __init__(self, visit: Visit, seen: Published) -> None:
        self.page, self.seen, self.casino = visit.page, seen, seen["head"]["casino"]

    async def say(self, what: str, said: object, status: int = 200) -> None:
        async def answer(route: Any) -> None:
            await route.fulfill(status=status, json=said)

        await self.page.route(f"**/log/{self.casino}/{what}*", answer)

    async def prove(self, leaves: dict[int, Sequence[bytes]]) -> None:
        """Serve correct proofs of the logs it shows: {number: leaves}."""

        async def answer(route: Any) -> None:
            asked = dict(pair.split("=") for pair in route.request.url.partition("?")[2].split("&"))
            tree = tree_of(leaves[int(asked["log"])][: int(asked["to"])])
            await route.fulfill(json={"proof": [node.hex() for node in tree.consistency(int(asked["from"]))]})

        await self.page.route(f"**/log/{self.casino}/consistency*", answer)

    async def begin(self, entry: dict[str, Any], old: Sequence[bytes], secret: bytes = SECRET) -> None:
        """Begin a second log after the first one."""
        new = [encode(entry), b"{}"]
        key = ed25519.public_key(secret).hex()
        await self.say("entries", {"entries": [entry, {}][:1]})
        await self.say("head", head_over(self.seen, new, secret, log=2, house=key))
        await self.prove({1: old, 2: new})


async def enter(visit: Any, house: OpenHouse, **size: int) -> tuple[Visit, Published]:
    """Open Anna's browser at a table; return it with the head that it has seen."""
    anna: Visit = await visit(**size)
    await anna.enter("Anna")
    await anna.page.evaluate(PAINTED)
    # Enough entries that some can be missing.
    await play_a_hand(anna, house)
    seen = await sign(house)
    await anna.page.reload()
    await remembers(anna, seen)
    return anna, seen


async def remembers(anna: Visit, seen: Published) -> None:
    """Wait until this browser has seen a head."""
    size = seen["head"]["size"]
    await anna.page.wait_for_function(
        f"(size) => typeof heads !== 'undefined' && heads.recall('{CASINO}').seen.at(-1)?.head.size >= size", arg=size
    )


async def look_again(anna: Visit) -> str:
    """Reload the page and return its sentence about the log."""
    await anna.page.reload()
    await anna.page.locator("#logged a").wait_for()
    return await anna.page.locator("#logged").inner_text()


async def look_at_log(anna: Visit, house: OpenHouse, kind: str) -> None:
    """Open the page about the log, which says the same."""
    await anna.page.goto(f"{house.url}/log/{CASINO}")
    await anna.page.locator(f'#logged[data-kind="{kind}"]').wait_for()


async def test_of_a_log_that_goes_on_as_it_should_nothing_is_said(visit: Any, house: OpenHouse) -> None:
    anna, _seen = await enter(visit, house, **PHONE)
    hand = await play_a_hand(anna, house)
    await mark_of(anna, hand)
    newest = await sign(house)
    await anna.page.reload()
    await anna.page.locator(f'#checked[data-proven="{hand}"]').wait_for(state="attached")
    await remembers(anna, newest)
    assert await anna.page.locator("#logged").inner_text() == ""
    assert await anna.page.evaluate(AWAITED) == []
    await look_at_log(anna, house, "good")
    assert "extends what your browser saw" in await anna.page.locator("#logged").inner_text()
    assert await anna.page.locator("#logged.wrong").count() == 0
    await anna.shoot("log-remembered")
    assert await anna.width() == PHONE["width"]


async def test_entries_that_are_gone_are_found(visit: Any, house: OpenHouse) -> None:
    anna, seen = await enter(visit, house)
    liar = Liar(anna, seen)
    await liar.say("head", head_over(seen, leaves_of(house)[: seen["head"]["size"] - 1]))
    assert "✗ The casino shows an older log" in await look_again(anna)
    assert await anna.page.locator("#logged.wrong[role=alert]").count() == 1
    await anna.shoot("log-rolled-back")


async def test_a_log_that_was_changed_is_found_whatever_proof_comes_with_it(visit: Any, house: OpenHouse) -> None:
    anna, seen = await enter(visit, house)
    liar, other = Liar(anna, seen), changed(leaves_of(house))
    await liar.say("head", head_over(seen, other))
    await liar.prove({1: other})
    assert "✗ The log does not match what your browser saw" in await look_again(anna)


async def test_another_root_of_as_many_entries_is_found(visit: Any, house: OpenHouse) -> None:
    anna, seen = await enter(visit, house)
    await Liar(anna, seen).say("head", publish(seen, root="00" * 32))
    assert "✗ The log does not match what your browser saw" in await look_again(anna)


async def test_another_key_for_the_same_log_is_found(visit: Any, house: OpenHouse) -> None:
    anna, seen = await enter(visit, house)
    key = ed25519.public_key(OTHER_SECRET).hex()
    await Liar(anna, seen).say("head", publish(seen, OTHER_SECRET, house=key))
    assert "✗ The log is signed with a different key" in await look_again(anna)


@pytest.mark.parametrize(
    "change",
    [
        lambda seen: publish(seen, OTHER_SECRET),
        lambda seen: {**seen, "signature": "00" * 64},
        lambda seen: publish(seen, casino="77"),
        lambda seen: {**seen, "head": {**seen["head"], "size": seen["head"]["size"] + 1}},
        lambda seen: {**seen, "head": "x" * 1_000_000},
    ],
    ids=["another's signature", "no signature", "another casino's", "changed", "a megabyte of nothing"],
)
async def test_a_head_that_is_not_the_houses_is_found(
    visit: Any, house: OpenHouse, change: Callable[[Published], Published]
) -> None:
    anna, seen = await enter(visit, house)
    await Liar(anna, seen).say("head", change(seen))
    assert "✗ The casino shows a tree head with a wrong signature" in await look_again(anna)


async def test_a_house_that_proves_nothing_is_found(visit: Any, house: OpenHouse) -> None:
    anna, seen = await enter(visit, house)
    liar = Liar(anna, seen)
    await liar.say("head", head_over(seen, [*leaves_of(house), b"{}"]))
    for said, status in [({"refused": "Not today."}, 400), ({"proof": ["zz"]}, 200), ([], 200)]:
        await liar.say("consistency", said, status)
        assert "✗ The casino does not prove" in await look_again(anna)
        await anna.page.evaluate(f"""() => localStorage.setItem("log {CASINO}", JSON.stringify({{
          ...heads.recall("{CASINO}"), fault: null,
        }}))""")
    anna.complaints.clear()


async def test_a_head_that_does_not_come_for_long_is_missed(visit: Any, house: OpenHouse) -> None:
    anna, seen = await enter(visit, house)
    await Liar(anna, seen).say("head", {"refused": "No head of this log is signed yet."}, 404)
    async with anna.page.expect_response("**/head"):
        await anna.page.reload()
    await anna.page.wait_for_function(f"typeof heads !== 'undefined' && heads.recall('{CASINO}').waits !== null")
    assert await anna.page.locator("#logged").inner_text() == "", "a house may be without one for a while"
    await anna.page.evaluate(f"""() => localStorage.setItem("log {CASINO}", JSON.stringify({{
      ...heads.recall("{CASINO}"), waits: Date.now() - heads.PATIENCE_MS - 1,
    }}))""")
    assert "✗ For more than ten minutes, the casino has shown no signed tree head" in await look_again(anna)
    await anna.page.unroute_all()
    await look_at_log(anna, house, "good")
    anna.complaints.clear()


async def test_a_payment_that_no_head_covers_for_long_is_found(visit: Any, house: OpenHouse) -> None:
    anna, _seen = await enter(visit, house)

    async def without_log(route: Any) -> None:
        really = await route.fetch()
        said = await really.json()
        said["record"].pop("log", None)
        await route.fulfill(response=really, json=said)

    await anna.page.route("**/hand/*/played", without_log)
    hand = await play_a_hand(anna, house)
    assert (await mark_of(anna, hand)).startswith("Hand ")
    await anna.page.wait_for_function(
        "(hand) => seen.recall(document.getElementById('checked').dataset.house, hand).unlogged", arg=hand
    )
    await anna.page.evaluate(
        """(hand) => {
          const key = `seen ${document.getElementById("checked").dataset.house} ${hand}`;
          const entry = JSON.parse(localStorage.getItem(key));
          localStorage.setItem(key, JSON.stringify({ ...entry, unlogged: entry.unlogged - heads.PATIENCE_MS - 1 }));
        }""",
        hand,
    )
    assert f"no signed tree head has covered the payout of hand {hand}" in await look_again(anna)


async def test_a_hand_of_another_history_is_found_though_its_proofs_hold(visit: Any, house: OpenHouse) -> None:
    """The server keeps a log for Anna alone, which does not continue the real one that she saw."""
    anna, seen = await enter(visit, house)

    async def of_another(route: Any) -> None:
        await sign(house)
        really = await route.fetch()
        said = await really.json()
        leaves = changed(leaves_of(house))
        await liar.prove({1: leaves})
        proven = said["record"]["log"]["entries"]
        tree = tree_of(leaves)
        for one in proven:
            one["proof"] = [node.hex() for node in tree.inclusion(one["index"])]
        said["record"]["log"] = {"entries": proven, **head_over(seen, leaves)}
        await route.fulfill(response=really, json=said)

    liar = Liar(anna, seen)
    await anna.page.route("**/hand/*/played", of_another)
    hand = await play_a_hand(anna, house)
    assert (await mark_of(anna, hand)).startswith("Hand "), "of itself its record is right"
    await anna.page.locator("#logged.wrong").wait_for()
    assert "✗ The log does not match what your browser saw" in await anna.page.locator("#logged").inner_text()
    assert await anna.page.locator(f'#checked[data-proven="{hand}"]').count() == 0


async def test_a_hand_in_the_log_of_another_casino_is_found(visit: Any, house: OpenHouse) -> None:
    anna: Visit = await visit()
    await anna.enter("Anna")
    await anna.page.wait_for_load_state()
    await anna.page.evaluate("""() => {
      const { house } = document.getElementById("checked").dataset;
      const { hand } = document.getElementById("fair").dataset;
      const entry = { ...seen.recall(house, hand), casino: "77" };
      localStorage.setItem(`seen ${house} ${hand}`, JSON.stringify(entry));
    }""")
    await anna.page.reload()
    hand = await play_a_hand(anna, house)
    assert (await mark_of(anna, hand)).startswith("✗")


async def test_what_was_off_stays_until_it_is_forgotten_and_is_evidence(
    visit: Any, house: OpenHouse, tmp_path: Path
) -> None:
    anna, seen = await enter(visit, house)
    liar, leaves = Liar(anna, seen), leaves_of(house)
    await liar.say("head", head_over(seen, changed(leaves)))
    await liar.prove({1: changed(leaves)})
    assert (await look_again(anna)).startswith("✗")
    await anna.page.unroute_all()
    assert (await look_again(anna)).startswith("✗"), "two signed histories stay a fault"
    await look_at_log(anna, house, "fork")
    async with anna.page.expect_download() as begun:
        await anna.page.locator("#seen-heads").click()
    evidence = tmp_path / "seen.jsonl"
    await (await begun.value).save_as(evidence)
    kept = tmp_path / "log.jsonl"
    kept.write_text("".join(f"{leaf.decode()}\n" for leaf in leaves) + json.dumps(await sign(house)) + "\n", "utf-8")
    with check_log(str(kept), str(evidence)) as report:
        assert [fault["check"] for fault in report.faults if "seen head" in str(fault["why"])] == ["tree"]
    await anna.page.locator("#forget").click()
    await anna.page.locator('#logged[data-kind="first"]').wait_for()
    assert await anna.page.locator("#logged.wrong").count() == 0


async def test_a_log_that_begins_anew_with_its_reason_is_told_as_that(visit: Any, house: OpenHouse) -> None:
    anna, seen = await enter(visit, house)
    leaves, size = leaves_of(house), seen["head"]["size"]
    before = {**seen["head"], "size": size - 2, "root": tree_of(leaves[: size - 2]).root().hex()}
    entry = log.begin(2, before, "the books were restored", before["at"])
    await Liar(anna, seen).begin(entry, leaves, OTHER_SECRET)
    said = await look_again(anna)
    assert said.startswith("– The log of this casino was started again. Reason given: “the books were restored”.")
    assert "Entries your browser saw earlier that are missing now: 2." in said
    assert "It is signed with another key." in said
    assert await anna.page.locator("#logged.wrong").count() == 0
    await anna.page.reload()
    assert (await anna.page.evaluate(f"heads.follow('{CASINO}')"))["kind"] == "good"
    assert await anna.page.locator("#logged").inner_text() == "", "once"


@pytest.mark.parametrize(
    "change",
    [
        lambda before, leaves: {**before, "size": len(leaves), "root": "00" * 32},
        lambda before, leaves: {**before, "size": 3, "root": tree_of(changed(leaves)[:3]).root().hex()},
        lambda before, leaves: {**before, "house": "00" * 32},
        lambda before, leaves: {**before, "log": 7},
        lambda before, leaves: {},
    ],
    ids=["another end", "another beginning", "another house's", "another log's", "nothing"],
)
async def test_a_log_that_begins_after_another_history_is_found(
    visit: Any, house: OpenHouse, change: Callable[[dict[str, Any], list[bytes]], dict[str, Any]]
) -> None:
    anna, seen = await enter(visit, house)
    # Anna has seen an early head too.
    leaves = leaves_of(house)
    early = head_over(seen, leaves[:2], at=seen["head"]["at"])
    await anna.page.evaluate(
        f"""(early) => localStorage.setItem("log {CASINO}", JSON.stringify({{
          ...heads.recall("{CASINO}"), seen: [{{ ...early, seen: 1 }}, ...heads.recall("{CASINO}").seen],
        }}))""",
        early,
    )
    entry = log.begin(2, change(seen["head"], leaves), "the books were restored", seen["head"]["at"])
    await Liar(anna, seen).begin(entry, leaves)
    assert "✗ The log does not match what your browser saw" in await look_again(anna)


async def test_a_restored_house_is_told_as_that(browser: Any, tmp_path: Path) -> None:
    """The test goes the whole way: store, start, log, browser."""
    async with open_house(tmp_path) as house:
        context = await browser.new_context(viewport=DESK, locale="en-GB")
        anna = Visit(await context.new_page(), house.url)
        await anna.enter("Anna")
        seen = await sign(house)
        await anna.page.reload()
        await anna.press("bet ante 10")
        await remembers(anna, seen)
        kept = json.loads(json.dumps(await context.storage_state()).replace(house.url, "HOUSE"))
        await context.close()
    with closing(SqliteBooks(tmp_path)) as books:
        write(books, restored.note_of({HandRow: 1000, TableRow: 1000}, None))
    async with open_house(tmp_path) as house:
        await sign(house)
        state = json.loads(json.dumps(kept).replace("HOUSE", house.url))
        context = await browser.new_context(viewport=DESK, locale="en-GB", storage_state=state)
        again = Visit(await context.new_page(), house.url)
        await look_at_log(again, house, "begun")
        assert "Reason given: “the books were restored”." in await again.page.locator("#logged").inner_text()
        assert some(logs.log(house.writer.books, LOUNGE)) == LogRow(LOUNGE, 2, seen["head"]["house"], 0)
        assert again.complaints == []
        await context.close()


async def test_a_bounded_number_of_heads_is_remembered(visit: Any, house: OpenHouse) -> None:
    """The heads belong to a casino that this page does not follow by itself."""
    anna, lounge = await enter(visit, house)
    seen = {**lounge, "head": {**lounge["head"], "casino": "7"}}
    leaves = [b"%d" % number for number in range(100)]
    first = head_over(seen, leaves[:1])
    await Liar(anna, seen).prove({1: leaves})
    for size in range(1, 71):
        published = head_over(seen, leaves[:size])
        assert await anna.page.evaluate("(one) => heads.extend('7', one)", published) == {
            "kind": "first" if size == 1 else "good"
        }
    kept = await anna.page.evaluate("heads.recall('7').seen.map(({ head }) => head.size)")
    assert kept == [1, *range(8, 71)]
    assert first["head"]["size"] == kept[0], "the oldest one stays"
