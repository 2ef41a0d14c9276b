"""`ridotto texts check`: check a language's files and translations, with a line for each fault."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import cache
from gettext import c2py
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from random import Random
from string import Formatter
from tempfile import TemporaryDirectory
from typing import NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import PoFileError
from mnemonic import Mnemonic
from msgspec import structs

import bot.platforms
from bot.core.commands.first_hand import FIRST_HANDS, LEARNER
from bot.core.state.lounge import LOUNGE
from bot.core.state.people import PlayerState
from bot.core.state.table import Bet, Table
from bot.core.state.transaction import State
from bot.core.state.values import Player
from bot.core.writer import Writer
from bot.texts import Name
from bot.texts.catalogues import Catalogues, casino_catalogues
from bot.texts.games import CLAUSE, GAME_TEXTS
from bot.texts.languages import FILE, KNOWN, LEFT_OUT, SOURCE, BadLanguage, add_language, codes_of, locale_of
from bot.texts.template import casino_template
from bot.view import Button, Screen
from bot.view.build import screen
from engine.felt import Deal, Game, Stake
from engine.games import SIMULATIONS
from engine.hand import Hand
from storage import ledger
from storage.sqlite import SqliteBooks

# Plural categories are compared for these numbers, which cover what a casino counts.
MOST_COUNTED = 200
# Number of deals, besides the first hand, whose buttons are checked.
_DEALS = 12
# A player without chips, who has other buttons.
_POOR = 8


class Checked(NamedTuple):
    """Result of a check: `translated` of `total` messages are finished."""

    findings: tuple[str, ...]
    translated: int
    total: int

    @property
    def percent(self) -> int:
        """Percentage of translated messages, rounded down: 100 is all of them."""
        return 100 * self.translated // self.total


def named(text: str) -> str | None:
    """Return the language of this name, or add the one in the folder at this path; None for neither.

    Raises BadLanguage.
    """
    if text in KNOWN:
        return text
    if text in LEFT_OUT:
        raise BadLanguage(LEFT_OUT[text])
    folder = Path(text).resolve()
    return add_language(folder) if folder.is_dir() else None


def check(language: str) -> Checked:
    """Check a language's file, catalogue and game words against the casino's texts and the platforms' limits."""
    template, findings = [one for one in casino_template() if one.id], [*_wrong_in_file(language)]
    finished = template
    try:
        if language != SOURCE:
            catalogue = _read_catalogue(casino_catalogues(language), language)
            findings += _wrong_in_catalogue(language, catalogue, template)
            finished = [one for one in template if _is_finished(_found(one, catalogue))]
            findings += _wrong_in_games(language)
    except BadLanguage as fault:
        return Checked((*findings, str(fault)), 0, len(template))
    return Checked((*findings, *_wrong_on_platforms(language)), len(finished), len(template))


def _read_catalogue(catalogues: Catalogues, language: str) -> Catalog:
    file = catalogues.file(language)
    if not file.is_file():
        raise BadLanguage(f"there is no catalogue {file}")
    try:
        return catalogues.read(language)
    except (PoFileError, ValueError) as fault:
        raise BadLanguage(f"{file} is no catalogue: {' '.join(str(fault).split())}") from None


def _wrong_in_file(language: str) -> Iterator[str]:
    own = KNOWN[language]
    if own.phrases not in Mnemonic.list_languages():
        yield f"{FILE}: phrases = {own.phrases!r} is no word list; there are {', '.join(Mnemonic.list_languages())}"
    for what, words in (("all", own.amounts.all), ("half", own.amounts.half)):
        for word in words:
            letters = word.replace("-", "").replace(" ", "")
            if word != word.lower() or not letters.isalpha() or word in ("max", "min"):
                yield f"{FILE}: {what} = {word!r} is no word in lower case that could only mean this"
    for word in (*own.names.reserved, *own.names.articles):
        if not word.isalpha():
            yield f"{FILE}: the name {word!r} is no single word"
    for other in KNOWN:
        if other != language:
            yield from (f"{FILE}: {what} too" for what in _shared_with(language, other))
    for platform in own.codes:
        if platform not in _platforms():
            yield f"{FILE}: codes for {platform!r}, which is none of {', '.join(_platforms())}"


