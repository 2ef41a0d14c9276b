"""Leaderboards: the richest, the biggest wins, and the rankings of a month."""

from collections.abc import Iterable, Sequence

from bot.core.commands.amounts import parse_count
from bot.core.commands.command import Answer, Choice, Refused
from bot.core.commands.pages import turn_pages
from bot.core.commands.registry import CommandFlag, Request, answer_with, command
from bot.core.commands.words import find_word
from bot.core.players.wallets import PLACES, RANKED, find_place, is_on_boards, rank_players, wealth
from bot.core.rounds.month_boards import (
    BEST,
    Month,
    Standing,
    month_at,
    month_before,
    parse_month,
    rank_deals,
    rank_tournaments,
)
from bot.texts import Name, Text
from engine.felt import Amount, Word
from storage.questions.results import biggest_wins

WEEK_S = 7 * 86400.0


@command(
    "leaderboard",
    Text("See who has the most chips and the biggest wins"),
    group="chips",
    flags=CommandFlag.LINKABLE,
    usage="[month|week|SEASON|hide|page PAGE]",
)
def leaderboard(request: Request) -> Answer:
    """List ten places a page, then the player's own, and on the first page the biggest wins. House players and those
    who opted out are left out.
    """
    typed = request.args[0] if request.args else ""
    word = find_word(typed, ("hide", "week", "month", "page")) or typed.lower()
    if word == "hide":
        hidden = not request.player.state.hidden
        request.transaction.set_player(request.player.change(hidden=hidden))
        return (
            answer_with("You are hidden from the leaderboards.")
            if hidden
            else answer_with("You are on the leaderboards again.")
        )
    if word == "week":
        return Answer(tuple(_best_wins(request, request.now - WEEK_S)) or (Text("No wins here this week yet."),))
    if word == "page":
        return _turn_board(request, parse_count(next(iter(request.args[1:]), ""), 1, RANKED // PLACES))
    if word == "month" and len(request.args) > 1:
        word = request.args[1]
    month = month_at(request.now) if word == "month" else parse_month(word)
    if month is not None:
        return _show_month(request, month)
    if word:
        seasons = request.casino.state.seasons
        season = parse_count(word, 1, len(seasons))
        if season is None:
            raise Refused(
                "Choose month, a month such as 2026-11, week, hide, page 2, or the number of an earlier season."
            )
        return Answer(tuple(_board_lines(seasons[season - 1].board)))
    return _turn_board(request, 1)


def _turn_board(request: Request, page: int | None) -> Answer:
    if page is None:
        raise Refused("Choose a page from 1 to {most}.", most=RANKED // PLACES)
    start, most = PLACES * (page - 1), PLACES * page
    ranked = rank_players(request.transaction, request.casino.id, RANKED, request.player.id)
    board = [(request.name_of(player), chips) for player, chips in ranked]
    lines = (*_board_lines(board[start:most], start + 1), *_own_place(request, ranked, start, most))
    has_more = len(board) > most
    choices = turn_pages("leaderboard", page, has_more=has_more, before=("page",))
    if page == 1:
        choices = (*choices, Choice(Text("This month"), "leaderboard", ("month",)))
    if page > 1:
        past_end = Text("The leaderboard has fewer pages.")
        return Answer(lines if board[start:] else (past_end, *lines), choices=choices)
    return Answer((*lines, *_best_wins(request)), choices=choices)


def _show_month(request: Request, month: Month) -> Answer:
    """Show the rankings of a month: the deal of the day, and the tournaments here."""
    if month.first > month_at(request.now).first:
        raise Refused("That month has not begun.")
    casino, transaction = request.casino.id, request.transaction

    def is_shown(player: int) -> bool:
        return transaction.member(casino, player) is not None and is_on_boards(transaction, casino, player)

    deals = rank_deals(transaction, month, request.now, is_shown)
    tournaments = rank_tournaments(transaction, casino, month, is_shown)
    lines = [
        Text("Deal of the day, {month}: average chips of the best {best} results", month=month.name, best=BEST),
        *_standings(request, deals),
        Text("Tournaments, {month}: average percentage of others beaten, best {best}", month=month.name, best=BEST),
        *_standings(request, tournaments),
        Text("A missing result counts as 0. A new ranking begins each month."),
    ]
    earlier = month_before(month)
    choices = (
        (Choice(Text("{month}", month=earlier.name), "leaderboard", (earlier.name,)),) if earlier.first > 0 else ()
    )
    return Answer((*lines,), choices=choices)


def _standings(request: Request, ranked: Sequence[Standing]) -> Iterable[Text]:
    if not ranked:
        yield Text("No results yet.")
    for number, one in enumerate(ranked):
        if number < PLACES or one.player == request.player.id:
            values = {"place": one.place, "name": request.name_of(one.player), "average": Amount(one.average)}
            yield Text(
                "{place}. {name}: {average} ({n} result)",
                "{place}. {name}: {average} ({n} results)",
                n=one.results,
                **values,
            )


def _own_place(request: Request, ranked: Sequence[tuple[int, int]], start: int, most: int) -> Iterable[Text]:
    """Yield the player's own place, unless it is on the page already or they are hidden."""
    place = find_place(ranked, request.player.id)
    chips = Amount(wealth(request.transaction, request.casino.id, request.player.id))
    if place is not None and not start < place <= most:
        yield Text("Your rank: {own}, with {chips} chips", own=place, chips=chips)
    elif place is None and is_on_boards(request.transaction, request.casino.id, request.player.id):
        yield Text("Your rank: below {own}, with {chips} chips", own=len(ranked), chips=chips)


def _board_lines(board: Iterable[tuple[str, int]], first: int = 1) -> Iterable[Text]:
    for place, (name, amount) in enumerate(board, start=first):
        yield Text("{place}. {name}: {chips}", place=place, name=Name(name), chips=Amount(amount))


def _best_wins(request: Request, since: float | None = None) -> Iterable[Text]:
    """List the five players with the biggest wins in one hand, each with their best."""
    most, best = 25, dict[int, Text]()
    while True:
        wins = biggest_wins(request.transaction.books, request.casino.id, most, since)
        for win in wins:
            if not win.is_hidden and is_on_boards(request.transaction, request.casino.id, win.player):
                values = {"name": request.name_of(win.player), "amount": Amount(win.amount), "game": Word(win.game)}
                best.setdefault(win.player, Text("Biggest win: {name}, {amount} at {game}", **values))
        if len(best) >= 5 or len(wins) < most:
            return list(best.values())[:5]
        most *= 10
