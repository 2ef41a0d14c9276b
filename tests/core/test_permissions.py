"""Permissions of every command in the registry: who may use it, on which platform, and its log entry."""

import json

import pytest

from bot.core.command_list import CHAT_COMMANDS, INTERNAL_COMMANDS
from bot.core.commands.acts import ACTS as known_acts
from bot.core.commands.acts import Kind
from bot.games.caribbean.kept import Prize, PrizeInputs, with_prizes
from storage.questions.audit import latest_acts
from tests.core.communities import casino_at, do, found, internal_command, link_as_once, says
from tests.core.conftest import CARIBBEAN, HAND, House
from tests.disk import ask

PLATFORMS = {"web": "web:1", "discord": "discord:1", "telegram": "telegram:1"}
GROUPS = {"play", "chips", "knowing", "me", "inspectors"}
FOR_INSPECTORS = "Only inspectors can do that."
FOR_FOUNDERS = "Only inspectors of the community that founded this casino can do that."
BANNED = "An inspector has banned you from this casino: cheating"
REFUSALS = (FOR_INSPECTORS, FOR_FOUNDERS, BANNED)
# Roles, and what the platform reports about each.
ROLES = ("player", "banned", "administrator", "named inspector", "administrator of a joined place")

# Verbs that a ban forbids, and verbs reserved to the founders of a casino.
BARRED = {"bet", "rebet", "sit", "buyin", "topup", "back", "post", "daily", "give"}
BARRED |= {"tournament create", "tournament join"}
FOUNDING = {"grant", "take", "adjust", "inspector", "meter", "house set", "house code", "house reset", "export"}
# Acts about people and the casino; all others name the table at which they were done.
OF_CASINO = {"grant", "take", "ban", "unban", "name reset", "inspector", "meter set", "meter reset", "house", "export"}
# Read-only commands leave no entry.
READING = ("audit", "table list", "meter history", "settings")
# Commands that the platform handles itself.
OF_DOORS = ("setup",)


def refusal_of(role, verb):
    """Return why this role is refused this command, or None."""
    if role == "banned" and verb.name in BARRED:
        return BANNED
    if verb.group == "inspectors" and role in ("player", "banned"):
        return FOR_INSPECTORS
    founds = verb.name in FOUNDING or verb.name.split()[0] in FOUNDING
    if role == "administrator of a joined place" and founds and verb.group == "inspectors":
        return FOR_FOUNDERS
    return None


@pytest.fixture(scope="module")
def town(tmp_path_factory):
    """A table on each platform with everyone of the matrix, and a place of it that joined another casino."""
    house = House(tmp_path_factory.mktemp("permissions"))
    for at in ("discord:1", "telegram:1"):
        found(house, at, "caribbean")
    for at in PLATFORMS.values():
        for name in ("player", "banned", "named"):
            do(house, f"{name} balance", at)
        assert not do(house, "insp inspector add named", at, sure=True).refused
        assert not do(house, "insp ban banned cheating", at, sure=True).refused
    for at in PLATFORMS.values():
        platform = at.split(":")[0]
        if platform != "web":
            found(house, f"{platform}:9", "caribbean")
            code = says(house, "insp house code", at).split()[3].rstrip(".")
            assert not do(house, f"insp2 house join {code}", f"{platform}:9", sure=True).refused
    yield house
    assert house.faults() == []
    house.close()


def speaks(role, at):
    platform = at.split(":")[0]
    return {
        "player": ("player", at, False),
        "banned": ("banned", at, False),
        "administrator": ("boss", at, True),
        "named inspector": ("named", at, False),
        "administrator of a joined place": ("boss2", f"{platform}:9", True),
    }[role]


MATRIX = [
    (role, platform)
    for role in ROLES
    for platform in PLATFORMS
    if (role, platform) != ("administrator of a joined place", "web")
]


@pytest.mark.parametrize("verb", CHAT_COMMANDS)
def test_who_may_say_what(town, verb):
    """Commands come without arguments and unconfirmed: allowed ones ask for an argument or a yes, and change little."""
    told, expected = {}, {}
    for role, platform in MATRIX:
        name, at, inspects = speaks(role, PLATFORMS[platform])
        answer = says(town, f"{name} {verb}", at, inspector=inspects)
        told[role, platform] = answer if answer in REFUSALS else None
        expected[role, platform] = refusal_of(role, CHAT_COMMANDS[verb])
    assert told == expected


def test_every_command_has_a_group_a_help_and_a_name_of_one_or_two_words():
    for name, verb in CHAT_COMMANDS.items():
        assert verb.group in GROUPS, name
        assert verb.help.template, name
        assert 1 <= len(name.split()) <= 2


def test_nobody_can_type_what_adapters_tell_the_floor(house):
    """`back` is also a player's command: typed, it is the player's, and no lost place comes back by it."""
    assert INTERNAL_COMMANDS.keys() & CHAT_COMMANDS.keys() == {"back"}
    internal_command(house, "web:1", "away")
    house.do("insp back")
    assert house.writer.state.away["web", "1"] is not None
    for name in INTERNAL_COMMANDS.keys() - CHAT_COMMANDS.keys():
        (answer,) = house.batch([house.command("insp help")._replace(verb=name, args=("all",))])
        assert "There is no command or game called" in str(answer.texts[0]), name
    internal_command(house, "discord:1", "arrive", "guild", "en")
    assert casino_at(house, "discord:1") == 2


