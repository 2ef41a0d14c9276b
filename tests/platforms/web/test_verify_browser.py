"""The verifier's page in a real browser, against the golden vectors and every forgery that the verifier finds."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from bot.verifier import pack
from bot.verifier.pack import packed
from engine.cards import FRENCH, JOKER
from engine.fairness.canonical import Unreadable, parse
from engine.games import GAMES
from engine.record import play_record
from engine.shuffler import Stream
from tests.bot.open_house import OpenHouse
from tests.engine.fairness.vectors import FILE
from tests.platforms.web.test_lounge_browser import DESK, PHONE, visit
from tests.verified import leaves, other
from tests.verifier import test_records as forgeries
from tests.verifier.test_records import verify

pytestmark = pytest.mark.browser
__all__ = ["visit"]

# The page reports what the rules decide as not checked: among these it only finds sums that do not add up.
OF_THE_RULES = ("moves", "payments")
VERIFY = "texts => records.games().then((games) => texts.map((text) => verifyOne(text, games)))"
PROOFS = """({ leaves, roots, inclusion, consistency }) => [
  ...inclusion.map(({ index, size, proof }) =>
    fairness.isIncluded(fairness.fromHex(leaves[index]), index, size, proof, roots[size])),
  ...consistency.map(({ from, to, proof }) => fairness.isConsistent(from, roots[from], to, roots[to], proof)),
]"""
# Chromium drops presses before its first paint, because no one can have meant them.
PAINTED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
VERIFY_ONE = """() => {
  window.verifyOne = (text, games) => {
    try {
      const { dealt, ...found } = records.verify(fairness.parse(text), games);
      return found;
    } catch (fault) {
      if (!(fault instanceof fairness.Unreadable)) throw fault;
      return null;
    }
  };
}"""


@pytest.fixture
async def page(visit: Any, house: OpenHouse) -> Any:
    """The verifier's page, as a stranger opens it."""
    opened = (await visit()).page
    await opened.goto(f"{house.url}/verify")
    await opened.evaluate(VERIFY_ONE)
    return opened


def kind(said: str) -> str:
    return said.partition(":")[0]


def records() -> Iterator[tuple[str, str, Any]]:
    """Yield (name, the check that must find it or "", record)."""
    for name in forgeries.NAMES:
        yield name, "", forgeries.record_of(name)
        yield f"{name}, without its log", "", forgeries.without_log(forgeries.record_of(name))
    for name, (business, base, change) in forgeries.FORGED.items():
        record = forgeries.record_of(base)
        change(record)
        yield name, business, record
        yield (
            f"{name}, without its log",
            "" if name == "a round that was known" else business,
            forgeries.without_log(record),
        )
    for name, (base, change) in forgeries.LOGS.items():
        record = forgeries.record_of(base)
        change(record)
        yield f"in the log: {name}", "log", record
    for name, change in forgeries.MALFORMED.items():
        record = forgeries.record_of("t1 dealt")
        change(record)
        yield f"malformed: {name}", "", record


def changed_records() -> Iterator[tuple[str, str, Any]]:
    """Yield records with one value changed."""
    for base in (
        "t0 dealt",
        "t1 void",
        "dropping dropped",
        "shoe later",
        "quicknet",
        "sealed dealt",
        "sealed public void",
    ):
        for number in range(len([*leaves(forgeries.proven()[base])])):
            record = forgeries.record_of(base)
            container, key = [*leaves(record)][number]
            container[key] = other(container[key])
            yield f"{base}, {key} changed", "", record


def junk_records() -> Iterator[tuple[str, str, Any]]:
    for key in "v promise hand seed seals unopened salt start stakes moves jackpot beacon paid void log".split():
        for junk in forgeries.JUNK:
            for base in ("t0 dealt", "t1 void", "dropping dropped"):
                yield f"{key} of {base} is {junk!r}", "", forgeries.record_of(base) | {key: junk}


def plain_records() -> Iterator[tuple[str, str, Any]]:
    changes: list[dict[str, Any]] = [{}, {"commit": "00" * 32}, {"moves": ["1 fly"]}, {"game": "bingo"}]
    changes += [{"stakes": []}, {"rules": 99}, {"seed": 5}, {"note": None}]
    for change in changes:
        yield f"plain record with {change}", "", forgeries.V1 | change


def verify_here(text: str) -> dict[str, Any] | None:
    try:
        return verify(parse(text))
    except Unreadable:
        return None


