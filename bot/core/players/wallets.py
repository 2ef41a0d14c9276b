"""Wallets: what a player has, gets every day, gives, has won and lost. Chips can never be bought or sold."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import accumulate

from bot.core.commands.amounts import join_amounts, parse_amount, parse_count
from bot.core.commands.command import Answer, Choice, Refused
from bot.core.commands.hooks import waiting_in
from bot.core.commands.naming import find_player
from bot.core.commands.pages import turn_pages
from bot.core.commands.registry import CommandFlag, Request, answer_with, command
from bot.core.players import gift_budget
from bot.core.players.self_limits import ids_of_person
from bot.core.state.people import MemberState
from bot.core.state.shared_posts import SharedRank
from bot.core.state.transaction import Transaction
from bot.core.state.values import Casino, Member
from bot.texts import Text
from bot.texts.times import DAY_S, read_day
from engine.felt import Amount, Word
from storage import ledger
from storage.questions.results import GameResults, latest_results, results_by_game

START = 1000_00
DAILY = 200_00
DAILY_BELOW = 2000_00
DAILY_EVERY_S = 20 * 3600.0
# Length of a page of movements or hands.
ROWS = 15
PLOTTED = 24
# Places listed on a shared rank, and on a page of the leaderboard.
RANKED, PLACES = 100, 10
BLOCKS = "▁▂▃▄▅▆▇█"


def start_of(casino: Casino) -> int:
    """Return the start chips of the casino."""
    return START if casino.state.start is None else casino.state.start


def daily_of(casino: Casino) -> int:
    """Return the daily chips of the casino for players below its ceiling, in minor units."""
    return DAILY if casino.state.daily is None else casino.state.daily


def daily_below(casino: Casino) -> int:
    """Return the wealth below which a player may collect daily chips."""
    return DAILY_BELOW if casino.state.daily_below is None else casino.state.daily_below


def welcome(transaction: Transaction, casino: int, player: int, now: float) -> Member:
    """Create a member of a casino, with starting chips from the mint.

    An account that was split off from another one gets none.
    """
    member = transaction.set_member(Member(casino, player, now, MemberState()))
    start = start_of(transaction.casinos[casino])
    if not transaction.players[player].state.no_start:
        transaction.post(ledger.mint(casino), ledger.wallet(casino, player), start, "start", now)
    return member


def wealth(transaction: Transaction, casino: int, player: int) -> int:
    """Return wallet, stacks, bets and escrow together, with what is due from linked accounts."""
    return _wealth_of(transaction, casino, [player])[player]


def _wealth_of(transaction: Transaction, casino: int, players: Iterable[int]) -> dict[int, int]:
    """Return the wealth of each player."""
    at_tables = transaction.state.at_tables.in_casino(casino)
    changes = transaction.state.at_tables.changes(transaction)
    waiting = waiting_in(transaction.casinos[casino])
    found = {}
    for player in players:
        chips = at_tables.get(player, 0) + changes[casino, player]
        chips += sum(transaction.balance(ledger.wallet(casino, id)) for id in transaction.players[player].ids)
        escrows = (ledger.escrow(one.hand, one.seat) for one in waiting if one.player == player)
        found[player] = chips + sum(map(transaction.balance, escrows))
    return found


@command("balance", Text("See your chips"), group="chips")
def balance(request: Request) -> Answer:
    """Show the player's chips, what still comes over from a linked account, and debts."""
    lines = [Text("You have {chips} chips.", chips=request.chips())]
    if waiting := sum(
        request.transaction.balance(ledger.wallet(request.casino.id, id)) for id in request.player.ids[1:]
    ):
        most = Amount(gift_budget.take_a_day(request.casino))
        told = "{waiting} more come from your linked account, at most {most} a day."
        lines.append(Text(told, waiting=Amount(waiting), most=most))
    if owed := request.member.state.debt:
        lines.append(Text("You owe the casino {owed}. It will be taken from your next daily chips.", owed=Amount(owed)))
    return Answer(tuple(lines))


