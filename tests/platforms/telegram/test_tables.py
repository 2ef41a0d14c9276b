"""Whole hands in Telegram groups, topics and private chats, against the loopback Bot API server."""

import asyncio
import os
from contextlib import closing
from pathlib import Path

import pytest
from aiohttp import ClientSession

from bot.core.commands.preconditions import at_price, parse_precondition
from bot.core.state.plays import PLAYS
from bot.core.writer import Writer
from bot.platforms.common.press import Press, dump_press, load_press
from bot.platforms.common.sentences import FAST
from bot.platforms.telegram.context import AT_ONCE
from bot.platforms.telegram.drawing import RankedLine, fit, fit_alert, length, seen_length, shorten
from bot.platforms.telegram.unread import in_pages
from bot.platforms.telegram.updates import parse_command
from bot.texts.languages import KNOWN, SOURCE
from bot.verifier.pack import packed
from bot.view import Screen
from bot.view.pictures import picture
from storage.sqlite import FILE, SqliteBooks
from tests.patience import PATIENCE_S
from tests.platforms.telegram.house import (
    House,
    ask_for_direct_cards,
    asks,
    button,
    choose,
    deal,
    make_busy,
    open_house,
    people,
    place_bets,
    play_hand,
    play_on,
    set_up,
    start_process,
    stop_process,
)
from tests.ports import free_port
from tests.servers.telegram import Alert, BotApiServer, SystemClock, User

DAY_S = 86400.0
BANK_GAMES = ("caribbean", "uth", "paiju", "blackjack")


