"""Screens as Telegram shows them: a caption in HTML, an inline keyboard, an alert. All of it fits by construction.

Everything that a person wrote is escaped. Lengths are counted as Telegram does, in UTF-16 units without the tags.
"""

import datetime
import html
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from bot.floor.table import Table
from bot.on_telegram.updates import Press, dump_press
from bot.screens import Button, Pile, Screen, Seat
from bot.texts import GAME_NAMES, Text, say, say_card
from engine.felt import Amount, Word

CAPTION, TEXT, ALERT = 1024, 4096, 200
LONGEST_LINE = 170
_TAG = re.compile(r"</?[a-z]+>")
_LINKS = ("rules", "paytable", "verify", "history")
Rows = list[list[InlineKeyboardButton]]


class Line(NamedTuple):
    """A line of HTML; what matters least (the highest rank) goes first when there is no room."""

    rank: int
    html: str


def escape(text: str) -> str:
    return html.escape(text, quote=False)


def length(text: str) -> int:
    """In UTF-16 units, as Telegram counts."""
    return len(text.encode("utf-16-le")) // 2


def seen_length(marked: str) -> int:
    """Without tags and escapes."""
    return length(html.unescape(_TAG.sub("", marked)))


def shorten(text: str, most: int) -> str:
    """At most so many units, cut at a character."""
    if length(text) <= most:
        return text
    while length(text) > most - 1:
        text = text[: max(0, min(len(text) - 1, most - 1))]
    return text.rstrip() + "…"


def fit(lines: Iterable[Line], most: int) -> str:
    """The lines in their order, without those that there is no room for."""
    kept = [line for line in lines if line.html]
    total = sum(seen_length(line.html) + 1 for line in kept) - 1
    while total > most and len(kept) > 1:
        least = max(range(len(kept)), key=lambda index: (kept[index].rank, index))
        total -= seen_length(kept.pop(least).html) + 1
    return "\n".join(line.html for line in kept)


def fit_alert(texts: Sequence[str]) -> str:
    """As many of the lines, in their order, as an alert holds; the first is cut rather than left out."""
    said = ""
    for text in texts:
        longer = f"{said}\n{text}" if said else shorten(text, ALERT)
        if length(longer) > ALERT:
            break
        said = longer
    return said


# Captions


def caption(screen: Screen, language: str, most: int) -> str:
    """The table in words, for everybody or (with a viewer) for one person in his own chat."""
    return fit(_lines(screen, language), most)


def name_of(table: Screen | Table, language: str) -> str:
    """What its message begins with."""
    return say(Text("{game} · table {number}", "", game=GAME_NAMES[table.game], number=table.number), language)


def _lines(screen: Screen, language: str) -> Iterable[Line]:
    name = name_of(screen, language)
    yield Line(0, f"<b>{escape(name)}</b> · {escape(say(screen.limits, language))}")
    yield Line(0, _headline(screen, language))
    yield Line(1, escape(_clock(screen, language)))
    for pile in screen.house:
        yield Line(2, escape(f"{say(pile.name, language)}: {_pile(pile, language)}"))
    if screen.dice:
        yield Line(4, escape(say(Text("Dice: {a} and {b}", "", a=screen.dice[0], b=screen.dice[1]), language)))
    if screen.pot:
        yield Line(2, escape(say(Text("Pot: {pot}", "", pot=screen.pot), language)))
    yield from (Line(3, escape(shorten(say(line, language), LONGEST_LINE))) for line in screen.lines)
    yield from (Line(4, line) for line in _areas(screen, language))
    yield from (Line(5, line) for line in _seats(screen, language))
    yield from (Line(3, f"<b>{escape(shorten(say(line, language), LONGEST_LINE))}</b>") for line in screen.holds)
    if screen.meter is not None:
        yield Line(6, escape(say(Text("Jackpot: {meter}", "", meter=screen.meter), language)))
    for cut in screen.cuts:
        yield Line(9, escape(say(Text("Cut with “{text}”", "", text=cut), language)))
    if screen.phase in ("asleep", "betting"):
        # Shown before the first bet lies there: the deck is chosen (fairness).
        hand = say(Text("Hand {hand}", "", hand=str(screen.hand_id)), language)
        yield Line(4, f"{escape(hand)}: <code>{screen.commit}</code>")
    if screen.revealed:
        seed = say(Text("Seed of hand {hand}: {seed}", "", hand=str(screen.last_hand), seed=""), language)
        yield Line(7, f"{escape(seed)}<code>{screen.revealed}</code>")


