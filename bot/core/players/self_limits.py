"""Self-limits: pauses and limits that players set for themselves, and a private reminder after an hour.

Tighter counts at once, looser after a day. In a player's state: `paused` until when, `limits` ({loss, minutes} a day),
`looser` the pending limits and their times, `quiet` if reminders are off. The time of play
is in the player's SeenRow.

The loss limit covers everything that plays for a player: standing orders, a followed box holder, the next hand
of stud. A bet that must be followed by another counts together with that one (`Table.follow_ups`).
"""

from msgspec import structs

from bot.core.commands.amounts import parse_amount, parse_count
from bot.core.commands.command import Answer, Choice, Refused
from bot.core.commands.hooks import hooks_of
from bot.core.commands.registry import CommandFlag, Request, answer_with, command
from bot.core.commands.words import find_word
from bot.core.state.people import Looser, PlayerState
from bot.core.state.plays import Seating
from bot.core.state.table import Table
from bot.core.state.transaction import Transaction
from bot.core.state.values import Casino, Player
from bot.texts import Text
from bot.texts.times import write_time
from engine.felt import Amount
from storage import ledger
from storage.questions.results import lost_since, spans_played
from storage.rows import ResultRow, SeenRow

DAY_S = 86400.0
LONGEST_DAYS = 366
LOOSER_AFTER_S = DAY_S
REMIND_AFTER_S = 3600.0
# A pause of half an hour starts the count anew; the books need not be exact to the second.
REST_S = 1800.0
NOTED_EVERY_S = 300.0
# Five minutes in which a hand ended count as five minutes of play.
SPAN_S = 300.0


@command(
    "pause",
    Text("Take a break or set limits"),
    group="me",
    usage="DAYS | loss AMOUNT | minutes N | off LIMIT | quiet",
)
def pause(request: Request) -> Answer:
    """Set a break or a limit: `DAYS`, `loss AMOUNT`, `minutes N`, `quiet` or `off`.

    A break of days cannot be taken back, so it is confirmed first.
    """
    typed = request.args[0] if request.args else ""
    word = find_word(typed, ("loss", "minutes", "off", "quiet")) or typed
    if len(request.args) > (2 if word in ("loss", "minutes", "off") else 1):
        raise Refused("One at a time: a break, a limit, or reminders.")
    if word in ("loss", "minutes"):
        return _limit(request, word)
    if word == "off":
        return _lift(request)
    if word == "quiet":
        quiet = not request.player.state.quiet
        request.transaction.set_player(request.player.change(quiet=quiet))
        return answer_with("Reminders are off.") if quiet else answer_with("Hourly play reminders are on again.")
    days = parse_count(word, 1, LONGEST_DAYS)
    if days is None:
        return _list_limits(request)
    request.confirm(
        "You won't be able to bet anywhere for {n} day. This can't be undone. Pause?",
        "You won't be able to bet anywhere for {n} days. This can't be undone. Pause?",
        n=days,
    )
    until = max(request.now + days * DAY_S, request.player.state.paused)
    request.transaction.set_player(request.player.change(paused=until))
    player, now = request.player.id, request.now
    for table in request.transaction.tables_of(player):
        request.transaction.set_table(hooks_of(table).keep_out(request.transaction, table, player, now))
    return Answer(
        (
            Text(
                "You are paused for {n} day. Hands in progress will be finished.",
                "You are paused for {n} days. Hands in progress will be finished.",
                n=days,
            ),
        )
    )


def is_staking(request: Request) -> bool:
    """Check whether a command puts new chips at risk; a bet in a hand is a move (SH8)."""
    in_a_hand = request.at is not None and request.at.round.hand is not None and "bet" in request.at.rules.words
    return CommandFlag.STAKING in request.verb.flags and not (request.command.verb == "bet" and in_a_hand)


def check_may_stake(request: Request) -> None:
    """Raise Refused during a pause, at a reached limit, or if the person plays here with another account."""
    player, now = request.player, request.now
    others = ids_of_person(request.transaction, player.id)[1:]
    if others and request.at is not None and not request.at.players().isdisjoint(others):
        raise Refused("You are already playing at this table with another account.", "G9")
    if now < player.state.paused:
        raise Refused("You paused yourself until {when} UTC.", when=write_time(player.state.paused))
    if (reached := find_limit(request.transaction, player, now)) is not None:
        raise reached


