"""Questions about the lounge's browsers: who is signed in where, and the phrases that lead back to an account."""

from typing import NamedTuple

from storage.rows import BrowserRow, PhraseRow, SessionRow
from storage.store import Reader


class Signed(NamedTuple):
    """A browser where a player is signed in; `began` of the session, `seen` of the browser."""

    browser: str
    account: str
    kind: str
    began: float
    seen: float


def browser(books: Reader, id: str) -> BrowserRow | None:
    """Return the browser with that id, or None."""
    return books._first(BrowserRow, "WHERE id = ?", id)


def accounts_in_browser(books: Reader, id: str) -> frozenset[str]:
    """Return the accounts that are signed in there now."""
    open_here = books._rows(SessionRow, "WHERE browser = ? AND ended IS NULL", id)
    return frozenset(session.account for session in open_here)


def browsers_of_player(books: Reader, platform: str, player: int) -> list[Signed]:
    """Return the browsers where a player is signed in, the latest first. `platform` is the lounge's."""
    sql = """SELECT browser, account, kind, sessions.began, seen
             FROM identities JOIN sessions ON account = identities.name JOIN browsers ON browsers.id = browser
             WHERE platform = ? AND player = ? AND ended IS NULL ORDER BY seen DESC, browser"""
    return [Signed(*row) for row in books._select(sql, platform, player)]


def phrase_of_account(books: Reader, account: str) -> PhraseRow | None:
    """Return the recovery phrase of an account, or None."""
    return books._first(PhraseRow, "WHERE account = ?", account)


def account_with_phrase(books: Reader, phrase: str) -> str | None:
    """Return the account of a hashed recovery phrase, or None."""
    found = books._first(PhraseRow, "WHERE phrase = ?", phrase)
    return found.account if found else None
