"""`/help`: a menu in short pages, with everything that one may type on one of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches

from bot.core.commands.command import Answer, Choice, Refused, Where
from bot.core.commands.first_hand import FIRST_HANDS
from bot.core.commands.registry import CommandFlag, CommandSpec, Request, command
from bot.core.commands.words import GAME, find_word
from bot.core.rounds.betting import options_of, say_limits, usual_options
from bot.core.rounds.commitments import say_unproven
from bot.core.state.plays import PLAYS, Play, Seating
from bot.texts import LANGUAGES, Text, Usage, title_of
from bot.texts.catalogues import translate
from bot.texts.folding import fold
from bot.texts.games import GAME_TEXTS
from engine.felt import Limits, Word

START, TABLE = "start", "table"
PAGES = {
    START: Text("Start"),
    TABLE: Text("This table"),
    "chips": Text("My chips"),
    "me": Text("Me"),
    "inspectors": Text("Inspectors"),
}
# Number of commands on one page: with translated names it still fits into a thousand characters.
MOST = 8
# Number of suggestions for an unknown word, and their least similarity (difflib).
MOST_SIMILAR, _SIMILAR = 3, 0.7
_LONGEST_NAME = 40
_PAGE_OF = {"play": TABLE, "knowing": TABLE, "chips": "chips", "me": "me", "inspectors": "inspectors"}
_PAGE_OF |= dict.fromkeys(("history", "review", "share", "verify", "log"), "me")
# Players use these the most, in this order; others follow in the order of declaration.
_USED = (
    "sit bet buyin topup rebet ready takeback cards checkfold back sitout leave invite accept squeeze follow standing "
    "cut tables recap rules paytable odds learn deal balance daily give statement stats rank leaderboard language "
    "pause notify mentions link history review share verify log setup"
).split()
_STACKS, _BETS = ("buyin", "topup", "refill", "sitout", "back"), ("bet", "rebet", "takeback")


@command(
    "help",
    Text("See what you can do, or how a command or game works"),
    group="knowing",
    flags=CommandFlag.LINKABLE,
    usage="[COMMAND|GAME]",
)
def help(request: Request) -> Answer:
    """Show the help menu, one of its pages (`chips`, `inspectors 2`), a command, or a game by any of its names."""
    named = " ".join(request.args).removeprefix("/").partition("@")[0] or START
    page, _space, rest = named.partition(" ")
    page = find_word(page, PAGES) or page
    if page in PAGES and (not rest or rest.isdecimal()):
        return _page(request, page, int(rest[:2] or 1))
    found = _find_command(named, request.verbs)
    if found is not None:
        return Answer((_line(request.verbs[found]), *_here(request, found)))
    group = next((one for one in _groups_of(request.verbs) if fold(one) == fold(named)), None)
    if group is not None:
        return _parts(request, group)
    game = find_word(named, PLAYS, GAME)
    if game is not None:
        return _explain_game(request, game)
    raise refuse_unknown(named, request.verbs)


def _find_command(named: str, verbs: Mapping[str, CommandSpec]) -> str | None:
    """Return the command of that name in any language, with or without its hyphens and spaces."""
    wanted = fold(named)
    own = next((name for name in verbs if fold(name) == wanted), None)
    if own is not None or not wanted:
        return own
    shown = ((name, translate(f"/{name}", language)) for language in LANGUAGES for name in verbs)
    return next((name for name, said in shown if fold(said) == wanted), None)


def _groups_of(verbs: Iterable[str]) -> Iterable[str]:
    """Return the first words of commands that have two, such as `table`."""
    return {name.partition(" ")[0] for name in verbs if " " in name}


def refuse_unknown(named: str, verbs: Iterable[str]) -> Refused:
    """Return the refusal of a word that names no command, with buttons for the help of similar ones and of games."""
    answers = {fold(name): Choice(Text("{usage}", usage=Usage(f"/{name}")), "help", (name,), True) for name in verbs}
    for game in PLAYS:
        choice = Choice(Text("{game}", game=Word(game)), "help", (game,), True)
        answers |= {fold(game): choice, fold(title_of(game)): choice}
    near = get_close_matches(fold(named)[:_LONGEST_NAME], answers, MOST_SIMILAR, _SIMILAR)
    choices = dict.fromkeys(answers[one] for one in near)
    if not choices:
        refused = Refused("There is no command or game called “{word}”. See /help.", word=named[:_LONGEST_NAME])
        return refused.offering([_turn_to(START)])
    refused = Refused("There is no command or game called “{word}”. Did you mean this?", word=named[:_LONGEST_NAME])
    return refused.offering([*choices, _turn_to(START)])


def _explain_game(request: Request, game: str) -> Answer:
    """Explain a game in a sentence, name its moves with the casino's usual options, and lead to its open tables."""
    play, options = PLAYS[game], usual_options(request.casino, game)
    first = "buyin" if play.seating is Seating.STACKS else "bet"
    moves = [
        Text("{usage}: {help}", usage=Usage(f"/{word} {move.usage}".strip()), help=move.at(options))
        for word, move in play.moves.items()
        if word != first
    ]
    here = [table for table in request.transaction.tables_in(request.casino.id) if table.status != "closed"]
    tables = [table for table in here if table.game == game][:MOST_SIMILAR]
    choices = [Choice(Text("Table {number}", number=table.number), where=Where(table.id)) for table in tables]
    choices += [Choice(Text("Rules"), "rules", (game,)), Choice(Text("Pay table"), "paytable", (game,))]
    if game in FIRST_HANDS:
        choices.append(Choice(Text("First hand"), "learn", (game,)))
    about = Text("{game}: {summary}", game=Word(game), summary=GAME_TEXTS[game].summary)
    none = () if tables else (Text("No table of this game is open."),)
    return Answer((about, _line(request.verbs[first]), *moves, *none), choices=tuple(choices))


