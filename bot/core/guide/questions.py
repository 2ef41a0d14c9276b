"""Questions that anyone may ask: tables, own cards, the record of a hand, the language."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from bot.core.commands.command import Answer, Choice, Refused, Where
from bot.core.commands.offers import Typed, as_typed, say_typed
from bot.core.commands.registry import CommandFlag, Request, answer_with, command
from bot.core.commands.words import GAME, refuse_game, take_word
from bot.core.guide import table_rules
from bot.core.guide.verdicts import check_beside, lead, send_verifier
from bot.core.players import self_limits
from bot.core.rounds.betting import options_of, usual_options
from bot.core.rounds.commitments import RECEIPT_DIGITS, say_unproven
from bot.core.rounds.hand_records import commit_of, hidden_for, load_commitment, proven
from bot.core.state.plays import PLAYS, Seating
from bot.core.state.table import Table
from bot.texts import LANGUAGES, Card, Text
from bot.texts.games import CLAUSE, has_clause, paytable_of, rules_of, unfold
from bot.texts.languages import language_called
from engine.felt import Offer, Word
from engine.hand import Hand
from storage.questions import hands, logs
from storage.rows import HandRow


@command(
    "table here",
    Text("Move the table below the newest messages"),
    group="play",
    flags=CommandFlag.SHOWS | CommandFlag.BRINGS,
)
def table_here(request: Request) -> Answer:
    """Point to the table here; the platform posts it again where it has scrolled away."""
    return Answer((Text("Here is the table.{where}", where=Where(request.table.id)),))


@command("tables", Text("List this casino's tables"), group="knowing", flags=CommandFlag.LINKABLE)
def tables(request: Request) -> Answer:
    """List the open tables of this casino."""
    return Answer(tuple(_tables_of(request, request.casino.id)) or (Text("No tables are open."),))


def _tables_of(request: Request, casino: int) -> list[Text]:
    return [
        Text(
            "Table {number}: {game}, {n} player, {phase}{where}",
            "Table {number}: {game}, {n} players, {phase}{where}",
            number=table.number,
            game=Word(table.game),
            n=len(table.players()),
            phase=Word(table.phase),
            where=Where(table.id),
        )
        for table in request.transaction.tables_in(casino)
        if table.status != "closed"
    ]


@command("cards", Text("See your own cards, privately"), group="play", flags=CommandFlag.PRIVATE | CommandFlag.LINKABLE)
def cards(request: Request) -> Answer:
    """Show the player's own cards, their value and the possible moves, each as it can be typed."""
    hand = request.table.round.hand
    if request.table.plays.reveals.steps:
        return _cards_in_hand(request.table, request.player.id)
    mine = request.table.seats_played_by(request.player.id)
    if hand is None or not mine:
        raise Refused("You hold no cards now.")
    lines = [line for seat in mine for line in _held(request.table.game, hand, seat)]
    return Answer((*lines, *_say_choices(request, _offers_to(hand, mine))))


def _held(game: str, hand: Hand, seat: str) -> Iterable[Text]:
    """Yield the cards of a seat and what they are worth.

    A player behind a box plays the box's cards, which are two hands after a split.
    """
    seen, box = hand.cards(seat), seat.partition("/")[0]
    for name in [name for name in seen if name == box or name.startswith(f"{box}.")]:
        yield Text("Your cards: {cards}", cards=[Card(card) for card in seen[name]])
        worth = PLAYS[game].describe_hand(seen, name)
        if worth is not None:
            yield Text("You hold: {worth}", worth=worth)


def _offers_to(hand: Hand, mine: Sequence[str]) -> list[Offer]:
    """Return the offers of a move without a seat: those of their first seat asked, with follow or stop (BJ13)."""
    asked = next((hand.asks[seat] for seat in mine if seat in hand.asks), ())
    aside = [offer for seat in mine for offer in hand.aside.get(seat, ())]
    return [*(offer for offer in asked if offer.listed), *{offer.word: offer for offer in aside}.values()]


def _say_choices(request: Request, offers: Iterable[Offer]) -> tuple[Text, ...]:
    """Write the choices that the player can pay and may make: each works when typed as it is written."""
    choices = [say_typed(choice) for offer in offers for choice in as_typed(offer) if _can_pay(request, choice.cost)]
    return (Text("You may: {choices}", choices=choices),) if choices else ()


def _can_pay(request: Request, cost: int) -> bool:
    table = request.table
    try:
        if cost and table.plays.seating is not Seating.STACKS:
            self_limits.check_loss(request, cost)
    except Refused:
        return False
    return cost <= request.transaction.balance(table.purse(request.player.id))


