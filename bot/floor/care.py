"""Playing safe: pauses and limits that a player sets himself, and a quiet word after an hour. All of it is private.

Tighter counts at once, looser after a day. In a player's state: `paused` until when, `limits` ({loss, minutes} a day),
`looser` what is to come and from when, `session` from when to when he has been playing, `quiet` where no quiet word
is wanted.
"""

from typing import Any

from bot.floor.amounts import parse_amount, parse_count
from bot.floor.command import Answer, Confirm, Refused
from bot.floor.house import Paper, Player
from bot.floor.registry import Request, say, verb
from bot.floor.table import Table
from bot.texts import Text
from engine.felt import Amount
from storage import ledger

DAY_S = 86400.0
LONGEST_DAYS = 366
LOOSER_AFTER_S = DAY_S
REMIND_AFTER_S = 3600.0
# Who does not play for half an hour begins anew; the books need not know it to the second.
REST_S = 1800.0
NOTED_EVERY_S = 300.0
# Five minutes in which a hand ended count as five minutes of play.
SPAN_S = 300.0
# What puts chips at risk: refused to who paused, and to who has reached his limit.
STAKING = ("bet", "rebet", "sit", "buyin", "topup", "back")
# A player's latest results, casino after casino: by their index, however many came before.
_SINCE = "FROM results WHERE player = ? AND casino IN (SELECT casino FROM sums WHERE player = ?) AND at >= ?"


@verb(
    "pause",
    Text("Pause yourself, or limit your play"),
    group="me",
    usage="DAYS | loss AMOUNT | minutes N | off LIMIT | quiet",
)
def pause(request: Request) -> Answer:
    word = request.args[0].lower() if request.args else ""
    if word in ("loss", "minutes"):
        return _limit(request, word)
    if word == "off":
        return _lift(request)
    if word == "quiet":
        quiet = not request.player.state.get("quiet", False)
        request.paper.set_player(request.player.change(quiet=quiet))
        return say("No more reminders.") if quiet else say("You are reminded after an hour of play again.")
    days = parse_count(word, 1, LONGEST_DAYS)
    if days is None:
        return _tell(request)
    if not request.command.confirmed:
        raise Confirm("For {n} days you can place no bet anywhere; it cannot be undone. Do it?", n=days)
    until = max(request.now + days * DAY_S, request.player.state.get("paused", 0.0))
    request.paper.set_player(request.player.change(paused=until))
    for table in request.paper.tables_of(request.player.id):
        keep_out(request.paper, table, request.player.id)
    return say("You are paused for {n} days. Hands under way are played to their end.", n=days)


def keep_out(paper: Paper, table: Table, player: int) -> None:
    """At stud the next hand would deal him in and take his ante: he sits out."""
    if table.game == "stud" and table.seat_of(player) is not None and player not in table.memory.get("out", []):
        paper.set_table(table.remember(out=[*table.memory.get("out", []), player]))


def is_staking(request: Request) -> bool:
    """Whether a command puts chips at risk that were not in a hand yet; a bet in a hand of stud is a move."""
    in_a_hand = request.at is not None and request.at.game == "stud" and request.at.play is not None
    return request.command.verb in STAKING and not (request.command.verb == "bet" and in_a_hand)


