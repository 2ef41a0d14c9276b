"""The page that checks a record in the reader's own browser, what it needs for that, and the verifier as one file."""

from aiohttp import web

from bot.core.commands import checked
from bot.platforms.web.decks import all_decks
from bot.platforms.web.drawing import page
from bot.platforms.web.lounge import visitor_of
from bot.texts import Text, say
from bot.verifier.pack import FILE, packed

# {check: {what is said of it: a sentence}}, for verify.js. Where a "not checked" has none of its own it is _OPEN.
_CHECKS = {
    "promise": {
        "ok": Text("The promise is whole: it binds house, table, hand, game and options."),
        "wrong": Text("The promise is not what it must be."),
        "absent": Text("This plain record has no promise."),
    },
    "commit": {
        "ok": Text("The seed is the one that the commit promised."),
        "wrong": Text("The seed is not the one that the commit promised."),
        "absent": Text("The record names no commit."),
    },
    "deck": {
        "ok": Text("The deck below follows from the record, and was computed here."),
        "wrong": Text("The deck is not what follows from the record."),
        "absent": Text("Nothing was dealt."),
    },
    "moves": {
        "wrong": Text("The moves cannot be."),
        "absent": Text("Nothing was dealt, and nobody moved."),
        "not checked": Text("Whether the moves keep the rules is not checked here."),
    },
    "payments": {
        "wrong": Text("The payments do not add up."),
        "absent": Text("The record tells of no payments."),
        "not checked": Text("Whether the payments are what the rules give is not checked here."),
    },
    "log": {
        "ok": Text("Promise, cuts, bets and payment stand in the log that the house has signed."),
        "wrong": Text("The record is not what stands in the log of the house."),
        "absent": Text("The record comes without the log of the house."),
        "not checked": Text("What of the log needs no rules of the game was checked, and holds."),
    },
    "beacon": {
        "wrong": Text("The public number is not the right one."),
        "absent": Text("No public number went into this deck: whoever runs the house could have chosen it."),
        "not checked": Text(
            "The public number is its signature's hash; whether the chain signed it is not checked here."
        ),
    },
}
# The same of what the reader's own browser has seen of the hand: seen.js.
_REMEMBERED = {
    "promised": {
        "ok": Text("Your browser saw this commit while bets were open: the deck was fixed by then."),
        "wrong": Text("Your browser saw another commit while bets were open: this is not the deck that was promised."),
        "not checked": Text("Your browser did not see the commit while bets were open."),
    },
    "cut": {
        "ok": Text("Your own cut is one of those that made the deck."),
        "wrong": Text("Your own cut is missing: the deck was made without it."),
        "absent": Text("Your browser remembers no cut of yours that had to be in it."),
    },
    "cards": {
        "ok": Text("The cards that your browser saw on the table are those that were dealt from this deck."),
        "wrong": Text("Cards that your browser saw on the table were not dealt from this deck."),
        "absent": Text("Your browser remembers no cards of this hand."),
        "not checked": Text("Which cards were dealt the house says when you fetch the record by its number."),
    },
}
# What it all comes to, for who does not want to know how.
_PLAIN = {
    "fixed": {
        "log": checked.FIXED,
        "seen": Text("This deck was fixed before bets closed: your browser saw its commit by then."),
        "open": Text(
            "That this deck was fixed before bets closed is not proven here: this browser has not seen its commit."
        ),
    },
    "made": {
        "own": Text("Your cut is in it: the seed of the house and the cuts made it, and nothing else."),
        **checked.MADE,
    },
    "paid": {
        "open": Text(
            "Whether you were paid what the rules say, the verifier as one file tells: this page knows no rules."
        ),
    },
}
_MARK = {
    "hand": Text("Hand {hand}", hand="%"),
    "good": Text("dealt from the deck that was fixed before bets closed"),
    "unseen": Text("seed and deck fit; this browser did not see its commit before bets closed"),
    "unreadable": Text("the house has given out no record of it that can be read"),
}
# What a browser that remembers finds of a casino's log: heads.js, which puts what it found where `%` stands.
_LOG = {
    "unsigned": Text("The house shows a head of its log that it has not signed."),
    "rollback": Text("The house shows an older state of its log than this browser has seen: entries are gone."),
    "fork": Text("The house shows another log than this browser has seen: what stood in it was changed."),
    "key": Text("The same log is signed with another key than this browser has seen."),
    "refused": Text("The house gives no proof that its log goes on from what this browser has seen."),
    "missing": Text("For more than ten minutes the house has shown no signed head of its log."),
    "uncovered": Text(
        "For more than ten minutes no signed head of the log has covered the payment of hand {hand}.", hand="%"
    ),
    "begun": Text("The log of this casino was begun anew; the house says why: “{why}”.", why="%"),
    "lost": Text("Entries that this browser had seen and that are gone: {count}.", count="%"),
    "newkey": Text("It is signed with another key."),
    "first": Text("This browser sees this log for the first time, and will remember it."),
    "good": Text("What the house shows goes on from what this browser remembers."),
    "waiting": Text("The house shows no signed head of its log just now: look again in a minute."),
}
_OPEN = Text("This could not be checked.")
_VERDICT = {
    "good": Text("✓ All that this page can check is right. Moves and payments it cannot check."),
    "bad": Text("✗ Something is wrong: this is not the hand that was promised, or not its record."),
    "note": Text(
        "This is a plain record, without a promise: it proves only that seed and commit fit, not that they belong "
        "to this hand."
    ),
    "unlogged": Text(
        "Seed, commit and deck fit together; that the record is the house's own is not proven without its log."
    ),
    "open": Text("Nothing is wrong, but not everything that matters could be checked."),
    "unreadable": Text("That is no record: paste the whole of it."),
    "missing": Text("There is no record of that hand yet: it is shown when the hand is over."),
}


