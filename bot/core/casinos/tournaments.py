"""`/tournament`: sit & go tournaments at tables of their own, for everyone; inspectors may cancel them.

The tournament takes over the table of its place until people go back to it; in the lounge it gets a room of its own.
"""

import json
from collections.abc import Callable, Iterator

from msgspec import structs

from bot.core.casinos import places
from bot.core.commands.amounts import parse_amount, parse_count
from bot.core.commands.command import Answer, Choice, Refused, Where
from bot.core.commands.naming import take_player
from bot.core.commands.registry import CommandFlag, Request, answer_with, command
from bot.core.commands.words import take_game
from bot.core.rounds import opening, tournament_table
from bot.core.rounds.sealed_bets import tournament_of
from bot.core.rounds.tournament_table import is_entered
from bot.core.state.lounge import LOUNGE, is_room
from bot.core.state.plays import PLAYS
from bot.core.state.table import Table
from bot.core.state.tournament import CHIP, LiveTournament, name_player, player_named
from bot.texts import Name, Text, Timestamp
from bot.texts.times import DAY_S, write_time
from engine.felt import Amount, Word
from engine.games import GAMES
from engine.tournaments.definition import MOST_ENTRIES, SCHEDULED, SIT_AND_GO
from storage.ledger import LARGEST_DEBT

LEVEL_S = 300.0
# When the ready-made tournament of the evening starts, in UTC.
EVENING = "20:00"
BUY_IN = 100_00
STACK = 10_000
# Announced tournaments: number of levels in which players may enter late, and of re-entries.
LATE_LEVELS, REENTRIES = 3, 1
# Numbers of players of the ready-made sit & gos, besides a full table.
_SIZES = (2, 4)
# Number of hands and players of a tournament against the bank.
HANDS, NIGHT = 20, 4
_MOST_BUY_IN = LARGEST_DEBT // 10**6


@command("tournament", Text("See tournaments, or start one"), group="knowing", flags=CommandFlag.LINKABLE)
def list_all(request: Request) -> Answer:
    """List the tournaments of the casino that are not over, and offer ready-made ones."""
    tables = _open_in(request)
    lines = [_say_line(table) for table in tables]
    choices = [choice for table in tables for choice in _choices_of(request, table)]
    head = Text("Choose a tournament to start:") if not tables else Text("Join a tournament, or start one:")
    return Answer((*lines, head), choices=(*choices, *_offer_ready_made(request)))


def _offer_ready_made(request: Request) -> Iterator[Choice]:
    """Yield a button for each ready-made tournament; only inspectors announce one for a time (TN1)."""
    game = next((game for game, play in PLAYS.items() if play.cash is not None and play.cash.dead is not None), None)
    if game is None:
        return
    for n in (*_SIZES, _most_seats(game)):
        label = Text("{game} for {n}: buy-in {cost}", game=Word(game), n=n, cost=Amount(BUY_IN))
        yield Choice(label, "tournament create", (game, str(n)))
    if (other := next((game for game, play in PLAYS.items() if play.cash is None), None)) is not None:
        values = {"game": Word(other), "n": NIGHT, "hands": HANDS, "cost": Amount(BUY_IN)}
        label = Text("Bank-game night: {game} for {n}, {hands} hands, buy-in {cost}", **values)
        yield Choice(label, "tournament create", (other, str(NIGHT)))
    if request.is_inspector:
        label = Text("{game} at {time} UTC: buy-in {cost}", game=Word(game), time=EVENING, cost=Amount(BUY_IN))
        yield Choice(label, "tournament schedule", (game, EVENING))


def _open_in(request: Request) -> list[Table]:
    """Return the tables with a tournament that is not over."""
    here = request.transaction.tables_in(request.casino.id)
    return [table for table in here if is_under_way(table)]


def is_under_way(table: Table) -> bool:
    """Check whether it is the first table of a tournament that is not over."""
    return _has_tournament(table) and table.status != "closed"


def _has_tournament(table: Table) -> bool:
    """Check whether it is the first table of a tournament."""
    return table.tournament is not None and table.part_of is None


def _say_line(table: Table) -> Text:
    live = tournament_of(table)
    values = {"number": table.number, "game": Word(table.game), "where": Where(table.id)}
    if live.is_registering:
        return Text(
            "Tournament {number}: {game}, {entries} of {most} players, buy-in {cost}{where}",
            **values,
            entries=live.now.entries,
            most=live.rules.most,
            cost=Amount(live.rules.buy_in),
        )
    return Text("Tournament {number}: {game}, {left} players left{where}", **values, left=live.now.left)