def _cards_in_hand(table: Table, player: int) -> Answer:
    """Show the cards of a position to the player who turns them, who "sees them first, privately" (PJ12)."""
    mine = [
        turn for turn in table.plays.reveals.due(table.round.turning) if table.round.turning[turn.position] == player
    ]
    if table.round.hand is None or not mine:
        raise Refused("You hold no cards now.")
    cards = table.round.hand.cards(None)
    lines = [
        Text("{position}: {cards}", position=Word(turn.position), cards=[Card(card) for card in turn.of(cards)])
        for turn in mine
    ]
    choices = [say_typed(Typed("squeeze", (turn.position,))) for turn in mine]
    return Answer((*lines, Text("You may: {choices}", choices=choices)))


def may_show(row: HandRow, now: float) -> bool:
    """Check whether a finished hand may be shown: folded hands may stay secret for some hours."""
    if row.status not in ("over", "void") or row.closed is None:
        return False
    return now >= row.closed + hidden_for(row)


@command(
    "verify",
    Text("Get the record of a hand, to check it"),
    group="knowing",
    flags=CommandFlag.LINKABLE,
    usage="[HAND|file]",
)
def verify(request: Request) -> Answer:
    """Send the record of a hand with its seed once the hand or its shoe is over, until then its commitment; and the
    casino's own check in plain words. Without a number it is the hand at the table here. `file` sends the verifier;
    `record` after the number sends the record only.
    """
    if "file" in map(str.lower, request.args):
        return send_verifier()
    here = [str(request.at.round.hand_id)] if request.at is not None else []
    text = next(iter((*request.args, *here)), "")
    if not text:
        raise Refused("Enter the hand, for example `/verify 12`.")
    text = text.removeprefix("#")
    hand_id = int(text) if text.isascii() and text.isdigit() and len(text) < 12 else 0
    row = hands.hand(request.transaction.books, hand_id)
    # Lounge players may have played at a community's table there.
    if row is None or (row.casino != request.casino.id and not _has_been_in(request, row.casino)):
        raise Refused("There is no hand with that number here.")
    at = request.transaction.table(row.table_id)
    shoe_lasts = at is not None and at.round.seed == row.seed and at.status != "closed"
    committed = at.round.commit if at is not None and at.round.seed == row.seed else commit_of(row)
    if shoe_lasts or not may_show(row, request.now):
        told = Text("The commitment of hand {hand} is {commit}.", hand=str(hand_id), commit=committed)
        return Answer((_say_when_shown(row, shoe_lasts=shoe_lasts), told, *_in_the_log(request, row)))
    record = proven(request.transaction.books, row)
    if record is None:
        raise Refused("There is no hand with that number here.")
    text = json.dumps(record, ensure_ascii=False)
    line = Text("Record of hand {hand}: check it with “ridotto verify FILE” or on the verify page.", hand=str(hand_id))
    first = lead(request.transaction.books, row, record)
    file, chain = (f"hand-{hand_id}.json", text), request.transaction.chain
    check = partial(check_beside, hand=hand_id, record=record, file=file, chain=chain)
    offered = Choice(Text("The verifier as a file"), "verify", ("file",))
    texts = (line,) if first is None else (first, line)
    return Answer(texts, file=file, report=None if "record" in request.args else check, choices=(offered,))


def _say_when_shown(row: HandRow, *, shoe_lasts: bool) -> Text:
    """Say when the seed of a hand is shown."""
    hand = str(row.id)
    if shoe_lasts or row.closed is None:
        return Text("The seed of hand {hand} is revealed when the hand or the shoe is over.", hand=hand)
    hours = str(round(hidden_for(row) / 3600))
    return Text(
        "Hand {hand} can be checked {hours} h after its end: folded cards stay hidden until then.",
        hand=hand,
        hours=hours,
    )


def _in_the_log(request: Request, row: HandRow) -> Iterable[Text]:
    """Say where its commitment is in the log, and the newest root, which covers all that came before."""
    commitment, lines = load_commitment(row.deal)
    if commitment is None:
        return
    yield Text("Its commitment is entry {entry} of log {log}.", entry=str(lines[0]), log=str(commitment["log"]))
    head = logs.newest_head(request.transaction.books, int(commitment["casino"]), commitment["log"])
    if head is not None:
        root = head.root.hex()[:RECEIPT_DIGITS]
        yield Text("The newest tree head of that log: {size} entries, root {digits}…", size=str(head.size), digits=root)
    yield say_unproven(commitment, request.transaction.chain)


def _has_been_in(request: Request, casino: int) -> bool:
    return casino in request.player.state.casinos


