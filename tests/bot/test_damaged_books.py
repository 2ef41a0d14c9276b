"""Damaged files of the real process: each case has its sentence, and no casino is founded over them."""

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path

import pytest
from aiohttp import ClientError, ClientSession, CookieJar

from bot.__main__ import main
from storage.integrity import WITNESS
from storage.sqlite import FILE, LOCK, reading
from tests.bot.open_house import TABLE
from tests.bot.test_restart import ROOT, House, press, start
from tests.disk import ask
from tests.patience import PATIENCE_S, STEP_S
from tests.ports import free_port

LOG = f"{FILE}-wal"


@pytest.fixture
async def anna() -> AsyncIterator[ClientSession]:
    async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
        yield session


async def bet(house: House, anna: ClientSession, times: int = 10) -> str:
    """Bet and take back, each acknowledged; return the player's path."""
    async with anna.post(f"{house.url}/sign-in", data={"name": "Anna"}) as answer:
        base = answer.url.path.rstrip("/")
    for number in range(times):
        line = "/takeback" if number % 2 else "/bet 50"
        assert not (await press(anna, f"{house.url}{base}{TABLE}", f"press-{number:05}", line))["refused"]
    return base


def answered(folder: Path) -> int:
    with reading(folder / FILE) as books:
        ((count,),) = ask(books, "SELECT count(*) FROM answers WHERE key LIKE '%press-%'")
        return int(count)


