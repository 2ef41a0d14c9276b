"""Wallets: what a player has, gets every day, gives, has won and lost. Chips can never be bought or sold."""

from collections.abc import Iterable, Sequence
from itertools import accumulate

from bot.floor.amounts import parse_amount, parse_count
from bot.floor.care import ids_of_person
from bot.floor.command import Answer, Refused, to_csv
from bot.floor.house import Member, Paper, Player
from bot.floor.registry import Request, say, verb
from bot.floor.words import find_player
from bot.texts import Text
from engine.felt import Amount, Word
from storage import ledger
from storage.reports import GameResults, biggest_wins, latest_results, results_by_game
from storage.rows import PostingRow, ResultRow

START = 1000_00
DAILY = 200_00
DAILY_BELOW = 2000_00
DAILY_EVERY_S = 20 * 3600.0
GIVE_A_DAY = 500_00
GIVE_AFTER_S = 24 * 3600.0
WEEK_S = 7 * 86400.0
PLOTTED = 24
BLOCKS = "▁▂▃▄▅▆▇█"


def welcome(paper: Paper, casino: int, player: int, now: float) -> Member:
    """A new member starts with chips from the mint, once."""
    member = paper.set_member(Member(casino, player, now, {}))
    start = paper.casino(casino).get("start", START)
    if not paper.player(player).state.get("no start"):
        paper.post(ledger.mint(casino), ledger.wallet(casino, player), start, "start", now)
    return member


def wealth(paper: Paper, casino: int, player: int) -> int:
    """Wallet, stacks, bets and escrow together."""
    total = paper.balance(ledger.wallet(casino, player))
    for table in paper.tables_of(player):
        if table.casino != casino:
            continue
        total += paper.balance(ledger.stack(table.id, player)) if table.game == "stud" else 0
        if table.play is None:
            total += sum(bet.total for bet in table.bets_of(player))
        elif table.game != "stud":
            wagered = table.play.wagered()
            mine = set(table.seats_played_by(player)) - table.void_seats(table.hand_id)
            total += sum(sum(wagered.get(seat, {}).values()) for seat in mine)
    for prize in paper.casino(casino).get("prizes", []):
        if prize["player"] == player:
            total += paper.balance(ledger.escrow(prize["hand"], prize["seat"]))
    return total


@verb("balance", Text("What is in your wallet"), group="chips")
def balance(request: Request) -> Answer:
    return say("You have {chips} chips.", chips=request.chips())


