"""Black jack's boxes: who holds one, who bets behind, when it is lost, and the shoe that may serve several hands.

`table.seats` are the boxes and their holders. `table.memory`: `idle` counts for each held box the hands that its holder
did not play (BJ4), `follow` lists who follows doubles and splits (BJ13), `refused` who may hold no box (BJ5), `shoe`
how many cards of the present shoe are gone, and with which cuts it was shuffled.
"""

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from bot.floor import betting
from bot.floor.command import Answer, Refused
from bot.floor.registry import Request, say, verb
from bot.floor.table import Table
from bot.texts import Text
from engine.blackjack import BOXES, order_box
from engine.events import Dealt, Placed
from engine.felt import Move
from engine.hand import GAMES, Hand
from engine.shuffler import Seed

IDLE_HANDS = 3
# Cards that a hand of so many boxes may need and a shoe must still have: a few splits on each.
CARDS_A_BOX = 12


def sit(request: Request, table: Table) -> Answer:
    """Hold a free box; it reserves nothing for others' money (BJ3)."""
    box = betting.parse_seat(request.args[0], table) if request.args else _free_box(table)
    if box in table.seats:
        raise Refused("Box {seat} has a holder; you may bet behind him.", "BJ3", seat=box)
    check_box(request, table, box)
    seats = dict(sorted({**table.seats, box: request.player.id}.items()))
    table = table.remember(idle={**table.memory.get("idle", {}), str(box): 0})
    request.paper.set_table(table.change(seats=seats, deadline=table.deadline or request.now + betting.SLEEP_AFTER_S))
    return say("You hold box {seat}. Place your bets.", seat=box)


def take_box(request: Request, table: Table, words: list[str]) -> int:
    """The box that a bet is for, taken off the front of `words`: the one named, the player's own, or a free one."""
    if len(words) > 1 and words[0].isdigit() and words[1] not in ("jackpot", "admiral"):
        return betting.parse_seat(words.pop(0), table)
    if len(words) > 2 and words[0].isdigit() and words[1] == "admiral":
        # `3 admiral 10` names a box; `30 admiral 10` an amount.
        box = int(words[0])
        if box <= BOXES and any(bet.seat == box for bet in table.bets_of(request.player.id)):
            return betting.parse_seat(words.pop(0), table)
    mine = [box for box, holder in table.seats.items() if holder == request.player.id]
    mine += [bet.seat for bet in table.bets_of(request.player.id)]
    return mine[0] if mine else _free_box(table)


def _free_box(table: Table) -> int:
    taken = {*table.seats, *(bet.seat for bet in table.bets)}
    free = [box for box in range(1, betting.seats_of(table) + 1) if box not in taken]
    if not free:
        raise Refused("No box is free; name one to bet behind its holder, such as: 3 20.", "BJ3")
    return free[0]


def check_box(request: Request, table: Table, box: int) -> None:
    """Somebody else's box is open to all; a free one would be held, which has its limits (BJ3, BJ5)."""
    player = request.player.id
    if table.seats.get(box) is not None:
        return
    if player in table.memory.get("refused", []):
        raise Refused("An inspector decided that you hold no box here; bet behind another's.", "BJ5")
    mine = {box for box, holder in table.seats.items() if holder == player}
    mine |= {bet.seat for bet in table.bets_of(player) if bet.seat not in table.seats}
    if len(mine | {box}) > table.settings.boxes_per_player:
        raise Refused("A player holds at most {n} boxes here.", "BJ3", n=table.settings.boxes_per_player)


def fix_holders(table: Table) -> Table:
    """Bets are closed: who holds each box, and in which order the others stand behind him (BJ3, BJ4)."""
    seats, bets = dict(table.seats), []
    refused = table.memory.get("refused", [])
    for box, on_box in groupby(table.bets, key=lambda bet: bet.seat):
        by_player = {str(bet.player): bet for bet in on_box}
        mains = {player: bet.spots["main"] for player, bet in by_player.items()}
        held_by = str(seats[box]) if box in seats else None
        if held_by not in mains:
            may_hold = {player: main for player, main in mains.items() if int(player) not in refused}
            held_by = order_box(may_hold)[0] if may_hold else None
        order = order_box(mains, held_by)
        if held_by is not None:
            seats.setdefault(box, int(order[0]))
        follow = table.memory.get("follow", [])
        bets += [by_player[player]._replace(follow=int(player) in follow) for player in order]
    return _count_idle(table.change(seats=dict(sorted(seats.items())), bets=tuple(bets)))