def _shared_with(language: str, other: str) -> Iterator[str]:
    """Yield what two languages must not have in common."""
    own, its = KNOWN[language], KNOWN[other]
    for code in sorted(codes_of(own) & codes_of(its)):
        yield f"{code!r} means {other}"
    if own.quotes[0] == its.quotes[0] and own.quotes[1] != its.quotes[1]:
        yield f"{own.quotes[0]!r} opens what {its.quotes[1]!r} closes in {other},"
    for word in ({*own.amounts.all} & {*its.amounts.half}) | ({*own.amounts.half} & {*its.amounts.all}):
        yield f"{word!r} means something else in {other},"
    if own.name.casefold() == its.name.casefold():
        yield f"{own.name!r} is the name of {other},"
    if own.dealer and its.dealer:
        yield f"the dealer calls in {other},"


def _wrong_in_catalogue(language: str, catalogue: Catalog, template: Sequence[Message]) -> Iterator[str]:
    yield from _wrong_plurals(language, catalogue)
    for one in template:
        yield from _wrong_message(one, catalogue)
    known = {_key(one) for one in template}
    yield from (f"{_quote(one)} is said nowhere" for one in catalogue if one.id and _key(one) not in known)


def _wrong_plurals(language: str, catalogue: Catalog) -> Iterator[str]:
    """Yield a fault unless each plural category of CLDR has a form of its own."""
    forms = c2py(catalogue.plural_expr)
    pairs = {(locale_of(language).plural_form(n), forms(n)) for n in range(MOST_COUNTED)}
    categories, used = {category for category, _form in pairs}, {form for _category, form in pairs}
    if not len(pairs) == len(categories) == len(used):
        yield f"Plural-Forms: plural={catalogue.plural_expr} are not the forms of CLDR: {', '.join(sorted(categories))}"
    if max(used) >= catalogue.num_plurals:
        yield f"Plural-Forms: nplurals={catalogue.num_plurals} are too few"


def _wrong_message(wanted: Message, catalogue: Catalog) -> Iterator[str]:
    found = _found(wanted, catalogue)
    if found is None:
        yield f"{_quote(wanted)} is missing; `make texts` adds it"
    elif found.fuzzy:
        yield f"{_quote(wanted)} is fuzzy"
    elif not _is_finished(found):
        yield f"{_quote(wanted)} waits for its translation"
    else:
        yield from _wrong_forms(wanted, found, catalogue.num_plurals)


def _wrong_forms(wanted: Message, found: Message, plurals: int) -> Iterator[str]:
    ids, forms = _forms(wanted.id), _forms(found.string)
    count = plurals if len(ids) > 1 else 1
    if len(forms) != count:
        yield f"{_quote(wanted)} has {len(forms)} forms and not {count}"
    fields = set[str]().union(*map(_fields, ids))
    clauses = set(CLAUSE.findall(ids[0]))
    for form in forms:
        try:
            has = _fields(form)
        except ValueError as fault:
            yield f"{_quote(wanted)}: {fault}"
            continue
        if has != fields:
            yield f"{_quote(wanted)} names {_list(has)} and not {_list(fields)}"
        if set(CLAUSE.findall(form)) != clauses:
            yield f"{_quote(wanted)} has other clauses than {_list(clauses)}"


def _wrong_in_games(language: str) -> Iterator[str]:
    """Check the translations that games bring with them. Raises BadLanguage."""
    for game, texts in GAME_TEXTS.items():
        if texts.catalogues.file(language).is_file():
            catalogue = _read_catalogue(texts.catalogues, language)
            for one in catalogue:
                if one.id and _is_finished(one):
                    yield from (f"{game}: {wrong}" for wrong in _wrong_forms(one, one, catalogue.num_plurals))


def _found(wanted: Message, catalogue: Catalog) -> Message | None:
    return catalogue.get(_forms(wanted.id)[0], wanted.context)


def _is_finished(message: Message | None) -> bool:
    return message is not None and not message.fuzzy and all(_forms(message.string))


