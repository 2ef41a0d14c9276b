"""Screens on Telegram: a caption in HTML, an inline keyboard, an alert. Everything fits by construction.

Text that people wrote is escaped and never a link (saying.py). Lengths are counted as Telegram counts them: UTF-16
units without tags.
"""

import html
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from bot.core.admin.settings import SETTINGS
from bot.core.command_list import has_flag, is_inspectors
from bot.core.commands.command import Choice
from bot.core.commands.registry import CommandFlag
from bot.core.state.plays import PLAYS, Seating
from bot.core.state.table import Table
from bot.platforms.common.button_rows import pack_buttons
from bot.platforms.common.press import Press, dump_press, press_of
from bot.platforms.common.sentences import say_commit, say_seed
from bot.platforms.telegram.saying import inert, say
from bot.texts import Text, isolate, say_amount, say_card, title_of
from bot.texts.languages import dealers_language
from bot.view import Button, Pile, Screen, Seat, has_totals, is_deciding
from engine.cards import HIDDEN
from engine.felt import Word
from engine.games import GAMES

# Length of a toast that can be read in its three seconds.
CAPTION, TEXT, ALERT, TOAST = 1024, 4096, 200, 90
LONGEST_LINE, LONGEST_LABEL = 170, 60
_TAG = re.compile(r"</?[a-z]+>")
_LINKS = ("rules", "paytable", "learn", "verify", "history")
Rows = list[list[InlineKeyboardButton]]


class RankedLine(NamedTuple):
    """A line of HTML; lines of the highest rank are dropped first."""

    rank: int
    html: str


def escape(text: str) -> str:
    """Escape text for Telegram's HTML; quotes stay."""
    return html.escape(text, quote=False)


def length(text: str) -> int:
    """Return the length in UTF-16 units, as Telegram counts."""
    return len(text.encode("utf-16-le")) // 2


def seen_length(marked: str) -> int:
    """Return the length without tags and escapes."""
    return length(html.unescape(_TAG.sub("", marked)))


def shorten(text: str, most: int) -> str:
    """Cut text to at most `most` units, between characters."""
    if 2 * len(text) <= most or length(text) <= most:
        return text
    while length(text) > most - 1:
        text = text[: max(0, min(len(text) - 1, most - 1))]
    return text.rstrip() + "…"


def fit(lines: Iterable[RankedLine], most: int) -> str:
    """Return the lines that fit, in order."""
    kept = [line for line in lines if line.html]
    whole = "\n".join(line.html for line in kept)
    if length(whole) <= most:  # tags and escapes only make it longer
        return whole
    total = sum(seen_length(line.html) + 1 for line in kept) - 1
    while total > most and len(kept) > 1:
        least = max(range(len(kept)), key=lambda index: (kept[index].rank, index))
        total -= seen_length(kept.pop(least).html) + 1
    return "\n".join(line.html for line in kept)


def fit_alert(texts: Sequence[str], most: int = ALERT) -> str:
    """Return as many of the lines as an alert holds; the first is cut rather than left out."""
    said = ""
    for text in texts:
        longer = f"{said}\n{text}" if said else shorten(text, most)
        if length(longer) > most:
            break
        said = longer
    return said


def fit_notice(texts: Sequence[str], *, alert: bool) -> tuple[str, bool]:
    """Return the answer to a press, and whether it must be closed: a sentence too long for a toast must."""
    must_close = alert or bool(texts and length(texts[0]) > TOAST)
    return fit_alert(texts, ALERT if must_close else TOAST), must_close


def caption(screen: Screen, language: str, most: int) -> str:
    """Return the table in words, for everyone or, with a viewer, for one person's chat."""
    return fit(_lines(screen, language), most)


def name_of(table: Screen | Table, language: str) -> str:
    """Return the title of a table's message."""
    return _name(title_of(table.game), table.number, language)


@lru_cache(maxsize=4096)
def _name(title: str, number: int, language: str) -> str:
    return say(Text("{game} · table {number}", game=title, number=number), language)


