"""The operator's console: an inspector who never typed a command opens each game with each option, and undoes it."""

import itertools
import re
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from markupsafe import escape

from bot.core.command_list import CHAT_COMMANDS
from bot.core.commands.amounts import LARGEST
from bot.core.commands.table_options import options_at, settings_at, value_at
from bot.core.state.plays import PLAYS
from bot.platforms.web.console import tables_view
from bot.platforms.web.lounge import Visitor
from bot.texts import say_value
from bot.texts.options import BasisPoints, Chips, Count, Flag, OneOf, Option, Pays
from bot.texts.times import DAY_S, write_time
from engine.errors import Illegal
from engine.games import GAMES
from tests.bot.open_house import OPERATOR, TABLE, OpenHouse, Player
from tests.core.conftest import BLACKJACK, CARIBBEAN, UTH
from tests.patience import PATIENCE_S
from tests.platforms.web.test_lounge_presses import ONE_CLOCK
from tests.tiers import sample_games

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

PAGES = ("", "/players", "/jackpot", "/casino", "/audit", TABLE, *(f"/open/{game}" for game in PLAYS))


async def inspector(house: OpenHouse, name: str = "Anna") -> Player:
    anna = await house.enter(name)
    await anna.client.post(f"/operator/{OPERATOR}", data={"player": str(anna.id)})
    return anna


async def test_it_is_for_inspectors_alone(house: OpenHouse) -> None:
    anna, bea = await inspector(house), await house.enter("Bea")
    for path in (*PAGES, f"/player/{anna.id}"):
        assert "Only inspectors can do that." in await bea.page(f"/operator{path}", status=403)
        await anna.page(f"/operator{path}")
    for path in ("/live", f"{TABLE}/live"):
        answer = await bea.client.get(f"{bea.base}/operator{path}", headers={"Origin": house.url})
        assert answer.status == 403
    for path in ("/table/99", "/player/99999", "/open/whist"):
        await anna.page(f"/operator{path}", status=404)


async def test_who_is_no_inspector_any_more_is_told_nothing_more(house: OpenHouse) -> None:
    anna, bea = await inspector(house), await house.enter("Bea")
    visitor = Visitor(house.lounge, "en", house.lounge.state.players[anna.id])
    assert f"/operator{TABLE}" in tables_view(visitor).parts["tables"]
    assert not (await anna.press("inspector add", '"Bea"', confirmed=True))["refused"]
    assert not (await bea.press("inspector remove", '"Anna"', "gone", confirmed=True))["refused"]
    assert tables_view(visitor).parts == {}
    assert "Only inspectors can do that." in await anna.page("/operator", status=403)


async def test_each_option_has_a_field_with_its_limits_and_its_sentence(house: OpenHouse) -> None:
    anna = await inspector(house)
    for game in PLAYS:
        html = await anna.page(f"/operator/open/{game}")
        known = {**settings_at(game), **options_at(game)}
        assert re.findall(r'data-word="(\w+)"', html) == list(known)
        for option in known.values():
            assert str(escape(str(option.means))) in html
    assert 'type="number" min="1" max="8"' in await anna.page("/operator/open/blackjack"), "decks"


async def test_every_command_of_an_inspector_has_a_form(house: OpenHouse) -> None:
    """Exceptions are commands that need a place outside the lounge, and those that have pages."""
    anna = await inspector(house)
    there = {"audit", "settings", "table list", "meter history", "setup", "table mirror", "house join", "house leave"}
    for path in (*PAGES, *(f"/table/{id}" for id in house.writer.state.tables), f"/player/{anna.id}"):
        there |= set(re.findall(r'data-verb="([a-z ]+)"', await anna.page(f"/operator{path}")))
    await anna.press("bet", "10")
    await house.wait(21)
    there |= set(await verbs_at(anna, CARIBBEAN))
    await anna.press("table pause", "a storm", table=UTH)
    there |= set(await verbs_at(anna, UTH))
    await anna.press("tournament create", "holdem", "2")
    there |= set(await verbs_at(anna, max(house.writer.state.tables)))
    assert {verb.name for verb in CHAT_COMMANDS.values() if verb.group == "inspectors"} <= there


async def verbs_at(me: Player, table: int) -> list[str]:
    """Return the commands on the operator's page of a table."""
    found: list[str] = re.findall(r'data-verb="([a-z ]+)"', await me.page(f"/operator/table/{table}"))
    return found


