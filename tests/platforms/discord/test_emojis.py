"""`ridotto emojis` against a small fake Discord: missing ones are uploaded, existing ones stay."""

import base64
import io

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from PIL import Image

from bot.__main__ import main
from bot.platforms.discord import emojis
from bot.platforms.discord.emojis import CARDS, EmojisError, card_emoji, emoji_png, name_of, upload, use_emojis

TOKEN = "a-token-of-the-tests"


class Discord:
    """A fake Discord with three routes; it answers 429 `busy` times first, and has room for `most` emojis."""

    api: str

    def __init__(self):
        self.items, self.posted, self.busy, self.most = [], [], 0, 2000

    def app(self):
        app = web.Application()
        app.router.add_get("/api/v10/applications/@me", self.me)
        app.router.add_get("/api/v10/applications/77/emojis", self.list)
        app.router.add_post("/api/v10/applications/77/emojis", self.create)
        return app

    async def me(self, request):
        if request.headers["Authorization"] != f"Bot {TOKEN}":
            raise web.HTTPUnauthorized
        return web.json_response({"id": "77"})

    async def list(self, request):
        return web.json_response({"items": self.items})

    async def create(self, request):
        if self.busy:
            self.busy -= 1
            return web.json_response({"retry_after": 0.01}, status=429)
        if len(self.items) >= self.most:
            raise web.HTTPBadRequest
        body = await request.json()
        self.posted.append(body)
        self.items.append({"id": str(1000 + len(self.items)), "name": body["name"]})
        return web.json_response(self.items[-1], status=201)


@pytest.fixture
async def discord():
    stand_in = Discord()
    server = TestServer(stand_in.app())
    await server.start_server()
    stand_in.api = str(server.make_url("/api/v10"))
    yield stand_in
    await server.close()


@pytest.fixture(autouse=True)
def forget():
    yield
    emojis._known.clear()


def silent(line):
    pass


async def test_all_cards_are_uploaded_once(discord, tmp_path):
    assert await upload(TOKEN, tmp_path, discord.api, silent) == 54
    assert await upload(TOKEN, tmp_path, discord.api, silent) == 0
    assert len(discord.posted) == 54


async def test_only_what_is_missing_is_uploaded(discord, tmp_path):
    discord.items.append({"id": "5", "name": "card_As"})
    assert await upload(TOKEN, tmp_path, discord.api, silent) == 53
    use_emojis(tmp_path)
    assert card_emoji("As") == "<:card_As:5>"


async def test_a_wrong_token_is_one_line_without_the_token(discord, tmp_path):
    with pytest.raises(EmojisError) as fault:
        await upload("wrong", tmp_path, discord.api, silent)
    assert str(fault.value) == "Discord answers 401 to GET /api/v10/applications/@me"


def test_without_emojis_a_card_is_plain_text(tmp_path):
    use_emojis(tmp_path)
    assert [card_emoji(card) for card in ("As", "Td", "JK", "??")] == ["A♠", "10♦", "Joker", "🂠"]


@pytest.mark.parametrize("card", CARDS)
def test_an_emoji_is_what_discord_takes(card):
    png = emoji_png(card)
    drawn = Image.open(io.BytesIO(png))
    assert drawn.size == (128, 128)
    assert drawn.getchannel("A").getpixel((0, 0)) == 0
    assert len(base64.b64encode(png)) < 256 * 1024
    assert name_of(card).replace("_", "").isalnum()
    assert 2 <= len(name_of(card)) <= 32


def test_the_command_names_the_setting_that_is_missing(monkeypatch, tmp_path, capsys):
    monkeypatch.delenv("RIDOTTO_DISCORD_TOKEN", raising=False)
    monkeypatch.chdir(tmp_path)
    assert main(["emojis", "--data", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("ridotto: RIDOTTO_DISCORD_TOKEN is not set")