def test_help_shows_inspectors_commands_to_inspectors_alone(house):
    choices = {name: [one.args for one in house.do(f"{name} help").choices] for name in ("anna", "insp")}
    assert ("inspectors",) not in choices["anna"]
    assert ("inspectors",) in choices["insp"]
    assert house.says("anna help inspectors") == FOR_INSPECTORS


# A successful form of each admin command, in the order in which they run. {hand}: the hand on the table.
ACTS = {
    "table set": "table set pace fast too slow",
    "table pause": "table pause a storm",
    "table resume": "table resume it is over",
    "table refuse": "table refuse anna spoils the game",
    "noncoup": "noncoup cards shown",
    "tournament schedule": "tournament schedule holdem 20:00 the season starts",
    "tournament postpone": "tournament postpone {tournament} 19:00 a football match",
    "tournament cancel": "tournament cancel {tournament} nobody comes",
    "tournament remove": "tournament remove {tournament} bea a second account",
    "void": "void {hand} bad cards",
    "adjust": "adjust 1 anna 5 wrong limit",
    "grant": "grant anna 5 a prize",
    "take": "take anna 5 a mistake",
    "ban": "ban bea cheating",
    "unban": "unban bea we talked",
    "name reset": "name reset bea an insult",
    "inspector add": "inspector add anna she helps",
    "inspector remove": "inspector remove bea she left",
    "meter reset": "meter reset 20000 counted",
    "meter set": "meter set coin 2 it was low",
    "meter confirm": f"meter confirm {HAND} 1 it holds",
    "meter reject": f"meter reject {HAND} 1 it does not hold",
    "house set": "house set start 500 fewer",
    "house code": "house code friends",
    "house reset": "house reset spring",
    "export": "export 3 the auditor asks",
    "table turner": "table turner south anna a coin fell so",
    "table private": "table private on friends alone",
    "table invite": "table invite anna she plays with us",
    "table close": "table close tired",
    "table open": "table open uth a wish",
    "table mirror": "table mirror {elsewhere} a wish",
    "house join": "house join {code} friends",
    "house leave": "house leave enough",
}


def test_what_every_admin_command_leaves_in_the_log_is_read_in_words():
    assert [act for act in ACTS if known_acts.get(act, Kind()).label is None] == []


def test_every_admin_command_is_looked_at_here():
    assert {*ACTS, *READING, *OF_DOORS} == {name for name, verb in CHAT_COMMANDS.items() if verb.group == "inspectors"}


AT = "discord:1"


def prepare(house, verb):
    """Create what the command needs to succeed."""
    game = {"table refuse": "blackjack", "noncoup": "paiju", "table turner": "paiju"}.get(verb, "caribbean")
    found(house, AT, game)
    for name in ("anna", "bea"):
        do(house, f"{name} balance", AT)
    values = {}
    if verb == "tournament postpone":
        assert not do(house, "insp tournament schedule holdem 20:00", AT).refused
        values["tournament"] = house.table(house.writer.state.places["discord", "1"].table_id).number
    if verb in ("tournament cancel", "tournament remove"):
        assert not do(house, "bea tournament create holdem 2", AT).refused
        values["tournament"] = house.table(house.writer.state.places["discord", "1"].table_id).number
    if verb in ("void", "adjust"):
        do(house, "bea bet 50", AT)
        house.wait(20)
        values["hand"] = house.writer.state.tables[house.writer.state.places["discord", "1"].table_id].round.hand_id
    if verb == "adjust":
        do(house, "bea fold", AT)
    if verb == "table turner":
        for line in ("anna bet south 20", "bea bet south 20", "anna squeeze"):
            assert not do(house, line, AT).refused
        house.wait(20)
    if verb == "table invite":
        do(house, "insp table private on friends", AT)
    if verb == "unban":
        do(house, "insp ban bea cheating", AT, sure=True)
    if verb == "inspector remove":
        do(house, "insp inspector add bea", AT, sure=True)
    if verb == "table resume":
        do(house, "insp table pause why", AT)
    if verb in ("table open", "table mirror"):
        internal_command(house, "discord:2", "enter", "1")
        values["elsewhere"] = 2
        if verb == "table mirror":
            do(house, "insp table open uth", "discord:2")
        do(house, "insp table close why", AT, sure=True)
    if verb in ("house join", "house leave"):
        found(house, "telegram:1")
        values["code"] = says(house, "insp house code", "telegram:1").split()[3].rstrip(".")
    if verb == "house leave":
        do(house, f"insp house join {values['code']}", AT, sure=True)
    return values


def wait_for_a_key(house):
    """Store a prize that waits for a hand unknown to the store, so that its replay fails."""
    casino = house.writer.state.casinos[casino_at(house, AT)]
    bea = house.writer.state.identity("discord", "bea")
    prize = Prize(
        HAND, CARIBBEAN, "1", bea, "flush", False, 0, PrizeInputs(0, 0, {}, 0, 0, {}, 0), 1, (), house.clock.now
    )
    house.writer.state.casinos[casino.id] = with_prizes(casino, (prize,))