async def test_a_table_is_offered_what_changes_something_there(house: OpenHouse) -> None:
    """An open table is not resumed, and no tournament is cancelled where there is none."""
    anna = await inspector(house)
    opened = await verbs_at(anna, CARIBBEAN)
    assert "table pause" in opened
    assert not {"table resume", "table turner", "tournament cancel", "tournament postpone"} & {*opened}
    assert opened.count("table private") == 1
    page = await anna.client.ws_connect(f"{anna.base}/operator{TABLE}/live", origin=house.url)
    await anna.press("table pause", "a storm")
    while "table resume" not in (said := await page.receive_str(timeout=PATIENCE_S)):
        pass
    assert "table pause" not in said
    await page.close()


async def test_players_are_found_by_a_part_of_their_name(house: OpenHouse) -> None:
    anna = await inspector(house)
    for name in ("Bea", "Beatrice", "50%_o!"):
        await house.enter(name)
    found = re.findall(r"/operator/player/\d+\"><bdi>([^<]+)<", await anna.page("/operator/players?name=bea"))
    assert found == ["Bea", "Beatrice"]
    found = re.findall(r"/operator/player/\d+\"><bdi>([^<]+)<", await anna.page("/operator/players?name=%25_O!"))
    assert found == ["50%_o!"], "signs of a pattern mean themselves"
    assert "There is no such player here." in await anna.page("/operator/players?name=nobody")
    assert ">1,000<" in await anna.page("/operator/players?name=bea")


async def test_a_player_s_page_tells_what_they_hold_and_where(house: OpenHouse) -> None:
    anna, bea = await inspector(house), await house.enter("Bea")
    await bea.press("bet", "10")
    html = await anna.page(f"/operator/player/{bea.id}")
    assert ">990<" in html
    assert "bets 10" in html
    await anna.press("ban", '"Bea"', "counts cards", confirmed=True)
    assert "banned: counts cards" in await anna.page(f"/operator/player/{bea.id}")


async def test_the_audit_is_searched_paged_and_in_one_unit(house: OpenHouse) -> None:
    anna = await inspector(house)
    await house.enter("Bea")
    for _ in range(24):
        await anna.press("grant", '"Bea"', "10", "a prize", confirmed=True)
    await anna.press("table set", "minimum", "20", "a better night")
    html = await anna.page("/operator/audit")
    assert html.count('data-key="act-') == 20
    assert "1,230" in html
    assert "Bea" in html
    assert "player " not in re.sub(r"<nav.*?</nav>", "", html, flags=re.DOTALL).split('class="acts"')[1], (
        "names, no ids"
    )
    assert "1240" not in html
    assert "123000" not in html
    assert (await anna.page("/operator/audit?page=2")).count('data-key="act-') == 6
    assert (await anna.page("/operator/audit?kind=table")).count('data-key="act-') == 1
    assert (await anna.page("/operator/audit?words=BETTER")).count('data-key="act-') == 1
    assert (await anna.page("/operator/audit?who=bea&kind=grant")).count('data-key="act-') == 20
    assert (await anna.page("/operator/audit?who=nobody")).count('data-key="act-') == 0


async def test_the_audit_is_searched_by_table_and_by_day(house: OpenHouse) -> None:
    anna = await inspector(house)
    await anna.press("table pause", "a storm")
    await anna.press("table pause", "a storm", table=UTH)
    today = write_time(house.writer.clock())[:10]
    yesterday = write_time(house.writer.clock() - DAY_S)[:10]

    async def found(query: str) -> int:
        return (await anna.page(f"/operator/audit?{query}")).count('data-key="act-')

    assert await found(f"table={CARIBBEAN}") == 1
    assert await found("kind=table+pause") == 2
    assert await found(f"kind=table+pause&day={today}") == 2, "until its end"
    assert await found(f"day={yesterday}") == 0
    assert await found("table=99") == 0
    assert await found("table=first") == 0
    assert await found("day=soon") == 0
    assert "No entries match" in await anna.page("/operator/audit?day=soon")
    assert f"/operator/audit?table={CARIBBEAN}" in await anna.page(f"/operator{TABLE}")


