"""What is said where there is no table: in the General topic of a forum, in the private chat."""

from tests.platforms.telegram.house import House, asks, people, place_bets, set_up


async def test_in_a_topic_without_a_table_a_bet_leads_to_those_of_the_group(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.forum("Salotto", members=[bea], admins=[anna], bot="administrator")
    await anna.says(group, "/setup")
    await house.wait(120)
    told = await asks(house, bea, group, "/bet 10")
    ways = [(one.text, one.url) for one in told.buttons if one.url]
    assert len(ways) > 1
    assert all(str(url).startswith("https://t.me/c/") for _label, url in ways)
    caribbean = next(topic for topic in group.topics.values() if "Caribbean" in topic.name)
    await place_bets(house, caribbean, [bea], "caribbean")
    await house.wait(30)
    told = await asks(house, bea, group, "/bet 10")
    ((label, url),) = [(one.text, one.url) for one in told.buttons if one.url]
    assert "Caribbean Stud" in label
    assert str(url).endswith(f"/{caribbean.id}/{house.post_at(caribbean).id}")
    assert "You play at" in told.text


async def test_in_the_private_chat_a_bet_leads_to_the_groups_tables_or_to_one_of_his_own(house: House) -> None:
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
