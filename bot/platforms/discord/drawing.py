"""Screens as Discord components (V2): one container of text, a picture if there is one, and rows of buttons.

Discord's limits: 40 components, 4,000 characters of text, 100 of a custom id, 25 choices.
"""

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from bot.core.commands.command import Choice
from bot.core.state.plays import PLAYS, Seating
from bot.platforms.common.frames import OPEN_TABLE
from bot.platforms.common.press import Press, press_of
from bot.platforms.common.sentences import NO, YES, say_commit, say_seed
from bot.platforms.common.shared_posts import REMOVE, DrawnPost
from bot.platforms.discord import components
from bot.platforms.discord.codes import write_press
from bot.platforms.discord.components import BLUE, GREEN, MOST_COMPONENTS, PLAIN, RED, Part, View
from bot.platforms.discord.emojis import card_emoji
from bot.platforms.discord.names import mark_commands, write_commands
from bot.texts import Text, Timestamp, isolate, say, say_amount, say_value, title_of
from bot.texts.languages import dealers_language
from bot.view import Button, Pile, Screen, Seat, has_totals, is_deciding
from engine.felt import Amount, Word

PICTURE, HAND_PICTURE = "table.png", "hand.png"
MOST_TEXT = 3900
MOST_BUTTONS = 20
MOST_CHOICES = 25
# More chips than these share one select.
MOST_CHIPS = 6
FELT = 0x0B6E4F
Paint = Callable[[Screen, str], Awaitable[bytes | None]]

_RESULTS = {"win": Text("wins {net}"), "lose": Text("loses {net}"), "push": Text("push")}


def table_view(
    screen: Screen, language: str, *, moves: Sequence[Button] = (), picture: str = "", opens: bool = False
) -> View:
    """Return the public message of a table. `moves` are those of the only player to move, if a public press reveals
    nothing.

    `picture`: its alternative text. `opens`: the table can be opened as an Activity.
    """
    blocks = [_head(screen, language), _felt(screen, language, has_picture=bool(picture)), _result(screen, language)]
    first, more = _first_hand(screen)
    rows = [*_rows(screen.table, (*first, *moves), language)]
    if is_deciding(screen):  # nothing beside the decision, if its player makes it there
        ahead = [button for button in more if button.kind == "ahead"]
        rows += _rows(screen.table, (Button(Text("My cards"), "cards"), *ahead), language, opens)
    else:
        rows += _bet_rows(screen, language)
        rows += _rows(screen.table, (*_cards_button(screen), *more), language, opens)
    return _lay(blocks, rows, picture, PICTURE, _foot(screen, language))


def folded_view(screen: Screen, language: str, link: str) -> View:
    """Return the line that replaces an old message and links to the table's new one."""
    title = _title(title_of(screen.game), screen.number, language)
    return _lay([f"-# {title} · {safe(Text('further down: {link}', link=Mention(link)), language)}"], [])


def panel_view(screen: Screen, said: Sequence[Text], language: str, picture: str = "") -> View:
    """Return a player's private panel: the answer, their cards, their moves.

    `picture`: the alternative text of the picture of their cards; "" if there is none.
    """
    own = [seat for seat in screen.seats if seat.is_viewer]
    blocks = [_lines(said, language)]
    # The answer to a bet and the payment show the bets and the result already.
    is_said = bool(said) and screen.phase == "betting"
    blocks += ["\n".join(_own(seat, language, with_chips=not is_said and not seat.result)) for seat in own]
    blocks.append("\n".join(_against(screen, language)))
    blocks.append(_lines(screen.holds, language))
    if screen.dearest is not None:
        blocks.append(safe(screen.dearest, language))
    if screen.deadline is not None and screen.moves:
        blocks.append(_clock(screen.deadline))
    if not any(blocks):
        blocks = [safe(Text("You have no bet and no cards here."), language)]
    rows = _rows(screen.table, screen.moves, language) or _bet_rows(screen, language)
    return _lay(blocks, rows, picture, HAND_PICTURE)


