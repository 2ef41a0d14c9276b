"""Moments as they are read in every language: to the minute, in UTC."""

from datetime import UTC, datetime, timedelta

DAY_S = timedelta(days=1).total_seconds()


def write_time(at: float) -> str:
    """Write a time in seconds since 1970 as UTC, to the minute."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M")


def write_moment(at: float) -> str:
    """Write seconds since 1970 to the second, with the zone (ISO 8601)."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def read_day(text: str) -> float | None:
    """Return the start of a day such as 2026-11-24, or None for an invalid day."""
    try:
        day = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        return None
    return day.timestamp() if day.year >= 1970 else None
