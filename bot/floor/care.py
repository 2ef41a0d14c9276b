"""Playing safe: pauses and limits that a player sets himself, and a quiet word after an hour. All of it is private.

Tighter counts at once, looser after a day. In a player's state: `paused` until when, `limits` ({loss, minutes} a day),
`looser` what is to come and from when, `reminded` when the last quiet word was said, `quiet` where none is wanted.
"""

from typing import Any

from bot.floor.amounts import parse_amount, parse_count
from bot.floor.command import Answer, Confirm, Refused
from bot.floor.house import Player
from bot.floor.persons import ids_of
from bot.floor.registry import Request, say, verb
from bot.texts import Text
from engine.felt import Amount

DAY_S = 86400.0
LONGEST_DAYS = 366
LOOSER_AFTER_S = DAY_S
REMIND_AFTER_S = 3600.0
# Five minutes in which a hand ended count as five minutes of play.
SPAN_S = 300.0
# What puts chips at risk: refused to who paused, and to who has reached his limit.
STAKING = ("bet", "rebet", "sit", "buyin", "topup", "back")


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
    return say("You are paused for {n} days. Hands under way are played to their end.", n=days)


def check_may_stake(request: Request) -> None:
    """Raises Refused for who paused, or has reached his limit today."""
    player, now = request.player, request.now
    if now < player.state.get("paused", 0.0):
        days = -int(-(player.state["paused"] - now) // DAY_S)
        raise Refused("You paused yourself; {n} days are left.", None, n=days)
    limits = limits_of(player, now)
    if "loss" in limits and lost_today(request) >= limits["loss"]:
        raise Refused("You have reached your loss limit for today.")
    if "minutes" in limits and minutes_today(request) >= limits["minutes"]:
        raise Refused("You have reached your time limit for today.")


def check_loss(request: Request) -> None:
    """After the bet, on paper: what could take the day's loss beyond the limit is refused."""
    limit = limits_of(request.player, request.now).get("loss")
    if limit is not None and lost_today(request) + at_risk(request) > limit:
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


def lost_today(request: Request) -> int:
    """Net loss of the hands that ended today (UTC), in every casino."""
    sql = "SELECT coalesce(sum(wagered - returned), 0) FROM results WHERE player = ? AND at >= ?"
    return sum(int(request.paper.books.select(sql, id, _midnight(request.now))[0][0]) for id in ids_of(request.player))


def at_risk(request: Request) -> int:
    """What the player has on tables now."""
    total = 0
    for table in request.paper.all_tables().values():
        if table.play is None:
            total += sum(bet.total for bet in table.bets_of(request.player.id))
        else:
            wagered = table.play.wagered()
            total += sum(sum(wagered.get(seat, {}).values()) for seat in table.seats_played_by(request.player.id))
    return total


def minutes_today(request: Request) -> int:
    sql = "SELECT DISTINCT CAST(at / ? AS INTEGER) FROM results WHERE player = ? AND at >= ?"
    midnight = _midnight(request.now)
    spans = {span for id in ids_of(request.player) for span in request.paper.books.select(sql, SPAN_S, id, midnight)}
    return int(len(spans) * SPAN_S // 60)


def remind(request: Request, answer: Answer) -> Answer:
    """One quiet line after an hour of play, at most once an hour."""
    player, now = request.paper.player(request.player.id), request.now
    last = player.state.get("reminded")
    if last is None or now - last > 2 * REMIND_AFTER_S:
        request.paper.set_player(player.change(reminded=now))
        return answer
    if player.state.get("quiet") or now - last < REMIND_AFTER_S:
        return answer
    request.paper.set_player(player.change(reminded=now))
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