def panel_key(screen: Screen) -> tuple[object, ...]:
    """Return a key of a panel's content, to notice cheaply whether it would look different now.

    Changes by others count for the player to move, and for everyone with the next cards.
    """
    others = [seat for seat in screen.seats if not seat.is_viewer] if screen.pot is not None else []
    against = (screen.pot, *others) if screen.moves else tuple(pile.cards for seat in others for pile in seat.piles)
    own = tuple(seat for seat in screen.seats if seat.is_viewer)
    clock = screen.deadline if screen.moves else None
    middle = screen.bank if has_cards(screen) else ()
    bets = tuple(spot.amount for spot in screen.spots), screen.bets
    return screen.phase, own, screen.holds, screen.dearest, bets, screen.moves, middle, clock, against


def has_cards(screen: Screen) -> bool:
    """Return whether the viewer has cards of their own, and so a picture of them."""
    return any(pile.cards for seat in screen.seats if seat.is_viewer for pile in seat.piles)


def own_screen(screen: Screen) -> Screen:
    """Return the part of a screen for the picture of a player's own cards, without other seats and their actions."""
    own = tuple(seat for seat in screen.seats if seat.is_viewer)
    return replace(screen, seats=own, headline=Text("Your cards"), call=None, lines=(), bets=(), more=())


def lesson_view(title: Text, screen: Screen, language: str, picture: str = "") -> View:
    """Return a practice hand or a deal of the day: the table, the explanation, and its buttons."""
    head = f"### {safe(title, language)}"
    blocks = [f"{head}\n**{safe(screen.headline, language)}**", _felt(screen, language, has_picture=bool(picture))]
    blocks.append(_lines((*screen.holds, *screen.lines), language))
    return _lay(blocks, _rows(0, screen.moves, language), picture, PICTURE)


def answer_view(texts: Iterable[Text], language: str, rows: Sequence[Part] = (), file: str = "") -> View:
    """Return a private answer with rows of buttons and an attached file of this name."""
    view = _lay([_lines(texts, language)], rows)
    return View([*view.parts, components.attachment(file)]) if file else view


def shared_post_view(
    texts: Sequence[Text], choices: Sequence[Choice], sheet: DrawnPost, language: str, person: int | None = None
) -> View:
    """Return a shared post: a sentence, the picture or its alternative text, buttons."""
    words = [] if sheet.picture is not None else [_escaped(sheet.words)]
    described = sheet.words if sheet.picture is not None else ""
    rows = choice_rows(choices, language)
    if person is not None:
        rows = [*rows, *code_rows([(REMOVE, Press("remove", str(person)))], language)]
    return _lay([_lines(texts, language), *words], rows, described, sheet.file)


def line_view(about: Text, line: str, language: str) -> View:
    """Return a sentence with a line of JSON for copying."""
    return _lay([safe(about, language), f"```json\n{line}\n```"], [])


def board_view(title: Text, about: Text, buttons: Sequence[tuple[Text, Press]], language: str) -> View:
    """Lay out the message of a channel that shows one figure."""
    return _lay([f"## {safe(title, language)}", safe(about, language)], code_rows(buttons, language))


def question_rows(key: str, language: str) -> list[Part]:
    """Return Yes and No; `key` names their question."""
    yes = components.button(say(YES, language), write_press(Press("yes", key)), RED)
    return [components.row(yes, components.button(say(NO, language), write_press(Press("no", key))))]


def code_rows(buttons: Sequence[tuple[Text, Press]], language: str) -> list[Part]:
    """Return a row of buttons that belong to no table, such as the cashier's."""
    return [components.row(*(components.button(say(label, language), write_press(press)) for label, press in buttons))]


def choice_rows(choices: Sequence[Choice], language: str) -> list[Part]:
    """Return the buttons of an answer's choices."""
    return components.rows([_choice(one, language) for one in choices[:MOST_BUTTONS]])


def _choice(one: Choice, language: str) -> Part:
    label = say(one.label, language)
    return components.way(label, one.where) if one.where else components.button(label, write_press(press_of(one)))


class Mention(str):
    """A mention of our own in a sentence, the only value that is markup."""


def mention_channel(channel: int) -> Mention:
    """Return markup that Discord turns into a link."""
    return Mention(f"<#{channel}>")