def _lines(screen: Screen, language: str) -> Iterable[RankedLine]:
    name = name_of(screen, language)
    yield RankedLine(0, f"<b>{escape(name)}</b> · {escape(say(screen.limits, language))}")
    yield RankedLine(0, _headline(screen, language))
    yield RankedLine(1, escape(_clock(screen, language)))
    for pile in screen.bank:
        yield RankedLine(2, escape(f"{say(pile.name, language)}: {_pile(pile, language)}"))
    if screen.dice:
        yield RankedLine(4, escape(say(Text("Dice: {a} and {b}", a=screen.dice[0], b=screen.dice[1]), language)))
    if screen.pot:
        yield RankedLine(2, escape(say(Text("Pot: {pot}", pot=screen.pot), language)))
    yield from (RankedLine(3, escape(shorten(say(line, language), LONGEST_LINE))) for line in screen.lines)
    yield from (RankedLine(4, line) for line in _areas(screen, language))
    yield from (RankedLine(5, line) for line in _seats(screen, language))
    yield from (RankedLine(3, f"<b>{escape(shorten(say(line, language), LONGEST_LINE))}</b>") for line in screen.holds)
    if screen.meter is not None:
        yield RankedLine(6, escape(say(Text("Jackpot: {meter}", meter=screen.meter), language)))
    for cut in screen.cuts:
        yield RankedLine(9, escape(say(Text("Cut with “{text}”", text=cut), language)))
    if screen.phase in ("asleep", "betting", "waiting"):
        # Shown before the first bet: the deck is fixed already.
        yield RankedLine(4, _commitment(screen.commit, language))
    if screen.revealed:
        yield RankedLine(7, escape(say(say_seed(screen.revealed), language)))


@lru_cache(maxsize=4096)
def _commitment(commit: str, language: str) -> str:
    """Return the commit of the next hand, which is shown with every bet."""
    return escape(say(say_commit(commit), language))


def _headline(screen: Screen, language: str) -> str:
    """Return the headline with the dealer's call, unless the language is the dealer's own."""
    said = escape(shorten(say(screen.headline, language), 2 * LONGEST_LINE))
    if screen.call is None or language == dealers_language():
        return said
    return f"<i>{escape(say(screen.call, language))}</i>. {said}"


def _clock(screen: Screen, language: str) -> str:
    return _until(screen.deadline, round(screen.waits_s), language) if screen.deadline is not None else ""


@lru_cache(maxsize=1024)
def _until(deadline: float, seconds: int, language: str) -> str:
    of_day = int(deadline) % 86400
    ends = f"{of_day // 3600:02}:{of_day // 60 % 60:02}:{of_day % 60:02}"
    if seconds >= 3600:
        return say(Text("⏱ until {ends} UTC", ends=ends), language)
    return say(Text("⏱ {n} s, until {ends} UTC", n=seconds, ends=ends), language)


def cards(pile: Sequence[str]) -> str:
    """Return a pile of cards as text, without their names."""
    return " ".join(say_card(card) for card in pile)


def _pile(pile: Pile, language: str) -> str:
    return cards(pile.cards) + (f" ({say(pile.description, language)})" if pile.description else "")


def _turn(seat: Seat, pile: Pile) -> str:
    """Return the mark of the hand in turn when a seat has several, as after a split."""
    return "▸ " if pile.is_turn and len(seat.piles) > 1 else ""


def _areas(screen: Screen, language: str) -> Iterable[str]:
    """Return the total on each area, while several players bet on them."""
    if has_totals(screen):
        lying = (chips for chips in screen.spots if chips.total)
        said = " · ".join(f"{say(chips.label, language)} {say_amount(chips.total, language)}" for chips in lying)
        yield escape(say(Text("Total: {bets}", bets=said), language))


def _seats(screen: Screen, language: str) -> Iterable[str]:
    """Yield the seats; after a hand, whose lines show them, only those that bet again and the shown hands."""
    has_seat, of_pot = _seating(screen) is not Seating.AREAS, screen.pot is not None
    for seat in screen.seats:
        is_paid = bool(seat.result and screen.lines)
        if seat.name and not is_paid:
            yield _seat(seat._replace(lines=(), buttons=()), has_seat, language)
        elif of_pot and any(card != HIDDEN for pile in seat.piles for card in pile.cards):
            yield _seat(seat._replace(lines=(), buttons=(), chips=(), state=""), has_seat, language)


