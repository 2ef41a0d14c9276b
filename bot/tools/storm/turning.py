"""What a storm does where players turn cards themselves: bets that are equal, an inspector between them, turns."""

from collections.abc import Callable

from bot.house.speech.command import Command, Place
from bot.house.state.table import Table
from bot.tools.storm.crowd import Crowd
from bot.tools.storm.town import Plan, Town, until


def bet_alike(game: str, position: str) -> Callable[[Town], Plan]:
    """Two equal highest bets on a position, one of which wants to turn the cards: an inspector decides (PJ12)."""

    def plan(town: Town) -> Plan:
        at = town.crowd.place_of(game)
        if at is None:
            return
        people = [town.crowd.somebody(at.platform) for _player in range(2)]
        inspector = town.inspector(at.platform)
        yield from until(town, at, lambda table: table.play is None)
        for who in people:
            yield town.say(inspector, at, f"grant {who.name} 500 storm")
            yield town.say(who, at, "takeback")
            yield town.say(who, at, f"bet {position} max")
            table = town.at(at)
            if table is not None and town.crowd.player(who) not in table.wants_to_turn:
                yield town.say(who, at, "squeeze")
        yield from until(town, at, lambda table: bool(table.turning))
        yield town.say(inspector, at, f"table turner {position} {people[0].name} storm")
        yield town.say(people[0], at, f"squeeze {position}")

    return plan


def waits(table: Table) -> bool:
    """For an inspector to say who of equal bettors turns the cards."""
    return not all(table.turning.values())


def turn(crowd: Crowd, at: Place, table: Table) -> Command | None:
    """One who turns cards does it, in his turn or too early, or an inspector names him."""
    if not table.turning:
        return None
    position = crowd.rng.choice(list(table.turning))
    if player := table.turning[position]:
        who = crowd.one_of(at, [player]) or crowd.somebody(at.platform)
        return crowd.say(who, at, crowd.rng.choice((f"squeeze {position}", "squeeze", "squeeze off")))
    chosen = crowd.one_of(at, [bet.player for bet in table.bets]) or crowd.somebody(at.platform)
    inspector = crowd.somebody(at.platform, inspects=True)
    return crowd.say(inspector, at, f"table turner {position} {chosen.name} storm")