@command("daily", Text("Collect your daily chips"), group="chips", flags=CommandFlag.MEMBERS)
def daily(request: Request) -> Answer:
    """Give daily chips once in twenty hours to players below the casino's ceiling; debts to the casino come off
    first.
    """
    casino, transaction = request.casino, request.transaction
    last = _last_daily(request)
    if last is not None and request.now < last + DAILY_EVERY_S:
        hours = -int(-(last + DAILY_EVERY_S - request.now) // 3600)
        answer = answer_with("Your next daily chips are ready in {hours} h.", hours=hours)
        # A corrected stamp is kept, although a refused command changes nothing else.
        return answer._replace(refused=not transaction.has_news)
    ceiling = daily_below(casino)
    if wealth(transaction, casino.id, request.player.id) >= ceiling:
        raise Refused("Daily chips are for players with less than {ceiling}.", ceiling=Amount(ceiling))
    amount, owed = daily_of(casino), request.member.state.debt
    paid = min(amount, owed)
    transaction.post(ledger.mint(casino.id), request.wallet, amount - paid, "daily", request.now)
    transaction.set_member(request.member.change(daily=request.now, debt=owed - paid))
    if paid:
        return answer_with(
            "{paid} of today's {amount} chips go to your accounts' debt; {owed} is left. You have {chips}.",
            paid=Amount(paid),
            amount=Amount(amount),
            owed=Amount(owed - paid),
            chips=request.chips(),
        )
    return answer_with("{amount} chips for today. You have {chips}.", amount=Amount(amount), chips=request.chips())


def _last_daily(request: Request) -> float | None:
    """Return when the last of the person's accounts got daily chips: unlinking does not give a second portion.

    A time in the future, from a clock that was set back since, counts as now and is corrected.
    """
    stamps = []
    for id in ids_of_person(request.transaction, request.player.id):
        member = request.transaction.member(request.casino.id, id)
        stamp = member.state.daily if member is not None else None
        if member is not None and stamp is not None and stamp > request.now:
            stamp = request.now
            request.transaction.set_member(member.change(daily=stamp))
        stamps += [stamp] if stamp is not None else []
    return max(stamps, default=None)


@command(
    "give",
    Text("Give chips to another player"),
    group="chips",
    flags=CommandFlag.MEMBERS,
    usage="PLAYER AMOUNT",
    button=Text("Give chips"),
)
def give_chips(request: Request) -> Answer:
    """Give chips to a player: `PLAYER AMOUNT`. Daily limits apply to both sides."""
    if len(request.args) < 2:
        raise Refused("Enter a player and an amount, for example `/give anna 50`.")
    transaction, casino, now = request.transaction, request.casino, request.now
    if gift_budget.is_new(casino, request.member, now):
        hours = gift_budget.hours_new(casino, request.member, now)
        raise Refused("New players can't send gifts yet. You can in {hours} h.", hours=hours)
    *named, said = join_amounts(request.args)
    to = find_player(request, 0, len(named))
    if to == request.player.id:
        raise Refused("You already have those chips.")
    amount = parse_amount(said, request.player.language, wallet=request.chips())
    taker, name = transaction.member(casino.id, to), request.name_of(to)
    assert taker is not None
    if amount > (left := gift_budget.may_give(transaction, request.member, now)):
        raise Refused("You can still give {left} chips today.", left=Amount(left))
    if amount > (left := gift_budget.may_take(transaction, taker, now)):
        raise Refused("{name} can still receive {left} chips today.", name=name, left=Amount(left))
    gift_budget.pass_on(transaction, casino.id, request.player.id, to, amount, "gift", now)
    return answer_with(
        "You gave {amount} to {name}. You have {chips}.", amount=Amount(amount), name=name, chips=request.chips()
    )


def page_turns(request: Request, page: int, has_more: bool) -> tuple[Choice, ...]:
    """Return buttons to the pages before and after this one: the same words with another number."""
    if any(word.startswith("#") for word in request.args):
        return ()  # no link carries that, and a hand has few movements
    named = tuple(word for word in request.args if parse_count(word, 1, 10**6) is None)
    return turn_pages(request.command.verb, page, has_more=has_more, before=named)


def read_page(
    request: Request, read: Callable[[Sequence[str], int], tuple[str | None, int]]
) -> tuple[int, float | None, str]:
    """Parse (page, end of the day named or None, what else is named). Raises Refused for anything more.

    `read` takes what else may be named; it is "" where nothing is.
    """
    page, before, also = 1, None, ""
    start = 0
    while start < len(request.args):
        word = request.args[start]
        found, end = read(request.args, start)
        start = max(end, start + 1)
        if (day := read_day(word)) is not None:
            before = day + DAY_S
        elif found:
            also = found
        elif (count := parse_count(word, 1, 10**6)) is not None:
            page = count
        else:
            raise Refused("Enter a page, for example 2, or a day, for example 2026-11-24.")
    return page, before, also


@command("stats", Text("See your play in figures"), group="chips", flags=CommandFlag.LINKABLE)
def stats(request: Request) -> Answer:
    """Show the player's hands, wagers and returns by game, with a curve of their chips."""
    rows = results_by_game(request.transaction.books, request.casino.id, request.player.ids)
    if not rows:
        return answer_with("You have not finished a hand here yet.")
    show = Choice(Text("Share my player card"), "rank")
    return Answer((*_stats_lines(rows), _plot(request)), choices=(show,))


@command(
    "rank",
    Text("Share your player card: chips, rank, hands and biggest win"),
    group="chips",
    flags=CommandFlag.POSTS,
)
def rank(request: Request) -> Answer:
    """Show the player's rank to everyone, by their own wish: what the leaderboard and `/stats` have."""
    player, casino = request.player, request.casino
    rows = results_by_game(request.transaction.books, casino.id, player.ids)
    if not rows:
        raise Refused("You have not finished a hand here yet.")
    place = find_place(rank_players(request.transaction, casino.id, RANKED, player.id), player.id)
    chips = wealth(request.transaction, casino.id, player.id)
    games = tuple((row.game, row.hands, row.returned - row.wagered, row.best) for row in rows)
    curve = tuple(accumulate(_latest_nets(request), initial=0))
    shared_post = SharedRank(str(request.own_name), casino.name, chips, place, games, curve)
    return Answer((Text("{name} shares a player card.", name=request.own_name),), shared_post=shared_post)


def _latest_nets(request: Request) -> list[int]:
    """Return the results of the last hands, the oldest first."""
    latest = latest_results(request.transaction.books, request.casino.id, request.player.ids, PLOTTED)
    return [row.returned - row.wagered for row in reversed(latest)]


def _plot(request: Request) -> Text:
    """Draw the balance over the latest hands as a line of blocks, scaled from its lowest to its highest point."""
    nets = _latest_nets(request)
    return Text(
        "Last {n} hand: {plot} {net}",
        "Last {n} hands: {plot} {net}",
        n=len(nets),
        plot=draw_line(list(accumulate(nets, initial=0))),
        net=Amount(sum(nets)),
    )


def draw_line(values: Sequence[int]) -> str:
    """Draw values as blocks, scaled from the least to the greatest. Not checked: that there is a value."""
    least, most = min(values), max(values)
    span = max(1, most - least)
    return "".join(BLOCKS[(value - least) * (len(BLOCKS) - 1) // span] for value in values)


def _stats_lines(rows: Iterable[GameResults]) -> Iterable[Text]:
    for game, n, wagered, returned, best in rows:
        yield Text(
            "{game}: {n} hand, {wagered} bet, {returned} returned, best {best}",
            "{game}: {n} hands, {wagered} bet, {returned} returned, best {best}",
            game=Word(game),
            n=n,
            wagered=Amount(wagered),
            returned=Amount(returned),
            best=Amount(best),
        )


def find_place(ranked: Sequence[tuple[int, int]], player: int) -> int | None:
    """Return the place of a player in a ranking from the first, or None."""
    return next((place for place, (one, _chips) in enumerate(ranked, start=1) if one == player), None)


def rank_players(transaction: Transaction, casino: int, most: int, *also: int) -> list[tuple[int, int]]:
    """Return (player, chips) of the richest, by all the chips that they own: in the wallet, at tables and in escrow.
    `also` are players who may be new here.
    """
    is_shown = partial(is_on_boards, transaction, casino)
    found = {player for player, _chips in transaction.state.boards.board_of(casino).top(most, is_shown)}
    # A prize in escrow may put a player above others with more chips elsewhere.
    found |= set(filter(is_shown, (*also, *(one.player for one in waiting_in(transaction.casinos[casino])))))
    ranked = _wealth_of(transaction, casino, found).items()
    return sorted(ranked, key=lambda one: (-one[1], one[0]))[:most]


def is_on_boards(transaction: Transaction, casino: int, player: int) -> bool:
    """Check whether a player is on a casino's leaderboard: not if all communities they came through have left it."""
    state = transaction.players[player].state
    if state.hidden or state.merged is not None:
        return False
    member = transaction.member(casino, player)
    homes = member.state.homes if member is not None else ()
    return not homes or any(home == casino or transaction.casinos[home].state.joined == casino for home in homes)
