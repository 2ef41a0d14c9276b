"""The alternative text of a picture: Discord's description, Telegram's caption.

Plain text without markup; the most important lines come first and stay when space is short.
"""

from collections.abc import Iterable, Sequence

from bot.texts import Text, isolate, say, say_amount, say_card
from bot.view import Pile, Screen, Seat, SpotChips
from engine.cards import HIDDEN
from engine.felt import Amount, Word

# The limit of Discord and Telegram.
LONGEST = 1024
# Number of past results in the description; the picture shows more.
_MARKS = 12
_RESULTS = {"win": Text("wins {net}"), "lose": Text("loses {net}"), "push": Text("push")}


def describe(screen: Screen, language: str, longest: int = LONGEST) -> str:
    """Describe the picture of this screen, in at most `longest` UTF-16 units."""
    return _fit(_lines(screen, language), longest)


def describe_hand(screen: Screen, language: str, longest: int = LONGEST) -> str:
    """Describe the picture of the viewer's own hands."""
    return _fit(_own_lines(screen, language), longest)


def _fit(lines: Iterable[str], longest: int) -> str:
    kept: list[str] = []
    room = longest
    for line in lines:
        needed = _length(line) + (1 if kept else 0)
        if needed > room:
            kept += [_cut(line, room - 1)] if not kept else []
            break
        kept.append(line)
        room -= needed
    return "\n".join(kept)


def _lines(screen: Screen, language: str) -> Iterable[str]:
    yield say(screen.headline, language)
    yield from filter(None, (_pile(pile, language) for pile in screen.bank))
    if screen.dice is not None:
        first, second = screen.dice
        yield say(Text("Dice: {a} and {b}", a=first, b=second), language)
    if screen.pot:
        yield say(Text("Pot: {pot}", pot=screen.pot), language)
    seats = [seat for seat in screen.seats if seat.name or seat.chips]
    for seat in sorted(seats, key=lambda seat: (not seat.is_viewer, not seat.is_turn)):
        yield _seat(seat, language)
    yield from (_chips(spot, language) for spot in screen.spots if spot.total)
    if screen.road:
        marks = [Word(mark) for mark in screen.road[-_MARKS:]]
        yield say(Text("Last results: {area}. Past hands do not predict the next one.", area=marks), language)
    if screen.meter is not None:
        yield say(Text("Jackpot: {meter}", meter=screen.meter), language)
    limits = Text("Table {number}, {limits}", number=str(screen.number), limits=screen.limits)
    yield say(limits if screen.number else screen.limits, language)


def _own_lines(screen: Screen, language: str) -> Iterable[str]:
    yield say(screen.headline, language)
    own = [seat for seat in screen.seats if seat.is_viewer and seat.piles]
    for seat in own:
        piles = ", ".join(filter(None, _piles(seat, language)))
        name = say(Text("Seat {seat}", seat=seat.key), language)
        yield f"{name}: {piles}" if len(own) > 1 else piles
    yield from filter(None, (_pile(pile, language) for pile in screen.bank))
    if screen.moves:
        yield say(Text("Options: {choices}", choices=[move.label for move in screen.moves]), language)


def _seat(seat: Seat, language: str) -> str:
    said = [_result(seat, language) if seat.result else say(Text("{state}", state=Word(seat.state)), language)]
    said += _piles(seat, language)
    said += (_chips(chips, language) for chips in seat.chips)
    if seat.stack is not None:
        said.append(say(Text("{amount} behind", amount=seat.stack), language))
    if seat.is_dealer:
        said.append(say(Text("dealer button"), language))
    return f"{seat.key} {isolate(seat.name)}: " + ", ".join(filter(None, said))


def _result(seat: Seat, language: str) -> str:
    net = Amount(abs(seat.net or 0))
    return say(Text(_RESULTS[seat.result].template, net=net), language)


def _chips(chips: SpotChips, language: str) -> str:
    whose = f"{isolate(chips.name)} " if chips.name else ""
    return f"{whose}{say(chips.label, language)} {say_amount(chips.total or chips.amount, language)}"


def _piles(seat: Seat, language: str) -> Iterable[str]:
    """Yield the piles of a seat; if there are several, as after a split, with the one in turn marked."""
    for pile in seat.piles:
        said = _pile(pile, language)
        is_one = pile.is_turn and len(seat.piles) > 1 and bool(said)
        yield say(Text("{pile}, played now", pile=said), language) if is_one else said


def _pile(pile: Pile, language: str) -> str:
    """Describe a pile: Dealer: A♠ K♦ and 3 cards face down (pair of kings)."""
    if not pile.cards:
        return ""
    worth = f" ({say(pile.description, language)})" if pile.description is not None else ""
    return f"{say(pile.name, language)} {_cards(pile.cards, language)}{worth}"


def _cards(cards: Sequence[str], language: str) -> str:
    hidden = sum(card == HIDDEN for card in cards)
    said = [say_card(card) for card in cards if card != HIDDEN]
    if hidden:
        said.append(say(Text("{n} card face down", "{n} cards face down", n=hidden), language))
    return " ".join(said)


def _length(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _cut(text: str, most: int) -> str:
    while _length(text) > most:
        text = text[:-1]
    return text + "…"
