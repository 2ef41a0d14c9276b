"""The settings of a group in the private chat: all that an inspector may do, as buttons in one message."""

from tests.platforms.telegram.house import House, asks, people
from tests.platforms.telegram.test_setup import panel_of
from tests.servers.telegram import Chat, Message, User

MORE = "Tables, jackpot, people, audit log »"


async def opened(house: House, *players: User, admin: User) -> Chat:
    """Return a group with a table, in which these people have spoken."""
    group = house.server.supergroup("Salotto", members=list(players), admins=[admin])
    await admin.says(group, "/setup")
    await house.wait(20)
    for one in (*players, admin):
        await one.says(group, "/balance")
    await house.wait(20)
    return group


async def turn(house: House, who: User, panel: Message, *labels: str) -> Message:
    """Press these buttons in order; the message stays the same."""
    for label in labels:
        button = next(one.text for one in panel.buttons if one.text.startswith(label))
        alert = await who.presses(panel, button)
        assert alert is None, (label, alert)
        await house.wait(3)
    assert panel is who.private.last_message or not panel.deleted
    return panel


async def types(house: House, who: User, text: str) -> None:
    await who.says(who.private, text)
    await house.wait(3)


async def test_an_inspector_does_everything_by_buttons_in_one_message(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = await opened(house, bea, admin=anna)
    panel = await panel_of(house, anna, group)
    sent = len(anna.private.messages)

    await turn(house, anna, panel, MORE)
    assert "Settings of Salotto" in panel.text
    await turn(house, anna, panel, "Tables", "1: Caribbean Stud", "Limits and options", "Minimum: 10", "20")
    assert panel.text.startswith("Reason, recorded in the audit log")
    await types(house, anna, "a busy evening")
    assert panel.text.startswith("Minimum: 10 → 20.")
    assert house.table_at(group).options == {"minimum": 2000}

    await turn(house, anna, panel, "« Table 1", "« Tables", "« Settings")
    await turn(house, anna, panel, MORE, "Jackpot", "Set the jackpot")
    await types(house, anna, "12,345 a present")
    assert panel.text == "Raise the jackpot meter from 10,000 to 12,345? 2,345 comes from the bank."
    await turn(house, anna, panel, "Yes")
    assert panel.text.startswith("The jackpot is now at 12,345.")
    assert "Yes" not in [one.text for one in panel.buttons]
    await turn(house, anna, panel, "Reset the jackpot")
    await types(house, anna, "counted")
    await turn(house, anna, panel, "No")
    assert panel.text.startswith("Nothing was changed.")
    assert "12,345" in panel.text
    await turn(house, anna, panel, "Reset the jackpot")
    await types(house, anna, "counted")
    await turn(house, anna, panel, "Yes")
    assert panel.text.startswith("The jackpot is now at 10,000.")

    await turn(house, anna, panel, "« Settings", MORE, "People", "Bea")
    await turn(house, anna, panel, "Give chips")
    await types(house, anna, "500 contest prize")
    assert panel.text == "Give Bea 500 chips? 1,000 → 1,500."
    await turn(house, anna, panel, "Yes")
    assert "Bea, 1,500 chips" in panel.text
    await turn(house, anna, panel, "Ban")
    await types(house, anna, "counts cards")
    await turn(house, anna, panel, "Yes")
    assert "Banned: counts cards" in panel.text
    await turn(house, anna, panel, "Unban")
    await types(house, anna, "we talked")
    assert "Banned" not in panel.text

    await turn(house, anna, panel, "« Settings", MORE, "Audit log")
    acts = ("Ban lifted", "Player banned", "Chips given", "Jackpot reset", "Jackpot changed", "Setting changed")
    places = [panel.text.find(act) for act in acts]
    assert places == sorted(places)
    assert min(places) >= 0
    ours = [one for one in anna.private.messages if one.sender is house.server.bot]
    assert len(ours) == len([one for one in ours if one in anna.private.messages[:sent]]), "one message, edited"


async def test_nobody_else_is_shown_anything_nor_who_was_an_inspector(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = await opened(house, bea, admin=anna)
    panel = await panel_of(house, anna, group)
    await turn(house, anna, panel, MORE, "People")
    await group.demotes(anna, by=house.server.user("Owner"))
    shown = panel.text
    alert = await anna.presses(panel, next(one.text for one in panel.buttons if one.text.startswith("Bea")))
    assert alert is not None
    assert alert.text == "Only inspectors can do that."
    assert panel.text == shown

    number = house.app.context.notes.chats[group.id].number
    for payload in (f"from{number}_settings_people", f"from{number}_audit", f"setup_{number}"):
        await bea.starts(payload)
        await house.wait(5)
        assert "Only inspectors can do that." in bea.private.last_message.text
        assert "Anna" not in bea.private.last_message.text


async def test_words_that_a_reason_waits_for_do_nothing_once_the_rights_are_gone(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = await opened(house, bea, admin=anna)
    panel = await panel_of(house, anna, group)
    await turn(house, anna, panel, MORE, "People", "Bea", "Give chips")
    await group.demotes(anna, by=house.server.user("Owner"))
    await types(house, anna, "500 mine")
    assert panel.text == "Only inspectors can do that."


async def test_the_private_chat_speaks_for_the_group_whose_inspector_asks(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = await opened(house, bea, admin=anna)
    await anna.starts()
    for line, said in (
        ("/audit", "Table opened"),
        ("/help inspectors", "Inspectors:"),
        ("/table list", "Caribbean Stud"),
    ):
        await anna.says(anna.private, line)
        await house.wait(5)
        assert said in anna.private.last_message.text, line
        await bea.starts()
        await bea.says(bea.private, line)
        await house.wait(5)
        assert said not in bea.private.last_message.text, line
    await group.demotes(anna, by=house.server.user("Owner"))
    await anna.says(anna.private, "/audit")
    await house.wait(5)
    assert "Table opened" not in anna.private.last_message.text


async def test_a_bare_command_of_the_menu_shows_its_parts(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    await opened(house, bea, admin=anna)
    await anna.starts()
    for word, part in (("house", "/house set"), ("meter", "/meter reset"), ("inspector", "/inspector add")):
        await anna.says(anna.private, f"/{word}")
        await house.wait(5)
        told = anna.private.last_message
        assert part in told.text
        assert part in [one.text for one in told.buttons]


async def test_help_for_inspectors_leads_to_the_private_chat_with_its_group(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = await opened(house, bea, admin=anna)
    number = house.app.context.notes.chats[group.id].number
    told = await asks(house, anna, group, "/help")
    assert f"start=from{number}_help_inspectors" in told.button("Inspectors")
    await anna.presses(told, "Inspectors")
    await house.wait(5)
    assert "Inspectors:" in anna.private.last_message.text
    await bea.starts(f"from{number}_grant_Bea_5000_me")
    await house.wait(5)
    assert "Bea" not in bea.private.last_message.text


async def test_a_reason_that_was_asked_for_before_a_restart_is_no_bet(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = await opened(house, bea, admin=anna)
    panel = await panel_of(house, anna, group)
    await anna.says(anna.private, "/setup caribbean")
    await house.wait(5)
    await turn(house, anna, panel, MORE, "Tables", "1: Caribbean Stud", "Limits and options", "Minimum: 10", "20")
    assert panel.text.startswith("Reason, recorded in the audit log")
    await house.close()
    await house.reopen()
    await types(house, anna, "20 people are waiting")
    assert panel.text.startswith("Minimum: 10 → 20.")
    assert house.table_at(group).options == {"minimum": 2000}
    assert not house.table_at(anna.private).round.bets
    await types(house, anna, "50")
    assert [bet.spots for bet in house.table_at(anna.private).round.bets] == [{"ante": 50_00}], "it was asked for once"


async def test_a_new_name_of_the_bot_is_heard_at_once(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = await opened(house, bea, admin=anna)
    await house.wait(10)
    house.server.bot.username = "renamed_bot"
    told = await asks(house, anna, group, "/balance@renamed_bot")
    assert told is not None
    assert house.app.bot.username == "renamed_bot"


async def test_a_new_name_of_the_bot_is_followed_within_a_minute_and_links_lead_to_it(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = await opened(house, bea, admin=anna)
    house.server.bot.username = "renamed_bot"
    await house.wait(60)
    assert house.app.bot.username == "renamed_bot"
    links = [str(one.url) for one in house.post_at(group).buttons if one.url]
    assert links
    assert all("t.me/renamed_bot?" in link for link in links)


async def test_help_leads_inspectors_to_the_settings_in_the_private_chat(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = await opened(house, bea, admin=anna)
    await panel_of(house, anna, group)
    helped = await asks(house, anna, anna.private, "/help")
    await anna.presses(helped, "Settings")
    await house.wait(3)
    assert anna.private.last_message.text.startswith("Settings of")
    await anna.presses(helped, "Inspectors")
    await house.wait(3)
    assert "Settings" in [one.text for one in helped.buttons]
    await bea.starts()
    await house.wait(3)
    assert "Settings" not in [one.text for one in (await asks(house, bea, bea.private, "/help")).buttons]


async def test_a_yes_to_numbers_that_have_changed_is_asked_anew_and_its_second_press_does_nothing(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = await opened(house, bea, admin=anna)
    panel = await panel_of(house, anna, group)
    await turn(house, anna, panel, MORE, "People", "Bea", "Take chips")
    await types(house, anna, "half too many")
    assert panel.text == "Take 500 chips from Bea? 1,000 → 500."
    yes = panel.button("Yes")
    await bea.says(group, "/daily")
    await house.wait(3)
    await turn(house, anna, panel, "Yes")
    asked = panel.text
    assert asked.startswith("Take ")
    assert "1,000" not in asked
    alert = await anna.presses(panel, yes, stale=True)
    assert alert is not None, "the first question has been answered"
    assert panel.text == asked
    await turn(house, anna, panel, "Yes")
    assert panel.text.startswith("Bea has ")


async def test_a_yes_counts_in_the_group_that_it_was_asked_for_alone(house: House) -> None:
    """A client that sends data from no button gets no further."""
    anna, bea = people(house, "Anna", "Bea")
    group = await opened(house, bea, admin=anna)
    other = house.server.supergroup("Altrove", admins=[anna])
    await anna.says(other, "/setup")
    await house.wait(20)
    panel = await panel_of(house, anna, group)
    await turn(house, anna, panel, MORE, "People", "Bea", "Take chips")
    await types(house, anna, "half too many")
    await group.demotes(anna, by=house.server.user("Owner"))
    ours, theirs = (str(house.app.context.notes.chats[one.id].number) for one in (group, other))
    yes = panel.button("Yes")
    assert ours in yes
    assert await anna.presses(panel, yes.replace(ours, theirs), stale=True) is not None
    await house.wait(3)
    assert not panel.text.startswith("Bea has ")


async def test_hands_names_jackpot_and_casino_are_changed_by_buttons_too(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = await opened(house, bea, admin=anna)
    await bea.says(group, "/bet 50")
    await house.wait(25)
    hand = house.table_at(group).round.hand_id
    panel = await panel_of(house, anna, group)

    await turn(house, anna, panel, MORE, "Tables", "1: Caribbean Stud", "Void a hand", f"Void hand {hand}")
    assert panel.text.startswith("Reason, recorded in the audit log")
    await types(house, anna, "a card fell")
    assert panel.text == f"Void hand {hand} and return all stakes?"
    await turn(house, anna, panel, "Yes")
    assert panel.text.startswith(f"Hand {hand} is void")
    assert "\n1: Caribbean Stud" in panel.text

    await bea.says(group, "/bet 50")
    await house.wait(25)
    settled = house.table_at(group).round.hand_id
    await bea.says(group, "/fold")
    await house.wait(25)
    await turn(house, anna, panel, "« Settings", MORE, "People", "Bea", "Correct a hand")
    await turn(house, anna, panel, f"Hand {settled}, Caribbean Stud: -50")
    await types(house, anna, "50 wrong limit")
    await turn(house, anna, panel, "Yes")
    assert panel.text.startswith("Bea has 1,000 now.\nBea, 1,000 chips")
    await turn(house, anna, panel, "Reset the name")
    await types(house, anna, "rude")
    await turn(house, anna, panel, "Yes")
    assert panel.text.startswith("Bea is shown as Player ")

    await turn(house, anna, panel, "« Settings", MORE, "Jackpot", "Prize for a flush: 50")
    await types(house, anna, "60 a present")
    await turn(house, anna, panel, "Yes")
    assert panel.text.startswith("Prize for a flush: 50 → 60.")

    await turn(house, anna, panel, "« Settings", MORE, "Chips and rules", "Rename the casino")
    await types(house, anna, "“The Ridotto” we moved")
    await turn(house, anna, panel, "Yes")
    await turn(house, anna, panel, "« Settings", MORE)
    assert panel.text.startswith("Settings of The Ridotto")
    await turn(house, anna, panel, "Audit log", "Export 30 days")
    assert anna.private.last_message.document is not None
