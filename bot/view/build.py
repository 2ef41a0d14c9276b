"""Build the screen of a table: its state, seats, bets and buttons.

A game that fails here costs only its own tables their screens: they show one sentence and no buttons.
"""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bot.core.commands.hooks import hooks_of
from bot.core.rounds import promises, waiting
from bot.core.rounds.betting import options_of
from bot.core.rounds.turning import decision_s
from bot.core.state.plays import Seating
from bot.core.state.table import PRACTICE, Table
from bot.core.state.transaction import State
from bot.texts import Text
from bot.view import Button, Chips, Screen, Slip, Turning
from bot.view.buttons import ahead_buttons, bet_buttons, betting_buttons, made_once, move_buttons, stack_buttons
from bot.view.look import LOOKS, LookFault, look_of
from bot.view.payments import outcome_of, say_players
from bot.view.scene import Scene
from bot.view.seats import own_seats, seats
from bot.view.sight import Sight, hand_on, look_at
from engine.events import Called, Rolled
from engine.fairness.beacon import NOTICE_S, PERIOD_S, time_of
from engine.felt import Amount, Word

_FAULTY = Text("This table cannot be shown because its game has an error. The log names it.")
_NOT_HERE = Text("This table's game is no longer installed.")
_OWN = Text("Your cards")
_CLOSED = {
    "paused": Text("The table is paused."),
    PRACTICE: Text("A practice hand: the chips don't count."),
}
_log = logging.getLogger(__name__)
_told: set[tuple[str, str]] = set()


def screen(state: State, table: Table, viewer: int | None, now: float) -> Screen:
    """Return the screen of the table for `viewer` (a player, or None for the public)."""
    return caught(public_screen, state, table, viewer, now)


def private_screen(state: State, table: Table, viewer: int, now: float) -> Screen:
    """Return the viewer's own part of the screen: their seats, cards and moves. Opponents are included only in games
    played against them.
    """
    return caught(_own_screen, state, table, viewer, now)


def scene_of(state: State, table: Table, viewer: int | None, now: float, means: int | None = None) -> Scene:
    """Return the context for all parts of a screen; `viewer` is a player, or None for the public."""
    sight = hand_on(table, viewer)
    void_seats = table.void_seats(table.last_hand if table.round.hand is None else table.round.hand_id)
    outcome = outcome_of(sight, void_seats) if sight is not None and sight.is_over else None
    return Scene(state, table, viewer, options_of(state, table), sight, outcome, now, means)


def limits_of(state: State, table: Table, now: float) -> Text:
    """Return the limits in one line for people who are not at the table yet; empty if the game is missing or fails."""
    if table.game not in LOOKS:
        return Text("")
    scene = Scene(state, table, None, options_of(state, table), None, None, now)
    try:
        return look_of(scene).limits(scene)
    except LookFault as fault:
        _tell_once(table.game, fault.hook, fault.what)
        return Text("")


def caught(
    draw: Callable[[Scene], Screen],
    state: State,
    table: Table,
    viewer: int | None,
    now: float,
    means: int | None = None,
) -> Screen:
    """Return `draw`'s screen of the table, or one with a sentence if its game fails.

    A fault of the books is not caught, because it must stop the process.
    """
    if table.game not in LOOKS:
        return _plain(table, viewer, table.notice.text if table.notice else _NOT_HERE)
    try:
        return draw(scene_of(state, table, viewer, now, means))
    except LookFault as fault:
        _tell_once(table.game, fault.hook, fault.what)
    except Exception as fault:
        _tell_once(table.game, _where(fault), type(fault).__name__)
    return _plain(table, viewer, _FAULTY)


def _tell_once(game: str, where: str, what: str) -> None:
    """Log a failure once for each place; never its message, which may contain cards."""
    if (game, where) not in _told:
        _told.add((game, where))
        _log.error("a screen of %s failed in %s: %s", game, where, what)


def _where(fault: Exception) -> str:
    """Return the innermost frame of a failure, by file and line."""
    trace = fault.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else "the screen"


