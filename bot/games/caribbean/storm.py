"""Caribbean in a storm: coins, the meter's inspectors, and jackpots that are won and confirmed."""

import hashlib

from bot.config import CHATS
from bot.house.speech.command import Place
from bot.tools.storm.games import Storm
from bot.tools.storm.town import Plan, Town, until

# Server seeds whose first five cards are these when the only player has cut with "x"; found by trying.
DEALS = {
    "full house": 299,
    "flush": 124,
    "straight flush": 25280,
    "royal flush": 940420,
}


def win_jackpot(town: Town) -> Plan:
    """A lone player with a coin, a deck that is known, and inspectors who turn their keys (CS22, CS23)."""
    crowd, platform = town.crowd, town.crowd.rng.choice(CHATS)
    at, home = Place(platform, f"room {crowd.said}"), f"{platform} home"
    keepers, winner = crowd.of[platform][:3], crowd.of[platform][-1 - crowd.rng.randrange(30)]
    yield town.errand(at, "enter", home)
    for keeper in keepers:
        yield town.say(keepers[0], at, f"inspector add {keeper.name}")
    keys = crowd.rng.random() < 0.8
    if keys:
        yield town.say(keepers[0], at, "meter set hand_pay keys storm")
    town.seeds.append(_seed(crowd.rng.choice(list(DEALS))))
    yield town.say(keepers[0], at, "table open caribbean")
    town.seeds.clear()
    yield town.say(winner, at, "balance")
    yield town.say(keepers[0], at, f"unban {winner.name} storm")
    yield town.say(keepers[0], at, f"grant {winner.name} 500 storm")
    yield town.say(winner, at, "bet ante 10 jackpot")
    yield town.say(winner, at, "cut x")
    yield town.say(winner, at, "ready")
    yield from until(town, at, lambda table: table.play is not None)
    yield town.say(winner, at, "raise")
    yield from until(town, at, lambda table: table.play is None)
    if keys:
        yield town.say(keepers[0], at, "jackpot")
        yield town.say(keepers[0], at, "meter reject storm")
        for keeper in keepers:
            yield town.say(keeper, at, "meter confirm")
        yield town.say(keepers[0], at, "meter set hand_pay automatic storm")
    yield town.say(keepers[0], at, "table close storm")


def _seed(name: str) -> bytes:
    return hashlib.sha256(str(DEALS[name]).encode()).digest()


STORM = Storm(
    bets=("bet {amount}", "bet ante {amount} jackpot", "bet ante 10 jackpot", "bet jackpot"),
    open_cards={"dealer": 1, "": 0},  # CS3: "the dealer's last one open"
    says=("jackpot", "standing raise-pairs"),
    inspects=(
        "table set minimum 5 storm",
        "table set maximum 500 storm",
        "table set irregular_bets on storm",
        "table set procedure manual storm",
        "meter reset storm",
        "meter reset 12345 storm",
        "meter set coin 2 storm",
        "meter set coin 1 storm",
        "meter set flush 60 storm",
        "meter set reset 8k storm",
        "meter set contribution 85 storm",
        "meter set 11k storm",
        "meter confirm",
        "meter reject storm",
        "meter history",
    ),
    plans={win_jackpot: 2},
    elsewhere=("jackpot",),  # CS18: the coins lie in the meter
)