@lru_cache(maxsize=4096)
def _seat(seat: Seat, has_seat: bool, language: str) -> str:
    """Return one line of HTML."""
    name = isolate(inert(seat.name))
    head = f"{seat.key}. {name}" if has_seat else name
    name = f"{'▸ ' if seat.is_turn else ''}{head}{' Ⓓ' if seat.is_dealer else ''}"
    parts = [f"{_turn(seat, pile)}{_pile(pile, language)}" for pile in seat.piles]
    lying = [
        f"{say(chips.label, language)} {say_amount(chips.amount, language)}"
        + (f" ({isolate(inert(chips.name))})" if chips.name else "")
        for chips in seat.chips
    ]
    parts += [" + ".join(lying)] if lying else []
    if seat.stack is not None:
        parts.append(say(Text("stack {stack}", stack=seat.stack), language))
    said = f"{name}: {' '.join(parts)}" if parts else name
    if seat.state:
        said += f" · {say(Text('{state}', state=Word(seat.state)), language)}"
    return escape(shorten(said, LONGEST_LINE))


def own_cards(screen: Screen, language: str) -> list[str]:
    """Return the viewer's cards and stack, their value and the possible moves: the lines of an alert."""
    lines = []
    for seat in screen.seats:
        if seat.is_viewer:
            lines += [f"{_turn(seat, pile)}{cards(pile.cards)}" for pile in seat.piles if pile.cards]
            lines += [say(Text("Your stack: {stack}", stack=seat.stack), language)] if seat.stack is not None else []
    lines += [say(line, language) for line in screen.holds[: None if not screen.moves else -1]]
    if screen.moves:
        lines.append(say(Text("You may: {choices}", choices=choices(screen.moves, language)), language))
    return lines


def choices(moves: Sequence[Button], language: str) -> str:
    """Return the moves, with all exchanges as one, because five would fill an alert."""
    exchanges = [move for move in moves if move.card]
    said = [say(move.label, language) for move in moves if not move.card and not move.ask]
    if exchanges:
        first, last = exchanges[0], exchanges[-1]
        one = Text("Exchange card {a}–{b} ({cost})", a=first.card, b=last.card, cost=first.cost)
        said.append(say(one, language))
    return ", ".join(said)


def hand_text(screen: Screen, language: str) -> str:
    """Return a whole private message: the bank's cards, the player's own, the choices."""
    lines = [RankedLine(1, f"<b>{escape(say(Text('Your cards'), language))}</b> · {_headline(screen, language)}")]
    lines += [RankedLine(3, escape(f"{say(pile.name, language)}: {_pile(pile, language)}")) for pile in screen.bank]
    if screen.pot is not None:
        lines.append(RankedLine(2, escape(say(Text("Pot: {pot}", pot=screen.pot), language))))
        others = [seat._replace(lines=(), buttons=()) for seat in screen.seats if seat.piles and not seat.is_viewer]
        lines += [RankedLine(3, _seat(seat, True, language)) for seat in others]
    lines += [RankedLine(2, f"<b>{escape(line)}</b>") for line in own_cards(screen, language)]
    lines.append(RankedLine(1, escape(_clock(screen, language))))
    return fit(lines, CAPTION)


def lesson_text(title: Text, screen: Screen, language: str, most: int) -> str:
    """Return a practice hand or a deal of the day in words: the cards and the explanation; the buttons are separate."""
    lines = [
        RankedLine(0, f"<b>{escape(say(title, language))}</b>"),
        RankedLine(1, escape(say(screen.headline, language))),
    ]
    lines += [RankedLine(2, escape(f"{say(pile.name, language)}: {_pile(pile, language)}")) for pile in screen.bank]
    lines += [RankedLine(2, line) for line in _seats(screen, language)]
    lines += [RankedLine(1, escape(say(line, language))) for line in (*screen.holds, *screen.lines)]
    return fit(lines, most)


