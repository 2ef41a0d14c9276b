"""A table as one player sees it: the screen, cut into parts that change independently."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import blake2b
from typing import Any, NamedTuple

from aiohttp import web
from markupsafe import escape
from msgspec.structs import replace

from bot.core.casinos.notify import OFF, SEAT
from bot.core.commands.preconditions import at_price
from bot.core.commands.stages import Places, stages_of
from bot.core.guide.coaching import Priced, is_priced
from bot.core.rounds.betting import BELL, find_next, has_seat, options_of, say_free_seats
from bot.core.rounds.witness import head_of_close
from bot.core.state.lounge import LOUNGE
from bot.core.state.people import COACH_ON
from bot.core.state.plays import PLAYS, Seating
from bot.core.state.table import Table
from bot.core.state.values import Player
from bot.platforms.web.bars import Press, WorthBar, draw_bars
from bot.platforms.web.drawing import draw, page, sentence
from bot.platforms.web.kept import sheet_address
from bot.platforms.web.lounge import NO_TABLE, Lounge, Visitor, visitor_of
from bot.platforms.web.share import share
from bot.platforms.web.timelines import Mark
from bot.platforms.web.verify import mark_words
from bot.platforms.web.views import GAP, Drawing, PageView, Parts
from bot.texts import Text, say_amount
from bot.view import Button, Pile, Screen, Seat, Slip, SpotChips, Turning
from bot.view.build import screen
from bot.view.payments import result_of
from bot.view.pictures.felt import Areas, Board, Cell, felt_of
from bot.view.presenter import PRESENTERS
from engine.felt import Amount, Word
from engine.games import GAMES

_NOTHING = Drawing({})
_STOP = Text("Stop waiting")
_LONGEST_NUMBER = 16
PARTS = ("status", "felt", "mine", "results", "fair", "coach", "aside")
TABS = (
    ("pays", Text("Pays")),
    ("rules", Text("Rules")),
    ("hands", Text("Hands")),
    ("odds", Text("Odds")),
    ("more", Text("Table")),
)
# Buttons that are pages here: relative to the table's address, so that they are the same for everyone.
_LINKS = {
    "rules": "../rules/{}?table={}",
    "paytable": "../rules/{}?table={}#pays",
    "learn": "../learn/{}",
    "verify": "../hand/{}",
    "history": "../history",
}
# The key that does what a button does; of several that would have the same the first has it.
_KEYS = {
    "fold": "F",
    **dict.fromkeys(("check", "call", "bring-in"), "C"),
    **dict.fromkeys(("raise", "play", "complete"), "R"),
    "bet": "B",
    "exchange": "E",
    "stand": "S",
    "stay": "F",
    "hit": "H",
    "double": "D",
    "split": "P",
    "insure": "I",
    "decline": "N",
    "rebet": "A",
    "takeback": "Z",
    "ready": "Y",
}
_AMOUNT_KEY = "M"
_GIVES_UP = ("fold",)


class Printed(NamedTuple):
    """A spot before the player's own cards: its bet, and the bets that can be added."""

    name: str
    lies: Amount
    buttons: list[Button]