async def test_the_audit_of_a_table_has_what_was_done_to_its_hands(house: OpenHouse) -> None:
    """The acts are a correction of a settled hand, and a void one."""
    anna, bea = await inspector(house), await house.enter("Bea")
    for act, rest in (("void", ()), ("adjust", ('"Bea"', "5"))):
        await bea.press("bet", "10")
        hand = house.table().round.hand_id
        await house.wait(21)
        if act == "adjust":
            await bea.press("fold")
        assert not (await anna.press(act, str(hand), *rest, "bad cards", table=UTH, confirmed=True))["refused"]
        html = await anna.page(f"/operator/audit?kind={act}&table={CARIBBEAN}")
        assert html.count('data-key="act-') == 1
        assert f"table {CARIBBEAN} hand {hand}" in html
        assert (await anna.page(f"/operator/audit?kind={act}&table={UTH}")).count('data-key="act-') == 0


@pytest.fixture
async def console(browser: "Browser", house: OpenHouse) -> AsyncIterator[Any]:
    """An inspector's page, and how to open pages of the console."""
    context = await browser.new_context(viewport={"width": 380, "height": 760}, locale="en-GB")
    page, complaints = await context.new_page(), list[str]()
    page.set_default_timeout(PATIENCE_S * 1000)
    page.on("pageerror", lambda fault: complaints.append(str(fault)))
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    await page.goto(f"{house.url}/operator/{OPERATOR}")
    await page.get_by_role("textbox").fill("Anna")
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/operator")
    base = page.url.removesuffix("/operator")

    async def go(path: str) -> "Page":
        await page.goto(f"{base}/operator{path}")
        await page.wait_for_load_state("domcontentloaded")
        return page

    yield go
    await context.close()
    assert complaints == []


async def change_all(page: "Page") -> dict[str, str]:
    """Change each field to another value that it allows; return {option: value}."""
    changed: dict[str, str] = {}
    for field in await page.locator("[data-word]").all():
        name = str(await field.get_attribute("data-word"))
        now = await field.input_value()
        if await field.evaluate("field => field.localName") == "select":
            values = [await one.get_attribute("value") for one in await field.locator("option").all()]
            changed[name] = next(str(value) for value in values if value != now)
            await field.select_option(changed[name])
            continue
        least, most = await field.get_attribute("min"), await field.get_attribute("max")
        if least:
            changed[name] = least if now != least else str(most)
        else:
            changed[name] = OTHERS.get(name, now)
        await field.fill(changed[name])
    return {name: value for name, value in changed.items() if value}


# Groups that the rules check together: amounts and shares have no limits of their own.
OTHERS = {
    "minimum": "20",
    "step": "20",
    "maximum": "400",
    "lower": "20",
    "upper": "40",
    "big_blind": "8",
    "small_blind": "2",
    "ante": "4",
    "unit": "2",
    "penetration": "60 %",
    "commission": "4 %",
    "blackjack_pays": "6:5",
}


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("game", sample_games("caribbean", "stud"))
async def test_an_inspector_who_never_typed_opens_a_game_with_each_option_and_undoes_it(
    console: Any, house: OpenHouse, game: str
) -> None:
    page: Page = await console(f"/open/{game}")
    assert await page.evaluate("document.documentElement.scrollWidth") == 380
    changed = await change_all(page)
    before = {*house.writer.state.tables}
    await page.get_by_role("button", name="Open the table").click()
    await page.get_by_text("is open:").wait_for()
    (new,) = {*house.writer.state.tables} - before
    table = house.table(new)
    assert set(vars(table.settings)) | set(table.options) >= set(changed)
    now = {**vars(table.settings), **table.options}
    usual = {**vars(type(table.settings)()), **vars(table.rules.parse_options({}))}
    assert {name for name in changed if now[name] == usual[name]} <= {"language"}

    # One option is set by its own form, and undone from its log entry.
    page = await console(f"/table/{new}")
    assert await page.evaluate("document.documentElement.scrollWidth") == 380
    await page.get_by_label("Reason").fill("a look")
    await page.locator("summary", has_text="Time to decide").click()
    field = page.locator("#set-pace-1")
    other = next(one for one in ("slow", "fast") if one != table.settings.pace)
    was = table.settings.pace
    await field.select_option(other)
    await page.locator('[data-key="set-pace"]').click()
    await page.get_by_text(f"Time to decide: {was} → {other}").wait_for()
    assert house.table(new).settings.pace == other
    page = await console("/audit")
    await page.get_by_role("button", name=re.compile(r"^Undo \d+: table set pace")).first.click()
    await page.get_by_text(f"Time to decide: {other} → {was}").first.wait_for()
    assert house.table(new).settings.pace == was
    await page.get_by_text("undone").wait_for()

    # And the table, which asks once more.
    await page.get_by_role("button", name=re.compile(r"^Undo \d+: table close")).first.click()
    await page.get_by_role("button", name="Yes, do it").click()
    await page.get_by_text("is closing").wait_for()
    assert house.table(new).status == "closed"


