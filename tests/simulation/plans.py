"""Sequences of commands at any table: linked accounts, joining communities, private places."""

from collections.abc import Callable, Iterable, Mapping

from bot.config import CHATS
from bot.core.casinos import notify
from bot.core.commands.command import Who
from bot.core.state.lounge import LOBBY, is_room
from bot.core.state.place import Place
from bot.texts import LANGUAGES
from tests.simulation.behavior import BEHAVIORS, first_bet
from tests.simulation.world import Plan, World, until, value_of, wait


def link_accounts(world: World) -> Plan:
    """Link two accounts of one person on two platforms by a code; later unlink one of them."""
    one_place, other_place = _two_places(world)
    one, other = (world.crowd.somebody(place.platform) for place in (one_place, other_place))
    for who, place in ((one, one_place), (other, other_place)):
        yield world.say(who, place, "balance")
        yield from _leave(world, who)
    answer = yield world.say(one, one_place, "link")
    code = value_of(answer, "code")
    if code is None:
        return
    yield world.say(other, other_place, f"link {code}")._replace(confirmed=False)
    yield world.say(other, other_place, f"link {code}")
    yield from wait(world.crowd.rng.randrange(60))
    yield world.say(other, other_place, "unlink")


def _leave(world: World, who: Who) -> Plan:
    player = world.crowd.faces.get((who.platform, who.account))
    for key in world.crowd.with_table:
        table = world.at(Place(*key))
        if table is not None and player in table.players():
            yield world.say(who, Place(who.platform, key[1]), "leave") if key[0] == who.platform else None


def join_casino(world: World) -> Plan:
    """Let a community with idle tables join another platform's casino by its code, play there, and leave again."""
    host, guest = Place(CHATS[-1], f"{CHATS[-1]} home"), Place(CHATS[0], "second home")
    at = _places_of(world, guest)
    if not at:
        return
    yield from _to_rest(world, at)
    answer = yield world.say(world.inspector(host.platform), host, "house code test")
    code = value_of(answer, "code")
    yield world.say(world.inspector(guest.platform), at[0], f"house join {code} test")._replace(confirmed=False)
    yield world.say(world.inspector(guest.platform), at[0], f"house join {code} test")
    yield from _resume(world, at)
    yield world.say(world.inspector(guest.platform), at[0], "grant player1 50 test")
    yield from wait(40)
    yield from _to_rest(world, at)
    yield world.say(world.inspector(guest.platform), at[0], "house leave test")
    yield from _resume(world, at)


def end_season(world: World) -> Plan:
    """End the season of a community with idle tables: every wallet starts again."""
    home = Place(CHATS[-1], "second home")
    at = _places_of(world, home)
    if not at:
        return
    yield from _to_rest(world, at)
    yield world.say(world.inspector(home.platform), at[0], "house reset test")._replace(confirmed=False)
    yield world.say(world.inspector(home.platform), at[0], "house reset test")
    yield from _resume(world, at)


def play_alone(world: World) -> Plan:
    """Play against the bank in a private chat, in its own casino or in the one last used."""
    who = world.crowd.somebody(world.crowd.rng.choice(CHATS))
    at = Place(who.platform, f"@{who.account}")
    game = world.crowd.rng.choice(world.crowd.games)
    yield world.internal_command(at, "call on", who.account, who.name, who.language)
    yield world.internal_command(at, "open own", game, who.language)
    yield world.say(who, at, first_bet(game))
    yield world.say(who, Place(who.platform, ""), "balance")
    yield from wait(5)
    yield world.internal_command(at, "lose")
    yield world.say(who, Place(who.platform, ""), "tables")
    yield from wait(20)
    yield world.internal_command(at, "regain")
    yield world.say(who, at, "leave")


def show_elsewhere(world: World) -> Plan:
    """Show another place's table in a place without one; people at both play the same hand."""
    platform = world.crowd.rng.choice(CHATS)
    at = Place(platform, f"mirror {world.crowd.said}")
    yield world.internal_command(at, "enter", f"{platform} home")
    number = world.crowd.rng.randint(1, len(world.crowd.games))
    answer = yield world.say(world.inspector(platform), at, f"table mirror {number} test")
    if answer is None or answer.refused:
        return
    yield from wait(60)
    yield world.say(world.inspector(platform), at, "table mirror off")


