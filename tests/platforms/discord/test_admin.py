"""The settings of a server: all that an inspector may do, as buttons in one private message."""

MORE = "Tables, jackpot, people, audit log »"


async def turn(who, panel, *labels):
    """Press these buttons in the one message, in order."""
    shown = panel
    for label in labels:
        button = next(one["label"] for one in panel.message.buttons if one["label"].startswith(label))
        shown = await who.presses(panel, button)
        await panel.channel.server.quiet()
    return shown


async def fill(who, panel, label, text):
    """Press a button that asks, and submit its form."""
    form = await turn(who, panel, label)
    assert form.modal is not None
    await who.submits_modal(form, typed=text)
    await panel.channel.server.quiet()


async def test_an_inspector_does_everything_by_buttons_in_one_message(house):
    guild = house.server.guild("Venezia")
    channel, owner, bea = guild.text_channel("casino"), guild.owner, guild.member("Bea")
    await house.table_in(channel)
    await bea.slash(channel, "balance")
    panel = await owner.slash(channel, "settings")
    assert panel.is_ephemeral
    assert "Settings of Venezia" in panel.text
    before = len(channel.messages)

    await turn(owner, panel, "Tables", "1: Caribbean Stud", "Limits and options", "Minimum: 10")
    await fill(owner, panel, "20", "a busy evening")
    assert panel.text.startswith("Minimum: 10 → 20.")
    assert house.table(channel).options == {"minimum": 2000}

    await turn(owner, panel, "« Settings", "Jackpot")
    await fill(owner, panel, "Set the jackpot", "12,345 a present")
    assert panel.text == "Raise the jackpot meter from 10,000 to 12,345? 2,345 comes from the bank."
    await turn(owner, panel, "Yes")
    assert panel.text.startswith("The jackpot is now at 12,345.")
    await fill(owner, panel, "Reset the jackpot", "counted")
    await turn(owner, panel, "No")
    assert panel.text.startswith("Nothing was changed.")
    await fill(owner, panel, "Reset the jackpot", "counted")
    await turn(owner, panel, "Yes")
    assert panel.text.startswith("The jackpot is now at 10,000.")

    await house.pass_time(20)
    await turn(owner, panel, "« Settings", "People", "Bea")
    await fill(owner, panel, "Give chips", "500 contest prize")
    assert panel.text == "Give Bea 500 chips? 1,000 → 1,500."
    await turn(owner, panel, "Yes")
    assert house.chips(bea) == 150_000
    await house.pass_time(20)
    await fill(owner, panel, "Ban", "counts cards")
    await turn(owner, panel, "Yes")
    assert "Banned: counts cards" in panel.text
    await fill(owner, panel, "Unban", "we talked")
    assert "Banned" not in panel.text

    await turn(owner, panel, "« Settings", "Audit log")
    acts = ("Ban lifted", "Player banned", "Chips given", "Jackpot reset", "Jackpot changed", "Setting changed")
    places = [panel.text.find(act) for act in acts]
    assert places == sorted(places)
    assert min(places) >= 0
    assert len(channel.messages) == before, "one message, edited"


async def test_nobody_else_is_shown_anything_nor_who_was_an_inspector(house):
    guild = house.server.guild("Venezia")
    channel, bea = guild.text_channel("casino"), guild.member("Bea")
    carla = guild.member("Carla", permissions="manage_guild")
    await house.table_in(channel)
    refused = await bea.slash(channel, "settings", unseen=True)
    assert refused.text == "Only inspectors can do that."
    panel = await carla.slash(channel, "settings")
    await turn(carla, panel, "People")
    shown = panel.text
    carla.roles.clear()
    answer = await turn(carla, panel, "« Settings")
    assert answer.text == "Only inspectors can do that."
    assert panel.text == shown


async def test_setup_leads_to_the_settings_and_back(house):
    guild = house.server.guild("Venezia")
    panel = await guild.owner.slash(guild.text_channel("lobby"), "setup")
    await house.server.quiet()
    await turn(guild.owner, panel, MORE)
    assert "Settings of Venezia" in panel.text
    await turn(guild.owner, panel, "Languages, games, pace »")
    assert MORE in [one["label"] for one in panel.message.buttons]


async def test_a_member_who_was_made_an_inspector_opens_the_settings_from_help(house):
    guild = house.server.guild("Venezia")
    channel, owner, bea = guild.text_channel("casino"), guild.owner, guild.member("Bea")
    assert "Settings" not in (await bea.slash(channel, "help")).message.labels
    asked = await owner.slash(channel, "inspector add", player=bea)
    await owner.presses(asked, "Yes")
    await house.server.quiet()
    assert asked.text.startswith("Bea is now an inspector.\nThey can find the settings under </help:")
    told = await bea.slash(channel, "help")
    await bea.presses(told, "Settings")
    await house.server.quiet()
    assert told.text.startswith("Settings of Venezia")
    assert "Settings" not in (await bea.slash(bea.direct, "help")).message.labels


async def test_hands_names_jackpot_and_casino_are_changed_by_buttons_too(house):
    guild = house.server.guild("Venezia")
    channel, owner, bea = guild.text_channel("casino"), guild.owner, guild.member("Bea")
    await house.table_in(channel)
    await bea.slash(channel, "bet", amount="50")
    await house.pass_time(20)
    hand = house.table(channel).round.hand_id
    panel = await owner.slash(channel, "settings")

    await turn(owner, panel, "Tables", "1: Caribbean Stud", "Void a hand")
    await fill(owner, panel, f"Void hand {hand}", "a card fell")
    assert panel.text == f"Void hand {hand} and return all stakes?"
    await turn(owner, panel, "Yes")
    assert panel.text.startswith(f"Hand {hand} is void")
    assert "\n1: Caribbean Stud" in panel.text
    assert "Void a hand" not in [one["label"] for one in panel.message.buttons]

    await bea.slash(channel, "bet", amount="50")
    await house.pass_time(20)
    settled = house.table(channel).round.hand_id
    await bea.slash(channel, "fold")
    await house.pass_time(20)
    await turn(owner, panel, "« Settings", "People", "Bea", "Correct a hand")
    await fill(owner, panel, f"Hand {settled}, Caribbean Stud: -50", "50 wrong limit")
    assert panel.text == f"Correct hand {settled}: pay Bea 50 chips? 950 → 1,000."
    await turn(owner, panel, "Yes")
    assert panel.text.startswith("Bea has 1,000 now.\nBea, 1,000 chips")
    await fill(owner, panel, "Reset the name", "rude")
    await turn(owner, panel, "Yes")
    assert panel.text.startswith("Bea is shown as Player ")

    await turn(owner, panel, "« Settings", "Jackpot")
    await fill(owner, panel, "Prize for a flush: 50", "60 a present")
    await turn(owner, panel, "Yes")
    assert panel.text.startswith("Prize for a flush: 50 → 60.")
    await turn(owner, panel, "Jackpot wins are confirmed by: replay")
    await fill(owner, panel, "inspectors", "no hurry")
    assert "need 3 inspectors" in panel.text

    await turn(owner, panel, "« Settings", "Chips and rules")
    await fill(owner, panel, "Rename the casino", "“The Ridotto” we moved")
    await turn(owner, panel, "Yes")
    await turn(owner, panel, "« Settings")
    assert panel.text.startswith("Settings of The Ridotto")
    await turn(owner, panel, "Audit log", "Export 30 days")
    assert [one.filename for one in panel.message.attachments] == ["ridotto-30-days.csv"]
    await turn(owner, panel, "« Settings")
    assert panel.message.attachments == []
