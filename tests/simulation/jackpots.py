"""Jackpots of Caribbean Stud that are won and confirmed, and acts of inspectors on the meter."""

import hashlib

from bot.config import CHATS
from bot.core.state.place import Place
from tests.simulation.world import Plan, World, until

# Server seeds whose first five cards are these when the only player has cut with "x"; found by trying.
DEALS = {
    "full house": 299,
    "flush": 124,
    "straight flush": 25280,
    "royal flush": 940420,
}


def win_jackpot(world: World) -> Plan:
    """Let a lone player with a coin win by a known deck, and inspectors turn their keys (CS22, CS23)."""
    crowd, platform = world.crowd, world.crowd.rng.choice(CHATS)
    at, home = Place(platform, f"room {crowd.said}"), f"{platform} home"
    inspectors, winner = crowd.of[platform][:3], crowd.of[platform][-1 - crowd.rng.randrange(30)]
    yield world.internal_command(at, "enter", home)
    for inspector in inspectors:
        yield world.say(inspectors[0], at, f"inspector add {inspector.name}")
    keys = crowd.rng.random() < 0.8
    if keys:
        yield world.say(inspectors[0], at, "meter set hand_pay keys test")
    world.seeds.append(_seed(crowd.rng.choice(list(DEALS))))
    yield world.say(inspectors[0], at, "table open caribbean")
    world.seeds.clear()
    yield world.say(winner, at, "balance")
    yield world.say(inspectors[0], at, f"unban {winner.name} test")
    yield world.say(inspectors[0], at, f"grant {winner.name} 500 test")
    yield world.say(winner, at, "bet ante 10 jackpot")
    yield world.say(winner, at, "cut x")
    yield world.say(winner, at, "ready")
    yield from until(world, at, lambda table: table.round.hand is not None)
    yield world.say(winner, at, "raise")
    yield from until(world, at, lambda table: table.round.hand is None)
    if keys:
        yield world.say(inspectors[0], at, "jackpot")
        yield world.say(inspectors[0], at, "meter reject test")
        for inspector in inspectors:
            yield world.say(inspector, at, "meter confirm")
        yield world.say(inspectors[0], at, "meter set hand_pay automatic test")
    yield world.say(inspectors[0], at, "table close test")


def _seed(name: str) -> bytes:
    return hashlib.sha256(str(DEALS[name]).encode()).digest()


METER = (
    "meter reset 12345 test",
    "meter set coin 2 test",
    "meter set coin 1 test",
    "meter set flush 60 test",
    "meter set reset 8k test",
    "meter set contribution 85 test",
    "meter set 11k test",
    "meter confirm",
)
"""Inspectors' further commands about a meter."""
