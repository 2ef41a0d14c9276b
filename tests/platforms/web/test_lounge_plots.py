"""Statistics, plots, card faces and shared tables of the lounge: right figures, text beside every shape, nothing
hidden.
"""

import random
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bot.platforms.web.kept import VERSION, face_address
from bot.platforms.web.plots import MOST_LISTED, MOST_SHOWN, bars_of, curve_of, levels
from bot.platforms.web.sessions import TRIED
from bot.texts import LANGUAGES, say
from bot.view.build import screen
from bot.view.pictures import draw, face_svg
from bot.view.pictures.faces import COLOUR_OF
from bot.view.pictures.palette import NEUTRAL, colours
from engine.cards import FRENCH, HIDDEN, JOKER
from storage.questions.accounts import Reading, balance_history
from storage.questions.results import GameResults, results_by_game
from storage.sqlite import FILE, SqliteBooks, reading
from tests.bot.open_house import OPERATOR, TABLE, OpenHouse, Player, open_house
from tests.browser import lay
from tests.core.conftest import UTH
from tests.some import some
from tests.view.test_screens import with_other_hidden_cards

if TYPE_CHECKING:
    from playwright.async_api import Browser

WALLET = "player:1:7"
CSS = Path(__file__).parents[3] / "bot/platforms/web/static/ridotto.css"


async def play_a_hand(house: OpenHouse, player: Player) -> None:
    """Play a hand with ante 50 and the jackpot's coin, and fold."""
    assert not (await player.press("bet", "50", "jackpot"))["refused"]
    await house.wait(21)
    await player.press("fold")
    await house.wait(30)


def write_postings(folder: Path, rows: list[tuple[float, str, str, int]]) -> Path:
    books = SqliteBooks(folder)
    insert = "INSERT INTO postings (at, debit, credit, amount, why) VALUES (?, ?, ?, ?, 'winnings')"
    with books.db.atomic():
        books.db.conn.executemany(insert, rows)
    books.close()
    return folder / FILE


def test_few_movements_are_all_told(tmp_path: Path) -> None:
    rows = [(10.0, "mint:1", WALLET, 500), (20.0, WALLET, "bank:1", 200), (30.0, "bank:1", WALLET, 50)]
    with reading(write_postings(tmp_path, rows)) as books:
        assert balance_history(books, [WALLET], 160) == [(10.0, 500), (20.0, 300), (30.0, 350)]
        assert balance_history(books, ["player:1:8"], 160) == []


def test_what_moves_between_ones_own_accounts_leaves_no_trace(tmp_path: Path) -> None:
    rows = [(10.0, "mint:1", WALLET, 500), (20.0, WALLET, "player:1:9", 200), (30.0, "mint:1", "player:1:9", 1)]
    with reading(write_postings(tmp_path, rows)) as books:
        assert balance_history(books, [WALLET, "player:1:9"], 160) == [(10.0, 500), (20.0, 500), (30.0, 501)]


def test_one_movement_and_a_clock_that_went_back_are_told(tmp_path: Path) -> None:
    rows = [(30.0, "mint:1", WALLET, 500), (10.0, "mint:1", WALLET, 100), (20.0, WALLET, "bank:1", 50)]
    with reading(write_postings(tmp_path, rows)) as books:
        assert balance_history(books, [WALLET], 3)[-1].holds == 550
    with reading(write_postings(tmp_path / "one", rows[:1])) as books:
        assert balance_history(books, [WALLET], 3) == [(30.0, 500)]


def test_results_are_summed_by_game_for_one_person_in_one_casino(tmp_path: Path) -> None:
    books = SqliteBooks(tmp_path)
    books.db.execute("PRAGMA foreign_keys = OFF")
    rows = [(1, 7, 1, "uth", 100, 250), (2, 8, 1, "uth", 100, 0), (3, 7, 1, "stud", 50, 0), (4, 7, 2, "uth", 1, 0)]
    with books.db.atomic():
        books.db.conn.executemany("INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, 0.0)", rows)
    assert results_by_game(books, 1, [7, 8]) == [("stud", 1, 50, 0, -50), ("uth", 2, 200, 250, 150)]
    assert results_by_game(books, 1, [9]) == []
    books.close()


