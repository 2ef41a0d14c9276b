"""The daily recap of a table as one picture, if an inspector wants it: number of hands, the biggest win, the players.

Law: it names no losses, and no players who do not want to be on a leaderboard.
"""

from functools import partial

from bot.core.commands.command import Answer, Beside, Refused
from bot.core.commands.registry import CommandFlag, Request, command
from bot.core.state.plays import PLAYS
from bot.core.state.shared_posts import SharedRecap
from bot.core.state.table import Table
from bot.core.state.values import read_name
from bot.texts import Text
from storage.questions.results import hands_at_table, regulars
from storage.store import Reader

OFF = "off"
DAY_S, HOUR_S = 86400.0, 3600.0
MOST_NAMED = 8


@command(
    "recap", Text("Share this table's last day, if the daily recap is on"), group="knowing", flags=CommandFlag.POSTS
)
def recap(request: Request) -> Answer:
    """Show a recap of the table's last 24 hours."""
    table = request.table
    if table.settings.recap == OFF:
        raise Refused("The daily recap is off here. An inspector can turn it on: `/table set recap 22`.")
    return Answer((title_of_recap(table),), report=partial(_answer_with_recap, table=table, since=request.now - DAY_S))


def title_of_recap(table: Table) -> Text:
    """Return the sentence above the picture."""
    return Text("The day at table {number}.", number=table.number)


def _answer_with_recap(beside: Beside, table: Table, since: float) -> Answer:
    shared_post = read_recap(beside.books, table, since)
    return (
        Answer((Text("No hands were finished here in the last 24 hours."),))
        if shared_post is None
        else Answer(shared_post=shared_post)
    )


def read_recap(books: Reader, table: Table, since: float) -> SharedRecap | None:
    """Read the recap of a table since a moment; None if no hand was paid."""
    hands = hands_at_table(books, table.casino, table.id, since)
    if not hands or table.game not in PLAYS:
        return None
    people = regulars(books, table.casino, table.id, since)
    shown = [one for one in people if not one.is_hidden]
    best = max(shown, key=lambda one: one.best, default=None)
    named = tuple((str(read_name(books, table.casino, one.player)), one.hands) for one in shown[:MOST_NAMED])
    won = (str(read_name(books, table.casino, best.player)), best.best) if best is not None and best.best > 0 else None
    return SharedRecap(table.number, table.game, hands, won, named, len(people) - len(named))


def day_of(table: Table, now: float) -> int | None:
    """Return the last day whose recap was due; None if the table has no recap."""
    hour = table.settings.recap
    return None if hour == OFF else int((now - int(hour) * HOUR_S) // DAY_S)


def is_late(table: Table, now: float, most_s: float) -> bool:
    """Check whether a recap is so late that it is dropped."""
    hour = table.settings.recap
    return hour != OFF and (now - int(hour) * HOUR_S) % DAY_S > most_s
