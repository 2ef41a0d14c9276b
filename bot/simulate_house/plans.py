"""What takes more than one word: accounts that are linked, communities that join, jackpots that are won and confirmed.

A plan is a generator. It yields a command and receives the answer, or yields None and waits a step. It plays its part
among everybody else's noise and may come to nothing; then it just ends.
"""

import hashlib
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass

from bot.floor.command import Answer, Command, Place, Who
from bot.floor.house import House
from bot.floor.places import errand_of
from bot.floor.table import Table
from bot.simulate_house.crowd import Crowd

Plan = Generator[Command | None, Answer | None, None]
# Longest wait for a table to come to rest.
PATIENCE = 150
# Server seeds whose first five cards are these when the only player has cut with "x"; found by trying.
DEALS = {
    "full house": 160,
    "flush": 425,
    "straight flush": 55243,
    "royal flush": 657693,
}


@dataclass
class Town:
    """What plans see and hold: the house as it is published, the crowd, and the next seed where one is wanted."""

    crowd: Crowd
    house: House
    seeds: list[bytes]

    def at(self, place: Place) -> Table | None:
        return self.crowd.table_at(place)

    def say(self, who: Who, at: Place, line: str, verb: str = "") -> Command:
        """A line as it is typed; `verb` where it has two words."""
        name = verb or line.partition(" ")[0]
        return self.crowd.command(who, at, name, line.removeprefix(name).split())

    def errand(self, at: Place, verb: str, *args: str) -> Command:
        self.crowd.said += 1
        return errand_of(f"{self.crowd.seed}:house:{self.crowd.said}", at, verb, *args)

    def inspector(self, platform: str) -> Who:
        return self.crowd.somebody(platform, inspects=True)


def link_accounts(town: Town) -> Plan:
    """Two accounts of one person on two platforms, by a code; later one of them goes its own way again."""
    one_place, other_place = _two_places(town)
    one, other = (town.crowd.somebody(place.platform) for place in (one_place, other_place))
    for who, place in ((one, one_place), (other, other_place)):
        yield town.say(who, place, "balance")
        yield from _leave(town, who)
    answer = yield town.say(one, one_place, "link")
    code = _value(answer, "code")
    if code is None:
        return
    yield town.say(other, other_place, f"link {code}")._replace(confirmed=False)
    yield town.say(other, other_place, f"link {code}")
    yield from _wait(town.crowd.rng.randrange(60))
    yield town.say(other, other_place, "unlink")


def _leave(town: Town, who: Who) -> Plan:
    player = town.crowd.faces.get((who.platform, who.account))
    for key in town.crowd.with_table:
        table = town.at(Place(*key))
        if table is not None and player in table.players():
            yield town.say(who, Place(who.platform, key[1]), "leave") if key[0] == who.platform else None


def join_casino(town: Town) -> Plan:
    """A community whose tables rest joins another platform's casino by its code, plays there, and leaves again."""
    host, guest = Place("telegram", "telegram home"), Place("discord", "second home")
    at = _places_of(town, guest)
    if not at:
        return
    yield from _to_rest(town, at)
    answer = yield town.say(town.inspector("telegram"), host, "house code storm", "house code")
    code = _value(answer, "code")
    yield town.say(town.inspector("discord"), at[0], f"house join {code} storm", "house join")._replace(confirmed=False)
    yield town.say(town.inspector("discord"), at[0], f"house join {code} storm", "house join")
    yield from _resume(town, at)
    yield town.say(town.inspector("discord"), at[0], "grant player1 50 storm")
    yield from _wait(40)
    yield from _to_rest(town, at)
    yield town.say(town.inspector("discord"), at[0], "house leave storm", "house leave")
    yield from _resume(town, at)