def _key(message: Message) -> tuple[str | None, str]:
    return message.context, _forms(message.id)[0]


def _forms(text: str | Sequence[str] | None) -> tuple[str, ...]:
    return (text or "",) if isinstance(text, str | None) else tuple(text)


def _fields(template: str) -> set[str]:
    """Return the fields of a template. Raises ValueError for a single brace."""
    return {name for _text, name, _spec, _conversion in Formatter().parse(template) if name is not None}


def _quote(message: Message) -> str:
    text = _forms(message.id)[0]
    kind = f"{message.context} " if message.context else ""
    return f"{kind}“{text if len(text) <= 60 else text[:57] + '...'}”"


def _list(names: set[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"


def _platforms() -> list[str]:
    return [one.name for one in iter_modules(bot.platforms.__path__) if one.ispkg and one.name != "kit"]


def _wrong_on_platforms(language: str) -> Iterator[str]:
    """Yield the texts that are too long for a platform; one with limits of its own has a module for them."""
    for platform in _platforms():
        module = f"bot.platforms.{platform}.lengths"
        if find_spec(module) is not None:
            for finding in import_module(module).misfits(language, _buttons()):
                yield f"{platform}: {finding}"


@cache
def _buttons() -> list[Button]:
    """Return the buttons of every game that is installed, at rest, with bets, and at each choice of some hands."""
    shown = (button for seen in _screens() for button in (*seen.bets, *seen.moves, *seen.more))
    return [*{(one.verb, one.args, str(one.label)): one for one in shown}.values()]


def _screens() -> Iterator[Screen]:
    with TemporaryDirectory(prefix="ridotto-") as folder, closing(SqliteBooks(Path(folder))) as books:
        state = Writer(books, clock=lambda: 0.0, entropy=bytes, secret=bytes(32)).state
        state.players |= {id: Player(id, Name(f"Player {id}"), "en", PlayerState(), 0.0) for id in range(1, 9)}
        state.balances |= {ledger.wallet(LOUNGE, id): 10_000_00 for id in state.players if id != _POOR}
        for table in {table.game: table for table in state.tables.values()}.values():
            yield from (screen(state, table, viewer, 0.0) for viewer in (None, LEARNER, _POOR))
            for stake in FIRST_HANDS[table.game].starts().values():
                bets = (Bet(LEARNER, stake.seat, stake.bets, ""),) if stake.bets else ()
                yield screen(state, table.change_round(bets=bets), LEARNER, 0.0)
                for deal in _deals(table.rules, stake):
                    yield from _screens_of_hand(
                        state,
                        table.change(seats={1: LEARNER}, round=structs.replace(table.round, bets=bets, hand_id=7)),
                        deal,
                    )


def _deals(game: Game, stake: Stake) -> Iterator[Deal]:
    """Yield the deal that teaches the game, and the same stakes with other cards: some moves are rare."""
    deal = FIRST_HANDS[game.name].deal(game, stake)
    yield deal
    for number in range(_DEALS):
        deck = [*deal.deck]
        Random(number).shuffle(deck)
        yield deal._replace(deck=tuple(deck))


def _screens_of_hand(state: State, table: Table, deal: Deal) -> Iterator[Screen]:
    """Yield a hand as the public and every player see it, played by the game's first strategy, then its payment."""
    choose, hand = next(iter(SIMULATIONS[deal.game].strategies.values())), Hand(deal)
    while hand.asks:
        shown = table.change_round(hand=hand)
        yield from (screen(state, shown, viewer, 0.0) for viewer in (None, *{*shown.owners().values()}))
        seat, offers = next(iter(hand.asks.items()))
        hand = hand.play(choose(seat, offers, hand.cards(seat)))
    turning = {turn.position: LEARNER for turn in table.plays.reveals.in_order if turn.of(hand.cards(None))}
    yield screen(state, table.change_round(hand=hand, turning=turning), LEARNER, 0.0)
    yield screen(
        state,
        table.change(last=hand, last_hand=7, round=structs.replace(table.round, bets=(), hand_id=8)),
        LEARNER,
        0.0,
    )
