"""Data that Telegram's apps give to a page (core.telegram.org/bots/webapps), signed with the bot's token."""

import hmac
import json
import time
from hashlib import sha256
from urllib.parse import urlencode


def sign(fields: dict[str, str], token: str) -> str:
    """Return the hash over all fields."""
    key = hmac.new(b"WebAppData", token.encode(), sha256).digest()
    lines = "\n".join(f"{name}={fields[name]}" for name in sorted(fields))
    return hmac.new(key, lines.encode(), sha256).hexdigest()


def init_data(
    token: str, user: int, first_name: str = "Bea", *, at_s: float | None = None, start: str = "", **more: str
) -> str:
    """Return signed `initData`; `start`: the startapp of the link that opened the page."""
    who = {"id": user, "first_name": first_name, "last_name": "", "language_code": "en", "allows_write_to_pm": True}
    fields = {
        "user": json.dumps(who, separators=(",", ":")),
        "chat_instance": "-3788475317572404878",
        "chat_type": "supergroup",
        "auth_date": str(int(time.time() if at_s is None else at_s)),
        "signature": "c2lnbmVkLWJ5LXRlbGVncmFtLWZvci10aGlyZC1wYXJ0aWVz",
        **({"start_param": start} if start else {}),
        **more,
    }
    return urlencode({**fields, "hash": sign(fields, token)})