@lru_cache(maxsize=8192)
def press_button(text: str, press: Press) -> InlineKeyboardButton:
    """Return a button; cached, because the table is shown again with every bet."""
    return InlineKeyboardButton(shorten(text, LONGEST_LABEL), callback_data=dump_press(press))


@lru_cache(maxsize=4096)
def link_button(text: str, me: str, payload: str) -> InlineKeyboardButton:
    """Return a button that opens the private chat with the bot `me` and sends `payload`."""
    return InlineKeyboardButton(text, url=f"https://t.me/{me}?start={payload}")


# Pages for inspectors only.
READ_BY_LINK = (SETTINGS, "audit", "table list")


def payload_of(verb: str, args: Sequence[str], group: int = 0) -> str:
    """Return the payload of a link into the private chat; an inspector's link names its group once."""
    is_for_one = is_inspectors(verb) or "inspectors" in args
    begins = (f"from{group}",) if group and is_for_one and args[:1] != (str(group),) else ()
    return "_".join((*begins, *verb.split(), *args))


def choice_rows(choices: Sequence[Choice], me: str, language: str, group: int = 0) -> Rows:
    """Return the choices of an answer in the `group` of that number; read-only ones lead to the private chat."""
    return in_rows(
        [
            link_button(say(one.label, language), me, payload_of(one.verb, one.args, group))
            if has_flag(one.verb, CommandFlag.LINKABLE) or (group and one.verb in READ_BY_LINK)
            else choice_button(one, language)
            for one in choices
        ]
    )


def choice_button(one: Choice, language: str) -> InlineKeyboardButton:
    """Return the button of a choice: a link, or a press."""
    label = say(one.label, language)
    return InlineKeyboardButton(label, url=one.where) if one.where else press_button(label, press_of(one))


def keyboard(
    screen: Screen, language: str, me: str, moves: Rows, opens: InlineKeyboardButton | None = None
) -> InlineKeyboardMarkup | None:
    """Return the table's buttons: the moves, or the chips while bets are open; then permanent ones. `opens` opens the
    table elsewhere.
    """
    boxes = tuple(seat.key for seat in screen.seats) if _seating(screen) is Seating.BOXES else ()
    shown, more = screen.bets, screen.more
    if moves or (screen.viewer is None and is_deciding(screen)):
        # Nothing beside the decision except its cards, and the choices of others before their turn.
        shown, more = (), tuple(button for button in more if button.verb == "cards" or button.kind == "ahead")
    bets = _OpenBets(screen.game, screen.hand_id, shown, boxes)
    return _keyboard(_KeyboardKey(bets, more, screen.viewer is None, language, me, moves, opens))


class _OpenBets(NamedTuple):
    """The bets that can be made, and the boxes they can be made on."""

    game: str
    hand: int
    buttons: tuple[Button, ...]
    boxes: tuple[str, ...]


class _KeyboardKey(NamedTuple):
    """The input of a keyboard, used as a key of the cache."""

    bets: _OpenBets
    more: tuple[Button, ...]
    is_public: bool
    language: str
    me: str
    moves: Rows
    opens: InlineKeyboardButton | None

    def __hash__(self) -> int:
        return hash((self.bets.hand, self.language, len(self.bets.buttons), len(self.more)))


@lru_cache(maxsize=4096)
def _keyboard(shown: _KeyboardKey) -> InlineKeyboardMarkup | None:
    language, seating = shown.language, PLAYS[shown.bets.game].seating
    last = []
    for button in shown.more:
        text = say(button.label, language)
        if button.verb in _LINKS and shown.is_public:
            last.append(link_button(text, shown.me, "_".join((button.verb, *button.args))))
        else:
            last.append(press_button(text, as_press(button)))
    rows = [
        *shown.moves,
        *_bet_rows(shown.bets, seating, language),
        *in_rows(last, 3),
        *([[shown.opens]] if shown.opens is not None else []),
    ]
    return Keyboard(rows) if rows else None