@pytest.mark.browser
async def test_a_player_is_picked_and_a_reason_serves_one_act_alone(console: Any, house: OpenHouse) -> None:
    for name in ("Bea", "Beatrice", "Carl"):
        await house.enter(name)
    page: Page = await console(f"/table/{BLACKJACK}")
    await page.get_by_label("Reason").fill("spoils the game")
    await page.locator("summary", has_text="Refuse boxes to a player").click()
    form = page.locator("details[open]")
    field = form.get_by_role("combobox", name="Player")
    await field.press_sequentially("beat")
    await page.locator('#people option[value="Beatrice"]:only-child').wait_for(state="attached")
    await field.fill("Beatrice")
    await form.get_by_role("button", name="Refuse boxes to a player").click()
    await page.locator(".said.shows", has_text="Beatrice").wait_for()
    await page.wait_for_function("document.getElementById('reason').value === ''")

    page = await console("/casino")
    await page.get_by_label("Reason").fill("it is over")
    await page.locator("summary", has_text="End the season").click()
    danger = page.locator("details.harms[open]").get_by_role("button")
    assert await danger.evaluate("button => getComputedStyle(button).color") == "rgb(255, 255, 255)"
    await page.wait_for_timeout(600)
    await danger.click()
    yes = page.locator('dialog button[value="yes"]')
    await yes.wait_for()
    assert await yes.inner_text() == "End the season"
    assert "harms" in str(await yes.get_attribute("class"))


@pytest.mark.browser
async def test_a_gift_goes_to_who_was_chosen_from_the_list(console: Any, house: OpenHouse) -> None:
    bea = await house.enter("Bea")
    await house.submit("house set", "give_after_hours", "0", "why")
    page: Page = await console("")
    await page.goto(page.url.replace("/operator", "/give"))
    field = page.get_by_label("Player")
    await field.press_sequentially("be")
    await page.locator('#people option[value="Bea"]').wait_for(state="attached")
    await field.fill("Bea")
    await page.get_by_label("Amount").fill("50")
    await page.wait_for_timeout(600)
    await page.get_by_role("button", name="Give chips").click()
    await page.locator(".said.shows", has_text="You gave 50 to Bea.").wait_for()
    assert bea.chips == 105_000
    await page.locator("[data-part=balance]", has_text="950").wait_for()


# Values to try as ends of an option's range, in order; the rules decide which they accept. Chips in minor units.
CHIPS = (*range(2000), *range(2000, 200_001, 50), LARGEST, LARGEST + 1)
_PAID = sorted(((paid, to) for paid in range(1, 100) for to in range(1, 100)), key=lambda one: one[0] / one[1])
PAYS = ("0:1", *(f"{paid}:{to}" for paid, to in _PAID), "100:1")


class Ends(NamedTuple):
    """Values of an option: the least and the greatest allowed, and one beyond each that can be typed."""

    taken: tuple[object, object]
    beyond: tuple[object, ...]


def ends_of(game: str, name: str, option: Option) -> Ends:
    match option.unit:
        case Flag():
            return Ends((False, True), ())
        case OneOf(values):
            return Ends((values[0], values[-1]), ())
        case Count(least, most):
            tried: Sequence[object] = range(least - 1, most + 2)
        case BasisPoints(least, most):
            tried = range(least - 1, most + 2)
        case Chips():
            tried = CHIPS
        case Pays():
            tried = PAYS
        case unit:
            raise AssertionError(unit)
    taken = [at for at, value in enumerate(tried) if is_taken(game, name, option, value)]
    least, most = taken[0], taken[-1]
    beyond = tuple(tried[at] for at in (least - 1, most + 1) if 0 <= at < len(tried))
    return Ends((tried[least], tried[most]), tuple(one for one in beyond if not isinstance(one, int) or one >= 0))


