"""Checks of a game's screens at a trial table: every phase in words and in pictures on every platform, no card too
early, and every button a command.
"""

import re
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

import bot.platforms
from bot.cli.game_checks.trial_table import PLAYING, TURNING, Moment, TrialTable, list_buttons
from bot.core.command_list import CHAT_COMMANDS
from bot.core.commands.command import FAULT
from bot.core.state.table import Table, owners_of
from bot.games import PLUGINS
from bot.games.plugin import GamePlugin
from bot.texts import LANGUAGES, Text, say, say_value
from bot.view.build import screen
from bot.view.describe import describe, describe_hand
from bot.view.pictures.draw import digest, hand_picture, picture
from bot.view.pictures.felt import FELTS, Arc, Areas, Board
from bot.view.presenter import PRESENTERS
from engine.cards import HIDDEN
from engine.events import Called, Exchanged
from engine.felt import Word
from engine.hand import Hand

MOST_BYTES = 45 * 1024
_CARD = re.compile(r"'([2-9TJQKA][cdhs]|JK)'")
_SPOKEN = re.compile(r"(10|[2-9JQKA])([♠♥♦♣])")
_SUITS = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}
_SPOILT = "This table cannot be shown"
_SHOWN = "build screens from the PlayerView alone, which hides what its viewer may not see"


def check_words(plugin: GamePlugin) -> Iterator[str]:
    """Check that every move has a label and leaves a state, and that all can be said in every language."""
    words = PRESENTERS[plugin.game.name].words
    for word in plugin.game.words:
        if word not in words.labels:
            yield f'The move {word} has no label: give its `MoveHelp` one, such as `label=Text("Play")`.'
        if word not in words.states:
            yield f'The move {word} leaves no state: give its `MoveHelp` one, such as `did="played"`.'
    name = Word(plugin.game.name)
    values = {"argument": 1, "spot": name, "amount": 1, "net": 1, "rank": name, "pays": 1, "to": 1}
    texts = [*words.labels.values(), *(call.said for call in words.calls.values())]
    for text in (*texts, *words.reasons.values(), *words.shares.values()):
        for language in LANGUAGES:
            try:
                said = say(Text(text.template, **values), language).strip()
            except (KeyError, IndexError, ValueError) as fault:
                yield f"“{text.template}” cannot be said ({fault}): name only values that this part receives."
                break
            if not said:
                yield "A label, call, reason or share says nothing: give it a text."
    for state in words.states.values():
        if not say_value(Word(state), "en", "state").strip():
            yield "A state says nothing: give it a word."


def check_places(plugin: GamePlugin) -> Iterator[str]:
    """Check that every spot has a place on the felt."""
    layout, spots = FELTS[plugin.game.name].layout, {*plugin.game.spots}
    if isinstance(layout, Arc):
        drawn = {spot for row in layout.spots for spot in row} | {*layout.small_spots, layout.light}
    elif isinstance(layout, Board):
        drawn = {cell.spot for cell in layout.cells}
    elif isinstance(layout, Areas):
        drawn = {area for row in layout.rows for area in row}
        for area in sorted(drawn - spots):
            yield f"The felt has an area {area}, which is no spot of the game: remove it from the layout's `rows`."
    else:
        return
    for spot in sorted(spots - drawn):
        yield f"The spot {spot} has no place on the felt: add it to the layout's `spots`, or `rows` of areas."


def check_phases(trial: TrialTable) -> Iterator[str]:
    """Check that every phase comes about, and that the dealer's calls are known."""
    missing = trial.list_phases() - {moment.phase for moment in trial.moments}
    if missing:
        yield f"A table never comes to: {', '.join(sorted(missing))}. Make `Guest.bet` legal, and ask somebody."
    called = {event.call for moment in trial.moments if (hand := moment.table.round.hand or moment.table.last)
              for event in hand.events if isinstance(event, Called)}  # fmt: skip
    for call in sorted(called - set(PRESENTERS[trial.game].words.calls)):
        yield f"The dealer calls “{call}”, which no text explains: add it to `Words.calls`."


