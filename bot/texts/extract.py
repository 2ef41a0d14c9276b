"""Messages of a catalogue: the templates in the source, and the words that no source spells.

Babel calls the functions that begin with `from_` (babel.cfg; for the words, bot/cli/vocabulary.py, which finds the
games first). The syntax tree has templates that pybabel's own extractor misses: chosen by a condition, or named first.
"""

import ast
from collections.abc import Iterable, Iterator
from typing import IO, Any, NamedTuple

from jinja2 import Environment
from jinja2.ext import extract_from_ast

from bot.texts.catalogues import NO_CATALOGUES, PHASE, RESULT, STATE
from bot.texts.games import GAME_TEXTS, words_of
from bot.texts.paragraphs import split_paragraphs
from engine.games import GAMES

# Index of the template among a call's arguments. `argument` takes the sentence for a missing argument.
TEMPLATES = {
    "Text": 0,
    "Refused": 0,
    "Confirm": 0,
    "confirm": 0,
    "answer_with": 0,
    "Word": 0,
    "check": 1,
    "argument": 1,
}
TEMPLATES |= {"Illegal": 0, "IllegalDeal": 0, "IllegalMove": 0}
# Calls that take a text of paragraphs, each a template.
OF_PARAGRAPHS = ("Page", "by_clause")
# Calls with the plural sentence as the next argument.
WITH_PLURAL = ("Text", "Confirm", "confirm")

_VALUES = "two three four five six seven eight nine ten jack queen king ace".split()
# Names of commands and arguments, which some platforms translate.
_NAMES = (
    "bet rebet takeback ready cut sit leave cards raise fold exchange check play hit stand double "
    "split insure decline follow stay squeeze call complete bring-in buyin topup sitout back "
    "standing checkfold tables balance daily give statement leaderboard stats rank recap invite accept private notify "
    "history review share learn rules paytable odds jackpot verify help language pause link unlink "
    "deal deal-play deal-results "
    "table meter inspector house setup void "
    "tournament tournament-create tournament-join tournament-leave tournament-status tournament-back "
    "tournament-cancel tournament-postpone tournament-remove tournament-schedule "
    "noncoup grant take adjust ban unban audit export open close resume set refuse mirror reset "
    "confirm reject add remove code join casino show choose table-here "
    # Arguments.
    "amount seat box spot position area times game player reason hand page command text setting "
    "value choice number days season limit order inspectors kind clause name hands person switch when about "
    "loss minutes lift reminders span download format players time arguments"
).split()
_WORDS = {
    "": (
        *(f"/{name}" for name in _NAMES),
        *"twos threes fours fives sixes sevens eights nines tens jacks queens kings aces".split(),
        *(f"{value} high" for value in _VALUES),
        *(*_VALUES, "clubs", "diamonds", "hearts", "spades"),
        # Places of a casino's chips.
        *("created", "in wallets", "in the bank", "in the jackpot", "on the tables"),
        # The bank's hands, as the rules call them.
        *"board burn dealer".split(),
        # Accounts of the books, by their prefixes (storage.ledger).
        *"bank escrow hand mint player pool stack".split(),
        *("banned", "on", "off"),
    ),
    PHASE: "asleep betting waiting playing paused closed closing open".split(),
    STATE: (*"betting free ready waiting watching thinking away out called gone void".split(), "all in"),
    RESULT: "win lose push".split(),
}


class Message(NamedTuple):
    """A sentence of the source at this line; `plural` is "" where it has one form. `call` is what is called with it."""

    line: int
    template: str
    plural: str = ""
    call: str = ""


def words() -> list[tuple[str, str]]:
    """Return (kind, English) of every word that no source spells: the casino's own and those of its games.

    A game with catalogues of its own has its words there.
    """
    found = {(kind, word) for kind, words in _WORDS.items() for word in words}
    for name, texts in GAME_TEXTS.items():
        if texts.catalogues == NO_CATALOGUES:
            found |= {(kind, label) for kind, _word, label in words_of(GAMES[name], texts)}
    return sorted(found)


def messages(source: str) -> Iterator[Message]:
    """Yield the templates of one module, as they are written."""
    tree = ast.parse(source)
    named: dict[str, list[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            named.setdefault(node.targets[0].id, []).extend(_strings(node.value, {}))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node) in OF_PARAGRAPHS:
            for text in _strings(node.args[0], named):
                yield from (Message(node.lineno, one, call=_called(node)) for one in split_paragraphs(text))
        if isinstance(node, ast.Call) and (position := TEMPLATES.get(_called(node))) is not None:
            plural = "".join(_strings(node.args[1], named)) if _has_plural(node) else ""
            for template in _strings(node.args[position], named) if len(node.args) > position else ():
                if template:
                    yield Message(node.lineno, template, plural, _called(node))


def messages_of_page(source: str) -> Iterator[Message]:
    """Yield the messages of a page of the lounge: `_` takes a template, `word` a word."""
    for line, _function, found in extract_from_ast(Environment().parse(source), ("_", "word")):
        template, plural, *_others = (*found, "", "") if isinstance(found, tuple) else (found, "")
        if template:
            yield Message(line, template, plural or "")


def _has_plural(node: ast.Call) -> bool:
    return _called(node) in WITH_PLURAL and len(node.args) > 1


def _called(node: ast.Call) -> str:
    function = node.func
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def _strings(node: ast.expr, named: dict[str, list[str]]) -> list[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.IfExp):
        return [*_strings(node.body, named), *_strings(node.orelse, named)]
    return named.get(node.id, []) if isinstance(node, ast.Name) else []


# Babel's own signature: (line, function, messages, comments).

Found = Iterable[tuple[int, str, tuple[str, ...], list[str]]]


def from_source(file: IO[bytes], keywords: Any, comment_tags: Any, options: Any) -> Found:
    """Yield each sentence of a `Text`, a refusal or an answer, as an extraction method of Babel for Python."""
    yield from _as_babel(messages(file.read().decode()))


def from_page(file: IO[bytes], keywords: Any, comment_tags: Any, options: Any) -> Found:
    """Yield the sentences of the lounge's pages, as an extraction method of Babel."""
    yield from _as_babel(messages_of_page(file.read().decode()))


def _as_babel(found: Iterable[Message]) -> Found:
    for line, template, plural, _call in found:
        yield (line, "ngettext", (template, plural), []) if plural else (line, "gettext", (template,), [])