def _plain(table: Table, viewer: int | None, headline: Text) -> Screen:
    """Return a screen with one sentence and no buttons."""
    return Screen(
        table=table.id,
        number=table.number,
        game=table.game,
        phase=table.phase,
        viewer=viewer,
        headline=headline,
        limits=Text(""),
        hand_id=table.round.hand_id,
        commit=table.round.commit,
        house=(),
        seats=(),
        spots=(),
        bets=(),
        moves=(),
        holds=(),
        deadline=None,
        waits_s=0.0,
        version=table.version,
    )


def public_screen(scene: Scene) -> Screen:
    """Return the whole screen of the table for this viewer."""
    table, sight, look = scene.table, scene.sight, look_of(scene)
    notice, results = table.told(scene.now), _results(scene)
    return _screen(
        scene,
        headline=_headline(scene),
        call=_call(scene),
        meter=look.meter.shown(scene),
        seats=seats(scene),
        pot=look.pot(sight) if sight else None,
        lines=(*((notice,) if notice else ()), *_notes(scene), *(line for _player, line in results)),
        own_result=next((line for player, line in results if player == scene.viewer), None),
        more=_more(scene),
        cuts=tuple(text for _player, text in table.round.cuts),
        cutters=tuple(player for player, _text in table.round.cuts),
        last_hand=table.last_hand,
        last_ended=table.last_ended,
        dice=_dice(sight) if sight else None,
        road=look.road(table),
        notice=notice,
        revealed=_revealed(scene),
    )


def _own_screen(scene: Scene) -> Screen:
    pot = look_of(scene).pot(scene.sight) if scene.sight else None
    # The viewer can bet on every box, or plays for a pot against the open cards of others.
    sees_all = scene.table.plays.seating is Seating.BOXES or pot is not None
    return _screen(scene, headline=_OWN, pot=pot, seats=seats(scene) if sees_all else own_seats(scene))


def _screen(scene: Scene, **more: Any) -> Screen:
    """Return a screen with the fields that every screen has."""
    table, sight, look = scene.table, scene.sight, look_of(scene)
    deadline, waits_s = _clock(scene)
    moves = tuple(move_buttons(table, sight, scene.viewer)) if sight and scene.is_playing else ()
    is_waiting = sight is not None and scene.is_playing and not moves and table.plays.takes_turns
    return Screen(
        table=table.id,
        number=table.number,
        game=table.game,
        phase=table.phase,
        viewer=scene.viewer,
        ahead=tuple(ahead_buttons(table, sight)) if sight and is_waiting else (),
        prints=look.prints(scene.options),
        slips=_slips(scene),
        turning=_turning(table, scene.viewer),
        limits=look.limits(scene),
        hand_id=table.round.hand_id,
        commit=table.round.commit,
        house=look.house(sight) if sight else (),
        spots=_areas(scene) if table.plays.seating is Seating.AREAS else (),
        bets=_bets(scene),
        moves=moves,
        holds=_holds(scene, moves),
        deadline=deadline,
        waits_s=waits_s,
        version=table.version,
        **more,
    )


def _slips(scene: Scene) -> tuple[Slip, ...]:
    """Return the viewer's payments; bets behind a box have their own (BJ5)."""
    if scene.sight is None or scene.outcome is None:
        return ()
    nets, lines = scene.outcome.nets, scene.outcome.lines
    return tuple(Slip(key, Amount(nets.get(key, 0)), tuple(lines.get(key, ()))) for key in scene.sight.mine)


def _turning(table: Table, viewer: int | None) -> tuple[Turning, ...]:
    due = table.plays.turned.due(table.round.turning)
    return tuple(
        Turning(turn.position, turn.to, turn.first, table.round.turning[turn.position] == viewer) for turn in due
    )


def _revealed(scene: Scene) -> str:
    """Return the last hand's seed if it may be seen: with the payment, for a shoe at its end, and later where folded
    hands stay secret.
    """
    last = scene.table.last
    if scene.is_playing or last is None or last.deal.seed is None:
        return ""
    if promises.opens_after(scene.table):
        return ""
    server = last.deal.seed.server
    return "" if server == scene.table.round.seed else server.hex()