def check_descriptions(trial: TrialTable, language: str) -> Iterator[str]:
    """Check that every phase is told in words."""
    for moment in trial.moments:
        for seen in (*moment.screens.values(), *moment.own.values()):
            if seen.headline.template.startswith(_SPOILT):
                yield f"A screen cannot be built while {moment.phase}: the log names the presenter's function; mend it."
            elif not describe(seen, language).strip() or not describe_hand(seen, language).strip():
                yield f"A screen says nothing while {moment.phase}: let the presenter return texts."
            for text in find_texts(seen):
                if "{" in say(text, language):
                    yield f"“{text.template}” is said with a gap: pass every value that it names."


def find_texts(value: Any) -> Iterator[Text]:
    """Yield every text in a value."""
    if isinstance(value, Text):
        yield value
    elif isinstance(value, Struct):
        yield from find_texts(astuple(value))
    elif isinstance(value, tuple | list):
        for one in value:
            yield from find_texts(one)


def check_pictures(trial: TrialTable) -> Iterator[str]:
    """Check that every phase is drawn, small enough for chats."""
    for moment in trial.moments:
        for viewer, seen in moment.screens.items():
            sizes = [len(picture(seen, "en"))]
            if viewer is not None and any(seat.is_viewer and seat.piles for seat in seen.seats):
                sizes.append(len(hand_picture(seen, "en")))
            if max(sizes) > MOST_BYTES:
                yield f"A picture has {max(sizes) // 1024} KiB, {MOST_BYTES // 1024} at most: use flat colours."
            if not digest(seen, "en"):
                yield f"A picture while {moment.phase} has no digest: let the presenter return plain values."


def check_platforms(trial: TrialTable, language: str) -> Iterator[str]:
    """Check that every platform draws every phase. A platform has a module `trial_screens` for it."""
    for platform in sorted(one.name for one in iter_modules(bot.platforms.__path__) if one.ispkg):
        name = f"bot.platforms.{platform}.trial_screens"
        if find_spec(name) is None:
            continue
        draw = import_module(name).draw_table
        for moment in trial.moments:
            for viewer in moment.screens:
                try:
                    faults = list(draw(trial.casino.writer, moment.table, viewer, language))
                except Exception as raised:
                    faults = [f"{type(raised).__name__}: {raised}"]
                for fault in faults:
                    yield f"{platform} cannot show a table while {moment.phase}: {fault}. Mend what it names."


def check_cards(trial: TrialTable) -> Iterator[str]:
    """Check that no screen shows a card that its viewer may not see (G8)."""
    for moment in trial.moments:
        for viewer, seen in (*moment.screens.items(), *moment.own.items()):
            shown = set(_CARD.findall(repr(seen)))
            for language in LANGUAGES:
                shown |= {_read_card(*found) for found in _SPOKEN.findall(describe(seen, language, 10**6))}
            for card in sorted(shown - find_known_cards(moment.table, viewer)):
                name = "the public" if viewer is None else "another player"
                yield f"A screen while {moment.phase} shows {name} the hidden card {card} (G8): {_SHOWN}."


def _read_card(rank: str, suit: str) -> str:
    return rank.replace("10", "T") + _SUITS[suit]


def find_known_cards(table: Table, viewer: int | None) -> set[str]:
    """Return the cards that a viewer may know, from the rules' own facts and not from a screen."""
    hand = table.round.hand or (None if table.round.bets else table.last) or table.last
    if hand is None:
        return set()
    lying = hand.cards(None)
    for key, owner in owners_of(hand).items():
        if owner == viewer and key in lying:
            lying[key] = hand.cards(key)[key]
    if table.round.turning:
        lying = _find_turned(lying, table, viewer)
    given = {event.gone for event in hand.events if isinstance(event, Exchanged)
             and owners_of(hand).get(event.seat) == viewer}  # fmt: skip
    return {card for cards in lying.values() for card in cards if card != HIDDEN} | given


