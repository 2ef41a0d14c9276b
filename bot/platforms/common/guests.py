"""House players (bots) that keep people company in the lounge, by the same commands and at a human pace.

They come to tables where a person has bet, bet little, take no coins, and leave when the person has left. They see
only their own cards and the open ones, like anyone on their seat.
"""

import asyncio
import logging
from dataclasses import dataclass, field, replace
from random import Random

from bot.config import MOST_GUESTS
from bot.core.commands.command import Answer, Command, Who
from bot.core.commands.company import COMPANY
from bot.core.commands.offers import typed
from bot.core.commands.shown_names import GUEST_NAMES
from bot.core.rounds.betting import options_of
from bot.core.rounds.script_budget import WATCHDOG
from bot.core.state.lounge import GUESTS, LOBBY, room
from bot.core.state.place import Place
from bot.core.state.plays import Seating
from bot.core.state.table import Table
from bot.core.state.tournament import CHIP
from bot.core.state.transaction import State
from bot.platforms.common.context import PlatformContext, new_key
from engine.felt import Move, Offers, find_offer
from engine.games import SIMULATIONS
from engine.hand import Hand
from engine.simulation import Strategy

LOOKS_EVERY_S = 0.7
THINKS_S = (1.5, 5.0)
DAILY_EVERY_S = 3600.0
PATIENCE_S = 30.0
_log = logging.getLogger("ridotto.guests")


@dataclass
class HousePlayer:
    """A house player. `doing` is what they are thinking about, so that they begin once; `acts_at` is when they will
    act.
    """

    who: Who
    random: Random
    doing: str = ""
    acts_at: float = 0.0
    asked_daily: float = field(default=-DAILY_EVERY_S)

    def thinks_over(self, what: str, now: float) -> bool:
        """Return whether the player has thought about `what` long enough; start thinking if it is new."""
        if self.doing != what:
            self.doing, self.acts_at = what, now + self.random.uniform(*THINKS_S)
        return now >= self.acts_at


async def keep_company(context: PlatformContext, count: int) -> None:
    """Run `count` house players until cancelled."""
    guests = [HousePlayer(_introduce(number), Random()) for number in range(count)]
    while guests:
        await asyncio.sleep(LOOKS_EVERY_S)
        now = asyncio.get_running_loop().time()
        for guest in guests:
            try:
                await act(context, guest, now)
            except Exception as fault:
                # A failing house player must not stop the others or the process.
                _log.error("guest %s stumbled: %s", guest.who.name, type(fault).__name__, exc_info=fault)


def _introduce(number: int) -> Who:
    return Who(GUESTS, str(number), GUEST_NAMES[number % len(GUEST_NAMES)])


async def act(context: PlatformContext, guest: HousePlayer, now: float) -> None:
    """Do the next action if it is time: play, bet, or come and go."""
    state, me = context.state, context.state.identities.get((GUESTS, guest.who.account))
    if me is None:
        if guest.thinks_over(f"come {int(now // PATIENCE_S)}", now):
            await _submit(context, guest, LOBBY, "balance")
        return
    tables = context.tables()
    at = [table for table in tables if me in table.players()]
    for table in at:
        if await _play(context, guest, me, table, now):
            return
    with_people = [table for table in tables if _takes_players(table) and _people_at(state, table)]
    for table in at:
        if (
            table not in with_people
            and _takes_players(table)
            and table.phase not in ("waiting", "playing")
            and guest.thinks_over(f"leave {table.id}", now)
        ):
            await _submit(context, guest, room(table.id), "leave")
            return
    mine = next((table for table in at if table in with_people), None)
    joined = mine or _choose_table(state, with_people)
    if joined is not None:
        await _bet(context, guest, me, joined, now)


def _takes_players(table: Table) -> bool:
    """Return whether players come and go at a table: not once its tournament has started."""
    return table.status == "open" and (table.tournament is None or table.tournament.is_registering)


async def _play(context: PlatformContext, guest: HousePlayer, me: int, table: Table, now: float) -> bool:
    """Choose a move in a hand that waits for this player; return True if one was made."""
    hand, live = table.round.hand, table.tournament
    if hand is None and live is not None and live.takes_sealed_bets:
        return await _seal_bet(context, guest, me, table, now)
    if hand is None:
        return False
    seat = next((seat for seat, owner in table.owners().items() if owner == me and seat in hand.asks), None)
    if seat is None or not guest.thinks_over(f"{table.round.hand_id} {len(hand.moves)} {seat}", now):
        return False
    move = choose(hand, seat)
    answer = await _submit(context, guest, room(table.id), move.word, *([move.argument] if move.argument else []))
    if answer.refused:
        await _submit(context, guest, room(table.id), _least(hand, seat))
    return True