def _choices_of(request: Request, table: Table) -> Iterator[Choice]:
    live, number = tournament_of(table), str(table.number)
    if live.is_registering and is_entered(table, request.player.id):
        yield Choice(Text("Leave tournament {number}", number=number), "tournament leave", (number,))
    elif live.is_registering or _may_come(request, table):
        cost = Amount(live.rules.buy_in)
        yield Choice(Text("Join tournament {number}: {cost}", number=number, cost=cost), "tournament join", (number,))
    yield Choice(Text("Tournament {number}", number=number), "tournament status", (number,))


def _may_come(request: Request, table: Table) -> bool:
    player, live = request.player.id, tournament_of(table)
    return not tournament_table.is_left(table, player) and tournament_table.may_enter_late(live, player)


@command(
    "tournament create",
    Text("Start a sit & go here"),
    group="play",
    flags=CommandFlag.STAKING | CommandFlag.OPENS | CommandFlag.SHOWS,
    usage="GAME [PLAYERS] [AMOUNT]",
)
def create(request: Request) -> Answer:
    """Open registration at a new table of the tournament's own, and register the sender: `GAME [PLAYERS] [AMOUNT]`."""
    game, end = take_game(request.args, 0)
    words = request.args[end:]
    most = _parse_players(request, game, words[0]) if words else _most_seats(game)
    buy_in = _parse_buy_in(request, words[1]) if len(words) > 1 else BUY_IN
    table = _open(request, _define(game, SIT_AND_GO, most, buy_in))
    said = tournament_table.register(request, table)
    return Answer((_say_open(table), *_say_room(request, table), *said.texts), choices=(_way_to(table),))


@command(
    "tournament schedule",
    Text("Announce a tournament that starts at a time"),
    group="inspectors",
    flags=CommandFlag.OPENS | CommandFlag.SHOWS,
    usage="GAME TIME [PLAYERS] [AMOUNT] [REASON]",
    button=Text("Schedule a tournament"),
)
def schedule(request: Request) -> Answer:
    """Open registration until a time of the day (UTC): `GAME TIME [PLAYERS] [AMOUNT] [REASON]`."""
    game, end = take_game(request.args, 0)
    starts_at = _parse_time(request.now, request.argument(end, "Enter the start as HH:MM in UTC, for example 20:00."))
    rest, most, buy_in = request.args[end + 1 :], _most_seats(game), BUY_IN
    if rest and rest[0][:1].isdigit():
        most, rest = _parse_players(request, game, rest[0]), rest[1:]
        if rest and rest[0][:1].isdigit():
            buy_in, rest = _parse_buy_in(request, rest[0]), rest[1:]
    table = _open(request, _define(game, SCHEDULED, most, buy_in), starts_at)
    when = write_time(starts_at)
    reason = request.remark(len(request.args) - len(rest))
    request.transaction.audit(
        request.now, table.casino, request.player.id, "tournament schedule", table.audited(), reason, "", when
    )
    told = Text(
        "Tournament {number} starts on {when}. Registration is open.", number=table.number, when=Timestamp(starts_at)
    )
    return Answer((told, *_say_room(request, table)))


def _most_seats(game: str) -> int:
    """Return the largest number of players at a tournament's table."""
    return min(PLAYS[game].seats, GAMES[game].seats)


def _parse_players(request: Request, game: str, word: str) -> int:
    """Return the number of players. Raises Refused, also without room for their tables."""
    most, seats = parse_count(word, 2, MOST_ENTRIES), _most_seats(game)
    if most is None:
        raise Refused("Enter the number of players from 2 to {most}.", most=MOST_ENTRIES)
    if most > seats and not places.has_room_beside(request.transaction, request.command.place):
        raise Refused(
            "There is room for one table here, so enter at most {most} players. A group with topics has room for more.",
            most=seats,
        )
    return most


def _parse_time(after: float, text: str) -> float:
    """Return the next moment at which it is that time of the day in UTC. Raises Refused."""
    hours, colon, minutes = text.partition(":")
    hour, minute = parse_count(hours, 0, 23), parse_count(minutes, 0, 59)
    if not colon or hour is None or minute is None:
        raise Refused("Enter the start as HH:MM in UTC, for example 20:00.")
    today = after // DAY_S * DAY_S + 3600.0 * hour + 60.0 * minute
    return today if today > after else today + DAY_S