def _find_turned(lying: dict[str, list[str]], table: Table, viewer: int | None) -> dict[str, list[str]]:
    """Return the visible cards: all revealed ones, of those due the viewer's own, of later ones none."""
    found: dict[str, list[str]] = {}
    for step in table.plays.reveals.steps:
        for turn in step:
            if table.round.turning.get(turn.position, viewer) == viewer:
                found.setdefault(turn.to, []).extend(turn.of(lying))
        if any(turn.position in table.round.turning for turn in step):
            break
    return found


def check_hidden_cards(trial: TrialTable, *, has_pictures: bool = True) -> Iterator[str]:
    """Check that a screen of an open hand is the same whatever the hidden cards are (G8)."""
    compared, random = 0, Random(trial.game)
    state, now = trial.casino.writer.state, trial.casino.clock.now
    open_ones = [moment for moment in trial.moments if moment.phase in (PLAYING, TURNING)]
    for moment in open_ones:
        for viewer in moment.screens:
            other = exchange_hidden_cards(moment.table, viewer, random)
            if other is None:
                continue
            compared += 1
            tables = (moment.table.change(), moment.table.change_round(hand=other))
            one, two = (screen(state, table, viewer, now) for table in tables)
            if one != two or (has_pictures and picture(one, "en") != picture(two, "en")):
                yield f"A screen while {moment.phase} depends on hidden cards (G8): {_SHOWN}."
    if open_ones and not compared:
        yield "No open hand could be compared with another deal: ask the seats whatever their hidden cards are."


def exchange_hidden_cards(table: Table, viewer: int | None, random: Random) -> Hand | None:
    """Return the same deal and moves with the cards that the viewer has not seen in other places; None if impossible.

    A move that names a secret card names the one in its place.
    """
    hand, known = table.round.hand, find_known_cards(table, viewer)
    assert hand is not None
    hidden = [card for card in hand.deal.deck if card not in known]
    random.shuffle(hidden)
    deck = tuple(card if card in known else hidden.pop() for card in hand.deal.deck)
    before, after = Hand(hand.deal), Hand(hand.deal._replace(deck=deck))
    for move in hand.moves:
        offers = before.asks.get(move.seat, ())
        at = next((at for at, offer in enumerate(offers) if (offer.word, offer.argument) == move[1:]
                   and offer.public is not None), None)  # fmt: skip
        before = before.play(move)
        if after.asks.keys() != Hand(hand.deal, before.moves[:-1]).asks.keys():
            return None
        after = after.play(move if at is None else move._replace(argument=after.asks[move.seat][at].argument))
    return after if bool(after.asks) == bool(hand.asks) else None


def check_buttons(trial: TrialTable) -> Iterator[str]:
    """Check that every button is a command, that offered choices are accepted, and that none names a hidden card."""
    chosen = False
    for moment in trial.moments:
        for button, answer in moment.pressed:
            if button.verb not in CHAT_COMMANDS:
                yield f"The button “{button.label}” sends {button.verb}, which is no command: use a move or a command."
            elif answer == FAULT:
                yield f"The button “{button.label}” ends in a fault while {moment.phase}: the log names it; mend it."
            elif answer.refused and not str(answer.texts[0]).strip():
                yield f"The button “{button.label}” is refused without a sentence: pass one to `check`."
            elif button.kind == "move":
                chosen = True
                if answer.refused and not answer.texts[0].template.startswith("That costs"):
                    yield f"The choice “{button.label}” is refused ({answer.texts[0]}): offer what is legal."
        yield from _check_arguments(moment)
    if not chosen and PLUGINS[trial.game].game.words:
        yield "Nobody was ever offered a choice: ask with `felt.ask_each` or `felt.ask_one`, or leave `words` empty."


def _check_arguments(moment: Moment) -> Iterator[str]:
    hand = moment.table.round.hand or moment.table.last
    deck = set(hand.deal.deck) if hand is not None else set()
    for seen in moment.screens.values():
        for button in list_buttons(seen):
            if set(button.args) & deck:
                yield f"The button “{button.label}” names a card (G8): name its position instead."