@verb("daily", Text("Your daily chips"), group="chips")
def daily(request: Request) -> Answer:
    casino, member = request.casino, request.member
    last = max((day for day in _dailies(request) if day is not None), default=None)
    if last is not None and request.now < last + DAILY_EVERY_S:
        hours = -int(-(last + DAILY_EVERY_S - request.now) // 3600)
        raise Refused("Your next daily chips come in {hours} h.", None, hours=hours)
    ceiling = casino.get("daily_below", DAILY_BELOW)
    if wealth(request.paper, casino.id, request.player.id) >= ceiling:
        raise Refused("Daily chips are for those who hold less than {ceiling}.", None, ceiling=Amount(ceiling))
    amount = casino.get("daily", DAILY)
    request.paper.post(ledger.mint(casino.id), request.wallet, amount, "daily", request.now)
    request.paper.set_member(member.change(daily=request.now))
    return say("{amount} chips for today. You have {chips}.", amount=Amount(amount), chips=request.chips())


def _dailies(request: Request) -> Iterable[float | None]:
    """When each of the person's accounts got its last: who unlinks one gets no second of a day."""
    for id in ids_of_person(request.paper, request.player.id):
        member = request.paper.member(request.casino.id, id)
        yield member.state.get("daily") if member is not None else None


@verb("give", Text("Give chips to another player"), group="chips", usage="PLAYER AMOUNT")
def give(request: Request) -> Answer:
    if len(request.args) < 2:
        raise Refused("Say to whom and how much: /give anna 50.")
    if request.now < request.member.joined + request.casino.get("give_after_s", GIVE_AFTER_S):
        raise Refused("Gifts are for those who have been here for a day.")
    to = find_player(request, " ".join(request.args[:-1]))
    if to == request.player.id:
        raise Refused("You have those chips already.")
    amount = parse_amount(request.args[-1], request.player.language, wallet=request.chips())
    day, given = int(request.now // 86400), request.member.state.get("given", [0, 0])
    today = given[1] if given[0] == day else 0
    left = request.casino.get("give_a_day", GIVE_A_DAY) - today
    if amount > left:
        raise Refused("You may still give {left} chips today.", None, left=Amount(left))
    request.paper.post(request.wallet, ledger.wallet(request.casino.id, to), amount, "gift", request.now)
    request.paper.set_member(request.member.change(given=[day, today + amount]))
    name = request.paper.player(to).name
    return say(
        "You gave {amount} to {name}. You have {chips}.", amount=Amount(amount), name=name, chips=request.chips()
    )


@verb("statement", Text("Every movement of your chips"), group="chips", usage="[PAGE|csv]")
def statement(request: Request) -> Answer:
    wallets = [ledger.wallet(request.casino.id, player) for player in request.player.ids]
    marks = _marks(wallets)
    # Between one's own wallets nothing moves.
    mine = f"""WHERE (debit IN ({marks}) OR credit IN ({marks}))
               AND NOT (debit IN ({marks}) AND credit IN ({marks})) ORDER BY id"""
    if request.args and request.args[0].lower() == "csv":
        everything = request.paper.books.rows(PostingRow, mine, *wallets * 4)
        line = Text("{n} movement.", "{n} movements.", n=len(everything))
        return Answer((line,), file=("statement.csv", to_csv(PostingRow._fields, everything)))
    rows = _latest_movements(request.paper, wallets, _page(request))
    return Answer(tuple(_movement(row, wallets) for row in rows) or (Text("There are no movements here."),))


def _latest_movements(paper: Paper, wallets: Sequence[str], page: int) -> list[PostingRow]:
    """Fifteen of them, read from the end of each wallet's index, however many there are."""
    marks, last = _marks(wallets), f"ORDER BY id DESC LIMIT {15 * page}"
    sides = [
        f"SELECT * FROM (SELECT id FROM postings WHERE {mine} = ? AND {others} NOT IN ({marks}) {last})"
        for mine, others in (("debit", "credit"), ("credit", "debit"))
        for _wallet in wallets
    ]
    where = f"WHERE id IN ({' UNION ALL '.join(sides)}) ORDER BY id DESC LIMIT 15 OFFSET ?"
    values = [value for _side in range(2) for wallet in wallets for value in (wallet, *wallets)]
    return paper.books.rows(PostingRow, where, *values, 15 * (page - 1))


def _movement(row: PostingRow, wallets: Sequence[str]) -> Text:
    amount = Amount(row.amount if row.credit in wallets else -row.amount)
    if row.hand is None:
        return Text("{amount} · {why}", "", amount=amount, why=Word(row.why))
    return Text("{amount} · {why} · hand {hand}", "", amount=amount, why=Word(row.why), hand=str(row.hand))


def _page(request: Request) -> int:
    page = parse_count(request.args[0] if request.args else "1", 1, 10**6)
    if page is None:
        raise Refused("Name a page, such as 2.")
    return page


@verb("history", Text("The hands you played"), group="knowing", usage="[PAGE]")
def history(request: Request) -> Answer:
    books, skip = request.paper.books, 15 * (_page(request) - 1)
    rows = latest_results(books, request.casino.id, request.player.ids, 15, skip)
    return Answer(tuple(_result(row) for row in rows) or (Text("You have not played a hand here yet."),))


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def _result(row: ResultRow) -> Text:
    return Text(
        "Hand {hand} · {game}: {wagered} put down, {returned} came back, {net}",
        "",
        hand=str(row.hand),
        game=Word(row.game),
        wagered=Amount(row.wagered),
        returned=Amount(row.returned),
        net=Amount(row.returned - row.wagered),
    )


@verb("stats", Text("Your play in figures"), group="chips")
def stats(request: Request) -> Answer:
    rows = results_by_game(request.paper.books, request.casino.id, request.player.ids)
    if not rows:
        return say("You have not played a hand here yet.")
    return Answer((*_stats_lines(rows), _plot(request)))


def _plot(request: Request) -> Text:
    """Up and down over the last hands, as a line of blocks between what one stood at lowest and highest."""
    latest = latest_results(request.paper.books, request.casino.id, request.player.ids, PLOTTED)
    nets = [row.returned - row.wagered for row in reversed(latest)]
    return Text(
        "Last {n} hand: {plot} {net}",
        "Last {n} hands: {plot} {net}",
        n=len(nets),
        plot=draw_line(list(accumulate(nets, initial=0))),
        net=Amount(sum(nets)),
    )


def draw_line(values: Sequence[int]) -> str:
    least, most = min(values), max(values)
    span = max(1, most - least)
    return "".join(BLOCKS[(value - least) * (len(BLOCKS) - 1) // span] for value in values)


def _stats_lines(rows: Iterable[GameResults]) -> Iterable[Text]:
    for game, n, wagered, returned, best in rows:
        yield Text(
            "{game}: {n} hand, {wagered} put down, {returned} came back, best {best}",
            "{game}: {n} hands, {wagered} put down, {returned} came back, best {best}",
            game=Word(game),
            n=n,
            wagered=Amount(wagered),
            returned=Amount(returned),
            best=Amount(best),
        )


@verb(
    "leaderboard",
    Text("Who has most, who won most; a past season; or leave yourself out"),
    group="chips",
    usage="[week|SEASON|hide]",
)
def leaderboard(request: Request) -> Answer:
    """House players and those who opted out are left out."""
    word = request.args[0].lower() if request.args else ""
    if word == "hide":
        hidden = not request.player.state.get("hidden")
        request.paper.set_player(request.player.change(hidden=True if hidden else None))
        return say("You stand on no leaderboard any more.") if hidden else say("You stand on the leaderboards again.")
    if word == "week":
        return Answer(tuple(_best_wins(request, request.now - WEEK_S)) or (Text("Nobody has won here this week."),))
    if word:
        seasons = request.casino.get("seasons", [])
        season = parse_count(word, 1, len(seasons))
        if season is None:
            raise Refused("Say week, hide, or the number of a past season.")
        return Answer(tuple(_board_lines(seasons[season - 1]["board"])))
    return Answer((*_board_lines(top_wallets(request.paper, request.casino.id)), *_best_wins(request)))


def _board_lines(board: Iterable[tuple[str, int]]) -> Iterable[Text]:
    for place, (name, amount) in enumerate(board, start=1):
        yield Text("{place}. {name}: {chips}", "", place=place, name=name, chips=Amount(amount))


def _best_wins(request: Request, since: float | None = None) -> Iterable[Text]:
    """The five who won most in one hand, each with the best of theirs."""
    most, best = 25, dict[int, Text]()
    while True:
        wins = biggest_wins(request.paper.books, request.casino.id, most, since)
        for win in wins:
            if not win.is_hidden:
                values = {"name": win.name, "amount": Amount(win.amount), "game": Word(win.game)}
                best.setdefault(win.player, Text("Biggest win: {name}, {amount} at {game}", "", **values))
        if len(best) >= 5 or len(wins) < most:
            return list(best.values())[:5]
        most *= 10


def top_wallets(paper: Paper, casino: int) -> list[tuple[str, int]]:
    """(name, chips) of the ten richest, by wallet."""
    top = paper.house.board(casino).top(10, lambda player: _is_shown(paper.player(player)))
    return [(paper.player(player).name, chips) for player, chips in top]


def _is_shown(player: Player) -> bool:
    return not player.state.get("hidden") and "merged" not in player.state
