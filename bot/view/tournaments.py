"""A tournament on the screen of its table: the headline, standings, and the buttons of everyone."""

from collections.abc import Iterator
from itertools import islice

from bot.core.casinos.tournaments import say_own_result, say_progress, say_standings, say_terms
from bot.core.commands.preconditions import for_bet
from bot.core.rounds.betting import cost_of
from bot.core.rounds.cash_table import is_away
from bot.core.rounds.tournament_table import is_entered, is_left, may_enter_late
from bot.core.state.table import Table
from bot.core.state.tournament import CHIP, LiveTournament
from bot.texts import Text, Timestamp
from bot.view import Button
from bot.view.buttons import bet_buttons, betting_buttons, ready_button, take_back_button
from bot.view.render_context import RenderContext, Wallet
from engine.felt import Amount
from engine.tournaments.play import CANCELLED

# Bet commands in a tournament against the bank.
_SEALED = frozenset({"bet", "rebet", "takeback", "ready", "cut"})


def limits(table: Table, live: LiveTournament, level: Text) -> Text:
    """Say the buy-in until the start, then the stakes of the level."""
    if live.is_registering:
        return Text("Tournament · buy-in {cost}", cost=Amount(live.rules.buy_in))
    if live.takes_sealed_bets:
        hands = live.rules.hands
        return Text("Tournament · hand {hand} of {hands}", hand=min(table.next_hand, hands), hands=hands)
    return Text("Tournament · {limits}", limits=level)


def headline(context: RenderContext, live: LiveTournament) -> Text:
    """Say between hands where the tournament stands."""
    if live.is_registering:
        entries, most = live.now.entries, live.rules.most
        if live.starts_at:
            when = Timestamp(live.starts_at)
            return Text("Starts on {when}: {entries} of {most} players.", when=when, entries=entries, most=most)
        return Text("Registration is open: {entries} of {most} players.", entries=entries, most=most)
    if (other := find_own_table(context, live)) is not None:
        return Text("You play at table {number} now.", number=other.number)
    if live.is_running and not live.is_in_play(context.table.tournament_number):
        return _say_wait(context.table, live)
    if live.takes_sealed_bets:
        least = Amount(live.rules.minimum(context.table.next_hand) * CHIP)
        return Text("Place your bets: {least} or more. They stay hidden until betting closes.", least=least)
    if live.is_running:
        return Text("Level {level}. The next hand is about to be dealt.", level=live.now.level)
    if live.now.state == CANCELLED:
        return Text("The tournament is cancelled.")
    first = [name for name, place in live.now.places.items() if place == 1]
    if not first:
        return Text("The tournament is over.")
    names = [context.name(int(name[1:])) for name in first]
    return Text("The tournament is over. Winner: {names}", names=names)


def _say_wait(table: Table, live: LiveTournament) -> Text:
    """Say why no hand is played at this table while others play."""
    if table.tournament_number not in live.now.tables.by_number:
        return Text("This table is closed. Its players were moved to other tables.")
    if not live.rules.is_elimination:
        return Text("This table has finished. Others are still playing.")
    if live.now.is_hand_for_hand:
        return Text("Hand for hand: waiting for the other tables.")
    return Text("Waiting for players from other tables.")


def lines(context: RenderContext, live: LiveTournament) -> tuple[Text, ...]:
    """Return terms, level and standings; in a hand the seats show the stacks already."""
    progress = say_progress(context.table)
    if context.is_playing:
        return progress
    standings = say_standings(live, context.name)
    if live.is_running and len(live.now.stacks) > live.rules.seats:  # the whole list is one press away
        standings = islice(standings, live.rules.seats)
    own = say_own_result(live, context.viewer) if context.viewer is not None else ()
    return (*own, *say_terms(live), *progress, *standings)


def find_own_table(context: RenderContext, live: LiveTournament) -> Table | None:
    """Return where a player sits who looks at another table of the tournament; None for others."""
    viewer, table = context.viewer, context.table
    if viewer is None or not live.is_running or table.seat_of(viewer) is not None:
        return None
    tables = (context.state.tables.get(id) for id in live.tables)
    return next((one for one in tables if one is not None and one.seat_of(viewer) is not None), None)


def buttons(context: RenderContext, live: LiveTournament) -> tuple[Button, ...]:
    """Return the buttons to register, unregister, be away, come back, and go on after the end."""
    table, viewer = context.table, context.viewer
    if live.has_ended:
        return _after_the_end(context, live)
    number, found = (str(table.number),), list[Button]()
    if live.is_registering:
        is_in = viewer is not None and is_entered(table, viewer)
        cost = Amount(live.rules.buy_in)
        if not is_in and (viewer is None or cost <= context.chips()):
            label = Text("Register: {cost}", cost=cost) if cost else Text("Register")
            found.append(Button(label, "tournament join", number, "bet", for_bet(table.round.hand_id, cost), cost))
        if is_in or (viewer is None and live.now.entries):
            found.append(Button(Text("Unregister"), "tournament leave", number))
        return tuple(found)
    found += _late_entry(context, live)
    if viewer is not None and table.seat_of(viewer) is None:
        if is_left(table, viewer):
            found.append(Button(Text("My table"), "tournament status", number, "bet"))
        return tuple(found)
    if live.takes_sealed_bets and context.takes_bets:
        found += _sealed_bets(context, live)
    has_left = viewer is not None and is_away(table, viewer)
    if not has_left or viewer is None:
        found.append(Button(Text("Sit out"), "sitout"))
    if has_left or viewer is None:
        found.append(Button(Text("Deal me in"), "back"))
    return tuple(found)


def _sealed_bets(context: RenderContext, live: LiveTournament) -> Iterator[Button]:
    """Yield the buttons for bets from the stack. They carry no price: nothing is paid before betting closes (TN17)."""
    table, viewer, meter = context.table, context.viewer, context.table.rules.meter
    wallet = Wallet(None, {})
    if viewer is not None:
        lying = live.sealed.get(viewer, {})
        cost = cost_of(table.rules, context.options, lying)
        wallet = Wallet(context.balance(table.purse(viewer)) - cost, lying)
    for button in (*bet_buttons(context, wallet), *betting_buttons(context, wallet)):
        if button.verb in _SEALED and (meter is None or button.spot != meter.spot):
            yield button._replace(fresh=for_bet(table.round.hand_id), cost=Amount(0))
    if viewer is None and table.has_sealed_bets:  # no bet is on the table for the public to see
        yield take_back_button(for_bet(table.round.hand_id))
        yield ready_button(for_bet(table.round.hand_id))


def _late_entry(context: RenderContext, live: LiveTournament) -> list[Button]:
    """Return the button to come late or to enter again; its price goes without the hand, which may begin meanwhile."""
    viewer, cost = context.viewer, Amount(live.rules.buy_in)
    is_playing = viewer is not None and is_left(context.table, viewer)
    if is_playing or not may_enter_late(live, viewer) or (viewer is not None and cost > context.chips()):
        return []
    label = Text("Enter now: {cost}", cost=cost) if cost else Text("Enter now")
    return [Button(label, "tournament join", (str(context.table.number),), "bet", cost=cost)]


def _after_the_end(context: RenderContext, live: LiveTournament) -> tuple[Button, ...]:
    table, rules = context.table, live.rules
    amount = str(rules.buy_in // 100)
    again = Button(Text("Play again"), "tournament create", (table.game, str(rules.most), amount), "bet")
    before = context.state.tables.get(live.before) if live.before is not None else None
    if before is None or before.status == "closed":
        return (again,)
    return (again, Button(Text("Back to table {number}", number=before.number), "tournament back"))
