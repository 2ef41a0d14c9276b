"""Start of the bot: its commands, permanent refusals by Discord, and shards connecting one after the other."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from tests.discord_description import answer_complaints
from tests.platforms.discord.house import opened, platform_open

PUT, LIST = "PUT /applications/{application_id}/commands", "GET /applications/{application_id}/commands"


@asynccontextmanager
async def starting(house):
    """Configure Discord while the casino is closed, then open it."""
    await house.close()
    await asyncio.to_thread(house.open_books)
    async with platform_open(house) as platform:
        yield platform
    house.running = asyncio.ensure_future(asyncio.sleep(0))


@pytest.fixture
async def house(tmp_path, monkeypatch):
    async with opened(tmp_path / "data", monkeypatch) as house:
        yield house


@pytest.mark.slow
async def test_an_application_with_activities_comes_up_and_keeps_its_entry_point(house):
    server = house.server
    made, before = server.enable_activities(), {command["id"] for command in server.commands}
    assert made["id"] in before
    await house.restart()
    assert {command["id"] for command in server.commands} == before
    kept = next(command for command in server.commands if command["type"] == 4)
    assert {name: kept[name] for name in made if name != "version"} == {
        name: value for name, value in made.items() if name != "version"
    }
    member = server.guild("Venezia").member("Anna")
    assert "daily" in (await member.slash(member.guild.text_channel("lobby"), "help")).text
    assert answer_complaints("GET", server.calls_of(LIST)[-1].path, 200, server.calls_of(LIST)[-1].answer) == []
    server.assert_clean()


async def test_commands_say_where_they_may_be_used_and_who_installs_them(house):
    sent = house.server.calls_of(PUT)[-1].json
    assert all(command["integration_types"] in ([0], [0, 1]) for command in sent)
    assert all((2 in command["contexts"]) == (1 in command["integration_types"]) for command in sent)
    assert not any("dm_permission" in command for command in sent)


async def test_whoever_shows_tables_is_told_once_after_a_start_that_was_begun_anew(house):
    subscribers = [*house.client.context.subscribers]
    await house.client.setup_hook()
    assert house.client.context.subscribers == subscribers


@pytest.mark.slow
@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, {"message": "You cannot remove this app's Entry Point command", "code": 50240}),
        (403, {"message": "Missing Access", "code": 50001}),
        (
            400,
            {
                "message": "Invalid Form Body",
                "code": 50035,
                "errors": {"0": {"name": {"_errors": [{"code": "X", "message": "Too long"}]}}},
            },
        ),
    ],
)
async def test_a_refusal_for_good_is_said_once_with_its_words(house, caplog, status, body):
    server = house.server
    server.fail(PUT, status, times=None, body=body)
    since = len(server.calls)
    async with starting(house) as platform:
        await house.until(lambda: any(record.levelname == "ERROR" for record in caplog.records))
        said = [record.getMessage() for record in caplog.records if record.name == "ridotto.discord"]
        assert len(said) == 1
        assert said[0].startswith("Discord does not let the bot start. Fix what it reports in the developer portal")
        assert body["message"] in said[0]
        assert str(body["code"]) in said[0]
        assert server.token not in said[0]
        assert not platform.is_connected()
        await server.quiet()
        assert sum(call.route == PUT for call in server.calls[since:]) == 1
        # The rest of the process goes on.
        assert not (await house.lounge("beppe bet 50")).refused


@pytest.mark.slow
@pytest.mark.parametrize(
    ("status", "body"), [(403, "<html>Attention required</html>"), (408, None), (429, "<html>1015</html>"), (503, None)]
)
async def test_what_passes_by_itself_is_tried_again(house, caplog, status, body):
    house.server.fail(LIST, status, times=1, body=body)
    async with starting(house):
        await house.until(lambda: "Discord cannot be reached" in caplog.text)
    assert f"HTTP {status}" in caplog.text
    assert "Attention" not in caplog.text
    assert "refuses" not in caplog.text