def safe(text: Text, language: str) -> str:
    """Return a sentence in which names are plain text and our commands can be pressed."""
    words = write_commands(_escaped(say(text, language, mark_commands)), language)
    for value in text.values.values():
        if isinstance(value, Mention):
            words = words.replace(_escaped(value), value)
    return write_moments(words, text, language) if Timestamp in map(type, text.values.values()) else words


def write_moments(words: str, text: Text, language: str) -> str:
    """Write the moments of a sentence so that Discord shows them in each reader's local time."""
    for value in text.values.values():
        if isinstance(value, Timestamp):
            words = words.replace(say_value(value, language), f"<t:{value}:f>")
    return words


@lru_cache(maxsize=4096)
def _escaped(words: str) -> str:
    """Escape text so that Discord shows it unchanged; cached, because a table repeats its sentences.

    A backslash disables markup. A zero-width space breaks mentions and links, which Discord also finds behind a
    backslash.
    """
    return _BEGINNINGS.sub(r"\1\\\2", _TORN.sub("\\g<0>\u200b", _MARKS.sub(r"\\\g<0>", words)))


_MARKS = re.compile(r"[\\*_~|`\[]")
# <@1> <#1> <t:1> <:a:1> </a:1> <https://a.b>, @everyone, https://a.b, discord.gg/a.
_TORN = re.compile(r"<|@(?=everyone|here)|:(?=//)|\.(?=[a-z][a-z0-9-]*/)", re.IGNORECASE)
# Begins a heading, small text, a quotation or a list.
_BEGINNINGS = re.compile(r"^([ \t]*)([#>-])", re.MULTILINE)


def _lines(texts: Iterable[Text], language: str) -> str:
    return "\n".join(safe(text, language) for text in texts)


def _clock(deadline: float) -> str:
    return f"⏳ <t:{int(deadline)}:R>"


def _head(screen: Screen, language: str) -> str:
    title = _title(title_of(screen.game), screen.number, language)
    lines = [f"### {title}", f"**{safe(screen.headline, language)}**"]
    if screen.call is not None and language != dealers_language():
        lines.append(f"*{safe(screen.call, language)}*")
    if screen.deadline is not None:
        lines.append(_clock(screen.deadline))
    return "\n".join(lines)


@lru_cache(maxsize=1024)
def _title(game: str, number: int, language: str) -> str:
    return safe(Text("{game}, table {number}", game=game, number=number), language)


def _felt(screen: Screen, language: str, *, has_picture: bool) -> str:
    """Return the cards and chips. After the payment the lines show those; the picture shows the cards."""
    lines = [_pile(pile, language) for pile in screen.bank]
    if screen.dice is not None:
        lines.append(safe(Text("Dice: {a} and {b}", a=screen.dice[0], b=screen.dice[1]), language))
    if screen.pot:
        lines.append(safe(Text("Pot: {pot}", pot=screen.pot), language))
    if has_totals(screen):
        lines.append(_spots(screen, language))
    for seat in screen.seats:
        if seat.name and seat.result and screen.lines:
            lines += [_paid(seat, language)] if seat.piles and not has_picture else []
        elif seat.name:
            lines.append(_seat(seat._replace(lines=(), buttons=()), language))
    free = tuple(seat.key for seat in screen.seats if not seat.name)
    # The picture shows free seats; if all are free the text need not say so.
    is_partly_taken = 0 < len(free) < len(screen.seats)
    if is_partly_taken and not has_picture and PLAYS[screen.game].seating is not Seating.AREAS:
        lines.append(_free(free, language))
    return "\n".join(lines)


@lru_cache(maxsize=1024)
def _free(seats: tuple[str, ...], language: str) -> str:
    return f"-# {safe(Text('Free: {seats}', seats=seats), language)}"


def _result(screen: Screen, language: str) -> str:
    return _lines(screen.lines, language)