async def refused(folder: Path) -> str:
    """Return the error of a process that does not open this folder."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "--data", str(folder)),
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "RIDOTTO_WEB": "127.0.0.1:0"},
        cwd=folder.parent,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        out, err = await asyncio.wait_for(process.communicate(), PATIENCE_S)
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()
    assert (process.returncode, out) == (1, b"")
    assert err.count(b"\n") == 1
    return err.decode()


async def ended(house: House) -> str:
    """Return the log of a process that has ended by itself, within a second or little more."""
    assert await asyncio.wait_for(house.process.wait(), PATIENCE_S) == 1
    assert house.process.stderr is not None
    return (await house.process.stderr.read()).decode()


def unlink(*names: str) -> Callable[[Path], Path]:
    def harm(folder: Path) -> Path:
        for name in names:
            (folder / name).unlink()
        return folder

    return harm


def copy_main_file(folder: Path) -> Path:
    copied = folder.with_name("copied")
    copied.mkdir()
    shutil.copy(folder / FILE, copied / FILE)
    return copied


def flip_bit(folder: Path) -> Path:
    with open(folder / LOG, "r+b") as log:
        log.seek((folder / LOG).stat().st_size // 2)
        (byte,) = log.read(1)
        log.seek(-1, 1)
        log.write(bytes([byte ^ 1]))
    return folder


def cut_log(folder: Path) -> Path:
    os.truncate(folder / LOG, (folder / LOG).stat().st_size // 2)
    return folder


def empty_main_file(folder: Path) -> Path:
    os.truncate(folder / FILE, 0)
    return folder


DAMAGE = {
    "no log": (unlink(LOG), "ends with batch"),
    "a flipped bit": (flip_bit, "ends with batch"),
    "half a log": (cut_log, "ends with batch"),
    "the main file alone": (copy_main_file, "was copied or left without its log"),
    "no books": (unlink(FILE, LOG), "no new books are created here"),
    "an empty main file": (empty_main_file, "no new books are created here"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("harm", "sentence"), DAMAGE.values(), ids=DAMAGE)
async def test_a_killed_house_whose_files_are_damaged_does_not_open(
    tmp_path: Path, anna: ClientSession, harm: Callable[[Path], Path], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "books"
    async with start(folder) as house:
        await bet(house, anna)
        await house.end(signal.SIGKILL)
    damaged = harm(folder)
    assert sentence in await refused(damaged)
    assert main(["doctor", "--data", str(damaged)]) == 1
    assert sentence in capsys.readouterr().out


@pytest.mark.slow
async def test_what_is_left_of_a_killed_house_opens_when_the_loss_is_accepted(
    tmp_path: Path, anna: ClientSession, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, new = tmp_path / "books", tmp_path / "new"
    async with start(folder) as house:
        base = await bet(house, anna)
        await house.end(signal.SIGKILL)
    cut_log(folder)
    assert "restore --accept-loss" in await refused(folder)
    assert main(["restore", "--data", str(new), str(folder / FILE)]) == 2
    assert main(["restore", "--data", str(new), "--accept-loss", str(folder / FILE)]) == 0
    assert "ends with batch" in capsys.readouterr().out
    assert main(["doctor", "--data", str(new)]) == 0
    assert 0 < answered(new) < 10
    async with start(new) as house:
        async with anna.post(house.operator, data={"name": "Bea"}) as answer:
            inspector = answer.url.path.removesuffix("/operator")
        said = await press(anna, f"{house.url}{inspector}{TABLE}", "audit-001", "/audit")
        assert any("Ridotto: accept loss, books" in text for text in said["texts"]), said
        said = await press(anna, f"{house.url}{base}{TABLE}", "balance-01", "/balance")
        assert not said["refused"]


@pytest.mark.slow
async def test_books_that_are_deleted_under_the_house_end_it_and_all_of_them_is_saved(
    tmp_path: Path, anna: ClientSession, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, new = tmp_path / "books", tmp_path / "new"
    async with start(folder) as house:
        await bet(house, anna)
        for file in folder.glob(f"{FILE}*"):
            file.unlink()
        said = await ended(house)
        with pytest.raises(ClientError):
            await anna.get(f"{house.url}/healthz")
    saved = folder / "saved-1.sqlite3"
    assert f"{folder / FILE} was deleted or replaced while the casino was running. The casino has stopped." in said
    assert str(saved) in said
    assert "no new books are created here" in await refused(folder)
    assert main(["restore", "--data", str(new), str(saved)]) == 0
    assert answered(new) == 10
    assert main(["doctor", "--data", str(new)]) == 0


@pytest.mark.slow
async def test_books_that_are_replaced_just_before_an_orderly_end_are_told_too(
    tmp_path: Path, anna: ClientSession
) -> None:
    folder = tmp_path / "books"
    async with start(folder) as house:
        await bet(house, anna)
        (tmp_path / "other").write_text("something else")
        (tmp_path / "other").rename(folder / FILE)
        house.process.send_signal(signal.SIGTERM)
        assert "was deleted or replaced while the casino was running" in await ended(house)
    assert (folder / FILE).read_text() == "something else"
    assert answered_in_saved(folder, tmp_path / "new") == 10


@pytest.mark.slow
@pytest.mark.parametrize("length", [0, 4096])
async def test_a_log_that_is_cut_short_under_the_house_ends_it_and_all_that_was_acknowledged_is_saved(
    tmp_path: Path, anna: ClientSession, length: int
) -> None:
    folder = tmp_path / "books"
    async with start(folder) as house:
        base = await bet(house, anna)
        acknowledged = 10
        os.truncate(folder / LOG, length)
        with suppress(ClientError):  # each press from here on may be the one that notices
            while True:
                line = "/takeback" if acknowledged % 2 else "/bet 50"
                answer = await press(anna, f"{house.url}{base}{TABLE}", f"press-{acknowledged:05}", line)
                acknowledged += not answer["refused"]
        said = await ended(house)
    assert f"{folder / LOG} was cut short while the casino was running. The casino has stopped." in said
    assert answered_in_saved(folder, tmp_path / "new") in (acknowledged, acknowledged + 1)
    assert main(["doctor", "--data", str(tmp_path / "new")]) == 0
    assert "The files were not changed." in await refused(folder)


def answered_in_saved(folder: Path, new: Path) -> int:
    assert main(["restore", "--data", str(new), str(folder / "saved-1.sqlite3")]) == 0
    return answered(new)


@pytest.mark.slow
@pytest.mark.parametrize("name", [LOCK, WITNESS])
async def test_a_lock_or_a_witness_that_is_removed_ends_the_house_and_it_opens_again(
    tmp_path: Path, anna: ClientSession, name: str
) -> None:
    folder = tmp_path / "books"
    async with start(folder) as house:
        await bet(house, anna)
        (folder / name).unlink()
        assert f"{folder / name} was deleted or replaced" in await ended(house)
    assert answered(folder) == 10
    async with start(folder):
        pass


@pytest.mark.slow
async def test_of_two_houses_on_one_folder_the_second_alone_goes_on(tmp_path: Path, anna: ClientSession) -> None:
    """The operator removes the lock, as a natural reaction to "the folder is in use"."""
    folder = tmp_path / "books"
    async with start(folder) as first:
        base = await bet(first, anna)
        (folder / LOCK).unlink()
        async with start(folder) as second:
            said = await ended(first)
            assert "Another process has opened" in said or f"{folder / LOCK} was deleted or replaced" in said
            answer = await press(anna, f"{second.url}{base}{TABLE}", "bet-00001", "/bet 50")
            assert not answer["refused"]
            assert await second.end(signal.SIGTERM) == 0
    assert main(["doctor", "--data", str(folder)]) == 0


async def test_doctor_and_backup_beside_a_running_house(tmp_path: Path, anna: ClientSession) -> None:
    folder = tmp_path / "books"
    async with start(folder) as house:
        await bet(house, anna)
        assert main(["doctor", "--data", str(folder)]) == 0
        assert main(["backup", "--data", str(folder), str(tmp_path / "copy")]) == 0
        assert main(["restore", "--data", str(tmp_path / "new"), str(tmp_path / "copy")]) == 0
        await bet(house, anna, times=0)
        assert await house.end(signal.SIGTERM) == 0
    assert answered(tmp_path / "new") == 10


@pytest.mark.slow
async def test_a_second_signal_does_not_end_the_house_before_its_books_are_closed(tmp_path: Path) -> None:
    folder = tmp_path / "books"
    async with start(folder) as house:
        for _time in range(400):
            with suppress(ProcessLookupError):
                # Not by the process object: it would reap one that has ended before its status is asked for.
                os.kill(house.process.pid, signal.SIGTERM)
            await asyncio.sleep(0.005)
        assert await asyncio.wait_for(house.process.wait(), PATIENCE_S) == 0
    assert not (folder / LOG).exists()
    with reading(folder / FILE) as books:
        assert ask(books, "SELECT is_open FROM books") == [(0,)]


async def test_a_terminal_that_is_closed_ends_the_house_in_good_order(tmp_path: Path) -> None:
    async with start(tmp_path / "books") as house:
        assert await house.end(signal.SIGHUP) == 0
    assert not (tmp_path / "books" / LOG).exists()


async def is_well(session: ClientSession, port: int) -> bool:
    try:
        async with session.get(f"http://127.0.0.1:{port}/healthz") as answer:
            return answer.status == 200
    except ClientError:
        return False


@pytest.mark.slow
@pytest.mark.parametrize("streams", ["| true", "<&- >&- 2>&-"], ids=["nobody reads", "all are closed"])
async def test_a_house_opens_for_its_players_whoever_reads_what_it_says(tmp_path: Path, streams: str) -> None:
    """The address is not printed anywhere then, and must be known beforehand."""
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        *("sh", "-c", f"{sys.executable} -m bot --data {tmp_path / 'books'} {streams}"),
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "RIDOTTO_WEB": f"127.0.0.1:{port}"},
        cwd=tmp_path,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        async with ClientSession() as session:
            async with asyncio.timeout(PATIENCE_S):
                while not await is_well(session, port):
                    await asyncio.sleep(STEP_S)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