def is_taken(game: str, name: str, option: Option, value: object) -> bool:
    """Return whether an option accepts a value, by its unit and by the rules with defaults for the others."""
    if not option.unit.fits(value) or (isinstance(option.unit, Chips) and value == LARGEST + 1):
        return False
    if name in settings_at(game):
        return True
    try:
        GAMES[game].parse_options({name: value})
    except Illegal:
        return False
    return True


def typed_as(option: Option, value: object) -> str:
    if isinstance(option.unit, Flag):
        return "on" if value else "off"
    return say_value(option.unit.write(value), "en")


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("game", sample_games("caribbean"))
async def test_both_ends_of_each_option_are_opened_and_what_lies_beyond_is_refused_by_the_house(
    console: Any, house: OpenHouse, game: str
) -> None:
    """The page's clock is moved forward, because two presses within half a second count as one."""
    page: Page = await console("")
    await page.clock.install()
    await page.add_init_script(ONE_CLOCK)
    page = await console(f"/open/{game}")
    # The server's heartbeats and limits use real time: with a faster clock it would seem silent and be asked too often.
    await page.evaluate("window.askLag = () => {}")
    form, pressed = page.locator("form[data-act]"), itertools.count(1)
    await form.evaluate("form => { window.resets = 0; form.addEventListener('reset', () => (resets += 1)); }")

    async def open_with(values: dict[str, str]) -> str:
        for name, value in values.items():
            field = page.locator(f'[data-word="{name}"]')
            if await field.evaluate("field => field.localName") == "select":
                await field.select_option(value)
            else:
                await field.fill(value)
        await page.evaluate("document.getElementById('said').replaceChildren()")
        await page.evaluate("hear()")
        await page.clock.run_for(600)
        await page.get_by_role("button", name="Open the table").click()
        await page.locator("#said p").first.wait_for(state="attached")
        said = await page.locator("#said p").all_text_contents()  # it is still coming into sight
        if "refused" in await page.locator("#said").evaluate("said => [...said.classList]"):
            await form.evaluate("form => form.reset()")
        await page.wait_for_function("many => resets === many", arg=next(pressed))  # otherwise the page resets it
        return "\n".join(said)

    for name, option in {**settings_at(game), **options_at(game)}.items():
        ends = ends_of(game, name, option)
        needed = {option.needs: OTHERS[option.needs]} if option.needs else {}
        for value in ends.taken:
            before = {*house.writer.state.tables}
            said = await open_with({**needed, name: typed_as(option, value)})
            assert "is open:" in said, (name, value)
            (new,) = {*house.writer.state.tables} - before
            table = house.table(new)
            assert value_at(table, name) == value
        for value in ends.beyond:
            typed = {**needed, name: typed_as(option, value)}
            answer = await house.submit("table open", game, *itertools.chain(*typed.items()))
            assert answer.refused, (name, value)
            assert await open_with(typed) == "\n".join(map(str, answer.texts)), (name, value)


@pytest.mark.slow
@pytest.mark.browser
async def test_by_keyboard_alone_a_table_is_opened_with_an_option_and_that_is_undone(
    console: Any, house: OpenHouse
) -> None:
    page: Page = await console("/open/uth")

    async def go_to(selector: str) -> None:
        for _ in range(200):
            await page.keyboard.press("Tab")
            if await page.evaluate("(one) => document.activeElement.matches(one)", selector):
                return
        raise AssertionError(f"no way to {selector}")

    async def press() -> None:
        await page.wait_for_timeout(600)
        await page.keyboard.press("Enter")

    before = {*house.writer.state.tables}
    await go_to('[data-word="minimum"]')
    await page.keyboard.press("Control+a")
    await page.keyboard.type("20")
    await go_to('[data-verb="table open"]')
    await press()
    await page.get_by_text("is open:").wait_for()
    (new,) = {*house.writer.state.tables} - before
    assert house.table(new).options["minimum"] == 2000
    await go_to('a[href$="/operator/audit"]')
    await press()
    await page.wait_for_url("**/operator/audit")
    await go_to('[data-verb="table close"]')
    await press()
    await page.get_by_role("button", name="Yes, do it").wait_for()
    await go_to('dialog button[value="yes"]')
    await press()
    await page.get_by_text("is closing").wait_for()
    assert house.table(new).status == "closed"


