"""What takes more than one word at any table: accounts that are linked, communities that join, places of one's own."""

from collections.abc import Callable, Iterable, Mapping

from bot.config import CHATS
from bot.house import notify
from bot.house.lounge import LOBBY, is_room
from bot.house.speech.command import Place, Who
from bot.texts import LANGUAGES
from bot.tools.storm.games import STORMS, first_bet
from bot.tools.storm.town import Plan, Town, until, value_of, wait


def link_accounts(town: Town) -> Plan:
    """Two accounts of one person on two platforms, by a code; later one of them goes its own way again."""
    one_place, other_place = _two_places(town)
    one, other = (town.crowd.somebody(place.platform) for place in (one_place, other_place))
    for who, place in ((one, one_place), (other, other_place)):
        yield town.say(who, place, "balance")
        yield from _leave(town, who)
    answer = yield town.say(one, one_place, "link")
    code = value_of(answer, "code")
    if code is None:
        return
    yield town.say(other, other_place, f"link {code}")._replace(confirmed=False)
    yield town.say(other, other_place, f"link {code}")
    yield from wait(town.crowd.rng.randrange(60))
    yield town.say(other, other_place, "unlink")


def _leave(town: Town, who: Who) -> Plan:
    player = town.crowd.faces.get((who.platform, who.account))
    for key in town.crowd.with_table:
        table = town.at(Place(*key))
        if table is not None and player in table.players():
            yield town.say(who, Place(who.platform, key[1]), "leave") if key[0] == who.platform else None


def join_casino(town: Town) -> Plan:
    """A community whose tables rest joins another platform's casino by its code, plays there, and leaves again."""
    host, guest = Place(CHATS[-1], f"{CHATS[-1]} home"), Place(CHATS[0], "second home")
    at = _places_of(town, guest)
    if not at:
        return
    yield from _to_rest(town, at)
    answer = yield town.say(town.inspector(host.platform), host, "house code storm")
    code = value_of(answer, "code")
    yield town.say(town.inspector(guest.platform), at[0], f"house join {code} storm")._replace(confirmed=False)
    yield town.say(town.inspector(guest.platform), at[0], f"house join {code} storm")
    yield from _resume(town, at)
    yield town.say(town.inspector(guest.platform), at[0], "grant player1 50 storm")
    yield from wait(40)
    yield from _to_rest(town, at)
    yield town.say(town.inspector(guest.platform), at[0], "house leave storm")
    yield from _resume(town, at)


def end_season(town: Town) -> Plan:
    """A community's tables rest, every wallet starts again."""
    home = Place(CHATS[-1], "second home")
    at = _places_of(town, home)
    if not at:
        return
    yield from _to_rest(town, at)
    yield town.say(town.inspector(home.platform), at[0], "house reset storm")._replace(confirmed=False)
    yield town.say(town.inspector(home.platform), at[0], "house reset storm")
    yield from _resume(town, at)


def play_alone(town: Town) -> Plan:
    """A private chat of one person: a casino of his own or the one that he used last, a table against the bank."""
    who = town.crowd.somebody(town.crowd.rng.choice(CHATS))
    at = Place(who.platform, f"@{who.account}")
    game = town.crowd.rng.choice(town.crowd.games)
    yield town.errand(at, "call on", who.account, who.name, who.language)
    yield town.errand(at, "open own", game, who.language)
    yield town.say(who, at, first_bet(game))
    yield town.say(who, Place(who.platform, ""), "balance")
    yield from wait(5)
    yield town.errand(at, "lose")
    yield town.say(who, Place(who.platform, ""), "tables")
    yield from wait(20)
    yield town.errand(at, "regain")
    yield town.say(who, at, "leave")


def show_elsewhere(town: Town) -> Plan:
    """A place without a table shows another's; people at both play the same hand."""
    platform = town.crowd.rng.choice(CHATS)
    at = Place(platform, f"mirror {town.crowd.said}")
    yield town.errand(at, "enter", f"{platform} home")
    number = town.crowd.rng.randint(1, len(town.crowd.games))
    answer = yield town.say(town.inspector(platform), at, f"table mirror {number} storm")
    if answer is None or answer.refused:
        return
    yield from wait(60)
    yield town.say(town.inspector(platform), at, "table mirror off")