async def _seal_bet(context: PlatformContext, guest: HousePlayer, me: int, table: Table, now: float) -> bool:
    """Bet in a tournament against the bank, and be ready."""
    assert table.tournament is not None
    if table.phase != "betting" or table.seat_of(me) is None or me in table.round.ready:
        return False
    verb = "ready" if me in table.tournament.sealed else "bet"
    if not guest.thinks_over(f"{verb} {table.round.hand_id}", now):
        return False
    line = _line(context.state, table, guest) if verb == "bet" else ("ready",)
    await _submit(context, guest, room(table.id), *line)
    return True


def choose(hand: Hand, seat: str) -> Move:
    """Return the move of the game's house player strategy for what this seat sees, as a player would type it."""
    offers, strategy = hand.asks[seat], _strategy_of(hand.deal.game)
    if strategy is None:
        return Move(seat, _least(hand, seat))
    return _as_typed(offers, WATCHDOG.run(hand.deal.game, strategy, seat, offers, hand.cards(seat)))


def _strategy_of(game: str) -> Strategy | None:
    """Return the game's strategy for house players, or None."""
    return SIMULATIONS[game].strategies.get("guest")


def _as_typed(offers: Offers, move: Move) -> Move:
    """Return a move as a player types it: a card by its position, an amount in chips."""
    offer = find_offer(offers, move)
    if offer is None:
        return move
    return move._replace(argument=typed(int(move.argument)) if offer.most else offer.public or move.argument)


def _least(hand: Hand, seat: str) -> str:
    """Return a move that always can be paid."""
    words = [offer.word for offer in hand.asks[seat]]
    return next((word for word in ("check", "decline", "stand", "fold") if word in words), words[0])


async def _bet(context: PlatformContext, guest: HousePlayer, me: int, table: Table, now: float) -> None:
    """Bet after the people: the first bet, which starts the clock, must be a person's."""
    place = room(table.id)
    if table.plays.seating is Seating.STACKS or table.tournament is not None:
        if table.seat_of(me) is None and guest.thinks_over(f"sit {table.id} {table.round.hand_id}", now):
            await _submit(context, guest, place, *_line(context.state, table, guest))
        return
    if table.phase in ("waiting", "playing"):
        return
    if table.bets_of(me):
        if me not in table.round.ready and guest.thinks_over(f"ready {table.round.hand_id}", now):
            await _submit(context, guest, place, "ready")
        return
    has_bet = any(not _is_guest(context.state, bet.player) for bet in table.round.bets)
    if has_bet and guest.thinks_over(f"bet {table.round.hand_id}", now):
        answer = await _submit(context, guest, place, *_line(context.state, table, guest))
        if answer.refused and now >= guest.asked_daily + DAILY_EVERY_S:
            guest.asked_daily = now
            await _submit(context, guest, LOBBY, "daily")


def _line(state: State, table: Table, guest: HousePlayer) -> tuple[str, ...]:
    """Return the game's command that places the house player's bet."""
    if table.tournament is not None and table.tournament.is_registering:
        return ("sit",)
    options = options_of(state, table)
    if table.tournament is not None and not table.tournament.rules.is_elimination:
        least = table.tournament.rules.minimum(table.next_hand) * CHIP
        options = replace(options, minimum=least, maximum=max(least, options.maximum))
    return WATCHDOG.run(table.game, COMPANY[table.game].bet, guest.random, table, options)


def _choose_table(state: State, tables: list[Table]) -> Table | None:
    """Return the table with the fewest house players, so that they spread."""
    return min(tables, key=lambda table: len(table.players() - _people_at(state, table)), default=None)


def _people_at(state: State, table: Table) -> set[int]:
    """Return the players at a table who are people."""
    return {player for player in table.players() if not _is_guest(state, player)}


def _is_guest(state: State, player: int) -> bool:
    return player in {state.identities.get((GUESTS, str(number))) for number in range(MOST_GUESTS)}


async def _submit(context: PlatformContext, guest: HousePlayer, place: Place, verb: str, *args: str) -> Answer:
    """Submit a command, confirmed; after a refusal, wait before trying again."""
    answer = await context.submit(Command(new_key(GUESTS), guest.who, place, verb, args, confirmed=True))
    if answer.refused:
        guest.acts_at += PATIENCE_S
    return answer
