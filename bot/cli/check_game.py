"""`ridotto check-game`: check everything that a game must pass, with a sentence for each fault that says what to do."""

import logging
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bot.cli.doctor import examine
from bot.cli.game_checks import rules, screens, texts
from bot.cli.game_checks.edges import ROUNDS, check_edges, check_figures
from bot.cli.game_checks.hash_seeds import check_hash_seeds
from bot.cli.game_checks.random_hands import deal_at_random, play_at_random
from bot.cli.game_checks.side_effects import check_side_effects
from bot.cli.game_checks.trial_casino import TrialCasino
from bot.cli.game_checks.trial_table import TrialTable
from bot.core.rounds.script_budget import WATCHDOG, OverBudget
from bot.core.state.plays import LEFT_OUT
from bot.games import PLUGINS
from bot.games.plugin import GamePlugin
from bot.texts import LANGUAGES
from engine.errors import IllegalDeal
from engine.games import ODDS
from engine.hand import Hand

# Number of sentences printed for a check; the others are usually the same fault again.
_MOST_OF_A_CHECK = 4
_HANDS = 40
_OURS = ("bot", "engine", "storage")


class GameCheck(NamedTuple):
    """One thing that is checked, and its faults, computed when they are read."""

    name: str
    faults: Iterable[str]


class CheckResult(NamedTuple):
    """Result of a check: at most a few sentences, each once."""

    check: str
    sentences: list[str]


def check_game(name: str, rounds: int | None = None) -> Iterator[CheckResult]:
    """Yield what each check of a game finds. Raises IllegalDeal if there is no such game.

    A script that does not end or raises in a random hand is checked no further.
    """
    if name not in PLUGINS:
        if name in LEFT_OUT:
            yield CheckResult("loading", [f"It is not loaded: {LEFT_OUT[name]}"])
            return
        raise IllegalDeal("There is no game {game}. Choose one of: {games}.", game=name, games=", ".join(PLUGINS))
    first = _run(GameCheck("random hands", _check_hands(name)))
    yield first
    if not first.sentences:
        yield from map(_run, _list_checks(PLUGINS[name], ROUNDS if rounds is None else rounds))


def _list_checks(plugin: GamePlugin, rounds: int) -> Iterator[GameCheck]:
    name = plugin.game.name
    states = _collect_states(name)
    for title, check in (
        ("replay", rules.check_replay),
        ("records", rules.check_record),
        ("void hands", rules.check_void),
        ("time-outs", rules.check_timeouts),
        ("payments", rules.check_payments),
        ("dealt cards", rules.check_deck),
        ("hidden cards of seats", rules.check_views),
        ("hidden cards in errors", rules.check_hidden_in_errors),
    ):
        yield GameCheck(title, _check_each(check, states))
    yield GameCheck("answers", _check_each(rules.check_answer, [hand for hand in states if hand.is_over]))
    for title, check_with in (
        ("offers", rules.check_offers),
        ("refusals", rules.check_refusals),
        ("branches", rules.check_branches),
    ):
        yield GameCheck(title, _check_each(lambda hand, check=check_with: check(hand, Random(1)), states))  # type: ignore[misc]
    yield GameCheck("records in two processes", check_hash_seeds(name))
    yield GameCheck("side effects", check_side_effects(name))
    yield GameCheck("words", screens.check_words(plugin))
    yield GameCheck("places of spots", screens.check_places(plugin))
    yield GameCheck("translations", texts.check_translations(plugin))
    yield GameCheck("texts of options", texts.check_options(plugin))
    yield from _list_checks_at_a_table(name)
    yield GameCheck("figures of options", check_figures(plugin))
    yield GameCheck("exact edges", check_edges(plugin, rounds))


class _LogCapture(logging.Handler):
    """A log handler that keeps messages, each once, with their exceptions in one line."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: dict[str, None] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a message."""
        raised = f" ({record.exc_info[1]})" if record.exc_info else ""
        self.messages[f"{record.getMessage()}{raised}. Correct what it names."] = None