@command("language", Text("Choose the language in which you are answered"), group="me", usage="|".join(LANGUAGES))
def language(request: Request) -> Answer:
    """Set the language of everything that is private to the player, on every platform."""
    player, named = request.player, " ".join(request.args)
    choices = [Choice(Text("{name}", name=name), "language", (code,), True) for code, name in LANGUAGES.items()]
    if not named:
        told = Text("I'll answer you in {language}.", language=LANGUAGES[player.language])
        return Answer((told,), choices=tuple(one for one in choices if one.args != (player.language,)))
    wanted = language_called(named)
    if wanted is None:
        raise Refused("Choose a language: {languages}.", languages=" · ".join(LANGUAGES.values())).offering(choices)
    request.transaction.set_player(replace(player, language=wanted))
    return answer_with("I'll answer you in {language}.", language=LANGUAGES[wanted])


class _RulesRequest(NamedTuple):
    """Rules that are asked for: of a table, or of a game with its default options; all clauses unless one is named."""

    word: str
    table: Table | None
    clause: str


@command(
    "rules",
    Text("Read a game's rules, one clause, or this table's settings"),
    group="knowing",
    flags=CommandFlag.LINKABLE,
    usage="[GAME|table|changes] [CLAUSE|NUMBER]",
)
def rules(request: Request) -> Answer:
    """Show the rules of the named game, of the numbered table, or of the one here; one clause with the rulebook's
    wording;
    or the settings of a table and their history.
    """
    asked = _parse_asked(request)
    if asked.word in ("table", "changes"):
        table = asked.table or request.table
        if asked.word == "changes":
            return Answer(table_rules.changes(request, table))
        return Answer(table_rules.card(table, options_of(request.transaction, table)))
    if asked.clause:
        return _say_clause(request, asked)
    game = _game_of(request, asked)
    return Answer((_whose(game, asked.table), *rules_of(game, _options_for(request, game, asked.table)), _learn(game)))


def _learn(game: str) -> Text:
    return Text("Never played it? `/learn {name}` deals you a first hand, with practice chips.", name=game)


@command("paytable", Text("See what a game pays"), group="knowing", flags=CommandFlag.LINKABLE, usage="[GAME] [NUMBER]")
def paytable(request: Request) -> Answer:
    """Show the pay table with this table's options if it plays that game, else with the casino's defaults."""
    asked = _parse_asked(request)
    game = _game_of(request, asked)
    return Answer((_whose(game, asked.table), *paytable_of(game, _options_for(request, game, asked.table))))


def _parse_asked(request: Request) -> _RulesRequest:
    """Parse `caribbean 3 CS8`: a game, a table's number (default the table here) and a clause, each optional."""
    game, start = take_word(request.args, 0, PLAYS, GAME)
    words = [*([game] if game is not None else []), *(word.lower() for word in request.args[start:])]
    clause = words.pop().upper() if words and CLAUSE.fullmatch(words[-1].upper()) else ""
    number = words.pop() if words and words[-1].isascii() and words[-1].isdigit() else ""
    word = words[0] if words else ""
    return _RulesRequest(word, _numbered(request, number, word) if number else request.at, clause)


def _numbered(request: Request, number: str, word: str) -> Table | None:
    """Return the casino's table of that number. A link may bring the number of a table elsewhere: then None beside a
    game.
    """
    ours = request.transaction.tables_in(request.casino.id)
    found = next((table for table in ours if str(table.number) == number), None)
    if found is None and word not in PLAYS:
        raise Refused("There is no table {number} here.", number=number[:10])
    return found


def _game_of(request: Request, asked: _RulesRequest) -> str:
    """Return the game named, or else the table's. Raises Refused for one that is unknown."""
    game = asked.word or (asked.table or request.table).game
    if game not in PLAYS:
        raise refuse_game(game)
    return game


def _say_clause(request: Request, asked: _RulesRequest) -> Answer:
    game = _game_of(request, asked) if asked.word else _game_with(asked)
    if not has_clause(game, asked.clause):
        raise Refused("The rules of {game} have no clause {named}.", game=Word(game), named=asked.clause)
    options = _options_for(request, game, asked.table)
    return Answer((_whose(game, asked.table), *unfold(game, asked.clause, options)))


def _game_with(asked: _RulesRequest) -> str:
    """Return the table's game, or the first one that has the clause."""
    here = [asked.table.game] if asked.table is not None and asked.table.game in PLAYS else []
    found = next((game for game in (*here, *PLAYS) if has_clause(game, asked.clause)), None)
    if found is None:
        raise Refused("No game here has a clause {named}.", named=asked.clause)
    return found


def _whose(game: str, table: Table | None) -> Text:
    """Write the heading of rules and pay tables: the options that they show."""
    return table_rules.say_whose(game, table if table is not None and table.game == game else None)


def _options_for(request: Request, game: str, table: Table | None) -> Any:
    if table is not None and table.game == game:
        return options_of(request.transaction, table)
    return usual_options(request.casino, game)