def end_season(town: Town) -> Plan:
    """A community's tables rest, every wallet starts again."""
    at = _places_of(town, Place("telegram", "second home"))
    if not at:
        return
    yield from _to_rest(town, at)
    yield town.say(town.inspector("telegram"), at[0], "house reset storm", "house reset")._replace(confirmed=False)
    yield town.say(town.inspector("telegram"), at[0], "house reset storm", "house reset")
    yield from _resume(town, at)


def win_jackpot(town: Town) -> Plan:
    """A lone player with a coin, a deck that is known, and inspectors who turn their keys (CS22, CS23)."""
    crowd, platform = town.crowd, town.crowd.rng.choice(("discord", "telegram"))
    at, home = Place(platform, f"room {crowd.said}"), f"{platform} home"
    keepers, winner = crowd.of[platform][:3], crowd.of[platform][-1 - crowd.rng.randrange(30)]
    yield town.errand(at, "enter", home)
    for keeper in keepers:
        yield town.say(keepers[0], at, f"inspector add {keeper.name}", "inspector add")
    keys = crowd.rng.random() < 0.8
    if keys:
        yield town.say(keepers[0], at, "meter set hand_pay keys storm", "meter set")
    town.seeds.append(_seed(crowd.rng.choice(list(DEALS))))
    yield town.say(keepers[0], at, "table open caribbean", "table open")
    town.seeds.clear()
    yield town.say(winner, at, "balance")
    yield town.say(keepers[0], at, f"unban {winner.name} storm")
    yield town.say(keepers[0], at, f"grant {winner.name} 500 storm")
    yield town.say(winner, at, "bet ante 10 jackpot")
    yield town.say(winner, at, "cut x")
    yield town.say(winner, at, "ready")
    yield from _until(town, at, lambda table: table.play is not None)
    yield town.say(winner, at, "raise")
    yield from _until(town, at, lambda table: table.play is None)
    if keys:
        yield town.say(keepers[0], at, "jackpot")
        yield town.say(keepers[0], at, "meter reject storm", "meter reject")
        for keeper in keepers:
            yield town.say(keeper, at, "meter confirm", "meter confirm")
        yield town.say(keepers[0], at, "meter set hand_pay automatic storm", "meter set")
    yield town.say(keepers[0], at, "table close storm", "table close")


def _seed(name: str) -> bytes:
    return hashlib.sha256(str(DEALS[name]).encode()).digest()


def bet_alike(town: Town) -> Plan:
    """Two equal highest bets on a position, one of which wants to turn the cards: an inspector decides (PJ12)."""
    found = [key for key in town.crowd.with_table if (table := town.at(Place(*key))) and table.game == "paiju"]
    if not found:
        return
    at = Place(*town.crowd.rng.choice(found))
    people = [town.crowd.somebody(at.platform) for _player in range(2)]
    inspector = town.inspector(at.platform)
    yield from _until(town, at, lambda table: table.play is None)
    for who in people:
        yield town.say(inspector, at, f"grant {who.name} 500 storm")
        yield town.say(who, at, "takeback")
        yield town.say(who, at, "bet south max")
        table, player = town.at(at), town.crowd.faces.get((who.platform, who.account))
        if table is not None and player not in table.memory.get("squeeze", []):
            yield town.say(who, at, "squeeze")
    yield from _until(town, at, lambda table: bool(table.turning))
    yield town.say(inspector, at, f"table turner south {people[0].name} storm", "table turner")
    yield town.say(people[0], at, "squeeze south")


def bet_behind(town: Town) -> Plan:
    """A co-player follows the holder of his box, and then he does not any more (BJ13)."""
    found = [key for key in town.crowd.with_table if (table := town.at(Place(*key))) and table.game == "blackjack"]
    if not found:
        return
    at, box = Place(*town.crowd.rng.choice(found)), town.crowd.rng.randint(1, 4)
    holder, follower = (town.crowd.somebody(at.platform) for _player in range(2))
    yield from _until(town, at, lambda table: table.play is None)
    for who, bet in ((holder, 50), (follower, 10)):
        yield town.say(town.inspector(at.platform), at, f"grant {who.name} 300 storm")
        yield town.say(who, at, "follow on")
        yield town.say(who, at, f"bet {box} {bet}")
    yield from _until(town, at, lambda table: table.play is not None)
    me = town.crowd.faces.get((follower.platform, follower.account))
    yield from _until(town, at, lambda table: table.play is None or me in _beside(table))
    yield town.say(follower, at, "stay")


