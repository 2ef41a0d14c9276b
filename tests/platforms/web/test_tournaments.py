"""A sit & go in the lounge: a room of its own, the buttons of its page, and the end."""

from contextlib import AsyncExitStack
from pathlib import Path

from tests.bot.open_house import OpenHouse, Player, open_house
from tests.core.conftest import HOLDEM
from tests.platforms.web.test_bells import next_notice


async def play_on(house: OpenHouse, table: int, *players: Player) -> None:
    """Let everyone go all-in until the tournament is over."""
    known = {player.id: player for player in players}
    for _ in range(200):
        at = house.table(table)
        assert at.tournament is not None
        if at.tournament.has_ended:
            return
        if at.round.hand is None:
            await house.wait(8)
            continue
        ((seat, offers),) = at.round.hand.asks.items()
        words = [offer.word for offer in offers]
        raises = [word for word in ("raise", "bet") if word in words]
        verb, *args = [raises[0], "all"] if raises else ["call" if "call" in words else "check"]
        said = await known[at.owners()[seat]].press(verb, *args, table=table, confirmed=True)
        assert not said.get("refused"), said
    raise AssertionError("the tournament has no end")


async def test_the_lounge_plays_a_tournament_in_a_room_of_its_own(tmp_path: Path) -> None:
    async with open_house(tmp_path, began=1_000_000.0) as house:
        anna, bea = await house.enter("Anna"), await house.enter("Bea")
        said = await anna.press("tournament", table=HOLDEM)
        assert "Texas Hold'em for 2: buy-in 100" in str(said)
        said = await anna.press("tournament create", "holdem", "2")
        table = max(house.writer.state.tables)
        assert said["choices"] == [{"label": "To the table", "go": f"{anna.base}/table/{table}"}]
        lobby = await bea.page("/")
        assert "Tournament · buy-in 100" in lobby
        assert "Registration is open" in lobby
        page = await bea.page(f"/table/{table}")
        assert "Registration is open: 1 of 2 players." in page
        assert "Register: 100" in page
        await bea.press("tournament join", table=table)
        assert (anna.chips, bea.chips) == (900_00, 900_00)
        await play_on(house, table, anna, bea)
        page = await bea.page(f"/table/{table}")
        assert "The tournament is over. Winner:" in page
        assert {anna.chips, bea.chips} == {900_00, 1100_00}
        await bea.press("tournament create", "holdem", "2", "100", table=table)
        assert max(house.writer.state.tables) > table


async def test_the_lounge_hides_bets_against_the_bank_until_betting_closes(tmp_path: Path) -> None:
    async with open_house(tmp_path, began=1_000_000.0) as house:
        anna, bea = await house.enter("Anna"), await house.enter("Bea")
        await anna.press("tournament create", "puntobanco", "2", table=HOLDEM)
        table = max(house.writer.state.tables)
        await bea.press("tournament join", table=table)
        said = await anna.press("bet", "banco", "370", table=table)
        assert "Your bet: banco 370. 9,630 tournament chips left." in str(said)
        assert "370" in await anna.page(f"/table/{table}")
        assert "370" not in await bea.page(f"/table/{table}")
        for player in (anna, bea):
            await player.press("bet", "punto", "100", table=table)
            await player.press("ready", table=table)
        await house.wait(6)
        assert "Hand 2 of 20" in await bea.page(f"/table/{table}")


async def test_each_table_of_a_tournament_has_a_page_that_its_standings_link_to(tmp_path: Path) -> None:
    async with open_house(tmp_path, began=1_000_000.0) as house:
        players = [await house.enter(f"Player {number}") for number in range(1, 8)]
        await players[0].press("tournament create", "uth", "7", table=HOLDEM)
        first = max(house.writer.state.tables)
        async with AsyncExitStack() as pages_open:
            sockets = {player.id: await pages_open.enter_async_context(await player.watch()) for player in players}
            for player in players[1:]:
                await player.press("tournament join", table=first)
            second = max(house.writer.state.tables)
            there = next(player for player in players if player.id in house.table(second).seats.values())
            told = await next_notice(sockets[there.id])
            assert told["notice"].endswith(f": you play at table {house.table(second).number} now.")
            assert told["choices"] == [{"label": "To the table", "go": f"{there.base}/table/{second}"}]
        said = await there.press("tournament status", table=first)
        pages = [one["go"] for one in said["choices"] if "go" in one]
        assert pages == [f"{there.base}/table/{id}" for id in (second, first)]
        assert "You play at table" in str(said["texts"][0])
        page = await there.page(f"/table/{first}")
        assert "My table" in page
        assert f"You play at table {house.table(second).number} now." in page
        assert "Tournament · hand 1 of 20" in await there.page(f"/table/{second}")
        said = await there.press("bet", "ante", "100", table=second)
        assert "Your bet: ante 100" in str(said)
