"""Actions in games where players reveal cards themselves: equal bets, a choice of the inspector, reveals."""

from collections.abc import Callable

from bot.core.commands.command import Command
from bot.core.state.place import Place
from bot.core.state.table import Table
from tests.simulation.crowd import Crowd
from tests.simulation.world import Plan, World, until


def bet_alike(game: str, position: str) -> Callable[[World], Plan]:
    """Make two equal highest bets on a position, whose cards one bettor wants to reveal: an inspector decides
    (PJ12).
    """

    def plan(world: World) -> Plan:
        at = world.crowd.place_of(game)
        if at is None:
            return
        people = [world.crowd.somebody(at.platform) for _player in range(2)]
        inspector = world.inspector(at.platform)
        yield from until(world, at, lambda table: table.round.hand is None)
        for who in people:
            yield world.say(inspector, at, f"grant {who.name} 500 test")
            yield world.say(who, at, "takeback")
            yield world.say(who, at, f"bet {position} max")
            table = world.at(at)
            if table is not None and world.crowd.player(who) not in table.wants_to_turn:
                yield world.say(who, at, "squeeze")
        yield from until(world, at, lambda table: bool(table.round.turning))
        yield world.say(inspector, at, f"table turner {position} {people[0].name} test")
        yield world.say(people[0], at, f"squeeze {position}")

    return plan


def turn(crowd: Crowd, at: Place, table: Table) -> Command | None:
    """Let a player reveal cards, in turn or too early, or an inspector name the player."""
    if not table.round.turning:
        return None
    position = crowd.rng.choice(list(table.round.turning))
    if player := table.round.turning[position]:
        who = crowd.one_of(at, [player]) or crowd.somebody(at.platform)
        return crowd.say(who, at, crowd.rng.choice((f"squeeze {position}", "squeeze", "squeeze off")))
    chosen = crowd.one_of(at, [bet.player for bet in table.round.bets]) or crowd.somebody(at.platform)
    inspector = crowd.somebody(at.platform, inspects=True)
    return crowd.say(inspector, at, f"table turner {position} {chosen.name} test")
