"""`ridotto emojis`: our cards as emojis of the Discord application, uploaded once, for cards in lines of text.

Existing ones stay; without them `card_emoji` is the plain text of the card.
"""

import asyncio
import base64
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from aiohttp import ClientError, ClientSession
from PIL import Image, ImageDraw

from bot.config import BadSetting, Config
from bot.platforms.common.proxies import find_proxy
from bot.texts import say_card
from bot.view.pictures.faces import paint_card
from bot.view.pictures.palette import NEUTRAL, colours
from bot.view.pictures.pen import Pen
from engine.cards import FRENCH, HIDDEN, JOKER, Card

API = "https://discord.com/api/v10"
FILE = "emojis.json"
CARDS: tuple[Card, ...] = (*FRENCH, JOKER, HIDDEN)
_SIDE, _FINE = 128, 4
_WIDTH = 92
_PATIENCE = 5
_known: dict[Card, str] = {}


class EmojisError(Exception):
    """A refusal of Discord, in one line."""


def card_emoji(card: Card) -> str:
    """Return a card as text for Discord: <:card_As:123>, or A♠ if it is not uploaded."""
    return _known.get(card) or say_card(card)


def use_emojis(folder: Path) -> None:
    """Read the ids that `ridotto emojis` stored in the data folder; a missing file is fine."""
    _known.clear()
    try:
        ids = json.loads((folder / FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return
    _known.update({card: f"<:{name_of(card)}:{ids[name_of(card)]}>" for card in CARDS if name_of(card) in ids})


def name_of(card: Card) -> str:
    """Return the name of a card among the application's emojis."""
    return f"card_{card}" if card != HIDDEN else "card_back"


def emoji_png(card: Card) -> bytes:
    """Return the small card face in a transparent square of 128 pixels."""
    large = Image.new("RGB", (_WIDTH * _FINE, _SIDE * _FINE), colours(NEUTRAL)["felt"])
    paint_card(Pen(large, colours(NEUTRAL), _FINE), _WIDTH, _SIDE, card)
    inside = Image.new("L", large.size, 0)
    ImageDraw.Draw(inside).rounded_rectangle((0, 0, large.width - 1, large.height - 1), _WIDTH / 11 * _FINE, fill=255)
    large.putalpha(inside)
    square = Image.new("RGBA", (_SIDE, _SIDE), (0, 0, 0, 0))
    square.paste(large.reduce(_FINE), ((_SIDE - _WIDTH) // 2, 0))
    file = io.BytesIO()
    square.save(file, "PNG", optimize=True)
    return file.getvalue()


def upload_as_set(config: Config) -> int:
    """Upload the card emojis; return how many were new. Raises BadSetting without a token, and EmojisError."""
    if config.discord_token is None:
        raise BadSetting("RIDOTTO_DISCORD_TOKEN is not set.")
    return asyncio.run(upload(config.discord_token, config.data, config.discord_api or API))


async def upload(token: str, folder: Path, api: str = API, say: Callable[[str], None] = print) -> int:
    """Upload missing emojis and store all ids in the data folder; return how many were new. Raises EmojisError."""
    async with ClientSession(headers={"Authorization": f"Bot {token}"}, proxy=find_proxy(api)) as session:
        application = (await _call_api(session, "GET", f"{api}/applications/@me"))["id"]
        url = f"{api}/applications/{application}/emojis"
        found = (await _call_api(session, "GET", url))["items"]
        ids: dict[str, str] = {emoji["name"]: emoji["id"] for emoji in found}
        missing = [card for card in CARDS if name_of(card) not in ids]
        try:
            for card in missing:
                image = base64.b64encode(emoji_png(card)).decode()
                body = {"name": name_of(card), "image": f"data:image/png;base64,{image}"}
                ids[name_of(card)] = (await _call_api(session, "POST", url, body))["id"]
                say(name_of(card))
        finally:
            _save_ids(folder, ids)
    return len(missing)


def _save_ids(folder: Path, ids: Mapping[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    ours = {name_of(card): ids[name_of(card)] for card in CARDS if name_of(card) in ids}
    (folder / FILE).write_text(json.dumps(ours, indent=1), "utf-8")


async def _call_api(session: ClientSession, method: str, url: str, body: Any = None) -> Any:
    """Call Discord, waiting a few times when it says so."""
    for _ in range(_PATIENCE):
        try:
            async with session.request(method, url, json=body) as answer:
                if answer.status == 429:
                    await asyncio.sleep(float((await answer.json()).get("retry_after", 1)))
                    continue
                if answer.status >= 400:
                    raise EmojisError(f"Discord answers {answer.status} to {method} {answer.url.path}")
                return await answer.json()
        except (ClientError, TimeoutError, ValueError) as fault:
            raise EmojisError(f"Discord cannot be reached: {type(fault).__name__}") from None
    raise EmojisError("Discord limits the rate; try again later")