def _parts(request: Request, word: str) -> Answer:
    """List all commands that begin with a word, as lines and as buttons."""
    every = [known for name, known in request.verbs.items() if name.startswith(f"{word} ")]
    known = [one for one in every if one.group != "inspectors" or request.is_inspector]
    if not known:
        raise Refused("Only inspectors can do that.").offering([_turn_to(START)])
    choices = [Choice(Text("{usage}", usage=Usage(f"/{one.name}")), one.name) for one in known]
    return Answer(tuple(_line(one) for one in known), choices=tuple(choices))


def _page(request: Request, page: str, number: int) -> Answer:
    if page == "inspectors" and not request.is_inspector:
        raise Refused("Only inspectors can do that.").offering([_turn_to(START)])
    lines = _start(request) if page == START else [_line(request.verbs[name]) for name in _commands_on(request, page)]
    shown = lines[MOST * (number - 1) : MOST * number] or lines[:MOST]
    pages = [one for one in PAGES if one != page and (one != "inspectors" or request.is_inspector)]
    choices = [_turn_to(one) for one in pages]
    if len(lines) > MOST:
        last = -(-len(lines) // MOST)
        more = Text("More: {number} of {last}", number=number % last + 1, last=last)
        choices.insert(0, Choice(more, "help", (page, str(number % last + 1)), True))
    return Answer((*_head(request, page), *shown, *_tail(request, page)), choices=(*choices, *_STEPS.get(page, ())))


def _turn_to(page: str) -> Choice:
    return Choice(PAGES[page], "help", (page,), True)


_STEPS = {
    START: (Choice(Text("First hand"), "learn"), Choice(Text("Daily chips"), "daily")),
    TABLE: (Choice(Text("Rules"), "rules"),),
    "chips": (Choice(Text("Daily chips"), "daily"), Choice(Text("Statement"), "statement")),
    "me": (Choice(Text("Language"), "language"), Choice(Text("Pause"), "pause")),
}


def _start(request: Request) -> list[Text]:
    lines = [
        Text("Ridotto uses play chips: no real money, ever."),
        Text("At a table, press an amount to bet. The first bet starts the clock; then the cards come."),
        Text("Press My cards to see your hand. When it's your turn, your buttons are there too."),
        Text("/tables lists open tables, /learn deals a practice hand, /daily gives you more chips."),
    ]
    return (
        [*lines, Text("You are an inspector here: set up the casino with /setup.")] if request.is_inspector else lines
    )


def _head(request: Request, page: str) -> Iterator[Text]:
    if page == START:
        return
    if page != TABLE:
        yield Text("{page}:", page=PAGES[page])
    elif (table := request.at) is not None:
        yield Text("Table {number}, {game}.", number=table.number, game=Word(table.game))
    else:
        yield Text("There is no table here. At a table you can use:")


def _tail(request: Request, page: str) -> Iterator[Text]:
    if page == TABLE and request.at is not None and request.at.round.commitment is not None:
        yield say_unproven(request.at.round.commitment, request.transaction.chain)


def _commands_on(request: Request, page: str) -> list[str]:
    plays = [request.at.plays] if request.at is not None else _plays_of(request)
    found = [one.name for one in request.verbs.values() if _PAGE_OF.get(one.name, _PAGE_OF.get(one.group)) == page]
    return by_use(name for name in found if is_played(name, plays))


def _plays_of(request: Request) -> list[Play]:
    here = [table.plays for table in request.transaction.tables_in(request.casino.id) if table.status != "closed"]
    return here or list(PLAYS.values())


def by_use(names: Iterable[str]) -> list[str]:
    """Sort commands by use, the most used first; moves come right after the bets."""
    rank = {name: place for place, name in enumerate(_USED)}
    moves = {word for play in PLAYS.values() for word in play.moves}
    after = rank["ready"] + 0.5
    return sorted(names, key=lambda name: rank.get(name, after if name in moves else len(_USED)))


def is_played(name: str, plays: Sequence[Play]) -> bool:
    """Check whether a command has a meaning for these games; commands outside of play always have."""
    return any(_is_of(name, play) for play in plays)


def _is_of(name: str, play: Play) -> bool:
    if name in play.moves:
        return True
    if name in _STACKS:
        return play.seating is Seating.STACKS
    if name == "post":
        return play.cash is not None and play.cash.dead is not None
    if name in _BETS:
        return play.seating is not Seating.STACKS
    if name == "follow":
        return play.seating is Seating.BOXES
    if name == "squeeze":
        return bool(play.reveals.steps)
    if name == "standing":
        return bool(play.orders)
    if name == "jackpot":
        return play.linked_meter
    return not any(name in other.moves for other in PLAYS.values())


def _line(known: CommandSpec) -> Text:
    return Text("{usage}: {help}", usage=Usage(f"/{known.name} {known.usage}".strip()), help=known.help)


def _here(request: Request, name: str) -> Iterable[Text]:
    """Return what a command does at this table, with its options and in its game."""
    table = request.at
    if table is None:
        return
    options = options_of(request.transaction, table)
    if (told := table.plays.moves.get(name)) is not None:
        yield Text("At this table: {help}", help=told.at(options))
    elif name == "bet" and isinstance(options, Limits):
        yield Text("At this table: {help}", help=say_limits(options.minimum, options.maximum, options.step))