@pytest.mark.slow
@pytest.mark.parametrize("make", [records, changed_records, junk_records, plain_records])
async def test_the_browser_says_what_the_verifier_says_or_that_it_did_not_check(page: Any, make: Any) -> None:
    given = [(name, business, json.dumps(record)) for name, business, record in make()]
    answers = await page.evaluate(VERIFY, [text for _, _, text in given])
    for (name, business, text), found in zip(given, answers, strict=True):
        wanted = verify_here(text)
        if wanted is None or found is None:
            assert found == wanted, name
            continue
        assert {key: found[key] for key in ("version", "house", "casino")} == {
            key: wanted[key] for key in ("version", "house", "casino")
        }, name
        assert found.get("note") == wanted.get("note"), name
        for check, said in found["checks"].items():
            agrees = kind(said) in ("not checked", kind(wanted["checks"][check]))
            # It computes the deck, and reports that it cannot know whether the game accepts a text option.
            is_deck_alone = check == "deck" and kind(found["checks"]["promise"]) == "not checked"
            assert agrees or is_deck_alone, (name, check, said, wanted["checks"][check])
        if business:
            said = kind(found["checks"][business])
            of_the_rules = business in OF_THE_RULES or name in (
                "in the log: another next start",
                "in the log: another meter after",
            )
            assert said == "wrong" or (of_the_rules and said == "not checked"), (name, found["checks"][business])


async def test_forged_sums_are_found_though_the_rules_are_not_here(page: Any) -> None:
    for name in ("paid more", "a net that is no sum", "wagered less", "a void hand that pays", "no payments"):
        _, base, change = forgeries.FORGED[name]
        record = forgeries.record_of(base)
        change(record)
        (found,) = await page.evaluate(VERIFY, [json.dumps(forgeries.without_log(record))])
        assert kind(found["checks"]["payments"]) == "wrong", name


async def test_the_browser_has_the_golden_vectors(page: Any) -> None:
    vectors = json.loads(FILE.read_text("utf-8"))
    canonical = vectors["0 bytes"]["canonical"]
    found = await page.evaluate(
        "texts => texts.map((text) => fairness.toHex(fairness.encode(fairness.parse(text))))",
        [one["json"] for one in canonical],
    )
    assert found == [one["hex"] for one in canonical]
    refused = await page.evaluate(
        "texts => texts.map((text) => { try { fairness.parse(text); } catch (fault) { return fault.message; } })",
        vectors["0 bytes"]["refused"],
    )
    assert all(isinstance(why, str) and why for why in refused)
    tree = vectors["2 tree"]
    proofs = len(tree["inclusion"]) + len(tree["consistency"])
    assert await page.evaluate(PROOFS, tree) == [True] * proofs
    for one in (*tree["inclusion"], *tree["consistency"]):
        one["proof"].append("00" * 32)
    assert await page.evaluate(PROOFS, tree) == [False] * proofs
    for one in vectors["4 deck"]:
        stream = Stream(bytes.fromhex(one["server"]), one["cuts"], one["beacon"])
        full = {"dice": True, "deck": list(GAMES["paiju"].full_deck(GAMES["paiju"].parse_options({})))}
        dealt = await page.evaluate(
            "([one, full]) => fairness.shuffle(one.server, one.cuts, one.beacon, full)", [one, full]
        )
        assert (dealt["dice"], " ".join(dealt["deck"])) == (one["paiju"]["dice"], one["paiju"]["deck"])
        assert tuple(dealt["dice"]) == stream.dice()
    found = await page.evaluate(
        "closes => closes.map((one) => fairness.roundAfter(one.closed_at))", vectors["5 beacon"]
    )
    assert found == [one["round"] for one in vectors["5 beacon"]]
    lines = [one for one in vectors["2 log"]["lines"] if "head" in one]
    signed = "lines => lines.map((one) => fairness.isSigned(one.head.house, fairness.encode(one.head), one.signature))"
    assert await page.evaluate(signed, lines) == [True] * len(lines)
    for one in lines:
        one["head"]["at"] += 1
    assert not any(await page.evaluate(signed, lines))


async def test_signatures_are_checked_strictly(page: Any) -> None:
    """A key of small order signs everything: the neutral point, and S beyond the order."""
    signed = "([key, signature]) => fairness.isSigned(key, fairness.fromHex('00'), signature)"
    neutral = "01" + "00" * 31
    assert not await page.evaluate(signed, [neutral, neutral + "00" * 32])
    assert not await page.evaluate(signed, ["ff" * 32, "00" * 64])
    assert not await page.evaluate(signed, ["", "00" * 64])
    good = json.loads(FILE.read_text("utf-8"))["2 log"]["lines"][-1]
    order = 2**252 + 27742317777372353535851937790883648493
    beyond = (int.from_bytes(bytes.fromhex(good["signature"][64:]), "little") + order).to_bytes(32, "little").hex()
    whole = "([head, signature]) => fairness.isSigned(head.house, fairness.encode(head), signature)"
    assert await page.evaluate(whole, [good["head"], good["signature"]])
    assert not await page.evaluate(whole, [good["head"], good["signature"][:64] + beyond])


