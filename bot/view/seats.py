"""The seats of a screen: names, cards, chips, state, result, and buttons."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from bot.core.rounds.betting import seats_of
from bot.core.rounds.cash_table import is_away
from bot.core.state.plays import Seating
from bot.core.state.table import Table
from bot.texts import Text
from bot.view import Button, Seat, SpotChips
from bot.view.buttons import bet_buttons, buy_in_buttons, sit_button
from bot.view.payments import result_of
from bot.view.player_view import PlayerView
from bot.view.presenter import PRESENTERS
from bot.view.render_context import RenderContext
from engine.events import Moved
from engine.felt import TIMEOUT, VOID, Amount, Stake, Word


def seats(context: RenderContext) -> tuple[Seat, ...]:
    """Return the seats in the order of the table, empty ones included."""
    common = _common_to(context)
    return tuple([_seat(context, seat, common) for seat in _numbers(context)])


def own_seats(context: RenderContext) -> tuple[Seat, ...]:
    """Return the viewer's seats."""
    view, table = context.view, context.table
    near = {seat for seat, player in table.seats.items() if player == context.viewer}
    near |= {bet.seat for bet in table.round.bets if bet.player == context.viewer}
    near |= {int(key.partition("/")[0]) for key in view.mine} if view else set()
    common = _common_to(context)
    found = [_seat(context, seat, common) for seat in sorted(near)]
    return tuple([seat for seat in found if seat.is_viewer])


class _Common(NamedTuple):
    """Values common to all seats: {key: last action}, whether the viewer may sit down, the dealer's mark, and the taken
    seats.
    """

    states: Mapping[str, str]
    may_sit: bool
    button: int
    taken: frozenset[int]


def _common_to(context: RenderContext) -> _Common:
    button = PRESENTERS[context.table.game].stacks.button(context.table)
    return _Common(_states_of(context), _may_sit(context), button, frozenset(_taken(context.table)))


def _taken(table: Table) -> set[int]:
    return {*table.seats, *[bet.seat for bet in table.round.bets]}


def _numbers(context: RenderContext) -> list[int]:
    """Return all seats of the table; on tables with areas only taken ones (PJ2)."""
    taken = _taken(context.table)
    if context.view:
        taken |= {int(key.partition("/")[0]) for key in context.view.owners}
    live = context.table.tournament
    if live is not None and live.is_registering:  # with more players than seats, only the first ones are shown
        taken = {seat for seat in taken if seat <= seats_of(context.table)}
    if context.plays.seating is Seating.AREAS:
        return sorted(taken)
    return sorted(taken | set(range(1, seats_of(context.table) + 1)))


def _states_of(context: RenderContext) -> dict[str, str]:
    """Return {key: its last action in this hand}, time-outs as the move that they played."""
    if context.view is None or not context.is_playing:
        return {}
    words, states = PRESENTERS[context.table.game].words.states, {}
    for event in context.view.events:
        if isinstance(event, Moved) and event.word != VOID:
            word = event.played if event.word == TIMEOUT else event.word
            states[event.seat] = words.get(word, "away")
    return states


def _seat(context: RenderContext, seat: int, common: _Common) -> Seat:
    key, keys = str(seat), _keys_shown(context, context.view, seat) if context.view else []
    holder = _holder(context, seat, keys) if keys or seat in common.taken else None
    if holder is None:
        return _free_seat(key, _seat_buttons(context, seat, common.may_sit))
    view, outcome = (context.view, context.outcome) if keys else (None, None)
    net, lines = (outcome.nets.get(keys[0], 0), outcome.lines) if outcome else (0, {})
    is_void = view is not None and (view.hand.is_void or keys[0] in _void_seats(context))
    result = result_of(net) if outcome and not is_void else ""
    state = _state(context, key, holder, common.states)
    return Seat(
        key,
        context.name(holder),
        holder == context.viewer,
        piles=PRESENTERS[context.table.game].piles(view, key) if view else (),
        chips=() if is_void and outcome else _chips(context, seat, keys, holder),
        stack=_stack(context, key, holder) if context.is_playing or seat in common.taken else None,
        state="" if result else "void" if outcome else state,
        is_turn=bool(view and any(key in view.hand.asks for key in keys)),
        is_dealer=common.button == seat,
        result=result,
        net=Amount(net) if result else None,
        lines=tuple(_named(context, seat, key, line) for key in keys for line in lines.get(key, ())),
        buttons=_seat_buttons(context, seat, common.may_sit),
    )


@lru_cache(maxsize=4096)
def _free_seat(key: str, buttons: tuple[Button, ...]) -> Seat:
    return Seat(key, "", False, state="free", buttons=buttons)


def _void_seats(context: RenderContext) -> frozenset[str]:
    """Return the seats that are void in the shown hand (G6)."""
    table = context.table
    return table.void_seats(table.last_hand if table.round.hand is None else table.round.hand_id)


def _keys_shown(context: RenderContext, view: PlayerView, seat: int) -> list[str]:
    """Return the hand's keys at this seat, unless the hand is over and someone else sits there now."""
    keys = view.keys_at(seat)
    sitting = context.table.seats.get(seat)
    belongs = context.is_playing or sitting is None or sitting in (view.owners[key] for key in keys)
    return keys if belongs or context.plays.seating is Seating.BOXES else []


