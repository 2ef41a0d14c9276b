"""A hand whose bets are closed and whose round of the beacon has not come: what is said of it, and until when it waits.

The round will come, and no other is taken; after an hour an inspector may void the hand.
"""

from datetime import UTC, datetime

from bot.core.state.table import AwaitedRound
from bot.texts import Text
from engine.fairness.beacon import PERIOD_S, time_of

# Entries on their way arrive within this time.
LATE_S = 3.0 * PERIOD_S
VOID_AFTER_S = 3600.0


def voidable_from(waits: AwaitedRound) -> float:
    """Return when an inspector may first void the hand."""
    return time_of(waits.round) + VOID_AFTER_S


def next_word_at(waits: AwaitedRound, now: float) -> float | None:
    """Return when the message changes next if the round does not come, or None."""
    times = (time_of(waits.round) + LATE_S, voidable_from(waits))
    return next((at for at in times if at > now), None)


def describe_wait(waits: AwaitedRound, hand: int, now: float) -> Text:
    """Write the message that a table shows instead of cards."""
    if not waits.round:
        return Text("No more bets. The players' pages open their sealed cuts.")
    values = {"round": str(waits.round), "chain": waits.chain, "time": time_as_said(time_of(waits.round))}
    if now < time_of(waits.round) + LATE_S:
        return Text(
            "No more bets. The cards wait for round {round} of {chain}, a public number published at {time}.",
            **values,
        )
    late = Text(
        "Round {round} of {chain} was due at {time} and has not been published. The hand waits for it.",
        **values,
    )
    if now < voidable_from(waits):
        return late
    return Text("{late} An inspector can return the bets with `/void {hand}`.", late=late, hand=str(hand))


def time_as_said(at: float) -> str:
    """Write a time in UTC, to the second."""
    return datetime.fromtimestamp(at, UTC).strftime("%H:%M:%S UTC")
