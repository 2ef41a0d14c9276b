"""Read records and logs from files in bounded memory, whatever they contain."""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO

from engine.fairness.canonical import JSON, Unreadable, parse, parse_first

# A record with its proofs has some kilobytes, an entry one.
LONGEST_FILE = 256 * 2**20
LONGEST_RECORD = 4 * 2**20
LONGEST_LINE = 2**20
_FIRST_LOOK = 2**16
_CHUNK = 2**16
_WHITE_SPACE = " \t\n\r"


def read_text(file: str) -> str:
    """Read a file of records; - is standard input. Raises Unreadable and OSError."""
    with open_bytes(file) as opened:
        data = opened.read(LONGEST_FILE + 1)
    if len(data) > LONGEST_FILE:
        raise Unreadable(f"it is longer than {LONGEST_FILE} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise Unreadable(f"it is not valid UTF-8 from byte {fault.start} on") from None


def read_records(text: str) -> Iterator[JSON]:
    """Yield the record that a text contains, or those of its array.

    Raises Unreadable at the first malformed one.
    """
    at = _skip_space(text, 0)
    if text[at : at + 1] != "[":
        record, at = _read_one(text, at, "the record")
        yield record
    else:
        at, count = _skip_space(text, at + 1), 0
        is_at_end = text[at : at + 1] == "]"
        while not is_at_end:
            record, at = _read_one(text, at, f"record {count}")
            yield record
            if text[at : at + 1] not in ("]", ","):
                raise Unreadable(f"the array is incomplete after record {count}")
            is_at_end = text[at] == "]"
            at, count = (at, count) if is_at_end else (_skip_space(text, at + 1), count + 1)
        at = _skip_space(text, at + 1)
    if at != len(text):
        raise Unreadable("there is data after its end")


def _read_one(text: str, at: int, what: str) -> tuple[JSON, int]:
    """Parse one value, and return it with the start of the next; long ones are read in a second attempt."""
    for most in (_FIRST_LOOK, LONGEST_RECORD):
        try:
            value, length = parse_first(text[at : at + most], 0)
            return value, _skip_space(text, at + length)
        except Unreadable as refused:
            raise Unreadable(f"{what}: {refused}") from None
        except ValueError as fault:
            why = str(fault)
    if len(text) - at > LONGEST_RECORD:
        raise Unreadable(f"{what} is not valid JSON, or longer than {LONGEST_RECORD} characters")
    raise Unreadable(f"{what} is not valid JSON: {why}")


def _skip_space(text: str, at: int) -> int:
    while at < len(text) and text[at] in _WHITE_SPACE:
        at += 1
    return at


@contextmanager
def open_bytes(file: str) -> Iterator[IO[bytes]]:
    """Open a file, or standard input. Raises OSError."""
    if file == "-":
        if sys.stdin is None:  # a shell can close it
            raise OSError("standard input is not available")
        yield sys.stdin.buffer
        return
    try:
        opened = open(file, "rb")  # noqa: SIM115
    except OSError as fault:
        raise OSError(f"{file}: {fault.strerror}") from None
    with opened:
        yield opened


@contextmanager
def as_file(file: str) -> Iterator[str]:
    """Yield the name of a file that can be read anywhere and twice: input from a pipe is copied first."""
    if file != "-" and os.path.isfile(file):
        yield file
        return
    with tempfile.TemporaryDirectory() as folder, open_bytes(file) as opened:
        copied = os.path.join(folder, "log")
        with open(copied, "wb") as copy:
            shutil.copyfileobj(opened, copy, _CHUNK)
        yield copied


def read_lines(file: IO[bytes], begin: int, end: int) -> Iterator[bytes]:
    """Yield the lines that begin between two offsets, without their ends. Raises Unreadable for one far too long."""
    at = file.seek(begin)
    while at < end and (line := file.readline(LONGEST_LINE + 1)):
        if len(line) > LONGEST_LINE:
            raise Unreadable(f"it is longer than {LONGEST_LINE} bytes")
        at += len(line)
        yield line.rstrip(b"\r\n")


def size_of(file: IO[bytes]) -> int:
    """Return the size of a file in bytes."""
    return file.seek(0, 2)


def find_line(file: IO[bytes], is_wanted: Callable[[bytes], bool]) -> int:
    """Return the offset of the first wanted line, in a file whose wanted lines are its last ones; its size without
    any.
    """
    low, high = 0, size_of(file)
    end = high
    while low < high:
        middle = (low + high) // 2
        start = _line_from(file, middle)
        if start >= end or is_wanted(_line_at(file, start)):
            high = middle
        else:
            low = middle + 1
    return min(_line_from(file, low), end)


def last_line(file: IO[bytes]) -> bytes:
    """Return the last line; only its end where it is far too long."""
    size = size_of(file)
    for most in (_CHUNK, LONGEST_LINE):
        file.seek(max(0, size - most))
        _, found, line = file.read(most).rstrip().rpartition(b"\n")
        if found:
            break
    return line


def count_lines(file: IO[bytes], end: int) -> int:
    """Return how many lines begin before an offset at which a line begins."""
    file.seek(0)
    count = 0
    while end > 0 and (chunk := file.read(min(_CHUNK, end))):
        count += chunk.count(b"\n")
        end -= len(chunk)
    return count


def _line_from(file: IO[bytes], offset: int) -> int:
    """Return the offset of the first line that begins at this offset or later."""
    if offset == 0:
        return 0
    at = file.seek(offset - 1)
    while chunk := file.read(_CHUNK):
        found = chunk.find(b"\n")
        if found >= 0:
            return at + found + 1
        at += len(chunk)
    return at


def _line_at(file: IO[bytes], start: int) -> bytes:
    file.seek(start)
    return file.readline(LONGEST_LINE)


def is_head(line: bytes) -> bool:
    """Return whether a line of a log is one of its heads."""
    try:
        value = parse(line)
    except Unreadable:
        return False
    return isinstance(value, dict) and "head" in value
