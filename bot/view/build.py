"""Build the screen of a table: its state, seats, bets and buttons.

A game that fails here costs only its own tables their screens: they show one sentence and no buttons.
"""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from bot.core.commands.hooks import hooks_of
from bot.core.commands.preconditions import for_bet
from bot.core.rounds import commitments, moves_ahead, waiting
from bot.core.rounds.betting import options_of
from bot.core.rounds.reveals import decision_s
from bot.core.rounds.script_budget import WATCHDOG, Escaped, OverBudget
from bot.core.state.plays import Seating
from bot.core.state.table import PRACTICE, Table
from bot.core.state.transaction import State
from bot.texts import Text
from bot.view import Button, Screen, Slip, SpotChips, Turning, tournaments
from bot.view.buttons import ahead_buttons, bet_buttons, betting_buttons, made_once, move_buttons, stack_buttons
from bot.view.payments import outcome_of, result_of, results_of_areas, say_players
from bot.view.player_view import PlayerView, hand_on, last_view
from bot.view.presenter import PRESENTERS, PresenterFault
from bot.view.render_context import RenderContext
from bot.view.seats import own_seats, seats
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


def context_of(state: State, table: Table, viewer: int | None, now: float, means: int | None = None) -> RenderContext:
    """Return the context for all parts of a screen; `viewer` is a player, or None for the public."""
    table = table.with_sealed_bet(viewer)
    view = hand_on(table, viewer)
    void_seats = table.void_seats(table.last_hand if table.round.hand is None else table.round.hand_id)
    outcome = outcome_of(view, void_seats) if view is not None and view.is_over else None
    options, is_playing = options_of(state, table), table.round.hand is not None
    return RenderContext(state, table, viewer, options, view, outcome, now, table.plays, is_playing, means)


def limits_of(state: State, table: Table, now: float) -> Text:
    """Return the limits in one line for people who are not at the table yet; empty if the game is missing or fails."""
    if table.game not in PRESENTERS:
        return Text("")
    options, is_playing = options_of(state, table), table.round.hand is not None
    context = RenderContext(state, table, None, options, None, None, now, table.plays, is_playing)
    try:
        return WATCHDOG.run(table.game, _limits, context)
    except PresenterFault as fault:
        _tell_once(table.game, fault.hook, fault.what)
    except (OverBudget, Escaped) as fault:
        _tell_once(table.game, "its limits", str(fault))
    return Text("")


def _limits(context: RenderContext) -> Text:
    limits = PRESENTERS[context.table.game].limits(context)
    live = context.table.tournament
    return limits if live is None else tournaments.limits(context.table, live, limits)


def caught(
    draw: Callable[[RenderContext], Screen],
    state: State,
    table: Table,
    viewer: int | None,
    now: float,
    means: int | None = None,
) -> Screen:
    """Return `draw`'s screen of the table, or one with a sentence if its game fails.

    A fault of the books is not caught, because it must stop the process.
    """
    if table.game not in PRESENTERS:
        return _plain(table, viewer, table.notice.text if table.notice else _NOT_HERE)
    try:
        return WATCHDOG.run(table.game, lambda: draw(context_of(state, table, viewer, now, means)))
    except PresenterFault as fault:
        _tell_once(table.game, fault.hook, fault.what)
    except (OverBudget, Escaped) as fault:
        _tell_once(table.game, "its presenter", str(fault))
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
        bank=(),
        seats=(),
        spots=(),
        bets=(),
        moves=(),
        holds=(),
        deadline=None,
        waits_s=0.0,
        version=table.version,
    )


def public_screen(context: RenderContext) -> Screen:
    """Return the whole screen of the table for this viewer."""
    table, view, presenter = context.table, context.view, PRESENTERS[context.table.game]
    notice, results = table.told(context.now), _results(context)
    return _screen(
        context,
        headline=_headline(context),
        call=_call(context),
        meter=presenter.meter.shown(context),
        seats=seats(context),
        pot=presenter.pot(view) if view else None,
        lines=(
            *((notice,) if notice else ()),
            *_notes(context),
            *(line for _player, line in results),
            *_absent(context),
            *(tournaments.lines(context, table.tournament) if table.tournament else ()),
        ),
        own_result=next((line for player, line in results if player == context.viewer), None),
        more=_more(context),
        cuts=tuple(text for _player, text in table.round.cuts),
        cutters=tuple(player for player, _text in table.round.cuts),
        last_hand=table.last_hand,
        last_ended=table.last_ended,
        dice=_dice(view) if view else None,
        road=presenter.road(table),
        notice=notice,
        revealed=_revealed(context),
    )


