"""Black jack in a storm: boxes, and co-players who follow their holder or do not any more (BJ13)."""

from bot.house.state.table import Table
from bot.tools.storm.games import Storm
from bot.tools.storm.town import Plan, Town, until


def bet_behind(town: Town) -> Plan:
    """A co-player follows the holder of his box, and then he does not any more (BJ13)."""
    at, box = town.crowd.place_of("blackjack"), town.crowd.rng.randint(1, 4)
    if at is None:
        return
    holder, follower = (town.crowd.somebody(at.platform) for _player in range(2))
    yield from until(town, at, lambda table: table.play is None)
    for who, bet in ((holder, 50), (follower, 10)):
        yield town.say(town.inspector(at.platform), at, f"grant {who.name} 300 storm")
        yield town.say(who, at, "follow on")
        yield town.say(who, at, f"bet {box} {bet}")
    yield from until(town, at, lambda table: table.play is not None)
    me = town.crowd.player(follower)
    yield from until(town, at, lambda table: table.play is None or me in _beside(table))
    yield town.say(follower, at, "stay")


def _beside(table: Table) -> list[int]:
    """Who may stop following now."""
    owners = table.owners()
    return [owners[key] for key in table.play.aside] if table.play is not None else []


STORM = Storm(
    bets=("bet {seat} {amount}", "bet {seat} 10", "bet {amount}", "bet {seat} {amount} admiral 10"),
    open_cards={"dealer": 1, "": 99},  # BJ8: the dealer draws when everybody is done
    says=("follow on", "follow on", "follow off", "standing stand-15"),
    inspects=(
        "table set boxes_per_player 7 storm",
        "table set penetration 60 storm",
        "table set hits_soft_17 on storm",
        "table set double_soft on storm",
    ),
    plans={bet_behind: 6},
)