def _list_checks_at_a_table(name: str) -> Iterator[GameCheck]:
    log = _LogCapture()
    logging.getLogger().addHandler(log)
    try:
        yield from _list_checks_with_log(name)
        yield GameCheck("log", list(log.messages))
    finally:
        logging.getLogger().removeHandler(log)


def _list_checks_with_log(name: str) -> Iterator[GameCheck]:
    with TemporaryDirectory(prefix="ridotto-") as folder, closing(TrialCasino(Path(folder))) as casino:
        trial = TrialTable(casino, name)
        yield GameCheck("hands at a table", _play_all(trial))
        yield GameCheck("phases", screens.check_phases(trial))
        for language in LANGUAGES:
            yield GameCheck(f"descriptions ({language})", screens.check_descriptions(trial, language))
        yield GameCheck("pictures", screens.check_pictures(trial))
        yield GameCheck("platforms", screens.check_platforms(trial, "en"))
        yield GameCheck("cards on screens", screens.check_cards(trial))
        yield GameCheck("screens of other deals", screens.check_hidden_cards(trial, has_pictures=False))
        yield GameCheck("buttons", screens.check_buttons(trial))
        yield GameCheck("books", (f"The books are wrong after an evening: {fault}" for fault in examine(casino.books)))


def _play_all(trial: TrialTable) -> Iterator[str]:
    trial.play_all()
    if any(moment.table.last is not None and moment.table.last.is_void for moment in trial.moments[:-1]):
        yield "A hand at the table is void: the log names the reason; mend it."


def _check_hands(name: str) -> Iterator[str]:
    random = Random(name)
    for _ in range(_HANDS):
        try:
            deal = deal_at_random(name, random)
        except IllegalDeal as fault:
            yield f"Bets of the minimum on its spots are refused ({fault}): accept them in `Game.check`."
            return
        try:
            WATCHDOG.run(name, list, play_at_random(deal, random))
        except OverBudget as fault:
            yield f"A hand does not end: {fault}. Remove the loop in its script."
            return


def _collect_states(name: str) -> list[Hand]:
    """Return three states of each of some random hands: the start, one in the middle, the end."""
    random, states = Random(f"{name} states"), list[Hand]()
    for _ in range(_HANDS):
        played = list(play_at_random(deal_at_random(name, random), random))
        states += [played[0], random.choice(played), played[-1]]
    return states


def _check_each(check: Callable[[Hand], Iterator[str]], hands: Iterable[Hand]) -> Iterator[str]:
    for hand in hands:
        yield from check(hand)


def _run(check: GameCheck) -> CheckResult:
    """Return the first few faults of a check; an exception of the game is one."""
    found = list[str]()
    try:
        for sentence in check.faults:
            if sentence not in found:
                found.append(sentence)
            if len(found) == _MOST_OF_A_CHECK:
                break
    except Exception as fault:
        found.append(f"{type(fault).__name__}: {fault} ({_name_place(fault)}). Correct it there.")
    return CheckResult(check.name, found)


def _name_place(fault: BaseException) -> str:
    """Return the last line of the game's own code in a traceback, else the last line."""
    frames = traceback.extract_tb(fault.__traceback__)
    roots = tuple(str(Path(str(sys.modules[one].__file__)).parent) for one in _OURS)
    own = [frame for frame in frames if not frame.filename.startswith(roots) and "python3" not in frame.filename]
    frame = (own or list(frames))[-1]
    return f"{Path(frame.filename).name}, line {frame.lineno}"


def print_faults(name: str, rounds: int | None = None) -> bool:
    """Print every fault of a game and a summary; return whether it passes."""
    failed = checks = 0
    for one in check_game(name, rounds):
        checks += 1
        failed += bool(one.sentences)
        for sentence in one.sentences:
            print(f"{one.check}: {' '.join(sentence.split())}", flush=True)
    if failed:
        print(f"{name} fails {failed} of {checks} checks.")
    elif name not in ODDS:
        print(f"{name} passes {checks} checks. It has no odds, so its payments were compared with no exact edge.")
    else:
        print(f"{name} passes {checks} checks.")
    return not failed