@pytest.mark.parametrize(
    ("least", "most", "expected"),
    [
        (0, 100, (100, 50, 0)),
        (95000, 100000, (100000, 98000, 96000, 94000)),
        (1000000, 1000000, (1000050, 1000000, 999950)),
        (-300, 900, (1000, 500, 0, -500)),
        (0, 0, (50, 0)),
    ],
)
def test_levels_are_round_and_enclose_what_was_held(least: int, most: int, expected: tuple[int, ...]) -> None:
    assert levels(least, most) == expected


def test_a_course_is_sound_svg_inside_its_box_and_named_by_its_sentence() -> None:
    plot = curve_of([Reading(0.0, 100000), Reading(3600.0, 95000), Reading(7200.0, 120000)])
    assert plot is not None
    svg = str(plot.svg("balance-said"))
    root = ET.fromstring(svg)
    assert (root.get("role"), root.get("aria-labelledby")) == ("img", "balance-said")
    assert all(0 <= int(number) <= 10_000 for path in root for number in re.findall(r"-?\d+", path.get("d") or ""))
    assert not re.search(r"style|script|href|\son|<text", svg)
    assert say(plot.said("en"), "en") == (
        "1 Jan 00:00 to 1 Jan 02:00 (UTC): start 1,000, end 1,200, low 950, high 1,200."
    )
    assert say(plot.said("it"), "it").endswith("inizio 1.000, fine 1.200, minimo 950, massimo 1.200.")


def test_long_times_are_told_by_the_day() -> None:
    plot = curve_of([Reading(0.0, 1), Reading(40 * 86400.0, 2)])
    assert plot is not None
    assert plot.times("it") == ("1 gen 1970", "10 feb 1970")


@pytest.mark.parametrize("n", [1, 2, 12, 13, MOST_SHOWN])
def test_the_table_beside_a_plot_lists_its_ends_and_few_others(n: int) -> None:
    readings = [Reading(float(at), at) for at in range(n)]
    plot = curve_of(readings)
    assert plot is not None
    assert len(plot.listed) == min(n, MOST_LISTED)
    assert (plot.listed[0], plot.listed[-1]) == (readings[0], readings[-1])
    ET.fromstring(str(plot.svg("x")))


def test_what_never_moved_is_no_plot() -> None:
    assert curve_of([]) is None
    assert bars_of([]) == []


def test_bars_have_one_scale_and_one_zero() -> None:
    games = [
        GameResults("uth", 3, 100, 400, 200),
        GameResults("stud", 2, 200, 100, 50),
        GameResults("paiju", 1, 5, 5, 0),
    ]
    bars = bars_of(games)
    assert [bar.net for bar in bars] == [300, -100, 0]
    boxes = [ET.fromstring(str(bar.svg))[0] for bar in bars]
    assert [(box.get("x"), box.get("width")) for box in boxes] == [("2500", "7500"), ("0", "2500"), ("2500", "0")]