def _own_screen(context: RenderContext) -> Screen:
    pot = PRESENTERS[context.table.game].pot(context.view) if context.view else None
    # The viewer can bet on every box, or plays for a pot against the open cards of others.
    sees_all = context.plays.seating is Seating.BOXES or pot is not None
    return _screen(context, headline=_OWN, pot=pot, seats=seats(context) if sees_all else own_seats(context))


def _screen(context: RenderContext, **more: Any) -> Screen:
    """Return a screen with the fields that every screen has."""
    table, view, presenter = context.table, context.view, PRESENTERS[context.table.game]
    deadline, waits_s = _clock(context)
    moves = tuple(move_buttons(table, view, context.viewer)) if view and context.is_playing else ()
    if table.tournament is not None and context.viewer is not None:  # only moves that the viewer can pay for
        chips = context.balance(table.purse(context.viewer))
        moves = tuple(one for one in moves if not one.cost or one.cost <= chips)
    is_waiting = view is not None and context.is_playing and not moves and context.plays.takes_turns
    return Screen(
        table=table.id,
        number=table.number,
        game=table.game,
        phase=table.phase,
        viewer=context.viewer,
        ahead=tuple(ahead_buttons(table, view)) if view and is_waiting else (),
        prints=presenter.prints(context.options),
        slips=_slips(context),
        turning=_turning(table, context.viewer),
        limits=_limits(context),
        hand_id=table.round.hand_id,
        commit=table.round.commit,
        bank=presenter.bank(view) if view else (),
        spots=_areas(context) if context.plays.seating is Seating.AREAS else (),
        bets=_bets(context),
        moves=moves,
        holds=_holds(context, moves),
        deadline=deadline,
        waits_s=waits_s,
        version=table.version,
        **more,
    )


def _slips(context: RenderContext) -> tuple[Slip, ...]:
    """Return the viewer's payments; bets behind a box have their own (BJ5)."""
    if context.view is None or context.outcome is None:
        return ()
    nets, lines, gains = context.outcome.nets, context.outcome.lines, context.outcome.gains
    return tuple(
        Slip(key, Amount(nets.get(key, 0)), tuple(lines.get(key, ())), tuple(map(result_of, gains.get(key, ()))))
        for key in context.view.mine
    )


def _turning(table: Table, viewer: int | None) -> tuple[Turning, ...]:
    if not table.round.turning:
        return ()
    due = table.plays.reveals.due(table.round.turning)
    return tuple(
        Turning(turn.position, turn.to, turn.first, table.round.turning[turn.position] == viewer) for turn in due
    )


def _revealed(context: RenderContext) -> str:
    """Return the last hand's seed if it may be seen: with the payment, for a shoe at its end, and later where folded
    hands stay secret.
    """
    last = context.table.last
    if context.is_playing or last is None or last.deal.seed is None:
        return ""
    if commitments.opens_after(context.table):
        return ""
    server = last.deal.seed.server
    return "" if server == context.table.round.seed else server.hex()


def _clock(context: RenderContext) -> tuple[float | None, float]:
    """Return the deadline that people wait for, and its length; none for a sleeping table, or for a clock that ran out
    while the place could not be reached.
    """
    table = context.table
    if table.awaits_cuts:
        return None, 0.0
    if table.round.waits is not None:
        due = float(time_of(table.round.waits.round))
        return (due, float(NOTICE_S + PERIOD_S)) if context.now < due else (None, 0.0)
    if table.round.deadline is None or table.round.deadline < context.now or table.phase not in ("betting", "playing"):
        return None, 0.0
    if not context.is_playing and PRESENTERS[context.table.game].waits(context):
        return None, 0.0
    if table.round.extended is not None:
        return table.round.deadline, table.round.deadline - table.round.extended
    if table.round.hand is not None:
        return table.round.deadline, decision_s(table)
    return table.round.deadline, float(hooks_of(table).bets_s(table))


def _has_stacks(context: RenderContext) -> bool:
    return context.plays.seating is Seating.STACKS


