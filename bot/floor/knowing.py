"""What anybody may ask: help, tables, own cards, the record of a hand, the language."""

import json
from collections.abc import Sequence
from typing import Any

from bot.floor.betting import options_of
from bot.floor.command import Answer, Refused
from bot.floor.deals import hidden_for, load_deal
from bot.floor.registry import VERBS, Request, say, verb
from bot.floor.table import Table
from bot.texts import LANGUAGES, Card, Text
from bot.texts.rules import odds_of, paytable_of, rules_of
from engine import blackjack, poker
from engine.cards import HIDDEN
from engine.felt import Amount, Word
from engine.hand import GAMES
from engine.shuffler import commit
from storage.database import Reader
from storage.rows import HandRow, MoveRow


@verb("help", Text("What you can do"), group="knowing", usage="[COMMAND]")
def help(request: Request) -> Answer:
    if request.args:
        known = VERBS.get(" ".join(request.args).removeprefix("/"))
        if known is None:
            raise Refused("There is no such command; /help lists them.")
        return Answer((_help_line(known.name),))
    lines = [Text("Ridotto plays for virtual chips only; they can never be bought or sold.")]
    lines += [_help_line(name) for name, known in VERBS.items() if known.group != "inspectors" or request.is_inspector]
    return Answer(tuple(lines))


def _help_line(name: str) -> Text:
    known = VERBS[name]
    usage = f"/{name} {known.usage}".strip()
    return Text("{usage}: {help}", "", usage=usage, help=known.help)


@verb("tables", Text("The tables of this casino"), group="knowing")
def tables(request: Request) -> Answer:
    return Answer(tuple(_tables_of(request, request.casino.id)) or (Text("No table is open."),))


def _tables_of(request: Request, casino: int) -> list[Text]:
    open_tables = [table for table in request.paper.all_tables().values() if table.casino == casino]
    return [
        Text(
            "Table {number}: {game}, {n} player, {phase}",
            "Table {number}: {game}, {n} players, {phase}",
            number=table.number,
            game=Word(table.game),
            n=len(table.players()),
            phase=Word(table.phase),
        )
        for table in open_tables
        if table.status != "closed"
    ]


@verb("cards", Text("Your own cards, seen by you alone"), group="play")
def cards(request: Request) -> Answer:
    hand = request.table.play
    if request.table.game == "paiju":
        return _cards_in_hand(request.table, request.player.id)
    mine = request.table.seats_played_by(request.player.id)
    if hand is None or not mine:
        raise Refused("You hold no cards now.")
    lines = []
    for seat in mine:
        seen = hand.cards(seat)
        # Who bets behind a box plays its cards, of which a split makes two hands.
        box = seat.partition("/")[0]
        for pile in [name for name in seen if name == box or name.startswith(f"{box}.")]:
            lines.append(Text("Your cards: {cards}", "", cards=[Card(card) for card in seen[pile]]))
            if (worth := _worth(request.table.game, seen[pile], seen.get("board", []))) is not None:
                lines.append(Text("You hold: {rank}", "", rank=worth))
        offers = [offer for offer in hand.asks.get(seat, ()) if offer.listed]
        if offers:
            lines.append(Text("You may: {offers}", "", offers=[_offer_text(offer) for offer in offers]))
    return Answer(tuple(lines))


def _worth(game: str, held: Sequence[str], board: Sequence[str]) -> object:
    """What cards make now, with those that lie open for all (UT3); None while they are too few."""
    if game == "blackjack":
        return blackjack.count(held)[0] if held else None
    cards = [*held, *(card for card in board if card != HIDDEN)]
    return Word(poker.name(poker.rank(cards))) if len(cards) >= 5 else None


def _cards_in_hand(table: Table, player: int) -> Answer:
    """PJ12: who turns a position's cards "sees them first, privately"."""
    mine = [position for position, turner in table.turning.items() if turner == player]
    if table.play is None or not mine:
        raise Refused("You hold no cards now.")
    cards = table.play.cards(None)
    return Answer(
        tuple(
            Text("{position}: {cards}", "", position=Word(position), cards=[Card(card) for card in cards[position]])
            for position in mine
        )
    )