def check_may_stake(request: Request) -> None:
    """Raises Refused for who paused, has reached his limit today, or plays at this table under another name."""
    player, now = request.player, request.now
    others = ids_of_person(request.paper, player.id)[1:]
    if others and request.at is not None and not request.at.players().isdisjoint(others):
        raise Refused("Another account of yours plays at this table.", "G9")
    if now < player.state.get("paused", 0.0):
        days = -int(-(player.state["paused"] - now) // DAY_S)
        raise Refused("You paused yourself; {n} days are left.", None, n=days)
    limits = limits_of(player, now)
    if "loss" in limits and lost_today(request) >= limits["loss"]:
        raise Refused("You have reached your loss limit for today.")
    if "minutes" in limits and minutes_today(request) >= limits["minutes"]:
        raise Refused("You have reached your time limit for today.")


def check_loss(request: Request, more: int = 0) -> None:
    """After a bet, on paper, or before a move that costs `more`: what could exceed the day's limit is refused."""
    limit = limits_of(request.player, request.now).get("loss")
    if limit is not None and lost_today(request) + at_risk(request) + more > limit:
        raise Refused(
            "With that bet you could lose more than your limit of {amount} today.", None, amount=Amount(limit)
        )


def limits_of(player: Player, now: float) -> dict[str, int]:
    """What holds now: a looser limit only from its day on."""
    limits: dict[str, int] = dict(player.state.get("limits", {}))
    for name, (value, since) in player.state.get("looser", {}).items():
        if now >= since:
            limits.pop(name, None)
            if value is not None:
                limits[name] = value
    return limits


def stricter(one: Player, other: Player, now: float) -> dict[str, Any]:
    """What one person keeps of two: the longer pause, the tighter of each limit, nothing looser to come."""
    limits = limits_of(one, now)
    for name, limit in limits_of(other, now).items():
        limits[name] = min(limit, limits.get(name, limit))
    paused = max(player.state.get("paused", 0.0) for player in (one, other))
    return {"limits": limits, "looser": {}, "paused": paused}


def ids_of_person(paper: Paper, id: int) -> list[int]:
    """Everybody whom this person is or was, through links and unlinks: who unlinks does not begin his day anew."""
    found = [id]
    for one in found:
        state = paper.player(one).state
        near = (state.get("merged"), state.get("parted"), *state.get("was", ()), *state.get("parts", ()))
        found += [other for other in dict.fromkeys(near) if other is not None and other not in found]
    return found


def lost_today(request: Request) -> int:
    """Net loss of the hands that ended today (UTC), in every casino and under each of the person's accounts."""
    sql = f"SELECT coalesce(sum(wagered - returned), 0) {_SINCE}"
    paper, midnight = request.paper, _midnight(request.now)
    return sum(int(paper.books.select(sql, id, id, midnight)[0][0]) for id in ids_of_person(paper, request.player.id))


def at_risk(request: Request) -> int:
    """What the person has on tables now, stacks included."""
    return sum(_at_risk(request.paper, id) for id in ids_of_person(request.paper, request.player.id))


def _at_risk(paper: Paper, player: int) -> int:
    total = 0
    for table in paper.tables_of(player):
        if table.game == "stud":
            total += paper.balance(ledger.stack(table.id, player))
        if table.play is None:
            total += sum(bet.total for bet in table.bets_of(player))
        else:
            wagered = table.play.wagered()
            mine = set(table.seats_played_by(player)) - table.void_seats(table.hand_id)
            total += sum(sum(wagered.get(seat, {}).values()) for seat in mine)
    return total


def minutes_today(request: Request) -> int:
    sql = f"SELECT DISTINCT CAST(at / ? AS INTEGER) {_SINCE}"
    paper, midnight = request.paper, _midnight(request.now)
    ids = ids_of_person(paper, request.player.id)
    spans = {span for id in ids for span in paper.books.select(sql, SPAN_S, id, id, midnight)}
    return int(len(spans) * SPAN_S // 60)


def remind(request: Request, answer: Answer) -> Answer:
    """One quiet line after each hour of play."""
    player, now = request.paper.player(request.player.id), request.now
    began, last = player.state.get("session", (now, now))
    began = now if now - last > REST_S else began
    is_due = now - began >= REMIND_AFTER_S
    if (began, last) == (now, now) or is_due or now - last >= NOTED_EVERY_S:
        request.paper.set_player(player.change(session=[now if is_due else began, now]))
    if player.state.get("quiet") or not is_due:
        return answer
    line = Text("You have been playing for an hour. /pause is there when you want it.")
    return answer._replace(texts=(*answer.texts, line))


def _midnight(now: float) -> float:
    return now // DAY_S * DAY_S


def _limit(request: Request, name: str) -> Answer:
    text = request.argument(1, "Name the limit, such as: /pause loss 100.")
    value = parse_amount(text, request.player.language) if name == "loss" else parse_count(text, 1, 24 * 60)
    if value is None:
        raise Refused("Name the minutes a day, 1 to 1440.")
    now = request.now
    limits = limits_of(request.player, now)
    old = limits.get(name)
    if old is None or value <= old:
        request.paper.set_player(_settle(request.player, now, name, value))
        return _tell(request)
    looser = {**request.player.state.get("looser", {}), name: [value, now + LOOSER_AFTER_S]}
    request.paper.set_player(request.player.change(looser=looser))
    return say("A looser limit counts after 24 hours.")


def _lift(request: Request) -> Answer:
    name = request.argument(1, "Say which limit: loss or minutes.").lower()
    if name not in limits_of(request.player, request.now):
        raise Refused("You have no such limit.")
    looser = {**request.player.state.get("looser", {}), name: [None, request.now + LOOSER_AFTER_S]}
    request.paper.set_player(request.player.change(looser=looser))
    return say("The limit ends after 24 hours.")


def _settle(player: Player, now: float, name: str, value: int) -> Player:
    """The limit as it holds from now on, whatever looser one was to come."""
    limits = {**limits_of(player, now), name: value}
    waiting = player.state.get("looser", {})
    looser = {other: entry for other, entry in waiting.items() if other != name and now < entry[1]}
    return player.change(limits=limits, looser=looser)


def _tell(request: Request) -> Answer:
    player = request.paper.player(request.player.id)
    limits: dict[str, Any] = limits_of(player, request.now)
    lines = []
    if "loss" in limits:
        lines.append(Text("Loss limit a day: {amount}", "", amount=Amount(limits["loss"])))
    if "minutes" in limits:
        lines.append(Text("Time limit a day: {n} minutes", "", n=limits["minutes"]))
    lines.append(Text("/pause 7 pauses you for a week; /pause loss 100 and /pause minutes 60 limit a day."))
    return Answer(tuple(lines))
