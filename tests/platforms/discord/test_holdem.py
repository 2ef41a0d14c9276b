"""Hold'em in a Discord channel: typed amounts, their answers, and the question before more than half of a stack."""

from bot.core.state.table import owners_of


async def test_amounts_are_typed_and_an_all_in_is_confirmed_once(house):
    guild = house.server.guild("Venezia")
    channel = guild.text_channel("holdem")
    people = [guild.member(name) for name in ("Anna", "Bea", "Carla")]
    await guild.owner.slash(channel, "table open", game="holdem")
    for person in people:
        told = await person.slash(channel, "buyin", amount="100")
        assert "stack 100." in told.text
    await house.pass_time(house.left(channel))
    await house.until(lambda: house.table(channel).round.hand is not None)

    def in_turn():
        hand = house.table(channel).round.hand
        (seat,) = hand.asks
        player = owners_of(hand)[seat]
        return next(one for one in people if house.house.identities["discord", str(one.id)] == player)

    first = in_turn()
    told = await first.slash(channel, "raise", amount="3")
    assert "Choose one of: Fold, Call (2), Raise to 4–100." in told.text
    told = await first.slash(channel, "raise", amount="6")
    assert "You raised to 6. Waiting for " in told.text
    second = in_turn()
    told = await second.slash(channel, "raise", amount="all")
    assert "Raise to 100? You would be all-in." in told.text
    assert in_turn() is second, "nothing was done yet"
    told = await second.presses(told, "Yes")
    assert "You raised to 100. You are all-in. Waiting for " in told.text
    third = in_turn()
    told = await third.slash(channel, "fold")
    assert "You folded. Waiting for " in told.text
    told = await first.slash(channel, "call")
    assert "Call (94)? You would be all-in." in told.text
    told = await first.presses(told, "Yes")
    assert "You called: 94. You are all-in. The hand is over." in told.text
    shown = await house.shown(channel, "won 202")
    assert "The pot was 202." in shown.text
