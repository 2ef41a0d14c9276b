"""Texts of a game written as one: a paragraph each, with an empty line between them.

A paragraph may stand for some options of a table only. `[squeeze]` before it is for an option that is on or not 0,
`[not squeeze]` for the opposite, `[procedure=manual]` for one value. In braces it names options, which are written by
their units, and other values that the page is given. bot/texts/extract.py finds each paragraph for translation.
"""

import re
from collections.abc import Callable, Mapping
from keyword import iskeyword
from string import Formatter
from typing import Any, NamedTuple

from bot.texts import Text
from bot.texts.options import LIMITS, Option

_WHEN = re.compile(r"\[(?P<is_not>not )?(?P<option>\w+)(=(?P<value>[\w-]+))?\] ?")
# The last clause in brackets at the end of a paragraph.
_CLAUSE = re.compile(r"(\w+)\)\.$")


def split_paragraphs(text: str) -> list[str]:
    """Return the templates of a text, each in one line, without their conditions."""
    return [paragraph.template for paragraph in _split_paragraphs(text)]


def by_clause(text: str) -> dict[str, Text]:
    """Return {clause: paragraph}, each by the last clause that it names: "... decides (SH5)."."""
    return {_CLAUSE.findall(template)[-1]: Text(template) for template in split_paragraphs(text)}


def find_field(option: str) -> str:
    """Return the field of an option; the name of a keyword has an underscore behind it: `raise_`."""
    return f"{option}_" if iskeyword(option) else option


class Page:
    """A function of a table's options: the paragraphs of a text that are true of them.

    `options` are those of the game (the limits are known); `values` are functions of them, for other names in braces.
    """

    def __init__(
        self, text: str, options: Mapping[str, Option] | None = None, /, **values: Callable[[Any], object]
    ) -> None:
        self._paragraphs = _split_paragraphs(text)
        self._options = {**LIMITS, **(options or {})}
        self._values = values

    def __call__(self, options: Any) -> tuple[Text, ...]:
        said = (paragraph for paragraph in self._paragraphs if paragraph.is_true(options))
        return tuple(Text(one.template, **{name: self._value_of(name, options) for name in one.names}) for one in said)

    def _value_of(self, name: str, options: Any) -> object:
        if name in self._values:
            return self._values[name](options)
        field = find_field(name)
        return self._options[field].unit.write(getattr(options, field))


class _Paragraph(NamedTuple):
    template: str
    names: tuple[str, ...]
    is_not: bool
    option: str
    value: str | None

    def is_true(self, options: Any) -> bool:
        if not self.option:
            return True
        now = getattr(options, find_field(self.option))
        return (bool(now) if self.value is None else str(now) == self.value) is not self.is_not


def _split_paragraphs(text: str) -> list[_Paragraph]:
    return [_read_paragraph(" ".join(part.split())) for part in re.split(r"\n\s*\n", text) if part.strip()]


def _read_paragraph(line: str) -> _Paragraph:
    when = _WHEN.match(line)
    template = line[when.end() :] if when else line
    names = tuple(dict.fromkeys(name for _said, name, _form, _as in Formatter().parse(template) if name))
    if when is None:
        return _Paragraph(template, names, False, "", None)
    return _Paragraph(template, names, bool(when["is_not"]), when["option"], when["value"])
