"""Browsers of the lounge and the accounts signed in there: internal commands of the lounge.

The account of a browser is stored here and not in its cookie, so that no response overwrites another's sign-in.
Tokens and phrases come as hashes; the books hold nothing that signs anyone in.
"""

from dataclasses import replace

from bot.core.commands.command import Refused, Who
from bot.core.commands.internal_commands import InternalCommand, internal_command
from bot.core.commands.shown_names import check_name
from bot.core.players.names import meet, name_member
from bot.core.players.wallets import welcome
from bot.core.state.lounge import LOUNGE, PLATFORM
from bot.texts import Name
from storage.confusables import skeletons_of
from storage.rows import BrowserRow, PhraseRow, SessionRow


@internal_command("sign in")
def sign_in(request: InternalCommand) -> None:
    """Sign in a new player: `ACCOUNT NAME LANGUAGE BROWSER TOKEN KIND`. Raises Refused for a bad name."""
    account, name, language, *browser = request.args
    player = meet(request.transaction, Who(PLATFORM, account, name, language), request.now)
    if request.transaction.member(LOUNGE, player.id) is None:
        member = welcome(request.transaction, LOUNGE, player.id, request.now)
        request.transaction.set_member(name_member(request.transaction, member, player.own_name))
    _let_in(request, *browser, account)


@internal_command("rename")
def rename(request: InternalCommand) -> None:
    """Rename a player in the lounge: `ACCOUNT NAME`.

    Raises Refused for a name that is not allowed or that an inspector has reset.
    """
    account, chosen = request.args
    transaction = request.transaction
    id = transaction.identity(PLATFORM, account)
    member = transaction.member(LOUNGE, id) if id is not None else None
    if id is None or member is None:
        raise Refused("That person has not played here yet.")
    name = check_name(chosen)
    taken_away = member.state.heard.get(PLATFORM, "")
    if taken_away and not set(skeletons_of(taken_away)).isdisjoint(skeletons_of(name)):
        raise Refused("An inspector has removed this name. Choose another one.")
    transaction.set_player(replace(transaction.players[id], own_name=Name(name)))
    if name != member.name:
        transaction.set_member(name_member(transaction, member.change(reset=None), name))
    for table in transaction.tables_of(id):
        if table.casino == LOUNGE:
            transaction.set_table(table.change())


@internal_command("let in")
def let_in(request: InternalCommand) -> None:
    """Sign in known accounts in one more browser: `BROWSER TOKEN KIND ACCOUNT...`."""
    _let_in(request, *request.args)


def _let_in(request: InternalCommand, browser: str, token: str, kind: str, *accounts: str) -> None:
    """Sign accounts in at a browser; without a token it must be a known one."""
    now = request.now
    if token:
        request.transaction.set_browser(BrowserRow(browser, token, "", now, None, now, now, kind))
    for account in accounts:
        request.transaction.set_session(SessionRow(browser, account, now, None))


@internal_command("turn token")
def turn_token(request: InternalCommand) -> None:
    """Replace a browser's token: `BROWSER TOKEN`.

    The former one stays valid until the browser has shown that it has the new one.
    """
    row = _row(request)
    former = row.token if row.shown is not None else row.former
    request.transaction.set_browser(row._replace(token=request.args[1], former=former, turned=request.now, shown=None))


@internal_command("see browser")
def see_browser(request: InternalCommand) -> None:
    """Record that a browser has shown its newest token: `BROWSER KIND`."""
    row, kind = _row(request), request.args[1]
    shown = row.shown if row.shown is not None else request.now
    request.transaction.set_browser(row._replace(shown=shown, seen=request.now, kind=kind))


def _row(request: InternalCommand) -> BrowserRow:
    browser = request.transaction.browser(request.args[0])
    assert browser is not None
    return browser.row


@internal_command("sign out")
def sign_out(request: InternalCommand) -> None:
    """Sign a player out of these browsers: `ACCOUNT BROWSER...`."""
    account, *browsers = request.args
    for id in browsers:
        browser = request.transaction.browser(id)
        if browser is not None and account in browser.accounts:
            request.transaction.set_session(SessionRow(id, account, request.now, request.now))


@internal_command("keep phrase")
def keep_phrase(request: InternalCommand) -> None:
    """Store a recovery phrase, which replaces the one before: `ACCOUNT PHRASE`."""
    account, phrase = request.args
    request.transaction.put(PhraseRow(account, phrase, request.now))