@pytest.mark.browser
async def test_the_list_of_tables_follows_what_happens(console: Any, house: OpenHouse) -> None:
    page: Page = await console("")
    bea = await house.enter("Bea")
    await bea.press("bet", "10")
    await page.locator(f'[data-key="row-{CARIBBEAN}"] td:nth-child(4)', has_text="1").wait_for()


@pytest.mark.slow
@pytest.mark.browser
async def test_what_is_typed_or_chosen_stays_while_the_forms_are_drawn_anew(console: Any, house: OpenHouse) -> None:
    page: Page = await console(TABLE)

    async def fields(*names: str) -> list[list[str]]:
        """Return each field's value and its default."""
        usual = "one => one.defaultValue ?? [...one.options].find(({ defaultSelected: is }) => is).value"
        found = [page.locator(f"#set-{name}-1") for name in names]
        return [[await one.input_value(), await one.evaluate(usual)] for one in found]

    for name in ("minimum", "maximum", "pace"):
        await page.locator(f'[data-key="fold-set-{name}"] > summary').click()
    await page.locator("#set-maximum-1").fill("400")
    await page.locator("#set-pace-1").select_option("slow")
    await page.locator("#set-minimum-1").fill("20")
    await page.locator("#reason").fill("a better night")
    (_, (_, maximum), (_, pace)) = before = await fields("minimum", "maximum", "pace")
    assert before == [["20", "10"], ["400", maximum], ["slow", pace]]
    await page.wait_for_timeout(600)
    await page.locator('[data-key="set-minimum"]').click()
    await page.locator('#set-minimum-1[value="20"]').wait_for()
    assert await fields("minimum", "maximum", "pace") == [["20", "20"], ["400", maximum], ["slow", pace]]
    assert maximum != "400"
    assert pace != "slow"


@pytest.mark.slow
@pytest.mark.browser
async def test_what_is_missing_is_asked_for_in_its_place_and_a_refusal_is_the_house_s_own(
    console: Any, house: OpenHouse
) -> None:
    bea = await house.enter("Bea")
    page: Page = await console(f"/player/{bea.id}")
    grant = page.locator("form", has=page.locator('[data-verb="grant"]'))
    await page.locator("summary", has_text="Give chips").click()
    await grant.get_by_role("button").click()
    assert bea.chips == 100_000
    await grant.get_by_role("textbox").fill("50")
    await page.wait_for_timeout(600)
    await grant.get_by_role("button").click()
    assert await page.evaluate("document.activeElement.id") == "reason"
    await page.keyboard.type("a prize")
    await grant.get_by_role("textbox").fill("many")
    await page.wait_for_timeout(600)
    await grant.get_by_role("button").click()
    await page.get_by_text("Enter an amount like 50").wait_for()
    await grant.get_by_role("textbox").fill("50")
    await page.wait_for_timeout(600)
    await grant.get_by_role("button").click()
    await page.get_by_text("Give Bea 50 chips? 1,000 → 1,050.").wait_for()
    assert bea.chips == 100_000
    await page.locator('dialog button[value="yes"]', has_text="Give chips").click()
    await page.locator("[data-part=holds]", has_text="1,050").wait_for()
    assert bea.chips == 105_000
    assert await grant.get_by_role("textbox").input_value() == "", "the form is ready for another"


@pytest.mark.browser
async def test_without_scripts_the_page_says_so(browser: "Browser", house: OpenHouse) -> None:
    context = await browser.new_context(java_script_enabled=False)
    page = await context.new_page()
    await page.goto(f"{house.url}/operator/{OPERATOR}")
    await page.get_by_role("textbox").fill("Anna")
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/operator")
    assert "The buttons here need JavaScript" in await page.locator("body").inner_text()
    await context.close()


async def test_acts_about_the_second_of_a_name_are_found_by_the_name_that_is_shown(house: OpenHouse) -> None:
    anna = await inspector(house)
    first, second = await house.enter("Bea"), await house.enter("Bea")
    assert first.id != second.id
    assert not (await house.submit("grant", "Bea (2)", "5", "prize")).refused
    page = await anna.page(f"/operator/player/{second.id}")
    assert "<bdi>Bea (2)</bdi>" in page
    assert "prize" in await anna.page("/operator/audit?who=Bea+(2)")
    assert "prize" not in await anna.page("/operator/audit?who=Gina")
