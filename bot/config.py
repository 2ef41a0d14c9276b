"""The settings: the only place that reads the environment and the `.env` file.

A wrong or unknown `RIDOTTO_*` setting raises BadSetting, one sentence that names it and never shows its value.
"""

import codecs
import io
import ipaddress
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, NoReturn
from urllib.parse import urlsplit

from dotenv import dotenv_values
from dotenv.parser import parse_stream

from bot.texts import LANGUAGES
from engine.fairness.beacon import CHAIN
from storage.address import ServerAddress, parse_address

PREFIX = "RIDOTTO_"
MOST_GUESTS = 20
GUESTS_ALONE = 2
SCRIPT_BUDGET_S = 1.0
MOST_RELAYS = 8
LEVELS = ("debug", "info", "warning", "error")
_SETTING = re.compile(rf"(?:export\s+)?({PREFIX}\w*)\s*(\S?)", re.IGNORECASE)
# Settings of a checkout's tests, which a casino started from there ignores.
_OF_THE_TESTS = (
    "RIDOTTO_BROWSER_REQUIRED",
    "RIDOTTO_POSTGRES_REQUIRED",
    "RIDOTTO_HAPROXY_REQUIRED",
    "RIDOTTO_SCREENSHOTS",
)


class BadSetting(Exception):
    """A setting that is wrong or unknown."""


class Address(NamedTuple):
    """Address where the lounge listens. An IPv6 host has no brackets here."""

    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        """Check whether only this machine reaches the address; a host name other than `localhost` counts as outside."""
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


class RelaySettings(NamedTuple):
    """Relays to ask for the beacon's rounds, in turn, and the hash of their chain."""

    chain: str
    addresses: tuple[str, ...]


ALL, FRONT = "all", "front"
DEFAULT_WEB = Address("127.0.0.1", 8080)
# {platform: the setting that opens its platform}
OPENED_BY = {
    "web": "web",
    "discord": "discord_token",
    "telegram": "telegram_token",
}
# Platforms with communities: servers and groups.
CHATS = ("discord", "telegram")


@dataclass(frozen=True)
class Config:
    """`web` None: no lounge. `books` None: in `data`. `role`: what the process does (docs/host/growing.md).
    Secrets are left out of the repr, so that no log can hold them.

    """

    data: Path = Path("data")
    books: ServerAddress | None = field(default=None, repr=False)
    role: str = ALL
    web: Address | None = DEFAULT_WEB
    web_password: str | None = field(default=None, repr=False)
    language: str = "en"
    guests: int = GUESTS_ALONE
    script_budget_s: float = SCRIPT_BUDGET_S
    log: str = "info"
    beacon: RelaySettings | None = None
    discord_token: str | None = field(default=None, repr=False)
    telegram_token: str | None = field(default=None, repr=False)
    discord_api: str | None = None
    telegram_api: str | None = None
    telegram_webhook: str | None = None
    discord_secret: str | None = field(default=None, repr=False)
    public_url: str | None = None

    @property
    def platforms(self) -> tuple[str, ...]:
        """The packages of bot/platforms that are opened, in this order."""
        return tuple(name for name, setting in OPENED_BY.items() if getattr(self, setting))


def read_config(*, data: str | None = None, guests: int | None = None, folder: Path | None = None) -> Config:
    """Read settings from arguments, the environment, the `.env` file in `folder` (default here), then defaults."""
    file = (folder or Path.cwd()) / ".env"
    in_file = _read_file(file) if file.is_file() else {}
    given = {name: value for name, value in (in_file | dict(os.environ)).items() if name.startswith(PREFIX)}
    if data is not None:
        given["RIDOTTO_DATA"] = data
    if guests is not None:
        given["RIDOTTO_GUESTS"] = str(guests)
    return parse_config(given)