def find_limit(transaction: Transaction, player: Player, now: float) -> Refused | None:
    """Return what refuses more bets to a player who has reached a limit of their own today, or None."""
    limits = limits_of(player, now)
    if "loss" in limits and lost_today(transaction, player.id, now) >= limits["loss"]:
        return Refused("You have reached your loss limit for today.")
    if "minutes" in limits and minutes_today(transaction, player.id, now) >= limits["minutes"]:
        return Refused("You have reached your time limit for today.")
    return None


def check_loss(request: Request, more: int = 0) -> None:
    """Refuse what could exceed the day's limit, after a bet or before a move that risks `more`."""
    transaction, player, now = request.transaction, request.player, request.now
    left = room(transaction, player.id, now)
    if left is None or left >= more:
        return
    limit = Amount(limits_of(player, now)["loss"])
    needed = request.at.follow_ups(player.id) if request.at is not None else 0
    if left + needed >= more:
        raise Refused(
            (
                "The raise that may follow costs {needed}; together you could lose more than your limit of "
                "{amount} today."
            ),
            needed=Amount(needed),
            amount=limit,
        )
    raise Refused("With that bet you could lose more than your limit of {amount} today.", amount=limit)


def room(transaction: Transaction, player: int, now: float) -> int | None:
    """Return what a player may still put at risk today, negative if it is too much already; None without a limit."""
    one = transaction.players[player]
    limit = limits_of(one, now).get("loss")
    if limit is None:
        return None
    return limit - lost_today(transaction, player, now) - at_risk(transaction, player)


def may_risk(transaction: Transaction, player: int, more: int, now: float) -> bool:
    """Check whether the player's limits allow a move that is played in their name."""
    left = room(transaction, player, now)
    return left is None or left >= more


def may_play(transaction: Transaction, player: int, now: float) -> bool:
    """Check whether the next hand may take a stake from the player's stack: not during a pause or after their time
    limit.
    """
    one = transaction.players[player]
    minutes = limits_of(one, now).get("minutes")
    is_paused = now < one.state.paused
    return not is_paused and (minutes is None or minutes_today(transaction, player, now) < minutes)


def limits_of(player: Player, now: float) -> dict[str, int]:
    """Return the limits that hold now: a looser limit only from its day on."""
    limits = dict(player.state.limits)
    if not player.state.looser:
        return limits
    for name, (value, since) in player.state.looser.items():
        if now >= since:
            limits.pop(name, None)
            if value is not None:
                limits[name] = value
    return limits


def stricter(one: Player, other: Player, now: float) -> PlayerState:
    """Merge the limits of two players into `one`: the longer pause, the tighter of each limit, no looser ones to
    come.
    """
    limits = limits_of(one, now)
    for name, limit in limits_of(other, now).items():
        limits[name] = min(limit, limits.get(name, limit))
    paused = max(player.state.paused for player in (one, other))
    return structs.replace(one.state, limits=limits, looser={}, paused=paused)


def ids_of_person(transaction: Transaction, id: int) -> list[int]:
    """Return all players whom this person is or was, through links and unlinks: unlinking does not restart the day."""
    found = [id]
    for one in found:
        state = transaction.players[one].state
        if state.merged is None and state.parted is None and not state.was and not state.parts:
            continue  # the usual case
        near = (state.merged, state.parted, *state.was, *state.parts)
        found += [other for other in dict.fromkeys(near) if other is not None and other not in found]
    return found


def lost_today(transaction: Transaction, player: int, now: float) -> int:
    """Return the net loss of hands that ended today (UTC), in all casinos and under all accounts of the person."""
    ids, midnight = ids_of_person(transaction, player), _midnight(now)
    written = sum(lost_since(transaction.books, id, midnight) for id in ids)
    fresh: list[ResultRow] = [row for row in transaction.unwritten(ResultRow) if row.player in ids]
    return written + sum(row.wagered - row.returned for row in fresh)


def at_risk(transaction: Transaction, player: int) -> int:
    """Return what the person has on tables now, stacks included, and the bets that must follow."""
    return sum(_at_risk(transaction, id) for id in ids_of_person(transaction, player))


def _at_risk(transaction: Transaction, player: int) -> int:
    return sum(_at_risk_at(table, player, transaction) for table in transaction.tables_of(player))


def _at_risk_at(table: Table, player: int, transaction: Transaction) -> int:
    if table.tournament is not None:
        return 0 if table.tournament.has_ended else table.tournament.spent_by(player)
    stack = transaction.balance(ledger.stack(table.id, player)) if table.plays.seating is Seating.STACKS else 0
    return stack + table.lying(player) + table.follow_ups(player)


