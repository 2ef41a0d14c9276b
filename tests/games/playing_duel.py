"""The game of docs/develop/add-a-game.md, played where it is installed: test_added_game.py runs this in such a process.

The store of the test of commands stays in the folder that `RIDOTTO_TEST_BOOKS` names, with an open hand.
"""

import json
import os
import re
from contextlib import closing
from pathlib import Path

from bot.games import PLUGINS
from bot.platforms.common.press import load_press
from bot.texts import say
from bot.view.build import screen
from bot.view.pictures import picture
from tests.bot.open_house import open_house as open_lounge
from tests.core.conftest import House, table_of
from tests.platforms.telegram.house import button, people
from tests.platforms.telegram.house import open_house as open_telegram

BOOKS = Path(os.environ["RIDOTTO_TEST_BOOKS"])


def test_it_is_one_of_the_games_and_behind_ours() -> None:
    assert list(PLUGINS)[-1] == "duel"


def test_a_hand_is_played_at_the_floor_and_another_is_left_open() -> None:
    with closing(House(BOOKS / "house")) as house:
        duel, other = table_of("duel"), table_of("caribbean")
        play_a_hand(house, duel)
        house.do("bea balance", table=duel)
        before = {name: house.chips(name) for name in ("anna", "bea")}
        house.deal("anna bet 20", "bea bet ante 20 suit 5", table=duel)
        assert not house.do("anna raise", table=duel).refused
        house.deal("carla bet 10", table=other)
        assert house.table(duel).phase == house.table(other).phase == "playing"
        assert house.faults() == []
    (BOOKS / "chips.json").write_text(json.dumps(before))


def play_a_hand(house: House, id: int) -> None:
    """Play from the options to the payment, and check the answers."""
    assert house.says("insp table set qualifies 8", table=id) == "Dealer qualifies must be a number from 3 to 7."
    assert not house.do("insp table set qualifies 5 tonight", table=id).refused
    assert "The bank qualifies with a 5 or higher (DU5)." in house.says("anna paytable", table=id)
    assert "● Dealer qualifies: 5 (default 4)" in house.says("anna rules table", table=id)
    assert "Dealer qualifies: 4 → 5" in house.says("anna rules changes", table=id)
    assert "suit alone" in house.says("anna bet suit 5", table=id)
    house.do("dora bet all", table=id)
    assert house.chips("dora") == 50000, "half of them is for the raise"
    house.do("dora takeback", table=id)
    house.deal("anna bet ante 50 suit 5", table=id)
    own = screen(house.writer.state, house.table(id), house.player("anna"), house.clock.now)
    assert [(button.verb, button.cost) for button in own.moves] == [("fold", 0), ("raise", 5000)]
    assert not house.do("anna raise", table=id).refused
    paid = screen(house.writer.state, house.table(id), None, house.clock.now)
    lines = [line for seat in paid.seats for line in seat.lines]
    assert [say(line, "en") for line in lines][:2] == [
        "ante pays 1 to 1 +50",
        "raise 50 returned",
    ]
    assert say(lines[1], "it") == "rilancio: restituzione 50"
    assert picture(paid, "it").startswith(b"\x89PNG")


async def test_it_is_opened_with_options_and_played_in_a_telegram_group(tmp_path: Path) -> None:
    async with open_telegram(tmp_path) as house:
        boss, anna = people(house, "Boss", "Anna")
        group = house.server.supergroup("Salotto", members=[anna], admins=[boss])
        await boss.says(group, "/table open duel minimum 10 qualifies 5 for tonight")
        await house.wait(60)
        table = house.table_at(group)
        assert (table.game, dict(table.options)) == ("duel", {"minimum": 1000, "qualifies": 5})
        post = house.post_at(group)
        assert await anna.presses(post, button(post, "ante 10"))
        await house.wait(25)
        post = house.post_at(group)
        assert "Anna" in post.text
        raised = next(b for b in post.buttons if (press := load_press(b.data or "")) and press.verb == "raise")
        await anna.presses(post, str(raised.data))
        await house.wait(6)
        assert house.table_at(group).round.hand is None
        assert re.search(r"Anna (wins|loses|breaks) [^:]*: .*ante ", house.post_at(group).text)


async def test_it_is_played_in_italian_in_the_lounge(tmp_path: Path) -> None:
    async with open_lounge(tmp_path) as house:
        anna = await house.enter("Anna", **{"Accept-Language": "it"})
        id = next(table.id for table in house.lounge.tables() if table.game == "duel")
        assert 'data-game="duel"' in await anna.page(f"/table/{id}")
        await anna.press("bet", "50", table=id)
        await house.wait(25)
        await anna.press("raise", table=id)
        assert house.table(id).round.hand is None
        number = house.table(id).last_hand
        page = await anna.page(f"/table/{id}")
        assert "rilancio" in page
        assert re.search(r"[Bb]anco", page)
        for path in ("/", f"/hand/{number}", "/verify", "/history", "/statistics"):
            await anna.page(path)
        assert "una carta a testa" in str(await anna.type("/rules duel", table=id))


def test_its_sentences_are_italian() -> None:
    assert say(PLUGINS["duel"].texts.summary, "it").startswith("Una carta")