def _headline(context: RenderContext) -> Text:
    table, view = context.table, context.view
    if table.round.hand is not None and view is not None:
        return _whose_turn(context, view)
    if table.round.waits is not None:
        return waiting.describe_wait(table.round.waits, table.round.hand_id, context.now)
    if table.tournament is not None and table.status != "paused":
        now = tournaments.headline(context, table.tournament)
    elif table.status != "open":
        now = _CLOSED.get(table.status, Text("The table is closed."))
    elif reason := PRESENTERS[context.table.game].waits(context):
        now = reason
    elif _has_stacks(context):
        now = _say_stacks_wait(table)
    elif table.round.bets or view is not None:
        now = Text("Place your bets.")
    else:
        now = Text("Place your bets. The first starts the clock.")
    if view is None:
        return now
    if view.hand.is_void:
        return Text("The hand is void: all bets are returned. {now}", now=now)
    return Text("{result} {now}", result=PRESENTERS[context.table.game].result(view), now=now)


def _say_stacks_wait(table: Table) -> Text:
    """Say what a cash table waits for between hands (HE33)."""
    if table.round.started is not None:
        return Text("The next hand is about to be dealt.")
    if len(table.seats) > 1:
        return Text("Waiting for a second player to top up, come back or buy in.")
    return Text("The game starts when two players have bought in.")


def _whose_turn(context: RenderContext, view: PlayerView) -> Text:
    calls, clause = PRESENTERS[context.table.game].words.calls, context.plays.reveals.clause
    called = calls.get(_last_call(view))
    call = called.said if called else Text("In play")
    if context.viewer in context.table.turners:
        return Text("{call}: it's your turn to reveal the cards ({clause}).", call=call, clause=clause)
    if context.table.round.turning:
        names = [context.name(player) for player in context.table.turners]
        if not names:
            template = Text("{call}: equal bets. An inspector can choose who reveals the cards ({clause}).").template
            return Text(template, call=call, clause=clause)
        template = Text("{call}: waiting for {names} to reveal the cards ({clause}).").template
        return Text(template, call=call, names=names, clause=clause)
    asked = list(dict.fromkeys(view.owners[key] for key in view.hand.asks if key not in context.table.round.away))
    if context.viewer in asked:
        return Text("{call}: it's your turn.", call=call)
    return Text("{call}: waiting for {names}.", call=call, names=[context.name(player) for player in asked])


def _last_call(view: PlayerView) -> str:
    return next((event.call for event in reversed(view.events) if isinstance(event, Called)), "")


def _call(context: RenderContext) -> Text | None:
    """Return the dealer's call in the language of the casino (G7), whatever the table's is."""
    presenter = PRESENTERS[context.table.game]
    if context.is_playing and context.view is not None:
        called = presenter.words.calls.get(_last_call(context.view))
        words = called.house if called else ""
    else:
        words = presenter.words.opening if context.takes_bets and not presenter.waits(context) else ""
    return Text("{words}", words=words) if words else None


def _notes(context: RenderContext) -> tuple[Text, ...]:
    """Return who begins a hand and why, while it is played."""
    return PRESENTERS[context.table.game].notes(context.view) if context.is_playing and context.view else ()


def _absent(context: RenderContext) -> tuple[Text, ...]:
    """Return lines about seated players whom the next hand leaves out."""
    has_cash = _has_stacks(context) and context.table.tournament is None and not context.is_playing
    return PRESENTERS[context.table.game].stacks.absent(context) if has_cash else ()


def _results(context: RenderContext) -> tuple[tuple[int, Text], ...]:
    """Return (player, line) for each player of the last hand, shown until the next deal."""
    last = None if context.is_playing else context.view or last_view(context.table, context.viewer)
    if last is None:
        return ()
    return tuple(
        say_players(
            last,
            context.outcome or outcome_of(last, _void_seats(context)),
            PRESENTERS[context.table.game],
            context.name,
        )
    )


def _void_seats(context: RenderContext) -> frozenset[str]:
    return context.table.void_seats(context.table.last_hand)


def _areas(context: RenderContext) -> tuple[SpotChips, ...]:
    """Return each spot of the game, with the viewer's chips and everyone's."""
    spots_there = dict.fromkeys((*context.table.rules.spots, *context.table.rules.all_spots), 0)
    own, all_of_them = dict(spots_there), dict(spots_there)
    for player, spots in _lying(context):
        for area, amount in spots.items():
            all_of_them[area] += amount
            own[area] += amount if player == context.viewer else 0
    results = results_of_areas(context.view) if context.view else {}
    return tuple(_chips_on(area, own[area], total, results.get(area, "")) for area, total in all_of_them.items())


