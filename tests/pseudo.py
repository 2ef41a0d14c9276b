"""A test language: every letter of a sentence in the catalogue gets an accent.

Output without accents is in no catalogue.
"""

import re
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from bot.texts.languages import FILE
from bot.texts.template import casino_template

NAME = "zxx"
# A code that every platform knows, and no language of the project.
CODE = "fi"
_PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ACCENTED = "áƀćďéḟǵĥíĵķĺḿńóṕɋŕśťúṽẃẋýźÁɃĆĎÉḞǴĤÍĴĶĹḾŃÓṔɊŔŚŤÚṼẂẊÝŹ"
_ACCENTS = str.maketrans(_PLAIN, _ACCENTED)
_LOCALE = f"""
tag = "fi"
name = "Accents"
quotes = "‹›"
phrases = "english"

[codes]
discord = ["{CODE}"]
telegram = ["{CODE}"]
web = ["{CODE}"]

[amounts]
all = []
half = []

[names]
reserved = []
articles = []
"""


def accented(template: str) -> str:
    """Add accents, and brackets that mark both ends; values keep their names. A command's name has no brackets."""
    parts = re.split(r"(\{\w+\})", template)
    said = "".join(part if number % 2 else part.translate(_ACCENTS) for number, part in enumerate(parts))
    return said if re.fullmatch(r"/[\w-]+", template) else f"⟦{said}⟧"


def write_language(folder: Path) -> Path:
    """Write a folder with a complete catalogue, made from the present sources."""
    catalogue = Catalog(locale="fi")
    for one in casino_template():
        if one.id:
            catalogue.add(one.id, _said(one.id), context=one.context)
    own = folder / NAME
    (own / "LC_MESSAGES").mkdir(parents=True)
    (own / FILE).write_text(_LOCALE, "utf-8")
    with open(own / "LC_MESSAGES" / "ridotto.po", "wb") as file:
        write_po(file, catalogue)
    return own


def _said(text: str | tuple[str, ...] | list[str]) -> str | tuple[str, ...]:
    return accented(text) if isinstance(text, str) else tuple(map(accented, text))


def plain_words(said: str) -> list[str]:
    """Return words without accents, of at least two letters."""
    return re.findall(r"(?<![^\W_])[A-Za-z]{2,}(?![^\W_])", said)
