"""Templates to HTML, in the visitor's language. Everything that a person wrote is escaped."""

from collections.abc import Mapping
from typing import Any

from aiohttp import web
from jinja2 import Environment, PackageLoader, StrictUndefined

from bot.core.state.plays import PLAYS
from bot.platforms.web.kept import face_address
from bot.platforms.web.lounge import Visitor
from bot.texts import GAME_NAMES, LANGUAGES, Text, say, say_amount, say_value
from bot.texts.languages import dealers_language
from bot.texts.times import write_time
from bot.view.narration import say_card_in_words
from bot.view.pictures.areas import initial_of
from bot.view.pictures.chips import short_amount
from engine.felt import Amount, Word

_environment = Environment(
    loader=PackageLoader("bot.platforms.web"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def draw(template: str, visitor: Visitor, values: Mapping[str, Any]) -> str:
    """Render a template with common values and `values`."""
    return draw_for(template, visitor.language, {"me": visitor, **values})


def draw_for(template: str, language: str, values: Mapping[str, Any]) -> str:
    """Render a template that is the same for all readers of a language."""
    return _environment.get_template(template).render(_words(language) | dict(values))


def page(template: str, visitor: Visitor, *, status: int = 200, **values: Any) -> web.Response:
    """Return a whole page of this template, for `visitor`."""
    html = draw(template, visitor, {"status": status, **values})
    response = web.Response(text=html, status=status, content_type="text/html", headers={"Vary": "Accept-Encoding"})
    response.enable_compression()
    return response


def sentence(visitor: Visitor, text: Text, *, status: int) -> web.Response:
    """Return a page with one sentence."""
    return page("sentence.html", visitor, status=status, text=text)


def redirect_to(address: str) -> web.Response:
    """Redirect to the page after a form."""
    return web.Response(status=303, headers={"Location": address})


def _words(language: str) -> dict[str, Any]:
    """Return the functions of templates: `_` for a template, `say` for a text or a word, `chips` for an amount."""

    def translate(template: str, plural: str = "", **values: object) -> str:
        return say(Text(template, plural, **values), language)

    return {
        "_": translate,
        "say": lambda value: say_value(value, language),
        "word": lambda value: say_value(Word(value), language),
        "game": GAME_NAMES.__getitem__,
        "first_game": next(iter(PLAYS)),
        "chips": lambda minor: say_amount(int(minor), language),
        "amount": Amount,
        "short": lambda minor: short_amount(int(minor), language, 26, 10),
        "initial": initial_of,
        "when": write_time,
        "language": language,
        "languages": LANGUAGES,
        "dealers_language": dealers_language(),
        "face": face_address,
        "card_name": lambda card: say(say_card_in_words(card), language),
    }
