"""The settings: the only place that reads the environment and the `.env` file.

A wrong or unknown `RIDOTTO_*` setting raises BadSetting, one sentence that names it and never shows its value.
"""

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, NoReturn
from urllib.parse import urlsplit

from dotenv import dotenv_values

from bot.texts import LANGUAGES

PREFIX = "RIDOTTO_"
MOST_GUESTS = 20
GUESTS_ALONE = 2
LEVELS = ("debug", "info", "warning", "error")
# These belong to the tests of a checkout; a house that is started from there must not mind them.
_OF_THE_TESTS = ("RIDOTTO_BROWSER_REQUIRED", "RIDOTTO_SCREENSHOTS")


class BadSetting(Exception):
    """A setting that is wrong or unknown."""


class Address(NamedTuple):
    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"


DEFAULT_WEB = Address("127.0.0.1", 8080)


@dataclass(frozen=True)
class Config:
    """`web` None: no lounge. Secrets are left out of the repr, so that no log can hold them."""

    data: Path = Path("data")
    web: Address | None = DEFAULT_WEB
    web_password: str | None = field(default=None, repr=False)
    language: str = "en"
    guests: int = GUESTS_ALONE
    log: str = "info"
    discord_token: str | None = field(default=None, repr=False)
    telegram_token: str | None = field(default=None, repr=False)
    discord_api: str | None = None
    telegram_api: str | None = None
    telegram_webhook: str | None = None


def read_config(*, data: str | None = None, guests: int | None = None, folder: Path | None = None) -> Config:
    """The environment, then the `.env` file in `folder` (the working one), then the defaults; arguments go first."""
    file = (folder or Path.cwd()) / ".env"
    in_file = {name: value or "" for name, value in dotenv_values(file).items()} if file.is_file() else {}
    given = {name: value for name, value in (in_file | dict(os.environ)).items() if name.startswith(PREFIX)}
    if data is not None:
        given["RIDOTTO_DATA"] = data
    if guests is not None:
        given["RIDOTTO_GUESTS"] = str(guests)
    return parse_config(given)


def parse_config(given: Mapping[str, str]) -> Config:
    """Settings by their full names, all of them known. Raises BadSetting."""
    for name in given:
        if name not in NAMES and name not in _OF_THE_TESTS:
            raise BadSetting(f"{name} is no setting of Ridotto.")
    # An empty setting is one that was left open in a file.
    settings = {name.removeprefix(PREFIX): value.strip() for name, value in given.items() if value.strip()}
    password = settings.get("WEB_PASSWORD")
    tokens = {name: _parse_token(name, settings.get(name)) for name in ("DISCORD_TOKEN", "TELEGRAM_TOKEN")}
    web = _parse_address(settings["WEB"]) if "WEB" in settings else DEFAULT_WEB
    if web is not None and not web.is_loopback and password is None:
        raise BadSetting("RIDOTTO_WEB beyond loopback needs RIDOTTO_WEB_PASSWORD.")
    alone = web is not None and web.is_loopback and not any(tokens.values())
    return Config(
        data=Path(settings.get("DATA", "data")),
        web=web,
        web_password=password,
        language=_one_of("LANGUAGE", settings.get("LANGUAGE", "en"), tuple(LANGUAGES)),
        guests=_parse_guests(settings["GUESTS"]) if "GUESTS" in settings else GUESTS_ALONE * alone,
        log=_one_of("LOG", settings.get("LOG", "info").lower(), LEVELS),
        discord_token=tokens["DISCORD_TOKEN"],
        telegram_token=tokens["TELEGRAM_TOKEN"],
        discord_api=_parse_url("DISCORD_API", settings.get("DISCORD_API"), "http", "https"),
        telegram_api=_parse_url("TELEGRAM_API", settings.get("TELEGRAM_API"), "http", "https"),
        telegram_webhook=_parse_url("TELEGRAM_WEBHOOK", settings.get("TELEGRAM_WEBHOOK"), "https"),
    )


NAMES = tuple(
    PREFIX + name
    for name in (
        "DATA",
        "DISCORD_TOKEN",
        "TELEGRAM_TOKEN",
        "DISCORD_API",
        "TELEGRAM_API",
        "TELEGRAM_WEBHOOK",
        "WEB",
        "WEB_PASSWORD",
        "LANGUAGE",
        "GUESTS",
        "LOG",
    )
)


def _refuse(name: str, what: str) -> NoReturn:
    raise BadSetting(f"{PREFIX}{name} {what}.")


def _parse_address(text: str) -> Address | None:
    if text == "off":
        return None
    host, _colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not (host and port.isascii() and port.isdigit() and len(port) <= 5 and int(port) < 65536):
        _refuse("WEB", "is host:port, such as 127.0.0.1:8080, or off")
    return Address(host, int(port))


def _parse_guests(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 4 and int(text) <= MOST_GUESTS):
        _refuse("GUESTS", f"is a number from 0 to {MOST_GUESTS}")
    return int(text)


def _parse_token(name: str, text: str | None) -> str | None:
    if text is not None and (not text.isascii() or not text.isprintable() or " " in text):
        _refuse(name, "is no token")
    return text


def _parse_url(name: str, text: str | None, *schemes: str) -> str | None:
    if text is None:
        return None
    try:
        url = urlsplit(text)
        whole = url.scheme in schemes and bool(url.hostname) and (url.port or 1) > 0
    except ValueError:
        whole = False
    if not whole:
        _refuse(name, f"is a {schemes[-1]} address")
    return text.rstrip("/")


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        _refuse(name, f"is one of {', '.join(allowed)}")
    return value
