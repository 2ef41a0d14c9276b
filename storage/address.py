"""Address of a PostgreSQL server, which may hold a password, and the same address without it.

Nothing connects here; libpq interprets the address.
"""

from typing import NamedTuple
from urllib.parse import parse_qsl, unquote

SCHEMES = ("postgresql://", "postgres://")
HIDDEN = "***"
FORM = (
    "postgresql://USER@HOST/DATABASE, with what is no letter or digit in a password written as %40 for @, %2F for / "
    "and so on"
)
_SECRET = ("password", "sslpassword")


class ServerAddress(NamedTuple):
    """Address of a server: `text` is for libpq alone, `told` has neither a password nor parameters.

    `secrets`: how a password may appear.
    """

    text: str
    told: str
    secrets: tuple[str, ...]

    def scrub(self, sentence: str) -> str:
        """Remove the password from a sentence that may quote it."""
        for secret in sorted(self.secrets, key=len, reverse=True):
            sentence = sentence.replace(secret, HIDDEN)
        return sentence

    def __repr__(self) -> str:
        return f"ServerAddress({self.told!r})"


def parse_address(text: str) -> ServerAddress:
    """Parse an address. Raises ValueError, which never quotes the text, because a password may be anywhere in it."""
    scheme = next((one for one in SCHEMES if text.startswith(one)), None)
    if scheme is None or not text.isprintable() or " " in text:
        raise ValueError(FORM)
    authority, slash, rest = text.removeprefix(scheme).partition("/")
    path, _question, query = rest.partition("?")
    if authority.count("@") > 1 or "@" in rest or set(authority + path) & {"?", "#"}:
        raise ValueError(FORM)
    account, at, hosts = authority.rpartition("@")
    user, _colon, password = account.partition(":")
    if ":" in password or not all(_is_port(host) for host in hosts.split(",")):
        raise ValueError(FORM)
    given = [password, *(value for name, value in _parse_query(query) if name in _SECRET)]
    secrets = {form for one in given for form in (one, unquote(one)) if form}
    return ServerAddress(text, f"{scheme}{user}{at}{hosts}{slash}{path}", tuple(sorted(secrets)))


def _is_port(host: str) -> bool:
    """Check the port of a host: optional, up to 65535. An IPv6 host is in brackets."""
    _host, _colon, port = host.rpartition("]")[2].partition(":")
    return not port or (port.isascii() and port.isdigit() and int(port) < 65536)


def _parse_query(query: str) -> list[tuple[str, str]]:
    """Return names and values of a query, both as written and decoded."""
    raw = [(name, value) for name, _equals, value in (one.partition("=") for one in query.split("&"))]
    return raw + parse_qsl(query.replace("+", "%2B"), keep_blank_values=True)
