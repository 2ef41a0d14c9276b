"""Parts of all tables: rail and felt, headline and foot, fanned cards, chips on a spot, name plates, ribbons."""

from collections.abc import Sequence
from functools import lru_cache

from bot.texts import Text, say, say_value, title_of
from bot.view import Screen, Seat
from bot.view.pictures.canvas import CORNER, Canvas
from bot.view.pictures.chips import paint_spot, short_amount, stack_of
from bot.view.pictures.faces import paint_card
from bot.view.pictures.lettering import clean, fitted, fitted_by_parts, width_of
from bot.view.pictures.pen import Pen
from engine.cards import HIDDEN
from engine.felt import Amount, Word

WIDTH, HEIGHT = 900, 600
# The symbol carries the result without colour.
RESULTS = {
    "win": (Text("wins"), "▲", "green"),
    "lose": (Text("loses"), "▼", "red"),
    "push": (Text("even"), "=", "bronze"),
}
HEAD, FOOT = 66, 552


def paint_table(pen: Pen, width: int, height: int) -> None:
    """Paint the rail, the felt, and the dark strips of head and foot."""
    pen.box((0, 0, width, height), fill="ink", radius=CORNER)
    pen.box((3, 3, width - 3, height - 3), fill="rail", radius=CORNER - 3)
    pen.box((5, 5, width - 5, height - 5), fill="bronze", radius=CORNER - 5)
    pen.box((7, 7, width - 7, height - 7), fill="rail", radius=CORNER - 7)
    pen.box((12, 12, width - 12, height - 12), fill="ink", radius=CORNER - 11)
    pen.box((14, 14, width - 14, height - 14), fill="felt", radius=CORNER - 12)
    pen.box((14, 14, width - 14, HEAD), fill="ink", radius=CORNER - 12)
    pen.box((14, HEAD - 18, width - 14, HEAD), fill="ink")
    pen.box((14, HEAD - 2, width - 14, HEAD), fill="bronze")
    pen.box((14, height - 600 + FOOT, width - 14, height - 14), fill="ink", radius=CORNER - 12)
    pen.box((14, height - 600 + FOOT, width - 14, height - 600 + FOOT + 12), fill="ink")


def paint_pill(
    pen: Pen, width: int, height: int, fill: str, edge: str = "", radius: float = 8, ground: str = "felt"
) -> None:
    """Paint a plate with round corners on a ground of one colour; an edge is optional."""
    pen.box((0, 0, width, height), fill=ground)
    pen.box((0, 0, width, height), fill=fill, edge=edge, width=2 if edge else 0, radius=radius)


def paint_felt(pen: Pen, width: int, height: int) -> None:
    """Paint bare felt over the outlines of the layout."""
    pen.box((0, 0, width, height), fill="felt")


@lru_cache(maxsize=4096)
def words(text: Text | None, language: str) -> str:
    """Return a text of the screen as it can be drawn; cached, because formatting numbers is slow."""
    return clean(say(text, language)) if text is not None else ""


def draw_head(canvas: Canvas, screen: Screen, language: str) -> None:
    """Draw the headline, on one line or two."""
    headline = words(screen.headline, language)
    lines, size = wrapped(headline, WIDTH - 60, 28, 20)
    middle = (14 + HEAD - 2) // 2
    for at, line in enumerate(lines):
        canvas.text(30, middle + (24 * at - 12 if len(lines) > 1 else 0), line, size, "white", "ink", "l")


def wrapped(text: str, width: int, size: int, least: int) -> tuple[list[str], int]:
    """Return one line if it fits, else two, the second cut with dots if needed."""
    for smaller in range(size, least - 1, -1):
        if width_of(text, smaller) <= width:
            return [text], smaller
    first: list[str] = []
    rest = text.split(" ")
    while rest and width_of(" ".join((*first, rest[0])), least) <= width:
        first.append(rest.pop(0))
    if not first:
        return [fitted(text, width, least, least)[0]], least
    return [" ".join(first), fitted(" ".join(rest), width, least, least)[0]], least


def draw_foot(canvas: Canvas, screen: Screen, language: str, bottom: int = HEIGHT) -> None:
    """Draw game, table and limits at the left, the deck's commit at the right."""
    middle = (FOOT + HEIGHT - 14) // 2 + bottom - HEIGHT
    table = Text("Table {number}", number=str(screen.number)) if screen.number else Text("Practice")
    left = f"{title_of(screen.game)} · {words(table, language)} · {words(screen.limits, language)}"
    commit = words(Text("commitment {begins}", begins=screen.commit[:8]), language) if screen.commit else ""
    room = WIDTH - 60 - (width_of(commit, 18) + 20 if commit else 0)
    canvas.text(30, middle, *fitted(left, room, 20, 16), "grey", "ink", "l")
    canvas.text(WIDTH - 30, middle, commit, 18, "grey", "ink", "r")