async def test_statistics_tell_hands_and_wallet(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    empty = await anna.page("/statistics")
    assert "You have not finished a hand here yet." in empty
    await house.wait(1)
    await play_a_hand(house, anna)
    html = await anna.page("/statistics")
    (row,) = re.findall(r"<tr><th scope=\"row\">.*?</tr>", html)
    assert re.sub(r"\s*<[^>]*>\s*", "|", row).strip("|").split("|")[0] == "Caribbean Stud"
    assert "▼ -51" in row
    assert html.count("<svg") == 2
    assert "start 1,000, end 949" in html
    assert "As a table" in html


async def test_statistics_are_ones_own(house: OpenHouse) -> None:
    anna, bea = await house.enter("Anna"), await house.enter("Bea")
    await play_a_hand(house, anna)
    assert "You have not finished a hand here yet." in await bea.page("/statistics")
    answer = await bea.client.get(f"{anna.base}/statistics", allow_redirects=False)
    assert (answer.status, answer.headers["Location"]) == (303, "/")


async def test_the_meters_history_stands_on_its_panel_and_on_the_operators_page(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    assert '<a href="./jackpot">' in await anna.page("/")
    await play_a_hand(house, anna)
    panel = await anna.page("/jackpot")
    assert "start 10,000, end 10,000.90" in panel
    await anna.client.post(f"/operator/{OPERATOR}", data={"player": str(anna.id)})
    assert "start 10,000, end 10,000.90" in await anna.page("/operator")
    # The printed roll, with its hands and reasons, stays the inspectors'.
    assert "coin" not in re.sub("A coin costs", "", panel)


async def test_the_new_pages_are_safe_in_every_language(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    await play_a_hand(house, anna)
    for language in (*LANGUAGES, "it"):
        await anna.press("language", language)
        for path in ("/statistics", "/jackpot"):
            html = await anna.page(path)
            assert f'<html lang="{language}">' in html
            assert not re.search(r"\sstyle=|\son[a-z]+=|<style|<script(?! src=)", html)
    assert "Risultati per gioco" in await anna.page("/statistics")


@pytest.mark.parametrize("card", [*FRENCH, JOKER, HIDDEN])
async def test_a_card_in_the_lounge_is_the_pictures_face(card: str) -> None:
    assert face_svg(card)
    assert face_address(card) == f"/cards/{VERSION}/{'back' if card == HIDDEN else card}.svg"


async def test_faces_are_kept_by_the_browser_as_long_as_they_stay_the_same(house: OpenHouse) -> None:
    client = await house.browser()
    answer = await client.get(face_address("As"))
    assert (await answer.text(), answer.content_type) == (face_svg("As"), "image/svg+xml")
    assert "immutable" in answer.headers["Cache-Control"]
    assert await (await client.get(face_address(HIDDEN))).text() == face_svg(HIDDEN)
    assert (await client.get(f"/cards/{'0' * 12}/As.svg")).headers["Cache-Control"] == "no-cache"
    assert (await client.get(f"/cards/{VERSION}/Xx.svg")).status == 404


def test_the_verifiers_suits_have_the_pictures_colours() -> None:
    known = colours(NEUTRAL)
    suits = {"spades": "s", "hearts": "h", "diamonds": "d", "clubs": "c"}
    found = dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", CSS.read_text("utf-8")))
    for name, suit in suits.items():
        assert found[name] == "#{:02x}{:02x}{:02x}".format(*known[COLOUR_OF[suit]])
    assert found["joker"] == "#{:02x}{:02x}{:02x}".format(*known["bronze"])


async def test_a_shared_table_is_the_publics_picture_and_needs_no_cookie(house: OpenHouse) -> None:
    anna, stranger = await house.enter("Anna"), await house.browser()
    assert not (await anna.press("bet", "50"))["refused"]
    html = await anna.page(TABLE)
    image = re.findall(r'<meta property="og:image" content="([^"]*)">', html)
    assert image == [f"{house.url}{TABLE}.png?lang=en"]
    answer = await stranger.get(f"{TABLE}.png")
    assert (answer.status, answer.content_type) == (200, "image/png")
    shown = screen(house.writer.state, house.table(), None, house.writer.clock())
    assert await answer.read() == draw.picture(shown, "en")
    again = await stranger.get(f"{TABLE}.png", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status, await again.read()) == (304, b"")
    page = await (await stranger.get(TABLE)).text()
    assert f'src="{TABLE}.png?lang=en"' in page
    assert "Anna" in page
    assert set(stranger.session.cookie_jar.filter_cookies(house.server.make_url("/"))) <= {TRIED}


async def test_a_shared_picture_shows_a_hand_that_nobody_has_read_since_the_start(house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    await anna.press("bet", "50")
    await house.wait(21)
    before = await (await anna.client.get(f"{TABLE}.png")).read()
    house.forget_hands()
    assert await (await anna.client.get(f"{TABLE}.png")).read() == before


async def test_G8_a_shared_picture_is_byte_identical_whatever_the_hidden_cards_are(house: OpenHouse) -> None:
    anna, stranger = await house.enter("Anna"), await house.browser()
    await anna.press("bet", "50")
    await house.wait(21)
    table, rng = house.table(), random.Random(8)
    assert table.round.hand is not None
    looks = []
    for _ in range(4):
        answer = await anna.client.get(f"{TABLE}.png")
        looks.append((await answer.read(), answer.headers["ETag"]))
        page = await (await stranger.get(TABLE)).text()
        assert table.round.seed.hex() not in page
        other = with_other_hidden_cards(table.round.hand, None, rng)
        assert other is not None
        assert other.felt.cards != table.round.hand.felt.cards
        house.writer.state.tables[table.id] = table.change_round(hand=other)
        draw.kept.clear()
    assert len(set(looks)) == 1


@pytest.mark.parametrize(
    "path", ["/table/99.png", "/table/0.png", "/table/99999999999.png", "/table/99", "/table/x.png"]
)
async def test_a_table_that_is_not_there_has_no_picture(house: OpenHouse, path: str) -> None:
    assert (await (await house.browser()).get(path)).status == 404


async def test_behind_a_password_a_table_is_shown_to_whoever_was_given_its_address(tmp_path: Path) -> None:
    async with open_house(tmp_path, password="Bauta") as house:
        stranger, anna = await house.browser(), await house.browser()
        await anna.post("/door", data={"password": "Bauta"})
        base = (await anna.post("/sign-in", data={"name": "Anna"})).url.path
        html = await (await anna.get(f"{base}{TABLE[1:]}")).text()
        (image,) = re.findall(r'<meta property="og:image" content="http://[^/]*([^"]*)">', html)
        image = image.replace("&amp;", "&")
        answer = await stranger.get(image, allow_redirects=False)
        assert (answer.status, answer.content_type) == (200, "image/png")
        key = image.partition("key=")[2].partition("&")[0]
        assert (await stranger.get(f"{TABLE}?key={key}", allow_redirects=False)).status == 200
        for closed in (
            f"{TABLE}.png",
            f"/table/{UTH}.png?key={key}",
            f"{TABLE}.png?key=",
            f"{base}{TABLE[1:]}?key={key}",
        ):
            answer = await stranger.get(closed, allow_redirects=False)
            assert (answer.status, answer.headers["Location"]) == (303, "/door"), closed


@pytest.mark.slow
@pytest.mark.browser
async def test_statistics_fit_a_phone_and_no_page_complains(browser: "Browser", house: OpenHouse) -> None:
    size: Any = {"width": 380, "height": 760}
    context = await browser.new_context(viewport=size, locale="it-IT", reduced_motion="reduce")
    page, complaints = await context.new_page(), list[str]()
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda fault: complaints.append(str(fault)))
    await page.goto(house.url)
    await page.get_by_label("Scegli un nome").fill("Anna")
    await page.keyboard.press("Enter")
    await page.locator(".tables").wait_for()
    base = await page.locator("body").get_attribute("data-base")
    await page.goto(f"{house.url}{base}{TABLE}")
    await lay(page, "bet ante 50")
    await page.locator(".wallet", has_text="950").wait_for()
    await house.wait(21)
    card = page.locator(".mine .card").first
    await card.wait_for()
    assert await page.evaluate("() => document.getAnimations().length") == 0, "who wants no motion sees none"
    await page.locator('[data-key="fold "]').click()
    await page.locator(".paid").wait_for()
    for path in (f"{base}/statistics", f"{base}/jackpot", TABLE):
        await page.goto(f"{house.url}{path}")
        assert await page.evaluate("document.documentElement.scrollWidth") == 380, path
    await page.goto(f"{house.url}{base}/statistics")
    assert some(await page.locator(".plot-course").bounding_box())["width"] > 200
    await page.get_by_text("Come tabella").click()
    assert await page.evaluate("document.documentElement.scrollWidth") == 380
    await context.close()
    assert complaints == []
