"""Tables whose players sit in an arc before the dealer (Arc).

Seat 1 is on the dealer's left, which is the right side of the picture.
"""

from collections.abc import Mapping, Sequence

from bot.texts import Text, say_amount
from bot.texts.catalogues import unmarked
from bot.view import Pile, Screen, Seat, SpotChips
from bot.view.pictures.canvas import Canvas
from bot.view.pictures.chips import paint_spot, short_amount
from bot.view.pictures.faces import SUITS, draw_path, paint_card
from bot.view.pictures.felt import BANK_CARD, BANK_STEP, ROW, Arc, Slots
from bot.view.pictures.lettering import MARK, clean, fitted, width_of
from bot.view.pictures.parts import (
    HEAD,
    HEIGHT,
    WIDTH,
    draw_chips,
    draw_fan,
    draw_foot,
    draw_head,
    draw_pill,
    draw_plate,
    draw_ribbon,
    paint_felt,
    paint_pill,
    paint_table,
    step_of,
    words,
)
from bot.view.pictures.pen import Pen
from engine.cards import HIDDEN
from engine.felt import Word

_CARDS_TOP = HEAD + 12
_MIDDLE = WIDTH // 2
_SPOT = (58, 62)
# Width of a seat's cards.
_FAN = 120


def draw_arc(canvas: Canvas, screen: Screen, language: str, arc: Arc) -> None:
    """Draw seats in an arc before a dealer; surplus seats are left out."""
    short = dict(arc.short)
    labels = tuple(
        (spot, words(Text(short.get(spot, "{spot}"), spot=Word(spot)), language))
        for row in arc.spots
        for spot in row
        if spot
    )
    canvas.lay_felt(WIDTH, HEIGHT, paint_arc, arc, labels)
    draw_head(canvas, screen, language)
    draw_foot(canvas, screen, language)
    _draw_bank(canvas, screen, language, arc)
    if screen.meter is not None:
        _draw_meter(canvas, screen.meter, language)
    for seat in screen.seats:
        if seat.key.isdigit() and 1 <= int(seat.key) <= arc.seats:
            _draw_seat(canvas, arc, seat, language)


def paint_arc(pen: Pen, width: int, height: int, arc: Arc, labels: tuple[tuple[str, str], ...]) -> None:
    """Paint the bare felt; `labels` are (spot, its text)."""
    paint_table(pen, width, height)
    pen.arc((-330, -560, width + 330, 216), 73, 107, "line", 2)
    _paint_title(pen, arc)
    _paint_dealers_place(pen, arc)
    for seat in range(1, arc.seats + 1):
        x, y = _place(arc, seat)
        _paint_seat(pen, arc, x, y, seat, dict(labels))


def _paint_title(pen: Pen, arc: Arc) -> None:
    for at, line in enumerate(arc.title):
        pen.text(784, HEAD + 34 + 27 * at, line, 25, "gold")
    if len(arc.title) > 2:
        return
    y = HEAD + 88
    for at, suit in enumerate("shdc"):
        draw_path(pen, SUITS[suit], 784 + 30 * (at - 1.5), y + 8, 20, "line")


def _paint_dealers_place(pen: Pen, arc: Arc) -> None:
    width, height = BANK_CARD
    for slots in arc.bank:
        for left in _lefts(slots):
            pen.box((left, _CARDS_TOP, left + width, _CARDS_TOP + height), edge="line", width=1.5, radius=7)


def _lefts(slots: Slots) -> list[int]:
    return [slots.left + BANK_STEP * at for at in range(slots.places)]


def _paint_seat(pen: Pen, arc: Arc, x: int, y: int, seat: int, labels: Mapping[str, str]) -> None:
    width, height = arc.card
    if arc.cards == 2:
        pen.box((x - width, y, x - 2, y + height), edge="line", width=1.5, radius=6)
        pen.box((x + 2, y, x + width, y + height), edge="line", width=1.5, radius=6)
    elif arc.cards:
        step = step_of(arc.cards, width, _FAN, 4)
        for at in range(arc.cards):
            place = x - (step * (arc.cards - 1) + width) // 2 + at * step
            pen.box((place, y, place + width, y + height), edge="line", width=1.5, radius=6)
    for row, pair in enumerate(arc.spots):
        for column, spot in enumerate(pair):
            if spot in labels:
                left, top = x + 31 * (2 * column - 1) - _SPOT[0] / 2, y + arc.spots_at + ROW * row
                paint_spot(pen.moved(left, top), *_SPOT, spot in arc.round_spots, labels[spot], ())
    plate = y + arc.plate_at
    pen.box((x - 58, plate, x + 58, plate + 34), edge="line", width=1.5, radius=8)
    pen.text(x, plate + 17, str(seat), 22, "line")