async def show(request: web.Request) -> web.Response:
    """GET: the page, for whoever comes; `?hand=` fetches that hand at once."""
    visitor = await visitor_of(request)
    if visitor is None:
        raise web.HTTPSeeOther("/verify")
    wanted = request.query.get("hand", "")
    told = {**_CHECKS, **_REMEMBERED, "verdict": _VERDICT}
    words: dict[str, object] = {name: _say_all(said, visitor.language) for name, said in told.items()}
    words["plain"] = {name: _say_all(said, visitor.language) for name, said in _PLAIN.items()}
    return page(
        "verify.html",
        visitor,
        wanted=wanted if wanted.isascii() and wanted.isdigit() else "",
        words={**words, "open": say(_OPEN, visitor.language)},
        books=await visitor.lounge.books_name(),
        verifier_file=FILE,
        verifier_hash=packed()[1],
    )


def mark_words(language: str) -> dict[str, object]:
    """What the mark at a table says, by check; for mark.js, which puts the number of the hand where `%` stands."""
    wrong = {name: said["wrong"] for name, said in {**_CHECKS, **_REMEMBERED}.items()}
    return {**_say_all({**wrong, **_MARK, "open": _OPEN}, language), "log": log_words(language)}


def log_words(language: str) -> dict[str, str]:
    """What is said of a log by what this browser has seen of it; for heads.js."""
    return _say_all(_LOG, language)


def _say_all(said: dict[str, Text], language: str) -> dict[str, str]:
    return {kind: say(text, language) for kind, text in said.items()}


async def games(_request: web.Request) -> web.Response:
    """GET: what records.js must know of each game."""
    return web.json_response(all_decks())


async def one_file(_request: web.Request) -> web.Response:
    """GET: the verifier for who trusts no house."""
    headers = {"Content-Disposition": f'attachment; filename="{FILE}"'}
    return web.Response(body=packed()[0], content_type="application/zip", headers=headers)