def minutes_today(transaction: Transaction, player: int, now: float) -> int:
    """Return the minutes since midnight (UTC) in which the person was in a hand."""
    midnight = _midnight(now)
    spans = {
        span
        for id in ids_of_person(transaction, player)
        for span in spans_played(transaction.books, id, midnight, SPAN_S)
    }
    return int(len(spans) * SPAN_S // 60)


def remind(request: Request, answer: Answer) -> Answer:
    """Add a quiet reminder to the answer after each hour of play."""
    player, now = request.transaction.players[request.player.id], request.now
    seen = request.transaction.seen_last[player.id]
    began, last = (now, now) if seen.began is None or seen.last is None else (seen.began, seen.last)
    began = now if now - last > REST_S else began
    is_due = now - began >= REMIND_AFTER_S
    if (began, last) == (now, now) or is_due or now - last >= NOTED_EVERY_S:
        request.transaction.note_seen(SeenRow(player.id, seen.casino, now if is_due else began, now))
    if player.state.quiet or not is_due:
        return answer
    line = Text("You have been playing for an hour. Use /pause if you want a break.")
    return answer._replace(texts=(*answer.texts, line))


def _midnight(now: float) -> float:
    return now // DAY_S * DAY_S


def _limit(request: Request, name: str) -> Answer:
    text = request.argument(1, "Enter the limit, for example `/pause loss 100`.")
    value = parse_amount(text, request.player.language) if name == "loss" else parse_count(text, 1, 24 * 60)
    if value is None:
        raise Refused("Enter the minutes per day, 1 to 1440.")
    now = request.now
    limits = limits_of(request.player, now)
    old = limits.get(name)
    if old is None or value <= old:
        request.transaction.set_player(_settle(request.player, now, name, value))
        return _list_limits(request)
    looser = {**request.player.state.looser, name: Looser(value, now + LOOSER_AFTER_S)}
    request.transaction.set_player(request.player.change(looser=looser))
    return answer_with("A higher limit takes effect after 24 hours.")


def _lift(request: Request) -> Answer:
    typed = request.argument(1, "Which limit? Choose loss or minutes.")
    name = find_word(typed, ("loss", "minutes"))
    if name is None or name not in limits_of(request.player, request.now):
        raise Refused("You have no such limit.")
    looser = {**request.player.state.looser, name: Looser(None, request.now + LOOSER_AFTER_S)}
    request.transaction.set_player(request.player.change(looser=looser))
    return answer_with("The limit ends in 24 hours.")


def _settle(player: Player, now: float, name: str, value: int) -> Player:
    """Set a limit at once and discard any looser value that was to follow."""
    limits = {**limits_of(player, now), name: value}
    waiting = player.state.looser
    looser = {other: entry for other, entry in waiting.items() if other != name and now < entry.since}
    return player.change(limits=limits, looser=looser)


def _list_limits(request: Request) -> Answer:
    player = request.transaction.players[request.player.id]
    limits = limits_of(player, request.now)
    lines = []
    if "loss" in limits:
        lines.append(Text("Loss limit a day: {amount}", amount=Amount(limits["loss"])))
    if "minutes" in limits:
        lines.append(Text("Time limit a day: {n} minute", "Time limit a day: {n} minutes", n=limits["minutes"]))
    lines.append(
        Text("`/pause 7` starts a break of a week. `/pause loss 100` and `/pause minutes 60` set daily limits.")
    )
    return Answer(tuple(lines), choices=_CHOICES)


_CHOICES = (
    Choice(Text("Pause for a day"), "pause", ("1",), True),
    Choice(Text("For a week"), "pause", ("7",), True),
    Choice(Text("For a month"), "pause", ("30",), True),
    Choice(Text("One hour a day"), "pause", ("minutes", "60"), True),
)


def most_percent(casino: Casino) -> int:
    """Return how much of a wallet may be at stake at one table, in percent."""
    most = casino.state.most_percent
    return 100 if most is None else most


def check_share(request: Request, lying: int, cost: int) -> None:
    """Refuse a bet that puts more of the wallet at stake here than the casino allows; `lying` are earlier bets."""
    percent = most_percent(request.casino)
    if percent >= 100:
        return
    wealth = request.chips() + lying
    if (lying + cost) * 100 > wealth * percent:
        most = Amount(wealth * percent // 100)
        raise Refused("You can bet at most {percent} % of your wallet here: {most}.", percent=percent, most=most)