def _holder(context: RenderContext, seat: int, keys: list[str]) -> int | None:
    if keys and context.view:
        return context.view.owners[keys[0]]
    if seat in context.table.seats:
        return context.table.seats[seat]
    # BJ3: "the higher bet holds it; equal bets: the one who bet first".
    bets = [bet for bet in context.table.round.bets if bet.seat == seat]
    return max(bets, key=lambda bet: bet.total).player if bets else None


def _named(context: RenderContext, seat: int, key: str, line: Text) -> Text:
    """Prefix the payments of a bet behind with its player."""
    if key == str(seat) or context.view is None:
        return line
    return Text("{name}: {line}", name=context.name(context.view.owners[key]), line=line)


def _chips(context: RenderContext, seat: int, keys: list[str], holder: int) -> tuple[SpotChips, ...]:
    """Return the chips before a seat: its holder's first, then bets behind it."""
    lying: list[tuple[str, bool, Mapping[str, int]]] = []
    if keys and context.view:
        for key in keys:
            owner = context.view.owners[key]
            name = "" if key == str(seat) else context.name(owner)
            lying.append((name, owner == context.viewer, context.view.wagered.get(key, {})))
    else:
        here = [bet for bet in context.table.round.bets if bet.seat == seat]
        if len(here) > 1:
            here.sort(key=lambda bet: bet.player != holder)
        for bet in here:
            placed = context.table.rules.place(context.options, Stake(seat, "", bet.spots))
            name = "" if bet.player == holder else context.name(bet.player)
            lying.append((name, bet.player == context.viewer, placed))
    is_pot = context.plays.seating is Seating.STACKS
    return tuple(
        [
            _lying(spot, amount, name, is_own, is_pot)
            for name, is_own, spots in lying
            for spot, amount in spots.items()
            if amount
        ]
    )


@lru_cache(maxsize=4096)
def _lying(spot: str, amount: int, name: str, is_own: bool, is_pot: bool) -> SpotChips:
    """Return the chips on a spot; in a pot, the player's stake."""
    label = Text("in for") if is_pot else Text("{spot}", spot=Word(spot))
    return SpotChips(spot, label, Amount(amount), Amount(amount), name, is_own)


def _state(context: RenderContext, key: str, holder: int, states: Mapping[str, str]) -> str:
    table, view = context.table, context.view
    if context.plays.seating is Seating.STACKS:
        return _stack_state(context, key, holder, states)
    if table.round.hand is None or view is None:
        live = table.tournament
        if table.bets_of(holder) or (live is not None and holder in live.sealed):
            return "ready" if holder in table.round.ready else "betting"
        if live is not None and is_away(table, holder):
            return "away"
        return "waiting" if int(key) in table.seats else "gone"
    if key not in view.owners:
        return "watching"
    if key in table.round.away:
        return "away"
    if key in view.hand.asks:
        return "thinking"
    return states.get(key, "waiting")


def _stack_state(context: RenderContext, key: str, holder: int, states: Mapping[str, str]) -> str:
    """Return the state of a seat with a stack: all in waits for the showdown; a player sitting out is not dealt in
    (SH9, SH14).
    """
    view = context.view
    if context.is_playing and view and key in view.owners:
        if key in view.hand.asks:
            return "thinking"
        did = states.get(key, "waiting")
        return did if did == "folded" or _stack(context, key, holder) else "all in"
    if int(key) not in context.table.seats:
        return "gone"
    return "out" if PRESENTERS[context.table.game].stacks.is_out(context.table, holder) else "waiting"


def _stack(context: RenderContext, key: str, holder: int) -> Amount | None:
    """Return the stack at a seat (SH1)."""
    live = context.table.tournament
    if live.is_registering if live is not None else context.plays.seating is not Seating.STACKS:
        return None
    if context.plays.seating is not Seating.STACKS:
        return Amount(context.balance(context.table.purse(holder)))
    if context.is_playing and context.view and key in context.view.owners:
        stake = next(stake for stake in context.view.hand.deal.stakes if str(stake.seat) == key)
        return Amount(stake.stack - sum(context.view.wagered.get(key, {}).values()))
    return Amount(context.balance(context.table.purse(holder)))


def _seat_buttons(context: RenderContext, seat: int, may_sit: bool) -> tuple[Button, ...]:
    """Return the button of a free seat; on boxes, those to bet behind the holder or to hold a free one (BJ3)."""
    table, seating = context.table, context.plays.seating
    found = []
    if table.tournament is not None:
        return ()
    if may_sit and seat not in table.seats:
        if seating is Seating.STACKS:
            found += buy_in_buttons(PRESENTERS[context.table.game].stacks.buy_in(context).usual, seat)
        else:
            found.append(sit_button(str(seat), str(table.round.hand_id)))
    if seating is Seating.BOXES and context.takes_bets and context.may_stake:
        found += bet_buttons(context, context.wallet(seat))
    return tuple(found)


def _may_sit(context: RenderContext) -> bool:
    table, seating = context.table, context.plays.seating
    if table.status != "open" or not context.may_stake or (context.is_playing and seating is not Seating.STACKS):
        return False
    held = [*table.seats.values()].count(context.viewer) if context.viewer is not None else 0
    return held < (table.settings.boxes_per_player if seating is Seating.BOXES else 1)
