"""Black jack's boxes: who holds one, who bets behind, and when it is lost.

`table.seats` are the boxes and their holders.
"""

from itertools import groupby

import msgspec
from msgspec import structs

from bot.core.commands.command import Answer, Refused
from bot.core.commands.naming import take_player
from bot.core.commands.registry import CommandFlag, Request, answer_with, command
from bot.core.commands.words import parse_switch
from bot.core.players import self_limits
from bot.core.rounds import betting
from bot.core.rounds.opening import SLEEP_AFTER_S
from bot.core.state.plays import GameMemory
from bot.core.state.table import Table
from bot.core.state.transaction import Transaction
from bot.texts import Text
from engine.events import Placed
from engine.felt import Move
from engine.games.blackjack import BOXES, GAME, name_stakes, order_box
from engine.hand import Hand
from storage import ledger

IDLE_HANDS = 3


class BoxesMemory(GameMemory, frozen=True):
    """State of a table's boxes and of the players who bet behind them.

    idle     hands in a row that the holder of a box did not play there, by box (BJ4)
    follow   who follows doubles and splits (BJ13)
    refused  who may hold no box (BJ5)
    """

    idle: dict[int, int] = msgspec.field(default_factory=dict)
    follow: tuple[int, ...] = ()
    refused: tuple[int, ...] = ()


def memory_of(table: Table) -> BoxesMemory:
    """Return a table's state of boxes and of players who bet behind them."""
    return table.kept(BoxesMemory)


def sit(request: Request) -> Answer:
    """Hold a free box; it reserves nothing for others' money (BJ3)."""
    table = betting.taking_bets(request)
    box = betting.parse_seat(request.args[0], table) if request.args else _free_box(table)
    if box in table.seats:
        raise Refused("Box {seat} has a holder. You can bet behind.", "BJ3", seat=box)
    check_box(request, table, box)
    seats = dict(sorted({**table.seats, box: request.player.id}.items()))
    table = table.change_memory(idle={**memory_of(table).idle, box: 0})
    request.transaction.set_table(
        table.change(
            seats=seats,
            round=structs.replace(table.round, deadline=table.round.deadline or request.now + SLEEP_AFTER_S),
        )
    )
    return answer_with("You hold box {seat}. Place your bets.", seat=box)


def take_box(request: Request, table: Table, words: list[str]) -> int:
    """Take the box that a bet is for off the front of `words`: the one named, the player's own, or a free one."""
    if len(words) > 1 and words[0].isdigit() and words[1] != "admiral":
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
    taken = {*table.seats, *(bet.seat for bet in table.round.bets)}
    free = [box for box in range(1, betting.seats_of(table) + 1) if box not in taken]
    if not free:
        raise Refused("No box is free. Choose one to bet behind, for example: 3 20.", "BJ3")
    return free[0]


def check_box(request: Request, table: Table, box: int) -> None:
    """Check a bet's box: a held one is open to all; a free one would be held, which has its limits (BJ3, BJ5)."""
    player = request.player.id
    if table.seats.get(box) is not None:
        return
    if player in memory_of(table).refused:
        raise Refused("An inspector does not allow you to hold a box here. You can bet behind another player's.", "BJ5")
    mine = {box for box, holder in table.seats.items() if holder == player}
    mine |= {bet.seat for bet in table.bets_of(player) if bet.seat not in table.seats}
    if len(mine | {box}) > table.settings.boxes_per_player:
        raise Refused("Boxes per player at this table: at most {n}.", "BJ3", n=table.settings.boxes_per_player)


def fix_holders(transaction: Transaction, table: Table, now: float) -> Table:
    """Fix, when bets close, who holds each box, and the order of the bets behind (BJ3, BJ4)."""
    seats, bets = dict(table.seats), []
    refused = memory_of(table).refused
    for box, on_box in groupby(table.round.bets, key=lambda bet: bet.seat):
        by_player = {str(bet.player): bet for bet in on_box}
        mains = {player: bet.spots["main"] for player, bet in by_player.items()}
        held_by = str(seats[box]) if box in seats else None
        if held_by not in mains:
            may_hold = {player: main for player, main in mains.items() if int(player) not in refused}
            held_by = order_box(may_hold)[0] if may_hold else None
        order = order_box(mains, held_by)
        if held_by is not None:
            seats.setdefault(box, int(order[0]))
        follow = memory_of(table).follow
        bets += [by_player[player]._replace(follow=int(player) in follow) for player in order]
    return _count_idle(
        table.change(seats=dict(sorted(seats.items())), round=structs.replace(table.round, bets=tuple(bets)))
    )


