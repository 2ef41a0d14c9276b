"""Sentences that all platforms use."""

from bot.texts import Text

# Of a commit or a seed so many digits stand in a chat; a phone shows all of them on three lines.
DIGITS = 12
FAST = Text("Too fast. Try again in a moment.")
CLOSING = Text("The house closes for a moment: your hand and your chips wait for you.")
BEFORE = Text("That was before: look at the table as it is now.")
GONE = Text("That table is not here any more.")
UNKNOWN_BUTTON = Text("This button no longer works. Press one on a newer message, or type the command.")
OLD_QUESTION = Text("That question is old: ask again.")
DONE = Text("Done.")
ASKED_ANEW = Text("Something has changed meanwhile, so you are asked once more.")
NOTHING_DONE = Text("Nothing was done.")
FOR_INSPECTORS = Text("That is for inspectors.")
YOUR_TURN = Text("{names}: it is your turn.")
TRY_AGAIN = Text("Try again")
YES, NO = Text("Yes"), Text("No")


def say_commit(commit: str) -> Text:
    """Return a commitment's first digits, and the command that tells all of it."""
    return Text("sealed {digits}… · /verify", digits=commit[:DIGITS])


def say_seed(hand: int | None, seed: str) -> Text:
    """Return the start of the last hand's seed, whose button shows all of it."""
    return Text("Seed of hand {hand}: {seed}", hand=str(hand), seed=f"{seed[:DIGITS]}…")
