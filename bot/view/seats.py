"""The seats of a screen: names, cards, chips, state, result, and buttons."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from bot.core.rounds.betting import seats_of
from bot.core.state.plays import Seating
from bot.core.state.table import Table
from bot.texts import Text
from bot.view import Button, Chips, Seat
from bot.view.buttons import bet_buttons, buy_in_buttons, sit_button
from bot.view.look import look_of
from bot.view.scene import Scene
from engine.events import Moved
from engine.felt import TIMEOUT, VOID, Amount, Stake, Word
from storage import ledger


def seats(scene: Scene) -> tuple[Seat, ...]:
    """Return the seats in the order of the table, empty ones included."""
    common = _common_to(scene)
    return tuple([_seat(scene, seat, common) for seat in _numbers(scene)])


def own_seats(scene: Scene) -> tuple[Seat, ...]:
    """Return the viewer's seats."""
    sight, table = scene.sight, scene.table
    near = {seat for seat, player in table.seats.items() if player == scene.viewer}
    near |= {bet.seat for bet in table.round.bets if bet.player == scene.viewer}
    near |= {int(key.partition("/")[0]) for key in sight.mine} if sight else set()
    common = _common_to(scene)
    found = [_seat(scene, seat, common) for seat in sorted(near)]
    return tuple([seat for seat in found if seat.is_viewer])


class _Common(NamedTuple):
    """Values common to all seats: {key: last action}, whether the viewer may sit down, the dealer's mark, and the taken
    seats.
    """

    states: Mapping[str, str]
    may_sit: bool
    button: int
    taken: frozenset[int]


def _common_to(scene: Scene) -> _Common:
    button = look_of(scene).stacks.button(scene.table)
    return _Common(_states_of(scene), _may_sit(scene), button, frozenset(_taken(scene.table)))


def _taken(table: Table) -> set[int]:
    return {*table.seats, *[bet.seat for bet in table.round.bets]}


def _numbers(scene: Scene) -> list[int]:
    """Return all seats of the table; on tables with areas only taken ones (PJ2)."""
    taken = _taken(scene.table)
    if scene.sight:
        taken |= {int(key.partition("/")[0]) for key in scene.sight.owners}
    if scene.table.plays.seating is Seating.AREAS:
        return sorted(taken)
    return sorted(taken | set(range(1, seats_of(scene.table) + 1)))


def _states_of(scene: Scene) -> dict[str, str]:
    """Return {key: its last action in this hand}, time-outs as the move that they played."""
    if scene.sight is None or not scene.is_playing:
        return {}
    words, states = look_of(scene).words.states, {}
    for event in scene.sight.events:
        if isinstance(event, Moved) and event.word != VOID:
            word = event.played if event.word == TIMEOUT else event.word
            states[event.seat] = words.get(word, "away")
    return states


def _seat(scene: Scene, seat: int, common: _Common) -> Seat:
    key, keys = str(seat), _keys_shown(scene, seat)
    holder = _holder(scene, seat, keys) if keys or seat in common.taken else None
    if holder is None:
        return _free_seat(key, _seat_buttons(scene, seat, common.may_sit))
    sight, outcome = (scene.sight, scene.outcome) if keys else (None, None)
    net, lines = (outcome.nets.get(keys[0], 0), outcome.lines) if outcome else (0, {})
    is_void = sight is not None and (sight.hand.is_void or keys[0] in _void_seats(scene))
    result = ("win" if net > 0 else "lose" if net < 0 else "push") if outcome and not is_void else ""
    state = _state(scene, key, holder, common.states)
    return Seat(
        key,
        scene.name(holder),
        holder == scene.viewer,
        piles=look_of(scene).piles(sight, key) if sight else (),
        chips=() if is_void and outcome else _chips(scene, seat, keys, holder),
        stack=_stack(scene, key, holder),
        state="" if result else "void" if outcome else state,
        is_turn=bool(sight and any(key in sight.hand.asks for key in keys)),
        is_dealer=common.button == seat,
        result=result,
        net=Amount(net) if result else None,
        lines=tuple(_named(scene, seat, key, line) for key in keys for line in lines.get(key, ())),
        buttons=_seat_buttons(scene, seat, common.may_sit),
    )


@lru_cache(maxsize=4096)
def _free_seat(key: str, buttons: tuple[Button, ...]) -> Seat:
    return Seat(key, "", False, state="free", buttons=buttons)


def _void_seats(scene: Scene) -> frozenset[str]:
    """Return the seats that are void in the shown hand (G6)."""
    table = scene.table
    return table.void_seats(table.last_hand if table.round.hand is None else table.round.hand_id)


def _keys_shown(scene: Scene, seat: int) -> list[str]:
    """Return the hand's keys at this seat, unless the hand is over and someone else sits there now."""
    if scene.sight is None:
        return []
    keys = scene.sight.keys_at(seat)
    sitting = scene.table.seats.get(seat)
    belongs = scene.is_playing or sitting is None or sitting in (scene.sight.owners[key] for key in keys)
    return keys if belongs or scene.table.plays.seating is Seating.BOXES else []


