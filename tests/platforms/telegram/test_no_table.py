"""Answers in places without a table: a forum's General topic, a private chat."""

from tests.platforms.telegram.house import House, asks, people, place_bets, set_up


async def test_in_the_private_chat_a_bet_leads_to_the_groups_tables_or_to_one_of_their_own(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    await bea.starts()
    await house.wait(5)
    told = await asks(house, bea, bea.private, "/bet 10")
    assert "open a table here" in told.text, "she was in no group yet"
    group = house.server.supergroup("Salotto", members=[bea], admins=[anna])
    await set_up(house, group, anna)
    await place_bets(house, group, [bea], "caribbean")
    await house.wait(5)
    told = await asks(house, bea, bea.private, "/bet 10")
    assert "You play at 1: Caribbean Stud." in told.text
    assert (
        next(one.url for one in told.buttons if one.url)
        == f"https://t.me/c/{str(group.id)[4:]}/{house.post_at(group).id}"
    )
    await bea.presses(told, "Paiju")
    await house.wait(5)
    assert house.table_at(bea.private).game == "paiju"
