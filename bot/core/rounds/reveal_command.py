"""Commands to turn cards oneself: requested before the deal, done after it; an inspector decides between equals."""

from bot.core.commands.command import Answer, Refused
from bot.core.commands.naming import take_player
from bot.core.commands.registry import Request, answer_with, command
from bot.core.commands.words import POSITION, find_word, take_word
from bot.core.players import linking
from bot.core.rounds import betting, playing
from bot.core.rounds.reveals import TURN_S, UNDECIDED, after, decide_for, highest_on, is_known
from bot.core.state.table import Table
from bot.texts import Text
from engine.felt import Word

OFF = "off"
_NOBODY_TURNS = "In this game the dealer reveals all cards."


@command("squeeze", Text("Ask to reveal your cards yourself, or reveal them"), group="play", usage="[off|POSITION]")
def squeeze(request: Request) -> Answer:
    """Ask for the right of the highest main bet; with `off` give it back, with a position turn its cards.

    Each word means one thing in every state, so that no late press turns cards.
    """
    table, typed = request.table, " ".join(request.args)
    if not table.plays.reveals.steps:
        raise Refused(_NOBODY_TURNS)
    word = find_word(typed, (OFF, *_positions(table)), POSITION) or typed
    if word not in ("", OFF):
        return _turn(request, table, word)
    if table.round.turning:
        raise _refuse_late(table, request.player.id)
    table = betting.taking_bets(request)
    if not betting.options_of(request.transaction, table).squeeze:
        raise Refused("At this table the dealer reveals the cards.", table.plays.reveals.clause)
    return _take_back(request, table) if word == OFF else _request_reveal(request, table)


def _request_reveal(request: Request, table: Table) -> Answer:
    if request.player.id in table.wants_to_turn:
        raise Refused("You have already asked to reveal your cards.", table.plays.reveals.clause)
    request.transaction.set_table(table.change(wants_to_turn=(*table.wants_to_turn, request.player.id)))
    return answer_with("You reveal the cards of each position where your main bet is the highest.")


def _take_back(request: Request, table: Table) -> Answer:
    if request.player.id not in table.wants_to_turn:
        raise Refused("You have not asked to reveal your cards.", table.plays.reveals.clause)
    left = tuple(one for one in table.wants_to_turn if one != request.player.id)
    request.transaction.set_table(table.change(wants_to_turn=left))
    return answer_with("The dealer reveals your cards.")


def _refuse_late(table: Table, player: int) -> Refused:
    """Return the refusal of a request that belongs before the deal; on the player's turn it names the cards to turn."""
    mine = _due_of(table, player)
    if not mine:
        return Refused("The cards are already dealt. You can ask again in the next hand.", table.plays.reveals.clause)
    positions = [Word(position) for position in mine]
    return Refused("The cards are dealt. Reveal {positions} now.", table.plays.reveals.clause, positions=positions)


def _positions(table: Table) -> list[str]:
    """Return all positions whose cards players may turn."""
    return [turn.position for turn in table.plays.reveals.in_order]


def _due_of(table: Table, player: int) -> list[str]:
    """Return the positions whose cards this player turns now."""
    due = (turn.position for turn in table.plays.reveals.due(table.round.turning))
    return [position for position in due if table.round.turning[position] == player]


@command(
    "table turner",
    Text("Choose who reveals a position's cards when bets are equal"),
    group="inspectors",
    usage="POSITION PLAYER [REASON]",
    button=Text("Choose who reveals"),
)
def decide(request: Request) -> Answer:
    """Let an inspector without a bet there choose who reveals the cards in time, else the dealer does (PJ12)."""
    table, transaction, clause = request.table, request.transaction, request.table.plays.reveals.clause
    if not table.plays.reveals.steps:
        raise Refused(_NOBODY_TURNS)
    if len(request.args) < 2:
        such = table.plays.reveals.in_order[0].position
        raise Refused("Enter the position and the player, for example {such} anna.", clause, such=such)
    named, end = take_word(request.args, 0, _positions(table), POSITION)
    position = named or request.args[0].lower()
    if table.round.turning.get(position) != UNDECIDED or not is_known(table, position):
        raise Refused("No cards wait for an inspector's decision there.", clause)
    player, rest = take_player(request, end or 1)
    spot = next(turn.spot for turn in table.plays.reveals.in_order if turn.position == position)
    equals = [one for one in highest_on(table.round.bets, spot) if one in table.wants_to_turn]
    if any(linking.are_one(transaction, one, request.player.id) for one in equals):
        raise Refused("One of them is your bet. Another inspector must decide.", clause)
    if player not in equals:
        names = [request.name_of(one) for one in equals]
        raise Refused("Choose who reveals them: {names}.", clause, names=names)
    name = request.name_of(player)
    told = Text(
        "An inspector lets {name} reveal the cards of {position} ({clause}).",
        name=name,
        position=Word(position),
        clause=clause,
    )
    # If the table's place is lost, the player cannot see the cards yet (G10): the day's wait continues.
    deadline = table.round.deadline if table.lost else request.now + TURN_S
    turning = decide_for(table, position, player)
    transaction.set_table(table.change_round(turning=turning, deadline=deadline).set_notice(told, request.now))
    subject = table.audited("hand", table.round.hand_id, position, "player", player)
    transaction.audit(request.now, table.casino, request.player.id, "table turner", subject, request.remark(rest))
    return answer_with("{name} reveals the cards of {position}.", name=name, position=Word(position))


def _turn(request: Request, table: Table, position: str) -> Answer:
    if position not in _due_of(table, request.player.id):
        raise Refused("You have no cards to reveal there.", table.plays.reveals.clause)
    table = after(table, position, request.now)
    if table.round.turning:
        request.transaction.set_table(table)
    else:
        playing.settle(request.transaction, table, request.now, request.entropy(32))
    return answer_with("You revealed {position}.", position=Word(position))