def _open(request: Request, definition: str, starts_at: float = 0.0) -> Table:
    """Open the table of a tournament at the place of the request."""
    before = _make_room(request)
    live = LiveTournament(
        definition,
        request.entropy(32),
        opened=request.now,
        starts_at=starts_at,
        level_s=LEVEL_S if PLAYS[json.loads(definition)["game"]].cash is not None else 0.0,
        before=before.id if before else None,
    )
    transaction, place, game = request.transaction, request.command.place, live.rules.game
    row = transaction.place(*place)
    table = opening.open_table(
        transaction,
        request.casino.id,
        game,
        place,
        request.now,
        request.entropy(32),
        home=row.home if row is not None else 0,
        options=tournament_table.options_to_come(live, PLAYS[game].seating),
        tournament=live,
        language=request.casino.state.language or request.player.language,
        seats=live.rules.seats,
        coach=False,
    )
    return transaction.set_table(tournament_table.wake(transaction, table, request.now))


def _say_open(table: Table) -> Text:
    return Text("Tournament {number} is open.{where}", number=table.number, where=Where(table.id))


def _say_room(request: Request, table: Table) -> Iterator[Text]:
    """Say where the further tables are, if this place shows one alone (TN29)."""
    rules = tournament_of(table).rules
    if rules.most > rules.seats and places.shows_one_table(request.command.place):
        yield Text("One table is shown here. The others open in the app; their players get a link.")


def _way_to(table: Table) -> Choice:
    live = tournament_of(table)
    label = Text("Table {number}", number=table.number) if len(live.tables) > 1 else Text("To the table")
    return Choice(label, where=Where(table.id))


def _say_seat(table: Table, player: int) -> Text:
    return Text("You play at table {number}, seat {seat}.", number=table.number, seat=table.seat_of(player))


def _say_players(table: Table, name_of: Callable[[int], Name]) -> Text:
    """Say who plays at one of several tables."""
    return Text("Table {number}: {names}", number=table.number, names=[name_of(one) for one in table.seats.values()])


def _define(game: str, kind: str, most: int, buy_in: int) -> str:
    """Return the definition of a tournament as JSON."""
    least = most if kind == SIT_AND_GO else 2
    rules = {
        "game": game,
        "kind": kind,
        "seats": min(most, _most_seats(game)),
        "least": least,
        "most": most,
        "buy_in": buy_in,
    }
    late = {"late_levels": LATE_LEVELS, "reentries": REENTRIES} if kind == SCHEDULED else {}
    if PLAYS[game].cash is None:
        return json.dumps(rules | {"stack": STACK, "hands": HANDS})
    return json.dumps(rules | late | {"stack": STACK, "level_hands": 0})


def _parse_buy_in(request: Request, text: str) -> int:
    buy_in = 0 if text == "0" else parse_amount(text, request.player.language, wallet=request.chips())
    if buy_in > _MOST_BUY_IN or buy_in % 100:
        raise Refused("Enter a buy-in in whole chips, for example 100. 0 makes a free tournament.")
    return buy_in


def _make_room(request: Request) -> Table | None:
    """Return the table that the tournament replaces here. Raises Refused where someone needs it."""
    place, table = request.command.place, request.at
    if place.address == places.PRIVATE or places.is_own(place):
        raise Refused("Start a tournament in a server, in a group or in the lounge.")
    if is_room(place):
        if request.casino.id != LOUNGE:
            raise Refused("Start a tournament in the community's own server or group.")
        return None
    if table is None or table.status == "closed":
        return None
    if table.tournament is not None:
        raise Refused("There is a tournament here. Join it, or start another one in another channel or topic.")
    if table.players() or table.has_closed or places.is_lost(table):
        raise Refused("There are players at the table here. Start the tournament in another channel or topic.")
    return table


@command(
    "tournament join",
    Text("Register for a tournament"),
    group="play",
    flags=CommandFlag.STAKING | CommandFlag.SEEN,
    usage="[NUMBER]",
)
def join(request: Request) -> Answer:
    """Register for the tournament here, or for the one of that number."""
    return tournament_table.register(request, _find_tournament(request))


@command(
    "tournament leave", Text("Unregister before the start"), group="play", flags=CommandFlag.SEEN, usage="[NUMBER]"
)
def leave(request: Request) -> Answer:
    """Unregister from the tournament here, or from the one of that number."""
    request.at = _find_tournament(request)
    return tournament_table.leave(request)