@dataclass(frozen=True)
class TableView:
    """A screen, arranged for the templates; `wallet` is the viewer's chips in the table's casino.

    has_coach  choices can be priced here; `shows_odds`: the viewer wants that
    priced     the prices of the viewer's present choices, once computed
    ways       links in the place of the moves, when there are none
    bell       the button beside them of a full table, for people without a seat
    """

    screen: Screen
    wallet: str
    options: Any
    has_coach: bool = False
    shows_odds: bool = False
    priced: tuple[Priced, ...] = ()
    ways: Sequence[tuple[Text, str]] = ()
    bell: Button | None = None

    @cached_property
    def bars(self) -> Mapping[Press, WorthBar]:
        return draw_bars(self.priced)

    def help(self, button: Button) -> Text | None:
        """Return what a choice does at this table."""
        told = PLAYS[self.screen.game].moves.get(button.verb)
        return None if told is None else told.at(self.options)

    def move_class(self, move: Button) -> str:
        """Return the CSS classes of a move by what it means for the player: it gives up, is free, or costs."""
        if move.verb in _GIVES_UP:
            return "move gives-up"
        return "move" if move.cost or move.ask else "move is-free"

    def bar(self, button: Button) -> WorthBar | None:
        """Return the bar with a choice's value, or None."""
        return self.bars.get((button.verb, button.args)) if button.ask is None else None

    @cached_property
    def keys(self) -> Mapping[str, str]:
        """Return {position of a choice or other button for players: its key}."""
        found: dict[str, str] = {}
        for place, button in (*self._placed_moves, *self.aheads, *self.others):
            key = _AMOUNT_KEY if button.ask is not None and button.verb == "bet" else _KEYS.get(button.verb, "")
            if key:
                found.setdefault(key, place)
        return {place: key for key, place in found.items()}

    @cached_property
    def own_seats(self) -> list[Seat]:
        """Return the seats whose cards the viewer plays or bets on: their own, and boxes that they bet behind."""
        return [seat for seat in self.screen.seats if seat.is_viewer or any(chip.is_own for chip in seat.chips)]

    @property
    def own_chips(self) -> list[tuple[Text, SpotChips]]:
        """Return (label, chips) of the viewer's bets on seats until they are paid; on boxes the label names the box."""
        found = [(seat, chip) for seat in self.own_seats if seat.net is None for chip in seat.chips if chip.is_own]
        if PLAYS[self.screen.game].seating is not Seating.BOXES:
            return [(chip.label, chip) for _seat, chip in found]
        return [(Text("{box}, {spot}", box=self.place_of(seat), spot=chip.label), chip) for seat, chip in found]

    @property
    def paid_hand(self) -> int | None:
        """Return the shown hand if it has been paid and was the viewer's too."""
        return self.screen.last_hand if self.screen.slips else None

    @property
    def paid_net(self) -> Amount:
        """Return the viewer's result of the shown hand, all boxes together."""
        return Amount(sum(slip.net for slip in self.screen.slips))

    @property
    def is_paid(self) -> bool:
        """Return whether the shown hand is over, so that bets for the next one can be made beside it."""
        return self.screen.phase != "playing" and any(seat.net is not None for seat in self.screen.seats)

    @property
    def own_piles(self) -> list[Pile]:
        return [pile for seat in self.own_seats for pile in seat.piles]

    def card_move(self, position: int) -> Button | None:
        """Return the move that a press on the viewer's own card makes, or None."""
        return next((move for move in self.screen.moves if move.card == position), None)

    @cached_property
    def choices(self) -> list[tuple[str, Button]]:
        """Return the choices with their positions, without those made on the cards or the felt."""
        on_felt = stages_of(self.screen.game).on_felt.slots
        return [(place, move) for place, move in self._placed_moves if place not in on_felt]

    @cached_property
    def on_felt(self) -> list[tuple[str, Button]]:
        """Return the answers to a question printed on the felt, with their positions."""
        on_felt = stages_of(self.screen.game).on_felt.slots
        return [(place, move) for place, move in self._placed_moves if place in on_felt]

    @cached_property
    def _placed_moves(self) -> list[tuple[str, Button]]:
        stages = stages_of(self.screen.game)
        moves = (move for move in self.screen.moves if not move.card)
        return placed(moves, Places((*stages.moves.rows, *stages.on_felt.rows)))

    @cached_property
    def aheads(self) -> list[tuple[str, Button]]:
        """Return the choices before the viewer's turn, each at the position of its last move."""
        return placed(self.screen.ahead, stages_of(self.screen.game).moves)

    @property
    def seats_to_take(self) -> list[tuple[Seat, Button]]:
        """Return the free places that can be held without a bet; a place itself takes the bet."""
        seats = self.screen.seats if self.seats_take_bets else ()
        return [(seat, one) for seat in seats for one in seat.buttons if not one.spot]

    @property
    def seats_take_bets(self) -> bool:
        return any(button.spot for seat in self.screen.seats for button in seat.buttons)

    @property
    def asked(self) -> list[Text]:
        """Return which box and hand the choices are about, if the viewer has several."""
        seat = next((seat for seat in self.own_seats if seat.is_turn), None)
        if seat is None:
            return []
        hand = next((pile.name for pile in seat.piles if pile.is_turn), None)
        box = [self.place_of(seat)] if len(self.own_seats) > 1 else []
        return [*box, hand] if hand and len(seat.piles) > 1 else box

    def place_of(self, seat: Seat | Slip) -> Text:
        number = seat.key.partition("/")[0]
        if PLAYS[self.screen.game].seating is Seating.BOXES:
            return Text("Box {seat}", seat=number)
        return Text("Seat {seat}", seat=number)

    @property
    def by_card(self) -> list[Button]:
        """Return the choices about single cards; only that of the lifted card is shown."""
        return [move for move in self.screen.moves if move.card]

    def key_of(self, button: Button) -> str:
        return _KEYS.get(button.verb, "")

    def asks_again(self, button: Button) -> Text | None:
        """Return the question before a press that takes a whole stack or buy-in; None for others."""
        if button.verb in ("buyin", "tournament join") and button.ask is None and button.cost:
            return Text("Buy in for {cost}? Press again, or hold.", cost=button.cost)
        return None

    def result_of(self, net: Amount) -> str:
        return result_of(net)

    def by_spot(self, buttons: Iterable[Button]) -> list[tuple[str, list[Button]]]:
        """Return the chips among them as rows, one for each spot."""
        rows: dict[str, list[Button]] = {}
        for button in buttons:
            if button.spot:
                rows.setdefault(button.spot, []).append(button)
        return list(rows.items())

    @cached_property
    def printed(self) -> list[Printed]:
        """Return the spots before the viewer's own cards, in games where each player has their own."""
        game = self.screen.game
        if PLAYS[game].seating is not Seating.SEATS:
            return []
        lies: dict[str, int] = {}
        for _label, chip in self.own_chips:
            lies[chip.spot] = lies.get(chip.spot, 0) + chip.amount
        rules = GAMES[game]
        names = dict.fromkeys((*(stages_of(game).spots or (*rules.spots, *rules.all_spots)), *lies))
        buttons = dict(self.by_spot(self.screen.bets))
        return [Printed(name, Amount(lies.get(name, 0)), buttons.get(name, [])) for name in names]

    @cached_property
    def others(self) -> list[tuple[str, Button]]:
        """Return the players' other buttons, neither chips nor moves, with their positions."""
        return [(name, button) for name, button in self._placed_others if self._is_main(name, button)]

    @property
    def aside(self) -> list[tuple[str, Button]]:
        """Return the optional buttons, with their positions."""
        return [(name, button) for name, button in self._placed_others if not self._is_main(name, button)]

    def _is_main(self, name: str, button: Button) -> bool:
        """Return whether a button is needed to play: by its place, or because it enters a tournament."""
        enters = button.verb.startswith("tournament ") and button.kind == "bet"
        return enters or name in stages_of(self.screen.game).others.slots

    @cached_property
    def _placed_others(self) -> list[tuple[str, Button]]:
        bets = [one for one in self.screen.bets if not one.spot and one.args[:1] not in self._announced_bets]
        shown = (button for button in self.screen.more if button.kind != "ahead")  # the page has its own choices
        more = [button for button in shown if button.verb not in _LINKS and button.verb != "cards"]
        stages = stages_of(self.screen.game)
        return placed([*bets, *more], Places((*stages.others.rows, *stages.aside.rows)))

    @cached_property
    def rail(self) -> list[Button]:
        """Return the chips that are picked up and placed on the felt: one of each, in a fixed order."""
        on_boxes = (button for seat in self.screen.seats for button in seat.buttons if button.spot)
        areas = {chips.spot for chips in self.screen.spots}
        on_areas = (button for button in self.screen.bets if button.spot in areas)
        found: dict[tuple[bool, str, int], Button] = {}
        for button in (*on_boxes, *on_areas, *self._on_printed):
            is_side = self.is_side(button)
            found.setdefault((is_side, button.spot if is_side else "", button.amount), button)
        return [found[key] for key in sorted(found)]

    @property
    def _on_printed(self) -> list[Button]:
        """Return the printed main bets, or the side bets if there are no others; a side bet uses their chips."""
        buttons = [button for spot in self.printed for button in spot.buttons]
        return [button for button in buttons if not self.is_side(button)] or buttons

    def chips_for(self, button: Button, spot: Printed) -> list[int]:
        """Return the chips of the rail that make this bet on the spot: its own, and those without a bet there of which
        it is the nearest below, else the least.
        """
        offered = sorted(one.amount for one in spot.buttons)
        nearest = [
            max((amount for amount in offered if amount <= chip.amount), default=offered[0]) for chip in self.rail
        ]
        return [number for number, amount in enumerate(nearest, 1) if amount == button.amount]

    def turning(self, pile: Pile) -> Turning | None:
        """Return the present reveal of these cards, or None."""
        return next((one for one in self.screen.turning if pile.to and one.to == pile.to), None)

    def is_side(self, button: Button) -> bool:
        """Return whether a chip goes on a side bet."""
        mains = PRESENTERS[self.screen.game].bets.mains
        return bool(mains) and button.spot not in mains

    def place_at(self, seat: int) -> int:
        """Return the position of a seat on the felt, clockwise from 1 at the viewer's left; the viewer's own is the
        last.
        """
        seats = self.screen.seats
        own = next((at for at, one in enumerate(seats) if one.is_viewer), -1)
        if PLAYS[self.screen.game].seating is Seating.BOXES:
            own = -1
        return (seat - own - 1) % len(seats) + 1

    def nth(self, button: Button) -> int:
        """Return which chip of the rail makes this bet, from 1."""
        areas = {chips.spot for chips in self.screen.spots}
        is_same = (
            one.amount == button.amount and (one.spot == button.spot or {one.spot, button.spot} <= areas)
            for one in self.rail
        )
        return next(number for number, same in enumerate(is_same, 1) if same)

    @property
    def road(self) -> list[tuple[str, str]]:
        """Return (result, colour of its bead in pictures) of past hands, oldest first."""
        layout = felt_of(self.screen.game).layout
        colours = layout.road if isinstance(layout, Areas | Board) else {}
        return [(mark, colours.get(mark, "grey")) for mark in self.screen.road]

    @property
    def board(self) -> Board | None:
        """Return the board that takes the bets of this table, or None."""
        layout = felt_of(self.screen.game).layout
        return layout if isinstance(layout, Board) else None

    @cached_property
    def whole_bets(self) -> dict[str, Button]:
        """Return {spot: its button} of bets whose amount is not the player's: those of a practice hand."""
        return {button.spot: button for button in self.screen.bets if button.args == (button.spot,)}

    @property
    def announced(self) -> list[list[Button]]:
        """Return the announced bets of a board, each with one button for every chip of the rail."""
        if self.board is None or self.whole_bets:
            return []
        announced = PLAYS[self.screen.game].announced
        return [[_announce(bet, sum(announced[bet].values()), chip) for chip in self.rail] for bet in announced]

    @cached_property
    def _announced_bets(self) -> set[tuple[str, ...]]:
        return {(bet,) for bet in PLAYS[self.screen.game].announced} if self.board is not None else set()

    @property
    def cells(self) -> list[tuple[Cell, SpotChips]]:
        """Return the places of the board, with the chips on each."""
        lying = {chips.spot: chips for chips in self.screen.spots}
        return [(cell, lying[cell.spot]) for cell in self.board.cells if cell.spot in lying] if self.board else []

    @property
    def hand_links(self) -> list[tuple[Text, str]]:
        """Return links to pages about past hands."""
        return self._links_to("verify", "history")

    @property
    def table_links(self) -> list[tuple[Text, str]]:
        return self._links_to("rules", "paytable", "learn")

    def _links_to(self, *verbs: str) -> list[tuple[Text, str]]:
        buttons = (button for button in self.screen.more if button.verb in verbs)
        return [(button.label, _LINKS[button.verb].format(*button.args)) for button in buttons]