def _foot(screen: Screen, language: str) -> str:
    parts = [safe(screen.limits, language)]
    if screen.meter is not None:
        parts.append(safe(Text("Jackpot {meter}", meter=screen.meter), language))
    parts.append(safe(say_commit(screen.commit), language))
    lines = [" · ".join(parts)]
    if screen.revealed:
        lines.append(safe(say_seed(screen.revealed), language))
    return "\n".join(f"-# {line}" for line in lines)


def _pile(pile: Pile, language: str) -> str:
    worth = f" ({safe(pile.description, language)})" if pile.description is not None else ""
    cards = " ".join(card_emoji(card) for card in pile.cards)
    return f"{safe(pile.name, language)}: **{cards}**{worth}"


def _spots(screen: Screen, language: str) -> str:
    return " · ".join(
        f"{safe(spot.label, language)} {say_amount(spot.total, language)}" for spot in screen.spots if spot.total
    )


@lru_cache(maxsize=4096)
def _seat(seat: Seat, language: str) -> str:
    """Return one line of the public table; cached, because few seats change at a time."""
    name = _escaped(isolate(seat.name))
    parts = [f"{'▶ ' if seat.is_turn else ''}{seat.key}. **{name}**{' (D)' if seat.is_dealer else ''}"]
    if seat.stack is not None:
        parts.append(f"[{say_amount(seat.stack, language)}]")
    parts += _chips(seat, language)
    if seat.state:
        parts.append(safe(Text("{state}", state=Word(seat.state)), language))
    parts += [f"{_turn(seat, pile)}{_pile(pile, language)}" for pile in seat.piles]
    if seat.result and seat.net is not None:
        parts.append(safe(Text(_RESULTS[seat.result].template, net=Amount(abs(seat.net))), language))
    return " · ".join(parts)


def _paid(seat: Seat, language: str) -> str:
    """Return a seat and its cards without the payments, which come below."""
    return _seat(seat._replace(lines=(), buttons=(), chips=(), result="", net=None), language)


def _turn(seat: Seat, pile: Pile) -> str:
    """Return the mark of the hand in turn when a seat has several, as after a split."""
    return "▶ " if pile.is_turn and len(seat.piles) > 1 else ""


def _chips(seat: Seat, language: str) -> Iterator[str]:
    for chips in seat.chips:
        whose = f" ({_escaped(isolate(chips.name))})" if chips.name else ""
        yield f"{safe(chips.label, language)} {say_amount(chips.amount, language)}{whose}"


def _against(screen: Screen, language: str) -> Iterator[str]:
    """Yield the board, the pot and the open cards of the opponents."""
    if screen.pot is None:
        return
    yield from (_pile(pile, language) for pile in screen.bank)
    yield safe(Text("Pot: {pot}", pot=screen.pot), language)
    others = (seat for seat in screen.seats if seat.piles and not seat.is_viewer)
    yield from (_seat(seat._replace(lines=(), buttons=()), language) for seat in others)


def _own(seat: Seat, language: str, *, with_chips: bool) -> Iterator[str]:
    for pile in seat.piles:
        yield f"## {_turn(seat, pile)}{' '.join(card_emoji(card) for card in pile.cards)}"
    if with_chips and (lying := list(_chips(seat, language))):
        yield " · ".join(lying)
    if seat.stack is not None:
        yield safe(Text("Your stack: {stack}", stack=seat.stack), language)
    yield from (safe(line, language) for line in seat.lines)
    if seat.result and seat.net is not None:
        yield f"**{safe(Text(_RESULTS[seat.result].template, net=Amount(abs(seat.net))), language)}**"


def _first_hand(screen: Screen) -> tuple[list[Button], list[Button]]:
    """Return the practice hand's button, for a table without players, and the other buttons."""
    is_empty = screen.phase == "asleep" and not any(seat.name for seat in screen.seats)
    first = [button for button in screen.more if is_empty and button.verb == "learn"]
    return first, [button for button in screen.more if button not in first]


def _cards_button(screen: Screen) -> list[Button]:
    """Return the button "My cards", unless the screen has one; it answers in every game."""
    has_one = any(button.verb == "cards" for button in screen.more)
    return [] if has_one else [Button(Text("My cards"), "cards")]