def bring_a_friend(world: World) -> Plan:
    """Invite to a table; only the first person to accept comes in, wherever they do so."""
    crowd = world.crowd
    at = Place(*crowd.rng.choice(crowd.with_table))
    answer = yield world.say(crowd.somebody(at.platform), at, "invite")
    line = value_of(answer, "invitation")
    if line is None:
        return
    elsewhere = crowd.rng.choice(CHATS)
    for _friend in range(2):
        yield world.say(crowd.somebody(elsewhere), Place(elsewhere, ""), line.removeprefix("/"))


def wait_for_notice(world: World) -> Plan:
    """Ask for a notice of a free seat or a busy table; one platform sends it, though two try."""
    crowd = world.crowd
    at = Place(*crowd.rng.choice([key for key in crowd.with_table if not is_room(Place(*key))]))
    yield world.say(crowd.somebody(at.platform), at, f"notify {crowd.rng.choice((notify.SEAT, notify.HOT))}")
    yield from until(world, at, lambda table: notify.due(table) is not None)
    table = world.at(at)
    found = notify.due(table) if table is not None else None
    if found is not None:
        kind, player = found
        for _platform in range(2):
            yield world.internal_command(at, "noticed", kind, str(player))


def tell_the_house(world: World) -> Plan:
    """Report what platforms store: the message of a table, notes, the role of inspectors, the language."""
    crowd = world.crowd
    key = crowd.rng.choice(crowd.with_table)
    at, platform = Place(*key), key[0]
    if is_room(at):
        return
    yield world.internal_command(at, "posted", str(crowd.rng.getrandbits(40)))
    yield world.internal_command(Place(platform, "anything"), "note", "seen", str(crowd.said))
    yield world.internal_command(Place(platform, "anything"), "note first", "seen first", str(crowd.said))
    home, decider = Place(platform, f"{platform} home"), crowd.of[platform][0].account
    yield world.internal_command(home, "entrust", str(crowd.said), decider)
    yield world.internal_command(home, "speak", crowd.rng.choice(tuple(LANGUAGES)), decider)
    yield world.internal_command(home, "arrive", platform, "en")


def use_browsers(world: World) -> Plan:
    """Sign a new person in in the lounge, in a second browser too, let them get a new token, and sign out again."""
    crowd = world.crowd
    account, one, other = (f"{what}{crowd.said}" for what in ("visitor", "browser", "phone"))
    signed_in = yield world.internal_command(
        LOBBY, "sign in", account, f"Visitor {crowd.said}", "en", one, f"token {one}", "Firefox"
    )
    phrase = yield world.internal_command(LOBBY, "keep phrase", account, f"phrase {account}")
    let_in = yield world.internal_command(LOBBY, "let in", other, f"token {other}", "Safari", account)
    if any(answer is None or answer.refused for answer in (signed_in, phrase, let_in)):
        return
    yield world.internal_command(LOBBY, "turn token", other, f"newer {other}")
    yield world.internal_command(LOBBY, "see browser", other, "Safari")
    yield world.internal_command(LOBBY, "rename", account, f"Another {crowd.said}")
    yield world.internal_command(LOBBY, "sign out", account, one, other)


PLANS: Mapping[Callable[[World], Plan], int] = {
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


def plans_of(games: Iterable[str]) -> dict[Callable[[World], Plan], int]:
    """Return {plan: weight}: common ones, and those for tables of these games."""
    return {**PLANS, **{plan: often for game in games for plan, often in BEHAVIORS[game].plans.items()}}


def _two_places(world: World) -> tuple[Place, Place]:
    keys = world.crowd.with_table
    one = world.crowd.rng.choice(keys)
    other = world.crowd.rng.choice([key for key in keys if key[0] != one[0]])
    return Place(*one), Place(*other)


def _places_of(world: World, home: Place) -> list[Place]:
    """Return the community's places with tables; its home's name begins like theirs."""
    community = home.address.partition(" ")[0]
    return [
        Place(row.platform, row.address)
        for row in world.house.places.values()
        if row.table_id and row.platform == home.platform and row.address.startswith(f"{community} ")
    ]


def _to_rest(world: World, at: Iterable[Place]) -> Plan:
    for place in at:
        yield world.say(world.inspector(place.platform), place, "table pause test")
    for place in at:
        yield from until(world, place, lambda table: table.round.hand is None)
        yield world.say(world.inspector(place.platform), place, "table pause test")


def _resume(world: World, at: Iterable[Place]) -> Plan:
    for place in at:
        yield world.say(world.inspector(place.platform), place, "table resume")