def _announce(bet: str, chips: int, chip: Button) -> Button:
    """Return the button of a bet that places so many of this chip."""
    label, cost = Text("{spot}", spot=Word(bet)), Amount(chips * chip.amount)
    return chip._replace(label=label, args=(bet, chip.args[-1]), fresh=at_price(chip.fresh, cost), cost=cost)


def placed(buttons: Iterable[Button], places: Places) -> list[tuple[str, Button]]:
    """Return each button with the name of its position, unique on the table; the game defines where it is (kept.py)."""
    laid = set(places.slots)
    found: dict[str, Button] = {}
    for button in buttons:
        names = _names_of(button, laid, len(found))
        found[next(name for name in names if name not in found)] = button
    return list(found.items())


def _names_of(button: Button, laid: set[str], number: int) -> list[str]:
    """Return names for a button's position: by its argument if the layout has that, else by its verb."""
    verb = button.verb.replace(" ", "-")
    if button.ask:
        return [f"{verb}-ask", f"{verb}-ask-{number}"]
    named = f"{verb}-{button.args[0]}" if button.args else ""
    own = [named] if named in laid else []
    return [*own, verb, f"{verb}-most", f"{verb}-third", f"{verb}-{number}"]


def view_of(visitor: Visitor, table: Table) -> PageView:
    """Return the view of a table: the public one, or the player's own if they have a part in it."""
    viewer, lounge = visitor.player, visitor.lounge
    assert viewer is not None
    audience = lounge.audiences.of(table, partial(_draw_audience, lounge))
    if viewer.id in audience.people:
        timeline = lounge.audiences.timelines.of(table, viewer.id)
        own = _draw_parts(visitor, table, _make_view(visitor, viewer, table))
        return PageView(_NOTHING, own=own, timeline=timeline, language=visitor.language)
    shows_odds = viewer.state.coach == COACH_ON
    drawing = audience.drawing(visitor.language, visitor.chips_in(table.casino), shows_odds=shows_odds)
    timeline = lounge.audiences.timelines.of(table, None)
    return PageView(drawing, _say_wallet(visitor, table), timeline=timeline, language=visitor.language)