def bring_a_friend(town: Town) -> Plan:
    """Somebody invites to a table; who accepts first comes in, wherever he says it, and nobody after him."""
    crowd = town.crowd
    at = Place(*crowd.rng.choice(crowd.with_table))
    answer = yield town.say(crowd.somebody(at.platform), at, "invite")
    line = value_of(answer, "invitation")
    if line is None:
        return
    elsewhere = crowd.rng.choice(CHATS)
    for _friend in range(2):
        yield town.say(crowd.somebody(elsewhere), Place(elsewhere, ""), line.removeprefix("/"))


def wait_for_notice(town: Town) -> Plan:
    """Somebody is told that much is going on at a table, or that he may sit down; by one door, though two try."""
    crowd = town.crowd
    at = Place(*crowd.rng.choice([key for key in crowd.with_table if not is_room(Place(*key))]))
    yield town.say(crowd.somebody(at.platform), at, f"notify {crowd.rng.choice((notify.SEAT, notify.HOT))}")
    yield from until(town, at, lambda table: notify.due(table) is not None)
    table = town.at(at)
    found = notify.due(table) if table is not None else None
    if found is not None:
        kind, player = found
        for _door in range(2):
            yield town.errand(at, "noticed", kind, str(player))


def tell_the_house(town: Town) -> Plan:
    """What doors keep and tell: the message that shows a table, notes, the role of inspectors, the language."""
    crowd = town.crowd
    key = crowd.rng.choice(crowd.with_table)
    at, platform = Place(*key), key[0]
    if is_room(at):
        return
    yield town.errand(at, "posted", str(crowd.rng.getrandbits(40)))
    yield town.errand(Place(platform, "anything"), "note", "seen", str(crowd.said))
    yield town.errand(Place(platform, "anything"), "note first", "seen first", str(crowd.said))
    home, decider = Place(platform, f"{platform} home"), crowd.of[platform][0].account
    yield town.errand(home, "entrust", str(crowd.said), decider)
    yield town.errand(home, "speak", crowd.rng.choice(tuple(LANGUAGES)), decider)
    yield town.errand(home, "arrive", platform, "en")


def use_browsers(town: Town) -> Plan:
    """Somebody new signs in in the lounge, in a second browser too, gets a new token there, and signs out again."""
    crowd = town.crowd
    account, one, other = (f"{what}{crowd.said}" for what in ("visitor", "browser", "phone"))
    signed_in = yield town.errand(
        LOBBY, "sign in", account, f"Visitor {crowd.said}", "en", one, f"token {one}", "Firefox"
    )
    phrase = yield town.errand(LOBBY, "keep phrase", account, f"phrase {account}")
    let_in = yield town.errand(LOBBY, "let in", other, f"token {other}", "Safari", account)
    if any(answer is None or answer.refused for answer in (signed_in, phrase, let_in)):
        return
    yield town.errand(LOBBY, "turn token", other, f"newer {other}")
    yield town.errand(LOBBY, "see browser", other, "Safari")
    yield town.errand(LOBBY, "rename", account, f"Another {crowd.said}")
    yield town.errand(LOBBY, "sign out", account, one, other)


PLANS: Mapping[Callable[[Town], Plan], int] = {
    link_accounts: 5,
    join_casino: 5,
    end_season: 3,
    play_alone: 3,
    show_elsewhere: 4,
    bring_a_friend: 2,
    wait_for_notice: 3,
    tell_the_house: 2,
    use_browsers: 2,
}


def plans_of(games: Iterable[str]) -> dict[Callable[[Town], Plan], int]:
    """{plan: how often}: everybody's, and those of the tables of these games."""
    return {**PLANS, **{plan: often for game in games for plan, often in STORMS[game].plans.items()}}


# Parts of plans


def _two_places(town: Town) -> tuple[Place, Place]:
    keys = town.crowd.with_table
    one = town.crowd.rng.choice(keys)
    other = town.crowd.rng.choice([key for key in keys if key[0] != one[0]])
    return Place(*one), Place(*other)


def _places_of(town: Town, home: Place) -> list[Place]:
    """The community's places that have a table; its home is named as they are."""
    community = home.address.partition(" ")[0]
    return [
        Place(row.platform, row.address)
        for row in town.house.places.values()
        if row.table_id and row.platform == home.platform and row.address.startswith(f"{community} ")
    ]


def _to_rest(town: Town, at: Iterable[Place]) -> Plan:
    for place in at:
        yield town.say(town.inspector(place.platform), place, "table pause storm")
    for place in at:
        yield from until(town, place, lambda table: table.play is None)
        yield town.say(town.inspector(place.platform), place, "table pause storm")


def _resume(town: Town, at: Iterable[Place]) -> Plan:
    for place in at:
        yield town.say(town.inspector(place.platform), place, "table resume")