def _headline(screen: Screen, language: str) -> str:
    said = escape(shorten(say(screen.headline, language), 2 * LONGEST_LINE))
    return f"<i>{escape(say(screen.call, language))}</i>. {said}" if screen.call else said


def _clock(screen: Screen, language: str) -> str:
    if screen.deadline is None:
        return ""
    ends = datetime.datetime.fromtimestamp(screen.deadline, datetime.UTC).strftime("%H:%M:%S")
    seconds = round(screen.waits_s)
    if seconds >= 3600:
        return say(Text("⏱ until {ends} UTC", "", ends=ends), language)
    return say(Text("⏱ {n} s, until {ends} UTC", "", n=seconds, ends=ends), language)


def cards(pile: Sequence[str]) -> str:
    return " ".join(say_card(card) for card in pile)


def _pile(pile: Pile, language: str) -> str:
    return cards(pile.cards) + (f" ({say(pile.worth, language)})" if pile.worth else "")


def _areas(screen: Screen, language: str) -> Iterable[str]:
    """What everybody has on each area of paiju."""
    lying = [
        f"{say(chips.label, language)} {say(_amount(chips.total), language)}" for chips in screen.spots if chips.total
    ]
    if lying:
        yield escape(" · ".join(lying))


def _amount(amount: Amount) -> Text:
    return Text("{amount}", "", amount=amount)


def _seats(screen: Screen, language: str) -> Iterable[str]:
    """Who sits there; after a hand its lines say it, and only who bets again stands here."""
    for seat in screen.seats:
        if not seat.name or (seat.result and screen.lines):
            continue
        yield escape(shorten(_seat(screen, seat, language), LONGEST_LINE))


def _seat(screen: Screen, seat: Seat, language: str) -> str:
    head = f"{seat.key}. {seat.name}" if screen.game != "paiju" else seat.name
    parts = [f"{'▸ ' if seat.is_turn else ''}{head}{' Ⓓ' if seat.is_dealer else ''}:"]
    parts += [_pile(pile, language) for pile in seat.piles]
    if screen.game != "paiju":
        parts += [
            f"{say(chips.label, language)} {say(_amount(chips.amount), language)}"
            + (f" ({chips.name})" if chips.name else "")
            for chips in seat.chips
        ]
    if seat.stack is not None:
        parts.append(say(Text("stack {stack}", "", stack=seat.stack), language))
    if seat.state:
        parts.append(f"· {say(Text('{state}', '', state=Word(seat.state)), language)}")
    return " ".join(parts)


def cards_asked(screen: Screen, language: str) -> list[str]:
    """The house's cards and those of whose turn it is, in HTML."""
    piles = [*screen.house, *(pile for seat in screen.seats if seat.is_turn for pile in seat.piles)]
    names = [say(pile.name, language) for pile in piles]
    return [escape(f"{name}: {_pile(pile, language)}") for name, pile in zip(names, piles, strict=True)]


# What one player alone reads


def own_cards(screen: Screen, language: str) -> list[str]:
    """The viewer's cards, what they are worth, what he may do: the lines of an alert."""
    lines = []
    for seat in screen.seats:
        if seat.is_viewer:
            lines += [cards(pile.cards) for pile in seat.piles if pile.cards]
    lines += [say(line, language) for line in screen.holds[: None if not screen.moves else -1]]
    if screen.moves:
        lines.append(say(Text("You may: {choices}", "", choices=choices(screen.moves, language)), language))
    return lines


def choices(moves: Sequence[Button], language: str) -> str:
    """The exchanges as one: five of them would fill an alert."""
    exchanges = [move for move in moves if move.card]
    said = [say(move.label, language) for move in moves if not move.card and not move.ask]
    if exchanges:
        first, last = exchanges[0], exchanges[-1]
        one = Text("Exchange card {a}–{b} ({cost})", "", a=first.card, b=last.card, cost=first.cost)
        said.append(say(one, language))
    return ", ".join(said)


def hand_text(screen: Screen, language: str) -> str:
    """The whole of a private message: the bank's cards, one's own, the choices."""
    lines = [Line(1, f"<b>{escape(say(Text('Your cards', ''), language))}</b> · {_headline(screen, language)}")]
    lines += [Line(3, escape(f"{say(pile.name, language)}: {_pile(pile, language)}")) for pile in screen.house]
    lines += [Line(2, f"<b>{escape(line)}</b>") for line in own_cards(screen, language)]
    lines.append(Line(1, escape(_clock(screen, language))))
    return fit(lines, CAPTION)


