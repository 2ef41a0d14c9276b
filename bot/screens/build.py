"""A table into a screen: what is going on, who sits where, what lies there, and what may be pressed."""

from collections.abc import Sequence
from typing import Any

from bot.floor.house import House
from bot.floor.squeeze import TURN_S
from bot.floor.stacks import BETWEEN_HANDS_S
from bot.floor.table import PACES, Table
from bot.screens import Button, Chips, Screen, paiju, stud
from bot.screens.buttons import bet_buttons, betting_buttons, move_buttons, stud_buttons
from bot.screens.payments import outcome_of, say_players
from bot.screens.scene import Scene, scene_of
from bot.screens.seats import own_seats, seats
from bot.screens.sight import Sight, look_at
from bot.texts import Text
from engine.events import Called
from engine.felt import Amount
from storage import ledger

# The dealer's calls: as the table says them, and in the words of the house (G7).
_CALLS = {
    "no more bets": (Text("No more bets please"), "Nulla va più"),
    "go ahead": (Text("Go ahead"), "Prego"),
    "insurance": (Text("Insurance"), "Assicurazione"),
    "third street": (Text("Third street"), "Terza strada"),
    "fourth street": (Text("Fourth street"), "Quarta strada"),
    "fifth street": (Text("Fifth street"), "Quinta strada"),
    "sixth street": (Text("Sixth street"), "Sesta strada"),
    "river": (Text("The river"), "Il fiume"),
    "showdown": (Text("Showdown"), "Carte in tavola"),
}


_OWN = Text("Your cards")


def screen(house: House, table: Table, viewer: int | None, now: float) -> Screen:
    """The table as `viewer` (a player, or None for the public) may see it."""
    scene = scene_of(house, table, viewer)
    sight = scene.sight
    notice = table.told(now)
    return _screen(
        scene,
        headline=_headline(scene),
        call=_call(scene),
        meter=Amount(scene.balance(ledger.jackpot(table.casino))) if table.game == "caribbean" else None,
        seats=seats(scene),
        pot=Amount(stud.pot(sight)) if sight and table.game == "stud" else None,
        lines=((notice,) if notice else ()) + _lines(scene),
        more=_more(scene),
        cuts=tuple(text for _player, text in table.cuts),
        last_hand=table.last_hand,
        dice=paiju.dice(sight) if sight else None,
        notice=notice,
        revealed=_revealed(scene),
    )


def private_screen(house: House, table: Table, viewer: int) -> Screen:
    """What is the viewer's own of it: his seats, what he holds, what he may do. What others do is not looked up."""
    scene = scene_of(house, table, viewer)
    # On every box of black jack he may bet.
    shown = seats(scene) if table.game == "blackjack" else own_seats(scene)
    return _screen(scene, headline=_OWN, seats=shown)


def _screen(scene: Scene, **more: Any) -> Screen:
    """With what every screen has."""
    table, sight = scene.table, scene.sight
    deadline, waits_s = _clock(scene)
    moves = tuple(move_buttons(table, sight, scene.viewer)) if sight and scene.is_playing else ()
    return Screen(
        table=table.id,
        number=table.number,
        game=table.game,
        phase=table.phase,
        viewer=scene.viewer,
        limits=_limits(scene),
        hand_id=table.hand_id,
        commit=table.commit,
        house=scene.look.house(sight) if sight else (),
        spots=_areas(scene) if table.game == "paiju" else (),
        bets=_bets(scene),
        moves=moves,
        holds=_holds(scene, moves),
        deadline=deadline,
        waits_s=waits_s,
        version=table.version,
        **more,
    )


def _revealed(scene: Scene) -> str:
    """With the payment the commit is opened; of stud a day later, of a shoe when it ends (fairness, 5)."""
    last = scene.table.last
    if scene.is_playing or last is None or last.deal.seed is None or scene.table.game == "stud":
        return ""
    server = last.deal.seed.server
    return "" if server == scene.table.seed else server.hex()


def _clock(scene: Scene) -> tuple[float | None, float]:
    """The clock that people wait for: a table that sleeps has one too, but nobody needs to see it."""
    table = scene.table
    if scene.is_suspended and not scene.is_playing:
        return None, 0.0
    if table.deadline is None or table.phase not in ("betting", "playing"):
        return None, 0.0
    if table.extended is not None:
        return table.deadline, table.deadline - table.extended
    if table.turning:
        return table.deadline, TURN_S
    if table.play is not None:
        return table.deadline, PACES[table.settings.pace]
    return table.deadline, float(BETWEEN_HANDS_S if table.game == "stud" else table.settings.betting_s)


# What is going on


def _headline(scene: Scene) -> Text:
    table, sight = scene.table, scene.sight
    if table.play is not None and sight is not None:
        return _whose_turn(scene, sight)
    if table.status != "open":
        now = Text("The table is paused.") if table.status == "paused" else Text("The table is closed.")
    elif scene.is_suspended:
        now = Text("The table waits: a royal or straight flush is being confirmed (CS22); then it goes on.")
    elif table.game == "stud":
        waits = table.started is not None
        now = Text("The next hand is dealt at once.") if waits else Text("Two players with stacks start the game.")
    elif table.bets:
        now = Text("Place your bets.")
    else:
        now = Text("Place your bets: the first one starts the clock.")
    if sight is None:
        return now
    if sight.hand.is_void:
        return Text("The hand is void: every stake is back (G6). {now}", "", now=now)
    return Text("{result} {now}", "", result=scene.look.result(sight), now=now)