def draw_parts_for(visitor: Visitor, table: Table) -> Parts:
    """Return {part: HTML} of a table as a player sees it, or anybody."""
    if visitor.player is None:
        lounge = visitor.lounge
        seen = screen(lounge.state, table, None, lounge.writer.clock())
        return _draw_audience(lounge, table, seen, visitor.language, False)
    return _draw_parts(visitor, table, _make_view(visitor, visitor.player, table))


def _draw_audience(lounge: Lounge, table: Table, shown: Screen, language: str, shows_odds: bool) -> Parts:
    others = _offer_others(lounge, table, None)
    view = TableView(shown, GAP, options_of(lounge.state, table), is_priced(table), shows_odds, **others)
    return _draw_parts(Visitor(lounge, language), table, view)


def _make_view(visitor: Visitor, viewer: Player, table: Table) -> TableView:
    lounge = visitor.lounge
    seen = screen(lounge.state, table, viewer.id, lounge.writer.clock())
    shown = replace(seen, dearest=lounge.dearest(table, viewer.id))
    shows_odds, priced = viewer.state.coach == COACH_ON, lounge.writer.coaching.worths(table, viewer.id)
    wallet, options = _say_wallet(visitor, table), options_of(lounge.state, table)
    others = _offer_others(lounge, table, viewer.id)
    return TableView(shown, wallet, options, is_priced(table), shows_odds, priced, **others)