def _read_file(file: Path) -> dict[str, str]:
    """Read a `.env` file: UTF-8 with or without a BOM, any line ends. Raises BadSetting."""
    try:
        data = file.read_bytes()
    except OSError as fault:
        raise BadSetting(f"{file} cannot be read: {fault.strerror}.") from None
    if b"\0" in data or data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise BadSetting(f"{file} is in UTF-16, as PowerShell writes it: save it in UTF-8.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        number = data[: fault.start].count(b"\n") + 1
        raise BadSetting(f"{file}, line {number} is not in UTF-8: save the file in UTF-8.") from None
    for one in parse_stream(io.StringIO(text)):
        line = one.original.string.lstrip()
        before = one.original.string[: -len(line) or None]
        _check_line(file, one.original.line + before.count("\n"), line, is_read=not one.error)
    return {name: value or "" for name, value in dotenv_values(stream=io.StringIO(text)).items()}


def _check_line(file: Path, number: int, line: str, *, is_read: bool) -> None:
    """Refuse a line that names a setting and would be ignored. Raises BadSetting."""
    found = _SETTING.match(line)
    if found is None:
        return
    name, sign = found.groups()
    if name != name.upper():
        raise BadSetting(f"{file}, line {number}: write {name.upper()} in capitals.")
    if sign != "=":
        raise BadSetting(f"{file}, line {number}: write {name}=VALUE, with an equals sign.")
    if not is_read:
        raise BadSetting(f"{file}, line {number}: {name} has an unreadable value; check its quotes.")


def parse_config(given: Mapping[str, str]) -> Config:
    """Parse settings by their full names. Raises BadSetting, also for unknown names."""
    for name in given:
        if name not in NAMES and name not in _OF_THE_TESTS:
            raise BadSetting(f"{name} is not a setting of Ridotto.")
    # An empty setting in a file counts as not set.
    settings = {name.removeprefix(PREFIX): value.strip() for name, value in given.items() if value.strip()}
    password = settings.get("WEB_PASSWORD")
    tokens = {name: _parse_token(name, settings.get(name)) for name in ("DISCORD_TOKEN", "TELEGRAM_TOKEN")}
    web = _parse_address("WEB", settings["WEB"]) if "WEB" in settings else DEFAULT_WEB
    if web is not None and not web.is_loopback and password is None:
        raise BadSetting("Set RIDOTTO_WEB_PASSWORD to open RIDOTTO_WEB beyond this machine.")
    role = _one_of("ROLE", settings.get("ROLE", ALL), (ALL, FRONT))
    alone = web is not None and web.is_loopback and not any(tokens.values())
    return Config(
        data=Path(settings.get("DATA", "data")),
        books=_parse_books(settings.get("BOOKS")),
        role=role,
        web=web,
        web_password=password,
        language=_one_of("LANGUAGE", settings.get("LANGUAGE", "en"), tuple(LANGUAGES)),
        guests=_parse_guests(settings["GUESTS"]) if "GUESTS" in settings else GUESTS_ALONE * (alone and role == ALL),
        script_budget_s=_parse_budget(settings["SCRIPT_BUDGET"]) if "SCRIPT_BUDGET" in settings else SCRIPT_BUDGET_S,
        log=_one_of("LOG", settings.get("LOG", "info").lower(), LEVELS),
        beacon=_parse_relays(settings["BEACON"]) if "BEACON" in settings else None,
        discord_token=tokens["DISCORD_TOKEN"],
        telegram_token=tokens["TELEGRAM_TOKEN"],
        discord_api=_parse_url("DISCORD_API", settings.get("DISCORD_API"), "http", "https"),
        telegram_api=_parse_url("TELEGRAM_API", settings.get("TELEGRAM_API"), "http", "https"),
        telegram_webhook=_parse_url("TELEGRAM_WEBHOOK", settings.get("TELEGRAM_WEBHOOK"), "https"),
        discord_secret=_parse_token("DISCORD_SECRET", settings.get("DISCORD_SECRET")),
        public_url=_parse_site(settings.get("PUBLIC_URL")),
    )


def check_platforms(config: Config) -> None:
    """Check that at least one platform is configured, with what it needs. Raises BadSetting."""
    if config.telegram_webhook is not None and config.web is None:
        raise BadSetting("RIDOTTO_TELEGRAM_WEBHOOK needs RIDOTTO_WEB, because Telegram calls the web server.")
    if config.public_url is not None and config.web is None:
        raise BadSetting("RIDOTTO_PUBLIC_URL needs RIDOTTO_WEB, because it is the lounge's public address.")
    if config.role == FRONT and config.books is None:
        raise BadSetting("RIDOTTO_ROLE=front needs RIDOTTO_BOOKS, the address of the PostgreSQL server of its writer.")
    if config.role == FRONT and config.guests:
        raise BadSetting("RIDOTTO_GUESTS is a setting of the writer: unset it for RIDOTTO_ROLE=front.")
    if not config.platforms:
        raise BadSetting("RIDOTTO_WEB is off and no token is set, so there is nothing to start.")


NAMES = tuple(
    PREFIX + name
    for name in (
        "DATA",
        "BOOKS",
        "ROLE",
        "DISCORD_TOKEN",
        "TELEGRAM_TOKEN",
        "DISCORD_API",
        "TELEGRAM_API",
        "TELEGRAM_WEBHOOK",
        "DISCORD_SECRET",
        "PUBLIC_URL",
        "WEB",
        "WEB_PASSWORD",
        "LANGUAGE",
        "GUESTS",
        "BEACON",
        "SCRIPT_BUDGET",
        "LOG",
    )
)


def _refuse(name: str, what: str) -> NoReturn:
    raise BadSetting(f"{PREFIX}{name} {what}.")


def _parse_address(name: str, text: str) -> Address | None:
    if text == "off":
        return None
    host, _colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not (host and port.isascii() and port.isdigit() and len(port) <= 5 and int(port) < 65536):
        _refuse(name, "must be host:port, for example 127.0.0.1:8080, or off")
    return Address(host, int(port))


def _parse_books(text: str | None) -> ServerAddress | None:
    try:
        return parse_address(text) if text is not None else None
    except ValueError as fault:
        raise BadSetting(f"{PREFIX}BOOKS is not a valid address: {fault}.") from None


def _parse_relays(text: str) -> RelaySettings:
    """Parse addresses separated by commas; one that ends with a hash names another chain than quicknet."""
    found = [_parse_relay(one) for one in re.split(r"[,\s]+", text) if one]
    chains = {chain for chain, _address in found}
    if not 1 <= len(found) <= MOST_RELAYS:
        _refuse("BEACON", f"must be one to {MOST_RELAYS} relay addresses, separated by commas")
    if len(chains) > 1:
        _refuse("BEACON", "must list relays of one chain: end every address with its hash, or none")
    if len(set(found)) < len(found):
        _refuse("BEACON", "must list each relay once")
    return RelaySettings(chains.pop(), tuple(address for _chain, address in found))


def _parse_relay(text: str) -> tuple[str, str]:
    """Parse (the hash of its chain, its address). Other parts of an address are refused: they would get into logs."""
    address = _parse_url("BEACON", text, "http", "https") or ""
    url = urlsplit(address)
    if url.username or url.password or url.query or url.fragment:
        _refuse("BEACON", "must list addresses without a password or a query")
    before, _slash, last = address.rpartition("/")
    return (last, before) if re.fullmatch("[0-9a-f]{64}", last) else (CHAIN, address)


def _parse_guests(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 4 and int(text) <= MOST_GUESTS):
        _refuse("GUESTS", f"must be a number from 0 to {MOST_GUESTS}")
    return int(text)


def _parse_budget(text: str) -> float:
    if re.fullmatch(r"[0-9]{1,2}(\.[0-9])?", text) is None or not float(text):
        _refuse("SCRIPT_BUDGET", "must be a number of seconds from 0.1 to 99.9")
    return float(text)


def _parse_token(name: str, text: str | None) -> str | None:
    if text is not None and (not text.isascii() or not text.isprintable() or " " in text):
        _refuse(name, "is not a valid token")
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
        _refuse(name, f"must be an {schemes[-1]} address")
    return text.rstrip("/")


def _parse_site(text: str | None) -> str | None:
    """Parse the address of a whole host, because the paths below it are ours."""
    address = _parse_url("PUBLIC_URL", text, "https")
    if address is not None and urlsplit(address)[2:] != ("", "", ""):
        _refuse("PUBLIC_URL", "must be an https address without a path, for example https://casino.example.org")
    if address is not None and "@" in address:
        _refuse("PUBLIC_URL", "must not contain a user name or a password")
    return address


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        _refuse(name, f"must be one of: {', '.join(allowed)}")
    return value