def _count_idle(table: Table) -> Table:
    """BJ4: "after three hands in a row not played on his box he loses it"."""
    played = {(bet.seat, bet.player) for bet in table.bets}
    idle = {
        str(box): 0 if (box, holder) in played else table.memory.get("idle", {}).get(str(box), 0) + 1
        for box, holder in table.seats.items()
    }
    kept = {box: holder for box, holder in table.seats.items() if idle[str(box)] < IDLE_HANDS}
    return table.change(seats=kept).remember(idle={str(box): idle[str(box)] for box in kept})


def refuse(table: Table, player: int) -> Table:
    """BJ5: somebody who spoils the game for others holds no box any more; his bets stay."""
    seats = {box: holder for box, holder in table.seats.items() if holder != player}
    return table.change(seats=seats).remember(refused=sorted({*table.memory.get("refused", []), player}))


@verb("follow", Text("Follow the box holder's doubles and splits"), group="play", usage="on|off")
def follow(request: Request) -> Answer:
    """BJ13: fixed when bets close; in a hand that is being played, `stay` stops it."""
    table = request.table
    if table.game != "blackjack":
        raise Refused("Only black jack has co-players who follow.", "BJ13")
    wanted = request.args[0].lower() if request.args else "on"
    if wanted not in ("on", "off"):
        raise Refused("Say on or off.")
    others = [player for player in table.memory.get("follow", []) if player != request.player.id]
    following = sorted([*others, request.player.id]) if wanted == "on" else others
    request.paper.set_table(table.remember(follow=following))
    if wanted == "on":
        return say("From the next hand you follow the box holder's doubles and splits.")
    return say("From the next hand you stay when the box holder doubles or splits.")


def stays_for_lack(table: Table, choice: Move, chips_of: Mapping[str, int]) -> list[Move]:
    """BJ13: followers who cannot pay for the holder's double or split stay, before his move.

    `chips_of` is what each key of the hand has in its wallet.
    """
    hand = table.play
    if hand is None or choice.word not in ("double", "split") or table.game != "blackjack":
        return []
    followers = [key for key in hand.felt.aside if key.startswith(f"{choice.seat}/")]
    return [Move(key, "stay") for key in followers if chips_of[key] < _first_bet(hand, key)]


def _first_bet(hand: Hand, key: str) -> int:
    """What one more double or split costs a follower: his bet as it was placed."""
    placed = (event for event in hand.events if isinstance(event, Placed))
    return next(event.amount for event in placed if (event.seat, event.spot) == (key, "main"))


# The shoe


def seed_of(table: Table, cuts: tuple[str, ...]) -> Seed:
    """A new shoe is shuffled with this hand's cuts; one that goes on keeps its own (fairness, 3)."""
    shoe = table.memory.get("shoe")
    if shoe is None:
        return Seed(table.seed, cuts)
    return Seed(table.seed, tuple(shoe["cuts"]), shoe["gone"])


def shoe_goes_on(table: Table) -> bool:
    return table.memory.get("shoe") is not None


def use_shoe(table: Table, hand: Hand) -> Table:
    """After a hand: the shoe serves the next while its part has not come out and it has cards enough (BJ7)."""
    if table.game != "blackjack":
        return table
    options: Any = hand.deal.options
    seed = hand.deal.seed
    assert seed is not None
    gone = seed.start + sum(len(event.cards) for event in hand.events if isinstance(event, Dealt))
    size = len(GAMES["blackjack"].full_deck(options))
    serves = gone * 10000 < size * options.penetration and size - gone >= CARDS_A_BOX * (BOXES + 1)
    return table.remember(shoe={"gone": gone, "cuts": list(seed.cuts)} if serves and not hand.is_void else None)