@lru_cache(maxsize=4096)
def _chips_on(area: str, own: int, total: int, result: str) -> SpotChips:
    """Return the chips on a spot; found by key, because a board has many spots and most of them are empty."""
    return SpotChips(area, Text("{area}", area=Word(area)), Amount(own), Amount(total), result=result)


def _lying(context: RenderContext) -> Iterable[tuple[int, Mapping[str, int]]]:
    if context.view:
        return ((context.view.owners[key], spots) for key, spots in context.view.wagered.items())
    return ((bet.player, bet.spots) for bet in context.table.round.bets)


def _dice(view: PlayerView) -> tuple[int, int] | None:
    return next((event.dice for event in view.events if isinstance(event, Rolled)), None)


def _bets(context: RenderContext) -> tuple[Button, ...]:
    """Return the buttons for bets; players who may not stake only get those that take chips back."""
    if context.table.tournament is not None and context.table.status != "paused":
        return tournaments.buttons(context, context.table.tournament)
    found = _all_bets(context)
    return found if context.may_stake else tuple(one for one in found if one.verb in ("takeback", "sitout", "show"))


def _all_bets(context: RenderContext) -> tuple[Button, ...]:
    if _has_stacks(context) and context.table.status == "open":
        return () if context.is_in_hand else tuple(stack_buttons(context))
    if not context.takes_bets:
        return ()
    wallet = context.wallet()
    return (*bet_buttons(context, wallet), *betting_buttons(context, wallet))


def _more(context: RenderContext) -> tuple[Button, ...]:
    table, found = context.table, []
    # The rules of this table, wherever a link of it is followed.
    of_table = (table.game, str(table.number))
    if context.is_playing and context.plays.private_cards:
        found.append(made_once(Text("My cards"), "cards"))
        if context.table.round.hand is not None and moves_ahead.takes_moves_ahead(table):
            found.append(_check_or_fold(table.round.hand_id, moves_ahead.count_bets(context.table.round.hand)))
    found.append(made_once(Text("Rules"), "rules", of_table))
    found.append(made_once(Text("Pay table"), "paytable", of_table))
    if not context.is_playing:
        found.append(made_once(Text("First hand"), "learn", (table.game,)))
    if table.last_hand is not None and not context.is_playing:
        hand = str(table.last_hand)
        found.append(made_once(Text("Verify"), "verify", (hand,)))
        found.append(made_once(Text("Share"), "share", (hand,)))
        found.append(made_once(Text("History"), "history"))
    if table.tournament is None and context.chips() < PRESENTERS[context.table.game].least(context.options):
        found.append(made_once(Text("Daily chips"), "daily"))
    if table.tournament is not None:
        if tournaments.find_own_table(context, table.tournament) is None:  # its button to them
            found.append(made_once(Text("Standings"), "tournament status", (str(table.number),)))
        return tuple(found)
    if _may_leave(context):
        found.append(made_once(Text("Leave"), "leave"))
    return tuple(found)


@lru_cache(maxsize=1024)
def _check_or_fold(hand: int, bets: int) -> Button:
    """Return the button to check or fold before the turn, for one that saw so many bets (HE36)."""
    return Button(Text("Check/fold"), "checkfold", (str(bets),), "ahead", for_bet(hand))


def _may_leave(context: RenderContext) -> bool:
    """Check whether leaving means something: anyone's stack, or the viewer's own seat at a game against the bank, whose
    seats are free again after a hand without a bet (G9).
    """
    if context.viewer is None:
        return _has_stacks(context) and bool(context.table.seats)
    seated = context.table.seat_of(context.viewer) is not None
    return seated and (_has_stacks(context) or not context.is_in_hand)


def _holds(context: RenderContext, moves: Sequence[Button]) -> tuple[Text, ...]:
    """Return the viewer's hand and its description, then the cost of each choice."""
    view, presenter = context.view, PRESENTERS[context.table.game]
    if view is None or not context.is_playing or not view.mine:
        return ()
    lines: list[Text] = []
    for key in view.mine:
        worth = presenter.describe_hand(view, key)
        if worth is not None and len(view.mine) > 1:
            lines.append(Text("Box {seat}: {worth}", seat=key.partition("/")[0], worth=worth))
        elif worth is not None:
            lines.append(Text("You hold: {worth}", worth=worth))
        lines.extend(presenter.holds(view, key))
    if moves:
        lines.append(Text("You may: {choices}", choices=[button.label for button in moves]))
    return tuple(lines)