def _place(arc: Arc, seat: int) -> tuple[int, int]:
    """Return the middle of a seat's column, and its top: the seats before the dealer are further away."""
    middle = (arc.seats + 1) / 2
    off = (middle - seat) / (middle - 1)
    return round(_MIDDLE + off * (868 - 868 / arc.seats) / 2), arc.top + round(arc.bend * (1 - off * off))


def _draw_bank(canvas: Canvas, screen: Screen, language: str, arc: Arc) -> None:
    piles = {pile.to or unmarked(pile.name.template): pile for pile in screen.bank}
    for slots in arc.bank:
        _draw_house_pile(canvas, piles.get(slots.pile), _lefts(slots), language)


def _draw_house_pile(canvas: Canvas, pile: Pile | None, slots: Sequence[int], language: str) -> None:
    if pile is None:
        return
    width, height = BANK_CARD
    if len(pile.cards) <= len(slots):
        for left, card in zip(slots, pile.cards, strict=False):
            canvas.draw_sprite(left, _CARDS_TOP, width, height, paint_card, card, "")
    else:
        draw_fan(canvas, (slots[0] + slots[-1] + width) // 2, _CARDS_TOP, pile.cards, BANK_CARD, 430, 6)
    if pile.description is not None and HIDDEN not in pile.cards:
        middle = (slots[0] + slots[-1] + width) // 2
        draw_pill(canvas, middle, _CARDS_TOP + height + 15, words(pile.description, language), 22, 400, "white", "ink")


def _draw_meter(canvas: Canvas, meter: int, language: str) -> None:
    canvas.draw_sprite(28, HEAD + 16, 206, 88, paint_pill, "ink", "gold")
    canvas.text(131, HEAD + 36, words(Text("JACKPOT"), language), 20, "gold", "ink")
    canvas.text(131, HEAD + 74, *fitted(say_amount(meter, language), 186, 36, 20), "gold", "ink")


def _draw_seat(canvas: Canvas, arc: Arc, seat: Seat, language: str) -> None:
    if not seat.name and not seat.chips:
        return
    x, y = _place(arc, int(seat.key))
    if seat.piles and arc.boxes:
        _draw_hands(canvas, x, y, seat.piles, arc.card, language)
    elif seat.piles:
        draw_fan(canvas, x, y, seat.piles[0].cards, arc.card, _FAN)
    own = {chips.spot: chips for chips in seat.chips if not chips.name}
    for row, pair in enumerate(arc.spots):
        for column, spot in enumerate(pair):
            if spot in own and own[spot].amount:
                place = x + 31 * (2 * column - 1), y + arc.spots_at + ROW * row
                draw_chips(canvas, *place, own[spot].amount, language, _SPOT, spot in arc.round_spots)
    _draw_small_bets(canvas, x, y + arc.spots_at, [own[spot] for spot in arc.small_spots if spot in own], language)
    if arc.boxes:
        _draw_behind(canvas, x, y + arc.spots_at + 80, seat.chips, language)
    plate = y + arc.plate_at
    draw_plate(canvas, x, plate, 120, seat, language)
    _draw_badge(canvas, x, plate, seat.key, arc.light in own)
    draw_ribbon(canvas, x, plate + 38, 120, seat, language)


def _draw_badge(canvas: Canvas, x: int, plate: int, key: str, has_coin: bool) -> None:
    """Draw the seat's number, and the light of a seat with a coin in the slot (CS2)."""
    canvas.draw_sprite(x - 14, plate - 18, 28, 18, paint_pill, "dim", "", 6)
    canvas.text(x, plate - 9, key, 15, "white", "dim")
    if has_coin:
        canvas.draw_sprite(x + 28, plate - 19, 30, 18, paint_coin_light)


def paint_coin_light(pen: Pen, width: int, height: int) -> None:
    """Paint a slot with a lit J, because the light alone would rely on colour."""
    pen.box((0, 0, width, height), fill="red", edge="gold", width=1.5, radius=7)
    pen.text(width / 2, height / 2, "J", 15, "white")


def _draw_hands(canvas: Canvas, x: int, y: int, piles: Sequence[Pile], card: tuple[int, int], language: str) -> None:
    """Draw one hand as a fan; after splits, columns of smaller cards, each with its total."""
    if len(piles) == 1:
        pile = piles[0]
        draw_fan(canvas, x, y, pile.cards, card, _FAN)
        if pile.description is not None:
            draw_pill(canvas, x, y + 90, words(pile.description, language), 20, 120)
        return
    canvas.draw_sprite(x - 60, y, 120, 74, paint_felt)
    rows = 1 if len(piles) <= 3 else 2
    columns = -(-len(piles) // rows)
    for at, pile in enumerate(piles):
        row, column = divmod(at, columns)
        middle = x - 60 + round(120 * (column + 0.5) / columns)
        _draw_split_hand(canvas, middle, y + 64 * row, pile, 120 // columns, rows)


def _draw_split_hand(canvas: Canvas, x: int, y: int, pile: Pile, room: int, rows: int) -> None:
    """Draw cards below each other; only the last ones if there are too many."""
    width = min(40, room - 2)
    height = round(width * 1.3) if rows == 1 else 40
    deep = (82 if rows == 1 else 40) - height
    shown = pile.cards if deep else pile.cards[-1:]
    step = min(20, deep // max(1, len(shown) - 1))
    for at, card in enumerate(shown):
        canvas.draw_sprite(x - width // 2, y + step * at, width, height, paint_card, card, "")
    if pile.is_turn:
        canvas.draw_sprite(x - room // 2, y + deep + height, room, 22, paint_pill, "gold", "", 6)
    else:
        canvas.draw_sprite(x - room // 2, y + deep + height, room, 22, paint_pill, "ink", "", 6)
    ink, ground = ("ink", "gold") if pile.is_turn else ("white", "ink")
    canvas.text(x, y + deep + height + 11, *fitted(_total(pile), room - 4, 18, 13), ink, ground)


def _total(pile: Pile) -> str:
    """Return the number alone, because a column has no room for words."""
    values = pile.description.values if pile.description is not None else {}
    return str(values.get("total", "BJ" if pile.description is not None else len(pile.cards)))


def _draw_small_bets(canvas: Canvas, x: int, y: int, bets: Sequence[SpotChips], language: str) -> None:
    """Draw side bets and insurance beside the circle of the box."""
    lying = [chips for chips in bets if chips.amount]
    for at, chips in enumerate(lying):
        label = words(chips.label, language)
        canvas.draw_sprite(x + 3, y + 2 + 34 * at, 56, 32, paint_pill, "ink", "", 6)
        canvas.text(x + 31, y + 10 + 34 * at, *fitted(label, 52, 14, 10), "grey", "ink")
        said = short_amount(chips.amount, language, 52, 16)
        canvas.text(x + 31, y + 24 + 34 * at, said, 16, "white", "ink")


def _draw_behind(canvas: Canvas, x: int, y: int, chips: Sequence[SpotChips], language: str) -> None:
    """Draw players behind the box by name, with their bets."""
    behind: dict[str, int] = {}
    for one in chips:
        if one.name:
            behind[one.name] = behind.get(one.name, 0) + one.amount
    for name, amount in list(behind.items())[:1]:
        more = f" +{len(behind) - 1}" if len(behind) > 1 else ""
        said = short_amount(amount, language, 56, 16)
        shown = fitted(clean(name) or MARK, 112 - width_of(said + more, 16) - 6, 16, 14)[0]
        canvas.draw_sprite(x - 58, y - 10, 116, 20, paint_pill, "ink", "", 6)
        canvas.text(x, y, f"{shown} {said}{more}", 16, "grey", "ink")