def _count_idle(table: Table) -> Table:
    """Free boxes whose holder has not played there for three hands in a row (BJ4)."""
    played = {(bet.seat, bet.player) for bet in table.round.bets}
    idle = {
        box: 0 if (box, holder) in played else memory_of(table).idle.get(box, 0) + 1
        for box, holder in table.seats.items()
    }
    kept = {box: holder for box, holder in table.seats.items() if idle[box] < IDLE_HANDS}
    return table.change(seats=kept).change_memory(idle={box: idle[box] for box in kept})


def _take_boxes(table: Table, player: int) -> Table:
    """Free the boxes of a player who spoils the game for others; their bets stay (BJ5)."""
    seats = {box: holder for box, holder in table.seats.items() if holder != player}
    return table.change(seats=seats).change_memory(refused=tuple(sorted({*memory_of(table).refused, player})))


def return_cut_bets(transaction: Transaction, table: Table, now: float) -> None:
    """Give back the bets that exceed the maximum of a box (BJ2)."""
    assert table.round.hand is not None
    lying = table.round.hand.wagered()
    for number, (key, stake) in enumerate(name_stakes(table.round.hand.deal.stakes).items(), start=1):
        too_much = sum(stake.bets.values()) - sum(lying.get(key, {}).values())
        purse = table.purse(table.owners()[key])
        transaction.post(
            ledger.hand(table.round.hand_id), purse, too_much, "cut", now, table.round.hand_id, f"cut {number}"
        )


@command(
    "table refuse",
    Text("Stop a player from holding boxes here"),
    group="inspectors",
    flags=CommandFlag.HARMS,
    usage="PLAYER REASON",
    button=Text("Refuse boxes to a player"),
)
def refuse_boxes(request: Request) -> Answer:
    """Refuse a player who spoils the game for others as box holder (BJ5)."""
    request.argument(0, "Enter the player and the reason.")
    player, rest = take_player(request, 0)
    reason, table = request.reason(rest), request.table
    if table.game != GAME.name:
        raise Refused("Only Black Jack has boxes.", "BJ5")
    told = Text("An inspector has banned a player from holding boxes here (BJ5).")
    request.transaction.set_table(_take_boxes(table, player).set_notice(told, request.now))
    casino, who, subject = request.casino.id, request.player.id, table.audited("player", player)
    request.transaction.audit(request.now, casino, who, "table refuse", subject, reason)
    return answer_with("{name} can no longer hold a box here.", name=request.name_of(player))


@command("follow", Text("Follow the box holder's doubles and splits"), group="play", usage="on|off")
def follow(request: Request) -> Answer:
    """Choose whether to follow the holder's doubles and splits from the next hand; `stay` stops it in a hand (BJ13)."""
    table = request.table
    if table.game != GAME.name:
        raise Refused("Only Black Jack has co-players who follow.", "BJ13")
    follows = parse_switch(request.args, "on")
    others = [player for player in memory_of(table).follow if player != request.player.id]
    following = sorted([*others, request.player.id]) if follows else others
    request.transaction.set_table(table.change_memory(follow=tuple(following)))
    if follows:
        return answer_with("From the next hand you follow the box holder's doubles and splits.")
    return answer_with("From the next hand you stay when the box holder doubles or splits.")


def stays_for_lack(transaction: Transaction, table: Table, choice: Move, now: float) -> list[Move]:
    """Return `stay` moves of followers who cannot pay for a double or split, or may not lose that much (BJ13)."""
    hand = table.round.hand
    if hand is None or choice.word not in ("double", "split"):
        return []
    followers = [key for key in hand.aside if key.startswith(f"{choice.seat}/")]
    return [
        Move(key, "stay") for key in followers if not _can_follow(transaction, table, key, _first_bet(hand, key), now)
    ]


def _can_follow(transaction: Transaction, table: Table, key: str, cost: int, now: float) -> bool:
    player = table.owners()[key]
    chips = transaction.balance(ledger.wallet(table.casino, player))
    return key in table.void_seats(table.round.hand_id) or (
        chips >= cost and self_limits.may_risk(transaction, player, cost, now)
    )


def _first_bet(hand: Hand, key: str) -> int:
    """Return the price of one more double or split for a follower: the bet as placed."""
    placed = (event for event in hand.events if isinstance(event, Placed))
    return next(event.amount for event in placed if (event.seat, event.spot) == (key, "main"))