# Keyboards


def press_button(text: str, press: Press) -> InlineKeyboardButton:
    return InlineKeyboardButton(shorten(text, 60), callback_data=dump_press(press))


def link_button(text: str, me: str, payload: str) -> InlineKeyboardButton:
    return InlineKeyboardButton(text, url=f"https://t.me/{me}?start={payload}")


def keyboard(screen: Screen, language: str, me: str, moves: Rows) -> InlineKeyboardMarkup | None:
    """The table's buttons: the moves, or the chips while bets are open; then what is always there."""
    rows = [*moves, *_bet_rows(screen, language)]
    last = []
    for button in screen.more:
        text = say(button.label, language)
        if button.verb in _LINKS and screen.viewer is None:
            last.append(link_button(text, me, "_".join((button.verb, *button.args))))
        elif button.verb != "leave" or screen.game in ("stud", "blackjack"):
            last.append(press_button(text, as_press(button)))
    rows += _in_rows(last, 3)
    return InlineKeyboardMarkup(rows) if rows else None


def as_press(button: Button, table: int = 0) -> Press:
    return Press("ask" if button.ask else "verb", button.verb, button.args, button.fresh, table)


def own_moves(screen: Screen, language: str, table: int = 0) -> Rows:
    """The viewer's own choices, with their prices, where he alone presses."""
    exchanges = [press_button(f"⇄ {move.card}", as_press(move, table)) for move in screen.moves if move.card]
    others = [
        press_button(say(move.label, language), as_press(move, table))
        for move in screen.moves
        if not move.card and not (move.ask and table)
    ]
    return [*_in_rows(exchanges, 5), *_in_rows(others, 2)]


def public_moves(moves: Iterable[tuple[Button, Press]], language: str) -> Rows:
    """Buttons for whoever is asked: what each means to him, the floor finds when he presses."""
    exchanges, others = [], []
    for move, press in moves:
        if move.card:
            exchanges.append(press_button(f"⇄ {move.card}", press))
        else:
            others.append(press_button(say(move.label, language), press))
    return [*_in_rows(exchanges, 5), *_in_rows(others, 3)]


def _bet_rows(screen: Screen, language: str) -> Rows:
    if screen.game == "stud":
        return _stud_rows(screen, language)
    if screen.game in ("paiju", "blackjack"):
        rows = _chip_rows(screen, language)
    else:
        # Each spot in a row of its own: ante 10, ante 50, ante 100.
        spots = dict.fromkeys(button.spot for button in screen.bets if button.spot)
        rows = [[_as_button(b, language) for b in screen.bets if b.spot == spot] for spot in spots]
    plain = [_as_button(button, language) for button in screen.bets if not button.spot]
    return [*rows, *_in_rows(plain, 3)]


def _as_button(button: Button, language: str) -> InlineKeyboardButton:
    return press_button(say(button.label, language), as_press(button))


def _chip_rows(screen: Screen, language: str) -> Rows:
    """A press on an area or a box bets the player's own current chip."""
    if not screen.bets:
        return []
    fresh, found = str(screen.hand_id), []
    if screen.game == "paiju":
        for spot in dict.fromkeys(button.spot for button in screen.bets if button.spot):
            label = say(Text("{spot}", "", spot=Word(spot)), language)
            found.append(press_button(label, Press("bet", "bet", (spot,), fresh)))
        rows = _in_rows(found, 3)
    else:
        for seat in screen.seats:
            label = say(Text("Box {seat}", "", seat=seat.key), language)
            found.append(press_button(label, Press("bet", "bet", (seat.key, "main"), fresh)))
        rows = _in_rows(found, 4)
        label = say(Text("{spot}", "", spot=Word("admiral")), language)
        rows.append([press_button(label, Press("bet", "bet", ("admiral",), fresh))])
    rows[-1:] = [[*rows[-1]], [press_button(say(Text("🪙 Another chip"), language), Press("chip"))]]
    return rows


def _stud_rows(screen: Screen, language: str) -> Rows:
    """Stacks instead of bets (SH1)."""
    buttons = [_as_button(button, language) for button in screen.bets]
    if any(button.verb == "buyin" for button in screen.bets):
        buttons.insert(0, press_button(say(Text("Take a seat"), language), Press("verb", "sit")))
    return _in_rows(buttons, 2)


def _in_rows(buttons: Sequence[InlineKeyboardButton], width: int) -> Rows:
    return [list(buttons[start : start + width]) for start in range(0, len(buttons), width)]