def _offer_text(offer: Any) -> Text:
    if offer.stake:
        return Text(
            "{word} {argument} ({cost})", "", word=Word(offer.word), argument=offer.argument, cost=Amount(offer.stake)
        )
    return Text("{word} {argument}", "", word=Word(offer.word), argument=offer.argument)


def read_record(books: Reader, hand_id: int, *, with_seed: bool) -> dict[str, Any] | None:
    """The record of a hand as storage has it, or None; the seed only for a hand that may be shown."""
    row = books.first(HandRow, "WHERE id = ?", hand_id)
    deal = load_deal(row) if row is not None else None
    if row is None or deal is None:
        return None
    moves = books.rows(MoveRow, "WHERE hand = ? ORDER BY number", hand_id)
    record = {"hand": str(row.id), "commit": commit(row.seed), **deal, "moves": [one.move for one in moves]}
    if with_seed:
        record["seed"] = {"server": row.seed.hex(), **deal["seed"]}
    else:
        del record["seed"]
    return record


def may_show(row: HandRow, now: float) -> bool:
    """Stud: folded hands stay secret while it matters (fairness, 5)."""
    if row.status not in ("over", "void") or row.closed is None:
        return False
    return now >= row.closed + hidden_for(row)


@verb("verify", Text("The record of a hand, to check it"), group="knowing", usage="HAND")
def verify(request: Request) -> Answer:
    text = request.argument(0, "Name the hand, such as /verify 12.").removeprefix("#")
    hand_id = int(text) if text.isascii() and text.isdigit() and len(text) < 12 else 0
    row = request.paper.books.first(HandRow, "WHERE id = ?", hand_id)
    # The lounge speaks for its own casino, and its people may have played at a community's table there.
    if row is None or (row.casino != request.casino.id and not _has_been_in(request, row.casino)):
        raise Refused("There is no hand of that number here.")
    at = request.paper.table(row.table_id)
    shoe_lasts = at is not None and at.seed == row.seed and at.status != "closed"
    if shoe_lasts or not may_show(row, request.now):
        raise Refused("The seed of hand {hand} is shown when the hand, or the shoe, is over.", None, hand=str(hand_id))
    record = read_record(request.paper.books, hand_id, with_seed=True)
    if record is None:
        raise Refused("There is no hand of that number here.")
    text = json.dumps(record, ensure_ascii=False)
    line = Text(
        "Record of hand {hand}: check it with “ridotto verify FILE” or on the verify page.", "", hand=str(hand_id)
    )
    return Answer((line,), file=(f"hand-{hand_id}.json", text))


def _has_been_in(request: Request, casino: int) -> bool:
    return casino in request.player.state.get("casinos", ())


@verb("language", Text("The language of your answers"), group="me", usage="en|it")
def language(request: Request) -> Answer:
    wanted = request.argument(0, "Name a language: en or it.").lower()
    if wanted not in LANGUAGES:
        raise Refused("Name a language: en or it.")
    player = request.player
    request.paper.set_player(type(player)(player.id, player.name, wanted, player.state, player.joined))
    return say("Your answers come in {language}.", language=LANGUAGES[wanted])


@verb("rules", Text("The rules of a game, with their clauses"), group="knowing", usage="[GAME]")
def rules(request: Request) -> Answer:
    return Answer(rules_of(_game(request)))


@verb("paytable", Text("What a game pays"), group="knowing", usage="[GAME]")
def paytable(request: Request) -> Answer:
    """By this table's options where it plays that game, else by the casino's usual ones."""
    game, at = _game(request), request.at
    if at is not None and at.game == game:
        return Answer(paytable_of(game, options_of(request.paper, at)))
    usual = request.casino.get("meter", {}) if game == "caribbean" else {}
    return Answer(paytable_of(game, GAMES[game].parse_options(usual)))


@verb("odds", Text("What the house keeps in the long run"), group="knowing", usage="[GAME]")
def odds(request: Request) -> Answer:
    return Answer(odds_of(_game(request)))


def _game(request: Request) -> str:
    """The game that is named, or that of the table here."""
    game = request.args[0].lower() if request.args else request.table.game
    if game not in GAMES:
        raise Refused("Name the game: {games}.", None, games=", ".join(GAMES))
    return game
