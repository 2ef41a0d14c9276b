"""Browsers of the lounge and the accounts signed in there: internal commands of the lounge.

The account of a browser is stored here and not in its cookie, so that no response overwrites another's sign-in.
Tokens and phrases come as hashes; the books hold nothing that signs anyone in.
"""

from dataclasses import replace

from bot.core.commands.command import Refused, Who
from bot.core.commands.errands import Errand, errand
from bot.core.commands.shown_names import check_name
from bot.core.players.names import meet, name_member
from bot.core.players.wallets import welcome
from bot.core.state.lounge import LOUNGE, PLATFORM
from bot.texts import Name
from storage.looks import looks_of
from storage.rows import BrowserRow, PhraseRow, SessionRow


@errand("sign in")
def sign_in(errand: Errand) -> None:
    """`ACCOUNT NAME LANGUAGE BROWSER TOKEN KIND`: sign in a new player. Raises Refused for a bad name."""
    account, name, language, *browser = errand.args
    player = meet(errand.transaction, Who(PLATFORM, account, name, language), errand.now)
    if errand.transaction.member(LOUNGE, player.id) is None:
        member = welcome(errand.transaction, LOUNGE, player.id, errand.now)
        errand.transaction.set_member(name_member(errand.transaction, member, player.own_name))
    _let_in(errand, *browser, account)


@errand("rename")
def rename(errand: Errand) -> None:
    """`ACCOUNT NAME`: another name in the lounge. Raises Refused for one that cannot be, or that an inspector reset."""
    account, chosen = errand.args
    transaction = errand.transaction
    id = transaction.identity(PLATFORM, account)
    member = transaction.member(LOUNGE, id) if id is not None else None
    if id is None or member is None:
        raise Refused("That person has not played here yet.")
    name = check_name(chosen)
    taken_away = member.state.heard.get(PLATFORM, "")
    if taken_away and not set(looks_of(taken_away)).isdisjoint(looks_of(name)):
        raise Refused("An inspector has removed this name. Choose another one.")
    transaction.set_player(replace(transaction.players[id], own_name=Name(name)))
    if name != member.name:
        transaction.set_member(name_member(transaction, member.change(reset=None), name))
    for table in transaction.tables_of(id):
        if table.casino == LOUNGE:
            transaction.set_table(table.change())


@errand("let in")
def let_in(errand: Errand) -> None:
    """`BROWSER TOKEN KIND ACCOUNT...`: accounts that are known, signed in in one browser more."""
    _let_in(errand, *errand.args)


def _let_in(errand: Errand, browser: str, token: str, kind: str, *accounts: str) -> None:
    """Sign accounts in at a browser; without a token it must be a known one."""
    now = errand.now
    if token:
        errand.transaction.set_browser(BrowserRow(browser, token, "", now, None, now, now, kind))
    for account in accounts:
        errand.transaction.set_session(SessionRow(browser, account, now, None))


@errand("turn token")
def turn_token(errand: Errand) -> None:
    """`BROWSER TOKEN`: the new token; the one before stays good until the browser has shown that it has the new one."""
    row = _row(errand)
    former = row.token if row.shown is not None else row.former
    errand.transaction.set_browser(row._replace(token=errand.args[1], former=former, turned=errand.now, shown=None))


@errand("see browser")
def see_browser(errand: Errand) -> None:
    """`BROWSER KIND`: it came with its newest token."""
    row, kind = _row(errand), errand.args[1]
    shown = row.shown if row.shown is not None else errand.now
    errand.transaction.set_browser(row._replace(shown=shown, seen=errand.now, kind=kind))


def _row(errand: Errand) -> BrowserRow:
    browser = errand.transaction.browser(errand.args[0])
    assert browser is not None
    return browser.row


@errand("sign out")
def sign_out(errand: Errand) -> None:
    """`ACCOUNT BROWSER...`: sign a player out of these browsers."""
    account, *browsers = errand.args
    for id in browsers:
        browser = errand.transaction.browser(id)
        if browser is not None and account in browser.accounts:
            errand.transaction.set_session(SessionRow(id, account, errand.now, errand.now))


@errand("keep phrase")
def keep_phrase(errand: Errand) -> None:
    """`ACCOUNT PHRASE`: the only way back to the account from now on."""
    account, phrase = errand.args
    errand.transaction.put(PhraseRow(account, phrase, errand.now))