def _beside(table: Table) -> list[int]:
    """Who may stop following now."""
    owners = table.owners()
    return [owners[key] for key in table.play.felt.aside] if table.play is not None else []


def play_alone(town: Town) -> Plan:
    """A private chat of one person: a casino of his own or the one that he used last, a table against the bank."""
    who = town.crowd.somebody(town.crowd.rng.choice(("discord", "telegram")))
    at = Place(who.platform, f"@{who.account}")
    game = town.crowd.rng.choice(("caribbean", "uth", "paiju", "blackjack", "stud"))
    yield town.errand(at, "call on", who.account, who.name, who.language)
    yield town.errand(at, "open own", game, who.language)
    yield town.say(who, at, "bet south 20" if game == "paiju" else "bet 10")
    yield town.say(who, Place(who.platform, ""), "balance")
    yield from _wait(5)
    yield town.errand(at, "lose")
    yield town.say(who, Place(who.platform, ""), "tables")
    yield from _wait(20)
    yield town.errand(at, "regain")
    yield town.say(who, at, "leave")


def show_elsewhere(town: Town) -> Plan:
    """A place without a table shows another's; people at both play the same hand."""
    platform = town.crowd.rng.choice(("discord", "telegram"))
    at = Place(platform, f"mirror {town.crowd.said}")
    yield town.errand(at, "enter", f"{platform} home")
    number = town.crowd.rng.randint(1, 5)
    answer = yield town.say(town.inspector(platform), at, f"table mirror {number} storm", "table mirror")
    if answer is None or answer.refused:
        return
    yield from _wait(60)
    yield town.say(town.inspector(platform), at, "table mirror off", "table mirror")


def tell_the_house(town: Town) -> Plan:
    """What adapters keep and tell: the message that shows a table, notes, the role of inspectors, outages."""
    crowd = town.crowd
    key = crowd.rng.choice(crowd.with_table)
    at, platform = Place(*key), key[0]
    if platform == "web":
        return
    yield town.errand(at, "posted", str(crowd.rng.getrandbits(40)))
    yield town.errand(Place(platform, "anything"), "note", "seen", str(crowd.said))
    yield town.errand(Place(platform, f"{platform} home"), "entrust", str(crowd.said), crowd.of[platform][0].account)
    yield town.errand(Place(platform, f"{platform} home"), "arrive", platform, "en")


PLANS: dict[Callable[[Town], Plan], int] = {
    link_accounts: 5,
    join_casino: 5,
    end_season: 3,
    win_jackpot: 2,
    bet_alike: 6,
    bet_behind: 6,
    play_alone: 3,
    show_elsewhere: 4,
    tell_the_house: 2,
}


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
        yield town.say(town.inspector(place.platform), place, "table pause storm", "table pause")
    for place in at:
        yield from _until(town, place, lambda table: table.play is None)
        yield town.say(town.inspector(place.platform), place, "table pause storm", "table pause")


def _resume(town: Town, at: Iterable[Place]) -> Plan:
    for place in at:
        yield town.say(town.inspector(place.platform), place, "table resume", "table resume")


def _until(town: Town, at: Place, is_so: Callable[[Table], bool]) -> Plan:
    for _step in range(PATIENCE):
        table = town.at(at)
        if table is None or is_so(table):
            return
        yield None


def _wait(steps: int) -> Plan:
    for _step in range(steps):
        yield None


def _value(answer: Answer | None, name: str) -> str | None:
    found = answer.texts[0].values.get(name) if answer is not None and not answer.refused else None
    return str(found) if found is not None else None
