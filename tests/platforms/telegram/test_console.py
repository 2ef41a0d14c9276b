"""The console in a group's app: only for present administrators of the group, and only for their own community."""

import itertools
import re
from typing import Any

import pytest

from bot.platforms.web.frames import VOUCHED_S
from tests.patience import PATIENCE_S
from tests.platforms.telegram.house import people
from tests.platforms.telegram.test_frames import Apps, apps, group_with_table

__all__ = ["apps"]
pytestmark = pytest.mark.outside
PAGES = ("", "/players", "/casino", "/audit", "/open/uth")
TELLING = "Telegram tells no more who administers"


async def look(apps: Apps, page: dict[str, Any], path: str) -> tuple[int, str]:
    """Return a page behind the player's own address."""
    own = "/".join(page["go"].split("/")[:3])
    async with apps.client.get(f"{own}{path}", headers={"Authorization": f"Bearer {page['token']}"}) as answer:
        return answer.status, await answer.text()


async def act(apps: Apps, page: dict[str, Any], verb: str, *args: str, at: str = "") -> dict[str, Any]:
    """Submit a form at a table, or in the casino."""
    press = {"key": f"press-{next(apps.numbers):06}", "verb": verb, "args": list(args), "confirmed": True}
    own = "/".join(page["go"].split("/")[:3])
    headers = {"Authorization": f"Bearer {page['token']}"}
    async with apps.client.post(f"{own}{at}/press", json=press, headers=headers) as answer:
        return dict(await answer.json())


async def test_who_administers_the_group_runs_it_and_takes_back_what_they_did(apps: Apps) -> None:
    (bea,) = people(apps.house, "Bea")
    group, anna, table = await group_with_table(apps, bea)
    await bea.says(group, "/balance")
    await apps.house.wait(5)
    page = await apps.opens(anna, table)
    assert "/operator" in (await look(apps, page, f"/table/{table}"))[1]
    for path in (*PAGES, f"/table/{table}"):
        assert (await look(apps, page, f"/operator{path}"))[0] == 200, path
    at = f"/table/{table}"
    assert not (await act(apps, page, "table set", "minimum", "20", "a better night", at=at))["refused"]
    assert not (await act(apps, page, "table pause", "a check", at=at))["refused"]
    assert apps.house.table_at(group).status == "paused"
    assert not (await act(apps, page, "ban", "Bea", "counts cards"))["refused"]
    assert not (await act(apps, page, "grant", "Anna", "50", "a prize"))["refused"]
    _status, players = await look(apps, page, "/operator/players?name=bea")
    assert "counts cards" in players
    _status, audit = await look(apps, page, "/operator/audit")
    done = re.findall(r"<bdi>Anna</bdi>: <b>([A-Za-z ]+)</b>", audit)
    assert done[:4] == ["Chips given", "Player banned", "Table paused", "Setting changed"]
    assert len(re.findall(r'data-verb="unban"', audit)) == 1
    assert f'/table/{table}/press"' in audit, "what was done at a table is taken back there"
    assert not (await act(apps, page, "unban", "Bea", "a mistake"))["refused"]
    assert not (await act(apps, page, "table resume", "all is well", at=at))["refused"]
    assert apps.house.table_at(group).status == "open"


async def test_nobody_else_of_the_group_does(apps: Apps) -> None:
    (bea,) = people(apps.house, "Bea")
    group, _anna, table = await group_with_table(apps, bea)
    page = await apps.opens(bea, table)
    assert "/operator" not in (await look(apps, page, f"/table/{table}"))[1]
    for path in (*PAGES, "/live", f"/table/{table}", f"/table/{table}/live"):
        status, said = await look(apps, page, f"/operator{path}")
        assert status == 403
        assert "Only inspectors can do that" in said
    for verb, at in (("table pause", f"/table/{table}"), ("table pause", ""), ("grant", "")):
        answer = await act(apps, page, verb, "Bea", "50", "me", at=at)
        assert answer["refused"]
        assert answer["texts"] == ["Only inspectors can do that."]
    assert apps.house.table_at(group).status == "open"


async def test_who_administers_no_more_does_nothing_more_and_one_new_does(apps: Apps) -> None:
    (bea,) = people(apps.house, "Bea")
    group, anna, table = await group_with_table(apps, bea)
    annas, beas = await apps.opens(anna, table), await apps.opens(bea, table)
    assert (await look(apps, annas, "/operator"))[0] == 200
    group.set_member(anna, "member")
    group.set_member(bea, "administrator")
    assert (await act(apps, annas, "table pause", "mine", at=f"/table/{table}"))["refused"]
    assert (await look(apps, annas, "/operator/audit"))[0] == 403
    assert "/operator" not in (await look(apps, annas, f"/table/{table}"))[1]
    assert not (await act(apps, beas, "table pause", "a check", at=f"/table/{table}"))["refused"]


@pytest.mark.slow
async def test_a_list_that_was_left_open_tells_who_administers_no_more_nothing_new(apps: Apps) -> None:
    (bea,) = people(apps.house, "Bea")
    group, anna, table = await group_with_table(apps, bea)
    page, beas = await apps.opens(anna, table), await apps.opens(bea, table)
    own, token = "/".join(page["go"].split("/")[:3]), page["token"]
    async with apps.client.ws_connect(f"{own}/operator/live", protocols=("ridotto", token)) as line:

        async def hear() -> str:
            """Return everything shown before two heartbeats."""
            shown, beats = "", 0
            while beats < 2:
                said = await line.receive_json(timeout=PATIENCE_S)
                shown += str(said.get("parts", ""))
                beats += "parts" not in said
            return shown

        assert "Caribbean" in await hear()
        assert not (await apps.press(beas, "bet", "10"))["refused"]
        assert "Caribbean" in await hear()
        group.set_member(anna, "member")
        await apps.house.wait(VOUCHED_S + 1)
        presses = itertools.cycle((("bet", "10"), ("takeback",)))
        while not (await apps.press(beas, *next(presses)))["refused"] and "Caribbean" in await hear():
            pass
        assert not (await apps.press(beas, *next(presses)))["refused"]
        assert await hear() == ""