async def test_which_card_went_where_follows_the_deck(page: Any) -> None:
    """The cards in the output of `replay`, one after the other, are the deck from its start."""
    for name in forgeries.NAMES:
        record = forgeries.record_of(name)
        if "void" in record or record["moves"][-1:] == ["void"]:
            continue
        events = play_record(record)["events"]
        went = """([text, events]) => records.games().then((games) => {
          const record = fairness.parse(text);
          return records.follow(records.verify(record, games).dealt.deck, record.start, events);
        })"""
        found = await page.evaluate(went, [json.dumps(record), events])
        told = [[*event.values()] for event in events if event["event"] in ("dealt", "exchanged")]
        assert found
        assert len(found) <= sum(len(one[2]) if one[0] == "dealt" else 1 for one in told), name
        assert [place for place, _, _ in found] == list(range(record["start"], record["start"] + len(found))), name
        dealt = next(event for event in reversed(events) if event["event"] == "dealt")
        dealt["cards"] = [next(card for card in (*FRENCH, JOKER) if card not in {card for _, card, _ in found})]
        assert await page.evaluate(went, [json.dumps(record), events]) is None, name


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
async def test_the_page_says_in_words_what_it_checked(visit: Any, house: OpenHouse, size: dict[str, int]) -> None:
    """The page is used by keyboard only."""
    anna = await visit(**size)
    await anna.page.goto(f"{house.url}/verify")
    await anna.page.evaluate(PAINTED)

    async def check(record: Any) -> str:
        text = record if isinstance(record, str) else json.dumps(record)
        await anna.page.locator("#record").fill(text)
        await anna.page.locator("#check").focus()
        await anna.page.evaluate("verdict.className = ''")
        await anna.page.keyboard.press("Enter")
        await anna.page.locator("#verdict.good, #verdict.bad, #verdict.plain").wait_for()
        return str(await anna.page.locator("#verdict").get_attribute("class"))

    assert await check(forgeries.record_of("t1 dealt")) == "good"
    rows = anna.page.locator("#checks li")
    assert [await row.get_attribute("data-check") for row in await rows.all()] == forgeries.CHECKS
    assert "not checked" in await anna.page.locator('[data-check="payments"]').inner_text()
    assert await anna.page.locator("#deck span").count() == 52
    await anna.shoot(f"verify-good-{size['width']}")
    assert await anna.width() == size["width"]
    assert await check(forgeries.without_log(forgeries.record_of("t1 dealt"))) == "plain"
    assert await check(forgeries.V1) == "plain", "no plain record is ever green"
    forged = forgeries.record_of("t2 dealt")
    forged["paid"]["returned"]["1"]["south"] += 500
    assert await check(forged) == "bad"
    await anna.shoot(f"verify-bad-{size['width']}")
    for nothing in ('{"seed": 5}', '{"seed": {"server": "00", "cuts": 5}}'):
        assert await check(nothing) == "bad"
    for nothing in ("", "[]", "{", "null", '{"v": 2, "v": 2}'):
        assert await check(nothing) == "bad"
        assert await anna.page.locator("#found").is_hidden()


async def test_a_record_is_checked_in_no_time(page: Any) -> None:
    took = await page.evaluate(
        """text => records.games().then((games) => {
          const began = performance.now();
          records.verify(fairness.parse(text), games);
          return performance.now() - began;
        })""",
        json.dumps(forgeries.record_of("shoe later")),
    )
    assert took < 2000, "some 30 ms on a quiet machine"


async def test_the_verifier_as_one_file_is_served_with_its_hash(page: Any, house: OpenHouse) -> None:
    data, digest = packed()
    answer = await page.request.get(f"{house.url}/ridotto-verify.pyz")
    assert (answer.status, await answer.body()) == (200, data)
    assert await page.locator("#verifier-hash").inner_text() == digest
    anna = await house.enter("Anna")
    assert (await anna.press("verify", "file"))["file"] == {"name": pack.FILE, "href": "/ridotto-verify.pyz"}


@pytest.mark.slow
async def test_a_player_fetches_the_record_of_their_hand_and_sees_where_its_cards_went(
    visit: Any, house: OpenHouse
) -> None:
    anna = await visit()
    await anna.enter("Anna")
    await anna.press("bet ante 10")
    await anna.page.locator(".wallet", has_text="990").wait_for()
    number = house.table().round.hand_id
    await house.wait(21)
    await anna.press("fold ")
    await anna.page.locator(".paid").wait_for()
    deck = house.table().last.deal.deck  # type: ignore[union-attr]
    await anna.turn_drawer("Hands")
    await anna.page.locator(f'.links a[href$="/hand/{number}"]').click()
    await anna.page.get_by_role("link", name="Verify this hand here").click()
    await anna.page.locator("#verdict.plain, #verdict.good").wait_for()
    cards = await anna.page.locator("#deck span").all()
    assert [await card.get_attribute("data-card") for card in cards] == list(deck)
    assert [await card.get_attribute("data-to") for card in cards[:10]] == ["1"] * 5 + ["dealer"] * 5
    assert await cards[10].get_attribute("data-to") is None