def _bet_rows(screen: Screen, language: str) -> tuple[Part, ...]:
    boxes: tuple[Button, ...] = ()
    if PLAYS[screen.game].seating is Seating.BOXES:
        boxes = tuple([button for seat in screen.seats for button in _cheapest(seat.buttons)])
    return _rows_to_bet(screen.table, screen.hand_id, screen.bets, boxes, language)


@lru_cache(maxsize=512)
def _rows_to_bet(
    table: int, hand: int, bets: tuple[Button, ...], boxes: tuple[Button, ...], language: str
) -> tuple[Part, ...]:
    """Return a few chips as buttons; many, and other boxes, as one select."""
    chips = tuple(button for button in bets if button.verb == "bet" and not button.ask)
    others = tuple(button for button in bets if button.verb != "bet" or button.ask)
    rows = []
    if len(chips) > MOST_CHIPS:
        rows += _select(table, hand, chips, Text("Bet on ..."), "1", language)
        chips = ()
    labelled = [button._replace(label=_of_box(button)) for button in boxes]
    rows += _select(table, hand, labelled, Text("Another box ..."), "2", language)
    return (*_rows(table, chips, language), *rows, *_rows(table, others, language))


def _cheapest(buttons: Sequence[Button]) -> list[Button]:
    """Return the button to sit and the smallest main bet."""
    sits = [button for button in buttons if button.verb == "sit"]
    return [*sits, *[button for button in buttons if button.verb == "bet"][:1]]


def _of_box(button: Button) -> Text:
    return Text("Box {box}: {what}", box=button.args[0], what=button.label)


def _select(table: int, hand: int, buttons: Sequence[Button], says: Text, number: str, language: str) -> list[Part]:
    """Return a select whose choices are presses: the verb with its arguments."""
    if not buttons:
        return []
    choices = [(say(button.label, language), _code(table, button)) for button in buttons[:MOST_CHOICES]]
    code = write_press(Press("pick", "", (number,), str(hand), table))
    return [components.row(components.select(say(says, language), code, choices))]


@lru_cache(maxsize=512)
def _rows(table: int, buttons: tuple[Button, ...], language: str, opens: bool = False) -> tuple[Part, ...]:
    """Return rows of buttons; cached, because they repeat from bet to bet. Parts are never modified."""
    made: dict[str, Part] = {}
    for button in buttons:
        code = _code(table, button)
        made[code] = components.button(say(button.label, language), code, _style(button))
    if opens:
        code = write_press(Press("app", table=table))
        made[code] = components.button(say(OPEN_TABLE, language), code)
    return tuple(components.rows(list(made.values())[:MOST_BUTTONS]))


def _code(table: int, button: Button) -> str:
    return write_press(Press("ask" if button.ask else "verb", button.verb, button.args, button.fresh, table))


def _style(button: Button) -> int:
    if button.verb == "fold":
        return RED
    if button.verb in ("learn", "deal"):
        return GREEN
    return BLUE if button.kind == "move" else PLAIN


def _lay(blocks: Sequence[str], rows: Sequence[Part], picture: str = "", name: str = PICTURE, foot: str = "") -> View:
    """Return a message of text blocks up to Discord's limit, the picture under the first; cut text ends with dots.

    The `foot` comes last and is never cut.
    """
    parts: list[Part] = []
    left = MOST_TEXT - len(foot)
    for index, block in enumerate(blocks):
        if text := _cut(block, left):
            parts.append(components.words(text))
            left -= len(text)
        if index == 0 and picture:
            parts.append(components.picture(name, picture))
    if foot:
        parts.append(components.words(foot))
    room = MOST_COMPONENTS - 1 - len(parts)
    for row in rows:
        if (needs := components.count(row)) <= room:
            parts.append(row)
            room -= needs
    return View([components.container(parts, FELT)])


def _cut(text: str, most: int) -> str:
    """Return as many whole lines as fit; if none does, the beginning of the first."""
    if len(text) <= most:
        return text
    kept = text[: max(0, most - 1)]
    whole_lines, _newline, _rest = kept.rpartition("\n")
    return f"{whole_lines or kept}…" if most > 0 else ""