def _clock(scene: Scene) -> tuple[float | None, float]:
    """Return the deadline that people wait for, and its length; none for a sleeping table, or for a clock that ran out
    while the place could not be reached.
    """
    table = scene.table
    if table.awaits_cuts:
        return None, 0.0
    if table.round.waits is not None:
        due = float(time_of(table.round.waits.round))
        return (due, float(NOTICE_S + PERIOD_S)) if scene.now < due else (None, 0.0)
    if table.round.deadline is None or table.round.deadline < scene.now or table.phase not in ("betting", "playing"):
        return None, 0.0
    if not scene.is_playing and look_of(scene).waits(scene):
        return None, 0.0
    if table.round.extended is not None:
        return table.round.deadline, table.round.deadline - table.round.extended
    if table.round.hand is not None:
        return table.round.deadline, decision_s(table)
    return table.round.deadline, float(hooks_of(table).bets_s(table))


def _has_stacks(scene: Scene) -> bool:
    return scene.table.plays.seating is Seating.STACKS


def _headline(scene: Scene) -> Text:
    table, sight = scene.table, scene.sight
    if table.round.hand is not None and sight is not None:
        return _whose_turn(scene, sight)
    if table.round.waits is not None:
        return waiting.say(table.round.waits, table.round.hand_id, scene.now)
    if table.status != "open":
        now = _CLOSED.get(table.status, Text("The table is closed."))
    elif reason := look_of(scene).waits(scene):
        now = reason
    elif _has_stacks(scene):
        waits = table.round.started is not None
        now = Text("The next hand is dealt at once.") if waits else Text("Two players with stacks start the game.")
    elif table.round.bets:
        now = Text("Place your bets.")
    else:
        now = Text("Place your bets: the first one starts the clock.")
    if sight is None:
        return now
    if sight.hand.is_void:
        return Text("The hand is void: all bets are returned. {now}", now=now)
    return Text("{result} {now}", result=look_of(scene).result(sight), now=now)


def _whose_turn(scene: Scene, sight: Sight) -> Text:
    calls, clause = look_of(scene).words.calls, scene.table.plays.turned.clause
    called = calls.get(_last_call(sight))
    call = called.said if called else Text("In play")
    if scene.table.round.turning:
        names = [scene.name(player) for player in scene.table.turners]
        if not names:
            template = Text("{call}: equal bets. An inspector can choose who reveals the cards ({clause}).").template
            return Text(template, call=call, clause=clause)
        template = Text("{call}: waiting for {names} to reveal the cards ({clause}).").template
        return Text(template, call=call, names=names, clause=clause)
    asked = list(dict.fromkeys(sight.owners[key] for key in sight.hand.asks if key not in scene.table.round.away))
    if scene.viewer in asked:
        return Text("{call}: it's your turn.", call=call)
    return Text("{call}: waiting for {names}.", call=call, names=[scene.name(player) for player in asked])


def _last_call(sight: Sight) -> str:
    return next((event.call for event in reversed(sight.events) if isinstance(event, Called)), "")


def _call(scene: Scene) -> Text | None:
    """Return the dealer's call in the language of the casino (G7), whatever the table's is."""
    look = look_of(scene)
    if scene.is_playing and scene.sight is not None:
        called = look.words.calls.get(_last_call(scene.sight))
        words = called.house if called else ""
    else:
        words = look.words.opening if scene.takes_bets and not look.waits(scene) else ""
    return Text("{words}", words=words) if words else None


def _notes(scene: Scene) -> tuple[Text, ...]:
    """Return who begins a hand and why, while it is played."""
    return look_of(scene).notes(scene.sight) if scene.is_playing and scene.sight else ()


def _results(scene: Scene) -> tuple[tuple[int, Text], ...]:
    """Return (player, line) for each player of the last hand, shown until the next deal."""
    if scene.is_playing or scene.table.last is None:
        return ()
    last = scene.sight or look_at(scene.table.last, scene.viewer)
    return tuple(say_players(last, scene.outcome or outcome_of(last, _void_seats(scene)), look_of(scene), scene.name))


