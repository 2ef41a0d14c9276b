"""The page that verifies a record in the reader's own browser, its data, and the verifier as one file."""

from aiohttp import web

from bot.core.guide import verdicts
from bot.platforms.web.decks import all_decks
from bot.platforms.web.drawing import page
from bot.platforms.web.lounge import visitor_of
from bot.texts import Text, say
from bot.verifier.pack import FILE, packed

# {check: {finding: a sentence}}, for verify.js. A "not checked" without its own sentence uses _OPEN.
_CHECKS = {
    "promise": {
        "ok": Text("The commitment is complete: it covers casino, table, hand, game and options."),
        "wrong": Text("The commitment is not valid."),
        "absent": Text("This plain record has no commitment."),
    },
    "commit": {
        "ok": Text("The seed matches the commitment."),
        "wrong": Text("The seed does not match the commitment."),
        "absent": Text("The record has no commitment."),
    },
    "deck": {
        "ok": Text("The deck below was computed here from the record."),
        "wrong": Text("The deck does not match the record."),
        "absent": Text("No cards were dealt."),
    },
    "moves": {
        "wrong": Text("The moves are not possible."),
        "absent": Text("No cards were dealt, and no one acted."),
        "not checked": Text("Moves are not checked against the rules here."),
    },
    "payments": {
        "wrong": Text("The payments do not add up."),
        "absent": Text("The record has no payouts."),
        "not checked": Text("Payouts are not checked against the rules here."),
    },
    "log": {
        "ok": Text("Commitment, cuts, bets and payout are in the log, which the casino has signed."),
        "wrong": Text("The record does not match the casino's log."),
        "absent": Text("The record does not include the casino's log."),
        "not checked": Text("Everything in the log that needs no game rules was checked and is correct."),
    },
    "beacon": {
        "wrong": Text("The public number is wrong."),
        "absent": Text(
            "No public random number went into this deck: without an honest player's sealed cut in it, the host could "
            "have chosen it."
        ),
        "not checked": Text(
            "The public number is the hash of its signature. Whether the chain signed it is not checked here."
        ),
    },
}
# The same for what the reader's own browser has seen of the hand: seen.js.
_REMEMBERED = {
    "sealed": {
        "ok": Text("You helped shuffle this deck: your browser sealed a cut before bets closed, and the deck has it."),
        "wrong": Text("Your sealed cut is missing from this deck, although your browser opened it in time."),
        "absent": Text("Your browser sealed no cut for this hand."),
        "not checked": Text("Your browser did not open its sealed cut in time, so the deck was made without it."),
    },
    "promised": {
        "ok": Text("Your browser saw this commitment while bets were open, so the seed was already fixed."),
        "wrong": Text("Your browser saw a different commitment while bets were open: this is not the committed deck."),
        "not checked": Text("Your browser did not see the commitment while bets were open."),
    },
    "cut": {
        "ok": Text("Your cut is included in the deck."),
        "wrong": Text("Your cut is missing: the deck was made without it."),
        "absent": Text("Your browser has no cut of yours for this deck."),
    },
    "cards": {
        "ok": Text("The cards your browser saw are the cards of this deck."),
        "wrong": Text("Some cards that your browser saw do not come from this deck."),
        "absent": Text("Your browser saw no cards of this hand."),
        "not checked": Text("To see the dealt cards, download the record by its number."),
    },
}
# The result in plain words.
_PLAIN = {
    "fixed": {
        "log": verdicts.FIXED,
        "seen": Text("Your browser saw the commitment while bets were open: the seed was fixed by then."),
        "open": Text(
            "This page cannot prove that the seed was fixed before bets closed, because this browser has not seen its "
            "commitment."
        ),
    },
    "made": {
        "own": Text("Your cut is included: the deck comes from the casino's seed and the cuts only."),
        **verdicts.MADE,
    },
    "paid": {
        "open": Text("This page does not know the rules. The verifier checks your payout."),
    },
}
_MARK = {
    "hand": Text("Hand {hand}", hand="%"),
    "good": Text("dealt from the seed committed before bets closed"),
    "helped": Text("You helped shuffle this deck"),
    "missed": Text("Your browser did not open its sealed cut in time, so the deck was made without it."),
    "dismiss": Text("Dismiss"),
    "unseen": Text("seed and deck match; this browser did not see the commitment before bets closed"),
    "unreadable": Text("the casino has published no readable record of it"),
}
# Findings of a browser about a casino's log, for heads.js, which replaces `%`.
_LOG = {
    "unsigned": Text("The casino shows a tree head with a wrong signature."),
    "rollback": Text("The casino shows an older log than your browser saw earlier: entries are missing."),
    "fork": Text("The log does not match what your browser saw earlier."),
    "key": Text("The log is signed with a different key than your browser saw earlier."),
    "refused": Text("The casino does not prove that its log extends what your browser saw earlier."),
    "missing": Text("For more than ten minutes, the casino has shown no signed tree head."),
    "uncovered": Text(
        "For more than ten minutes, no signed tree head has covered the payout of hand {hand}.", hand="%"
    ),
    "begun": Text("The log of this casino was started again. Reason given: “{why}”.", why="%"),
    "lost": Text("Entries your browser saw earlier that are missing now: {count}.", count="%"),
    "newkey": Text("It is signed with another key."),
    "first": Text("This browser sees this log for the first time, and will remember it."),
    "good": Text("The casino's log extends what your browser saw earlier."),
    "waiting": Text("The casino shows no signed tree head just now. Try again in a minute."),
}
_OPEN = Text("Could not be checked.")
_VERDICT = {
    "good": Text("Everything this page can check is correct. It cannot check moves and payouts."),
    "bad": Text("✗ Something is wrong: this is not the committed hand, or not its record."),
    "note": Text(
        "This is a plain record without a commitment. It proves only that seed and hash match, not that they "
        "belong to this hand."
    ),
    "unlogged": Text(
        "Seed, commitment and deck match. Without the log, nothing proves that the record is the casino's own."
    ),
    "open": Text("No problem found, but not everything could be checked."),
    "unreadable": Text("That is not a record. Paste all of it."),
    "missing": Text("That hand has no record yet. It appears when the hand is over."),
}


async def show_verifier(request: web.Request) -> web.Response:
    """Show the verifier's page, open to everyone; `?hand=` loads that hand (GET)."""
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
    """Return the words of the mark at a table, by check; mark.js puts the hand's number in place of `%`."""
    wrong = {name: said["wrong"] for name, said in {**_CHECKS, **_REMEMBERED}.items()}
    return {**_say_all({**wrong, **_MARK, "open": _OPEN}, language), "log": log_words(language)}


def log_words(language: str) -> dict[str, str]:
    """Return the words about a log compared with what this browser has seen; for heads.js."""
    return _say_all(_LOG, language)


def _say_all(said: dict[str, Text], language: str) -> dict[str, str]:
    return {kind: say(text, language) for kind, text in said.items()}


async def games(_request: web.Request) -> web.Response:
    """Return data about each game for records.js (GET)."""
    return web.json_response(all_decks())


async def one_file(_request: web.Request) -> web.Response:
    """Serve the verifier as one file, for people who trust no server (GET)."""
    headers = {"Content-Disposition": f'attachment; filename="{FILE}"'}
    return web.Response(body=packed()[0], content_type="application/zip", headers=headers)