@pytest.mark.parametrize("verb", ACTS)
def test_every_admin_command_leaves_exactly_one_record_in_the_log_of_each_casino_it_touches(house, verb):
    line = ACTS[verb].format(**({"hand": 0, "elsewhere": 0, "code": 0, "tournament": 0} | prepare(house, verb)))
    if verb in ("meter confirm", "meter reject"):
        wait_for_a_key(house)
    if verb == "adjust":
        line = line.replace("adjust 1 anna", f"adjust {last_hand(house)} bea")
    before = log(house)
    answer = do(house, f"insp {line}", AT)
    if answer.confirm:
        assert log(house) == before
        answer = do(house, f"insp {line}", AT, sure=True)
    assert not answer.refused, answer
    new = log(house)[len(before) :]
    casinos = [row[0] for row in new]
    assert len(new) == (2 if verb in ("house join", "house leave") else 1)
    assert len(set(casinos)) == len(casinos)
    insp = house.writer.state.identity("discord", "insp")
    assert {(who, act) for _casino, who, act, _reason in new} == {(insp, verb)}
    assert "REASON" in CHAT_COMMANDS[verb].usage
    assert all(reason for *_others, reason in new)


def last_hand(house):
    return ask(house.books, "SELECT max(id) FROM hands WHERE status = 'over'")[0][0]


def log(house):
    return ask(house.books, "SELECT casino, who, act, reason FROM audit ORDER BY id")


@pytest.mark.parametrize("verb", [verb for verb in ACTS if not {verb, verb.split()[0]} & OF_CASINO])
def test_an_act_at_a_table_is_found_by_that_table(house, verb):
    line = ACTS[verb].format(**({"hand": 0, "elsewhere": 0, "tournament": 0} | prepare(house, verb)))
    here = table_here(house)
    if verb in ("meter confirm", "meter reject"):
        wait_for_a_key(house)
        here = house.table()  # where the prize was won
    if verb == "adjust":
        line = line.replace("adjust 1 anna", f"adjust {last_hand(house)} bea")
    assert not do(house, f"insp {line}", AT, sure=True).refused
    if verb in ("table open", "table mirror", "tournament schedule"):
        here = table_here(house)
    casino = casino_at(house, AT)
    (act,) = latest_acts(house.books, casino, 1)
    assert act.row.act == verb
    assert act in latest_acts(house.books, casino, 9, table=here.number)
    assert act not in latest_acts(house.books, casino, 9, table=here.number + 100)


def table_here(house):
    return house.table(house.writer.state.places["discord", "1"].table_id or 1)


@pytest.mark.parametrize("verb", READING)
def test_what_only_looks_or_is_refused_leaves_no_record(house, verb):
    house.do(f"insp {verb}")
    assert log(house) == []


def great_prize(house):
    """Three inspectors by name, and a prize for anna that needs two keys."""
    for name in ("one", "two", "three"):
        house.do(f"{name} balance")
        house.do(f"insp inspector add {name}", sure=True)
    assert not house.do("insp meter set hand_pay keys why", sure=True).refused
    house.deal("anna bet 50 jackpot")
    house.do("anna fold")
    assert "needs 2 confirmations" in house.says("anna jackpot")


@pytest.mark.parametrize("house", ["royal flush"], indirect=True)
def test_CS23_the_same_person_a_linked_or_a_former_account_is_no_second_key(house):
    great_prize(house)
    assert not house.do("one meter confirm").refused
    assert house.do("one meter confirm").clause == "CS23"
    house.wait(1)
    house.do("alias balance")
    link_as_once(house, "one@web:1", "alias@web:1")
    assert do(house, "alias meter confirm", "web:1").clause == "CS23"
    do(house, "alias unlink", "web:1", sure=True)
    assert do(house, "alias meter confirm", "web:1", inspector=True).clause == "CS23"
    assert says(house, "two meter confirm", "web:1") == "Confirmed: 10,000.90 is paid."


@pytest.mark.parametrize("house", ["royal flush"], indirect=True)
def test_CS23_who_played_in_the_hand_turns_no_key_under_any_name(house):
    great_prize(house)
    house.do("insp inspector add anna", sure=True)
    assert house.says("anna meter confirm") == "You played in that hand. Another inspector must confirm it."
    # A player with a waiting prize cannot be linked into another one, but can take over another account.
    house.wait(1)
    house.do("late balance")
    link_as_once(house, "anna@web:1", "late@web:1")
    assert house.says("late meter confirm") == "You played in that hand. Another inspector must confirm it."
    house.do("late unlink", sure=True)
    assert "You played in that hand" in says(house, "late meter confirm", "web:1", inspector=True)


def test_the_records_of_the_log_are_plain_text(house):
    house.do("anna balance")
    house.do("insp grant anna 5 ünïcode\u2028<b>", sure=True)
    (row,) = ask(house.books, "SELECT * FROM audit")
    json.dumps(row)