def _void_seats(scene: Scene) -> frozenset[str]:
    return scene.table.void_seats(scene.table.last_hand)


def _areas(scene: Scene) -> tuple[Chips, ...]:
    """Return each spot of the game, with the viewer's chips and everyone's."""
    spots_there = dict.fromkeys((*scene.table.rules.spots, *scene.table.rules.all_spots), 0)
    own, all_of_them = dict(spots_there), dict(spots_there)
    for player, spots in _lying(scene):
        for area, amount in spots.items():
            all_of_them[area] += amount
            own[area] += amount if player == scene.viewer else 0
    return tuple(
        Chips(area, Text("{area}", area=Word(area)), Amount(own[area]), Amount(total))
        for area, total in all_of_them.items()
    )


def _lying(scene: Scene) -> Iterable[tuple[int, Mapping[str, int]]]:
    if scene.sight:
        return ((scene.sight.owners[key], spots) for key, spots in scene.sight.wagered.items())
    return ((bet.player, bet.spots) for bet in scene.table.round.bets)


def _dice(sight: Sight) -> tuple[int, int] | None:
    return next((event.dice for event in sight.events if isinstance(event, Rolled)), None)


def _bets(scene: Scene) -> tuple[Button, ...]:
    """Return the buttons for bets; players who may not stake only get those that take chips back."""
    found = _all_bets(scene)
    return found if scene.may_stake else tuple(one for one in found if one.verb in ("takeback", "sitout"))


def _all_bets(scene: Scene) -> tuple[Button, ...]:
    if _has_stacks(scene) and scene.table.status == "open":
        return () if scene.is_in_hand else tuple(stack_buttons(scene))
    if not scene.takes_bets:
        return ()
    wallet = scene.wallet()
    return (*bet_buttons(scene, wallet), *betting_buttons(scene, wallet))


def _more(scene: Scene) -> tuple[Button, ...]:
    table, found = scene.table, []
    # Wherever a link of it is followed, the rules are this table's.
    of_table = (table.game, str(table.number))
    if scene.is_playing and table.plays.private_cards:
        found.append(made_once(Text("My cards"), "cards"))
    found.append(made_once(Text("Rules"), "rules", of_table))
    found.append(made_once(Text("Pay table"), "paytable", of_table))
    if not scene.is_playing:
        found.append(made_once(Text("First hand"), "learn", (table.game,)))
    if table.last_hand is not None and not scene.is_playing:
        hand = str(table.last_hand)
        found.append(made_once(Text("Verify {hand}", hand=hand), "verify", (hand,)))
        found.append(made_once(Text("Share"), "share", (hand,)))
        found.append(made_once(Text("History"), "history"))
    if scene.chips() < look_of(scene).least(scene.options):
        found.append(made_once(Text("Daily chips"), "daily"))
    seated = scene.viewer is not None and table.seat_of(scene.viewer) is not None
    if (scene.viewer is None and table.players()) or (seated and (_has_stacks(scene) or not scene.is_in_hand)):
        found.append(made_once(Text("Leave"), "leave"))
    return tuple(found)


def _holds(scene: Scene, moves: Sequence[Button]) -> tuple[Text, ...]:
    """Return the viewer's hand and its description, then the cost of each choice."""
    sight, look = scene.sight, look_of(scene)
    if sight is None or not scene.is_playing or not sight.mine:
        return ()
    lines: list[Text] = []
    for key in sight.mine:
        worth = look.worth(sight, key)
        if worth is not None and len(sight.mine) > 1:
            lines.append(Text("Box {seat}: {worth}", seat=key.partition("/")[0], worth=worth))
        elif worth is not None:
            lines.append(Text("You hold: {worth}", worth=worth))
        lines.extend(look.holds(sight, key))
    if moves:
        lines.append(Text("You may: {choices}", choices=[button.label for button in moves]))
    return tuple(lines)