def _offer_others(lounge: Lounge, table: Table, viewer: int | None) -> dict[str, Any]:
    """Return what a full table offers people without a seat: the next one of its game, and a bell."""
    is_seated = viewer is not None and table.seat_of(viewer) is not None
    if is_seated or table.status != "open" or table.tournament is not None or has_seat(table):
        return {}
    other = find_next(table, lounge.tables()) if table.casino == LOUNGE else None
    waits = viewer in table.notify.get(SEAT, ())
    return {
        "ways": [(say_free_seats(other), f"../table/{other.id}")] if other is not None else (),
        "bell": Button(_STOP, "notify", (OFF,)) if waits else Button(BELL.label, BELL.verb, BELL.args),
    }


def _say_wallet(visitor: Visitor, table: Table) -> str:
    """Return the player's chips in the table's casino, as HTML."""
    return str(escape(say_amount(visitor.chips_in(table.casino) or 0, visitor.language)))


def stage_of(table: Table) -> str:
    """Return an opaque word for who is waited for in which hand: what was confirmed of one stage is over with it."""
    asked = sorted(table.round.hand.asks) if table.round.hand is not None else []
    stage = [table.round.hand_id, table.phase, asked, sorted(table.round.turning)]
    return blake2b(json.dumps(stage).encode(), digest_size=6).hexdigest()