async def test_while_telegram_cannot_be_asked_nobody_administers(apps: Apps) -> None:
    _group, anna, table = await group_with_table(apps)
    page = await apps.opens(anna, table)
    apps.house.server.fail("getChatMember", 400, TELLING, times=2)
    assert (await look(apps, page, "/operator"))[0] == 403
    assert (await act(apps, page, "table pause", "a check", at=f"/table/{table}"))["refused"]
    assert (await look(apps, page, "/operator"))[0] == 200


async def test_of_another_group_nothing_is_told_and_nothing_done_there(apps: Apps) -> None:
    house = apps.house
    dora, zoe = people(house, "Dora", "Zoe")
    _group, anna, table = await group_with_table(apps, dora)
    other = house.server.supergroup("Altrove", members=[zoe], admins=[dora])
    await dora.says(other, "/table open uth")
    await house.wait(5)
    theirs = house.table_at(other)
    await zoe.says(other, "/bet 10")
    await dora.says(other, "/grant Zoe 77 a secret prize")
    await house.wait(5)
    zoes = house.writer.state.identity("telegram", str(zoe.id))
    page = await apps.opens(anna, table)
    for path in (f"/table/{theirs.id}", f"/table/{theirs.id}/live", f"/player/{zoes}"):
        assert (await look(apps, page, f"/operator{path}"))[0] == 404
    for path in (*PAGES, "/players?name=zoe", "/audit?who=zoe", "/audit?words=secret"):
        status, told = await look(apps, page, f"/operator{path}")
        assert status == 200
        shown = re.sub(r'value="[^"]*"', "", told)  # the field holds the requested value
        assert not [word for word in ("Zoe", "Altrove", "secret", f"/table/{theirs.id}") if word in shown], path
    _status, told = await look(apps, page, "/operator")
    assert "Theory against practice" not in told
    assert "Total, always zero" not in told, "the sums of the whole house are its own affair"
    for at in (f"/table/{theirs.id}", f"/table/{theirs.id}0"):
        assert (await act(apps, page, "table pause", "mine", at=at))["refused"]
    assert (await act(apps, page, "grant", "Zoe", "5", "a prize"))["refused"]
    assert house.table_at(other).status == "open"


async def test_an_administrator_of_one_topic_runs_the_tables_of_all(apps: Apps) -> None:
    house = apps.house
    (anna,) = people(house, "Anna")
    forum = house.server.forum("Salotto", admins=[anna], bot="administrator")
    await anna.says(forum, "/setup")
    await house.wait(240)
    first, second = sorted(house.table_at(topic).id for topic in forum.topics.values())[:2]
    page = await apps.opens(anna, first)
    _status, told = await look(apps, page, "/operator")
    assert {f"/operator/table/{id}" in told for id in (first, second)} == {True}
    assert not (await act(apps, page, "table pause", "a check", at=f"/table/{second}"))["refused"]
    statuses = {id: house.writer.state.tables[id].status for id in (first, second)}
    assert statuses == {first: "open", second: "paused"}
    assert (await act(apps, page, "bet", "10", at=f"/table/{second}"))["refused"], (
        "the app was opened for the other table"
    )


async def test_who_has_joined_another_s_casino_runs_their_own_tables_alone(apps: Apps) -> None:
    """An administrator, or an inspector appointed while the community had its own casino, runs only that community's
    tables.
    """
    house = apps.house
    dora, zoe = people(house, "Dora", "Zoe")
    group, anna, table = await group_with_table(apps)
    said = await act(apps, await apps.opens(anna, table), "house code")
    (code,) = re.findall(r"code is ([\w-]+)", said["texts"][0])
    other = house.server.supergroup("Altrove", members=[zoe], admins=[dora])
    for who, says in ((dora, "/table open uth"), (zoe, "/balance")):
        await who.says(other, says)
        await house.wait(5)
    page = await apps.opens(dora, house.table_at(other).id)
    assert not (await act(apps, page, "inspector add", "Zoe", "she knows how"))["refused"]
    for verb, word in (("table close", "we join"), ("house join", code)):
        assert not (await act(apps, page, verb, word))["refused"]
    await dora.says(other, "/table open paiju")
    await house.wait(5)
    theirs = house.table_at(other)
    assert theirs.casino == house.table_at(group).casino
    annas = house.writer.state.identity("telegram", str(anna.id))
    for who in (dora, zoe):
        page = await apps.opens(who, theirs.id)
        assert "/operator" in (await look(apps, page, f"/table/{theirs.id}"))[1]
        status, told = await look(apps, page, "/operator")
        assert status == 200
        assert [f"/operator/table/{id}" in told for id in (theirs.id, table)] == [True, False]
        for path in ("/players", "/casino", "/audit", f"/player/{annas}"):
            status, told = await look(apps, page, f"/operator{path}")
            assert status == 403
            assert "founded this casino" in told
        for verb in ("table pause", "table resume"):
            assert not (await act(apps, page, verb, "a check", at=f"/table/{theirs.id}"))["refused"]
        assert (await act(apps, page, "table pause", "a check", at=f"/table/{table}"))["refused"]
    assert house.table_at(group).status == "open"