class Keyboard(InlineKeyboardMarkup):
    """A keyboard that is encoded once, however often it is sent."""

    __slots__ = ("_written",)

    def to_dict(self, recursive: bool = True) -> dict[str, Any]:
        if not hasattr(self, "_written"):
            self._written = super().to_dict()
        return self._written


def as_press(button: Button, table: int = 0) -> Press:
    """Return the press of a button on this table's screen; 0 where the message itself names the table."""
    return Press("ask" if button.ask else "verb", button.verb, button.args, button.fresh, table)


def own_moves(screen: Screen, language: str, table: int = 0) -> Rows:
    """Return the viewer's own moves with their prices, for messages that only the viewer can press."""
    exchanges = [
        press_button(_exchange_label(move, language), as_press(move, table)) for move in screen.moves if move.card
    ]
    others = [
        press_button(say(move.label, language), as_press(move, table))
        for move in screen.moves
        if not move.card and not (move.ask and table)
    ]
    return [*in_rows(exchanges, 3), *in_rows(others, 2)]


def public_moves(moves: Iterable[Button], language: str) -> Rows:
    """Return buttons for everyone who must choose; the writer finds what a press means for its player."""
    exchanges, others = [], []
    for move in moves:
        press = Press("ask" if move.ask else "move", move.verb, move.args, move.fresh)
        if move.card:
            exchanges.append(press_button(_exchange_label(move, language), press))
        else:
            others.append(press_button(say(move.label, language), press))
    return [*in_rows(exchanges, 3), *in_rows(others, 3)]


def _exchange_label(move: Button, language: str) -> str:
    """Return the card's position, and the price if it is the same for all: ⇄ 3 (10)."""
    return f"⇄ {move.card} ({say_amount(move.cost, language)})" if move.cost else f"⇄ {move.card}"


def _bet_rows(bets: _OpenBets, seating: Seating, language: str) -> Rows:
    if seating is Seating.STACKS:
        return in_rows([_as_button(button, language) for button in bets.buttons], 2)
    if seating in (Seating.AREAS, Seating.BOXES):
        rows = _chip_rows(bets, seating, language)
    else:
        # Each spot in a row of its own: ante 10, ante 50, ante 100.
        spots = dict.fromkeys(button.spot for button in bets.buttons if button.spot)
        of_spots = [[_as_button(b, language) for b in bets.buttons if b.spot == spot] for spot in spots]
        rows = [row for buttons in of_spots for row in in_rows(buttons, 3)]
    plain = [_as_button(button, language) for button in bets.buttons if not button.spot]
    return [*rows, *in_rows(plain, 3)]


def _as_button(button: Button, language: str) -> InlineKeyboardButton:
    return press_button(say(button.label, language), as_press(button))


def _chip_rows(shown: _OpenBets, seating: Seating, language: str) -> Rows:
    """Return rows of areas or boxes, which bet the player's own current chip."""
    if not shown.buttons:
        return []

    def bets(label: Text, *args: str) -> InlineKeyboardButton:
        return press_button(say(label, language), Press("bet", "bet", args, str(shown.hand)))

    if seating is Seating.AREAS:
        areas = dict.fromkeys(button.spot for button in shown.buttons if button.spot)
        rows = in_rows([bets(_spot(area), area) for area in areas], 3)
    else:
        main, *sides = GAMES[shown.game].spots
        boxes = [bets(Text("Box {seat}", seat=box), box, main) for box in shown.boxes]
        rows = [*in_rows(boxes, 4), *in_rows([bets(_spot(side), side) for side in sides], 3)]
    return [*rows, [press_button(say(Text("🪙 Another chip"), language), Press("chip"))]]


def _spot(spot: str) -> Text:
    return Text("{spot}", spot=Word(spot))


def _seating(screen: Screen) -> Seating:
    return PLAYS[screen.game].seating


def in_rows(buttons: Sequence[InlineKeyboardButton], width: int = 2) -> Rows:
    """Arrange buttons, at most `width` in a row, and only as many as fit a phone."""
    return pack_buttons(buttons, width, attrgetter("text"))
