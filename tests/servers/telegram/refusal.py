"""An error answer of the Bot API, in Telegram's own words."""

from typing import Any

PREFIXES = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    409: "Conflict",
    429: "Too Many Requests",
    500: "Internal Server Error",
    502: "Bad Gateway",
}


class Refusal(Exception):
    """`Refusal(400, "chat not found")` answers `Bad Request: chat not found`."""

    def __init__(self, error_code: int, description: str = "", **parameters: Any) -> None:
        self.error_code = error_code
        prefix = PREFIXES.get(error_code, "")
        self.description = ": ".join(filter(None, (prefix, description)))
        self.parameters = parameters
        super().__init__(self.description)

    def as_answer(self) -> dict[str, Any]:
        answer: dict[str, Any] = {"ok": False, "error_code": self.error_code, "description": self.description}
        return answer | ({"parameters": self.parameters} if self.parameters else {})


def retry_after(seconds: int) -> Refusal:
    return Refusal(429, f"retry after {seconds}", retry_after=seconds)
