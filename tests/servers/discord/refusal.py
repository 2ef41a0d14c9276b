"""Discord's refusals, with its own codes and texts."""

from __future__ import annotations

from typing import Any


class Refusal(Exception):
    def __init__(self, status: int, code: int, message: str, complaints: list[str] | None = None) -> None:
        super().__init__(f"{status} {code} {message}: {'; '.join(complaints or [])}")
        self.status, self.code, self.message, self.complaints = status, code, message, complaints or []

    def payload(self) -> dict[str, Any]:
        said: dict[str, Any] = {"message": self.message, "code": self.code}
        if self.complaints:
            said["errors"] = _nested(self.complaints)
        return said


def _nested(complaints: list[str]) -> dict[str, Any]:
    """Return `a.0.b: why` as `{"a": {"0": {"b": {"_errors": [...]}}}}`, which clients flatten again."""
    errors: dict[str, Any] = {}
    for complaint in complaints:
        path, _, why = complaint.partition(": ")
        place = errors
        for step in path.split("."):
            place = place.setdefault(step, {})
        place.setdefault("_errors", []).append({"code": "INVALID", "message": why})
    return errors


def unknown(what: str) -> Refusal:
    return Refusal(404, UNKNOWN[what], f"Unknown {what}")


UNKNOWN = {
    "Channel": 10003,
    "Guild": 10004,
    "Member": 10007,
    "Message": 10008,
    "Role": 10011,
    "User": 10013,
    "Emoji": 10014,
    "Webhook": 10015,
    "interaction": 10062,
    "application command": 10063,
}


def unauthorized() -> Refusal:
    return Refusal(401, 0, "401: Unauthorized")


def not_found() -> Refusal:
    return Refusal(404, 0, "404: Not Found")


def missing_access() -> Refusal:
    return Refusal(403, 50001, "Missing Access")


def missing_permissions() -> Refusal:
    return Refusal(403, 50013, "Missing Permissions")


def not_its_author() -> Refusal:
    return Refusal(403, 50005, "Cannot edit a message authored by another user")


def no_direct_messages() -> Refusal:
    return Refusal(403, 50007, "Cannot send messages to this user")


def empty_message() -> Refusal:
    return Refusal(400, 50006, "Cannot send an empty message")


def token_expired() -> Refusal:
    return Refusal(401, 50027, "Invalid Webhook Token")


def already_answered() -> Refusal:
    return Refusal(400, 40060, "Interaction has already been acknowledged.")


def wordless_channel() -> Refusal:
    return Refusal(400, 50008, "Cannot send messages in a non-text channel")


def archived() -> Refusal:
    return Refusal(400, 50083, "Thread is archived")


def entry_point_left_out() -> Refusal:
    said = "You cannot remove this app's Entry Point command in a bulk update operation. "
    return Refusal(400, 50240, f"{said}Please include it in your update request or delete it separately.")


def invalid_form(complaints: list[str]) -> Refusal:
    return Refusal(400, 50035, "Invalid Form Body", complaints)