def _find_tournament(request: Request) -> Table:
    """Return the tournament of a number, else the one here, else the only one. Raises Refused."""
    if not request.args and request.at is not None and request.at.tournament is not None:
        return request.transaction.table(request.at.tournament_id) or request.at
    number = parse_count(request.args[0], 1, 10**9) if request.args else None
    known = {
        table.tournament_id
        for table in request.transaction.tables_in(request.casino.id)
        if table.tournament is not None and (table.number == number if request.args else table.status != "closed")
    }
    found = request.transaction.table(known.pop()) if len(known) == 1 else None
    if found is None:
        raise Refused("Enter the number of a tournament, for example `/tournament join 12`. See /tournament.")
    return found


@command(
    "tournament status",
    Text("See standings, level and prizes of a tournament"),
    group="knowing",
    flags=CommandFlag.LINKABLE,
    usage="[NUMBER]",
)
def status(request: Request) -> Answer:
    """Show a tournament: what was announced, the level, the standings, and its record when it is over."""
    table = _find_tournament(request)
    live = tournament_of(table)
    tables = [one for one in tournament_table.tables_of(request.transaction, table) if one.status != "closed"]
    lines = (
        *(_say_seat(one, request.player.id) for one in tables if one.seat_of(request.player.id) and live.is_running),
        *say_own_result(live, request.player.id),
        *say_terms(live),
        *_say_structure(live),
        *say_progress(table),
        *(_say_players(one, request.name_of) for one in tables if one.seats and len(tables) > 1),
        *say_standings(live, request.name_of),
        _say_seed(live),
    )
    if not live.has_ended:
        tables.sort(key=lambda one: one.seat_of(request.player.id) is None)
        choices = (*_choices_of(request, table), *map(_way_to, tables))
        return Answer(lines, choices=tuple(one for one in choices if one.verb != "tournament status"))
    return Answer(lines, file=(f"tournament-{table.number}.json", json.dumps(live.record())))


def say_terms(live: LiveTournament) -> Iterator[Text]:
    """Yield what was announced: entries, buy-in and prizes (TN1)."""
    rules, now = live.rules, live.now
    is_full = live.is_registering and not live.starts_at
    pool = rules.prizes_of(rules.most * rules.buy_in + rules.added, rules.most, rules.most) if is_full else now.prizes
    values = {"most": rules.most, "cost": Amount(rules.buy_in), "entries": now.entries}
    prizes = [Amount(prize) for prize in pool if prize]
    if not live.is_registering:
        has_again = now.entries > len(now.order)
        again = Text("{players} players with {entries} entries, buy-in {cost}.", players=len(now.order), **values)
        yield again if has_again else Text("{entries} players, buy-in {cost}.", **values)
    elif live.starts_at:
        when = Timestamp(live.starts_at)
        yield Text("Tournament on {when} for 2 to {most} players, buy-in {cost}.", when=when, **values)
    else:
        yield Text("Sit & go for {most} players, buy-in {cost}.", **values)
    if prizes:
        shared = Text("Prize pool {pool}: {prizes}.", pool=Amount(sum(prizes)), prizes=prizes)
        yield shared if len(prizes) > 1 else Text("Prize pool {pool}, all for the winner.", pool=prizes[0])
    if rules.late_levels and (live.is_registering or (live.is_running and now.level <= rules.late_levels)):
        yield Text(
            "Late entry until the end of level {level}. Eliminated players can enter again {n} time.",
            "Late entry until the end of level {level}. Eliminated players can enter again {n} times.",
            level=rules.late_levels,
            n=rules.reentries,
        )


