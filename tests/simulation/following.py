"""Followers in games with bets behind a box: they follow its holder, or stop following (BJ13)."""

from collections.abc import Callable

from bot.core.state.table import Table
from tests.simulation.world import Plan, World, until


def bet_behind(game: str) -> Callable[[World], Plan]:
    """Let a player behind a box follow its holder, and then stop (BJ13)."""

    def plan(world: World) -> Plan:
        at, box = world.crowd.place_of(game), world.crowd.rng.randint(1, 4)
        if at is None:
            return
        holder, follower = (world.crowd.somebody(at.platform) for _player in range(2))
        yield from until(world, at, lambda table: table.round.hand is None)
        for who, bet in ((holder, 50), (follower, 10)):
            yield world.say(world.inspector(at.platform), at, f"grant {who.name} 300 test")
            yield world.say(who, at, "follow on")
            yield world.say(who, at, f"bet {box} {bet}")
        yield from until(world, at, lambda table: table.round.hand is not None)
        me = world.crowd.player(follower)
        yield from until(world, at, lambda table: table.round.hand is None or me in _beside(table))
        yield world.say(follower, at, "stay")

    return plan


def _beside(table: Table) -> list[int]:
    """Return the players who may stop following now."""
    owners = table.owners()
    return [owners[key] for key in table.round.hand.aside] if table.round.hand is not None else []