@pytest.mark.parametrize("game", BANK_GAMES)
@pytest.mark.parametrize("is_busy", [True, False])
async def test_two_members_play_a_hand_in_a_group(
    house: House, game: str, is_busy: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_busy:
        make_busy(monkeypatch)
    anna, bea, carla = people(house, "Anna", "Bea", "Carla")
    group = house.server.group("Salotto", members=[bea, carla], admins=[anna])
    post = await set_up(house, group, anna, game)
    cost = await play_hand(house, group, [bea, carla], game)
    assert "Bea" in house.post_at(group).text
    assert house.post_at(group) is post, "one message, edited"
    assert not post.deleted
    calls = [call for call in house.server.calls_of(group) if call.spent]
    assert cost <= (6 if is_busy else 12), [call.method for call in calls]
    assert not [call for call in house.server.calls_of(group) if call.error_code == 429]
    assert house.table_at(group).last is not None


@pytest.mark.parametrize("game", BANK_GAMES)
async def test_two_members_play_a_hand_in_a_topic(house: House, game: str) -> None:
    anna, bea = people(house, "Anna", "Bea")
    forum = house.server.forum("Ridotto", members=[bea], admins=[anna], bot="administrator")
    await anna.says(forum, "/setup")
    await house.wait(60)
    topics = {house.table_at(topic).game: topic for topic in forum.topics.values()}
    assert topics.keys() == PLAYS.keys()
    topic = topics[game]
    await play_hand(house, topic, [anna, bea], game)
    assert "Anna" in house.post_at(topic).text
    others = [message for message in forum.messages if message.topic is not topic and message.edits]
    assert not others, "no other topic is touched"


@pytest.mark.parametrize("game", BANK_GAMES)
async def test_a_hand_in_a_private_chat_shows_ones_own_cards(house: House, game: str) -> None:
    (anna,) = people(house, "Anna")
    await anna.starts()
    await anna.says(anna.private, f"/setup {game}")
    await house.wait(2)
    await place_bets(house, anna.private, [anna], game)
    await house.wait(21)
    if game in ("caribbean", "uth"):
        assert "🂠" in house.post_at(anna.private).text, "the bank's"
        assert "You hold" in house.post_at(anna.private).text
    await play_on(house, anna.private, [anna])
    assert "Anna" in house.post_at(anna.private).text


async def test_three_members_play_stud_in_a_group_for_their_stacks(house: House) -> None:
    players = people(house, "Anna", "Bea", "Carla")
    group = house.server.group("Salotto", members=players[1:], admins=players[:1])
    await set_up(house, group, players[0], "stud")
    for player in players:
        await player.says(group, "/balance")
    await house.wait(DAY_S + 60)
    for player in players:
        alert = await player.presses(house.post_at(group), "Buy in: 320")
        assert alert is not None
        assert "stack 320. " in alert.text
    await house.wait(12)
    spent, start = house.server.spent_in(group), house.clock.now()
    await play_on(house, group, players)
    edits = house.server.spent_in(group) - spent
    assert edits <= (house.clock.now() - start) / 3 + 2, "the newest state at most every three seconds"
    assert house.table_at(group).last is not None


async def test_stud_is_not_played_alone(house: House) -> None:
    (anna,) = people(house, "Anna")
    await anna.starts()
    await house.wait(2)
    answer = await anna.asks(anna.private, "/setup stud")
    assert "between people" in answer.text


async def test_my_cards_answers_with_an_alert_of_200_characters_at_most(house: House) -> None:
    group, anna, bea = await deal(house)
    for user in (anna, bea):
        alert = await user.presses(group, "My cards")
        assert alert is not None
        assert alert.show_alert
        assert "You hold" in alert.text
        assert "Exchange card 1–5 (10)" in alert.text
    assert house.cards_said >= 10, "the watch for leaks has seen cards"


async def test_somebody_else_is_told_that_they_hold_none(house: House) -> None:
    group, _anna, _bea = await deal(house)
    carla = house.server.user("Carla")
    await carla.joins(group)
    assert await carla.presses(group, "My cards") == Alert("You hold no cards now.", True)
    alert = await carla.presses(group, "Fold")
    assert alert is not None
    assert "not in this hand" in alert.text


async def test_typed_cards_are_never_shown_but_a_button_for_them(house: House) -> None:
    group, anna, _bea = await deal(house)
    answer = await asks(house, anna, group, "/cards")
    assert [b.text for b in answer.buttons] == ["My cards"]
    alert = await anna.presses(answer, "My cards")
    assert alert is not None
    assert "You hold" in alert.text


async def test_exchange_goes_by_position_and_shows_the_new_card_to_them_alone(house: House) -> None:
    group, anna, bea = await deal(house)
    before = await anna.presses(group, "My cards")
    assert await anna.presses(group, "⇄ 3 (10)") == Alert("Card 3 swapped for 10. Waiting for Bea.", False)
    await bea.presses(group, "Fold")
    await house.wait(2)
    alert = await anna.presses(group, "My cards")
    assert alert is not None
    assert before is not None
    kept, new = before.text.split()[:5], alert.text.split()[:5]
    assert [a == b for a, b in zip(kept, new, strict=True)].count(False) == 1
    assert kept[2] != new[2]


async def test_an_ephemeral_message_carries_the_cards_and_the_choices(house: House) -> None:
    group, anna, bea = await deal(house)
    await house.wait(30 - 21)
    await anna.presses(group, "My cards")
    await house.wait(8)
    whispered = [message for message in anna.sees(group) if message.receiver is anna]
    assert len(whispered) == 1
    assert "You hold" in whispered[0].text
    assert not [message for message in bea.sees(group) if message.receiver is not None]
    await anna.presses(whispered[0], button(whispered[0], "Raise"))
    await choose(house, group, bea)
    await house.wait(6)
    assert whispered[0].deleted, "the hand is over"


@pytest.mark.parametrize("version", ["10.1", "10.2"])
async def test_a_server_that_would_show_ephemeral_cards_to_all_is_sent_none(tmp_path: Path, version: str) -> None:
    async with open_house(tmp_path, bot_api=version) as house:
        group, anna, _bea = await deal(house, admin_bot=True)
        await house.wait(8)
        for _ in range(2):
            assert await anna.presses(house.post_at(group), "My cards")
            await house.wait(5)
        await anna.presses(group, "Read")  # the answer to /setup
        await house.wait(5)
        left = [message for message in group.messages if message.sender is house.server.bot]
        assert all("You hold" not in shown.text for shown in house.server.shown if shown.to is None)
        assert [message for message in left if not message.deleted and "only for you" in message.text] == []


async def test_typed_answers_are_whispered_where_the_bot_is_administrator(house: House) -> None:
    group, anna, bea = await deal(house, admin_bot=True)
    await house.wait(5)
    answer = await asks(house, anna, group, "/balance")
    await house.wait(5)
    assert answer.receiver is anna
    assert "990" in answer.text
    assert answer not in bea.sees(group)


async def test_typed_answers_wait_behind_a_button_elsewhere(house: House) -> None:
    group, anna, bea = await deal(house)
    answer = await asks(house, anna, group, "/balance")
    assert "990" not in answer.text
    alert = await bea.presses(answer, "Read")
    assert alert is not None
    assert "not for you" in alert.text
    assert await anna.presses(answer, "Read") == Alert("You have 990 chips.", True)
    await house.wait(1)
    assert answer.deleted


async def test_long_answers_are_read_in_the_private_chat(house: House) -> None:
    group, anna, _bea = await deal(house)
    answer = await asks(house, anna, group, "/rules caribbean")
    assert answer.buttons[0].url
    await anna.presses(answer, answer.buttons[0].text)
    await house.wait(5)
    said = [message.text for message in anna.private.messages if message.sender is house.server.bot]
    assert "CS8" in "".join(said)
    assert all(len(text.encode("utf-16-le")) <= 2 * 4096 for text in said)


async def test_the_help_of_a_group_goes_on_in_the_private_chat_and_is_turned_there_in_place(house: House) -> None:
    (anna,) = people(house, "Anna")
    group = house.server.group("Salotto", admins=[anna])
    await set_up(house, group, anna)
    answer = await asks(house, anna, group, "/help")
    assert {"My chips", "Inspectors"} <= {button.text for button in answer.buttons if button.url}
    await anna.presses(answer, "My chips")
    await house.wait(2)
    page = anna.private.last_message
    assert "/daily" in page.text
    await anna.presses(page, "Me")
    await house.wait(2)
    assert anna.private.last_message is page
    assert "/pause DAYS | loss AMOUNT" in page.text
    await anna.presses(page, "Language")
    await house.wait(2)
    told = anna.private.last_message
    await anna.presses(told, "Italiano")
    await house.wait(2)
    assert told.text == "Ora ti rispondo in Italiano."
    page = await asks(house, anna, anna.private, "/help me")
    assert "/pause GIORNI | loss IMPORTO" in page.text
    assert (await asks(house, anna, anna.private, "/language de")).text == "Ich antworte dir jetzt auf Deutsch."
    assert (await asks(house, anna, anna.private, "/language en")).text == "I'll answer you in English."


async def test_direct_cards_for_who_pressed_start_and_asked_for_them(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.group("Salotto", members=[bea], admins=[anna])
    await set_up(house, group, anna)
    assert await ask_for_direct_cards(house, bea) is not None
    await place_bets(house, group, [anna, bea], "caribbean")
    await house.wait(22)
    direct = bea.private.last_message
    assert "You hold" in direct.text
    await bea.presses(direct, button(direct, "Raise"))
    await anna.presses(group, "Fold")
    await house.wait(6)
    assert direct.text.startswith("Bea ")
    assert not direct.buttons
    assert not [message for message in anna.private.messages if message.sender is house.server.bot]


async def test_who_blocks_the_bot_is_sent_nothing_more_and_plays_on(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.group("Salotto", members=[bea], admins=[anna])
    await set_up(house, group, anna)
    await ask_for_direct_cards(house, bea)
    bea.blocked = True  # and the notice of it is lost
    await place_bets(house, group, [anna, bea], "caribbean")
    await house.wait(22)
    assert bea.id not in house.app.context.notes.wants_direct
    await play_on(house, group, [anna, bea])
    tried = [call for call in house.server.calls_of(bea.private, "sendMessage") if not call.ok]
    assert len(tried) == 1


async def test_a_forged_press_on_a_table_elsewhere_does_nothing(house: House) -> None:
    group, _anna, _bea = await deal(house)
    carla = house.server.user("Carla")
    await carla.starts()
    await house.wait(2)
    table = house.table_at(group)
    forged = dump_press(Press("verb", "fold", (), str(table.round.hand_id), table.id))
    alert = await carla.presses(carla.private.last_message, forged, stale=True)
    assert alert is not None
    assert "The table has changed" in alert.text
    assert not table.round.hand.moves


async def test_a_forged_press_on_a_message_without_that_button_does_nothing(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.supergroup("Salotto", members=[bea], admins=[anna], bot="administrator")
    post = await set_up(house, group, anna)
    for forged in (Press("own", "blackjack"), Press("remove", str(bea.id))):
        alert = await bea.presses(post, dump_press(forged), stale=True)
        assert alert is not None
        assert alert.text == "The table has changed. Here it is now."
    assert house.table_at(group).game == "caribbean"
    assert not post.deleted


def test_what_is_said_fits_whatever_people_are_called() -> None:
    name = "🂡" * 32
    assert length(shorten(name * 9, 200)) <= 200
    assert length(fit_alert([name * 9, name])) <= 200
    assert fit_alert(["a" * 150, "b" * 60, "c"]) == "a" * 150, "what comes first matters most"
    lines = [RankedLine(rank, f"<b>&lt;{name}&gt;</b>") for rank in range(30)]
    said = fit(lines, 1024)
    assert seen_length(said) <= 1024
    assert said.startswith("<b>")
    assert said.endswith("</b>")
    assert all(length(page) <= 190 for page in in_pages([name * 4] * 9, 190))


def test_lines_as_people_type_them() -> None:
    me = "ridotto_bot"
    assert parse_command("/table open paiju", me) == ("table open", ("paiju",))
    assert parse_command("/Bet@Ridotto_Bot  ante 1.5k", me) == ("bet", ("ante", "1.5k"))
    assert parse_command("/bringin", me) == parse_command("/bring-in", me) == ("bring-in", ())
    assert parse_command("/bet@another_bot 5", me) is None
    assert parse_command("bet 5", me) is None


async def test_private_answers_in_their_language_and_the_table_in_its_own(house: House) -> None:
    anna, bea = house.server.user("Anna", language="it"), house.server.user("Bea", language="en-GB")
    group = house.server.group("Salotto", members=[bea], admins=[anna])
    post = await set_up(house, group, anna)
    assert "tavolo 1" in post.text
    assert (await anna.presses(post, "ante 10")) == Alert("Puntata 10: ante. Restano 990. Carte tra 20 s.", False)
    assert (await bea.presses(post, "ante 10")) == Alert("Bet 10: ante. 990 left. Cards in 20 s.", False)
    await bea.says(group, "/language it")
    await house.wait(3)
    await house.wait(21)
    alert = await bea.presses(post, "Le mie carte")
    assert alert is not None
    assert "In mano" in alert.text


async def test_menus_by_scope_and_language(house: House) -> None:
    anna, bea = house.server.user("Anna", language="it"), house.server.user("Bea")
    group = house.server.group("Salotto", members=[bea], admins=[anna])
    assert "setup" in house.server.menu_of(anna, group)
    assert "setup" not in house.server.menu_of(bea, group)
    assert "table" in house.server.menu_of(bea, group), "to bring it down"
    assert {"bet", "buyin"} <= set(house.server.menu_of(bea, group))
    assert "setup" in house.server.menu_of(bea, bea.private)
    assert all(1 < len(menu) <= 12 and menu[-1]["command"] == "help" for menu in house.server.menus.values())
    english = house.server.menus["all_group_chats", 0, 0, ""]
    codes = [code for name, one in KNOWN.items() for code in one.codes["telegram"] if name != SOURCE]
    assert codes == sorted({code for _scope, _chat, _user, code in house.server.menus if code})
    for code in codes:
        menu = house.server.menus["all_group_chats", 0, 0, code]
        assert {c["command"] for c in menu} == {c["command"] for c in english}
        assert [c["description"] for c in menu] != [c["description"] for c in english]


async def test_the_menu_of_a_group_is_that_of_the_games_that_are_open_there(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.supergroup("Salotto", members=[bea], admins=[anna])
    await set_up(house, group, anna, "blackjack")
    await house.wait(10)
    menu = house.server.menu_of(bea, group)
    assert {"bet", "hit", "stand", "double"} <= set(menu)
    assert "buyin" not in menu
    assert len(menu) == 12
    await anna.says(group, "/table open stud")
    await house.wait(15)
    assert "buyin" in house.server.menu_of(bea, group)
    assert "hit" not in house.server.menu_of(bea, group)
    sent = len([one for one in house.server.calls if one.method == "setMyCommands"])
    await house.close()
    await house.reopen()
    await house.wait(10)
    of_groups = [one for one in house.server.calls if one.method == "setMyCommands"][sent:]
    assert not [one for one in of_groups if one.parameters["scope"]["type"] == "chat"], "they are still there"


async def test_commands_with_the_bots_name_and_amounts_as_people_type_them(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.group("Salotto", members=[bea], admins=[anna])
    await set_up(house, group, anna)
    await bea.says(group, f"/bet@{house.server.bot.username} ante 50 jackpot")
    await house.wait(2)
    assert house.table_at(group).round.bets[0].spots == {"ante": 50_00, "jackpot": 1_00}
    await bea.says(group, "/bet@another_bot 50")
    await bea.says(group, "/takeback")
    await house.wait(2)
    assert not house.table_at(group).round.bets


async def test_an_amount_in_answer_to_the_table_is_a_bet(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.group("Salotto", members=[bea], admins=[anna])
    post = await set_up(house, group, anna)
    await bea.says(group, "35", reply_to=post)
    await house.wait(1)
    assert house.table_at(group).round.bets[0].spots == {"ante": 35_00}


async def test_another_amount_asks_for_it_and_the_answer_completes_the_press(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.group("Salotto", members=[bea], admins=[anna])
    post = await set_up(house, group, anna)
    alert = await bea.presses(post, "Other amount")
    assert alert is not None
    assert "/bet 35" in alert.text
    await bea.presses(post, "Cut the deck")
    await bea.says(group, "lucky me", reply_to=post)
    await house.wait(1)
    assert [text for _player, text in house.table_at(group).round.cuts] == ["lucky me"]


async def test_in_a_topic_what_answers_nothing_is_no_bet(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    forum = house.server.forum("Ridotto", members=[bea], admins=[anna], bot="administrator")
    await anna.says(forum, "/setup")
    await house.wait(90)
    topic = next(topic for topic in forum.topics.values() if house.table_at(topic).game == "caribbean")
    await bea.says(topic, "35")
    await house.wait(1)
    assert not house.table_at(topic).round.bets
    await bea.says(topic, "35", reply_to=house.post_at(topic))
    await house.wait(1)
    assert house.table_at(topic).round.bets
    answer = await asks(house, bea, topic, "/balance")
    assert answer.topic is topic or answer.receiver is bea


async def test_an_edited_old_command_does_nothing(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.group("Salotto", members=[bea], admins=[anna])
    await set_up(house, group, anna)
    line = await bea.says(group, "/bet 10")
    await house.wait(1)
    await bea.edits(line, "/bet 500")
    await house.wait(1)
    assert house.table_at(group).round.bets[0].spots == {"ante": 10_00}


async def test_a_press_on_an_area_bets_their_own_current_chip(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.group("Salotto", members=[bea], admins=[anna])
    post = await set_up(house, group, anna, "paiju")
    alert = await bea.presses(post, "🪙 Another chip")
    assert alert is not None
    await bea.presses(post, "north")
    await anna.presses(post, "north")
    least = house.table_at(group).rules.parse_options({}).minimum
    bets = {bet.player: bet.spots["north"] for bet in house.table_at(group).round.bets}
    assert bets[house.app.context.player_of(anna.id)] == least
    assert bets[house.app.context.player_of(bea.id)] == 5 * least


async def test_inspectors_are_the_chats_administrators(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.group("Salotto", members=[bea], admins=[anna])
    await set_up(house, group, anna)
    answer = await asks(house, bea, group, "/table pause why not")
    assert await bea.presses(answer, "Read") == Alert("Only inspectors can do that.", True)
    await anna.says(group, "/table pause a break")
    await house.wait(2)
    assert house.table_at(group).status == "paused"


async def test_a_question_becomes_a_pair_of_buttons(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.group("Salotto", members=[bea], admins=[anna])
    await set_up(house, group, anna)
    answer = await asks(house, anna, group, "/table close enough")
    assert [b.text for b in answer.buttons] == ["Read"], "nobody says yes to what they have not read"
    question = await anna.presses(answer, "Read")
    assert question is not None
    assert "after this hand" in question.text
    await house.wait(5)
    assert [b.text for b in answer.buttons] == ["Read", "Yes", "No"]
    alert = await bea.presses(answer, "Yes")
    assert alert is not None
    assert house.table_at(group).status == "open"
    await anna.presses(answer, "Yes")
    await house.wait(2)
    assert house.table_at(group).status == "closed"
    await anna.says(group, "/table open paiju")
    await house.wait(5)
    assert house.table_at(group).game == "paiju"


async def test_an_anonymous_administrator_administers_and_does_not_play(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.supergroup("Salotto", members=[bea], admins=[anna])
    await anna.says(group, "/setup", anonymous=True)
    await house.wait(3)
    assert house.table_at(group).game == "caribbean"
    await anna.says(group, "/bet 10", anonymous=True)
    await house.wait(2)
    assert not house.table_at(group).round.bets


async def test_a_button_for_everybody_says_a_price_and_takes_no_other(house: House) -> None:
    group, anna, _bea = await deal(house)
    post, player = house.post_at(group), house.app.context.player_of(anna.id)
    data = button(post, "Raise (20)")
    press = load_press(data)
    assert press is not None
    assert parse_precondition(press.fresh).cost == 20_00
    cheaper = dump_press(press._replace(fresh=at_price(press.fresh, 10_00)))
    before = house.books.balance(f"player:2:{player}")
    alert = await anna.presses(post, cheaper, stale=True)
    assert alert is not None
    assert "costs 20 now; the button said 10" in alert.text
    assert house.books.balance(f"player:2:{player}") == before
    await anna.presses(post, data)
    assert house.books.balance(f"player:2:{player}") == before - 20_00


async def test_half_the_clock_gone_mentions_who_is_waited_for_once(house: House) -> None:
    group, anna, bea = await deal(house)
    await anna.presses(group, "Fold")
    await house.wait(16)
    mention = next(message for message in group.messages if message.mentions)
    assert mention.mentions == [bea]
    await bea.presses(house.post_at(group), "Fold")
    await house.wait(4)
    assert mention.deleted
    assert sum(bool(shown.message and shown.message.mentions) for shown in house.server.shown) == 1


async def test_who_is_asked_for_an_amount_in_a_group_has_their_keyboard_opened_and_the_question_goes(
    house: House,
) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.supergroup("Salotto", members=[bea], admins=[anna])
    post = await set_up(house, group, anna, "caribbean")
    await house.wait(30)
    await bea.presses(post, "Other amount")
    await house.wait(2)
    question = group.last_message
    assert (question.text, question.mentions, question.silent) == ("Bea, how much?", [bea], True)
    assert question.markup == {"force_reply": True, "selective": True}
    await anna.says(group, "35", reply_to=question)
    await house.wait(3)
    assert not house.table_at(group).round.bets, "it is Bea who was asked"
    await bea.says(group, "35", reply_to=question)
    await house.wait(3)
    assert [bet.player for bet in house.table_at(group).round.bets] == [house.app.context.player_of(bea.id)]
    assert question.deleted
    await bea.presses(house.post_at(group), "Other amount")
    await house.wait(2)
    again = group.last_message
    assert again is not question
    await house.wait(61)
    assert again.deleted, "nobody has answered it"
    await bea.says(group, "/mentions off")
    await house.wait(30)
    before = len(house.server.shown)
    assert "Reply to the table's message" in str(await bea.presses(house.post_at(group), "Other amount"))
    await house.wait(2)
    assert not [one for one in house.server.shown[before:] if one.kind == "message"], "it would name her"


async def test_a_group_that_becomes_a_supergroup_plays_on(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.group("Salotto", members=[bea], admins=[anna])
    await set_up(house, group, anna)
    await place_bets(house, group, [bea], "caribbean")
    await group.becomes_supergroup(anna)
    await house.wait(25)
    table = house.table_at(group)
    assert table.round.hand is not None
    await play_on(house, group, [bea])
    assert "Bea" in house.post_at(group).text
    assert await asks(house, bea, group, "/balance")


async def test_a_migration_that_is_only_learned_from_a_refusal(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.group("Salotto", members=[bea], admins=[anna])
    post = await set_up(house, group, anna)
    bea.press(post, "ante 10")
    await house.settled()
    house.server.lose_updates(2)
    await group.becomes_supergroup(anna)
    await house.wait(25)
    assert house.post_at(group).chat is group


async def test_a_removed_bot_gives_bets_back_and_can_come_again(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.supergroup("Salotto", members=[bea], admins=[anna])
    await set_up(house, group, anna)
    await place_bets(house, group, [bea], "caribbean")
    await group.removes_bot(anna)
    await house.wait(3)
    wallet = house.writer.state.balance(f"player:2:{house.app.context.player_of(bea.id)}")
    assert wallet == 1000_00
    await group.adds_bot(anna)
    await anna.says(group, "/setup")
    await house.wait(5)
    assert house.table_at(group).status == "open"
    assert await play_hand(house, group, [bea], "caribbean") <= 6


async def test_a_dealt_hand_of_a_removed_bot_goes_on_when_it_returns(house: House) -> None:
    group, anna, bea = await deal(house)
    hand = house.table_at(group).round.hand_id
    await group.removes_bot(anna)
    await house.wait(3600)
    await group.adds_bot(anna)
    await anna.says(group, "/table open caribbean")
    await house.wait(5)
    assert house.table_at(group).round.hand_id == hand
    await play_on(house, group, [anna, bea])
    assert house.table_at(group).last_hand == hand


async def test_a_muted_bot_waits_and_goes_on(house: House) -> None:
    group, anna, bea = await deal(house)
    await group.mutes_bot(anna)
    await anna.presses(group, "Fold")
    await house.wait(20)
    assert house.table_at(group).lost
    await house.wait(3600)
    assert house.table_at(group).round.hand is not None, "it waits for its place (G10)"
    await group.unmutes_bot(anna)
    await house.wait(3)
    assert not house.table_at(group).lost
    await play_on(house, group, [anna, bea])


async def test_a_deleted_message_is_posted_again(house: House) -> None:
    group, anna, bea = await deal(house)
    old = house.post_at(group)
    await anna.deletes(old)
    await bea.presses(old, button(old, "Fold"), stale=True)
    await anna.says(group, "/fold")
    await house.wait(8)
    assert house.post_at(group) is not old
    assert house.table_at(group).last is not None


async def test_without_the_right_to_manage_topics_setup_says_so(house: House) -> None:
    (anna,) = people(house, "Anna")
    forum = house.server.forum("Ridotto", admins=[anna])
    alert = await anna.presses(await asks(house, anna, forum, "/setup"), "Read")
    assert alert is not None
    assert "Manage topics" in alert.text


async def test_three_busy_topics_stay_under_twenty_a_minute(house: House) -> None:
    """Every table shows its deal and its payment; changes between give way."""
    anna, bea, carla = people(house, "Anna", "Bea", "Carla")
    forum = house.server.forum("Ridotto", members=[bea, carla], admins=[anna], bot="administrator")
    await anna.says(forum, "/setup")
    await house.wait(60)
    topics = {house.table_at(topic).game: topic for topic in forum.topics.values()}
    busy = {game: topics[game] for game in ("caribbean", "uth", "paiju")}
    start = house.clock.now()
    hands = 0
    while house.clock.now() - start < 130:
        for game, topic in busy.items():
            table = house.table_at(topic)
            is_shown = f"|{table.round.hand_id}" in "".join(str(b.data) for b in house.post_at(topic).buttons)
            if table.round.hand is None and not table.round.bets and is_shown:
                await place_bets(house, topic, [anna, bea, carla], game)
                hands += 1
            elif table.round.hand is not None and table.round.hand.asks and is_shown:
                users = {house.app.context.player_of(user.id): user for user in (anna, bea, carla)}
                await choose(house, topic, users[table.owners()[next(iter(table.round.hand.asks))]])
        await house.wait(2)
    calls = [call.time for call in house.server.calls_of(forum) if call.spent and call.time >= start]
    assert all(sum(t <= time < t + 60 for time in calls) <= 20 for t in calls)
    assert not [call for call in house.server.calls_of(forum) if call.error_code == 429]
    assert hands >= 8
    assert len(calls) <= 6 * hands


async def test_a_group_is_painted_as_everybody_may_see_it_and_a_file_is_sent_once(tmp_path: Path) -> None:
    painted: list[int | None] = []

    async def paint(screen: Screen, language: str) -> bytes | None:
        painted.append(screen.viewer)
        return picture(screen, language)

    async with open_house(tmp_path, paint=paint) as house:
        group, anna, bea = await deal(house)
        assert house.post_at(group).photo
        await play_on(house, group, [anna, bea])
        assert set(painted) == {None}
        assert len(house.post_at(group).caption.encode("utf-16-le")) <= 2 * 1024


def document_for(user: User) -> bytes:
    """Return the newest file in the user's chat with the bot."""
    found = [message.document for message in user.private.all_messages if message.document]
    return found[-1]


async def test_a_file_that_is_asked_for_in_a_group_comes_in_the_private_chat(house: House) -> None:
    """The inspector's casino is the group's; the private chat belongs to another one."""
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.group("Salotto", members=[bea], admins=[anna])
    await set_up(house, group, anna)
    await anna.starts()
    for who, line in ((bea, "/balance"), (anna, "/export 3"), (anna, "/statement csv")):
        await who.says(group, line)
        await house.wait(5)
        if line == "/export 3":
            assert document_for(anna).count(b",Start chips,") == 2
    assert document_for(anna).count(b",Start chips,") == 1
    await anna.says(group, "/verify file")
    await house.wait(5)
    assert document_for(anna) == packed()[0]
    assert not [message for message in group.all_messages if message.document]


async def test_whom_the_bot_may_not_write_to_is_told_how_they_get_their_file(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.group("Salotto", members=[bea], admins=[anna])
    await set_up(house, group, anna)
    await anna.says(group, "/export 3")
    await house.wait(5)
    told = [await anna.presses(one, "Read") for one in group.messages if "Read" in [b.text for b in one.buttons]]
    assert [alert.text for alert in told if alert and "press Start, then ask here again" in alert.text]
    link = f"https://t.me/{house.server.bot.username}?start=hello"
    assert link in [one.button("Open our chat") for one in group.all_messages if "Open our chat" in str(one.buttons)]


async def test_books_that_cannot_be_read_end_the_house_and_not_an_update(tmp_path: Path) -> None:
    """The chats and Zoe's name are on pages of the file that are not in memory."""
    with closing(SqliteBooks(tmp_path)) as books:
        Writer(books)
    async with BotApiServer(clock=SystemClock()) as server:
        zoe = server.user("Zoe")
        group = server.group("Salotto", members=[zoe])
        process = await start_process(server, tmp_path)
        assert process.stdout is not None
        assert b"open" in await asyncio.wait_for(process.stdout.readline(), PATIENCE_S)
        with open(tmp_path / FILE, "r+b") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(4096)
            file.write(b"\xff" * (size - 4096))
        await zoe.says(group, "/balance")
        _said, complained = await asyncio.wait_for(process.communicate(), PATIENCE_S)
        assert process.returncode == 1
        assert complained.decode().count('"critical"') == 1, complained.decode()
        assert "Task exception" not in complained.decode()


async def test_a_bot_in_a_process_of_its_own_takes_a_webhook_with_its_secret_alone(tmp_path: Path) -> None:
    port = free_port()
    async with BotApiServer(clock=SystemClock()) as server, ClientSession() as stranger:
        anna = server.user("Anna")
        group = server.group("Salotto", admins=[anna])
        address = f"https://127.0.0.1:{port}"
        process = await start_process(
            server, tmp_path, RIDOTTO_WEB=f"127.0.0.1:{port}", RIDOTTO_TELEGRAM_WEBHOOK=address
        )
        try:
            await server.until(lambda: server.updates.webhook is not None)
            webhook = server.updates.webhook
            assert webhook is not None
            assert webhook.url == f"{address}/telegram"
            # Telegram comes through a proxy that speaks TLS; the server here has none.
            webhook.url = webhook.url.replace("https", "http")
            assert (await stranger.post(webhook.url, json={"update_id": 1})).status == 403
            post = await anna.asks(group, "/setup")
            assert "Caribbean" in post.text
            async with stranger.get(f"http://127.0.0.1:{port}/healthz") as health:
                assert (health.status, await health.text()) == (200, "ok\n")
        finally:
            await stop_process(process)


async def test_setup_again_brings_the_table_down_and_opens_no_second_one(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.group("Salotto", members=[bea], admins=[anna])
    first = await set_up(house, group, anna)
    table = house.table_at(group).id
    await anna.says(group, "/setup")
    await house.wait(5)
    assert first.deleted
    assert house.table_at(group).id == table
    assert await bea.presses(house.post_at(group), "ante 10")


async def test_a_chat_where_no_photos_may_be_sent_gets_words(tmp_path: Path) -> None:
    async def paint(screen: Screen, language: str) -> bytes | None:
        return picture(screen, language)

    async with open_house(tmp_path, paint=paint) as house:
        (anna,) = people(house, "Anna")
        group = house.server.group("Salotto", admins=[anna])
        house.server.fail("sendPhoto", 400, "Bad Request: not enough rights to send photos to the chat", times=9)
        assert (await set_up(house, group, anna)).photo is None
        await play_hand(house, group, [anna], "caribbean")
        assert "Anna" in house.post_at(group).text


async def test_who_presses_too_fast_is_told_so_and_slows_nobody_down(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.group("Salotto", members=[bea], admins=[anna])
    post = await set_up(house, group, anna)
    await house.wait(30)
    pressed = [anna.press(post, button(post, "ante 10")) for _press in range(AT_ONCE + 1)]
    told = [await press.answered() for press in pressed]
    assert told[-1] == Alert("Too fast. Try again in a moment.", show_alert=True)
    assert FAST.template not in [alert.text for alert in told[:-1] if alert is not None]
    heard = await bea.presses(post, button(post, "ante 10"))
    assert heard is not None
    assert not heard.show_alert
    await house.wait(1)
    assert "fast" not in str(await anna.presses(post, button(post, "ante 10")))