def _say_structure(live: LiveTournament) -> Iterator[Text]:
    """Yield the levels, or the least bets against the bank, until it is over (TN1)."""
    rules = live.rules
    if live.has_ended:
        return
    if not rules.is_elimination:
        hands = range(1, rules.hands + 1, -(-rules.hands // 4))
        least = [Text("{amount} from hand {hand}", hand=one, amount=Amount(rules.minimum(one) * CHIP)) for one in hands]
        yield Text("Minimum bet: {levels}. At most you can bet all your chips.", levels=least)
        return
    levels = [_say_level(rules.stakes(level)) for level in range(1, len(rules.levels) + 1)]
    yield Text(
        "Levels of {minutes} min of play: {levels}; then all amounts double with each level.",
        minutes=round(live.level_s / 60),
        levels=levels,
    )


def _say_level(stakes: dict[str, int]) -> Text:
    """Write the stakes of a level: 150/300/300 with an ante, 50/100 without one."""
    amounts = [Amount(amount * CHIP) for amount in stakes.values() if amount]
    if len(amounts) < 3:
        return Text("{low}/{high}", low=amounts[0], high=amounts[1])
    return Text("{low}/{high} ante {ante}", low=amounts[0], high=amounts[1], ante=amounts[2])


def say_own_result(live: LiveTournament, player: int) -> Iterator[Text]:
    """Yield the result of a ranked player when it is over (TN30)."""
    name, now = name_player(player), live.now
    if not live.has_ended or name not in now.places:
        return
    yield Text(
        "Your result: place {place} of {players}, prize {prize}. Hands played: {hands}. Buy-ins: {times} × {cost}.",
        place=now.places[name],
        players=now.ranked,
        prize=Amount(live.results()[name][1]),
        hands=live.count_hands(player),
        times=now.buy_ins[name],
        cost=Amount(live.rules.buy_in),
    )


def say_progress(table: Table) -> tuple[Text, ...]:
    """Say how many are registered, or the level and who is left."""
    live = tournament_of(table)
    now, rules = live.now, live.rules
    if live.is_registering:
        missing = rules.most - now.entries
        wait = Text(
            "The tournament starts with {n} more player.", "The tournament starts with {n} more players.", n=missing
        )
        stack = Amount(rules.stack * CHIP)
        told = () if live.starts_at else (wait,)
        return (*told, Text("Everyone starts with {stack} tournament chips, which are not money.", stack=stack))
    if not live.is_running:
        return ()
    if live.takes_sealed_bets:
        return (_say_hand(live, table.next_hand),)
    minutes = max(1, -int(-(live.level_s - live.played) // 60))
    is_bubble = now.is_hand_for_hand
    average = Amount(sum(now.stacks.values()) // max(1, len(now.stacks)) * CHIP)
    return (
        Text(
            "Level {level}. The next level starts after {n} min of play.",
            level=now.level,
            n=minutes,
        ),
        Text(
            "{left} of {players} players left, average stack {stack} tournament chips.",
            left=now.left,
            players=len(now.order),
            stack=average,
        ),
        *((Text("Hand for hand: each table waits until all have finished their hands."),) if is_bubble else ()),
    )


def _say_hand(live: LiveTournament, hand: int) -> Text:
    """Say how far a tournament against the bank is."""
    return Text(
        "Hand {hand} of {hands}, {left} of {entries} players left. The largest stack after the last hand wins.",
        hand=min(hand, live.rules.hands),
        hands=live.rules.hands,
        left=live.now.left,
        entries=live.now.entries,
    )


def say_standings(live: LiveTournament, name_of: Callable[[int], Name]) -> Iterator[Text]:
    """Yield a line a player: the stacks, then the places of eliminated players with their prizes."""
    now = live.now
    if live.is_registering:
        return
    places_of, prizes = now.places, dict[str, int]()
    if live.has_ended:
        prizes = {name: returned for name, (_cost, returned) in live.results().items()}
    elif now.level > live.rules.late_levels:  # more entries would change places and prizes
        prizes = now.prizes_won
    for name, stack in sorted(now.stacks.items(), key=lambda one: -one[1]):
        if name not in places_of:
            values = {"name": name_of(player_named(name)), "stack": Amount(stack * CHIP)}
            yield Text("{name}: {stack}", **values)
    for name, place in sorted(places_of.items(), key=lambda one: one[1]):
        values = {"place": place, "name": name_of(player_named(name))}
        if prize := prizes.get(name):
            yield Text("Place {place}: {name}, prize {prize}", **values, prize=Amount(prize))
        else:
            yield Text("Place {place}: {name}", **values)


def _say_seed(live: LiveTournament) -> Text:
    """Say the commitment of the draws, or the seed when they are over (TN9)."""
    if live.has_ended:
        return Text("Seed of the draws: {seed}", seed=live.seed.hex())
    return Text("Commitment of the draws: {digits}", digits=live.commit)


@command(
    "tournament postpone",
    Text("Move the start of a tournament to a later time, once"),
    group="inspectors",
    usage="NUMBER TIME REASON",
    button=Text("Postpone the tournament"),
)
def postpone(request: Request) -> Answer:
    """Move an announced start to the next time of the day (UTC) after it, once; players may unregister (TN1)."""
    request.argument(1, "Enter the number of the tournament, the new start as HH:MM in UTC, and the reason.")
    table, transaction = _find_to_decide(request), request.transaction
    live = tournament_of(table)
    if not live.starts_at:
        raise Refused("A sit & go starts when it is full.", "TN2")
    if live.postponed:
        raise Refused("A start can be moved only once. You can cancel the tournament.", "TN1")
    starts_at, reason = _parse_time(live.starts_at, request.args[1]), request.reason(2)
    before, when = write_time(live.starts_at), write_time(starts_at)
    live = structs.replace(live, starts_at=starts_at, postponed=True)
    table = tournament_table.wake(transaction, table.change(tournament=live), request.now)
    told = Text(
        "The start is postponed to {when}: {reason}. You can still unregister.",
        when=Timestamp(starts_at),
        reason=reason.rstrip("."),
    )
    transaction.set_table(table.set_notice(told, request.now))
    who, subject = request.player.id, table.audited()
    transaction.audit(request.now, table.casino, who, "tournament postpone", subject, reason, before, when)
    return answer_with("Tournament {number} now starts on {when}.", number=table.number, when=Timestamp(starts_at))


def _find_to_decide(request: Request) -> Table:
    """Return the tournament of a number that an inspector may cancel or postpone. Raises Refused."""
    table = _find_without(request)
    if not tournament_of(table).is_registering:
        raise Refused("This tournament has started. /table close ends it after the hand and pays by places and chips.")
    return table


def _find_without(request: Request) -> Table:
    """Return the open tournament of a number in which the inspector has no stake. Raises Refused."""
    number = parse_count(request.args[0], 1, 10**9)
    table = next((table for table in _open_in(request) if table.number == number), None)
    if table is None:
        raise Refused("There is no open tournament with that number. See /tournament.")
    tournament_table.check_may_decide(request, table)
    return table


@command(
    "tournament cancel",
    Text("Cancel a tournament before its start"),
    group="inspectors",
    flags=CommandFlag.HARMS,
    usage="NUMBER REASON",
    button=Text("Cancel the tournament"),
)
def cancel(request: Request) -> Answer:
    """Cancel a tournament that has not started; every buy-in is returned (TN6, TN23)."""
    request.argument(0, "Enter the number of the tournament and the reason.")
    table, transaction = _find_to_decide(request), request.transaction
    reason = request.reason(1)
    request.confirm("Cancel tournament {number} and return every buy-in?", number=table.number)
    tournament_table.cancel(transaction, table, request.now, reason)
    transaction.audit(request.now, table.casino, request.player.id, "tournament cancel", table.audited(), reason)
    return answer_with("Tournament {number} is cancelled. Every buy-in was returned.", number=table.number)


@command(
    "tournament remove",
    Text("Remove a player from a tournament"),
    group="inspectors",
    flags=CommandFlag.HARMS,
    usage="NUMBER PLAYER REASON",
    button=Text("Remove from the tournament"),
)
def remove(request: Request) -> Answer:
    """Remove a player for cheating or a second account; before the start the buy-in is returned (TN23)."""
    request.argument(1, "Enter the number of the tournament, the player and the reason.")
    table, transaction = _find_without(request), request.transaction
    player, rest = take_player(request, 1)
    reason, name = request.reason(rest), request.name_of(player)
    if not tournament_table.is_left(table, player):
        raise Refused("{name} is not playing in that tournament.", name=name)
    request.confirm("Remove {name} from tournament {number}?", about=player, name=name, number=table.number)
    tournament_table.remove(transaction, table, player, reason, request.now)
    subject = table.audited("player", player)
    transaction.audit(request.now, table.casino, request.player.id, "tournament remove", subject, reason)
    return answer_with("{name} is removed from tournament {number}.", name=name, number=table.number)


@command("tournament back", Text("Show the table that was here before the tournament"), group="play")
def go_back(request: Request) -> Answer:
    """Show the former table again at the place of a tournament that is over."""
    table, transaction = request.table, request.transaction
    live, row = tournament_of(table), transaction.place(*request.command.place)
    before = transaction.table(live.before) if live.before is not None else None
    if table.status != "closed" or row is None or row.table_id != table.id:
        raise Refused("The tournament here is not over.")
    if before is None or before.status == "closed":
        raise Refused("The table that was here before is closed. An inspector opens one with /table open.")
    transaction.set_place(row._replace(table_id=before.id))
    transaction.set_table(before.change())
    return answer_with("Table {number} is back.", number=before.number)
