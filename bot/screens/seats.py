"""Who sits where: names, cards, chips, what a seat is doing, what it won, and what may be pressed there."""

from collections.abc import Mapping

from bot.floor.betting import seats_of
from bot.screens import Button, Chips, Seat
from bot.screens.buttons import bet_buttons
from bot.screens.scene import Scene
from bot.screens.sight import states_of
from bot.texts import Text
from engine.blackjack import order_box
from engine.felt import Amount, Stake, Word
from storage import ledger


def seats(scene: Scene) -> tuple[Seat, ...]:
    states = states_of(scene.sight) if scene.sight and scene.is_playing else {}
    return tuple(_seat(scene, seat, states) for seat in _numbers(scene))


def own_seats(scene: Scene) -> tuple[Seat, ...]:
    """The viewer's among them."""
    sight, table = scene.sight, scene.table
    near = {seat for seat, player in table.seats.items() if player == scene.viewer}
    near |= {bet.seat for bet in table.bets if bet.player == scene.viewer}
    near |= {int(key.partition("/")[0]) for key in sight.mine} if sight else set()
    states = states_of(sight) if sight and scene.is_playing else {}
    found = (_seat(scene, seat, states) for seat in sorted(near))
    return tuple(seat for seat in found if seat.is_viewer)


def _numbers(scene: Scene) -> list[int]:
    """All seats of the table; at paiju, where anybody bets on any area, only those with somebody (PJ2)."""
    taken = {*scene.table.seats, *(bet.seat for bet in scene.table.bets)}
    if scene.sight:
        taken |= {int(key.partition("/")[0]) for key in scene.sight.owners}
    if scene.table.game == "paiju":
        return sorted(taken)
    return sorted(taken | set(range(1, seats_of(scene.table) + 1)))


def _seat(scene: Scene, seat: int, states: Mapping[str, str]) -> Seat:
    table, key = scene.table, str(seat)
    keys = _keys_shown(scene, seat)
    holder = _holder(scene, seat, keys)
    if holder is None:
        return Seat(key, "", False, state="free", buttons=_seat_buttons(scene, seat))
    sight, outcome = (scene.sight, scene.outcome) if keys else (None, None)
    net, lines = (outcome.nets.get(keys[0], 0), outcome.lines) if outcome else (0, {})
    return Seat(
        key,
        scene.name(holder),
        holder == scene.viewer,
        piles=scene.look.piles(sight, key) if sight else (),
        chips=_chips(scene, seat, keys, holder),
        stack=_stack(scene, key, holder),
        state=_state(scene, key, holder, states),
        is_turn=bool(sight and any(key in sight.hand.asks for key in keys)),
        is_dealer=table.game == "stud" and table.memory.get("button") == seat,
        result=("win" if net > 0 else "lose" if net < 0 else "push") if outcome else "",
        net=Amount(net) if outcome else None,
        lines=tuple(_named(scene, seat, key, line) for key in keys for line in lines.get(key, ())),
        buttons=_seat_buttons(scene, seat),
    )


def _keys_shown(scene: Scene, seat: int) -> list[str]:
    """The hand's keys at this seat, unless it is an old hand and somebody else sits there now."""
    if scene.sight is None:
        return []
    keys = scene.sight.keys_at(seat)
    sitting = scene.table.seats.get(seat)
    belongs = scene.is_playing or sitting is None or sitting in (scene.sight.owners[key] for key in keys)
    return keys if belongs or scene.table.game == "blackjack" else []


def _holder(scene: Scene, seat: int, keys: list[str]) -> int | None:
    if keys and scene.sight:
        return scene.sight.owners[keys[0]]
    if seat in scene.table.seats:
        return scene.table.seats[seat]
    bets = {str(bet.player): bet.total for bet in scene.table.bets if bet.seat == seat}
    return int(order_box(bets)[0]) if bets else None


def _named(scene: Scene, seat: int, key: str, line: Text) -> Text:
    """A co-player's payments say whose they are."""
    if key == str(seat) or scene.sight is None:
        return line
    return Text("{name}: {line}", "", name=scene.name(scene.sight.owners[key]), line=line)


def _chips(scene: Scene, seat: int, keys: list[str], holder: int) -> tuple[Chips, ...]:
    """What lies before a seat: first its holder's, then what others have bet behind it."""
    lying: list[tuple[str, Mapping[str, int]]] = []
    if keys and scene.sight:
        for key in keys:
            name = "" if key == str(seat) else scene.name(scene.sight.owners[key])
            lying.append((name, scene.sight.wagered.get(key, {})))
    else:
        here = [bet for bet in scene.table.bets if bet.seat == seat]
        for bet in sorted(here, key=lambda bet: bet.player != holder):
            placed = scene.table.rules.place(scene.options, Stake(seat, "", bet.spots))
            lying.append(("" if bet.player == holder else scene.name(bet.player), placed))
    return tuple(
        Chips(spot, Text("{spot}", "", spot=Word(spot)), Amount(amount), Amount(amount), name)
        for name, spots in lying
        for spot, amount in spots.items()
        if amount
    )


def _state(scene: Scene, key: str, holder: int, states: Mapping[str, str]) -> str:
    table, sight = scene.table, scene.sight
    if table.game == "stud":
        return _stud_state(scene, key, holder, states)
    if table.play is None or sight is None:
        if any(bet.player == holder for bet in table.bets):
            return "ready" if holder in table.ready else "betting"
        return "waiting" if int(key) in table.seats else "gone"
    if key not in sight.owners:
        return "watching"
    if key in table.away:
        return "away"
    if key in sight.hand.asks:
        return "thinking"
    return states.get(key, "waiting")


def _stud_state(scene: Scene, key: str, holder: int, states: Mapping[str, str]) -> str:
    """SH9, SH14: who has put everything in waits for the showdown; who sits out is not dealt in."""
    sight = scene.sight
    if scene.is_playing and sight and key in sight.owners:
        if key in sight.hand.asks:
            return "thinking"
        did = states.get(key, "waiting")
        return did if did == "folded" or _stack(scene, key, holder) else "all in"
    if int(key) not in scene.table.seats:
        return "gone"
    return "out" if holder in scene.table.memory.get("out", []) else "waiting"


def _stack(scene: Scene, key: str, holder: int) -> Amount | None:
    """Chips on the table, of stud (SH1)."""
    if scene.table.game != "stud":
        return None
    if scene.is_playing and scene.sight and key in scene.sight.owners:
        stake = next(stake for stake in scene.sight.hand.deal.stakes if str(stake.seat) == key)
        return Amount(stake.stack - sum(scene.sight.wagered.get(key, {}).values()))
    return Amount(scene.balance(ledger.stack(scene.table.id, holder)))


def _seat_buttons(scene: Scene, seat: int) -> tuple[Button, ...]:
    """A free seat is taken; on every box anybody may bet, behind its holder or, where it is free, to hold it (BJ3)."""
    table = scene.table
    found = []
    if seat not in table.seats and _may_sit(scene):
        found.append(Button(Text("Sit here"), "sit", (str(seat),), "quiet", str(table.hand_id)))
    if table.game == "blackjack" and scene.takes_bets:
        found += bet_buttons(table, scene.options, scene.wallet(seat))
    return tuple(found)


def _may_sit(scene: Scene) -> bool:
    table = scene.table
    if table.status != "open" or (scene.is_playing and table.game != "stud"):
        return False
    held = sum(player == scene.viewer for player in table.seats.values())
    return held < (table.settings.boxes_per_player if table.game == "blackjack" else 1)
