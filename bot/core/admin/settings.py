"""The settings of a casino as pages of buttons, for its inspectors: tables, jackpot, people, rules, audit log.

A page is an answer whose choices turn to another page, or say a command that can be typed as well. Law: a page changes
nothing, and is refused to everybody else; whatever an inspector may type is on one of them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from bot.core.admin import setting_people, setting_tables
from bot.core.admin.setting_buttons import (
    HANDS,
    JACKPOT,
    KINDS,
    LOG,
    OPTION,
    OPTIONS,
    PEOPLE,
    PERSON,
    PICK,
    ROWS,
    RULES,
    SETTINGS,
    SHARING,
    TABLE,
    TABLES,
    VOID,
    WHY,
    act,
    asks_of,
    fill_in,
    label_of,
    page_after,
    turn_home,
    turn_list,
    turn_to,
)
from bot.core.casinos import sharing
from bot.core.casinos.sharing import rules_of
from bot.core.commands.acts import ACTS, NO_ACTS, Kind, tell_act
from bot.core.commands.amounts import parse_count
from bot.core.commands.command import Answer, Choice, Refused
from bot.core.commands.hooks import HOOKS, waiting_in
from bot.core.commands.registry import CommandFlag, Request, command
from bot.core.state.lounge import is_room
from bot.core.state.plays import PLAYS
from bot.core.state.values import Casino
from bot.texts import Text
from bot.texts.games import GAME_TEXTS
from bot.texts.options import Chips, ChipsEach, OneOf, Option
from engine.felt import Word
from engine.games import GAMES
from storage.questions.audit import kinds_of_acts, latest_acts

__all__ = ["ROWS", "SETTINGS", "asks_of", "page_after", "settings"]
# Acts on the chips of a whole casino, for the founding community only.
_FOUNDERS = (JACKPOT, HANDS, RULES)
_NO_PAGE = "There is no such page."


@command(
    SETTINGS, Text("See everything an inspector can do here, as buttons"), group="inspectors", button=Text("Settings")
)
def settings(request: Request) -> Answer:
    """Show a page of the settings by its name and number; the first page without arguments."""
    name, *rest = request.args or ("",)
    pages: dict[str, Callable[[Request, Sequence[str]], Answer]] = {
        "": _show_home,
        TABLES: setting_tables.show_tables,
        TABLE: setting_tables.show_table,
        OPTIONS: setting_tables.show_options,
        OPTION: setting_tables.show_option,
        VOID: setting_tables.show_void,
        PICK: setting_tables.show_people_to_pick,
        PEOPLE: setting_people.show_people,
        PERSON: setting_people.show_person,
        HANDS: setting_people.show_hands,
        JACKPOT: _show_jackpot,
        RULES: _show_rules,
        SHARING: _show_sharing,
        LOG: _show_log,
        KINDS: _show_kinds,
    }
    if name not in pages:
        raise Refused(_NO_PAGE).offering([turn_home()])
    if name in _FOUNDERS and not _is_founder(request):
        raise Refused("Only inspectors of the community that founded this casino can do that.")
    answer = pages[name](request, rest)
    return answer._replace(choices=tuple(one for one in answer.choices if _is_allowed(request, one)))


def _is_founder(request: Request) -> bool:
    return request.home.id == request.casino.id or request.player.id in request.casino.state.inspectors


def _is_allowed(request: Request, choice: Choice) -> bool:
    """Return whether these inspectors may press it: chips and meter of a shared casino belong to the founders."""
    is_founders = choice.verb in request.verbs and CommandFlag.FOUNDERS in request.verbs[choice.verb].flags
    leads_to_theirs = choice.verb == SETTINGS and choice.args[:1] in {(name,) for name in _FOUNDERS}
    return _is_founder(request) or not (is_founders or leads_to_theirs)


def _show_home(request: Request, _args: Sequence[str]) -> Answer:
    lines = (Text("Settings of {name}", name=request.casino.name),)
    pages = [
        (Text("Tables"), TABLES),
        (Text("Jackpot"), JACKPOT),
        (Text("People"), PEOPLE),
        (Text("Chips and rules"), RULES),
        (Text("Shared casino"), SHARING),
        (Text("Audit log"), LOG),
    ]
    has_meter = any(play.linked_meter for play in PLAYS.values())
    return Answer(lines, choices=tuple(turn_to(text, page) for text, page in pages if page != JACKPOT or has_meter))


def _show_jackpot(request: Request, args: Sequence[str]) -> Answer:
    if "history" in args[:1]:
        lines = request.verbs["meter history"](request).texts if "meter history" in request.verbs else ()
        return Answer(lines[: 2 * ROWS], choices=(turn_to(Text("« Jackpot"), JACKPOT), turn_home()))
    if args[:1] and args[0] in (known := list_meter_options(request.casino)):
        return _show_meter_option(args[0], *known[args[0]])
    shown = request.verbs["jackpot"](request).texts if "jackpot" in request.verbs else ()
    choices = [fill_in(label_of(request.verbs[name]), name) for name in ("meter reset", "meter set")]
    for name, (option, value) in list_meter_options(request.casino).items():
        label = setting_tables.label_with_value(option, value)
        is_chosen = isinstance(option.unit, OneOf)
        choices.append(turn_to(label, JACKPOT, name) if is_chosen else fill_in(label, "meter set", name))
    for prize in waiting_in(request.casino)[:3]:
        values = {"hand": str(prize.hand), "seat": prize.seat}
        named = str(prize.hand), prize.seat
        choices.append(Choice(Text("Confirm hand {hand}, seat {seat}", **values), "meter confirm", named))
        choices.append(fill_in(Text("Reject hand {hand}, seat {seat}", **values), "meter reject", *named))
    choices.append(turn_to(Text("History"), JACKPOT, "history"))
    return Answer(shown, choices=(*choices, turn_home()))


def list_meter_options(casino: Casino) -> Mapping[str, tuple[Option, Any]]:
    """Return {name: (option, value)} of the meter options that inspectors set; prices for several things one by one."""
    found: dict[str, tuple[Option, Any]] = {}
    for game, play in PLAYS.items():
        texts = GAME_TEXTS[game]
        if play.linked_meter:
            values = vars(HOOKS[game].casino.options(casino, GAMES[game].parse_options({})))
            for name in texts.kept_by_casino:
                option = texts.options[name]
                if isinstance(option.unit, ChipsEach):
                    labels = zip(option.unit.names, option.unit.labels, strict=True)
                    found |= {one: (Option(Chips(), option.means, label), values[name][one]) for one, label in labels}
                else:
                    found[name] = option, values[name]
    return found


def _show_meter_option(name: str, option: Option, value: object) -> Answer:
    choices = [
        Choice(Text("{value}", value=option.unit.write(one)), "meter set", (name, word), asks=WHY)
        for word, one in setting_tables.suggest_values(option, value)
    ]
    said = Text("{option}: {value} · {means}", option=option.label, value=option.unit.write(value), means=option.means)
    return Answer((said,), choices=(*choices, turn_to(Text("« Jackpot"), JACKPOT), turn_home()))


def _show_rules(request: Request, _args: Sequence[str]) -> Answer:
    rules, labels = rules_of(request.casino), sharing.RULES
    lines = [Text("{name}: {value}", name=labels[name], value=one) for name, one in rules.items()]
    choices = [fill_in(labels[name], "house set", name) for name in rules]
    choices.append(fill_in(Text("Rename the casino"), "house set", "name"))
    return Answer(tuple(lines), choices=(*choices, act(request, "house reset"), turn_home()))


def _show_sharing(request: Request, _args: Sequence[str]) -> Answer:
    """Show who shares the casino, the ways to join and to leave one, and tables that may be shown here too."""
    choices = [act(request, "house code")]
    joined = request.home.id != request.casino.id
    choices.append(act(request, "house leave" if joined else "house join"))
    if not is_room(request.command.place):
        here = {row.table_id for row in request.transaction.places_from(request.home.id)} if joined else set()
        for table in request.transaction.tables_in(request.casino.id):
            if table.status != "closed" and table.id not in here and len(choices) < 2 * ROWS:
                label = Text("Show table {number} here too: {game}", number=table.number, game=Word(table.game))
                choices.append(Choice(label, "table mirror", (str(table.number),)))
    return Answer(sharing.say_who_shares(request), choices=(*choices, turn_home()))


def _show_log(request: Request, args: Sequence[str]) -> Answer:
    """List the audit log: `PAGE`, then the number of a player or a kind of act."""
    page = (parse_count(args[0], 1, 10_000) if args else None) or 1
    words = args[1:]
    player = parse_count(words[0], 1, 10**9) if words else None
    known = request.transaction.players.find(player) if player is not None else None
    kind, ids = ("", known.ids) if known is not None else (" ".join(words), [])
    found = request.transaction.books, request.casino.id, ROWS + 1
    done = latest_acts(*found, kind=kind, players=ids, skip=(page - 1) * ROWS)
    lines = tuple(tell_act(one.row, request.name_of) for one in done[:ROWS]) or (NO_ACTS,)
    choices = [*turn_list(page, LOG, has_more=len(done) > ROWS, rest=words), turn_to(Text("Filter"), KINDS)]
    for days in (30, 365):
        choices.append(Choice(Text("Export {days} days", days=days), "export", (str(days),)))
    return Answer(lines, choices=(*choices, turn_home()))


def _show_kinds(request: Request, args: Sequence[str]) -> Answer:
    page, most = (parse_count(args[0], 1, 10_000) if args else None) or 1, 2 * ROWS - 2
    kinds = sorted(kinds_of_acts(request.transaction.books, request.casino.id))
    choices = list(_turn_to_kinds(kinds[(page - 1) * most : page * most]))
    choices += turn_list(page, KINDS, has_more=len(kinds) > page * most)
    head = Text("Show only entries of this kind:")
    return Answer((head,), choices=(*choices, turn_to(Text("« Audit log"), LOG, "1"), turn_home()))


def _turn_to_kinds(kinds: Sequence[str]) -> Iterator[Choice]:
    for kind in kinds:
        label = ACTS.get(kind, Kind()).label
        yield turn_to(label or Text("{act}", act=kind), LOG, "1", *kind.split())
