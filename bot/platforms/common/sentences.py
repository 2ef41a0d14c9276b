"""Sentences that all platforms use."""

from bot.texts import Text

# Digits of a commit or a seed in a chat; a phone shows all of them on three lines.
DIGITS = 12
FAST = Text("Too fast. Try again in a moment.")
CLOSING = Text("The casino restarts. Your hand and your chips are safe.")
BEFORE = Text("The table has changed. Here it is now.")
GONE = Text("That table is gone.")
UNKNOWN_BUTTON = Text("This button no longer works. Press one on a newer message, or type the command.")
OLD_QUESTION = Text("That question has expired. Ask again.")
DONE = Text("Done.")
ASKED_ANEW = Text("Something has changed meanwhile. Please confirm again.")
NOTHING_DONE = Text("Nothing was changed.")
FOR_INSPECTORS = Text("Only inspectors can do that.")
YOUR_TURN = Text("{names}: it's your turn.")
TRY_AGAIN = Text("Try again")
YES, NO = Text("Yes"), Text("No")


def say_commit(commit: str) -> Text:
    """Return the first digits of the present hand's commitment, and the command that tells all of it.

    Without the hand's number: the books number the hands of all tables in one row, which means nothing at one of them.
    """
    return Text("Deck committed {digits}… · /verify", digits=commit[:DIGITS])


def say_seed(seed: str) -> Text:
    """Return the start of the last hand's seed, whose button shows all of it."""
    return Text("Seed of the last hand: {seed}", seed=f"{seed[:DIGITS]}…")