def _draw_parts(visitor: Visitor, table: Table, view: TableView) -> Parts:
    """Return {part: HTML}."""
    committed = table.round.commitment["casino"] if table.round.commitment is not None else str(table.casino)
    head = head_of_close(visitor.lounge.state, table)
    closed_by = json.dumps(head, separators=(",", ":")) if head is not None else ""
    shown = {
        "at": view,
        "screen": view.screen,
        "casino": table.casino,
        "promised_in": committed,
        "closed_by": closed_by,
        "sealing": _show_seals(table),
        "stage": stage_of(table),
    }
    return {part: draw(f"parts/{part}.html", visitor, shown) for part in PARTS}


def _show_seals(table: Table) -> dict[str, object]:
    """Return what pages need to seal and open their players' cuts; all of it is public.

    sealers   players who may seal one now
    seals     {player: seal} as JSON
    closing   the line of the close in the log, while cuts are opened
    """
    round, plays = table.round, table.plays
    seated = table.seats.values() if plays.seating is Seating.STACKS else [bet.player for bet in round.bets]
    may_seal = not table.has_closed and table.status == "open" and table.shoe is None and round.commitment is not None
    taken = {player for player, _cut in (*round.cuts, *round.seals)}
    return {
        "log": round.commitment["log"] if round.commitment is not None else "",
        "sealers": " ".join(str(player) for player in dict.fromkeys(seated) if player not in taken) if may_seal else "",
        "seals": json.dumps({str(player): seal for player, seal in round.seals}),
        "closing": round.lines[-1] if table.awaits_cuts else "",
    }


def _is_signed(lounge: Lounge, table: Table) -> bool:
    """Return whether the log of the table's casino has a signed head."""
    commitment = table.round.commitment
    return commitment is not None and lounge.state.head_of(int(commitment["casino"]), commitment["log"]) is not None


def _find_table(request: web.Request, visitor: Visitor) -> Table | None:
    return visitor.find_table(request.match_info["table"])


async def show_table(request: web.Request) -> web.Response:
    """Show a table with all its buttons (GET)."""
    visitor = await visitor_of(request)
    if visitor is None:
        raise web.HTTPSeeOther("/")
    table = _find_table(request, visitor)
    if table is None:
        return sentence(visitor, NO_TABLE, status=404)
    if table.casino != LOUNGE:
        # The wallet there may only be in the store.
        await visitor.lounge.submit(visitor.command(visitor.place_at(table), "balance"))
    return page(
        "table.html",
        visitor,
        lesson=None,
        table=table,
        parts=view_of(visitor, table).parts,
        places=sheet_address(table.game),
        tabs=TABS,
        books=await visitor.lounge.books_name(),
        words=mark_words(visitor.language),
        is_signed=_is_signed(visitor.lounge, table),
        now=visitor.lounge.writer.clock(),
        seating=PLAYS[table.game].seating.value,
        shared=share(request, table.id, visitor.language) if table.casino == LOUNGE else None,
    )


async def follow(request: web.Request) -> web.StreamResponse:
    """Follow a table by a websocket."""
    visitor = await visitor_of(request)
    table = _find_table(request, visitor) if visitor is not None else None
    if visitor is None or visitor.player is None or table is None:
        raise web.HTTPForbidden(text="")
    may_bend = partial(_turns, visitor.lounge, table.id, visitor.player.id)
    return await visitor.follow(request, table.id, partial(_view_now, table.id), _mark_of(request), may_bend)


def _turns(lounge: Lounge, id: int, player: int, position: str) -> bool:
    """Return whether the player is revealing these cards now."""
    table = lounge.state.table(id)
    if table is None or table.round.turning.get(position) != player:
        return False
    return any(turn.position == position for turn in table.plays.reveals.due(table.round.turning))


def _mark_of(request: web.Request) -> Mark | None:
    """Return the position in the course from which a page reconnects, or None."""
    timeline, _dot, number = request.query.get("after", "").partition(".")
    is_number = number.isascii() and number.isdecimal() and len(number) < _LONGEST_NUMBER
    return Mark(timeline, int(number)) if is_number else None


def _view_now(id: int, visitor: Visitor) -> PageView:
    table = visitor.lounge.state.table(id)
    assert table is not None, "it is kept for good"
    return view_of(visitor, table)
