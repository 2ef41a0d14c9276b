"""The player's own page: sessions, the recovery phrase, and signing out."""

import asyncio
import re
import secrets
import unicodedata
from dataclasses import replace
from functools import lru_cache

from aiohttp import web
from mnemonic import Mnemonic

from bot.core.commands.command import Answer
from bot.core.state.lounge import PLATFORM
from bot.platforms.common.sentences import FAST
from bot.platforms.web.clients import client_of, read_form
from bot.platforms.web.drawing import page, redirect_to
from bot.platforms.web.lounge import Lounge, Visitor, lounge_of, player_of, players_of, visitor_of
from bot.platforms.web.pages import show_front
from bot.platforms.web.password_throttle import TOO_MANY, stretch
from bot.platforms.web.push import PUSH_KEY, offer_push
from bot.platforms.web.sessions import NO_COOKIES, keeps_cookies
from bot.texts import Text, say
from bot.texts.languages import KNOWN
from storage.questions.browsers import Signed, account_with_phrase, browsers_of_player, phrase_of_account
from storage.rows import PhraseRow

# Words from the 2,048 of BIP 39: 77 bits, too many to guess slowly, even among a million players.
WORDS = 7
SIGNED_OUT = Text("You were signed out here.")
WRONG = Text("No player has that phrase. Check the words and their order.")


async def show_account(request: web.Request) -> web.Response:
    """Show the player's sessions, accounts and recovery phrase (GET)."""
    return await _render_account(request, await player_of(request))


async def rename(request: web.Request) -> web.Response:
    """Change the name in the lounge (POST); explain a refusal."""
    visitor = await player_of(request)
    answer = await visitor.lounge.see_to("rename", visitor.account, (await read_form(request)).get("name", ""))
    if answer.refused:
        return await _render_account(request, visitor, fault=answer.texts[0])
    player = visitor.lounge.player_behind(visitor.account)
    return redirect_to(f"{replace(visitor, player=player).base}/account")


async def _render_account(
    request: web.Request, visitor: Visitor, *, phrase: str = "", fault: Text | None = None
) -> web.Response:
    here, signed = await _sessions(request, visitor)
    return page(
        "account.html",
        visitor,
        known=await players_of(request),
        signed=signed,
        here=here,
        phrase=phrase,
        fault=fault,
        kept=await asyncio.to_thread(_phrase_of, visitor),
        push=await offer_push(request, visitor),
    )


def _phrase_of(visitor: Visitor) -> PhraseRow | None:
    return phrase_of_account(visitor.lounge.writer.books, visitor.account)


async def _sessions(request: web.Request, visitor: Visitor) -> tuple[set[str], list[Signed]]:
    """Return the ids of this browser and all sessions of the player."""
    assert visitor.player is not None
    here = {browser.row.id for browser in await visitor.lounge.browsers.of(request)}
    return here, await asyncio.to_thread(browsers_of_player, visitor.lounge.writer.books, PLATFORM, visitor.player.id)


async def sign_out(request: web.Request) -> web.Response:
    """Sign this player out in this browser, from all of its cookies."""
    visitor = await visitor_of(request)
    if visitor is None or visitor.player is None:
        return redirect_to("/")
    here, known = await _sessions(request, visitor)
    await _end(request, visitor, [signed for signed in known if signed.browser in here])
    return redirect_to("/")


async def end_session(request: web.Request) -> web.Response:
    """End one of the player's sessions, or all except this browser's."""
    visitor = await player_of(request)
    wanted = (await read_form(request)).get("browser", "")
    here, known = await _sessions(request, visitor)
    await _end(
        request, visitor, [one for one in known if one.browser == wanted or (not wanted and one.browser not in here)]
    )
    return redirect_to(f"{visitor.base}/account")


async def _end(request: web.Request, visitor: Visitor, sessions: list[Signed]) -> None:
    lounge, push = visitor.lounge, request.app.get(PUSH_KEY)
    for one in sessions:
        await lounge.see_to("sign out", one.account, one.browser)
        if push is not None:
            await push.forget(one.browser, one.account)
        await lounge.live.end((one.browser, one.account), say(SIGNED_OUT, visitor.language))


async def make_phrase(request: web.Request) -> web.Response:
    """Create a recovery phrase, shown only in this answer (POST); it replaces an earlier one."""
    visitor = await player_of(request)
    assert visitor.player is not None
    if not visitor.lounge.new_phrases.spend(visitor.player.id):
        raise web.HTTPTooManyRequests(text="")
    phrase = new_phrase(visitor.language)
    answer = await visitor.lounge.see_to("keep phrase", visitor.account, await _hash(visitor.lounge, phrase))
    return await _render_account(request, visitor, phrase="" if answer.refused else phrase)


async def recover(request: web.Request) -> web.Response:
    """Sign in with a recovery phrase (POST); a wrong one delays the next try from that address."""
    lounge, asker = lounge_of(request), client_of(request)
    async with lounge.phrases.turn(asker) as may_try:
        if not may_try:
            return await show_front(request, TOO_MANY, 429)
        account = await _account_with(lounge, (await read_form(request)).get("phrase", ""))
        if account is None:
            lounge.phrases.note_wrong(asker)
            return await show_front(request, WRONG, 403)
        if not await keeps_cookies(request):
            return await show_front(request, NO_COOKIES, 400)
    return await _let_in(request, account)


async def _let_in(request: web.Request, account: str) -> web.Response:
    lounge = lounge_of(request)
    answer: Answer = await lounge.browsers.let_in(request, account)
    player = lounge.player_behind(account)
    if answer.refused or player is None:
        return await show_front(request, FAST, 503)
    return redirect_to(f"{Visitor(lounge, player.language, player, account).base}/")


async def _account_with(lounge: Lounge, said: str) -> str | None:
    """Return the account with this phrase, or None. Every try costs the same, and only a hash is looked up."""
    hashed = await _hash(lounge, said)
    return await asyncio.to_thread(account_with_phrase, lounge.writer.books, hashed)


async def _hash(lounge: Lounge, phrase: str) -> str:
    return (await stretch(normalise(phrase), await lounge.key())).hex()


def new_phrase(language: str) -> str:
    """Return words of the language's list, chosen by secure randomness."""
    return " ".join(secrets.choice(_words(language)) for _ in range(WORDS))


@lru_cache
def _words(language: str) -> list[str]:
    return Mnemonic(KNOWN[language].phrases).wordlist


def normalise(said: str) -> str:
    """Return the words of a phrase as compared: without case and whatever separates them."""
    return " ".join(re.findall(r"[^\W\d_]+", unicodedata.normalize("NFKC", said).casefold()))