def _whose_turn(scene: Scene, sight: Sight) -> Text:
    called = _last_call(sight)
    call = _CALLS[called][0] if called in _CALLS else Text("Go ahead")
    if scene.table.turning:
        names = [scene.name(player) for player in scene.table.turners]
        if not names:
            return Text("{call}: equal bets; an inspector may say who turns the cards (PJ12).", "", call=call)
        return Text("{call}: waiting for {names} to turn the cards (PJ12).", "", call=call, names=names)
    asked = list(dict.fromkeys(sight.owners[key] for key in sight.hand.asks if key not in scene.table.away))
    if scene.viewer in asked:
        return Text("{call}: it is your turn.", "", call=call)
    return Text("{call}: waiting for {names}.", "", call=call, names=[scene.name(player) for player in asked])


def _last_call(sight: Sight) -> str:
    return next((event.call for event in reversed(sight.events) if isinstance(event, Called)), "")


def _call(scene: Scene) -> Text | None:
    """In the language of the house (G7), whatever the table's."""
    if scene.is_playing and scene.sight is not None:
        words = _CALLS.get(_last_call(scene.sight), (Text(""), ""))[1]
    else:
        opens = scene.takes_bets and not scene.is_suspended
        words = scene.look.opening if opens else ""
    return Text("{words}", "", words=words) if words else None


def _limits(scene: Scene) -> Text:
    options = scene.options
    if scene.table.game == "stud":
        lower, upper, ante = Amount(options.lower), Amount(options.upper), Amount(options.ante)
        return Text("Limits {lower}/{upper}, ante {ante}", "", lower=lower, upper=upper, ante=ante)
    least, most, step = Amount(options.minimum), Amount(options.maximum), Amount(options.step)
    return Text("{least} to {most} in steps of {step}", "", least=least, most=most, step=step)


def _lines(scene: Scene) -> tuple[Text, ...]:
    """The last hand's result stays to be read until the next one is dealt; in a hand of stud, who begins and why."""
    if scene.is_playing:
        why = stud.opener(scene.sight) if scene.sight and scene.table.game == "stud" else None
        return (why,) if why else ()
    if scene.table.last is None:
        return ()
    last = scene.sight or look_at(scene.table.last, scene.viewer)
    return tuple(say_players(last, scene.outcome or outcome_of(last, _void_seats(scene)), scene.look, scene.name))


def _void_seats(scene: Scene) -> frozenset[str]:
    return scene.table.void_seats(scene.table.last_hand)


def _areas(scene: Scene) -> tuple[Chips, ...]:
    if scene.sight:
        owners, wagered = scene.sight.owners, scene.sight.wagered
        return paiju.areas((owners[key] == scene.viewer, spots) for key, spots in wagered.items())
    return paiju.areas((bet.player == scene.viewer, bet.spots) for bet in scene.table.bets)


# What may be done


def _bets(scene: Scene) -> tuple[Button, ...]:
    if scene.table.game == "stud" and scene.table.status == "open":
        return tuple(stud_buttons(scene.table, scene.viewer, is_in_hand=_is_in_hand(scene)))
    if not scene.takes_bets:
        return ()
    table, wallet = scene.table, scene.wallet()
    chips = bet_buttons(table, scene.options, wallet)
    return (*chips, *betting_buttons(table, scene.options, scene.viewer, wallet))


def _more(scene: Scene) -> tuple[Button, ...]:
    table = scene.table
    found = []
    if scene.is_playing and table.game not in ("paiju", "blackjack"):
        found.append(Button(Text("My cards"), "cards"))
    found.append(Button(Text("Rules"), "rules", (table.game,)))
    found.append(Button(Text("Pay table"), "paytable", (table.game,)))
    if table.last_hand is not None and not scene.is_playing:
        hand = str(table.last_hand)
        found.append(Button(Text("Verify hand {hand}", "", hand=hand), "verify", (hand,)))
        found.append(Button(Text("History"), "history"))
    if scene.chips() < (scene.options.lower if table.game == "stud" else scene.options.minimum):
        found.append(Button(Text("Daily chips"), "daily"))
    seated = scene.viewer is not None and table.seat_of(scene.viewer) is not None
    if scene.viewer is None or (seated and (table.game == "stud" or not _is_in_hand(scene))):
        found.append(Button(Text("Leave"), "leave"))
    return tuple(found)


def _is_in_hand(scene: Scene) -> bool:
    return scene.is_playing and scene.sight is not None and bool(scene.sight.mine)


def _holds(scene: Scene, moves: Sequence[Button]) -> tuple[Text, ...]:
    """What the viewer has in hand and what it is worth, then what each choice would cost."""
    sight = scene.sight
    if sight is None or not scene.is_playing or not sight.mine:
        return ()
    lines: list[Text] = []
    for key in sight.mine:
        worth = scene.look.worth(sight, key)
        if worth is not None and len(sight.mine) > 1:
            lines.append(Text("Box {seat}: {worth}", "", seat=key.partition("/")[0], worth=worth))
        elif worth is not None:
            lines.append(Text("You hold: {worth}", "", worth=worth))
        lines.extend(scene.look.holds(sight, key))
    if moves:
        lines.append(Text("You may: {choices}", "", choices=[button.label for button in moves]))
    return tuple(lines)