def draw_fan(
    canvas: Canvas, x: int, y: int, cards: Sequence[str], size: tuple[int, int], room: int, gap: int = 4
) -> None:
    """Draw cards side by side around x, overlapping if there is too little room."""
    width, height = size
    step = step_of(len(cards), width, room, gap)
    left = x - (step * (len(cards) - 1) + width) // 2
    for at, card in enumerate(cards):
        under = "" if at == 0 or step >= width else "blue" if cards[at - 1] == HIDDEN else "white"
        canvas.draw_sprite(left + at * step, y, width, height, paint_card, card, under)


def step_of(count: int, width: int, room: int, gap: int) -> int:
    """Return the distance between cards in pixels, so that all fit."""
    return min(width + gap, (room - width) // (count - 1)) if count > 1 else width


def draw_pill(
    canvas: Canvas,
    x: int,
    y: int,
    text: str,
    size: int,
    most: int,
    ink: str = "white",
    fill: str = "ink",
    edge: str = "",
    least: int = 16,
) -> None:
    """Draw a plate as wide as its text, around (x, y)."""
    shown, smaller = fitted_by_parts(text, most - 10, size, least)
    width = min(most, (width_of(shown, smaller) + 23) // 8 * 8)  # in steps of 8, so that few plates serve
    height = size + 8
    canvas.draw_sprite(x - width // 2, y - height // 2, width, height, paint_pill, fill, edge)
    canvas.text(x, y, shown, smaller, ink, fill)


def draw_chips(
    canvas: Canvas, x: int, y: int, amount: int, language: str, size: tuple[int, int], is_round: bool = False
) -> None:
    """Draw a stack on a spot centred at x with its top at y, and the amount below it."""
    width, height = size
    canvas.draw_sprite(x - width // 2, y, width, height, paint_spot, is_round, "", stack_of(amount))
    draw_amount(canvas, x, y + height - 9, amount, language, width)


def draw_amount(canvas: Canvas, x: int, y: int, amount: int, language: str, width: int, ink: str = "white") -> None:
    """Draw an amount around (x, y), on a dark plate of this width; shortened to fit."""
    canvas.draw_sprite(x - width // 2, y - 11, width, 22, paint_pill, "ink", "", 6)
    canvas.text(x, y, short_amount(amount, language, width - 4, 18), 18, ink, "ink")


def draw_plate(canvas: Canvas, x: int, y: int, width: int, seat: Seat, language: str) -> None:
    """Draw the name plate; gold with a thick frame for the seat in turn."""
    fill, ink = ("gold", "ink") if seat.is_turn else ("ink", "white")
    edge = "white" if seat.is_turn else "bronze" if seat.is_viewer else "dim"
    canvas.draw_sprite(x - width // 2, y, width, 34, paint_pill, fill, edge)
    canvas.text(x, y + 17, *fitted(name_of(seat, language), width - 12, 22, 17), ink, fill)


def name_of(seat: Seat, language: str) -> str:
    """Return the name of a seat, or its number if the name cannot be drawn."""
    return clean(seat.name) or say(Text("Seat {seat}", seat=seat.key), language)


@lru_cache(maxsize=256)
def _say_state(state: str, language: str) -> str:
    return clean(say_value(Word(state), language, "state"))


def state_of(seat: Seat, language: str) -> str:
    """Return a seat's last action, marked if it is in turn."""
    said = _say_state(seat.state, language)
    return f"▸ {said}" if seat.is_turn else said


def result_of(seat: Seat, language: str) -> tuple[str, str]:
    """Return (sign and word, colour), so that colour alone never carries the result."""
    word, sign, fill = RESULTS[seat.result]
    return f"{sign} {words(word, language)}", fill


def draw_ribbon(canvas: Canvas, x: int, y: int, width: int, seat: Seat, language: str) -> None:
    """Draw a finished hand's result: word, sign, amount and colour; before that, the seat's last action."""
    if not seat.result:
        if seat.state and seat.state != "betting":  # the chips show it
            said = state_of(seat, language)
            ink, fill = ("ink", "gold") if seat.is_turn else ("grey", "ink")
            draw_pill(canvas, x, y + 14, said, 18, width, ink, fill)
        return
    word, fill = result_of(seat, language)
    canvas.draw_sprite(x - width // 2, y, width, 50, paint_pill, fill, "white")
    # The word comes last: its line reaches into the amount's, whose figures are lower than their line.
    canvas.text(x, y + 35, signed(seat.net or Amount(0), language, width - 12), 21, "white", fill)
    canvas.text(x, y + 15, *fitted(word, width - 12, 19, 15), "white", fill)


def signed(net: int, language: str, room: int, size: int = 21) -> str:
    """Return an amount with its sign (a true minus) in at most `room` pixels."""
    said = short_amount(abs(net), language, room - width_of("+", size), size)
    return f"+{said}" if net > 0 else f"−{said}" if net < 0 else said
