"""Templates to HTML, in the visitor's language. Everything that a person wrote is escaped."""

from collections.abc import Mapping
from typing import Any

from aiohttp import web
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from bot.on_web.lounge import Visitor
from bot.texts import GAME_NAMES, LANGUAGES, Text, say, say_amount, say_value
from engine.felt import Amount, Word

_RANKS = {
    "A": "ace",
    "K": "king",
    "Q": "queen",
    "J": "jack",
    "T": "ten",
    "9": "nine",
    "8": "eight",
    "7": "seven",
    "6": "six",
    "5": "five",
    "4": "four",
    "3": "three",
    "2": "two",
}
_SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}

# Paths of the four suits in a box of 24 by 24, so that every device draws the same.
_PIPS = {
    "s": "M12 1.5C9.5 6 3 9.6 3 14.6a4.6 4.6 0 0 0 7.9 3.2c-.2 1.9-1 3.4-2.6 4.7h7.4c-1.6-1.3-2.4-2.8-2.6-4.7"
    "A4.6 4.6 0 0 0 21 14.6C21 9.6 14.5 6 12 1.5z",
    "h": "M12 22C9 18 2 13.600 2 8a5.400 5.400 0 0 1 10-2.800A5.400 5.400 0 0 1 22 8c0 5.600-7 10-10 14z",
    "d": "M12 1.500C10 5.500 7 9 4 12c3 3 6 6.500 8 10.500 2-4 5-7.500 8-10.500-3-3-6-6.500-8-10.500z",
    "c": "M12 1.800a4.700 4.700 0 0 0-4 7.200 4.800 4.800 0 1 0 2.900 8.800c-.2 1.900-1 3.400-2.600 4.700h7.400"
    "c-1.600-1.300-2.400-2.800-2.600-4.700A4.800 4.800 0 1 0 16 9a4.700 4.700 0 0 0-4-7.200z",
}

_environment = Environment(
    loader=PackageLoader("bot.on_web"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def draw(template: str, visitor: Visitor, values: Mapping[str, Any]) -> str:
    """A template with what every page knows and with `values`."""
    return _environment.get_template(template).render(_words(visitor.language) | {"me": visitor} | dict(values))


def page(template: str, visitor: Visitor, *, status: int = 200, **values: Any) -> web.Response:
    html = draw(template, visitor, {"status": status, **values})
    return web.Response(text=html, status=status, content_type="text/html")


def sentence(visitor: Visitor, text: Text, *, status: int) -> web.Response:
    """A page that says one thing."""
    return page("sentence.html", visitor, status=status, text=text)


def go(address: str) -> web.Response:
    """After a form: the page that follows it."""
    return web.Response(status=303, headers={"Location": address})


def _words(language: str) -> dict[str, Any]:
    """`_` says a template, `say` a text or a word, `chips` an amount."""

    def translate(template: str, plural: str = "", **values: object) -> str:
        return say(Text(template, plural, **values), language)

    return {
        "_": translate,
        "say": lambda value: say_value(value, language),
        "word": lambda value: say_value(Word(value), language),
        "game": GAME_NAMES.__getitem__,
        "chips": lambda minor: say_amount(int(minor), language),
        "amount": Amount,
        "language": language,
        "languages": LANGUAGES,
        "pip": pip,
        "pips": _PIPS,
        "rank": lambda card: card[0].replace("T", "10"),
        "card_name": lambda card: _card_name(card, language),
    }


def pip(suit: str) -> Markup:
    """Refers to the shapes that every page holds once."""
    return Markup('<svg class="pip" aria-hidden="true"><use href="#pip-{}"/></svg>').format(suit)


def _card_name(card: str, language: str) -> str:
    if card == "??":
        return say(Text("a card face down"), language)
    if card == "JK":
        return say(Text("the joker"), language)
    return say(Text("{rank} of {suit}", "", rank=Word(_RANKS[card[0]]), suit=Word(_SUITS[card[1]])), language)
