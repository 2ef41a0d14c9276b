"""Stored states of casinos, players and members: all that is written is read again, and unknown keys stay."""

import json
from contextlib import closing
from typing import Any

import msgspec
import pytest

from bot.cli.doctor import examine
from bot.core.state.casinos import CasinoMemory, CasinoState, JoinCode
from bot.core.state.codec import decode, encode
from bot.core.state.people import Given, Looser, MemberState, PlayerState, TimeBank
from bot.core.state.values import Casino
from bot.games.caribbean.kept import Jackpot, meter_options, prizes_of, with_prizes
from storage.sqlite import FILE, SqliteBooks, reading

# Every key with a value that is not its default.
PRIZE = {
    "hand": 7, "table": 1, "seat": "2", "player": 5, "rank": "royal flush", "suspends": True, "prize": 1_000_000,
    "count": {
        "meter": 1_000_000, "coins": 2, "winners": {"2": "royal flush"}, "coin": 100, "contribution": 9000,
        "fixed": {"four": 50_000, "full": 10_000, "flush": 5_000}, "reset": 1_000_000,
    },
    "keys_needed": 2, "keys": [3], "since": 1000.5,
}  # fmt: skip
CASINO: dict[str, Any] = {
    "start": 50_000, "daily": 0, "daily_below": 100_000, "give_a_day": 0, "take_a_day": 700, "give_after_s": 3600.0,
    "most_percent": 50, "language": "it", "inspectors": [1, 4], "roles": {"discord": "77"}, "banned": {"9": "why"},
    "messages": {"discord:12": "99"}, "code": {"code": "ABC", "until": 5.5}, "joined": 3,
    "seasons": [{"ended": 4.25, "board": [["anna", 100], ["bea", 50]]}],
    "meter": {"coin": 200, "fixed": {"four": 1, "full": 2, "flush": 3}, "hand_pay": "keys"},
    "prizes": [PRIZE, PRIZE | {"seat": "3", "fails": True, "against": [4]}],
}  # fmt: skip
PLAYER = {
    "paused": 5.5, "limits": {"loss": 100, "minutes": 60}, "looser": {"loss": [None, 9.5], "minutes": [90, 8.5]},
    "quiet": True, "time_bank": {"day": 11, "used": 10.0}, "hidden": True, "coach": "off", "unmentioned": True,
    "link": {"code": "XYZ", "until": 7.5}, "linked": 3.5, "was": [8, 9], "merged": 2, "parts": [10], "parted": 12,
    "no_start": True, "casinos": [2, 3], "called": {"discord": "Anna"}, "usernames": {"discord": "anna"},
}  # fmt: skip
MEMBER = {
    "daily": 1.5,
    "debt": 20,
    "from_house": 100,
    "given": [19, -40],
    "standing": {"uth": "play-pairs"},
    "heard": {"web": "A"},
    "reset": "why",
    "homes": [9],
}


@pytest.mark.parametrize(("kind", "state"), [(CasinoState, CASINO), (PlayerState, PLAYER), (MemberState, MEMBER)])
def test_every_field_is_read_and_written_as_it_was(kind, state):
    assert json.loads(encode(decode(kind, json.dumps(state)))) == state
    assert encode(kind()) == "{}", "what is at its default is not written"
    if kind is not CasinoState:
        assert state.keys() == {*kind.__struct_fields__} - {"version", "others"}


@pytest.mark.parametrize("name", ["daily", "give_a_day", "give_after_s"])
def test_an_inspectors_zero_is_kept(name):
    assert json.loads(encode(decode(CasinoState, json.dumps({name: 0}))))[name] == 0


def test_what_is_read_has_types():
    player, member = decode(PlayerState, json.dumps(PLAYER)), decode(MemberState, json.dumps(MEMBER))
    assert player.looser == {"loss": Looser(None, 9.5), "minutes": Looser(90, 8.5)}
    assert (player.time_bank, player.was, player.no_start) == (TimeBank(11, 10.0), (8, 9), True)
    assert (member.given, member.from_house) == (Given(19, -40), 100)
    casino = decode(CasinoState, json.dumps(CASINO))
    assert (casino.banned, casino.code, casino.inspectors) == ({9: "why"}, JoinCode("ABC", 5.5), (1, 4))
    assert casino.seasons[0].board == (("anna", 100), ("bea", 50))


def test_what_a_game_keeps_at_a_casino_is_read_in_its_own_type_and_written_beside_the_casinos():
    casino = Casino(1, "Lounge", decode(CasinoState, json.dumps(CASINO)), 0.0)
    first, second = prizes_of(casino)
    assert (first.player, first.count.fixed["four"], second.against, second.fails) == (5, 50_000, (4,), True)
    assert meter_options(casino)["coin"] == 200
    paid = with_prizes(casino, (second,)).change(daily=None)
    assert json.loads(encode(paid.state)) == {name: value for name, value in CASINO.items() if name != "daily"} | {
        "prizes": [CASINO["prizes"][1]]
    }
    assert Casino(2, "Another", CasinoState(), 0.0).kept(Jackpot) == Jackpot()


class Roads(CasinoMemory, frozen=True):
    roads: tuple[str, ...] = ()


def test_games_do_not_touch_what_others_keep():
    casino = Casino(1, "Lounge", decode(CasinoState, json.dumps(CASINO)), 0.0).change_memory(Roads(roads=("P", "B")))
    assert casino.kept(Roads).roads == ("P", "B")
    assert prizes_of(casino)[0].player == 5
    assert json.loads(encode(casino.change_memory(Roads()).state)) == CASINO


@pytest.mark.parametrize(("kind", "state"), [(CasinoState, CASINO), (PlayerState, PLAYER), (MemberState, MEMBER)])
def test_what_a_newer_ridotto_has_noted_stays(kind, state):
    newer = state | {"version": 2, "mood": {"of the day": [1, None, "fine"]}}
    kept = decode(kind, json.dumps(newer))
    assert kept.version == 2
    assert json.loads(encode(kept)) == newer
    assert json.loads(encode(msgspec.structs.replace(kept, version=3))) == newer | {"version": 3}


@pytest.mark.parametrize(
    ("kind", "state", "says"),
    [
        (PlayerState, {"link": {"code": "A", "until": 1.0, "uses": 2}}, "unknown field `uses` - at `$.link`"),
        (PlayerState, {"was": ["anna"]}, "Expected `int`, got `str`"),
        (MemberState, {"debt": "much"}, "Expected `int`, got `str` - at `$.debt`"),
    ],
)
def test_what_cannot_be_read_is_named_and_never_dropped(kind, state, says):
    with pytest.raises(msgspec.ValidationError) as found:
        decode(kind, json.dumps(state))
    assert says in str(found.value)


def test_the_doctor_names_who_cannot_be_read(tmp_path):
    with closing(SqliteBooks(tmp_path)) as books:
        books.db.execute("""INSERT INTO casinos VALUES (1, 'A', '{"inspectors": "anna"}', 0)""")
        books.db.execute(
            """INSERT INTO players (id, name, language, state, joined) VALUES (4, 'anna', 'en', '{"was": 3}', 0)"""
        )
        books.db.execute("""INSERT INTO members VALUES (1, 4, 0, '{"debt": "much"}', 'd', 1, 'd', 'd')""")
        books.db.execute("UPDATE books SET batch = batch")
    with reading(tmp_path / FILE) as books:
        found = list(examine(books))
    assert [fault.partition(" cannot be read: ")[0] for fault in found] == [
        "Casino 1",
        "Member 4 of casino 1",
        "Player 4",
    ]