def _holder(scene: Scene, seat: int, keys: list[str]) -> int | None:
    if keys and scene.sight:
        return scene.sight.owners[keys[0]]
    if seat in scene.table.seats:
        return scene.table.seats[seat]
    # BJ3: "the higher bet holds it; equal bets: the one who bet first".
    bets = [bet for bet in scene.table.round.bets if bet.seat == seat]
    return max(bets, key=lambda bet: bet.total).player if bets else None


def _named(scene: Scene, seat: int, key: str, line: Text) -> Text:
    """Prefix the payments of a bet behind with its player."""
    if key == str(seat) or scene.sight is None:
        return line
    return Text("{name}: {line}", name=scene.name(scene.sight.owners[key]), line=line)


def _chips(scene: Scene, seat: int, keys: list[str], holder: int) -> tuple[Chips, ...]:
    """Return the chips before a seat: its holder's first, then bets behind it."""
    lying: list[tuple[str, Mapping[str, int]]] = []
    if keys and scene.sight:
        for key in keys:
            name = "" if key == str(seat) else scene.name(scene.sight.owners[key])
            lying.append((name, scene.sight.wagered.get(key, {})))
    else:
        here = [bet for bet in scene.table.round.bets if bet.seat == seat]
        if len(here) > 1:
            here.sort(key=lambda bet: bet.player != holder)
        for bet in here:
            placed = scene.table.rules.place(scene.options, Stake(seat, "", bet.spots))
            lying.append(("" if bet.player == holder else scene.name(bet.player), placed))
    is_pot = scene.table.plays.seating is Seating.STACKS
    return tuple(
        [_lying(spot, amount, name, is_pot) for name, spots in lying for spot, amount in spots.items() if amount]
    )


@lru_cache(maxsize=4096)
def _lying(spot: str, amount: int, name: str, is_pot: bool) -> Chips:
    """Return the chips on a spot; in a pot, the player's stake."""
    label = Text("in for") if is_pot else Text("{spot}", spot=Word(spot))
    return Chips(spot, label, Amount(amount), Amount(amount), name)


def _state(scene: Scene, key: str, holder: int, states: Mapping[str, str]) -> str:
    table, sight = scene.table, scene.sight
    if table.plays.seating is Seating.STACKS:
        return _stack_state(scene, key, holder, states)
    if table.round.hand is None or sight is None:
        for bet in table.round.bets:
            if bet.player == holder:
                return "ready" if holder in table.round.ready else "betting"
        return "waiting" if int(key) in table.seats else "gone"
    if key not in sight.owners:
        return "watching"
    if key in table.round.away:
        return "away"
    if key in sight.hand.asks:
        return "thinking"
    return states.get(key, "waiting")


def _stack_state(scene: Scene, key: str, holder: int, states: Mapping[str, str]) -> str:
    """Return the state of a seat with a stack: all in waits for the showdown; a player sitting out is not dealt in
    (SH9, SH14).
    """
    sight = scene.sight
    if scene.is_playing and sight and key in sight.owners:
        if key in sight.hand.asks:
            return "thinking"
        did = states.get(key, "waiting")
        return did if did == "folded" or _stack(scene, key, holder) else "all in"
    if int(key) not in scene.table.seats:
        return "gone"
    return "out" if look_of(scene).stacks.is_out(scene.table, holder) else "waiting"


def _stack(scene: Scene, key: str, holder: int) -> Amount | None:
    """Return the stack at a seat (SH1)."""
    if scene.table.plays.seating is not Seating.STACKS:
        return None
    if scene.is_playing and scene.sight and key in scene.sight.owners:
        stake = next(stake for stake in scene.sight.hand.deal.stakes if str(stake.seat) == key)
        return Amount(stake.stack - sum(scene.sight.wagered.get(key, {}).values()))
    return Amount(scene.balance(ledger.stack(scene.table.id, holder)))


def _seat_buttons(scene: Scene, seat: int, may_sit: bool) -> tuple[Button, ...]:
    """Return the button of a free seat; on boxes, those to bet behind the holder or to hold a free one (BJ3)."""
    table, seating = scene.table, scene.table.plays.seating
    found = []
    if may_sit and seat not in table.seats:
        if seating is Seating.STACKS:
            found += buy_in_buttons(look_of(scene).stacks.buy_in(scene).usual, seat)
        else:
            found.append(sit_button(str(seat), str(table.round.hand_id)))
    if seating is Seating.BOXES and scene.takes_bets and scene.may_stake:
        found += bet_buttons(scene, scene.wallet(seat))
    return tuple(found)


def _may_sit(scene: Scene) -> bool:
    table, seating = scene.table, scene.table.plays.seating
    if table.status != "open" or not scene.may_stake or (scene.is_playing and seating is not Seating.STACKS):
        return False
    held = sum(player == scene.viewer for player in table.seats.values())
    return held < (table.settings.boxes_per_player if seating is Seating.BOXES else 1)
