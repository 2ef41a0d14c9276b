"""Content of the casino's catalogues, as `make texts` collects it: each sentence of the source, each word."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog

from bot.texts.extract import Message, messages, messages_of_page, words

_ROOT = Path(__file__).parents[2]
# babel.cfg says the same to pybabel.
_SOURCES = ("engine", "bot")


@cache
def sentences() -> tuple[Message, ...]:
    """Return all sentences of the source and of the lounge's pages; one that occurs twice is there twice."""
    return tuple(_found())


def _found() -> Iterator[Message]:
    for source in _SOURCES:
        for path in sorted((_ROOT / source).rglob("*.py")):
            yield from messages(path.read_text("utf-8"))
        for path in sorted((_ROOT / source).rglob("*.html")):
            yield from messages_of_page(path.read_text("utf-8"))


def casino_template() -> Catalog:
    """Return the catalogue without translations. Games must be loaded: their words are asked of their plugins."""
    template = Catalog()
    for one in sentences():
        template.add((one.template, one.plural) if one.plural else one.template)
    for kind, word in words():
        template.add(word, context=kind or None)
    return template
